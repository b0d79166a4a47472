//! Promises as the query of a URL and back; the parameters carry the names of the fields.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::settings::Promises;

/// `site_delay_ms=20&complete=true`; what is not named keeps its default, what is unknown is an error. Parameters in `besides` are passed over.
pub fn promises_from_query(query: &str, besides: &[&str]) -> Result<Promises, String> {
    let mut fields = Map::new();
    for (name, value) in pairs(query) {
        if !besides.contains(&name.as_str()) {
            let value = if name == "robots_token" { Value::String(value) } else { parse(value) };
            fields.insert(name, value);
        }
    }
    serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())
}

/// Every field; the empty ones are left out.
pub fn promises_to_query(promises: &Promises) -> String {
    let Ok(Value::Object(fields)) = serde_json::to_value(promises) else { return String::new() };
    let present = fields.iter().filter(|(_, value)| !value.is_null());
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let pairs: Vec<String> =
        present.map(|(name, value)| format!("{name}={}", encode(&text(value)))).collect();
    pairs.join("&")
}

/// The parameters of a query, decoded.
pub(super) fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| part.split_once('=').unwrap_or((part, "true")))
        .map(|(name, value)| (decode(name), decode(value)))
}

fn parse(value: String) -> Value {
    serde_json::from_str(&value).unwrap_or(Value::String(value))
}

fn encode(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn decode(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        rest = tail;
        match (byte, digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(decoded)) => {
                out.push(decoded);
                rest = tail.get(2..).unwrap_or_default();
            }
            (b'+', _) => out.push(b' '),
            _ => out.push(*byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_promises_survive_the_way_through_a_query() {
        let promises = Promises {
            site_delay_ms: 20,
            complete: true,
            max_depth: Some(3),
            robots_token: "7 ways & more".to_owned(),
            ..Promises::default()
        };
        let query = promises_to_query(&promises);
        assert_eq!(promises_from_query(&query, &[]), Ok(promises));
    }

    #[test]
    fn house_unknown_parameters_are_an_error() {
        assert!(promises_from_query("site_delay=20", &[]).is_err());
        assert!(promises_from_query("site_delay_ms=soon", &[]).is_err());
        assert_eq!(promises_from_query("format=json&complete", &["format"]).map(|p| p.complete), Ok(true));
    }
}

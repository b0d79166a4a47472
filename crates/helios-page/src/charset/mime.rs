//! `Content-Type` values, read by the MIME Sniffing Standard (§4.4).

use std::fmt;

/// `text/html;charset=utf-8`, in lower case but for the values of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MimeType {
    essence: String,
    parameters: Vec<(String, String)>,
}

/// More of them in one header is an attack on whoever compares each with each.
const MOST_PARAMETERS: usize = 64;

impl MimeType {
    /// Nothing where the standard says failure.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(is_space);
        let (kind, rest) = text.split_once('/')?;
        let (subtype, mut rest) = rest.split_once(';').unwrap_or((rest, ""));
        let subtype = subtype.trim_end_matches(is_space);
        if !is_token(kind) || !is_token(subtype) {
            return None;
        }
        let essence = format!("{kind}/{subtype}").to_ascii_lowercase();
        let mut mime = Self { essence, parameters: Vec::new() };
        while !rest.is_empty() && mime.parameters.len() < MOST_PARAMETERS {
            rest = mime.parameter(rest);
        }
        Some(mime)
    }

    /// The one that counts of a header that may have been sent several times: the last that is one, with the charset of those
    /// before it that say the same (Fetch Standard §3.5, "extract a MIME type").
    pub fn extract(header: &str) -> Option<Self> {
        let (mut last, mut charset) = (None::<Self>, None);
        let types = values(header).filter_map(Self::parse).filter(|mime| mime.essence != "*/*");
        for mut mime in types {
            if last.as_ref().is_none_or(|last| last.essence != mime.essence) {
                charset = mime.get("charset").map(ToOwned::to_owned);
            } else if let Some(charset) = charset.as_ref().filter(|_| mime.get("charset").is_none()) {
                mime.add("charset".to_owned(), charset.clone());
            }
            last = Some(mime);
        }
        last
    }

    /// Reads one parameter and returns what follows its semicolon.
    fn parameter<'t>(&mut self, text: &'t str) -> &'t str {
        let text = text.trim_start_matches(is_space);
        let end = text.find([';', '=']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let Some(rest) = rest.strip_prefix('=') else { return rest.get(1..).unwrap_or_default() };
        let name = name.to_ascii_lowercase();
        if let Some(quoted) = rest.strip_prefix('"') {
            let (value, rest) = unquote(quoted);
            self.add(name, value);
            return rest.split_once(';').map_or("", |(_, rest)| rest);
        }
        let (value, rest) = rest.split_once(';').unwrap_or((rest, ""));
        let value = value.trim_end_matches(is_space);
        if !value.is_empty() {
            self.add(name, value.to_owned());
        }
        rest
    }

    /// The first of a name counts.
    fn add(&mut self, name: String, value: String) {
        let fits = |letter: char| matches!(letter, '\t' | ' '..='~' | '\u{80}'..='\u{FF}');
        if is_token(&name) && value.chars().all(fits) && self.get(&name).is_none() {
            self.parameters.push((name, value));
        }
    }

    /// Type and subtype: `text/html`.
    pub fn essence(&self) -> &str {
        &self.essence
    }

    /// The value of a parameter, whose name is in lower case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// `text/xml`, `application/xml`, and all that are built on it.
    pub fn is_xml(&self) -> bool {
        matches!(self.essence(), "text/xml" | "application/xml") || self.essence.ends_with("+xml")
    }
}

impl fmt::Display for MimeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.essence)?;
        for (name, value) in &self.parameters {
            if is_token(value) {
                write!(f, ";{name}={value}")?;
            } else {
                let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, ";{name}=\"{escaped}\"")?;
            }
        }
        Ok(())
    }
}

/// The value up to the closing quote, and what follows that.
fn unquote(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => value.push(letters.next().unwrap_or('\\')),
            _ => value.push(letter),
        }
    }
    (value, letters.as_str())
}

/// The values of a header that were joined by commas; a comma in quotes joins nothing.
fn values(header: &str) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    header.split(move |letter| {
        let is_escaped = std::mem::take(&mut escaped);
        escaped = quoted && letter == '\\' && !is_escaped;
        quoted ^= letter == '"' && !is_escaped;
        letter == ',' && !quoted
    })
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r')
}

fn is_token(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(fits)
}

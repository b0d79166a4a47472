//! Which content types are read, by the `accept` setting.

use crate::error::{Error, Result};

/// `type/subtype`, `type/*` and `*/*`, in lower case.
#[derive(Debug)]
pub(super) struct TypeFilter {
    patterns: Vec<(String, String)>,
}

impl TypeFilter {
    pub(super) fn new(patterns: &[String]) -> Result<Self> {
        let patterns = patterns.iter().map(|text| parse(text)).collect::<Result<Vec<_>>>()?;
        Ok(Self { patterns })
    }

    /// An answer that does not say what it is, or says it so that nobody understands, is read: servers forget.
    pub(super) fn wants(&self, content_type: &str) -> bool {
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let Some((kind, sub)) = essence.split_once('/') else { return true };
        let fits = |pattern: &str, part: &str| pattern == "*" || pattern == part;
        self.patterns.iter().any(|(one, other)| fits(one, kind) && fits(other, sub))
    }

    /// The `Accept` header: what is wanted, and anything rather than an error.
    pub(super) fn header(&self) -> String {
        let mut text = String::new();
        for (kind, sub) in &self.patterns {
            text.push_str(kind);
            text.push('/');
            text.push_str(sub);
            text.push(',');
        }
        text + "*/*;q=0.5"
    }
}

fn parse(text: &str) -> Result<(String, String)> {
    let pattern = text.to_ascii_lowercase();
    let is_token = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b))
    };
    match pattern.split_once('/') {
        Some((kind, sub)) if (is_token(kind) && (sub == "*" || is_token(sub))) || pattern == "*/*" => {
            Ok((kind.to_owned(), sub.to_owned()))
        }
        _ => Err(Error::Settings(format!(
            "fetch.accept: {text:?} is no content type; write \"text/html\", \"text/*\" or \"*/*\""
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(patterns: &[&str]) -> Result<TypeFilter> {
        TypeFilter::new(&patterns.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_type_is_wanted_if_a_pattern_fits() {
        let some = filter(&["text/*", "Application/XHTML+xml"]).unwrap();
        for wanted in ["text/html", "TEXT/HTML; charset=x", " text/css ", "application/xhtml+xml", "", "html"]
        {
            assert!(some.wants(wanted), "{wanted:?}");
        }
        for unwanted in ["application/pdf", "image/png;text/html", "application/xhtml"] {
            assert!(!some.wants(unwanted), "{unwanted:?}");
        }
        assert!(filter(&["*/*"]).unwrap().wants("image/png"));
        assert!(!filter(&[]).unwrap().wants("text/html"));
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for wrong in [
            "html",
            "*",
            "text/",
            "/html",
            "*/html",
            "text/html; q=1",
            "te xt/html",
            "text/html,a/b",
            "text/*x",
        ] {
            let refused = filter(&[wrong]).map(|_| ()).unwrap_err().to_string();
            assert!(refused.contains("fetch.accept") && refused.contains(wrong), "{refused}");
        }
    }
}

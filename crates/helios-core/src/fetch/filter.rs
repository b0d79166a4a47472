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
    /// A packed file is read only if its name says that it is a sitemap: others are archives. Many servers say of it only
    /// that it is bytes.
    pub(super) fn wants(&self, content_type: &str, target: &str) -> bool {
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        let Some((kind, sub)) = essence.split_once('/') else { return true };
        let fits = |pattern: &str, part: &str| pattern == "*" || pattern.eq_ignore_ascii_case(part);
        let wants = |kind, sub| self.patterns.iter().any(|(one, other)| fits(one, kind) && fits(other, sub));
        let is_packed = ["gzip", "x-gzip"].iter().any(|packed| packed.eq_ignore_ascii_case(sub));
        let is_bytes = sub.eq_ignore_ascii_case("octet-stream") && is_packed_file(target);
        wants(kind, sub) && (!is_packed || is_sitemap(target))
            || is_bytes && wants("application", "gzip") && is_sitemap(target)
    }

    /// The `Accept` header: what is wanted, and anything rather than an error.
    pub(super) fn header(&self) -> String {
        let mut text = String::new();
        for (kind, sub) in &self.patterns {
            text.push_str(kind);
            text.push('/');
            text.push_str(sub);
            // Who has a page both ways should send the page.
            text.push_str(if is_for_lists(kind, sub) { ";q=0.8," } else { "," });
        }
        text + "*/*;q=0.5"
    }
}

fn is_for_lists(kind: &str, sub: &str) -> bool {
    let xml = sub == "xml" || sub.ends_with("+xml") && sub != "xhtml+xml";
    kind != "*" && (xml || sub.ends_with("+json") || sub.ends_with("gzip"))
}

fn path(target: &str) -> String {
    target.split('?').next().unwrap_or_default().to_ascii_lowercase()
}

fn is_packed_file(target: &str) -> bool {
    path(target).rsplit_once('.').is_some_and(|(_, ending)| ending == "gz")
}

fn is_sitemap(target: &str) -> bool {
    let path = path(target);
    path.contains("sitemap") || path.ends_with(".xml.gz") || path.ends_with(".txt.gz")
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
            assert!(some.wants(wanted, "/"), "{wanted:?}");
        }
        for unwanted in ["application/pdf", "image/png;text/html", "application/xhtml"] {
            assert!(!some.wants(unwanted, "/"), "{unwanted:?}");
        }
        assert!(filter(&["*/*"]).unwrap().wants("image/png", "/"));
        assert!(filter(&["*/*"]).unwrap().wants("application/octet-stream", "/data.gz"));
        assert!(!filter(&[]).unwrap().wants("text/html", "/"));
    }

    #[test]
    fn a_packed_file_is_wanted_if_its_name_says_that_it_is_a_sitemap() {
        let some = filter(&["application/x-gzip", "text/html"]).unwrap();
        let default = TypeFilter::new(&crate::fetch::FetchSettings::default().accept).unwrap();
        for wanted in ["/sitemap.xml.gz", "/Sitemap-3.gz?a=b", "/maps/pages.xml.gz", "/urls.txt.gz"] {
            assert!(some.wants("application/x-gzip", wanted), "{wanted}");
            assert!(default.wants("application/octet-stream", wanted), "{wanted}");
        }
        for archive in ["/a.tar.gz", "/a.tgz", "/a.gz?sitemap"] {
            assert!(!some.wants("application/x-gzip", archive), "{archive}");
            assert!(!default.wants("binary/octet-stream", archive), "{archive}");
        }
    }

    #[test]
    fn pages_are_asked_for_before_lists() {
        let some =
            filter(&["text/html", "application/xhtml+xml", "application/xml", "application/feed+json"])
                .unwrap();
        let expected =
            "text/html,application/xhtml+xml,application/xml;q=0.8,application/feed+json;q=0.8,*/*;q=0.5";
        assert_eq!(some.header(), expected);
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

//! What the head of an answer means, before any of its body is read.

use std::borrow::Cow;

use bytes::Bytes;
use helios_page::charset::MimeType;

use super::http1::{self, Fields};
use super::{HttpVersion, Outcome, Response, Validators};
use crate::clock;

/// The head of an answer, whatever it came over.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) version: HttpVersion,
    pub(super) fields: Fields,
    /// Bytes of body on the wire, where the head tells.
    pub(super) length: Option<u64>,
}

/// What to do with the rest of the answer.
#[derive(Debug)]
pub(super) enum Meaning {
    /// Read it: it is a page.
    Page,
    /// A success that has no content (RFC 9110 §15.3.5, §15.3.6); what follows is no part of it.
    Empty,
    /// Its body is of no interest.
    Not(Outcome),
}

impl From<http1::Head> for Head {
    fn from(head: http1::Head) -> Self {
        let length = head.length();
        let is_old = head.version == http::Version::HTTP_10;
        let version = if is_old { HttpVersion::Http10 } else { HttpVersion::Http11 };
        Self { status: head.status.as_u16(), version, fields: head.fields, length }
    }
}

impl Head {
    pub(super) fn of_http2(parts: &http::response::Parts) -> Self {
        let status = parts.status.as_u16();
        let lines = parts.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        let fields = Fields::written(&format!("HTTP/2 {status}"), lines);
        let length = fields.first("content-length").and_then(|text| ascii(text)?.parse().ok());
        Self { status, version: HttpVersion::Http2, fields, length }
    }

    /// `conditional`: validators were sent along.
    pub(super) fn meaning(&self, conditional: bool) -> Meaning {
        let status = self.status;
        Meaning::Not(match status {
            204 | 205 => return Meaning::Empty,
            206 => Outcome::Broken("a part of the page, and nobody asked for a part (206)".to_owned()),
            200..300 => return Meaning::Page,
            300..=303 | 307 | 308 => self.redirect(),
            304 if conditional => Outcome::NotModified,
            304 => Outcome::Broken("not modified (304), and nobody asked whether it was".to_owned()),
            408 | 425 | 429 | 500..600 => Outcome::Busy { status, retry_after_ms: self.retry_after() },
            400..500 => Outcome::Missing { status },
            _ => Outcome::Broken(format!("status {status}")),
        })
    }

    /// The target as the server wrote it; whether it can be followed is the frontier's to say.
    fn redirect(&self) -> Outcome {
        let status = self.status;
        let mut targets = self.fields.all("location");
        let Some(target) = targets.next().filter(|target| !target.trim_ascii().is_empty()) else {
            return Outcome::Broken(format!("{status} without a Location"));
        };
        if targets.any(|other| other != target) {
            return Outcome::Broken(format!("{status} with several Locations"));
        }
        let target = String::from_utf8_lossy(target.trim_ascii()).into_owned();
        Outcome::Redirected { status, target }
    }

    /// As seconds or as a date (RFC 9110 §10.2.3), in milliseconds from now.
    fn retry_after(&self) -> Option<u64> {
        let value = self.text("retry-after");
        let value = value.trim();
        if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(value.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(1000));
        }
        let date = httpdate::parse_http_date(value).ok()?;
        let at = date.duration_since(std::time::UNIX_EPOCH).ok()?.as_millis() as u64;
        Some(at.saturating_sub(clock::now()))
    }

    /// As sent; the one that counts where there are several, in one line or in several; empty if none.
    pub(super) fn content_type(&self) -> Cow<'_, str> {
        let mut lines = self.fields.all("content-type");
        let last = lines.next_back().unwrap_or_default();
        let is_only = lines.next().is_none() && !last.contains(&b',');
        let extracted = if is_only { None } else { MimeType::extract(&self.text("content-type")) };
        extracted.map_or_else(|| String::from_utf8_lossy(last.trim_ascii()), |mime| mime.to_string().into())
    }

    /// All values of a header, joined as one list; bytes that are no text are replaced.
    pub(super) fn text(&self, name: &str) -> String {
        let values: Vec<_> = self.fields.all(name).map(String::from_utf8_lossy).collect();
        values.join(", ")
    }

    pub(super) fn response(self, body: Bytes) -> Response {
        let tags = self.fields.all("x-robots-tag");
        let one = |name| self.fields.first(name).and_then(ascii).map(Box::from);
        Response {
            status: self.status,
            content_type: self.content_type().into_owned(),
            robots_tags: tags.map(|value| String::from_utf8_lossy(value).into_owned()).collect(),
            refresh: self.fields.first("refresh").map(|value| String::from_utf8_lossy(value).into()),
            validators: Validators { etag: one("etag"), last_modified: one("last-modified") },
            server: one("server"),
            body,
            version: self.version,
            head: self.fields.into_raw(),
        }
    }
}

/// A value that is plain text.
fn ascii(value: &[u8]) -> Option<&str> {
    str::from_utf8(value).ok().filter(|text| text.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(status: u16, headers: &[(&str, &str)]) -> Head {
        let lines = headers.iter().map(|(name, value)| (*name, value.as_bytes()));
        Head { status, version: HttpVersion::Http11, fields: Fields::written("", lines), length: None }
    }

    fn outcome(head: &Head, conditional: bool) -> String {
        match head.meaning(conditional) {
            Meaning::Page => "page".to_owned(),
            Meaning::Empty => "empty".to_owned(),
            Meaning::Not(outcome) => outcome.describe(),
        }
    }

    #[test]
    fn every_status_has_a_meaning() {
        for (status, meaning) in [
            (101, "broken answer: status 101"),
            (200, "page"),
            (203, "page"),
            (204, "empty"),
            (205, "empty"),
            (206, "broken answer: a part"),
            (300, "redirected (300) to /x"),
            (301, "redirected (301) to /x"),
            (304, "broken answer: not modified"),
            (305, "broken answer: status 305"),
            (404, "answered 404"),
            (429, "answered 429"),
            (503, "answered 503"),
            (600, "broken answer: status 600"),
            (999, "broken answer: status 999"),
        ] {
            let said = outcome(&head(status, &[("location", "/x")]), false);
            assert!(said.starts_with(meaning), "{status}: {said}");
        }
        assert_eq!(outcome(&head(304, &[]), true), "not modified");
    }

    #[test]
    fn a_redirect_needs_one_target() {
        assert_eq!(
            outcome(&head(302, &[("location", " /a "), ("location", " /a ")]), false),
            "redirected (302) to /a"
        );
        for broken in [&[][..], &[("location", "")], &[("location", "/a"), ("location", "/b")]] {
            assert!(outcome(&head(302, broken), false).starts_with("broken answer"), "{broken:?}");
        }
    }

    #[test]
    fn rfc9110_retry_after_is_seconds_or_a_date() {
        let wait = |text| head(503, &[("retry-after", text)]).retry_after();
        assert_eq!(wait("120"), Some(120_000));
        assert_eq!(wait("99999999999999999999999"), Some(u64::MAX));
        assert_eq!(wait("Fri, 31 Dec 1999 23:59:59 GMT"), Some(0));
        for nonsense in ["", "-5", "+5", "soon", "1.5"] {
            assert_eq!(wait(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn whatwg_the_last_content_type_counts() {
        let lines: [(&[&str], &str); 6] = [
            (&[], ""),
            (&["Text/HTML; charset=UTF-8"], "Text/HTML; charset=UTF-8"),
            (&["a/b", "text/html"], "text/html"),
            (&["text/html, text/html"], "text/html"),
            (&["text/html; charset=gbk", "text/html"], "text/html;charset=gbk"),
            (&["html, page"], "html, page"),
        ];
        for (sent, expected) in lines {
            let sent: Vec<_> = sent.iter().map(|value| ("content-type", *value)).collect();
            assert_eq!(head(200, &sent).content_type(), expected, "{sent:?}");
        }
    }
}

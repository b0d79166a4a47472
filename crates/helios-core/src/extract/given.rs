//! What somebody else read of a body that we do not read ourselves: a PDF, whose reader is a process of its own.

use helios_page::charset::MimeType;
use serde::Deserialize;

use super::page::Page;
use crate::fetch::Response;

/// All that is known of it. Times are milliseconds since 1970.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Given {
    pub title: String,
    pub text: String,
    pub authors: Vec<String>,
    pub published: Option<i64>,
    pub modified: Option<i64>,
    /// JSON.
    pub facts: Option<String>,
}

/// Is it a PDF, by its first bytes or by what the server says?
pub fn is_pdf(response: &Response) -> bool {
    response.body.starts_with(b"%PDF-")
        || MimeType::parse(&response.content_type).is_some_and(|mime| mime.essence() == "application/pdf")
}

/// Without a reader its page has no text.
pub(super) fn page(given: Option<&Given>) -> Page {
    let given = given.cloned().unwrap_or_default();
    Page {
        kind: "pdf",
        title: given.title,
        text: given.text,
        authors: given.authors,
        published: given.published,
        modified: given.modified,
        facts: given.facts,
        ..Page::default()
    }
}

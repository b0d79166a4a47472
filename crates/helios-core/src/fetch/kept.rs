//! What was said and heard, to the byte, where an archive asks for it (`keep_wire`). It counts against the fetcher's memory.

use bytes::Bytes;

use super::answer::Head;
use super::{HttpVersion, Outcome, OutcomeKind};

/// One question and its answer.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// The head of the request as it was sent. HTTP/2 has no such text: there it is written as if it had.
    pub request: Bytes,
    pub status: u16,
    pub version: HttpVersion,
    pub content_type: String,
    /// Status line and header lines as they came, empty line included.
    pub head: Bytes,
    /// As it came: content codings are not undone; only the framing of chunks is gone.
    pub body: Bytes,
    /// The body has content codings.
    pub is_coded: bool,
    pub cut: Option<Cut>,
}

/// Why there is less of a body than the server had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    Length,
    Time,
    Disconnect,
    /// It was of no interest.
    Unwanted,
}

impl Kept {
    pub(super) fn new(request: Bytes, head: &Head) -> Self {
        Self {
            request,
            status: head.status,
            version: head.version,
            content_type: head.content_type().into_owned(),
            head: head.fields.raw().clone(),
            is_coded: head.fields.first("content-encoding").is_some(),
            ..Self::default()
        }
    }

    /// Bytes that it holds beside the page.
    pub(super) fn size(&self) -> u64 {
        (self.request.len() + self.head.len() + self.body.len()) as u64
    }

    /// There was more, and why it is not here. What came of the body is not kept: half a page is none.
    pub(super) fn cut_by(&mut self, outcome: &Outcome) {
        self.body = Bytes::new();
        self.cut = Some(match outcome.kind() {
            OutcomeKind::TooLarge | OutcomeKind::Bomb => Cut::Length,
            OutcomeKind::TimedOut => Cut::Time,
            OutcomeKind::UnwantedType => Cut::Unwanted,
            OutcomeKind::Fetched
            | OutcomeKind::NotModified
            | OutcomeKind::Redirected
            | OutcomeKind::Missing
            | OutcomeKind::Busy
            | OutcomeKind::Denied
            | OutcomeKind::Unresolved
            | OutcomeKind::ForbiddenAddress
            | OutcomeKind::Unreachable
            | OutcomeKind::Untrusted
            | OutcomeKind::Broken
            | OutcomeKind::Abandoned => Cut::Disconnect,
        });
    }
}

/// A request that went in frames, as text.
pub(super) fn written(request: &http::Request<()>) -> Bytes {
    let uri = request.uri();
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    let host = uri.authority().map_or("", |authority| authority.as_str());
    let mut text = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n").into_bytes();
    for (name, value) in request.headers() {
        for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
            text.extend_from_slice(part);
        }
    }
    text.extend_from_slice(b"\r\n");
    text.into()
}

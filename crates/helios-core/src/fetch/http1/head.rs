//! The head of an answer: found, parsed and judged. A head that trickles in is looked at once per byte and parsed once.

use std::mem::MaybeUninit;

use bytes::Bytes;
use http::{HeaderName, StatusCode, Version};

use super::Trouble;
use super::fields::{Fields, Line};
use super::framing::{self, Framing, Length};

/// Most heads have fewer headers: no allocation for those.
const USUAL_HEADERS: usize = 48;

#[derive(Debug, Clone, Copy)]
pub(crate) struct HeadLimits {
    /// Of all heads of one answer together: 1xx, final, and empty lines before them.
    pub(crate) bytes: usize,
    /// Header lines in one head.
    pub(crate) headers: usize,
    /// 1xx heads before the final one.
    pub(crate) informational: usize,
}

impl Default for HeadLimits {
    fn default() -> Self {
        Self { bytes: 64 * 1024, headers: 256, informational: 16 }
    }
}

/// The final head of an answer.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: StatusCode,
    pub(crate) version: Version,
    pub(crate) fields: Fields,
    pub(super) framing: Framing,
}

impl Head {
    /// The length of the body as far as the head tells; for chunked bodies and those until close it does not.
    pub(crate) fn length(&self) -> Option<u64> {
        match self.framing.length {
            Length::Exactly(length) => Some(length),
            Length::Chunked | Length::UntilClose => None,
        }
    }
}

/// Empty lines at the beginning, to be dropped (RFC 9112 §2.2 has them before requests; servers send them, too).
pub(super) fn blank_bytes(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] = rest {
        rest = after;
    }
    bytes.len() - rest.len()
}

/// The bytes up to the first that no status line has there: whoever does not speak HTTP/1 is noticed at once.
pub(super) fn not_a_status_line(bytes: &[u8]) -> Option<&[u8]> {
    let differs = bytes.iter().zip(b"HTTP/1.").position(|(byte, expected)| byte != expected)?;
    // A CR may begin an empty line.
    if bytes == b"\r" { None } else { bytes.get(..=differs) }
}

/// Where the head ends. `searched` remembers how far earlier calls came.
pub(super) fn end_of(bytes: &[u8], searched: &mut usize) -> Option<usize> {
    while let Some(found) = memchr::memchr(b'\n', bytes.get(*searched..)?) {
        let line_end = *searched + found;
        match bytes.get(line_end + 1..) {
            Some([b'\n', ..]) => return Some(line_end + 2),
            Some([b'\r', b'\n', ..]) => return Some(line_end + 3),
            // The next byte decides: look at this line end again.
            Some([] | [b'\r']) | None => {
                *searched = line_end;
                return None;
            }
            Some(_) => *searched = line_end + 1,
        }
    }
    *searched = bytes.len();
    None
}

/// A 1xx, or the head itself.
pub(super) enum Parsed {
    Informational,
    Final(Head),
}

/// Parses a whole head, its empty line included.
pub(super) fn parse(raw: Bytes, limits: &HeadLimits) -> Result<Parsed, Trouble> {
    let mut few = [const { MaybeUninit::uninit() }; USUAL_HEADERS];
    let few = few.get_mut(..limits.headers.min(USUAL_HEADERS)).unwrap_or_default();
    let read = match parse_with(&raw, few) {
        Err(Flaw::TooMany) if limits.headers > USUAL_HEADERS => {
            let mut many = vec![MaybeUninit::uninit(); limits.headers];
            parse_with(&raw, &mut many)
        }
        read => read,
    };
    let Read { status, version, lines, strict, folded } = read.map_err(|flaw| match flaw {
        Flaw::TooMany => Trouble::HeadTooLarge { limit: limits.headers, unit: "headers" },
        Flaw::Name => Trouble::broken("head: invalid header name"),
        Flaw::Wrong(trouble) => trouble,
    })?;
    if status.is_informational() {
        return Ok(Parsed::Informational);
    }
    let fields = Fields::new(raw, lines, folded);
    let framing = framing::of(status, version, &fields, strict)?;
    Ok(Parsed::Final(Head { status, version, fields, framing }))
}

/// What a head says.
struct Read {
    status: StatusCode,
    version: Version,
    lines: Vec<Line>,
    /// Nothing of it was read with leniency.
    strict: bool,
    /// Some line goes on in the next.
    folded: bool,
}

type Space<'b> = [MaybeUninit<httparse::Header<'b>>];

enum Flaw {
    TooMany,
    /// A line that does not begin with a header's name.
    Name,
    Wrong(Trouble),
}

fn parse_with<'b>(raw: &'b [u8], space: &mut Space<'b>) -> Result<Read, Flaw> {
    let mut config = httparse::ParserConfig::default();
    config.allow_multiple_spaces_in_response_status_delimiters(true);
    config.allow_obsolete_multiline_headers_in_responses(true);
    let folded = has_folds(raw);
    match read(&config, raw, space, (!folded, folded)) {
        // A line that is no header is passed over, as browsers do; the connection is trusted no further.
        Err(Flaw::Name) if !is_framing_unclear(raw) => {
            config.ignore_invalid_headers_in_responses(true);
            read(&config, raw, space, (false, folded))
        }
        read => read,
    }
}

fn read<'b>(
    config: &httparse::ParserConfig,
    raw: &'b [u8],
    space: &mut Space<'b>,
    (strict, folded): (bool, bool),
) -> Result<Read, Flaw> {
    let mut head = httparse::Response::new(&mut []);
    match config.parse_response_with_uninit_headers(&mut head, raw, space) {
        Ok(httparse::Status::Complete(length)) if length == raw.len() => {}
        Ok(_) => return Err(wrong("head: an empty line inside")),
        Err(httparse::Error::TooManyHeaders) => return Err(Flaw::TooMany),
        Err(httparse::Error::HeaderName) => return Err(Flaw::Name),
        Err(error) => return Err(wrong(format!("head: {error}"))),
    }
    let status = StatusCode::from_u16(head.code.unwrap_or_default()).map_err(|_| wrong("head: no status"))?;
    if status == StatusCode::SWITCHING_PROTOCOLS {
        return Err(wrong("switches to a protocol that nobody asked for"));
    }
    let version = if head.version == Some(0) { Version::HTTP_10 } else { Version::HTTP_11 };
    let lines = head.headers.iter().map(|line| Line::within(raw, line.name.as_bytes(), line.value)).collect();
    Ok(Read { status, version, lines, strict, folded })
}

/// A line that is no header speaks of the length of the body: whoever passes it over may read another body than others do.
fn is_framing_unclear(raw: &[u8]) -> bool {
    raw.split(|&byte| byte == b'\n').skip(1).any(|line| {
        let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
        let line = line.to_ascii_lowercase();
        let speaks = [&b"content-length"[..], b"transfer-encoding"]
            .iter()
            .any(|of| memchr::memmem::find(&line, of).is_some());
        speaks && (!line.contains(&b':') || HeaderName::from_bytes(name).is_err())
    })
}

fn has_folds(raw: &[u8]) -> bool {
    memchr::memchr_iter(b'\n', raw).any(|at| matches!(raw.get(at + 1), Some(b' ' | b'\t')))
}

fn wrong(why: impl Into<String>) -> Flaw {
    Flaw::Wrong(Trouble::broken(why))
}

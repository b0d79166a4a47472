//! Exchanges become records: a response or a revisit, the request that led to it, and notes.

use std::io::{self, Write};

use crate::cdxj::{IndexLine, mime};
use crate::exchange::{Exchange, Original};
use crate::pack::{Packer, Packing};
use crate::record::{Draft, END, Kind};
use crate::{Algorithm, Digest, Digests, RecordId, http, iso8601};

const SAME_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
const NOT_MODIFIED: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
const ANSWER: &str = "application/http; msgtype=response";
const QUESTION: &str = "application/http; msgtype=request";
const FIELDS: &str = "application/warc-fields";

#[derive(Debug, Clone, Copy)]
pub struct Settings {
    pub packing: Packing,
    pub algorithm: Algorithm,
}

/// Writes records one after the other. It never seeks and never reads.
pub struct Writer<W> {
    out: W,
    settings: Settings,
    packer: Packer,
    /// The fields of the record being made, and its block where that has to be packed with them.
    draft: Vec<u8>,
    written: u64,
}

impl Writer<Vec<u8>> {
    /// What was written since the beginning, or since it was cleared.
    pub fn bytes(&self) -> &[u8] {
        &self.out
    }

    /// Begins anew, in the same room unless that is larger than `most`.
    pub fn clear(&mut self, most: usize) {
        self.out.clear();
        self.out.shrink_to(most);
        self.draft.clear();
        self.draft.shrink_to(most);
        self.written = 0;
    }
}

impl<W: Write> Writer<W> {
    pub fn new(out: W, settings: Settings) -> io::Result<Self> {
        Ok(Self { out, settings, packer: Packer::new(settings.packing)?, draft: Vec::new(), written: 0 })
    }

    /// Bytes written so far: where the next record begins.
    pub fn written(&self) -> u64 {
        self.written
    }

    pub fn into_inner(self) -> W {
        self.out
    }

    /// The first record of a file: who wrote it and how. Its name follows from the file's.
    pub fn warcinfo(&mut self, file: &str, at: u64, fields: &[(&str, &str)]) -> io::Result<()> {
        let block = fields_of(fields.iter().copied());
        let id = RecordId::of_text(&format!("{file} {at}"));
        Draft::begin(&mut self.draft, Kind::Warcinfo, id, &iso8601(at))
            .field("WARC-Filename", file)
            .field("WARC-Block-Digest", &Digest::of(self.settings.algorithm, &[block.as_bytes()]).to_string())
            .block(FIELDS, block.len())?;
        self.put(&[block.as_bytes()], false).map(|_| ())
    }

    /// All records of one exchange; the line of the one that can be replayed. With an original, the payload is not written again.
    /// `digests`: those of its answer.
    pub fn exchange(
        &mut self,
        exchange: &Exchange<'_>,
        digests: &Digests,
        original: Option<&Original>,
    ) -> io::Result<IndexLine> {
        let kind =
            if original.is_some() || exchange.answer.not_modified { Kind::Revisit } else { Kind::Response };
        let line = self.answer(exchange, digests, original, kind)?;
        let about = id(exchange, kind);
        if !exchange.request.is_empty() {
            let block = http::request(exchange.request);
            self.companion(exchange, Kind::Request, about, &block)?;
        }
        if !exchange.notes.is_empty() {
            let block = fields_of(exchange.notes.iter().map(|(name, value)| (*name, value.as_str())));
            self.companion(exchange, Kind::Metadata, about, block.as_bytes())?;
        }
        Ok(line)
    }

    fn answer(
        &mut self,
        exchange: &Exchange<'_>,
        digests: &Digests,
        original: Option<&Original>,
        kind: Kind,
    ) -> io::Result<IndexLine> {
        let answer = &exchange.answer;
        let head = http::answer(answer.head, answer.status, answer.protocol);
        let body = if kind == Kind::Revisit { b"" } else { answer.body };
        let of_head = (kind == Kind::Revisit).then(|| Digest::of(self.settings.algorithm, &[&head]));
        let block_digest = of_head.as_ref().unwrap_or(&digests.block).to_string();
        let address = exchange.address.map(|address| address.to_string());
        let profile = if original.is_some() { SAME_PAYLOAD } else { NOT_MODIFIED };
        let refers_at = original.map(|original| iso8601(original.at));
        let refers_to = original.map(|original| original.id.to_string());
        let refers_url = original.map(|original| original.url.as_str());
        // A 304 has no payload of its own, so none whose digest could be told.
        let payload_digest = (!answer.not_modified).then(|| digests.payload.to_string());
        Draft::begin(&mut self.draft, kind, id(exchange, kind), &iso8601(exchange.at))
            .field("WARC-Target-URI", exchange.url)
            .maybe("WARC-IP-Address", address.as_deref())
            .field("WARC-Protocol", answer.protocol.name())
            .field("WARC-Block-Digest", &block_digest)
            .maybe("WARC-Payload-Digest", payload_digest.as_deref())
            .maybe("WARC-Profile", (kind == Kind::Revisit).then_some(profile))
            .maybe("WARC-Refers-To", refers_to.as_deref())
            .maybe("WARC-Refers-To-Target-URI", refers_url)
            .maybe("WARC-Refers-To-Date", refers_at.as_deref())
            .maybe("WARC-Truncated", answer.truncated.map(crate::Truncated::name))
            .block(ANSWER, head.len() + body.len())?;
        let (offset, length) = self.put(&[&head, body], answer.is_coded && body.len() > head.len())?;
        let mime = if kind == Kind::Revisit { "warc/revisit".to_owned() } else { mime(answer.content_type) };
        Ok(IndexLine {
            url: exchange.url.to_owned(),
            at: exchange.at,
            mime,
            status: answer.status,
            digest: digests.payload.clone(),
            offset,
            length,
        })
    }

    /// A record that speaks of the answer.
    fn companion(
        &mut self,
        exchange: &Exchange<'_>,
        kind: Kind,
        about: RecordId,
        block: &[u8],
    ) -> io::Result<()> {
        let content_type = if kind == Kind::Request { QUESTION } else { FIELDS };
        Draft::begin(&mut self.draft, kind, id(exchange, kind), &iso8601(exchange.at))
            .field("WARC-Target-URI", exchange.url)
            .field("WARC-Concurrent-To", &about.to_string())
            .field("WARC-Block-Digest", &Digest::of(self.settings.algorithm, &[block]).to_string())
            .block(content_type, block.len())?;
        self.put(&[block], false).map(|_| ())
    }

    /// Packs and writes the draft and its block; where the record begins, and its length.
    fn put(&mut self, block: &[&[u8]], is_packed: bool) -> io::Result<(u64, u64)> {
        let rest = [block, &[END]].concat();
        let length = self.packer.write(&mut self.draft, &rest, is_packed, &mut self.out)?;
        let offset = self.written;
        self.written += length;
        Ok((offset, length))
    }
}

impl Exchange<'_> {
    /// What later exchanges with the same payload refer to.
    pub fn as_original(&self, digest: &Digest) -> Original {
        Original {
            url: self.url.to_owned(),
            at: self.at,
            id: id(self, Kind::Response),
            digest: digest.clone(),
        }
    }
}

fn id(exchange: &Exchange<'_>, kind: Kind) -> RecordId {
    RecordId::of(exchange.page, exchange.fetch_number, exchange.at, kind)
}

/// A block of `application/warc-fields`.
fn fields_of<'f>(fields: impl Iterator<Item = (&'f str, &'f str)>) -> String {
    let mut block = String::new();
    for (name, value) in fields {
        for part in [name, ": ", &one_line(value), "\r\n"] {
            block.push_str(part);
        }
    }
    block
}

/// A value of a field ends where its line ends.
fn one_line(value: &str) -> String {
    value.split(['\r', '\n']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

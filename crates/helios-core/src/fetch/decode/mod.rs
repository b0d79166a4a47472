//! Content codings undone as the bytes come (RFC 9110 §8.4): wire bytes in, decoded bytes out, both bounded.
//!
//! A [`Decoder`] is made of the Content-Encoding, fed with `push` and closed with `finish`; only then is the body whole. (`flush` instead, if a beginning will do.) Limits hold at every
//! step, for each coding of a stack, so that a bomb costs no more than what it was allowed. Nothing is decoded before 32 KB
//! are there or the body is: a decoder's tables weigh more than a slow connection may, and one call is faster than many.
//!
//! Broken: bodies cut short, wrong checksums, unknown codings, more than three of them, and plain text that claims to be coded. Tolerated as
//! in browsers: bytes behind the end of gzip, deflate and br; `deflate` without its zlib wrapper; an empty body in any coding.

mod gzip;
mod stage;
#[cfg(test)]
mod tests;

use stage::{Coding, Line, Stop};

/// Decoded bytes up to here are never called a bomb, whatever their ratio.
const BOMB_FLOOR: u64 = 1 << 20;
/// More codings on one body than this are an attack, not a wish.
const MOST_CODINGS: usize = 3;
/// Wire bytes that are held back before decoding starts.
const HELD_BYTES: usize = 32 * 1024;
/// What pages usually grow by: the first guess at the room they need.
const USUAL_GROWTH: u64 = 5;

/// What to do with a body that is longer than its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlong {
    Refuse,
    /// Its beginning will do (robots.txt, RFC 9309 §2.5).
    Cut,
}

/// How much may come out of a decoder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) bytes: u64,
    /// Decoded bytes per byte on the wire so far; counts beyond 1 MB.
    pub(crate) ratio: u64,
    pub(crate) overlong: Overlong,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum Refusal {
    #[error("{0}")]
    Broken(String),
    #[error("larger than {limit} bytes")]
    TooLarge { limit: u64 },
}

/// Whether more wire bytes are of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    More,
    /// The limit is reached and the beginning is kept ([`Overlong::Cut`]): neither `push` nor `finish` again.
    Full,
}

pub(crate) struct Decoder {
    /// Last applied first.
    codings: Vec<Coding>,
    /// Empty until decoding starts.
    lines: Vec<Line>,
    held: Vec<u8>,
    wire: u64,
    limits: Limits,
}

impl Decoder {
    /// `codings`: the value of Content-Encoding, its lines joined with commas; empty if there is none.
    pub(crate) fn new(codings: &str, limits: Limits) -> Result<Self, Refusal> {
        let names = codings.split(',').map(str::trim);
        let undone = names.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"));
        let codings: Vec<Coding> = undone.rev().map(Coding::named).collect::<Result<_, _>>()?;
        if codings.len() > MOST_CODINGS {
            return Err(Refusal::Broken(format!("{} content codings on one body", codings.len())));
        }
        Ok(Self { codings, lines: Vec::new(), held: Vec::new(), wire: 0, limits })
    }

    /// Nothing is to be undone: the body is best read straight into its place, under the caller's limit.
    pub(crate) fn is_plain(&self) -> bool {
        self.codings.is_empty()
    }

    /// Takes the next bytes of the wire and appends what they give to `into`, now or later.
    pub(crate) fn push(&mut self, wire: &[u8], into: &mut Vec<u8>) -> Result<Flow, Refusal> {
        self.wire += wire.len() as u64;
        if self.is_plain() {
            into.extend_from_slice(wire);
            return self.verdict(Ok(()), into);
        }
        if self.lines.is_empty() && self.held.len() + wire.len() <= HELD_BYTES {
            self.held.extend_from_slice(wire);
            return Ok(Flow::More);
        }
        match self.flush(into)? {
            Flow::More => self.decode(wire, into),
            Flow::Full => Ok(Flow::Full),
        }
    }

    /// Says that the wire has given all. A body whose coding is not at its end is broken, whatever it gave so far.
    pub(crate) fn finish(&mut self, into: &mut Vec<u8>) -> Result<Flow, Refusal> {
        // Servers name a coding on empty answers, too; no decoder takes nothing for something.
        if self.wire == 0 {
            return Ok(Flow::More);
        }
        if self.flush(into)? == Flow::Full {
            return Ok(Flow::Full);
        }
        match self.lines.iter().find(|line| !line.is_whole()) {
            Some(line) => Err(Refusal::Broken(format!("{}: ends early", line.name()))),
            None => Ok(Flow::More),
        }
    }

    /// Decodes what was held back. For a caller that stops before the end of the wire and keeps the beginning: instead of `finish`.
    pub(crate) fn flush(&mut self, into: &mut Vec<u8>) -> Result<Flow, Refusal> {
        if !self.lines.is_empty() {
            return Ok(Flow::More);
        }
        self.lines = self.codings.iter().map(|&coding| Line::new(coding)).collect::<Result<_, _>>()?;
        let held = std::mem::take(&mut self.held);
        into.reserve((self.wire * USUAL_GROWTH).min(self.allowed()) as usize);
        self.decode(&held, into)
    }

    fn decode(&mut self, wire: &[u8], into: &mut Vec<u8>) -> Result<Flow, Refusal> {
        let allowed = self.allowed();
        let passed = stage::pass(&mut self.lines, wire, into, allowed);
        self.verdict(passed, into)
    }

    fn verdict(&self, passed: Result<(), Stop>, into: &mut Vec<u8>) -> Result<Flow, Refusal> {
        let allowed = self.allowed();
        let over = match passed {
            Ok(()) => into.len() as u64 > allowed,
            Err(Stop::Over) => true,
            Err(Stop::Broken(why)) => return Err(Refusal::Broken(why)),
        };
        match (over, self.limits.overlong) {
            (false, _) => Ok(Flow::More),
            (true, Overlong::Refuse) => Err(Refusal::TooLarge { limit: allowed }),
            (true, Overlong::Cut) => {
                into.truncate(allowed as usize);
                Ok(Flow::Full)
            }
        }
    }

    fn allowed(&self) -> u64 {
        self.limits.bytes.min(self.wire.saturating_mul(self.limits.ratio).max(BOMB_FLOOR))
    }
}

//! Content codings undone (RFC 9110 §8.4): wire bytes in, decoded bytes out, both bounded.
//!
//! A [`Decoder`] is made of the Content-Encoding. A body that is all here goes through `whole`, which is fastest; one that is not is fed with `push` and closed with
//! `finish`, and only then is it whole. (No `finish` where a beginning will do.) Limits hold at every step, for each coding of a stack, so that
//! a bomb costs no more than what it was allowed. [`held_bytes`] says how much of the wire is worth waiting for: what is packed weighs less than
//! what it gives and a decoder's tables, and one call is faster than many.
//!
//! Broken: bodies cut short, wrong checksums, unknown codings, more than three of them, and plain text that claims to be coded. Tolerated as
//! in browsers: bytes behind the end of gzip, deflate and br; `deflate` without its zlib wrapper; an empty body in any coding.

mod gzip;
mod once;
mod ring;
mod stage;
#[cfg(test)]
mod tests;

use super::rooms::Room;
use stage::{Coding, Line, Stop};

/// Decoded bytes up to here are never called a bomb, whatever their ratio.
const BOMB_FLOOR: u64 = 1 << 20;
/// More codings on one body than this are an attack, not a wish.
const MOST_CODINGS: usize = 3;
/// Wire bytes that are gathered before decoding starts. All pages but a few in a thousand are whole by then, and decoding them holds others up for 3 ms at most;
/// what is made to be slow may take a second.
const HELD_BYTES: u64 = 512 * 1024;
/// The same where a beginning will do: it shall be known when there is enough of it.
const HELD_BYTES_OF_BEGINNING: u64 = 32 * 1024;
/// What pages usually grow by: the first guess at the room they need.
const USUAL_GROWTH: u64 = 6;

/// What to do with a body that is longer than its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlong {
    Refuse,
    /// Its beginning will do (robots.txt, RFC 9309 §2.5).
    Cut,
}

/// How much of the wire to wait for before decoding starts.
pub(crate) fn held_bytes(overlong: Overlong) -> u64 {
    match overlong {
        Overlong::Refuse => HELD_BYTES,
        Overlong::Cut => HELD_BYTES_OF_BEGINNING,
    }
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
        Ok(Self { codings, lines: Vec::new(), wire: 0, limits })
    }

    /// Nothing is to be undone: the body is best read straight into its place, under the caller's limit.
    pub(crate) fn is_plain(&self) -> bool {
        self.codings.is_empty()
    }

    /// Room that a body with this wire will probably need.
    pub(crate) fn room(&self, wire: &[u8]) -> u64 {
        let growth = (wire.len() as u64).saturating_mul(USUAL_GROWTH);
        self.at_once(wire).map_or(growth, |size| size as u64).min(self.allowed(wire.len() as u64))
    }

    /// Undoes a body whose wire is all here: `push` and `finish` in one, instead of both.
    pub(crate) fn whole(&mut self, wire: &[u8], into: &mut Room) -> Result<Flow, Refusal> {
        into.reserve(self.room(wire) as usize);
        if let Some(size) = self.at_once(wire)
            && size as u64 <= self.allowed(wire.len() as u64)
            && once::gunzipped(wire, into.spare(size))
        {
            into.add(size);
            return Ok(Flow::More);
        }
        let allowed = usize::try_from(self.allowed(wire.len() as u64)).unwrap_or(usize::MAX);
        if matches!(self.codings.as_slice(), [Coding::Brotli]) && once::unbrotlied(wire, into, allowed) {
            return Ok(Flow::More);
        }
        match self.push(wire, into)? {
            Flow::More => self.finish().map(|()| Flow::More),
            Flow::Full => Ok(Flow::Full),
        }
    }

    /// The size of a body that can be undone in one call, by its own account.
    fn at_once(&self, wire: &[u8]) -> Option<usize> {
        match self.codings.as_slice() {
            [Coding::Gzip] => once::promised(wire),
            _ => None,
        }
    }

    /// Takes the next bytes of the wire and appends what they give to `into`.
    pub(crate) fn push(&mut self, wire: &[u8], into: &mut Room) -> Result<Flow, Refusal> {
        self.wire += wire.len() as u64;
        if self.is_plain() {
            into.extend(wire);
            return self.verdict(Ok(()), into);
        }
        if self.lines.is_empty() {
            self.lines = self.codings.iter().map(|&coding| Line::new(coding)).collect::<Result<_, _>>()?;
        }
        self.decode(wire, into)
    }

    /// Says that the wire has given all. A body whose coding is not at its end is broken, whatever it gave so far.
    pub(crate) fn finish(&self) -> Result<(), Refusal> {
        match self.lines.iter().find(|line| !line.is_whole()) {
            // Servers name a coding on empty answers, too; no decoder takes nothing for something.
            Some(line) if self.wire > 0 => Err(Refusal::Broken(format!("{}: ends early", line.name()))),
            Some(_) | None => Ok(()),
        }
    }

    fn decode(&mut self, wire: &[u8], into: &mut Room) -> Result<Flow, Refusal> {
        let allowed = self.allowed(self.wire);
        let passed = stage::pass(&mut self.lines, wire, into, allowed);
        self.verdict(passed, into)
    }

    fn verdict(&self, passed: Result<(), Stop>, into: &mut Room) -> Result<Flow, Refusal> {
        let allowed = self.allowed(self.wire);
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

    /// What so many bytes of wire may give.
    fn allowed(&self, wire: u64) -> u64 {
        self.limits.bytes.min(wire.saturating_mul(self.limits.ratio).max(BOMB_FLOOR))
    }
}

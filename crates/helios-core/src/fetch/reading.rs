//! Bodies: read from the wire and decoded, in time, under limits, within credit.

use bytes::Bytes;

use super::connection::{Answer, Connection};
use super::decode::{self, Decoder, Flow, Overlong, Refusal};
use super::memory::{Held, Memory};
use super::patience::Patience;
use super::rooms::Room;
use super::{Outcome, Timeout};

/// Credit beyond what came already: a server that promises much and sends little holds little.
const AHEAD: u64 = 64 * 1024;
/// The same while more is waiting to be read: most bodies are read into their final place at once.
const AHEAD_IN_FLOW: u64 = 256 * 1024;

/// How much is read of one body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// On the wire.
    pub(super) wire: u64,
    /// Decoded.
    pub(super) decoded: u64,
    /// Decoded bytes per byte on the wire.
    pub(super) ratio: u64,
    pub(super) overlong: Overlong,
}

impl Limits {
    /// Over the limit by ratio is a bomb; over the limit by size is merely large.
    fn refused(&self, refusal: Refusal) -> Outcome {
        match refusal {
            Refusal::Broken(why) => Outcome::Broken(why),
            Refusal::TooLarge { limit } if limit < self.decoded => Outcome::Bomb { ratio: self.ratio },
            Refusal::TooLarge { limit } => Outcome::TooLarge { limit },
        }
    }
}

/// One body being read.
pub(super) struct Reading<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) answer: &'a mut Answer,
    pub(super) patience: &'a mut Patience,
    pub(super) held: &'a mut Held,
    pub(super) memory: &'a Memory,
    /// Bytes that came, up to the limit.
    pub(super) wire_bytes: u64,
    /// The body as it came, if it is coded and an archive asks for it.
    pub(super) wire: Option<Vec<u8>>,
}

impl Reading<'_> {
    /// The whole body with its codings undone, or its beginning where that will do.
    pub(super) async fn body(&mut self, limits: &Limits) -> Result<Bytes, Outcome> {
        if limits.overlong == Overlong::Refuse
            && self.answer.head.length.is_some_and(|length| length > limits.wire)
        {
            return Err(Outcome::TooLarge { limit: limits.wire });
        }
        let codings = self.answer.head.text("content-encoding");
        let most = decode::Limits { bytes: limits.decoded, ratio: limits.ratio, overlong: limits.overlong };
        let decoder = Decoder::new(&codings, most).map_err(|refusal| limits.refused(refusal))?;
        // Room that was made and not used would be held for nothing.
        if decoder.is_plain() {
            let mut body = self.plain(limits.wire.min(limits.decoded), limits.overlong).await?;
            if body.capacity() - body.len() > body.len() / 4 {
                body.shrink_to_fit();
            }
            self.settle_for(body.capacity());
            Ok(Bytes::from(body))
        } else {
            let body = self.coded(Box::new(decoder), limits).await?.fitted();
            self.settle_for(body.capacity());
            Ok(body.into_bytes())
        }
    }

    /// Gives back all credit but that for so large a body; its head and what is kept of the wire are held with it.
    fn settle_for(&mut self, body: usize) {
        let kept = self.wire.as_ref().map_or(0, Vec::len);
        self.held.shrink((body + kept + self.answer.head.fields.raw().len()) as u64);
    }

    /// Waits for the wire, for it is packed, and decodes it at once; a long one step by step.
    async fn coded(&mut self, mut decoder: Box<Decoder>, limits: &Limits) -> Result<Room, Outcome> {
        let (mut wire, mut body) = (Vec::new(), Room::default());
        let held = decode::held_bytes(limits.overlong).min(limits.wire);
        if !self.gather(&mut wire, held).await? {
            return self.stepwise(decoder, wire, limits).await;
        }
        self.credit(wire.capacity() as u64 + decoder.room(&wire)).await;
        decoder.whole(&wire, &mut body).map_err(|refusal| limits.refused(refusal))?;
        let kept = self.keep(wire);
        self.credit((body.capacity() + kept) as u64).await;
        Ok(body)
    }

    /// Decodes as the bytes come; `begun` came already.
    async fn stepwise(
        &mut self,
        mut decoder: Box<Decoder>,
        begun: Vec<u8>,
        limits: &Limits,
    ) -> Result<Room, Outcome> {
        let mut body = Room::default();
        let mut wire = begun.len() as u64;
        self.wire_bytes = wire.min(limits.wire);
        self.credit(begun.capacity() as u64 + decoder.room(&begun)).await;
        let mut flow = decoder.push(&begun, &mut body).map_err(|refusal| limits.refused(refusal))?;
        self.keep(begun);
        loop {
            if wire > limits.wire && limits.overlong == Overlong::Refuse {
                return Err(Outcome::TooLarge { limit: limits.wire });
            }
            // The end of a body that was cut cannot be right: its coding is left unfinished.
            if flow == Flow::Full || wire > limits.wire {
                return Ok(body);
            }
            let kept = self.wire.as_ref().map_or(0, Vec::capacity);
            self.credit((body.capacity() + kept) as u64 + AHEAD).await;
            let Some(piece) =
                self.patience.within(Timeout::Idle, self.connection.piece(self.answer)).await??
            else {
                decoder.finish().map_err(|refusal| limits.refused(refusal))?;
                return Ok(body);
            };
            wire += piece.as_ref().len() as u64;
            self.wire_bytes = wire.min(limits.wire);
            if let Some(wire) = &mut self.wire {
                wire.extend_from_slice(piece.as_ref());
            }
            flow = decoder.push(piece.as_ref(), &mut body).map_err(|refusal| limits.refused(refusal))?;
        }
    }

    /// Leaves what came to whoever asks for it; the bytes that this holds.
    fn keep(&mut self, wire: Vec<u8>) -> usize {
        self.wire.as_mut().map_or(0, |kept| {
            *kept = wire;
            kept.capacity()
        })
    }

    async fn plain(&mut self, limit: u64, overlong: Overlong) -> Result<Vec<u8>, Outcome> {
        let mut body = Vec::new();
        if !self.gather(&mut body, limit).await? {
            if overlong == Overlong::Refuse {
                return Err(Outcome::TooLarge { limit });
            }
            body.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        Ok(body)
    }

    /// Reads what the wire has into its place, and one byte more than the limit where there is more; whether that was all.
    async fn gather(&mut self, bytes: &mut Vec<u8>, limit: u64) -> Result<bool, Outcome> {
        loop {
            let read = bytes.len() as u64;
            self.wire_bytes = read.min(limit);
            let missing = (limit + 1).saturating_sub(read);
            if missing == 0 {
                return Ok(false);
            }
            let promised = self.answer.head.length.unwrap_or(u64::MAX).max(read + 1);
            let ahead = if self.connection.flows() { AHEAD_IN_FLOW } else { AHEAD };
            self.credit((2 * read + ahead).min(promised)).await;
            let most = self.held.bytes().saturating_sub(read).min(missing);
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            let more = self.connection.append(self.answer, bytes, most);
            if self.patience.within(Timeout::Idle, more).await??.is_none() {
                return Ok(true);
            }
        }
    }

    /// Takes credit for so many bytes. Waiting for it is not the server's fault.
    async fn credit(&mut self, bytes: u64) {
        if !self.held.covers(bytes) {
            self.patience.suspend(self.held.cover(bytes, self.memory)).await;
        }
    }
}

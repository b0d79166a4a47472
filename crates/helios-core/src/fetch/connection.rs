//! One connection to one origin, asked one thing at a time, over either version of HTTP.

use std::net::IpAddr;
use std::task::Context;
use std::time::Instant;

use bytes::Bytes;
use h2::RecvStream;

use super::answer::Head;
use super::fetcher::Tools;
use super::http1::{HeadLimits, Http1, Trouble};
use super::http2::{Failure, Http2};
use super::patience::{Patience, micros};
use super::proxy::{Via, Way};
use super::stream::Stream;
use super::{Outcome, Task, Timeout, Timings, kept, route};
use crate::clock;
use crate::url::{CanonicalUrl, Origin, SiteKey};

/// Interim answers before the real one; more are a flood.
pub(super) const MOST_INTERIM: u32 = 16;

pub(super) struct Connection {
    origin: Origin,
    /// Of the site, if it is known.
    pub(super) address: Option<IpAddr>,
    /// The proxy that it leads through.
    pub(super) via: Option<Via>,
    pub(super) opened: Instant,
    wire: Wire,
}

/// HTTP/2 is boxed: it is large, and the other kind is the more common one among thousands.
enum Wire {
    Http1(Http1<Stream>),
    Http2(Box<Http2>),
}

/// An answer whose body is still on the wire.
pub(super) struct Answer {
    pub(super) head: Head,
    /// What was asked, where an archive wants to know.
    pub(super) request: Option<Bytes>,
    /// HTTP/1.1 has none: there the connection itself is the body.
    stream: Option<RecvStream>,
}

impl Answer {
    /// The head, when nobody needs it here any more.
    pub(super) fn take_head(&mut self) -> Head {
        std::mem::take(&mut self.head)
    }
}

impl Connection {
    pub(super) async fn open(
        origin: &Origin,
        site: &SiteKey,
        tools: &Tools,
        patience: &mut Patience,
        timings: &mut Timings,
    ) -> Result<Self, Outcome> {
        let Way { stream, address, via } = route::open(origin, site, tools, patience, timings).await?;
        let wire = if stream.is_http2() {
            let shaken = Http2::shake_hands(stream, &tools.settings);
            Wire::Http2(Box::new(patience.within(Timeout::Tls, shaken).await??))
        } else {
            let limits = HeadLimits {
                bytes: tools.settings.max_head_bytes,
                headers: tools.settings.max_headers,
                informational: MOST_INTERIM as usize,
            };
            Wire::Http1(Http1::new(stream, limits))
        };
        Ok(Self { origin: origin.clone(), address, via, opened: clock::instant(), wire })
    }

    /// It leads where this URL is and, as far as we know, is still open.
    pub(super) fn serves(&mut self, url: &CanonicalUrl, context: &mut Context<'_>) -> bool {
        self.origin.is_of(url)
            && match &mut self.wire {
                Wire::Http1(wire) => wire.is_open(context),
                Wire::Http2(wire) => wire.is_open(context),
            }
    }

    /// Asks for what the permit allows; returns when the head of the answer is there.
    pub(super) async fn ask(
        &mut self,
        task: &Task,
        site: &SiteKey,
        tools: &Tools,
        patience: &mut Patience,
    ) -> Result<Answer, Failure> {
        let keeps = tools.settings.keep_wire;
        let asked = patience.within(Timeout::FirstByte, async {
            match &mut self.wire {
                Wire::Http1(wire) => {
                    let request = tools
                        .speaker
                        .http1(task, (&self.origin, self.via.as_ref()), site)
                        .map_err(unaskable)?;
                    wire.send(&request).await.map_err(failure)?;
                    let request = keeps.then(|| Bytes::from(request));
                    Ok(Answer { head: wire.head().await.map_err(failure)?.into(), request, stream: None })
                }
                Wire::Http2(wire) => {
                    let request = tools.speaker.http2(task, &self.origin, site).map_err(unaskable)?;
                    let asked = keeps.then(|| kept::written(&request));
                    // Boxed: it is large, and the other kind is the more common one among thousands.
                    let (parts, stream) = Box::pin(wire.ask(request)).await?.into_parts();
                    Ok(Answer { head: Head::of_http2(&parts), request: asked, stream: Some(stream) })
                }
            }
        });
        let heard = match asked.await {
            Ok(heard) => heard,
            Err(late) => Err(Failure::Of(late)),
        };
        match self.via.as_mut().and_then(|via| via.judge(&heard)) {
            Some(why) => Err(Failure::Refused(why)),
            None => heard,
        }
    }

    /// The whole body, if it is here already and nothing need be done to it.
    pub(super) fn whole(&mut self) -> Option<Bytes> {
        match &mut self.wire {
            Wire::Http1(wire) => wire.whole(),
            Wire::Http2(_) => None,
        }
    }

    /// More of the answer seems to be here already.
    pub(super) fn flows(&self) -> bool {
        match &self.wire {
            Wire::Http1(wire) => wire.flows(),
            Wire::Http2(_) => false,
        }
    }

    /// Appends what comes next of the body, at most `most` bytes of it where the wire allows; `None` at its end.
    pub(super) async fn append(
        &mut self,
        answer: &mut Answer,
        into: &mut Vec<u8>,
        most: usize,
    ) -> Result<Option<usize>, Outcome> {
        match (&mut self.wire, &mut answer.stream) {
            (Wire::Http1(wire), _) => wire.append(into, most).await.map_err(broken),
            (Wire::Http2(wire), Some(stream)) => {
                let Some(piece) = wire.more(stream).await? else { return Ok(None) };
                into.extend_from_slice(&piece);
                Ok(Some(piece.len()))
            }
            (Wire::Http2(_), None) => Ok(None),
        }
    }

    /// Lends what comes next of the body; `None` at its end.
    pub(super) async fn piece<'a>(&'a mut self, answer: &mut Answer) -> Result<Option<Piece<'a>>, Outcome> {
        match (&mut self.wire, &mut answer.stream) {
            (Wire::Http1(wire), _) => Ok(wire.piece().await.map_err(broken)?.map(Piece::Lent)),
            (Wire::Http2(wire), Some(stream)) => Ok(wire.more(stream).await?.map(Piece::Owned)),
            (Wire::Http2(_), None) => Ok(None),
        }
    }

    /// The last answer is over, or can be left alone, so that another question may follow.
    pub(super) fn is_reusable(&self) -> bool {
        match &self.wire {
            Wire::Http1(wire) => wire.is_reusable(),
            Wire::Http2(wire) => !wire.is_over(),
        }
    }

    /// The answer is done with, read or not. An end that comes too soon is told to the server only when the connection is used again (HTTP/2).
    pub(super) fn end(&mut self, answer: Answer) {
        if let (Wire::Http2(wire), Some(stream)) = (&mut self.wire, answer.stream) {
            wire.owes_an_end = !stream.is_end_stream();
        }
    }

    /// Reusable, and nothing is left to be said: it may wait for another visit, with nobody to attend to it.
    pub(super) fn can_wait(&self) -> bool {
        match &self.wire {
            Wire::Http1(wire) => wire.is_reusable(),
            Wire::Http2(wire) => !wire.is_over() && !wire.owes_an_end,
        }
    }

    /// Lets time pass between two questions; what the server says meanwhile is heard where that is needed.
    pub(super) async fn rest(&mut self, pause: std::time::Duration) {
        match &mut self.wire {
            Wire::Http1(_) => clock::sleep(pause).await,
            Wire::Http2(wire) => {
                let until = clock::instant() + pause;
                if tokio::time::timeout_at(until.into(), wire.rest()).await.is_ok() {
                    clock::sleep(until.saturating_duration_since(clock::instant())).await;
                }
            }
        }
    }
}

/// Bytes of a body.
pub(super) enum Piece<'a> {
    Lent(&'a [u8]),
    Owned(Bytes),
}

impl AsRef<[u8]> for Piece<'_> {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Lent(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}

fn failure(trouble: Trouble) -> Failure {
    let Trouble::Unanswered(error) = &trouble else { return Failure::Of(broken(trouble)) };
    Failure::Unanswered(if error.kind() == std::io::ErrorKind::UnexpectedEof {
        "closed before an answer".to_owned()
    } else {
        format!("broke before an answer: {error}")
    })
}

#[allow(clippy::needless_pass_by_value, reason = "it is the end of the error, and what map_err hands on")]
fn broken(trouble: Trouble) -> Outcome {
    Outcome::Broken(trouble.to_string())
}

fn unaskable(why: String) -> Failure {
    Failure::Of(Outcome::Broken(why))
}

/// Microseconds of a phase, told when it is over.
pub(super) async fn timed<T>(told: &mut u32, what: impl Future<Output = T>) -> T {
    let start = clock::instant();
    let done = what.await;
    *told = micros(start.elapsed());
    done
}

//! The rest of an answer: read if it is a page that is wanted, else out of courtesy, so that its connection can be kept.

use std::time::Duration;

use bytes::Bytes;
use tokio::time::timeout;

use super::answer::Meaning;
use super::connection::{Answer, Connection};
use super::decode::Overlong;
use super::fetcher::Tools;
use super::memory::Held;
use super::patience::Patience;
use super::reading::{Limits, Reading};
use super::{Cut, Kept, Outcome, Purpose, Task, Timeout};

/// Bodies of answers that are not pages are read up to here, in bytes and in time.
const COURTESY_BYTES: u64 = 64 * 1024;
const COURTESY_TIME: Duration = Duration::from_secs(5);

pub(super) struct Taken {
    pub(super) outcome: Outcome,
    pub(super) wire_bytes: u64,
    pub(super) kept: Option<Box<Kept>>,
}

/// The page, if all of it is here, nothing is to be undone and no archive asks for more: then nothing need be made that could wait.
pub(super) fn at_hand(
    (connection, answer): (&mut Connection, &mut Answer),
    (task, allowance): (&Task, Option<u64>),
    held: &mut Held,
    tools: &Tools,
) -> Option<Taken> {
    let length = answer.head.length?;
    let limits = limits(task.purpose, allowance.unwrap_or(u64::MAX), tools);
    let is_plain = answer.request.is_none() && answer.head.fields.first("content-encoding").is_none();
    let is_page = matches!(answer.head.meaning(!task.validators.is_empty()), Meaning::Page);
    if !is_page || !is_plain || length > limits.wire.min(limits.decoded) || !is_wanted(answer, task, tools) {
        return None;
    }
    let body = connection.whole()?;
    // It fills its room at least so far.
    held.shrink(length + length / 4 + answer.head.fields.raw().len() as u64);
    Some(Taken {
        outcome: Outcome::Fetched(answer.take_head().response(body)),
        wire_bytes: length,
        kept: None,
    })
}

fn is_wanted(answer: &Answer, task: &Task, tools: &Tools) -> bool {
    task.purpose != Purpose::Page
        || tools.filter.wants(&answer.head.content_type(), task.permit.url().target())
}

/// Reads the answer and says what it means; also how much of body came. `allowance`: bytes that the visit may take.
pub(super) async fn take_in(
    (connection, answer): (&mut Connection, &mut Answer),
    (task, allowance): (&Task, Option<u64>),
    (patience, held): (&mut Patience, &mut Held),
    tools: &Tools,
) -> Taken {
    let allowance = allowance.unwrap_or(u64::MAX);
    let mut kept = answer.request.take().map(|request| Box::new(Kept::new(request, &answer.head)));
    match answer.head.meaning(!task.validators.is_empty()) {
        Meaning::Page => {
            if !is_wanted(answer, task, tools) {
                let content_type = answer.head.content_type().into_owned();
                return unread((Outcome::UnwantedType(content_type), 0), kept, held);
            }
            let limits = limits(task.purpose, allowance, tools);
            let wire = kept.as_ref().filter(|kept| kept.is_coded).map(|_| Vec::new());
            let mut reading =
                Reading { connection, answer, patience, held, memory: &tools.memory, wire_bytes: 0, wire };
            let body = reading.body(&limits).await;
            let (wire_bytes, wire) = (reading.wire_bytes, reading.wire.take());
            match body {
                Ok(body) => {
                    if let Some(kept) = &mut kept {
                        // A plain body is its own record. A robots.txt may be longer than we read.
                        kept.body = wire.map_or_else(|| body.clone(), |wire| wire.into_boxed_slice().into());
                        let is_cut = limits.overlong == Overlong::Cut && wire_bytes >= limits.wire;
                        kept.cut = is_cut.then_some(Cut::Length);
                    }
                    Taken { outcome: Outcome::Fetched(answer.take_head().response(body)), wire_bytes, kept }
                }
                Err(outcome) => unread((outcome, wire_bytes), kept, held),
            }
        }
        Meaning::Empty => {
            held.shrink(answer.head.fields.raw().len() as u64 + kept.as_ref().map_or(0, |kept| kept.size()));
            let outcome = match task.purpose {
                Purpose::Page => Outcome::UnwantedType(String::new()),
                Purpose::RobotsTxt => Outcome::Fetched(answer.take_head().response(Bytes::new())),
            };
            Taken { outcome, wire_bytes: 0, kept }
        }
        Meaning::Not(outcome) => {
            let most = COURTESY_BYTES.min(allowance);
            let (wire_bytes, kept) = courtesy((connection, answer), most, patience, kept).await;
            held.shrink(kept.as_ref().map_or(0, |kept| kept.size()));
            Taken { outcome, wire_bytes, kept }
        }
    }
}

/// An answer whose body was not read, or not to its end; what came of it came all the same.
fn unread((outcome, wire_bytes): (Outcome, u64), mut kept: Option<Box<Kept>>, held: &mut Held) -> Taken {
    if let Some(kept) = &mut kept {
        kept.cut_by(&outcome);
    }
    held.shrink(kept.as_ref().map_or(0, |kept| kept.size()));
    Taken { outcome, wire_bytes, kept }
}

fn limits(purpose: Purpose, allowance: u64, tools: &Tools) -> Limits {
    let settings = &tools.settings;
    match purpose {
        Purpose::Page => Limits {
            wire: settings.max_body_bytes.min(allowance),
            decoded: settings.max_body_bytes,
            ratio: settings.max_ratio,
            overlong: Overlong::Refuse,
        },
        Purpose::RobotsTxt => Limits {
            wire: tools.robots_bytes,
            decoded: tools.robots_bytes,
            ratio: u64::MAX,
            overlong: Overlong::Cut,
        },
    }
}

/// Reads and forgets, unless an archive wants it; how much came. Whatever goes wrong here spoils the connection and nothing else.
async fn courtesy(
    (connection, answer): (&mut Connection, &mut Answer),
    most: u64,
    patience: &mut Patience,
    mut kept: Option<Box<Kept>>,
) -> (u64, Option<Box<Kept>>) {
    let (mut read, mut body, mut is_whole) = (0, Vec::new(), false);
    let reading = async {
        while read < most
            && let Ok(piece) = connection.piece(answer).await
        {
            let Some(piece) = piece else {
                is_whole = true;
                break;
            };
            read += piece.as_ref().len() as u64;
            if kept.is_some() {
                body.extend_from_slice(piece.as_ref());
            }
        }
    };
    drop(patience.within(Timeout::Total, timeout(COURTESY_TIME, reading)).await);
    if let Some(kept) = &mut kept {
        kept.body = Bytes::from(body.into_boxed_slice());
        kept.cut = (!is_whole).then_some(Cut::Unwanted);
    }
    (read.min(most), kept)
}

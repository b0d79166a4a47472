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
use super::{Outcome, Purpose, Task, Timeout};

/// Bodies of answers that are not pages are read up to here, in bytes and in time.
const COURTESY_BYTES: u64 = 64 * 1024;
const COURTESY_TIME: Duration = Duration::from_secs(5);

pub(super) struct Taken {
    pub(super) outcome: Outcome,
    pub(super) wire_bytes: u64,
}

/// Reads the answer and says what it means; also how much of body came. `allowance`: bytes that the visit may take.
pub(super) async fn take_in(
    (connection, answer): (&mut Connection, &mut Answer),
    (task, allowance): (&Task, Option<u64>),
    (patience, held): (&mut Patience, &mut Held),
    tools: &Tools,
) -> Taken {
    let allowance = allowance.unwrap_or(u64::MAX);
    match answer.head.meaning(!task.validators.is_empty()) {
        Meaning::Page => {
            let content_type = answer.head.content_type();
            if task.purpose == Purpose::Page && !tools.filter.wants(&content_type, task.permit.url().target())
            {
                return Taken { outcome: Outcome::UnwantedType(content_type), wire_bytes: 0 };
            }
            let limits = limits(task.purpose, allowance, tools);
            let mut reading =
                Reading { connection, answer, patience, held, memory: &tools.memory, wire_bytes: 0 };
            match reading.body(&limits).await {
                Ok(body) => {
                    let wire_bytes = reading.wire_bytes;
                    Taken { outcome: Outcome::Fetched(answer.take_head().response(body)), wire_bytes }
                }
                Err(outcome) => Taken { outcome, wire_bytes: 0 },
            }
        }
        Meaning::Empty => {
            held.shrink(answer.head.raw.len() as u64);
            Taken { outcome: Outcome::Fetched(answer.take_head().response(Bytes::new())), wire_bytes: 0 }
        }
        Meaning::Not(outcome) => {
            let read = courtesy((connection, answer), COURTESY_BYTES.min(allowance), patience).await;
            Taken { outcome, wire_bytes: read }
        }
    }
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

/// Reads and forgets; how much. Whatever goes wrong here spoils the connection and nothing else.
async fn courtesy(
    (connection, answer): (&mut Connection, &mut Answer),
    most: u64,
    patience: &Patience,
) -> u64 {
    let mut read = 0;
    let reading = async {
        while read < most
            && let Ok(Some(piece)) = connection.piece(answer).await
        {
            read += piece.as_ref().len() as u64;
        }
    };
    drop(patience.within(Timeout::Total, timeout(COURTESY_TIME, reading)).await);
    read.min(most)
}

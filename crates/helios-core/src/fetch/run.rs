//! One visit's life: its tasks in order, paced, on one connection.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, LAST_MODIFIED, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderName};
use hyper::body::Incoming;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

use super::body::{Limits, Overlong};
use super::connection::Connection;
use super::fetcher::Tools;
use super::{Finished, Outcome, Purpose, Response, Task, Timeout, Validators, Visit, body};
use crate::clock;

/// Bodies of answers that are not pages are read up to here, so that their connection can be used again.
const COURTESY_BYTES: u64 = 64 * 1024;

/// What asking for one URL gave.
struct Asked {
    outcome: Outcome,
    wire_bytes: u64,
    address: Option<IpAddr>,
}

/// Runs the visit to its end. Every task is reported exactly once, also those that were abandoned.
pub(super) async fn run(visit: Visit, tools: Arc<Tools>, results: Sender<Finished>) {
    let mut connection = None;
    let mut over = false;
    let mut took = Duration::ZERO;
    let count = visit.tasks.len();
    for (index, task) in visit.tasks.iter().enumerate() {
        if index > 0 && !over {
            clock::sleep(visit.pause_after(took)).await;
        }
        let started = clock::now();
        over |= tools.draining.load(Ordering::Relaxed) || started > visit.deadline;
        let asked = if over {
            Asked { outcome: Outcome::Abandoned, wire_bytes: 0, address: None }
        } else {
            ask_in_time(task, visit.max_body_bytes, &mut connection, &tools).await
        };
        over |= asked.outcome.ends_visit();
        took = Duration::from_millis((clock::now() + 1).saturating_sub(started));
        let finished = Finished {
            visit: visit.id,
            site: visit.site.clone(),
            task: task.clone(),
            outcome: asked.outcome,
            started,
            finished: clock::now() + 1,
            wire_bytes: asked.wire_bytes,
            address: asked.address,
            last: index + 1 == count,
        };
        if results.send(finished).await.is_err() {
            return; // The fetcher is gone and nobody waits for the rest.
        }
    }
}

async fn ask_in_time(
    task: &Task,
    allowance: Option<u64>,
    connection: &mut Option<Connection>,
    tools: &Arc<Tools>,
) -> Asked {
    // `ask` takes the connection out while it uses it, so that one cut off in the middle is dropped with it.
    timeout(tools.total_timeout, ask(task, allowance, connection, tools)).await.unwrap_or(Asked {
        outcome: Outcome::TimedOut(Timeout::Total),
        wire_bytes: 0,
        address: None,
    })
}

async fn ask(
    task: &Task,
    allowance: Option<u64>,
    connection: &mut Option<Connection>,
    tools: &Arc<Tools>,
) -> Asked {
    let origin = task.permit.url().origin();
    let mut line = match connection.take().filter(|line| line.serves(&origin)) {
        Some(line) => line,
        None => match Connection::open(&origin, tools).await {
            Ok(line) => line,
            Err(outcome) => return Asked { outcome, wire_bytes: 0, address: None },
        },
    };
    let address = Some(line.address);
    let answer = match timeout(tools.first_byte_timeout, line.get(task, tools)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(outcome)) => return Asked { outcome, wire_bytes: 0, address },
        Err(_) => return Asked { outcome: Outcome::TimedOut(Timeout::FirstByte), wire_bytes: 0, address },
    };
    let (outcome, wire_bytes, reusable) = take_in(answer, task.purpose, allowance, tools).await;
    if reusable {
        *connection = Some(line);
    }
    Asked { outcome, wire_bytes, address }
}

/// Reads the answer and says what it means; also how much came, and whether the connection is at a clean point.
async fn take_in(
    answer: http::Response<Incoming>,
    purpose: Purpose,
    allowance: Option<u64>,
    tools: &Tools,
) -> (Outcome, u64, bool) {
    let (head, incoming) = answer.into_parts();
    let status = head.status.as_u16();
    if (200..300).contains(&status) {
        let most = match purpose {
            Purpose::Page => tools.settings.max_body_bytes.min(allowance.unwrap_or(u64::MAX)),
            Purpose::RobotsTxt => tools.robots_bytes,
        };
        return page(&head, incoming, purpose, most, tools).await;
    }
    let outcome = match status {
        304 => Outcome::NotModified,
        301 | 302 | 303 | 307 | 308 => match text(&head.headers, &LOCATION) {
            target if target.is_empty() => Outcome::Broken(format!("{status} without a Location")),
            target => Outcome::Redirected { status, target },
        },
        408 | 425 | 429 | 500.. => Outcome::Busy { status, retry_after_ms: retry_after(&head.headers) },
        400..500 => Outcome::Missing { status },
        _ => Outcome::Broken(format!("status {status}")),
    };
    let most = COURTESY_BYTES.min(allowance.unwrap_or(u64::MAX));
    match body::read(incoming, most, Overlong::Cut).await {
        Ok((read, whole)) => (outcome, most.min(read.len() as u64), whole),
        Err(_) => (outcome, 0, false),
    }
}

async fn page(
    head: &http::response::Parts,
    incoming: Incoming,
    purpose: Purpose,
    most: u64,
    tools: &Tools,
) -> (Outcome, u64, bool) {
    let (status, headers) = (head.status.as_u16(), &head.headers);
    let content_type = text(headers, &CONTENT_TYPE);
    if purpose == Purpose::Page && !is_wanted(&content_type) {
        return (Outcome::UnwantedType(content_type), 0, false);
    }
    let overlong = match purpose {
        Purpose::Page => Overlong::Refuse,
        Purpose::RobotsTxt => Overlong::Cut,
    };
    let (wire, whole) = match body::read(incoming, most, overlong).await {
        Ok(read) => read,
        Err(outcome) => return (outcome, 0, false),
    };
    let wire_bytes = wire.len() as u64;
    let limits = match purpose {
        Purpose::Page => Limits::of_page(&wire, &tools.settings),
        Purpose::RobotsTxt => Limits::cut(tools.robots_bytes),
    };
    let outcome = match body::decode(wire, &text(headers, &CONTENT_ENCODING), &limits) {
        Ok(body) => Outcome::Fetched(Response {
            status,
            content_type,
            robots_tags: robots_tags(headers),
            validators: validators(headers),
            body,
        }),
        Err(outcome) => outcome,
    };
    (outcome, wire_bytes, whole)
}

fn robots_tags(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all("x-robots-tag").iter();
    values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
}

fn validators(headers: &HeaderMap) -> Validators {
    let one = |name| headers.get(name)?.to_str().ok().map(Box::from);
    Validators { etag: one(ETAG), last_modified: one(LAST_MODIFIED) }
}

/// HTML and what does not say what it is; the rest is not read.
fn is_wanted(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(essence.as_str(), "" | "text/html" | "application/xhtml+xml" | "text/plain")
}

/// All values of a header, joined as one list; bytes that are no text are replaced.
fn text(headers: &HeaderMap, name: &HeaderName) -> String {
    let values: Vec<_> =
        headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    values.join(", ")
}

/// Retry-After as seconds or as a date (RFC 9110 §10.2.3), in milliseconds from now.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    let value = text(headers, &RETRY_AFTER);
    if let Ok(seconds) = value.trim().parse::<u64>() {
        return Some(seconds.saturating_mul(1000));
    }
    let date = httpdate::parse_http_date(value.trim()).ok()?;
    let at = date.duration_since(std::time::UNIX_EPOCH).ok()?.as_millis() as u64;
    Some(at.saturating_sub(clock::now()))
}

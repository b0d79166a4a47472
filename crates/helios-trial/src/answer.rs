//! What a fetcher makes of an answer, as `helios_core::fetch::run` does, and how the server sees the request end.

use bytes::Bytes;
use helios_core::fetch::{Outcome, Purpose, Response, Timeout, Validators};
use helios_sim::log::Ending;
use helios_sim::reply::{Fault, Reply};

use crate::clock::{Micros, Wall};
use crate::scenario::Fetching;

/// Bodies of answers that are not pages are read up to here.
const COURTESY_BYTES: u64 = 64 * 1024;

impl Fetching {
    /// Reads the answer and says what it means.
    pub(crate) fn take_in(
        &self,
        reply: &Reply,
        purpose: Purpose,
        allowance: Option<u64>,
        at: (Micros, Wall),
    ) -> Taken {
        let (now, wall) = at;
        let latency = reply.latency.as_micros() as Micros;
        if reply.fault == Fault::Silence || latency > self.first_byte_us {
            let ending = if reply.fault == Fault::Silence { Ending::Silent } else { Ending::ClientLeft };
            let end = now + self.first_byte_us;
            return Taken::nothing(Outcome::TimedOut(Timeout::FirstByte), ending, end);
        }
        let body = Bytes::from(reply.body_bytes());
        let end = now + latency + 200 + body.len() as Micros / 20;
        let patience_ms = retry_after(reply, wall.at(now + latency));
        let taken = match reply.status {
            200..300 => self.page(reply, body, purpose, allowance, end),
            _ => refusal(
                reply,
                patience_ms,
                end,
                (body.len() as u64, COURTESY_BYTES.min(allowance.unwrap_or(u64::MAX))),
            ),
        };
        Taken { patience_ms: patience_ms.filter(|wait| *wait > 0), ..taken }
    }

    fn page(
        &self,
        reply: &Reply,
        body: Bytes,
        purpose: Purpose,
        allowance: Option<u64>,
        end: Micros,
    ) -> Taken {
        let length = body.len() as u64;
        let content_type = header(reply, "content-type").unwrap_or_default().to_owned();
        let whole = Taken::complete(reply.status, length, end);
        if purpose == Purpose::Page && !is_wanted(&content_type) {
            return Taken {
                outcome: Outcome::UnwantedType(content_type),
                wire_bytes: 0,
                reusable: false,
                ..whole
            };
        }
        let most = match purpose {
            Purpose::Page => self.max_body_bytes.min(allowance.unwrap_or(u64::MAX)),
            Purpose::RobotsTxt => self.robots_bytes,
        };
        if let Fault::ResetAfter(sent) = reply.fault {
            let (outcome, sent) = (Outcome::Broken("connection reset".to_owned()), sent as u64);
            let (status, wire_bytes) = (reply.status, sent.min(most));
            return Taken { wire_bytes, status, sent, ..Taken::nothing(outcome, Ending::Reset, end) };
        }
        if length > most && purpose == Purpose::Page {
            let outcome = Outcome::TooLarge { limit: most };
            let (sent, status) = (most.max(1), reply.status);
            return Taken {
                sent,
                status,
                wire_bytes: most,
                ..Taken::nothing(outcome, Ending::ClientLeft, end)
            };
        }
        let outcome = Outcome::Fetched(Response {
            status: reply.status,
            content_type,
            robots_tags: header(reply, "x-robots-tag").map(ToOwned::to_owned).into_iter().collect(),
            validators: Validators {
                etag: header(reply, "etag").map(Box::from),
                last_modified: header(reply, "last-modified").map(Box::from),
            },
            body,
            ..Response::default()
        });
        Taken { outcome, reusable: length <= most, ..whole }
    }
}

/// What the client made of an answer, and how the server saw it end.
pub(crate) struct Taken {
    pub(crate) outcome: Outcome,
    pub(crate) wire_bytes: u64,
    pub(crate) reusable: bool,
    pub(crate) ending: Ending,
    pub(crate) status: u16,
    pub(crate) sent: u64,
    pub(crate) end: Micros,
    pub(crate) patience_ms: Option<u64>,
}

impl Taken {
    fn complete(status: u16, length: u64, end: Micros) -> Self {
        Self {
            outcome: Outcome::NotModified,
            wire_bytes: length,
            reusable: true,
            ending: Ending::Complete,
            status,
            sent: length,
            end,
            patience_ms: None,
        }
    }

    fn nothing(outcome: Outcome, ending: Ending, end: Micros) -> Self {
        let nothing = Self::complete(0, 0, end);
        Self { outcome, ending, reusable: false, ..nothing }
    }
}

/// `most`: bytes of its body that are read.
fn refusal(reply: &Reply, retry_after_ms: Option<u64>, end: Micros, (length, most): (u64, u64)) -> Taken {
    let status = reply.status;
    let outcome = match status {
        304 => Outcome::NotModified,
        301 | 302 | 303 | 307 | 308 => match header(reply, "location") {
            Some(target) => Outcome::Redirected { status, target: target.to_owned() },
            None => Outcome::Broken(format!("{status} without a Location")),
        },
        408 | 425 | 429 | 500.. => Outcome::Busy { status, retry_after_ms },
        400..500 => Outcome::Missing { status },
        _ => Outcome::Broken(format!("status {status}")),
    };
    Taken {
        outcome,
        wire_bytes: length.min(most),
        reusable: length <= most,
        ..Taken::complete(status, length, end)
    }
}

/// As the client reads it, by its own clock: the server cannot ask for more than it made itself understood.
fn retry_after(reply: &Reply, wall_ms: u64) -> Option<u64> {
    let value = header(reply, "retry-after")?;
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(seconds * 1_000);
    }
    let date = httpdate::parse_http_date(value).ok()?;
    let at = date.duration_since(std::time::UNIX_EPOCH).ok()?.as_millis() as u64;
    Some(at.saturating_sub(wall_ms))
}

fn header<'r>(reply: &'r Reply, name: &str) -> Option<&'r str> {
    reply.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
}

fn is_wanted(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(essence.as_str(), "" | "text/html" | "application/xhtml+xml" | "text/plain")
}

//! The server's side: the synthetic web under its weather, and its log, as a fetcher meets them (`helios_core::fetch::run`).

use std::net::{IpAddr, Ipv4Addr};

use bytes::Bytes;
use helios_core::dns::{DnsError, Failure};
use helios_core::fetch::{Outcome, Task};
use helios_core::url::Origin;
use helios_sim::log::{Begin, ConnectionId, Ending, Finish, Log};
use helios_sim::reply::{Ask, Encodings, Fault, HostId, Reply, Resolution};
use helios_sim::web::Web;

use crate::chance::Chance;
use crate::clock::{Micros, Wall, duration};
use crate::scenario::{Fetching, Scenario};
use crate::truth::Moved;
use crate::weather::{Trouble, Weather};

const SERVFAIL: DnsError = DnsError::ServerFailed(Failure::Code(2));

pub(crate) struct Server {
    pub(crate) web: Web,
    pub(crate) log: Log,
    pub(crate) moved: Option<Moved>,
    weather: Weather,
    fetch: Fetching,
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct Line {
    origin: Origin,
    host: HostId,
    id: ConnectionId,
    address: Ipv4Addr,
}

/// What one request gave, and what the log has of it.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) outcome: Outcome,
    pub(crate) wire_bytes: u64,
    pub(crate) address: Option<IpAddr>,
    pub(crate) end: Micros,
    pub(crate) receipt: Option<Receipt>,
}

/// One request in the log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Receipt {
    pub(crate) number: u64,
    pub(crate) end: Micros,
    pub(crate) address: Ipv4Addr,
    finish: Finish,
}

impl Receipt {
    /// When the patience that the answer asked for is over.
    pub(crate) fn patience_ends(&self) -> Micros {
        self.end + self.finish.retry_after.map_or(0, |wait| wait.as_micros() as Micros)
    }
}

impl Server {
    pub(crate) fn new(scenario: &Scenario) -> Result<Self, String> {
        let web = Web::new(scenario.web.clone())?;
        let mut chance = Chance::new(scenario.web.seed);
        let moved = if scenario.robots_move { Moved::draw(&web, &mut chance) } else { None };
        Ok(Self {
            web,
            moved,
            log: Log::new(),
            weather: scenario.faults.weather.clone(),
            fetch: scenario.fetch,
        })
    }

    /// Asks for one URL, on the connection at hand if it leads there.
    pub(crate) fn ask(
        &mut self,
        task: &Task,
        allowance: Option<u64>,
        line: &mut Option<Line>,
        (now, wall): (Micros, Wall),
    ) -> Asked {
        let origin = task.permit.url().origin();
        let kept = line.take().filter(|line| line.origin == origin);
        let open = match kept {
            Some(kept) => kept,
            None => match self.connect(&origin, now) {
                Ok(opened) => opened,
                Err(failed) => {
                    let (outcome, end) = *failed;
                    return Asked { outcome, wire_bytes: 0, address: None, end, receipt: None };
                }
            },
        };
        let request =
            Begin { connection: open.id, host: open.host, target: task.permit.url().target(), head: false };
        let begun = self.log.begin(request, duration(now));
        let (number, attempt) = begun.map_or((0, 0), |begun| (begun.number, begun.attempt));
        let reply = self.reply(task, &open, (now, attempt));
        let taken = self.fetch.take_in(&reply, task.purpose, allowance, (now, wall));
        let finish = Finish {
            at: duration(taken.end),
            ending: taken.ending,
            status: taken.status,
            bytes: taken.sent,
            retry_after: taken.patience_ms.map(std::time::Duration::from_millis),
        };
        self.log.finish(number, &finish);
        let (end, address) = (taken.end, open.address);
        if taken.reusable {
            *line = Some(open);
        } else {
            self.log.close_connection(open.id, duration(end));
        }
        let receipt = Some(Receipt { number, end, address, finish });
        Asked {
            outcome: taken.outcome,
            wire_bytes: taken.wire_bytes,
            address: Some(address.into()),
            end,
            receipt,
        }
    }

    pub(crate) fn hang_up(&mut self, line: Option<Line>, now: Micros) {
        if let Some(line) = line {
            self.log.close_connection(line.id, duration(now));
        }
    }

    /// The client has died: the request ends when the server notices.
    pub(crate) fn cut(&mut self, receipt: &Receipt, at: Micros) {
        let finish =
            Finish { at: duration(at), ending: Ending::ClientLeft, status: 0, bytes: 0, retry_after: None };
        self.log.finish(receipt.number, &finish);
    }

    /// The answer never reached the frontier: nobody can be held to what it said, and it may be asked for again. When it
    /// was asked and when that was over stays in the log.
    pub(crate) fn forgive(&mut self, receipt: &Receipt) {
        let finish =
            Finish { ending: Ending::Reset, status: 0, bytes: 0, retry_after: None, ..receipt.finish };
        self.log.finish(receipt.number, &finish);
    }

    /// The answer was settled, and then the settling was lost in a crash: what was asked in between was asked rightly, but
    /// it may be asked for again. 429 is an answer that says so and teaches nothing.
    pub(crate) fn forget(&mut self, receipt: &Receipt) {
        if receipt.finish.ending == Ending::Complete && receipt.finish.status < 500 {
            self.log.finish(receipt.number, &Finish { status: 429, retry_after: None, ..receipt.finish });
        } else {
            self.log.finish(receipt.number, &Finish { retry_after: None, ..receipt.finish });
        }
    }

    /// The patience that an answer asked for is forgotten: a clock that was set forward says that it is over.
    pub(crate) fn forgive_patience(&mut self, receipt: &Receipt) {
        self.log.finish(receipt.number, &Finish { retry_after: None, ..receipt.finish });
    }

    fn connect(&mut self, origin: &Origin, now: Micros) -> Result<Line, Box<(Outcome, Micros)>> {
        let unresolved = |error, end| Err(Box::new((Outcome::Unresolved(error), end)));
        let Some(host) = self.web.host_named(&origin.host) else {
            return unresolved(DnsError::NoSuchName, now + 1_000);
        };
        let trouble = self.weather.at(host, now);
        if trouble == Some(Trouble::NoDns) {
            return unresolved(SERVFAIL, now + 20_000);
        }
        let address = match self.web.resolve(&origin.host, duration(now)) {
            Resolution::Addresses(list, _) => list.first().copied(),
            Resolution::NoSuchName => return unresolved(DnsError::NoSuchName, now + 1_000),
            Resolution::ServerFailure => return unresolved(SERVFAIL, now + 20_000),
            Resolution::Silence => return unresolved(DnsError::TimedOut, now + self.fetch.dns_us),
        };
        let address = address.unwrap_or(Ipv4Addr::UNSPECIFIED);
        if trouble == Some(Trouble::Dead) || self.web.host(host).refuses_connections {
            self.log.refuse(host, address, duration(now));
            return Err(Box::new((Outcome::Unreachable("connection refused".to_owned()), now + 500)));
        }
        let id = self.log.open_connection(address, duration(now));
        Ok(Line { origin: origin.clone(), host, id, address })
    }

    fn reply(&self, task: &Task, line: &Line, (now, attempt): (Micros, u32)) -> Reply {
        let trouble = self.weather.at(line.host, now);
        if let Some(Trouble::Storm { status, retry_after_s, as_date }) = trouble {
            return storm(status, retry_after_s, as_date, now);
        }
        if let Some(reply) = self.robots_elsewhere(line.host, task.permit.url().target()) {
            return reply;
        }
        let validators = &task.validators;
        let mut reply = self.web.answer(&Ask {
            host: line.host,
            target: task.permit.url().target(),
            now: duration(now),
            attempt,
            accept: Encodings::default(),
            if_none_match: validators.etag.as_deref(),
            if_modified_since: validators.last_modified.as_deref(),
        });
        if let Some(Trouble::Slow(more)) = trouble {
            reply.latency += duration(more);
        }
        reply
    }

    /// A robots.txt that has moved to another site, and where it has moved to.
    fn robots_elsewhere(&self, host: HostId, target: &str) -> Option<Reply> {
        let moved = self.moved?;
        let reply = |status, header, body: &'static str| Reply {
            status,
            headers: vec![("content-type", "text/plain".to_owned()), header],
            body: vec![Bytes::from_static(body.as_bytes())],
            latency: duration(3_000),
            fault: Fault::None,
        };
        if host == moved.from && target == "/robots.txt" {
            let place = self.web.origin(moved.to) + &moved.target();
            Some(reply(302, ("location", place), ""))
        } else if host == moved.to && target == moved.target() {
            Some(reply(200, ("vary", "*".to_owned()), "User-agent: *\nDisallow:\n"))
        } else {
            None
        }
    }
}

fn storm(status: u16, retry_after_s: u64, as_date: bool, now: Micros) -> Reply {
    let mut headers = vec![("content-type", "text/html".to_owned())];
    if retry_after_s > 0 {
        let right = Wall::default().at(now).div_ceil(1_000) + retry_after_s;
        let date = std::time::UNIX_EPOCH + std::time::Duration::from_secs(right);
        let value = if as_date { httpdate::fmt_http_date(date) } else { retry_after_s.to_string() };
        headers.push(("retry-after", value));
    }
    Reply { status, headers, body: Vec::new(), latency: duration(5_000), fault: Fault::None }
}

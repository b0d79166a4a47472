//! The server's own log: every request and every connection, also refused ones, compactly; what the auditor judges by.
//!
//! In: begin and end of requests and connections, with the time since this web began. Out: records in the order of their start.
//! Always: starts never go backwards; a target is stored once; a request that has not ended is `Ending::Open`.
//!
//! Cost: 32 bytes a request, 16 a connection, and for each distinct target 16 bytes, its text, and 4 to 11 bytes of hash table.
//! Ten million requests for ten million different targets of 28 bytes are 0.84 GB; `Log::cost_bytes` says it exactly.

use std::net::Ipv4Addr;
use std::time::Duration;

use crate::reply::HostId;

mod targets;

pub use targets::{TargetId, Targets};

/// Index of a connection in the log.
pub type ConnectionId = u32;

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// Not yet.
    Open,
    /// The last byte was handed to the kernel.
    Complete,
    /// The web broke the connection on purpose.
    Reset,
    /// The web never answered, and the client left.
    Silent,
    /// The client left before the last byte.
    ClientLeft,
    /// The host took no connection: nothing could be asked. Such a record has the target [`REFUSED`].
    Refused,
}

/// What a refused connection is written down as: no request has this target.
pub const REFUSED: &str = "";

impl Ending {
    pub fn words(self) -> &'static str {
        match self {
            Self::Open => "in flight",
            Self::Complete => "complete",
            Self::Reset => "reset",
            Self::Silent => "silent",
            Self::ClientLeft => "client left",
            Self::Refused => "refused",
        }
    }
}

/// One request. Its host is that of its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    pub start_us: u64,
    /// At most 71 minutes; longer ones are cut.
    pub took_us: u32,
    pub connection: ConnectionId,
    pub target: TargetId,
    /// Bytes of body that were handed on.
    pub bytes: u32,
    /// 0: the answer had no Retry-After.
    pub retry_after_ms: u32,
    /// 0: no answer was begun.
    pub status: u16,
    pub ending: Ending,
    pub head: bool,
}

const _: () = assert!(size_of::<Record>() == 32, "ten million requests must fit");

impl Record {
    pub fn end_us(&self) -> u64 {
        self.start_us + u64::from(self.took_us)
    }
}

/// One connection; `requests` counts those since the log was last forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connection {
    pub opened_ms: u32,
    /// `u32::MAX`: still open.
    pub closed_ms: u32,
    /// The address that the client connected to.
    pub address: Ipv4Addr,
    pub requests: u32,
}

/// A request that begins.
#[derive(Debug, Clone, Copy)]
pub struct Begin<'a> {
    pub connection: ConnectionId,
    pub host: HostId,
    pub target: &'a str,
    pub head: bool,
}

/// What the log says to a request that began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begun {
    /// Number of the request since the server began; `Log::finish` takes it.
    pub number: u64,
    /// How often this target was asked before.
    pub attempt: u32,
}

/// How a request ended.
#[derive(Debug, Clone, Copy)]
pub struct Finish {
    pub at: Duration,
    pub ending: Ending,
    pub status: u16,
    pub bytes: u64,
    pub retry_after: Option<Duration>,
}

/// Every request and connection.
#[derive(Debug, Default)]
pub struct Log {
    records: Vec<Record>,
    connections: Vec<Connection>,
    targets: Targets,
    /// Requests forgotten so far: numbers below this are ignored when they finish.
    forgotten: u64,
}

impl Log {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn open_connection(&mut self, address: Ipv4Addr, now: Duration) -> ConnectionId {
        let id = self.connections.len() as ConnectionId;
        self.connections.push(Connection {
            opened_ms: millis(now),
            closed_ms: u32::MAX,
            address,
            requests: 0,
        });
        id
    }

    pub fn close_connection(&mut self, connection: ConnectionId, now: Duration) {
        if let Some(connection) = self.connections.get_mut(connection as usize) {
            connection.closed_ms = millis(now);
        }
    }

    /// A connection to a host that refuses it counts as one request, over at once. False: the log is full.
    pub fn refuse(&mut self, host: HostId, address: Ipv4Addr, now: Duration) -> bool {
        let connection = self.open_connection(address, now);
        self.close_connection(connection, now);
        let begun = self.begin(Begin { connection, host, target: REFUSED, head: false }, now);
        let refused = Finish { at: now, ending: Ending::Refused, status: 0, bytes: 0, retry_after: None };
        begun.map(|begun| self.finish(begun.number, &refused)).is_some()
    }

    /// None: the log is full (4 GB of target texts).
    pub fn begin(&mut self, begin: Begin<'_>, now: Duration) -> Option<Begun> {
        let (target, attempt) = self.targets.ask(begin.host, begin.target)?;
        if let Some(connection) = self.connections.get_mut(begin.connection as usize) {
            connection.requests += 1;
        }
        let number = self.forgotten + self.records.len() as u64;
        let last = self.records.last().map_or(0, |record| record.start_us);
        self.records.push(Record {
            start_us: (now.as_micros() as u64).max(last),
            took_us: 0,
            connection: begin.connection,
            target,
            bytes: 0,
            retry_after_ms: 0,
            status: 0,
            ending: Ending::Open,
            head: begin.head,
        });
        Some(Begun { number, attempt })
    }

    pub fn finish(&mut self, number: u64, finish: &Finish) {
        let Some(at) = number.checked_sub(self.forgotten) else { return };
        let Some(record) = self.records.get_mut(at as usize) else { return };
        let took = (finish.at.as_micros() as u64).saturating_sub(record.start_us);
        record.took_us = u32::try_from(took).unwrap_or(u32::MAX);
        record.ending = finish.ending;
        record.status = finish.status;
        record.bytes = u32::try_from(finish.bytes).unwrap_or(u32::MAX);
        record.retry_after_ms = finish.retry_after.map_or(0, millis);
    }

    /// Forgets all requests; requests in flight are not heard of again, open connections stay open.
    pub fn forget(&mut self) {
        self.forgotten += self.records.len() as u64;
        self.records = Vec::new();
        self.targets = Targets::default();
        for connection in &mut self.connections {
            connection.requests = 0;
        }
    }

    /// In the order of their start.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    pub fn connections(&self) -> &[Connection] {
        &self.connections
    }

    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The address that a request came in by.
    pub fn address(&self, record: &Record) -> Ipv4Addr {
        let connection = self.connections.get(record.connection as usize);
        connection.map_or(Ipv4Addr::UNSPECIFIED, |connection| connection.address)
    }

    /// Memory in use, without what growing vectors hold in reserve (the system gives no page for it until it is touched).
    pub fn cost_bytes(&self) -> usize {
        size_of_val(self.records.as_slice())
            + size_of_val(self.connections.as_slice())
            + self.targets.cost_bytes()
    }
}

fn millis(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

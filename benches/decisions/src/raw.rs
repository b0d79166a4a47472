//! The limit for a fetcher: epoll (mio), httparse, rustls' unbuffered interface, zlib-rs. Bytes are read into the place where they stay,
//! or where they are decrypted; every buffer is used again. No limits, no time-outs, no second thought: not a client to use.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use flate2::{Crc, Decompress, FlushDecompress};
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use rustls::ClientConfig;
use rustls::client::UnbufferedClientConnection;
use rustls::pki_types::ServerName;
use rustls::unbuffered::{ConnectionState, UnbufferedStatus};

use crate::cpu_seconds;

pub const CONNECTIONS: usize = 64;
/// One read of what is encrypted.
const READ: usize = 64 << 10;
/// A record that was not whole is kept in front of the next read.
const RECORD: usize = 20 << 10;

/// One thing to measure, as its URL tells: `turns` requests on each connection, keeping them or not.
#[derive(Clone)]
pub struct Load {
    pub url: String,
    pub body: usize,
    pub turns: usize,
    keep: bool,
    gzip: bool,
    secure: bool,
    port: u16,
    request: String,
}

impl Load {
    pub fn new(url: &str, requests: usize) -> Self {
        let (scheme, rest) = url.split_once("://").expect("a URL");
        let (authority, path) = rest.split_once('/').expect("a path");
        let (_, port) = authority.split_once(':').expect("a port");
        Self {
            url: url.to_owned(),
            body: path.split('/').next().and_then(|word| word.parse().ok()).expect("a length"),
            turns: requests.div_ceil(CONNECTIONS),
            keep: path.contains("keep"),
            gzip: path.contains("gzip"),
            secure: scheme == "https",
            port: port.parse().expect("a port"),
            request: format!("GET /{path} HTTP/1.1\r\nhost: {authority}\r\n\r\n"),
        }
    }
}

/// CPU seconds of all turns. One turn more, which opens the connections, is not counted.
pub fn run(load: &Load, tls: &Arc<ClientConfig>) -> f64 {
    let mut poll = Poll::new().expect("poll");
    let mut events = Events::with_capacity(CONNECTIONS);
    let mut decoder = Decoder::default();
    let mut lines: Vec<_> = (0..CONNECTIONS).map(|n| Line::open(load, tls, &poll, Token(n))).collect();
    turn(load, tls, 1, (&mut lines, &mut poll, &mut events, &mut decoder));
    let before = cpu_seconds();
    for (n, line) in lines.iter_mut().enumerate() {
        line.next(load, tls, &poll, Token(n));
    }
    turn(load, tls, load.turns, (&mut lines, &mut poll, &mut events, &mut decoder));
    cpu_seconds() - before
}

type Tools<'a> = (&'a mut Vec<Line>, &'a mut Poll, &'a mut Events, &'a mut Decoder);

fn turn(load: &Load, tls: &Arc<ClientConfig>, turns: usize, (lines, poll, events, decoder): Tools<'_>) {
    let mut done = [0; CONNECTIONS];
    let mut left = CONNECTIONS;
    while left > 0 {
        poll.poll(events, None).expect("poll");
        for event in events.iter() {
            let n = event.token().0;
            if done[n] == turns || !lines[n].advance(load) {
                continue;
            }
            lines[n].reply.check(load, decoder);
            done[n] += 1;
            if done[n] == turns {
                left -= 1;
            } else {
                lines[n].next(load, tls, poll, event.token());
            }
        }
    }
}

/// A connection with one request under way.
struct Line {
    stream: TcpStream,
    tls: Option<Tls>,
    asked: bool,
    reply: Reply,
}

impl Line {
    fn open(load: &Load, tls: &Arc<ClientConfig>, poll: &Poll, token: Token) -> Self {
        let stream = connect(load, poll, token);
        let tls = load.secure.then(|| Tls::new(tls));
        Self { stream, tls, asked: false, reply: Reply::default() }
    }

    /// Begins the next request.
    fn next(&mut self, load: &Load, tls: &Arc<ClientConfig>, poll: &Poll, token: Token) {
        self.reply.start();
        self.asked = false;
        if load.keep {
            self.ask(load);
            return;
        }
        self.stream = connect(load, poll, token);
        if let Some(old) = &mut self.tls {
            old.restart(tls);
        }
    }

    fn ask(&mut self, load: &Load) {
        match &mut self.tls {
            None => self.asked = sent(&mut self.stream, load.request.as_bytes()),
            Some(tls) => tls.step(&mut self.stream, load, &mut self.asked, &mut self.reply),
        }
    }

    /// Does what can be done now. The reply is there?
    fn advance(&mut self, load: &Load) -> bool {
        if !self.asked {
            self.ask(load);
        }
        while !self.reply.done() {
            let read = match &mut self.tls {
                None => self.stream.read(self.reply.space()),
                Some(tls) => tls.read(&mut self.stream),
            };
            match (read, &mut self.tls) {
                (Ok(0), _) => panic!("closed early"),
                (Ok(count), None) => self.reply.filled += count,
                (Ok(_), Some(tls)) => tls.step(&mut self.stream, load, &mut self.asked, &mut self.reply),
                (Err(error), _) if is_early(&error) => return false,
                (Err(error), _) => panic!("{error}"),
            }
        }
        true
    }
}

fn connect(load: &Load, poll: &Poll, token: Token) -> TcpStream {
    let mut stream = TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, load.port))).expect("connect");
    stream.set_nodelay(true).expect("nodelay");
    poll.registry().register(&mut stream, token, Interest::READABLE | Interest::WRITABLE).expect("register");
    stream
}

fn is_early(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::NotConnected)
}

/// Requests and handshakes are small: they go out whole, or the connection is not there yet.
fn sent(stream: &mut TcpStream, bytes: &[u8]) -> bool {
    match stream.write(bytes) {
        Ok(count) if count == bytes.len() => true,
        Err(error) if is_early(&error) => false,
        other => panic!("a request must go out whole: {other:?}"),
    }
}

struct Tls {
    session: UnbufferedClientConnection,
    incoming: Vec<u8>,
    /// What of it is to be used.
    begin: usize,
    end: usize,
    outgoing: Vec<u8>,
    waiting: usize,
}

impl Tls {
    fn new(config: &Arc<ClientConfig>) -> Self {
        let (incoming, outgoing) = (vec![0; RECORD + READ], vec![0; 4 << 10]);
        Self { session: session(config), incoming, begin: 0, end: 0, outgoing, waiting: 0 }
    }

    fn restart(&mut self, config: &Arc<ClientConfig>) {
        (self.session, self.begin, self.end, self.waiting) = (session(config), 0, 0, 0);
    }

    fn read(&mut self, stream: &mut TcpStream) -> std::io::Result<usize> {
        self.incoming.copy_within(self.begin..self.end, 0);
        (self.begin, self.end) = (0, self.end - self.begin);
        let count = stream.read(&mut self.incoming[self.end..])?;
        self.end += count;
        Ok(count)
    }

    /// Shakes hands, asks, decrypts: all that the bytes at hand allow.
    fn step(&mut self, stream: &mut TcpStream, load: &Load, asked: &mut bool, reply: &mut Reply) {
        loop {
            let records = &mut self.incoming[self.begin..self.end];
            let UnbufferedStatus { mut discard, state, .. } = self.session.process_tls_records(records);
            let mut stuck = false;
            match state.expect("a sound session") {
                ConnectionState::EncodeTlsData(mut data) => {
                    self.waiting += data.encode(&mut self.outgoing[self.waiting..]).expect("room");
                }
                ConnectionState::TransmitTlsData(mut data) => {
                    if let Some(mut traffic) = data.may_encrypt_app_data().filter(|_| !*asked) {
                        let room = &mut self.outgoing[self.waiting..];
                        self.waiting += traffic.encrypt(load.request.as_bytes(), room).expect("room");
                        *asked = true;
                    }
                    if sent(stream, &self.outgoing[..self.waiting]) {
                        self.waiting = 0;
                        data.done();
                    } else {
                        stuck = true;
                    }
                }
                ConnectionState::WriteTraffic(mut traffic) if !*asked => {
                    let count = traffic.encrypt(load.request.as_bytes(), &mut self.outgoing).expect("room");
                    *asked = sent(stream, &self.outgoing[..count]);
                    assert!(*asked, "an open connection takes a request");
                }
                ConnectionState::ReadTraffic(mut traffic) => {
                    while let Some(record) = traffic.next_record() {
                        let record = record.expect("a sound record");
                        discard += record.discard;
                        reply.space()[..record.payload.len()].copy_from_slice(record.payload);
                        reply.filled += record.payload.len();
                    }
                }
                _ => stuck = true,
            }
            self.begin += discard;
            if stuck {
                return;
            }
        }
    }
}

fn session(config: &Arc<ClientConfig>) -> UnbufferedClientConnection {
    let name = ServerName::try_from("127.0.0.1").expect("a name");
    UnbufferedClientConnection::new(Arc::clone(config), name).expect("a session")
}

/// A reply being read: head and body in one buffer.
struct Reply {
    bytes: Vec<u8>,
    filled: usize,
    /// Where its body begins and ends.
    body: Option<(usize, usize)>,
}

impl Default for Reply {
    fn default() -> Self {
        Self { bytes: vec![0; 200_000], filled: 0, body: None }
    }
}

impl Reply {
    fn start(&mut self) {
        self.filled = 0;
        self.body = None;
    }

    fn space(&mut self) -> &mut [u8] {
        &mut self.bytes[self.filled..]
    }

    fn done(&mut self) -> bool {
        if self.body.is_none() && self.filled > 0 {
            let mut headers = [httparse::EMPTY_HEADER; 16];
            let mut head = httparse::Response::new(&mut headers);
            if let Ok(httparse::Status::Complete(begin)) = head.parse(&self.bytes[..self.filled]) {
                let length = head.headers.iter().find(|h| h.name.eq_ignore_ascii_case("content-length"));
                let length = std::str::from_utf8(length.expect("a length").value).expect("digits");
                self.body = Some((begin, begin + length.parse::<usize>().expect("a number")));
            }
        }
        self.body.is_some_and(|(_, end)| self.filled >= end)
    }

    fn check(&self, load: &Load, decoder: &mut Decoder) {
        let (begin, end) = self.body.expect("a whole reply");
        let body = &self.bytes[begin..end];
        assert_eq!(if load.gzip { decoder.gunzip(body) } else { body.len() }, load.body);
    }
}

struct Decoder {
    inflater: Decompress,
    out: Vec<u8>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self { inflater: Decompress::new(false), out: vec![0; 200_000] }
    }
}

impl Decoder {
    /// The length of what a gzip member without optional fields holds.
    fn gunzip(&mut self, member: &[u8]) -> usize {
        let (data, trailer) = member[10..].split_at(member.len() - 18);
        self.inflater.reset(false);
        self.inflater.decompress(data, &mut self.out, FlushDecompress::Finish).expect("sound data");
        let length = self.inflater.total_out() as usize;
        let mut check = Crc::new();
        check.update(&self.out[..length]);
        assert_eq!(check.sum().to_le_bytes(), trailer[..4]);
        length
    }
}

//! HTTP/2 frame by frame (RFC 9113 §4), for servers that do not keep to it.

use crate::authority::{Authority, Leaf};
use crate::line::Line;
use crate::server::Server;

pub(crate) const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
pub(crate) const RST_STREAM: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PUSH_PROMISE: u8 = 5;
pub(crate) const PING: u8 = 6;
pub(crate) const GOAWAY: u8 = 7;
pub(crate) const WINDOW_UPDATE: u8 = 8;
pub(crate) const CONTINUATION: u8 = 9;

pub(crate) const END_STREAM: u8 = 1;
pub(crate) const END_HEADERS: u8 = 4;

/// `:status: 200` and `content-type: text/html` by the static table (RFC 7541, appendix A).
pub(crate) const OK: &[u8] = b"\x88\x5f\x09text/html";

pub(crate) fn frame(kind: u8, flags: u8, stream: u32, payload: impl AsRef<[u8]>) -> Vec<u8> {
    let payload = payload.as_ref();
    let mut bytes = (payload.len() as u32).to_be_bytes()[1..].to_vec();
    bytes.extend([kind, flags]);
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

/// A frame whose payload are numbers of four bytes: RST_STREAM, GOAWAY, WINDOW_UPDATE.
pub(crate) fn numbers(kind: u8, stream: u32, numbers: &[u32]) -> Vec<u8> {
    frame(kind, 0, stream, numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<_>>())
}

/// A field that is written out and not remembered.
pub(crate) fn field(name: &str, value: &str) -> Vec<u8> {
    assert!(name.len() < 127 && value.len() < 127);
    [&[0, name.len() as u8], name.as_bytes(), &[value.len() as u8], value.as_bytes()].concat()
}

/// A whole page.
pub(crate) fn page(stream: u32, body: &str) -> Vec<u8> {
    [frame(HEADERS, END_HEADERS, stream, OK), frame(DATA, END_STREAM, stream, body)].concat()
}

impl Line {
    /// The client's preface, answered by empty settings.
    pub(crate) async fn preface(&mut self) -> bool {
        let preface = self.take(24).await;
        preface.as_deref() == Some(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            && self.say(frame(SETTINGS, 0, 0, "")).await
    }

    /// Reads frames up to the next request and returns its stream; settings are acknowledged, pings answered. 0 when the
    /// peer went away instead.
    pub(crate) async fn stream(&mut self) -> u32 {
        loop {
            let Some((kind, flags, stream, payload)) = self.frame().await else { return 0 };
            match kind {
                HEADERS => {
                    self.log.lock().unwrap().requests.push(format!("stream {stream}"));
                    return stream;
                }
                SETTINGS if flags & 1 == 0 => drop(self.say(frame(SETTINGS, 1, 0, "")).await),
                PING if flags & 1 == 0 => drop(self.say(frame(PING, 1, 0, payload)).await),
                GOAWAY => return 0,
                _ => {}
            }
        }
    }

    pub(crate) async fn frame(&mut self) -> Option<(u8, u8, u32, Vec<u8>)> {
        let head = self.take(9).await?;
        let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2]);
        let stream = u32::from_be_bytes(head[5..9].try_into().unwrap()) & 0x7fff_ffff;
        let payload = self.take(length).await?;
        match head[3] {
            WINDOW_UPDATE if stream == 0 => self.credit.0 += number(&payload),
            WINDOW_UPDATE => self.credit.1 += number(&payload),
            SETTINGS => {
                // SETTINGS_INITIAL_WINDOW_SIZE is the fourth.
                let first = payload.chunks_exact(6).rfind(|one| one[..2] == [0, 4]);
                self.credit.1 += first.map_or(0, |one| number(&one[2..]) - 65_535);
            }
            _ => {}
        }
        Some((head[3], head[4], stream, payload))
    }

    /// Sends a body of so many bytes as credit comes; whether the peer took it all.
    pub(crate) async fn body(&mut self, stream: u32, mut length: usize) -> bool {
        while length > 0 {
            let piece = 1_000.min(length);
            let cost = i64::from(piece as u16);
            while self.credit.0.min(self.credit.1) < cost {
                if !matches!(self.frame().await, Some((kind, ..)) if kind != RST_STREAM && kind != GOAWAY) {
                    return false;
                }
            }
            length -= piece;
            let flags = if length == 0 { END_STREAM } else { 0 };
            if !self.say(frame(DATA, flags, stream, vec![b'z'; piece])).await {
                return false;
            }
            self.credit.0 -= cost;
            self.credit.1 -= cost;
        }
        true
    }
}

fn number(bytes: &[u8]) -> i64 {
    i64::from(u32::from_be_bytes(bytes.try_into().unwrap()))
}

/// A server that speaks HTTP/2 as its script says, and the authority to trust.
pub(crate) fn http2<S, F>(script: S) -> (Server, Authority)
where
    S: Fn(Line) -> F + Send + Sync + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let authority = Authority::new();
    (Server::tls(authority.config(Leaf::Good, &["h2"]), script), authority)
}

/// One that answers each request with these frames, made for its stream.
pub(crate) fn answers(make: impl Fn(u32) -> Vec<u8> + Send + Sync + 'static) -> (Server, Authority) {
    let make = std::sync::Arc::new(make);
    http2(move |mut line| {
        let make = std::sync::Arc::clone(&make);
        async move {
            if !line.preface().await {
                return;
            }
            loop {
                let stream = line.stream().await;
                if stream == 0 || !line.say(make(stream)).await {
                    return;
                }
            }
        }
    })
}

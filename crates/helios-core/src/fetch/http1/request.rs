//! The bytes of a request. What could be read as more than one line is refused here, wherever it came from.

use http::HeaderName;

/// A part of a request that cannot be sent as it is.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("cannot be asked for: {0}")]
pub(crate) struct Unspeakable(String);

/// Header lines that are the same in every request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines {
    bytes: Vec<u8>,
}

impl Lines {
    pub(crate) fn new<'a>(headers: impl Iterator<Item = (&'a str, &'a [u8])>) -> Result<Self, Unspeakable> {
        let mut bytes = Vec::new();
        for (name, value) in headers {
            push_line(&mut bytes, name, value)?;
        }
        Ok(Self { bytes })
    }
}

/// A request head being written. It has no body.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    bytes: Vec<u8>,
}

impl Request {
    /// `target`: a path with query; the whole URL towards a proxy. `host`: the authority that it is asked of.
    pub(crate) fn get(target: &str, host: &str) -> Result<Self, Unspeakable> {
        Self::new("GET", target, host)
    }

    /// Asks a proxy for a tunnel (RFC 9110 §9.3.6). After a 2xx the stream is the tunnel: [`super::Http1::into_stream`].
    pub(crate) fn connect(authority: &str) -> Result<Self, Unspeakable> {
        Self::new("CONNECT", authority, authority)
    }

    fn new(method: &str, target: &str, host: &str) -> Result<Self, Unspeakable> {
        if target.is_empty() || !target.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Unspeakable(format!("target {target:?}")));
        }
        let mut bytes = Vec::with_capacity(512);
        if !is_value(host.as_bytes()) {
            return Err(Unspeakable("value of header \"Host\"".to_owned()));
        }
        for part in [method, " ", target, " HTTP/1.1\r\nHost: ", host, "\r\n"] {
            bytes.extend_from_slice(part.as_bytes());
        }
        Ok(Self { bytes })
    }

    /// Adds a line; the name is sent in the letters given.
    pub(crate) fn header(mut self, name: &str, value: &[u8]) -> Result<Self, Unspeakable> {
        push_line(&mut self.bytes, name, value)?;
        Ok(self)
    }

    pub(crate) fn lines(mut self, lines: &Lines) -> Self {
        self.bytes.extend_from_slice(&lines.bytes);
        self
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.bytes.extend_from_slice(b"\r\n");
        self.bytes
    }
}

fn push_line(bytes: &mut Vec<u8>, name: &str, value: &[u8]) -> Result<(), Unspeakable> {
    if HeaderName::from_bytes(name.as_bytes()).is_err() {
        return Err(Unspeakable(format!("header name {name:?}")));
    }
    if !is_value(value) {
        // The value may be a secret: it is not repeated.
        return Err(Unspeakable(format!("value of header {name:?}")));
    }
    for part in [name.as_bytes(), b": ", value, b"\r\n"] {
        bytes.extend_from_slice(part);
    }
    Ok(())
}

/// What `HeaderValue` allows, without making one.
fn is_value(value: &[u8]) -> bool {
    value.iter().all(|&byte| byte == b'\t' || (byte >= b' ' && byte != 0x7F))
}

//! `user:password@host:port`.

use std::fmt::Write as _;

use super::{Kind, Parser, default_port};
use crate::encode::{USERINFO, push_encoded};
use crate::error::Fault;
use crate::host::push_host;

impl Parser {
    pub(super) fn authority(&mut self, input: &str) -> Result<(), Fault> {
        let ends =
            |byte: &u8| matches!(byte, b'/' | b'?' | b'#') || *byte == b'\\' && self.kind == Kind::Special;
        let end = input.as_bytes().iter().position(ends).unwrap_or(input.len());
        let (authority, rest) = input.split_at(end);
        self.text.push_str("//");
        let place = match authority.rsplit_once('@') {
            Some((_, "")) => return Err(Fault::EmptyHost),
            Some((userinfo, place)) => {
                self.userinfo(userinfo);
                place
            }
            None => authority,
        };
        self.host_and_port(place)?;
        self.marks.path = self.text.len();
        match self.strip_slash(rest) {
            Some(rest) => self.path_and_tail(rest),
            None if self.kind == Kind::Special => self.path_and_tail(rest),
            // Other schemes may do without a path.
            None => self.tail(rest),
        }
        Ok(())
    }

    fn userinfo(&mut self, text: &str) {
        let (name, password) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty() && password.is_empty() {
            return;
        }
        push_encoded(&mut self.text, name, USERINFO);
        if !password.is_empty() {
            self.text.push(':');
            push_encoded(&mut self.text, password, USERINFO);
        }
        self.text.push('@');
    }

    fn host_and_port(&mut self, place: &str) -> Result<(), Fault> {
        let (host, port) = split_port(place);
        if host.is_empty() && (self.kind == Kind::Special || port.is_some()) {
            return Err(Fault::EmptyHost);
        }
        let start = self.text.len();
        push_host(&mut self.text, host, self.kind != Kind::Other)?;
        self.marks.host = Some((start, self.text.len()));
        let Some(port) = port.filter(|port| !port.is_empty()) else { return Ok(()) };
        let port = port_number(port).ok_or(Fault::Port)?;
        let scheme = self.text.get(..self.marks.scheme_end).unwrap_or_default();
        if default_port(scheme) != Some(port) {
            write!(self.text, ":{port}").map_err(|_| Fault::Port)?;
        }
        Ok(())
    }
}

/// At the first colon that is not within brackets.
fn split_port(place: &str) -> (&str, Option<&str>) {
    let mut within = false;
    for (at, byte) in place.bytes().enumerate() {
        match byte {
            b'[' => within = true,
            b']' => within = false,
            b':' if !within => {
                let (host, port) = place.split_at(at);
                return (host, port.get(1..));
            }
            _ => {}
        }
    }
    (place, None)
}

fn port_number(text: &str) -> Option<u16> {
    let mut number = 0_u16;
    for byte in text.bytes() {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number = number.checked_mul(10)?.checked_add(u16::from(digit))?;
    }
    Some(number)
}

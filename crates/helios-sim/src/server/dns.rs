//! A small DNS server on UDP: A records of this web, empty answers for other types, by RFC 1035 §4.
//!
//! Always: the question is echoed as it came (letter case included); one question a message; no recursion.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::UdpSocket;

use super::Shared;
use crate::reply::Resolution;

const TYPE_A: u16 = 1;
const CLASS_IN: u16 = 1;
const HEADER: usize = 12;
/// What a client without extensions can take; an answer holds at most so many addresses.
const MOST_ADDRESSES: usize = 16;

#[derive(Clone, Copy)]
enum Code {
    NoError = 0,
    FormatError = 1,
    ServerFailure = 2,
    NoSuchName = 3,
    NotImplemented = 4,
}

/// Answers queries until the task is ended.
pub(super) async fn serve(socket: UdpSocket, shared: Arc<Shared>) {
    let mut buffer = [0_u8; 1_232];
    loop {
        // An error here is an earlier answer that could not be delivered.
        let Ok((length, from)) = socket.recv_from(&mut buffer).await else { continue };
        shared.counts.dns_queries.fetch_add(1, Ordering::Relaxed);
        let query = buffer.get(..length).unwrap_or_default();
        let now = shared.clock.now();
        if let Some(answer) = answer(query, |name| shared.web.resolve(name, now)) {
            _ = socket.send_to(&answer, from).await;
        }
    }
}

/// The answer to one message; None: nothing is said.
fn answer(query: &[u8], resolve: impl FnOnce(&str) -> Resolution) -> Option<Vec<u8>> {
    let flags = u16::from_be_bytes([*query.get(2)?, *query.get(3)?]);
    let is_answer = flags & 0x8000 != 0;
    if query.len() < HEADER || is_answer {
        return None;
    }
    if flags & 0x7800 != 0 {
        return Some(message(query, &[], Code::NotImplemented, &[], 0));
    }
    let Some(Question { name, kind, class, bytes }) = question(query) else {
        return Some(message(query, &[], Code::FormatError, &[], 0));
    };
    match resolve(&name) {
        Resolution::Addresses(addresses, live) if kind == TYPE_A && class == CLASS_IN => {
            Some(message(query, bytes, Code::NoError, &addresses, seconds(live)))
        }
        Resolution::Addresses(..) => Some(message(query, bytes, Code::NoError, &[], 0)),
        Resolution::NoSuchName => Some(message(query, bytes, Code::NoSuchName, &[], 0)),
        Resolution::ServerFailure => Some(message(query, bytes, Code::ServerFailure, &[], 0)),
        Resolution::Silence => None,
    }
}

fn seconds(live: Duration) -> u32 {
    u32::try_from(live.as_secs()).unwrap_or(u32::MAX)
}

struct Question<'a> {
    /// In lower case, without the last dot.
    name: String,
    kind: u16,
    class: u16,
    /// As it came.
    bytes: &'a [u8],
}

fn question(query: &[u8]) -> Option<Question<'_>> {
    if query.get(4..6)? != [0, 1] {
        return None;
    }
    let mut name = String::new();
    let mut at = HEADER;
    loop {
        let length = usize::from(*query.get(at)?);
        at += 1;
        if length == 0 {
            break;
        }
        // A question has no compressed names.
        let label = query.get(at..at + length).filter(|_| length < 64)?;
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(&std::str::from_utf8(label).ok()?.to_ascii_lowercase());
        at += length;
    }
    let rest: [u8; 4] = query.get(at..at + 4)?.try_into().ok()?;
    let [k0, k1, c0, c1] = rest;
    let bytes = query.get(HEADER..at + 4)?;
    Some(Question { name, kind: u16::from_be_bytes([k0, k1]), class: u16::from_be_bytes([c0, c1]), bytes })
}

fn message(query: &[u8], question: &[u8], code: Code, addresses: &[Ipv4Addr], live: u32) -> Vec<u8> {
    let addresses = addresses.get(..MOST_ADDRESSES).unwrap_or(addresses);
    let mut out = Vec::with_capacity(HEADER + question.len() + 16 * addresses.len());
    out.extend_from_slice(query.get(..2).unwrap_or_default());
    // Answer, authoritative, recursion desired as asked.
    let wished = query.get(2).copied().unwrap_or(0) & 0x01;
    out.extend_from_slice(&[0x84 | wished, code as u8]);
    out.extend_from_slice(&u16::from(!question.is_empty()).to_be_bytes());
    out.extend_from_slice(&(addresses.len() as u16).to_be_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(question);
    for address in addresses {
        // The name is that of the question, by pointer.
        out.extend_from_slice(&[0xC0, HEADER as u8]);
        out.extend_from_slice(&[0, TYPE_A as u8, 0, CLASS_IN as u8]);
        out.extend_from_slice(&live.to_be_bytes());
        out.extend_from_slice(&[0, 4]);
        out.extend_from_slice(&address.octets());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(name: &str, kind: u8) -> Vec<u8> {
        let mut query = vec![0xAB, 0xCD, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for label in name.split('.') {
            query.push(label.len() as u8);
            query.extend_from_slice(label.as_bytes());
        }
        query.extend_from_slice(&[0, 0, kind, 0, 1]);
        query
    }

    #[test]
    fn rfc1035_address_is_answered_with_the_question_as_it_came() {
        let query = ask("wWw.Plain.Test", 1);
        let found = answer(&query, |name| {
            assert_eq!(name, "www.plain.test");
            Resolution::Addresses(vec![Ipv4Addr::new(127, 1, 2, 3)], Duration::from_secs(300))
        });
        let mut expected = query.clone();
        expected[2..8].copy_from_slice(&[0x85, 0, 0, 1, 0, 1]);
        expected.extend_from_slice(&[0xC0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 127, 1, 2, 3]);
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn rfc1035_codes() {
        let address = Resolution::Addresses(vec![Ipv4Addr::LOCALHOST], Duration::ZERO);
        let cases = [
            (28, address, Some((0, 0))),
            (1, Resolution::NoSuchName, Some((3, 0))),
            (1, Resolution::ServerFailure, Some((2, 0))),
            (1, Resolution::Silence, None),
        ];
        for (kind, resolution, expected) in cases {
            let found = answer(&ask("a.test", kind), |_| resolution.clone());
            assert_eq!(found.map(|message| (message[3] & 15, message[7])), expected, "{resolution:?}");
        }
    }

    #[test]
    fn house_every_cut_of_a_query_is_survived() {
        let query = ask("www.plain.test", 1);
        for length in 0..query.len() {
            let cut = answer(&query[..length], |_| Resolution::NoSuchName);
            assert_eq!(cut.is_some(), length >= HEADER, "{length}");
        }
    }
}

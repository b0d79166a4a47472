//! A question as bytes, and bytes as an answer (RFC 1035 §4). Reading is hickory's; what is believed of it is decided here.

use std::net::IpAddr;

use hickory_proto::op::{Message, ResponseCode};
use hickory_proto::rr::{DNSClass, Name, RData, Record};

use super::{DnsError, Failure};

const HEADER: usize = 12;
/// What an answer on UDP may have without being cut to pieces on its way.
const UDP_BYTES: u16 = 1_232;
/// Names that lead to other names, in one answer.
const LONGEST_CHAIN: usize = 16;
/// Addresses kept of one name.
const MOST_ADDRESSES: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    V4,
    V6,
}

impl Family {
    fn code(self) -> u16 {
        match self {
            Self::V4 => 1,
            Self::V6 => 28,
        }
    }
}

/// A query, with its id still to be set.
pub(super) struct Query {
    bytes: Vec<u8>,
    question_end: usize,
}

impl Query {
    /// The letters of the name are in upper or lower case by `chance`: whoever wants to forge an answer must guess that, too.
    pub(super) fn new(name: &str, family: Family, chance: u64) -> Self {
        let mut bytes = Vec::with_capacity(HEADER + name.len() + 6 + 11);
        // Recursion desired; one question, one additional record.
        bytes.extend_from_slice(&[0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
        let mut chance = chance;
        for label in name.split('.') {
            bytes.push(label.len() as u8);
            for byte in label.bytes() {
                chance = chance.rotate_left(1);
                let upper = byte.is_ascii_lowercase() && chance & 1 == 1;
                bytes.push(if upper { byte.to_ascii_uppercase() } else { byte });
            }
        }
        bytes.push(0);
        bytes.extend_from_slice(&family.code().to_be_bytes());
        bytes.extend_from_slice(&[0, 1]);
        let question_end = bytes.len();
        // EDNS (RFC 6891): root name, OPT, the size we take.
        bytes.extend_from_slice(&[0, 0, 41]);
        bytes.extend_from_slice(&UDP_BYTES.to_be_bytes());
        bytes.extend_from_slice(&[0; 6]);
        Self { bytes, question_end }
    }

    pub(super) fn with_id(&mut self, id: u16) -> &[u8] {
        if let Some(place) = self.bytes.first_chunk_mut() {
            *place = id.to_be_bytes();
        }
        &self.bytes
    }

    pub(super) fn question(&self) -> &[u8] {
        self.bytes.get(HEADER..self.question_end).unwrap_or_default()
    }
}

pub(super) fn id_of(message: &[u8]) -> Option<u16> {
    message.first_chunk().map(|id| u16::from_be_bytes(*id))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    Ours,
    /// Our question, but not in our letters: a forger, or a server that changes them.
    OtherCase,
    /// Somebody else's.
    Other,
}

/// Is this an answer to that question? The id was compared before.
pub(super) fn answers(message: &[u8], question: &[u8]) -> Match {
    let is_answer = message.get(2).is_some_and(|flags| flags & 0xf8 == 0x80);
    let has_one_question = message.get(4..6) == Some(&[0, 1]);
    match message.get(HEADER..HEADER + question.len()) {
        Some(echo) if is_answer && has_one_question => {
            if echo == question {
                Match::Ours
            } else if echo.eq_ignore_ascii_case(question) {
                Match::OtherCase
            } else {
                Match::Other
            }
        }
        // Some servers repeat no question when they say that they failed.
        None | Some(_) if is_answer && message.get(4..6) == Some(&[0, 0]) && failed(message) => Match::Ours,
        None | Some(_) => Match::Other,
    }
}

fn failed(message: &[u8]) -> bool {
    message.get(3).is_some_and(|code| !matches!(code & 15, 0 | 3))
}

/// What one message says about a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Its addresses, for so many seconds.
    Addresses(Vec<IpAddr>, u32),
    /// It is another name's, which the server did not go on to; the seconds that this holds.
    Alias(Box<str>, u32),
    /// There are none, for so many seconds if the server says so.
    Nothing(DnsError, Option<u32>),
}

/// Why a message says nothing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unsaid {
    /// It did not fit: ask on TCP.
    Truncated,
    Failed(Failure),
}

pub(super) fn read(message: &[u8], name: &str, family: Family) -> Result<Said, Unsaid> {
    if message.get(2).is_some_and(|flags| flags & 2 != 0) {
        return Err(Unsaid::Truncated);
    }
    let message = Message::from_vec(message).map_err(|_| Unsaid::Failed(Failure::Garbled))?;
    let code = message.metadata.response_code;
    if code == ResponseCode::NoError {
        follow(&message, name, family).ok_or(Unsaid::Failed(Failure::Garbled))
    } else if code == ResponseCode::NXDomain {
        Ok(Said::Nothing(DnsError::NoSuchName, negative_ttl(&message)))
    } else {
        Err(Unsaid::Failed(Failure::Code(code.low())))
    }
}

/// From the name along its aliases to addresses. Records of names that nobody asked for are passed over.
fn follow(message: &Message, name: &str, family: Family) -> Option<Said> {
    let mut at = Name::from_ascii(name).ok()?;
    at.set_fqdn(true);
    let mut ttl = u32::MAX;
    for step in 0..=LONGEST_CHAIN {
        let here = || message.answers.iter().filter(|record| is_of(record, &at));
        let found: Vec<(IpAddr, u32)> =
            here().filter_map(|record| address(record, family)).take(MOST_ADDRESSES).collect();
        if !found.is_empty() {
            let ttl = found.iter().fold(ttl, |least, (_, ttl)| least.min(*ttl));
            return Some(Said::Addresses(found.into_iter().map(|(address, _)| address).collect(), ttl));
        }
        let Some((target, alias_ttl)) = here().find_map(alias) else {
            return Some(match (step, negative_ttl(message)) {
                (0, negative) => Said::Nothing(DnsError::NoAddress, negative),
                // The end of the chain has no address.
                (_, Some(negative)) => Said::Nothing(DnsError::NoAddress, Some(negative.min(ttl))),
                // The server has not looked.
                (_, None) => {
                    let text = at.to_ascii();
                    Said::Alias(text.strip_suffix('.').unwrap_or(&text).into(), ttl)
                }
            });
        };
        ttl = ttl.min(alias_ttl);
        at = target;
    }
    Some(Said::Nothing(DnsError::Loop, Some(ttl)))
}

fn is_of(record: &Record, name: &Name) -> bool {
    record.dns_class == DNSClass::IN && record.name == *name
}

fn address(record: &Record, family: Family) -> Option<(IpAddr, u32)> {
    match (&record.data, family) {
        (RData::A(a), Family::V4) => Some((IpAddr::V4(a.0), record.ttl)),
        (RData::AAAA(aaaa), Family::V6) => Some((IpAddr::V6(aaaa.0), record.ttl)),
        _ => None,
    }
}

fn alias(record: &Record) -> Option<(Name, u32)> {
    let RData::CNAME(target) = &record.data else { return None };
    Some((target.0.to_lowercase(), record.ttl))
}

/// RFC 2308 §5: the lesser of the SOA record's own and its last field.
fn negative_ttl(message: &Message) -> Option<u32> {
    message.authorities.iter().find_map(|record| {
        let RData::SOA(soa) = &record.data else { return None };
        Some(record.ttl.min(soa.minimum))
    })
}

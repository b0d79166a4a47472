//! A name server that says what a test wants, by RFC 1035 §4 or not.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::net::UdpSocket;
use tokio::task::JoinHandle;

use crate::asking::with;
use crate::server::runtime;

const A: u16 = 1;
const CNAME: u16 = 5;
const AAAA: u16 = 28;

/// One question as it came.
pub(crate) struct Query {
    pub(crate) bytes: Vec<u8>,
    /// How many questions of this type came before.
    pub(crate) nth: usize,
}

/// Asked over UDP until it is dropped. There is no TCP.
pub(crate) struct NameServer {
    address: String,
    pub(crate) questions: Arc<AtomicUsize>,
    serving: JoinHandle<()>,
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl NameServer {
    /// Every question gets these messages, in order.
    pub(crate) fn new(script: impl Fn(&Query) -> Vec<Vec<u8>> + Send + Sync + 'static) -> Self {
        let socket = runtime().block_on(UdpSocket::bind(("127.0.0.1", 0))).unwrap();
        let address = socket.local_addr().unwrap().to_string();
        let questions = Arc::new(AtomicUsize::new(0));
        let (seen, mut of_a_type) = (Arc::clone(&questions), std::collections::HashMap::<u16, usize>::new());
        let serving = runtime().spawn(async move {
            let mut buffer = [0; 4_096];
            while let Ok((length, peer)) = socket.recv_from(&mut buffer).await {
                let mut query = Query { bytes: buffer[..length].to_vec(), nth: 0 };
                let nth = of_a_type.entry(query.kind()).or_default();
                (query.nth, *nth) = (*nth, *nth + 1);
                seen.fetch_add(1, Ordering::Relaxed);
                for message in script(&query) {
                    drop(socket.send_to(&message, peer).await);
                }
            }
        });
        Self { address, questions, serving }
    }

    /// Every name has these addresses, to be forgotten at once.
    pub(crate) fn all_at(addresses: &'static [&'static str]) -> Self {
        Self::new(move |query| vec![query.addresses(addresses)])
    }

    /// These settings, with this server asked.
    pub(crate) fn asked(&self, settings: Value) -> Value {
        with(settings, "dns", json!({"servers": [self.address], "timeout_ms": 300}))
    }
}

impl Query {
    fn question_end(&self) -> usize {
        let mut at = 12;
        while self.bytes[at] != 0 {
            at += usize::from(self.bytes[at]) + 1;
        }
        at + 5
    }

    fn kind(&self) -> u16 {
        let end = self.question_end();
        u16::from_be_bytes([self.bytes[end - 4], self.bytes[end - 3]])
    }

    /// The name asked for, as it stands in the message.
    fn name(&self) -> &[u8] {
        &self.bytes[12..self.question_end() - 4]
    }

    /// A message with the question and these records.
    pub(crate) fn reply(&self, code: u8, records: &[Vec<u8>]) -> Vec<u8> {
        let mut message = self.bytes[..2].to_vec();
        message.extend([0x85, 0x80 | code, 0, 1, 0, records.len() as u8, 0, 0, 0, 0]);
        message.extend(&self.bytes[12..self.question_end()]);
        message.extend(records.concat());
        message
    }

    /// Those that are of the type asked for.
    pub(crate) fn addresses(&self, addresses: &[&str]) -> Vec<u8> {
        let parsed = addresses.iter().map(|text| text.parse::<IpAddr>().unwrap());
        let fitting: Vec<_> = parsed
            .filter(|address| address.is_ipv4() == (self.kind() == A))
            .map(|address| record(&[0xc0, 12], address))
            .collect();
        self.reply(0, if [A, AAAA].contains(&self.kind()) { &fitting } else { &[] })
    }

    /// The name is another name for `label`.test.
    pub(crate) fn alias(&self, label: &str) -> Vec<u8> {
        let target = [&[label.len() as u8], label.as_bytes(), b"\x04test\0"].concat();
        self.reply(0, &[raw(self.name(), CNAME, &target)])
    }

    /// The first label of the name.
    pub(crate) fn label(&self) -> String {
        let name = self.name();
        String::from_utf8_lossy(&name[1..=usize::from(name[0])]).to_lowercase()
    }
}

pub(crate) fn record(name: &[u8], address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(v4) => raw(name, A, &Ipv4Addr::octets(&v4)),
        IpAddr::V6(v6) => raw(name, AAAA, &Ipv6Addr::octets(&v6)),
    }
}

/// A record that lives no second.
pub(crate) fn raw(name: &[u8], kind: u16, content: &[u8]) -> Vec<u8> {
    let mut record = name.to_vec();
    record.extend(kind.to_be_bytes());
    record.extend([0, 1, 0, 0, 0, 0]);
    record.extend((content.len() as u16).to_be_bytes());
    record.extend(content);
    record
}

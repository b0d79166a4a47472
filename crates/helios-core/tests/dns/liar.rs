//! A name server that says whatever a test wants, on UDP and TCP of one port. Runs on the test's own thread.

use std::cell::Cell;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use helios_core::dns::{DnsSettings, Families, Resolver};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UdpSocket};
use tokio::runtime::Handle;
use tokio::task::JoinSet;

pub(crate) const A: u16 = 1;
pub(crate) const AAAA: u16 = 28;

/// One question as it came.
pub(crate) struct Question {
    /// In lower case.
    pub(crate) name: String,
    pub(crate) kind: u16,
    /// How many questions came before it.
    pub(crate) nth: usize,
    pub(crate) on_tcp: bool,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) struct Liar {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<Vec<(String, u16)>>>,
    tasks: JoinSet<()>,
}

impl Liar {
    /// `says` gives the messages to send for a question, none or several.
    pub(crate) async fn start(says: impl Fn(&Question) -> Vec<Vec<u8>> + Send + Sync + 'static) -> Self {
        let (udp, tcp) = sockets().await;
        let address = udp.local_addr().unwrap();
        let (says, asked) = (Arc::new(says), Arc::new(Mutex::new(Vec::new())));
        let mut tasks = JoinSet::new();
        let (speak, heard) = (Arc::clone(&says), Arc::clone(&asked));
        tasks.spawn(async move {
            let mut buffer = [0; 4096];
            loop {
                let Ok((length, from)) = udp.recv_from(&mut buffer).await else { continue };
                for message in speak(&question(&buffer[..length], false, &heard)) {
                    udp.send_to(&message, from).await.unwrap();
                }
            }
        });
        let heard = Arc::clone(&asked);
        tasks.spawn(async move {
            loop {
                let (mut stream, _) = tcp.accept().await.unwrap();
                let length = stream.read_u16().await.unwrap();
                let mut bytes = vec![0; usize::from(length)];
                stream.read_exact(&mut bytes).await.unwrap();
                for message in says(&question(&bytes, true, &heard)) {
                    stream.write_u16(message.len() as u16).await.unwrap();
                    stream.write_all(&message).await.unwrap();
                }
            }
        });
        Self { address, asked, tasks }
    }

    /// A server that knows these addresses of every name, for 300 s.
    pub(crate) async fn honest(address: &'static str) -> Self {
        Self::start(move |question| vec![question.answer(0, &[question.address(300, address)])]).await
    }

    /// How often a name was asked for, of any kind.
    pub(crate) fn asked(&self, name: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|(asked, _)| asked == name).count()
    }

    pub(crate) async fn kill(mut self) {
        self.tasks.shutdown().await;
    }

    pub(crate) fn settings(&self) -> DnsSettings {
        settings(&[self.address])
    }

    pub(crate) fn resolver(&self) -> Resolver {
        resolver(&self.settings())
    }
}

/// The same port for both.
async fn sockets() -> (UdpSocket, TcpListener) {
    loop {
        let tcp = TcpListener::bind("127.0.0.1:0").await.unwrap();
        if let Ok(udp) = UdpSocket::bind(tcp.local_addr().unwrap()).await {
            return (udp, tcp);
        }
    }
}

fn question(bytes: &[u8], on_tcp: bool, asked: &Mutex<Vec<(String, u16)>>) -> Question {
    let (mut at, mut labels) = (12, Vec::new());
    while bytes[at] != 0 {
        let end = at + 1 + usize::from(bytes[at]);
        labels.push(String::from_utf8(bytes[at + 1..end].to_vec()).unwrap());
        at = end;
    }
    let name = labels.join(".").to_ascii_lowercase();
    let kind = u16::from_be_bytes([bytes[at + 1], bytes[at + 2]]);
    let mut asked = asked.lock().unwrap();
    let nth = asked.len();
    asked.push((name.clone(), kind));
    Question { name, kind, nth, on_tcp, bytes: bytes[..at + 5].to_vec() }
}

impl Question {
    /// The question again, with a code and records.
    pub(crate) fn answer(&self, code: u8, records: &[Vec<u8>]) -> Vec<u8> {
        self.message(code, records, &[])
    }

    /// With records of authority, too.
    pub(crate) fn message(&self, code: u8, answers: &[Vec<u8>], authority: &[Vec<u8>]) -> Vec<u8> {
        let mut out = self.bytes.clone();
        out[2..4].copy_from_slice(&[0x81, 0x80 | code]);
        out[7] = answers.len() as u8;
        out[9] = authority.len() as u8;
        out[10..12].copy_from_slice(&[0, 0]);
        [out, answers.concat(), authority.concat()].concat()
    }

    /// An address of the name that was asked for. Of the other family: a record that does not fit the question.
    pub(crate) fn address(&self, ttl: u32, address: &str) -> Vec<u8> {
        record(&self.name, ttl, address)
    }
}

fn name(text: &str) -> Vec<u8> {
    let labels = text.split('.').flat_map(|label| [&[label.len() as u8], label.as_bytes()].concat());
    labels.chain([0]).collect()
}

fn raw(owner: &str, kind: u16, ttl: u32, data: &[u8]) -> Vec<u8> {
    let (kind, ttl, length) = (kind.to_be_bytes(), ttl.to_be_bytes(), (data.len() as u16).to_be_bytes());
    [&name(owner), &kind[..], &[0, 1], &ttl, &length, data].concat()
}

pub(crate) fn record(owner: &str, ttl: u32, address: &str) -> Vec<u8> {
    match address.parse().unwrap() {
        IpAddr::V4(v4) => raw(owner, A, ttl, &v4.octets()),
        IpAddr::V6(v6) => raw(owner, AAAA, ttl, &v6.octets()),
    }
}

pub(crate) fn alias(owner: &str, ttl: u32, target: &str) -> Vec<u8> {
    raw(owner, 5, ttl, &name(target))
}

pub(crate) fn soa(zone: &str, ttl: u32, minimum: u32) -> Vec<u8> {
    let numbers = [1, 2, 3, 4, minimum].map(u32::to_be_bytes).concat();
    raw(zone, 6, ttl, &[name("ns.test"), name("root.test"), numbers].concat())
}

/// Only IPv4 is asked for unless a test wants more, so that questions can be counted.
pub(crate) fn settings(servers: &[SocketAddr]) -> DnsSettings {
    let servers = servers.iter().map(SocketAddr::to_string).collect();
    DnsSettings { servers, ip: Families::V4, timeout_ms: 2_000, ..DnsSettings::default() }
}

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(1_000_000) };
}

/// Time passes for what a test's resolver remembers.
pub(crate) fn pass(seconds: u64) {
    NOW.set(NOW.get() + seconds * 1_000);
}

pub(crate) fn resolver(settings: &DnsSettings) -> Resolver {
    Resolver::with_clock(settings, &Handle::current(), || NOW.get()).unwrap()
}

pub(crate) fn addresses(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

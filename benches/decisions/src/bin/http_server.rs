//! The server that `http` and `benches/fetch.py` measure against, in a process of its own: one thread a core that it may use, each
//! reply made once and written in one go. `http_server [CA_FILE [PLAIN TLS]]` prints its port (five digits), and that of its
//! TLS side if there is a file for its certificate authority; then it answers at every address of this machine:
//!
//! - `/<bytes>/keep`, `/<bytes>/close`: made-up HTML of this length; with `/gzip` behind it, compressed.
//! - `/slow`: a byte each second, without end.
//! - `/open`: how many are being answered slowly.

use std::collections::HashMap;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use decisions::Rng;
use flate2::Compression;
use flate2::write::GzEncoder;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_rustls::TlsAcceptor;

type Cache<K, V> = LazyLock<Mutex<HashMap<K, V>>>;

static REPLIES: Cache<String, Arc<[u8]>> = LazyLock::new(Mutex::default);
static SLOW: AtomicUsize = AtomicUsize::new(0);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let port = |at: usize| words.get(at).map_or(0, |word| word.parse().expect("a port"));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let rt = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    rt.expect("runtime").block_on(async {
        // A server that sleeps must be woken, and the kernel counts that as time of whoever asks: the fewer questions a second, the
        // more of them pay for it. This one does not sleep, so that slow and fast clients are measured alike.
        for _ in 0..threads {
            tokio::spawn(async {
                loop {
                    tokio::task::yield_now().await;
                }
            });
        }
        let (plain, told) = listen(port(1));
        print!("{told:05}");
        if let Some(file) = words.first() {
            let authority = Arc::new(Authority::new(Path::new(file)));
            let (secure, told) = listen(port(2));
            println!(" {told:05}");
            tokio::spawn(async move {
                loop {
                    let (stream, _) = secure.accept().await.expect("accept");
                    tokio::spawn(answer_securely(stream, Arc::clone(&authority)));
                }
            });
        }
        io::stdout().flush().expect("parent reads");
        loop {
            let (stream, _) = plain.accept().await.expect("accept");
            stream.set_nodelay(true).expect("nodelay");
            tokio::spawn(answer(stream));
        }
    });
}

/// A reply must fit into the socket's buffer: who waits for room, makes the client wake up more often.
fn listen(port: u16) -> (TcpListener, u16) {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_send_buffer_size(1 << 20).expect("a buffer");
    socket.set_reuseaddr(true).expect("reuse");
    socket.bind(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port))).expect("bind");
    let listener = socket.listen(4_096).expect("listen");
    let port = listener.local_addr().expect("address").port();
    (listener, port)
}

/// Signs a certificate for each address that somebody connects to.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    acceptors: Mutex<HashMap<IpAddr, TlsAcceptor>>,
}

impl Authority {
    fn new(file: &Path) -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        // OpenSSL takes a certificate for self-signed if it has its issuer's name.
        params.distinguished_name.push(DnType::CommonName, "authority");
        std::fs::write(file, params.self_signed(&key).expect("a root").pem()).expect("a place for the root");
        Self { issuer: Issuer::new(params, key), acceptors: Mutex::default() }
    }

    fn acceptor(&self, address: IpAddr) -> TlsAcceptor {
        let mut known = self.acceptors.lock().unwrap_or_else(PoisonError::into_inner);
        let made = known.entry(address).or_insert_with(|| {
            let key = KeyPair::generate().expect("a key");
            let params = CertificateParams::new([address.to_string()]).expect("a name");
            let leaf = params.signed_by(&key, &self.issuer).expect("a certificate");
            let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
            let provider = Arc::new(rustls::crypto::ring::default_provider());
            let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
            let config = config.expect("versions").with_no_client_auth();
            TlsAcceptor::from(Arc::new(config.with_single_cert(vec![leaf.into()], key).expect("config")))
        });
        made.clone()
    }
}

async fn answer_securely(stream: TcpStream, authority: Arc<Authority>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let acceptor = authority.acceptor(stream.local_addr()?.ip());
    answer(acceptor.accept(stream).await?).await
}

async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<()> {
    let mut asked = Vec::new();
    loop {
        while memchr::memmem::find(&asked, b"\r\n\r\n").is_none() {
            if stream.read_buf(&mut asked).await? == 0 {
                return Ok(());
            }
        }
        let line = String::from_utf8_lossy(&asked[4..asked.len().min(40)]).into_owned();
        let target = line.split(' ').next().expect("a target");
        if target == "/slow" {
            SLOW.fetch_add(1, Ordering::Relaxed);
            let _gone = trickle(&mut stream).await;
            SLOW.fetch_sub(1, Ordering::Relaxed);
            return Ok(());
        }
        let reply = reply(target);
        stream.write_all(&reply).await?;
        stream.flush().await?;
        if target.contains("close") {
            return stream.shutdown().await;
        }
        asked.clear();
    }
}

/// Goes on until the other side is gone.
async fn trickle(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> io::Result<()> {
    let mut buffer = [0; 64];
    stream.write_all(&head("text/html", 1_000_000, "", true)).await?;
    loop {
        tokio::select! {
            read = stream.read(&mut buffer) => if read? == 0 { return Ok(()) },
            () = tokio::time::sleep(Duration::from_secs(1)) => {
                stream.write_all(b"x").await?;
                stream.flush().await?;
            }
        }
    }
}

fn head(kind: &str, length: usize, coding: &str, keep: bool) -> Vec<u8> {
    let connection = if keep { "keep-alive" } else { "close" };
    format!(
        "HTTP/1.1 200 OK\r\nserver: spike\r\ndate: Sun, 15 Nov 2026 00:00:00 GMT\r\ncontent-type: {kind}; \
         charset=utf-8\r\ncontent-length: {length}\r\n{coding}connection: {connection}\r\n\r\n"
    )
    .into_bytes()
}

fn reply(target: &str) -> Arc<[u8]> {
    if target == "/open" {
        let count = SLOW.load(Ordering::Relaxed).to_string();
        return [head("text/plain", count.len(), "", true), count.into_bytes()].concat().into();
    }
    let mut replies = REPLIES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = replies.get(target) {
        return Arc::clone(known);
    }
    let mut parts = target.trim_start_matches('/').split('/');
    let size: usize = parts.next().and_then(|n| n.parse().ok()).expect("a size");
    let keep = parts.next() == Some("keep");
    let (mut body, mut coding) = (html(size), "");
    if parts.next() == Some("gzip") {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
        encoder.write_all(&body).expect("memory");
        (body, coding) = (encoder.finish().expect("memory"), "content-encoding: gzip\r\n");
    }
    let reply: Arc<[u8]> = [head("text/html", body.len(), coding, keep), body].concat().into();
    replies.insert(target.to_owned(), Arc::clone(&reply));
    reply
}

/// Paragraphs of frequent and rare words, links and some markup; gzip makes it about five times smaller, as it does pages.
fn html(size: usize) -> Vec<u8> {
    let mut rng = Rng(7);
    let mut page = "<!doctype html><html><head><title>A page</title></head><body>".to_owned();
    while page.len() < size {
        let rarity = rng.below(13);
        let word = match rng.below(12) {
            0 => format!("<a href=\"/page/{}\">", rng.below(100_000)),
            1 => "</a>".to_owned(),
            2 => "</p>\n<p class=\"text\">".to_owned(),
            _ => word(rng.below(1 << rarity)),
        };
        page.push_str(&word);
        page.push(' ');
    }
    page.truncate(size);
    page.into_bytes()
}

fn word(number: u64) -> String {
    let mut rng = Rng(number);
    (0..2 + rng.below(8)).map(|_| char::from(b'a' + rng.below(26) as u8)).collect()
}

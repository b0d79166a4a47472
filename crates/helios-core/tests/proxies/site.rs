//! A site on this machine, plain or under TLS, that tells who asked for what; and a proxy of our own, behind TLS.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio_rustls::TlsAcceptor;

pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap())
}

/// Who asked, and the head of the request.
pub(crate) type Asked = (IpAddr, String);

pub(crate) struct Site {
    pub(crate) port: u16,
    scheme: &'static str,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Site {
    pub(crate) fn plain() -> Self {
        Self::start(None, "127.0.0.1")
    }

    pub(crate) fn secure() -> Self {
        Self::start(Some(acceptor()), "127.0.0.1")
    }

    pub(crate) fn start(tls: Option<TlsAcceptor>, address: &str) -> Self {
        let listener = runtime().block_on(TcpListener::bind((address, 0))).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let scheme = if tls.is_some() { "https" } else { "http" };
        runtime().spawn(async move {
            while let Ok((stream, peer)) = listener.accept().await {
                let (log, tls) = (Arc::clone(&log), tls.clone());
                runtime().spawn(async move {
                    match tls {
                        None => serve(stream, peer.ip(), &log).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                serve(stream, peer.ip(), &log).await;
                            }
                        }
                    }
                });
            }
        });
        Self { port, scheme, asked }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.url_at("127.0.0.1", path)
    }

    pub(crate) fn url_at(&self, host: &str, path: &str) -> String {
        format!("{}://{host}:{}{path}", self.scheme, self.port)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The addresses from which it was asked, each once.
    pub(crate) fn askers(&self) -> Vec<String> {
        let mut askers: Vec<String> = self.asked().iter().map(|(peer, _)| peer.to_string()).collect();
        askers.sort();
        askers.dedup();
        askers
    }
}

async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, peer: IpAddr, log: &Mutex<Vec<Asked>>) {
    while let Some(head) = read_head(&mut stream).await {
        log.lock().unwrap().push((peer, head));
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\npage";
        if stream.write_all(answer.as_bytes()).await.is_err() || stream.flush().await.is_err() {
            return;
        }
    }
}

async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    String::from_utf8(head).ok()
}

/// A CONNECT proxy behind TLS; its port.
pub(crate) fn secure_proxy() -> u16 {
    let listener = runtime().block_on(TcpListener::bind(("127.0.0.1", 0))).unwrap();
    let port = listener.local_addr().unwrap().port();
    runtime().spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            runtime().spawn(async move {
                let mut stream = acceptor().accept(stream).await.ok()?;
                let head = read_head(&mut stream).await?;
                let authority = head.strip_prefix("CONNECT ")?.split(' ').next()?.to_owned();
                let mut site = TcpStream::connect(authority).await.ok()?;
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.ok()?;
                tokio::io::copy_bidirectional(&mut stream, &mut site).await.ok()
            });
        }
    });
    port
}

/// One certificate for all; the file in which it can be trusted.
fn certificate() -> &'static (CertifiedKey<rcgen::KeyPair>, PathBuf) {
    static MADE: OnceLock<(CertifiedKey<rcgen::KeyPair>, PathBuf)> = OnceLock::new();
    MADE.get_or_init(|| {
        let names = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let made = generate_simple_self_signed(names).unwrap();
        let file = std::env::temp_dir().join(format!("helios-proxies-{}.pem", std::process::id()));
        std::fs::write(&file, made.cert.pem()).unwrap();
        (made, file)
    })
}

pub(crate) fn trusted_file() -> &'static PathBuf {
    &certificate().1
}

pub(crate) fn acceptor() -> TlsAcceptor {
    let (made, _) = certificate();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

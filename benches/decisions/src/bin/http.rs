//! CPU per HTTP/1.1 request: our own wire, hyper with our own connections, reqwest, and two floors (tokio and epoll by hand).
//!
//! The server (`http_server`) runs in a child process; only the CPU of this process, the client, is counted. 64 requests are in flight at
//! once on one thread. Every client appends the body to one reused buffer, as the crawler does, and checks its length.

use std::env;
use std::future::poll_fn;
use std::io::{ErrorKind, Read, Write};
use std::process::{Command, Stdio};
use std::task::Poll;

use decisions::{cpu_seconds, spread};
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

// The product's own source: it has no door for benchmarks.
#[allow(dead_code, unused_imports, unreachable_pub)]
#[path = "../../../../crates/helios-core/src/fetch/http1/mod.rs"]
mod http1_wire;

const CONNECTIONS: usize = 64;
const RUNS: usize = 5;

type Client = fn(Load);

/// One thing to measure: `turns` requests of `path` on each of the connections, keeping them or not.
#[derive(Clone, Copy)]
struct Load {
    port: u16,
    body: usize,
    keep: bool,
    turns: usize,
}

impl Load {
    fn path(&self) -> String {
        format!("/{}/{}", self.body, if self.keep { "keep" } else { "close" })
    }
    fn request(&self) -> String {
        format!("GET {} HTTP/1.1\r\nhost: localhost\r\n\r\n", self.path())
    }
}

fn main() {
    let exe = env::current_exe().expect("own path").with_file_name("http_server");
    let mut server = Command::new(exe).stdout(Stdio::piped()).spawn().expect("server");
    let mut line = [0; 5];
    server.stdout.as_mut().expect("pipe").read_exact(&mut line).expect("port");
    let port = std::str::from_utf8(&line).expect("digits").parse().expect("port");

    let clients: [(&str, Client); 8] = [
        ("epoll by hand", epoll_by_hand),
        ("tokio by hand", |l| run(l, tokio_by_hand)),
        ("our own wire", |l| run(l, |l| over_our_wire(l, true))),
        ("same, pieces only counted", |l| run(l, |l| over_our_wire(l, false))),
        ("hyper", |l| run(l, |l| over_hyper(l, None, true))),
        ("hyper, 64 KB reads", |l| run(l, |l| over_hyper(l, Some(64 << 10), true))),
        ("same, body only counted", |l| run(l, |l| over_hyper(l, Some(64 << 10), false))),
        ("reqwest", over_reqwest),
    ];
    println!(
        "client CPU us per request, median of {RUNS} [least .. most]; {CONNECTIONS} in flight, one thread"
    );
    for (body, keep, turns) in
        [(33_000, true, 300), (140_000, true, 150), (33_000, false, 60), (140_000, false, 60)]
    {
        let load = Load { port, body, keep, turns };
        println!("\nbody {body}, {}", if keep { "kept connections" } else { "new connection each time" });
        let mut seen = vec![Vec::new(); clients.len()];
        for _ in 0..RUNS {
            for (client, seen) in clients.iter().zip(&mut seen) {
                let before = cpu_seconds();
                client.1(load);
                seen.push((cpu_seconds() - before) * 1e6 / (turns * CONNECTIONS) as f64);
            }
        }
        for (client, seen) in clients.iter().zip(&seen) {
            println!("  {:24} {}", client.0, spread(seen));
        }
    }
    server.kill().expect("server stops");
    server.wait().expect("server is gone");
}

/// Runs one task per connection on a single-threaded runtime.
fn run<F: Future<Output = ()> + 'static>(load: Load, client: impl Fn(Load) -> F) {
    let rt = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runtime");
    tokio::task::LocalSet::new().block_on(&rt, async {
        let tasks: Vec<_> = (0..CONNECTIONS).map(|_| tokio::task::spawn_local(client(load))).collect();
        for task in tasks {
            task.await.expect("a client task");
        }
    });
}

/// `whole`: each body read into a buffer of its own, as the crawler keeps it; else lent in pieces, as a decoder takes it.
async fn over_our_wire(load: Load, whole: bool) {
    let mut wire = None;
    for _ in 0..load.turns {
        let mut http1 = match wire.take() {
            Some(http1) if load.keep => http1,
            _ => {
                let stream = tokio::net::TcpStream::connect(("127.0.0.1", load.port)).await.expect("connect");
                stream.set_nodelay(true).expect("nodelay");
                http1_wire::Http1::new(stream, http1_wire::HeadLimits::default())
            }
        };
        assert!(poll_fn(|context| Poll::Ready(http1.is_open(context))).await);
        let request = http1_wire::Request::get(&load.path(), "localhost").expect("a request");
        http1.send(&request.finish()).await.expect("sent");
        let head = http1.head().await.expect("a head");
        assert_eq!(head.length(), Some(load.body as u64));
        let mut seen = 0;
        if whole {
            let mut body = Vec::new();
            while http1.append(&mut body, usize::MAX).await.expect("body").is_some() {}
            seen = body.len();
        } else {
            while let Some(piece) = http1.piece().await.expect("body") {
                seen += piece.len();
            }
        }
        assert_eq!(seen, load.body);
        wire = Some(http1);
    }
}

async fn over_hyper(load: Load, read_size: Option<usize>, keep_body: bool) {
    let mut body = Vec::new();
    let mut sender: Option<http1::SendRequest<Empty<Bytes>>> = None;
    for _ in 0..load.turns {
        if sender.is_none() || !load.keep {
            let stream = tokio::net::TcpStream::connect(("127.0.0.1", load.port)).await.expect("connect");
            stream.set_nodelay(true).expect("nodelay");
            let mut builder = http1::Builder::new();
            if let Some(size) = read_size {
                builder.read_buf_exact_size(Some(size));
            }
            let (new, connection) = builder.handshake(TokioIo::new(stream)).await.expect("handshake");
            tokio::task::spawn_local(connection);
            sender = Some(new);
        }
        let sender = sender.as_mut().expect("a connection");
        sender.ready().await.expect("ready");
        let request = hyper::Request::get(load.path()).header("host", "localhost").body(Empty::new());
        let mut reply = sender.send_request(request.expect("request")).await.expect("reply");
        body.clear();
        let mut seen = 0;
        while let Some(frame) = reply.body_mut().frame().await {
            if let Ok(data) = frame.expect("frame").into_data() {
                seen += data.len();
                if keep_body {
                    body.extend_from_slice(&data);
                }
            }
        }
        assert_eq!(seen, load.body);
    }
}

fn over_reqwest(load: Load) {
    let client =
        reqwest::Client::builder().no_proxy().http1_only().tcp_nodelay(true).build().expect("client");
    run(load, |load| {
        let client = client.clone();
        async move {
            let url = format!("http://127.0.0.1:{}{}", load.port, load.path());
            let mut body = Vec::new();
            for _ in 0..load.turns {
                let mut reply = client.get(&url).send().await.expect("reply");
                body.clear();
                while let Some(data) = reply.chunk().await.expect("chunk") {
                    body.extend_from_slice(&data);
                }
                assert_eq!(body.len(), load.body);
            }
        }
    });
}

async fn tokio_by_hand(load: Load) {
    let mut reply = Reply::new();
    let mut stream: Option<tokio::net::TcpStream> = None;
    for _ in 0..load.turns {
        if stream.is_none() || !load.keep {
            let new = tokio::net::TcpStream::connect(("127.0.0.1", load.port)).await.expect("connect");
            new.set_nodelay(true).expect("nodelay");
            stream = Some(new);
        }
        let stream = stream.as_mut().expect("a connection");
        stream.write_all(load.request().as_bytes()).await.expect("write");
        reply.start();
        while !reply.done() {
            let got = stream.read(reply.space()).await.expect("read");
            reply.filled += got;
        }
        assert_eq!(reply.body_len(), load.body);
    }
}

/// A reply being read: head and body in one reused buffer.
struct Reply {
    bytes: Vec<u8>,
    filled: usize,
    whole: Option<(usize, usize)>, // head, head + body
}

impl Reply {
    fn new() -> Self {
        Self { bytes: vec![0; 160_000], filled: 0, whole: None }
    }

    fn start(&mut self) {
        self.filled = 0;
        self.whole = None;
    }

    fn space(&mut self) -> &mut [u8] {
        &mut self.bytes[self.filled..]
    }

    fn done(&mut self) -> bool {
        if self.whole.is_none() {
            let mut headers = [httparse::EMPTY_HEADER; 16];
            let mut head = httparse::Response::new(&mut headers);
            if let Ok(httparse::Status::Complete(n)) = head.parse(&self.bytes[..self.filled]) {
                let length = head.headers.iter().find(|h| h.name.eq_ignore_ascii_case("content-length"));
                let length = std::str::from_utf8(length.expect("a length").value).expect("digits");
                self.whole = Some((n, n + length.parse::<usize>().expect("a number")));
            }
        }
        self.whole.is_some_and(|(_, end)| self.filled >= end)
    }

    fn body_len(&self) -> usize {
        self.whole.map_or(0, |(head, end)| end - head)
    }
}

fn epoll_by_hand(load: Load) {
    let mut poll = mio::Poll::new().expect("poll");
    let request = load.request();
    let open = |poll: &mio::Poll, n: usize| {
        let stream = std::net::TcpStream::connect(("127.0.0.1", load.port)).expect("connect");
        stream.set_nodelay(true).expect("nodelay");
        stream.set_nonblocking(true).expect("nonblocking");
        let mut stream = mio::net::TcpStream::from_std(stream);
        poll.registry().register(&mut stream, mio::Token(n), mio::Interest::READABLE).expect("register");
        stream.write_all(request.as_bytes()).expect("a request fits into the socket buffer");
        stream
    };
    let mut connections: Vec<_> = (0..CONNECTIONS).map(|n| (open(&poll, n), Reply::new(), 0)).collect();
    let mut events = mio::Events::with_capacity(CONNECTIONS);
    let mut left = CONNECTIONS;
    while left > 0 {
        poll.poll(&mut events, None).expect("poll");
        for event in &events {
            let n = event.token().0;
            let (stream, reply, turns) = &mut connections[n];
            loop {
                match stream.read(reply.space()) {
                    Ok(0) => break,
                    Ok(got) => reply.filled += got,
                    Err(e) if e.kind() == ErrorKind::WouldBlock => break,
                    Err(e) => panic!("{e}"),
                }
            }
            if *turns < load.turns && reply.done() {
                assert_eq!(reply.body_len(), load.body);
                *turns += 1;
                reply.start();
                match (*turns == load.turns, load.keep) {
                    (true, _) => left -= 1,
                    (false, true) => stream.write_all(request.as_bytes()).expect("write"),
                    (false, false) => *stream = open(&poll, n),
                }
            }
        }
    }
}

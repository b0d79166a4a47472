//! What a page costs to serve: CPU of the server process per page, beside a minimal raw server that sends the same sizes.
//!
//! The servers are children of this program (itself, started again); 64 kept-alive connections ask a bounded number of pages.
//! `cargo run --release -p helios-sim --example serve_cost -- [PAGES]` prints one line for people and one of JSON.

use std::io::{self, BufRead as _, BufReader, IoSlice, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use helios_sim::server::{Listen, serve};
use helios_sim::settings::WebSettings;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const CONNECTIONS: usize = 64;
const LARGEST: usize = 8 << 20;
/// The unit of /proc/PID/stat: 100 a second on Linux.
const TICK_US: f64 = 10_000.0;

fn main() -> Outcome<()> {
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        Some("--web") => child_web(),
        Some("--raw") => child_raw(),
        pages => compare(pages.map_or(Ok(40_000), str::parse)?),
    }
}

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Says its port and serves until its standard input ends.
fn child_web() -> Outcome<()> {
    let settings = WebSettings::fast();
    let runtime = tokio::runtime::Runtime::new()?;
    let running = runtime.block_on(serve(settings, &Listen::default()))?;
    say(&running.ports().http.to_string())?;
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

/// As little as a server can do: a thread a connection, `/SIZE` is answered with so many bytes that lie ready.
fn child_raw() -> Outcome<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let body = vec![b'x'; LARGEST];
    say(&listener.local_addr()?.port().to_string())?;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for stream in listener.incoming().flatten() {
                scope.spawn(|| raw_connection(stream, &body));
            }
        });
        _ = io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0)
    })
}

fn raw_connection(mut stream: TcpStream, body: &[u8]) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut buffer = [0; 4_096];
    loop {
        let mut length = 0;
        while !buffer.get(..length)?.ends_with(b"\r\n\r\n") {
            length += Some(stream.read(buffer.get_mut(length..)?).ok()?).filter(|read| *read > 0)?;
        }
        let line = std::str::from_utf8(buffer.get(..length)?).ok()?.strip_prefix("GET /")?;
        let size: usize = line.split(' ').next()?.parse().ok()?;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {size}\r\n\r\n");
        let rest = body.get(..size)?;
        let sent = stream.write_vectored(&[IoSlice::new(head.as_bytes()), IoSlice::new(rest)]).ok()?;
        stream.write_all(rest.get(sent.checked_sub(head.len())?..)?).ok()?;
    }
}

/// A child that serves, and its port.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(kind: &str) -> Outcome<Self> {
        let mut child = std::process::Command::new(std::env::current_exe()?)
            .arg(kind)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        Ok(Self { child, port: line.trim().parse()? })
    }

    /// User and system time so far.
    fn cpu_us(&self) -> Outcome<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // Fields after the name in brackets, which may hold spaces; the 12th and 13th of them are utime and stime.
        let fields = stat.rsplit_once(')').ok_or("odd stat")?.1;
        let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<f64>);
        Ok(ticks.sum::<Result<f64, _>>()? * TICK_US)
    }

    fn stop(mut self) -> io::Result<()> {
        drop(self.child.stdin.take());
        self.child.wait().map(drop)
    }
}

/// Host and target of the pages to ask.
type Page = (String, String);

struct Measure {
    cpu_us_per_page: f64,
    sizes: Vec<usize>,
    failed: u64,
}

/// Asks each page in turn, over and over, until so many are asked.
fn drive(server: &Server, pages: &[Page], count: usize) -> Outcome<Measure> {
    let warm_up = AtomicUsize::new(count.saturating_sub(count / 20));
    let sizes = Mutex::new(Vec::with_capacity(count));
    load(server.port, pages, &warm_up, count, &|_| ());
    let before = server.cpu_us()?;
    let failed = load(server.port, pages, &AtomicUsize::new(0), count, &|some| {
        if let Ok(mut sizes) = sizes.lock() {
            sizes.extend(some);
        }
    });
    let cpu = server.cpu_us()? - before;
    let sizes = sizes.into_inner()?;
    Ok(Measure { cpu_us_per_page: cpu / sizes.len().max(1) as f64, sizes, failed })
}

fn load(
    port: u16,
    pages: &[Page],
    next: &AtomicUsize,
    count: usize,
    done: &(dyn Fn(Vec<usize>) + Sync),
) -> u64 {
    let failed = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut connection = None;
                let mut sizes = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((host, target)) =
                        pages.get(number % pages.len().max(1)).filter(|_| number < count)
                    else {
                        break;
                    };
                    match ask(&mut connection, port, host, target) {
                        Ok(size) => sizes.push(size),
                        Err(_) => _ = failed.fetch_add(1, Ordering::Relaxed),
                    }
                }
                done(sizes);
            });
        }
    });
    failed.into_inner()
}

/// The size of the body; the connection is kept unless it broke.
fn ask(kept: &mut Option<BufReader<TcpStream>>, port: u16, host: &str, target: &str) -> Outcome<usize> {
    let mut stream = match kept.take() {
        Some(stream) => stream,
        None => BufReader::with_capacity(65_536, TcpStream::connect(("127.0.0.1", port))?),
    };
    stream.get_ref().set_nodelay(true)?;
    let request = format!("GET {target} HTTP/1.1\r\nhost: {host}\r\naccept-encoding: gzip, br, zstd\r\n\r\n");
    stream.get_mut().write_all(request.as_bytes())?;
    let mut size = 0;
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            return Err("the server left".into());
        }
        if let Some(length) = line.strip_prefix("content-length: ") {
            size = length.trim().parse()?;
        }
    }
    io::copy(&mut (&mut stream).take(size as u64), &mut io::sink())?;
    *kept = Some(stream);
    Ok(size)
}

/// Pages of http hosts that the web means to be stored.
fn stored_pages(port: u16) -> Outcome<Vec<Page>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.write_all(b"GET /__expected HTTP/1.0\r\nhost: 127.0.0.1\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let lines = answer.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let stored = lines.filter(|line| line.get("fate").is_some_and(|fate| fate == "stored"));
    let pages = stored.filter_map(|line| {
        let (authority, target) = line.get("url")?.as_str()?.strip_prefix("http://")?.split_once('/')?;
        Some((authority.to_owned(), format!("/{target}")))
    });
    Ok(pages.collect())
}

fn compare(count: usize) -> Outcome<()> {
    let web = Server::start("--web")?;
    let pages = stored_pages(web.port)?;
    let measured = drive(&web, &pages, count)?;
    web.stop()?;
    let raw = Server::start("--raw")?;
    let same: Vec<Page> =
        measured.sizes.iter().map(|size| ("raw".to_owned(), format!("/{}", size.min(&LARGEST)))).collect();
    let reference = drive(&raw, &same, same.len())?;
    raw.stop()?;
    let (web_us, raw_us) = (measured.cpu_us_per_page, reference.cpu_us_per_page);
    let mean = measured.sizes.iter().sum::<usize>() / measured.sizes.len().max(1);
    let ratio = web_us / raw_us;
    let (served, distinct) = (measured.sizes.len(), pages.len());
    say(&format!(
        "{served} pages of {mean} bytes over {CONNECTIONS} connections: {web_us:.1} us CPU a page, raw server {raw_us:.1} us, ratio {ratio:.2}"
    ))?;
    let line = serde_json::json!({
        "bench": "serve_cost",
        "pages": served,
        "distinct_pages": distinct,
        "failed": measured.failed,
        "mean_body_bytes": mean,
        "connections": CONNECTIONS,
        "web_us_per_page": web_us,
        "raw_us_per_page": raw_us,
        "ratio": ratio,
    });
    say(&line.to_string())?;
    Ok(())
}

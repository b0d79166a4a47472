//! What a page costs to serve: CPU of the server process per page, beside a minimal raw server that sends the same sizes.
//!
//! The servers are children of this program (itself, started again); 64 kept-alive connections ask a bounded number of pages.
//! Each of three rounds asks other pages of the web and then answers of the same sizes of the raw server, so that both meet the same
//! neighbours on the machine. `cargo run --release -p helios-sim --example serve_cost -- [PAGES [WORKERS]]` prints one line
//! for people and one of JSON; WORKERS are the threads of the web, as many as cores unless given.

use std::io::{self, BufRead as _, BufReader, IoSlice, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use helios_sim::server::{Listen, serve};
use helios_sim::settings::WebSettings;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const CONNECTIONS: usize = 64;
const ROUNDS: usize = 3;
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
    let runtime = match std::env::args().nth(2) {
        Some(workers) => tokio::runtime::Builder::new_multi_thread()
            .worker_threads(workers.parse()?)
            .enable_all()
            .build()?,
        None => tokio::runtime::Runtime::new()?,
    };
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
            .args(std::env::args().nth(2))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        Ok(Self { child, port: line.trim().parse()? })
    }

    /// User and system time so far, in microseconds.
    fn cpu_us(&self) -> Outcome<[f64; 2]> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // Fields after the name in brackets, which may hold spaces; the 12th and 13th of them are utime and stime.
        let mut fields = stat.rsplit_once(')').ok_or("odd stat")?.1.split_whitespace().skip(11);
        let mut time =
            || -> Outcome<f64> { Ok(fields.next().ok_or("short stat")?.parse::<f64>()? * TICK_US) };
        Ok([time()?, time()?])
    }

    fn stop(mut self) -> io::Result<()> {
        drop(self.child.stdin.take());
        self.child.wait().map(drop)
    }
}

/// Host and target of the pages to ask.
type Page = (String, String);

/// One round of one server.
struct Measure {
    /// User and system.
    us_per_page: [f64; 2],
    sizes: Vec<usize>,
    failed: u64,
}

impl Measure {
    fn whole(&self) -> f64 {
        self.us_per_page.iter().sum()
    }
}

/// Asks so many pages, after a few that do not count: new connections, cold caches.
fn drive(server: &Server, pages: &[Page], count: usize) -> Outcome<Measure> {
    let sizes = Mutex::new(Vec::with_capacity(count));
    load(server.port, pages, &AtomicUsize::new(count.saturating_sub(count / 20)), count, &|_| ());
    let before = server.cpu_us()?;
    let failed = load(server.port, pages, &AtomicUsize::new(0), count, &|some| {
        if let Ok(mut sizes) = sizes.lock() {
            sizes.extend(some);
        }
    });
    let after = server.cpu_us()?;
    let sizes = sizes.into_inner()?;
    let pages = sizes.len().max(1) as f64;
    let [user, system] = [0, 1]
        .map(|at: usize| after.get(at).zip(before.get(at)).map_or(0.0, |(to, from)| (to - from) / pages));
    Ok(Measure { us_per_page: [user, system], sizes, failed })
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

/// Least, middle and most of an odd number of rounds.
fn spread(rounds: &[Measure], of: impl Fn(&Measure) -> f64) -> [f64; 3] {
    let mut values: Vec<f64> = rounds.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
    [at(0), at(values.len() / 2), at(values.len().saturating_sub(1))]
}

fn compare(count: usize) -> Outcome<()> {
    let (web, raw) = (Server::start("--web")?, Server::start("--raw")?);
    let mut pages = stored_pages(web.port)?;
    let distinct = pages.len();
    let (mut webs, mut raws) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let measured = drive(&web, &pages, count)?;
        let same = measured.sizes.iter().map(|size| ("raw".to_owned(), format!("/{}", size.min(&LARGEST))));
        let same: Vec<Page> = same.collect();
        raws.push(drive(&raw, &same, same.len())?);
        webs.push(measured);
        // The next round begins with what this one did not ask; it comes round again only when all were asked.
        pages.rotate_left(count % distinct.max(1));
    }
    web.stop()?;
    raw.stop()?;
    report(distinct, &webs, &raws)
}

fn report(distinct: usize, webs: &[Measure], raws: &[Measure]) -> Outcome<()> {
    let (web, raw) = (spread(webs, Measure::whole), spread(raws, Measure::whole));
    let system = |of: &Measure| of.us_per_page.last().copied().unwrap_or(0.0);
    let ([_, web_system, _], [_, raw_system, _]) = (spread(webs, system), spread(raws, system));
    let served: usize = webs.iter().map(|round| round.sizes.len()).sum();
    let mean = webs.iter().flat_map(|round| &round.sizes).sum::<usize>() / served.max(1);
    let failed: u64 = webs.iter().map(|round| round.failed).sum();
    let ([web_least, web_us, web_most], [raw_least, raw_us, raw_most]) = (web, raw);
    let ratio = web_us / raw_us;
    say(&format!(
        "{served} pages of {mean} bytes on the wire over {CONNECTIONS} connections, median of {ROUNDS} rounds: \
         {web_us:.1} us CPU a page ({web_least:.1} to {web_most:.1}, {web_system:.1} of it system), \
         raw server {raw_us:.1} us ({raw_least:.1} to {raw_most:.1}, {raw_system:.1} system), ratio {ratio:.2}"
    ))?;
    let line = serde_json::json!({
        "bench": "serve_cost",
        "rounds": ROUNDS,
        "pages": served,
        "distinct_pages": distinct,
        "failed": failed,
        "mean_body_bytes": mean,
        "connections": CONNECTIONS,
        "web_us_per_page": web_us,
        "web_us_spread": [web_least, web_most],
        "web_system_us_per_page": web_system,
        "raw_us_per_page": raw_us,
        "raw_us_spread": [raw_least, raw_most],
        "raw_system_us_per_page": raw_system,
        "ratio": ratio,
    });
    say(&line.to_string())?;
    Ok(())
}

//! Servers of others as processes: found, configured in a folder of their own, started, and ended by their process.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use helios_core::clock;

use crate::authority::{Authority, Leaf};
use crate::server::runtime;

/// A folder with files to serve, a certificate and whatever the server writes; gone with it.
pub(crate) struct Site {
    pub(crate) folder: PathBuf,
    pub(crate) authority: Authority,
}

impl Drop for Site {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// Small pages, and how many.
pub(crate) const PAGES: usize = 300;

impl Site {
    pub(crate) fn new() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let name = format!("helios-real-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        let files = folder.join("files");
        fs::create_dir_all(&files).unwrap();
        for page in 0..PAGES {
            fs::write(files.join(format!("{page}.html")), text(page as u64, 500 + 97 * page)).unwrap();
        }
        fs::write(files.join("big.html"), text(7, 10_000_000)).unwrap();
        fs::write(files.join("empty.html"), "").unwrap();
        let authority = Authority::new();
        let (certificate, key) = authority.signed(Leaf::Good);
        fs::write(folder.join("certificate.pem"), certificate.pem()).unwrap();
        fs::write(folder.join("key.pem"), key.serialize_pem()).unwrap();
        Self { folder, authority }
    }

    pub(crate) fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.join("files").join(name)).unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().to_owned()
    }

    /// What the server wrote; it may be a little late.
    pub(crate) fn log(&self, until: impl Fn(&str) -> bool) -> String {
        let mut log = String::new();
        for _ in 0..50 {
            log = fs::read_to_string(self.folder.join("access.log")).unwrap_or_default();
            if until(&log) {
                break;
            }
            wait();
        }
        log
    }
}

/// Text that packs about as well as pages do.
fn text(seed: u64, length: usize) -> String {
    let mut state = seed;
    let mut out = String::with_capacity(length + 20);
    while out.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        out.push_str(
            ["the ", "sun ", "rises ", "over ", "<p>", "helios ", "and ", "\n"][(state >> 61) as usize],
        );
        out.push_str(&(state >> 52).to_string());
    }
    out.truncate(length);
    out
}

/// The program, where a system or our own environment has it. Without it a test says so and is passed over.
#[allow(clippy::print_stdout, reason = "a test that is passed over says why")]
pub(crate) fn found(program: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin");
    let system = ["/usr/local/bin", "/usr/bin", "/usr/local/sbin", "/usr/sbin"].map(PathBuf::from);
    let place = [own].into_iter().chain(system).map(|folder| folder.join(program)).find(|path| path.exists());
    if place.is_none() {
        println!("skipped: {program} is not installed (make setup-dev as root brings it)");
    }
    place
}

/// A port that nobody listens at, below those that systems give to connections: none of those takes it before the server does.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let turn = std::process::id().wrapping_mul(101).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = 20_000 + u16::try_from(turn % 10_000).unwrap();
        if TcpListener::bind(("0.0.0.0", port)).is_ok() {
            return port;
        }
    }
}

/// A server that runs until it is dropped.
pub(crate) struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Running {
    /// Starts it and waits until it takes connections.
    pub(crate) fn start(command: &mut Command, site: &Site, port: u16) -> Self {
        let log = fs::File::create(site.folder.join("output.log")).unwrap();
        let child = command
            .current_dir(&site.folder)
            .env("HOME", &site.folder)
            .env("XDG_DATA_HOME", &site.folder)
            .env("XDG_CONFIG_HOME", &site.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut running = Self(child);
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return running;
            }
            if running.0.try_wait().unwrap().is_some() {
                break;
            }
            wait();
        }
        panic!("it did not start: {}", fs::read_to_string(site.folder.join("output.log")).unwrap());
    }
}

fn wait() {
    runtime().block_on(clock::sleep(Duration::from_millis(50)));
}

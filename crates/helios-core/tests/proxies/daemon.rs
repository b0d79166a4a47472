//! Proxies that others wrote, as processes of ours on loopback. Each goes out from an address of its own.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use helios_core::clock;

use crate::site::runtime;

/// How long a proxy may take to begin.
const PATIENCE_MS: u64 = 10_000;

pub(crate) struct Daemon {
    child: Child,
    pub(crate) port: u16,
    /// Where it goes out from.
    pub(crate) from: String,
    folder: PathBuf,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.stop();
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

impl Daemon {
    /// `None`, with the reason printed, where it is not installed.
    pub(crate) fn tinyproxy(login: Option<(&str, &str)>) -> Option<Self> {
        let login =
            login.map(|(user, password)| format!("BasicAuth {user} {password}\n")).unwrap_or_default();
        Self::with_file("tinyproxy", &["-d", "-c"], |port, from| {
            format!(
                "Port {port}\nListen 127.0.0.1\nBind {from}\nTimeout 60\nMaxClients 100\nAllow 127.0.0.0/8\n{login}"
            )
        })
    }

    pub(crate) fn microsocks(login: Option<(&str, &str)>) -> Option<Self> {
        Self::microsocks_at(free_port(), login)
    }

    pub(crate) fn microsocks_at(port: u16, login: Option<(&str, &str)>) -> Option<Self> {
        let from = next_address();
        let mut command = Command::new(program("microsocks")?);
        command.args(["-i", "127.0.0.1", "-p", &port.to_string(), "-b", &from]);
        if let Some((user, password)) = login {
            command.args(["-u", user, "-P", password]);
        }
        Some(Self::start(command, port, from, folder()))
    }

    /// A microsocks that goes out from wherever the system likes, so that it reaches IPv6 as well.
    pub(crate) fn microsocks_of_both_families() -> Option<Self> {
        let port = free_port();
        let mut command = Command::new(program("microsocks")?);
        command.args(["-i", "127.0.0.1", "-p", &port.to_string()]);
        Some(Self::start(command, port, String::new(), folder()))
    }

    pub(crate) fn dante() -> Option<Self> {
        Self::dante_but_not_to("127.255.0.0")
    }

    /// Its rules forbid one address.
    pub(crate) fn dante_but_not_to(address: &str) -> Option<Self> {
        Self::with_file("danted", &["-f"], |port, from| {
            let pass = "pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }\n";
            let block = format!("block {{ from: 0.0.0.0/0 to: {address}/32 }}\n");
            let users = "user.privileged: root\nuser.unprivileged: nobody\n";
            format!(
                "logoutput: stderr\ninternal: 127.0.0.1 port = {port}\nexternal: {from}\nclientmethod: none\n\
                 socksmethod: none\n{users}client {pass}socks {block}socks {pass}"
            )
        })
    }

    /// A program whose settings are in a file, which is its last argument.
    fn with_file(name: &str, arguments: &[&str], file: impl Fn(u16, &str) -> String) -> Option<Self> {
        let program = program(name)?;
        let (port, from, folder) = (free_port(), next_address(), folder());
        let path = folder.join("proxy.conf");
        std::fs::write(&path, file(port, &from)).unwrap();
        let mut command = Command::new(program);
        command.args(arguments).arg(path);
        Some(Self::start(command, port, from, folder))
    }

    fn start(mut command: Command, port: u16, from: String, folder: PathBuf) -> Self {
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = quiet.current_dir(&folder).spawn().unwrap();
        let mut daemon = Self { child, port, from, folder };
        let until = clock::now() + PATIENCE_MS;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(daemon.child.try_wait().unwrap().is_none(), "{command:?} has ended");
            assert!(clock::now() < until, "{command:?} does not listen");
            runtime().block_on(clock::sleep(Duration::from_millis(20)));
        }
        daemon
    }

    pub(crate) fn url(&self, scheme: &str) -> String {
        format!("{scheme}://127.0.0.1:{}", self.port)
    }

    /// Ends it, and with it what it relays. Asked nicely: Dante has children to end.
    pub(crate) fn stop(&mut self) {
        if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
            return;
        }
        let asked = Command::new("kill").arg(self.child.id().to_string()).status();
        if !asked.is_ok_and(|status| status.success()) {
            self.child.kill().ok();
        }
        self.child.wait().ok();
    }
}

fn program(name: &str) -> Option<PathBuf> {
    let folders = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"];
    let found = folders.iter().map(|folder| PathBuf::from(folder).join(name)).find(|path| path.exists());
    if found.is_none() {
        println!("skipped: {name} is not installed (tools/setup.sh dev brings it)");
    }
    found
}

fn next_address() -> String {
    static USED: AtomicUsize = AtomicUsize::new(2);
    format!("127.0.0.{}", USED.fetch_add(1, Ordering::Relaxed))
}

fn folder() -> PathBuf {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let name = format!("helios-proxies-{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A port that nobody listens on.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

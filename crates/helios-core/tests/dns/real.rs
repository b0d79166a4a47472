//! Servers that nobody here wrote: unbound and dnsmasq; and the synthetic web's own.

use std::io::Write as _;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use helios_core::clock;
use helios_core::dns::{DnsError, DnsSettings, Families, Resolver};
use helios_sim::reply::Resolution;
use helios_sim::server::{Listen, serve};
use helios_sim::settings::WebSettings;
use tokio::runtime::Handle;

use crate::liar::{addresses, settings};

/// A server of the system, ended with the test.
struct Served {
    child: Child,
    address: SocketAddr,
    folder: PathBuf,
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn program(name: &str) -> Option<PathBuf> {
    let found = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/opt/homebrew/sbin"]
        .iter()
        .map(|folder| PathBuf::from(folder).join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        eprintln!("skipped: no {name} here (Debian: apt-get install unbound dnsmasq-base)");
    }
    found
}

/// Starts it with a free port, and waits until it answers.
async fn start(name: &str, command: impl Fn(&mut Command, u16, &PathBuf)) -> Option<Served> {
    let path = program(name)?;
    let port = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let folder = std::env::temp_dir().join(format!("helios-{name}-{}-{port}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let mut command_line = Command::new(path);
    command(&mut command_line, port, &folder);
    let child = command_line.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let served = Served { child, address: SocketAddr::from(([127, 0, 0, 1], port)), folder };
    for _ in 0..200 {
        let quick = DnsSettings { timeout_ms: 100, ..settings(&[served.address]) };
        let resolver = Resolver::new(&quick, &Handle::current()).unwrap();
        if resolver.addresses("plain.test").await.is_ok() {
            return Some(served);
        }
        clock::sleep(Duration::from_millis(50)).await;
    }
    panic!("{name} does not answer");
}

const UNBOUND: &str = r#"
    do-daemonize: no
    username: ""
    chroot: ""
    pidfile: ""
    use-syslog: no
    do-ip6: no
    module-config: "iterator"
    do-not-query-localhost: yes
    local-zone: "test." static
    local-data: "test. 300 IN SOA ns.test. root.test. 1 2 3 4 120"
    local-data: "plain.test. 300 IN A 192.0.2.1"
    local-data: "plain.test. 300 IN AAAA 2001:db8::1"
    local-data: "six.test. 300 IN AAAA 2001:db8::6"
    local-data: "text.test. 300 IN TXT 'no address'"
"#;

async fn unbound() -> Option<Served> {
    start("unbound", |command, port, folder| {
        let file = folder.join("unbound.conf");
        let mut text = std::fs::File::create(&file).unwrap();
        write!(
            text,
            "server:\n    interface: 127.0.0.1@{port}\n    directory: \"{}\"\n{UNBOUND}",
            folder.display()
        )
        .unwrap();
        for number in 0..100 {
            writeln!(text, "    local-data: \"many.test. 300 IN A 192.0.2.{number}\"").unwrap();
        }
        writeln!(text, "remote-control:\n    control-enable: no").unwrap();
        command.arg("-c").arg(file);
    })
    .await
}

async fn dnsmasq() -> Option<Served> {
    start("dnsmasq", |command, port, _| {
        command.args(["--keep-in-foreground", "--no-resolv", "--no-hosts", "--bind-interfaces"]);
        command.args([
            "--conf-file=/dev/null",
            "--listen-address=127.0.0.1",
            "--local=/test/",
            "--pid-file=",
        ]);
        command
            .args(["--host-record=plain.test,192.0.2.1,2001:db8::1", "--host-record=six.test,2001:db8::6"]);
        command
            .args(["--cname=alias.test,plain.test", "--txt-record=text.test,none"])
            .arg(format!("--port={port}"));
        for number in 0..100 {
            command.arg(format!("--host-record=many.test,192.0.2.{number}"));
        }
    })
    .await
}

fn resolver(servers: &[SocketAddr]) -> Resolver {
    let settings = DnsSettings { ip: Families::Both, ..settings(servers) };
    Resolver::new(&settings, &Handle::current()).unwrap()
}

async fn answers(resolver: &Resolver) {
    assert_eq!(*resolver.addresses("plain.test").await.unwrap(), addresses(&["192.0.2.1", "2001:db8::1"]));
    assert_eq!(*resolver.addresses("SIX.test.").await.unwrap(), addresses(&["2001:db8::6"]));
    assert_eq!(resolver.addresses("text.test").await, Err(DnsError::NoAddress));
    assert_eq!(resolver.addresses("nobody.test").await, Err(DnsError::NoSuchName));
    assert_eq!(resolver.stats().tcp, 0);
    assert_eq!(resolver.addresses("many.test").await.unwrap().len(), 32, "as many as are kept");
    assert!(resolver.stats().tcp > 0, "it did not fit into a datagram");
}

#[tokio::test]
async fn unbound_is_understood() {
    let Some(server) = unbound().await else { return };
    answers(&resolver(&[server.address])).await;
}

#[tokio::test]
async fn dnsmasq_is_understood() {
    let Some(server) = dnsmasq().await else { return };
    let resolver = resolver(&[server.address]);
    answers(&resolver).await;
    assert_eq!(*resolver.addresses("alias.test").await.unwrap(), addresses(&["192.0.2.1", "2001:db8::1"]));
}

#[tokio::test]
async fn when_the_first_of_two_real_servers_is_killed_the_second_answers() {
    let (Some(first), Some(second)) = (unbound().await, dnsmasq().await) else { return };
    let resolver = resolver(&[first.address, second.address]);
    assert_eq!(resolver.addresses("alias.test").await, Err(DnsError::NoSuchName), "only the second knows it");
    drop(first);
    assert_eq!(*resolver.addresses("six.test").await.unwrap(), addresses(&["2001:db8::6"]));
    assert_eq!(*resolver.addresses("plain.test").await.unwrap(), addresses(&["192.0.2.1", "2001:db8::1"]));
}

#[tokio::test]
async fn the_synthetic_web_is_resolved_as_it_says_itself() {
    let web = WebSettings { hosts: 60, dead_hosts: 0.3, ..WebSettings::demo() };
    let running = serve(web, &Listen::default()).await.unwrap();
    let server = SocketAddr::from(([127, 0, 0, 1], running.ports().dns));
    let settings = DnsSettings { timeout_ms: 300, ip: Families::Both, ..settings(&[server]) };
    let resolver = Resolver::new(&settings, &Handle::current()).unwrap();
    for host in 0..60 {
        let name = running.web().host(host).name.clone();
        let found = resolver.addresses(&name).await;
        match running.web().resolve(&name, Duration::ZERO) {
            Resolution::Addresses(known, _) => {
                let known: Vec<IpAddr> = known.into_iter().map(IpAddr::V4).collect();
                assert_eq!(*found.unwrap(), known, "{name}");
            }
            Resolution::NoSuchName => assert_eq!(found, Err(DnsError::NoSuchName), "{name}"),
            Resolution::ServerFailure => assert!(found.is_err_and(DnsError::is_temporary), "{name}"),
            Resolution::Silence => assert_eq!(found, Err(DnsError::TimedOut), "{name}"),
        }
    }
    running.stop().await;
}

//! The sockets: on every 127.x.y.z of the loopback device, and on nothing else.
//!
//! Hosts of the web live on many loopback addresses with one port, so that the sockets take every address, but of the device `lo` alone:
//! no packet from outside arrives there. Packets of this machine to its own outside address do come by `lo`; so each
//! connection is looked at, too. Where a socket cannot be tied to a device, 127.0.0.1 is all that is served.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::net::{TcpListener, TcpSocket, TcpStream, UdpSocket};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use super::Shared;
use super::http;
use super::line::Line;
use super::shell;
use super::wire::Cut as _;
use crate::reply::HostId;

const BACKLOG: u32 = 4_096;
/// Most pages fit, so that most answers are one system call.
const SEND_BUFFER: u32 = 512 * 1_024;

/// The ports to bind; 0 takes any free one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Listen {
    pub http_port: u16,
    pub https_port: u16,
    pub dns_port: u16,
}

/// The ports that were bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ports {
    pub http: u16,
    pub https: u16,
    pub dns: u16,
    /// False: this system cannot tie a socket to a device, and only 127.0.0.1 is served.
    pub all_addresses: bool,
}

/// Why a web cannot be served.
#[derive(Debug)]
pub enum ServeError {
    PortBusy { name: &'static str, port: u16 },
    Bind { name: &'static str, port: u16, error: io::Error },
    Web(String),
    Certificates(String),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PortBusy { name, port } => write!(
                f,
                "port {port} is in use by another program: choose another {name} port, or 0 for any free one (--{name}-port)"
            ),
            Self::Bind { name, port, error } => write!(f, "the {name} port {port} cannot be opened: {error}"),
            Self::Web(why) => write!(f, "the web cannot be made: {why}"),
            Self::Certificates(why) => write!(f, "the certificates cannot be made: {why}"),
        }
    }
}

impl std::error::Error for ServeError {}

pub(super) struct Sockets {
    pub(super) http: TcpListener,
    pub(super) https: TcpListener,
    pub(super) dns: UdpSocket,
    pub(super) ports: Ports,
}

pub(super) async fn bind(listen: &Listen) -> Result<Sockets, ServeError> {
    let (http, all) = tcp("http", listen.http_port)?;
    let (https, _) = tcp("https", listen.https_port)?;
    let dns = UdpSocket::bind((Ipv4Addr::LOCALHOST, listen.dns_port)).await;
    let dns = dns.map_err(|error| refused("dns", listen.dns_port, error))?;
    let port = |address: io::Result<SocketAddr>| address.map_or(0, |address| address.port());
    let ports = Ports {
        http: port(http.local_addr()),
        https: port(https.local_addr()),
        dns: port(dns.local_addr()),
        all_addresses: all,
    };
    Ok(Sockets { http, https, dns, ports })
}

fn refused(name: &'static str, port: u16, error: io::Error) -> ServeError {
    if error.kind() == io::ErrorKind::AddrInUse {
        return ServeError::PortBusy { name, port };
    }
    ServeError::Bind { name, port, error }
}

fn tcp(name: &'static str, port: u16) -> Result<(TcpListener, bool), ServeError> {
    let open = || -> io::Result<(TcpListener, bool)> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.set_send_buffer_size(SEND_BUFFER)?;
        let all = tie_to_loopback(&socket);
        let address = if all { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        socket.bind((address, port).into())?;
        Ok((socket.listen(BACKLOG)?, all))
    };
    open().map_err(|error| refused(name, port, error))
}

#[cfg(target_os = "linux")]
fn tie_to_loopback(socket: &TcpSocket) -> bool {
    socket.bind_device(Some(b"lo")).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn tie_to_loopback(_: &TcpSocket) -> bool {
    false
}

/// Takes connections until the task is ended; its connections end with it.
pub(super) async fn accept(listener: TcpListener, shared: Arc<Shared>, tls: Option<TlsAcceptor>) {
    let refusing = refusing(&shared);
    let mut connections = JoinSet::new();
    loop {
        // Finished connections are forgotten as we go.
        while connections.try_join_next().is_some() {}
        let Ok((stream, peer)) = listener.accept().await else {
            // Out of descriptors: some connection must end first.
            shell::sleep(Duration::from_millis(10)).await;
            continue;
        };
        match door(&stream, peer, &refusing) {
            Door::Open(address) => {
                connections.spawn(connection(stream, address, Arc::clone(&shared), tls.clone()));
            }
            Door::Refused(host, address) => {
                shared.counts.refused.fetch_add(1, Ordering::Relaxed);
                refuse(&shared, host, address);
                stream.cut();
            }
            Door::Stranger => {
                shared.counts.strangers.fetch_add(1, Ordering::Relaxed);
                stream.cut();
            }
        }
    }
}

enum Door {
    Open(Ipv4Addr),
    /// The host at this address refuses connections.
    Refused(HostId, Ipv4Addr),
    /// Not of this machine's loopback.
    Stranger,
}

/// An address of a host that refuses is its own.
fn refusing(shared: &Shared) -> HashMap<Ipv4Addr, HostId> {
    let hosts = (0..shared.web.host_count()).map(|id| (shared.web.host(id), id));
    hosts.filter(|(host, _)| host.refuses_connections).map(|(host, id)| (host.address, id)).collect()
}

/// The log hears of it before the client can: no verdict comes too early, and the gap to the next one is not measured too short.
fn refuse(shared: &Shared, host: HostId, address: Ipv4Addr) {
    // The clock is read under the lock: so the log is in the order of starts.
    let mut log = shared.log();
    let now = shared.clock.now();
    log.refuse(host, address, now);
}

fn door(stream: &TcpStream, peer: SocketAddr, refusing: &HashMap<Ipv4Addr, HostId>) -> Door {
    match stream.local_addr().map(|local| local.ip()) {
        Ok(IpAddr::V4(local)) if local.is_loopback() && peer.ip().is_loopback() => {
            match refusing.get(&local) {
                Some(host) => Door::Refused(*host, local),
                None => Door::Open(local),
            }
        }
        _ => Door::Stranger,
    }
}

async fn connection(stream: TcpStream, address: Ipv4Addr, shared: Arc<Shared>, tls: Option<TlsAcceptor>) {
    // Without it, small answers may wait for the client's acknowledgement.
    _ = stream.set_nodelay(true);
    let line = Line::open(&shared, address, tls.is_some());
    match tls {
        None => http::serve_connection(stream, line, false).await,
        Some(acceptor) => match acceptor.accept(stream).await {
            Ok(stream) => {
                let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
                http::serve_connection(stream, line, http2).await;
            }
            Err(_) => line.close(),
        },
    }
}

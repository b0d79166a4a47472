//! What the machine knows: its name servers, its hosts file, and whether it has IPv6.

use std::collections::HashMap;
use std::fs::read_to_string;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::Path;

use super::{Addresses, DnsSettings};
use crate::error::{Error, Result};

const PORT: u16 = 53;
const SERVERS_FILE: &str = "/etc/resolv.conf";
const HOSTS_FILE: &str = "/etc/hosts";
/// Of one name in the hosts file.
const MOST_ADDRESSES: usize = 32;

pub(super) type Hosts = HashMap<Box<str>, Addresses>;

/// Whom to ask, the first one first. Read once: a change of the machine's is seen by the next crawl.
pub(super) fn servers(settings: &DnsSettings) -> Result<Vec<SocketAddr>> {
    if settings.servers.is_empty() {
        return Ok(servers_of(&read_to_string(SERVERS_FILE).unwrap_or_default()));
    }
    let read = |text: &String| {
        text.parse().map_err(|_| {
            Error::Settings(format!("dns.servers: {text:?} is no address with a port, such as 127.0.0.1:53"))
        })
    };
    settings.servers.iter().map(read).collect()
}

/// The `nameserver` lines of a resolv.conf; without any, this machine itself (resolv.conf(5)). Its search domains are not for
/// us: a link names its host in full.
fn servers_of(text: &str) -> Vec<SocketAddr> {
    let address = |line: &str| {
        let mut words = line.split_whitespace();
        let address = words.next().filter(|word| *word == "nameserver").and(words.next())?;
        address.parse::<IpAddr>().ok().map(|address| SocketAddr::new(address, PORT))
    };
    let found: Vec<_> = text.lines().filter_map(address).collect();
    if found.is_empty() { vec![SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT)] } else { found }
}

pub(super) fn hosts(settings: &DnsSettings) -> Result<Hosts> {
    match &settings.hosts_file {
        Some(path) => read_to_string(path)
            .map(|text| hosts_of(&text))
            .map_err(|error| Error::Settings(format!("dns.hosts_file: {}: {error}", path.display()))),
        None if settings.servers.is_empty() => {
            Ok(hosts_of(&read_to_string(Path::new(HOSTS_FILE)).unwrap_or_default()))
        }
        None => Ok(Hosts::new()),
    }
}

/// Address, name, other names; `#` begins a comment (hosts(5)).
fn hosts_of(text: &str) -> Hosts {
    let mut found: HashMap<String, Vec<IpAddr>> = HashMap::new();
    for line in text.lines() {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(address) = words.next().and_then(|word| word.parse().ok()) else { continue };
        for name in words {
            let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
            let addresses = found.entry(name).or_default();
            if addresses.len() < MOST_ADDRESSES && !addresses.contains(&address) {
                addresses.push(address);
            }
        }
    }
    found.into_iter().map(|(name, addresses)| (name.into(), Addresses::from(&addresses[..]))).collect()
}

/// There is a route to global IPv6 addresses. Connecting a UDP socket sends nothing.
pub(super) fn has_ipv6() -> bool {
    let far = SocketAddr::new(IpAddr::V6(Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 1)), PORT);
    UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)).is_ok_and(|socket| socket.connect(far).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_servers_are_those_of_resolv_conf_and_search_domains_are_left() {
        let text = "# made by hand\nsearch corp.example\nnameserver 192.0.2.7\noptions ndots:5\n nameserver ::1 \nnameserver nobody\n";
        assert_eq!(servers_of(text), ["192.0.2.7:53".parse().unwrap(), "[::1]:53".parse().unwrap()]);
        assert_eq!(servers_of("search corp.example"), ["127.0.0.1:53".parse().unwrap()]);
    }

    #[test]
    fn hosts_have_all_addresses_and_all_names_of_their_lines() {
        let hosts = hosts_of(
            "127.0.0.1 localhost # me\n192.0.2.1 A.example b.example.\n::2 a.example\n#192.0.2.9 c\nbad d\n",
        );
        let of = |name: &str| hosts.get(name).map(|found| found.to_vec());
        assert_eq!(of("a.example"), Some(vec!["192.0.2.1".parse().unwrap(), "::2".parse().unwrap()]));
        assert_eq!(of("b.example"), Some(vec!["192.0.2.1".parse().unwrap()]));
        assert_eq!((of("c"), of("d")), (None, None));
    }
}

//! A name → its addresses, through hickory: the system's servers, or those of the settings.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{ConnectionConfig, NameServerConfig, ResolverConfig, ResolverOpts};
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;

use super::DnsSettings;
use crate::error::{Error, Result};

/// Asks and caches; respects time to live.
pub struct Resolver {
    inner: TokioResolver,
}

impl Resolver {
    pub fn new(settings: &DnsSettings) -> Result<Self> {
        let failed = |error: String| Error::Fetch(format!("cannot set up DNS: {error}"));
        let mut builder = if settings.servers.is_empty() {
            TokioResolver::builder_tokio().map_err(|error| failed(error.to_string()))?
        } else {
            let servers =
                settings.servers.iter().map(|text| name_server(text)).collect::<Result<Vec<_>>>()?;
            let config = ResolverConfig::from_parts(None, Vec::new(), servers);
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
        };
        *builder.options_mut() = options(settings, builder.options_mut());
        let inner = builder.build().map_err(|error| failed(error.to_string()))?;
        Ok(Self { inner })
    }

    /// Every address of the host, IPv4 first; a literal is its own address.
    pub async fn addresses(&self, host: &str) -> std::result::Result<Vec<IpAddr>, String> {
        if let Ok(address) = host.trim_matches(['[', ']']).parse() {
            return Ok(vec![address]);
        }
        let found = self.inner.lookup_ip(format!("{host}.")).await.map_err(|error| explain(&error))?;
        let mut addresses: Vec<IpAddr> = found.iter().collect();
        addresses.sort_by_key(IpAddr::is_ipv6);
        Ok(addresses)
    }
}

/// What the server said, in words; hickory's own carry the whole query.
fn explain(error: &NetError) -> String {
    if error.is_nx_domain() {
        "there is no such name".to_owned()
    } else if error.is_no_records_found() {
        "the name has no address".to_owned()
    } else {
        error.to_string()
    }
}

fn options(settings: &DnsSettings, from: &ResolverOpts) -> ResolverOpts {
    let mut options = from.clone();
    options.timeout = Duration::from_millis(settings.timeout_ms);
    options.attempts = 2;
    options
}

fn name_server(text: &str) -> Result<NameServerConfig> {
    let address: SocketAddr = text.parse().map_err(|_| {
        Error::Settings(format!("dns.servers: {text:?} is no address with a port, such as 127.0.0.1:53"))
    })?;
    let mut connection = ConnectionConfig::udp();
    connection.port = address.port();
    Ok(NameServerConfig::new(address.ip(), true, vec![connection]))
}

//! A proxy as the user names it: `http://user:password@host:3128`. Shown without its password, always.

use std::fmt;

use crate::url::Url;
use http::HeaderValue;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::super::auth::base64;

/// What we speak with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    Http,
    /// HTTP under TLS.
    Https,
    /// We resolve names.
    Socks5,
    /// The proxy resolves names.
    Socks5h,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct ProxyUrl {
    pub(super) scheme: Scheme,
    /// A name, or an address (IPv6 in brackets).
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) login: Option<Login>,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Login {
    pub(super) user: Vec<u8>,
    pub(super) password: Vec<u8>,
}

impl ProxyUrl {
    /// What is wrong with it, in words that do not hold its password.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("{:?} is no proxy URL, such as http://user:password@host:3128", masked(text));
        let refuse = |why: &str| format!("{:?}: {why}", masked(text));
        let url = Url::parse(text.trim()).map_err(|_| wrong())?;
        let scheme = Scheme::named(url.scheme())
            .ok_or_else(|| refuse("a proxy URL begins with http://, https://, socks5:// or socks5h://"))?;
        let host = url.host().filter(|host| !host.is_empty()).ok_or_else(wrong)?;
        if !host.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'%') || host.len() > 255 {
            return Err(wrong());
        }
        if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("a proxy URL ends after its port"));
        }
        let port = url.port().unwrap_or(scheme.usual_port());
        if port == 0 {
            return Err(refuse("there is no port 0"));
        }
        let login = login(&url, scheme).map_err(refuse)?;
        Ok(Self { scheme, host: host.to_ascii_lowercase(), port, login })
    }

    /// The same for the same proxy in every run. Some sell many ways out behind one host, told apart by the password alone.
    pub(super) fn seed(&self) -> u64 {
        let password = self.login.as_ref().map(|login| login.password.as_slice()).unwrap_or_default();
        xxh3_64_with_seed(self.to_string().as_bytes(), xxh3_64(password))
    }

    pub(super) fn is_socks(&self) -> bool {
        matches!(self.scheme, Scheme::Socks5 | Scheme::Socks5h)
    }

    /// Of `Proxy-Authorization` (RFC 7617). Marked as sensitive.
    pub(super) fn authorization(&self) -> Option<HeaderValue> {
        let login = self.login.as_ref()?;
        let pair = [&login.user[..], b":", &login.password[..]].concat();
        let mut value = HeaderValue::try_from(format!("Basic {}", base64(&pair))).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl Scheme {
    fn named(name: &str) -> Option<Self> {
        match name {
            "http" => Some(Self::Http),
            "https" => Some(Self::Https),
            "socks5" => Some(Self::Socks5),
            "socks5h" => Some(Self::Socks5h),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Socks5 => "socks5",
            Self::Socks5h => "socks5h",
        }
    }

    fn usual_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
            Self::Socks5 | Self::Socks5h => 1080,
        }
    }
}

fn login(url: &Url, scheme: Scheme) -> Result<Option<Login>, &'static str> {
    let user = unescaped(url.username());
    let password = unescaped(url.password());
    if user.is_empty() {
        return if password.is_empty() { Ok(None) } else { Err("it has a password and no user name") };
    }
    if user.iter().chain(&password).any(u8::is_ascii_control) {
        return Err("its user name or password has a control character");
    }
    match scheme {
        // RFC 7617 §2
        Scheme::Http | Scheme::Https if user.contains(&b':') => {
            Err("a user name with a colon cannot be sent")
        }
        // RFC 1929 §2
        Scheme::Socks5 | Scheme::Socks5h
            if user.len() > 255 || password.len() > 255 || password.is_empty() =>
        {
            Err("SOCKS5 wants a user name and a password, each of 1 to 255 bytes")
        }
        Scheme::Http | Scheme::Https | Scheme::Socks5 | Scheme::Socks5h => Ok(Some(Login { user, password })),
    }
}

/// Percent-encoding undone; what is no such thing stays as it is.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let escaped = match rest {
            [b'%', high, low, ..] => digit(high).zip(digit(low)).map(|(high, low)| (high << 4 | low) as u8),
            _ => None,
        };
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { rest.get(3..).unwrap_or_default() } else { after };
    }
    bytes
}

/// A text that may be a URL with a password, without what may be one.
fn masked(text: &str) -> String {
    let Some((before, host)) = text.rsplit_once('@') else { return text.to_owned() };
    let scheme = before.find("//").and_then(|at| before.get(..at + 2)).unwrap_or_default();
    let user = before.get(scheme.len()..).unwrap_or_default();
    match user.split_once(':') {
        Some((user, _)) if !scheme.is_empty() => format!("{scheme}{user}:***@{host}"),
        _ => format!("{scheme}***@{host}"),
    }
}

impl fmt::Display for ProxyUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://", self.scheme.name())?;
        if let Some(login) = &self.login {
            write!(f, "{}:***@", String::from_utf8_lossy(&login.user))?;
        }
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl fmt::Debug for ProxyUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} with a password", String::from_utf8_lossy(&self.user))
    }
}

//! A tunnel through an HTTP proxy: CONNECT (RFC 9110 §9.3.6), with a name and a password where the user gave them.

use http::HeaderValue;
use tokio::io::{AsyncRead, AsyncWrite};

use super::Failure;
use crate::fetch::http1::{HeadLimits, Http1, Request, Trouble};

/// Asks for a tunnel to `authority` (`host:port`); after that the stream leads there. TLS lets the client speak first, so that a
/// proxy that sends more than its head is broken.
pub(super) async fn tunnel<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    authority: &str,
    login: Option<&HeaderValue>,
) -> Result<S, Failure> {
    let unspeakable = |error: crate::fetch::http1::Unspeakable| Failure::unclear(error.to_string());
    let mut request = Request::connect(authority).map_err(unspeakable)?;
    if let Some(login) = login {
        request = request.header("Proxy-Authorization", login.as_bytes()).map_err(unspeakable)?;
    }
    let mut wire = Http1::new(stream, HeadLimits::default());
    wire.send(&request.finish()).await.map_err(|trouble| broken(&trouble))?;
    let head = wire.head().await.map_err(|trouble| broken(&trouble))?;
    match head.status.as_u16() {
        200..=299 => wire.into_stream().map_err(|trouble| broken(&trouble)),
        // Some say 401 (tinyproxy, of a wrong password), which is no site's answer to CONNECT.
        401 | 407 => Err(Failure::of_proxy(wants_login(login.is_some()))),
        // It may mean the site, or all sites.
        _ => Err(Failure::unclear(format!("it answers {} to CONNECT", head.status))),
    }
}

/// A 407, in words.
pub(super) fn wants_login(sent: bool) -> &'static str {
    if sent {
        "it does not accept the user name and password"
    } else {
        "it asks for a user name and a password"
    }
}

fn broken(trouble: &Trouble) -> Failure {
    Failure::of_proxy(match trouble {
        Trouble::Unanswered(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "it closed the connection without an answer".to_owned()
        }
        Trouble::Unanswered(_) | Trouble::Broken(_) | Trouble::HeadTooLarge { .. } => trouble.to_string(),
    })
}

//! SOCKS5 (RFC 1928), without a login or with a user name and a password (RFC 1929). Exactly its own bytes are read, so that the
//! stream is the tunnel when the handshake is over.

use std::io;
use std::net::IpAddr;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::Failure;
use super::url::Login;

const VERSION: u8 = 5;
const LOGIN_VERSION: u8 = 1;
const NO_LOGIN: u8 = 0;
const WITH_LOGIN: u8 = 2;
const NONE_ACCEPTED: u8 = 0xFF;
const CONNECT: u8 = 1;
const IPV4: u8 = 1;
const NAME: u8 = 3;
const IPV6: u8 = 4;

/// Where the proxy is to connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target<'a> {
    Address(IpAddr),
    /// Resolved by the proxy.
    Name(&'a str),
}

/// The first half: that there is a SOCKS5 proxy, and that it lets us in.
pub(super) async fn greet<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    login: Option<&Login>,
) -> Result<(), Failure> {
    let offer: &[u8] =
        if login.is_some() { &[VERSION, 2, NO_LOGIN, WITH_LOGIN] } else { &[VERSION, 1, NO_LOGIN] };
    send(stream, offer).await?;
    let [version, method] = receive(stream).await?;
    if version != VERSION {
        return Err(Failure::of_proxy(format!("it does not speak SOCKS5: it began with byte {version}")));
    }
    match (method, login) {
        (NO_LOGIN, _) => Ok(()),
        (WITH_LOGIN, Some(login)) => log_in(stream, login).await,
        (NONE_ACCEPTED, Some(_)) => {
            Err(Failure::of_proxy("it wants another login than a user name and a password"))
        }
        (NONE_ACCEPTED, None) => Err(Failure::of_proxy("it asks for a user name and a password")),
        _ => Err(Failure::of_proxy(format!("it chose login method {method}, which was not offered"))),
    }
}

/// The second half: after this the stream leads to the target.
pub(super) async fn ask<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    target: Target<'_>,
    port: u16,
) -> Result<(), Failure> {
    let mut request = vec![VERSION, CONNECT, 0];
    match target {
        Target::Address(IpAddr::V4(address)) => {
            request.push(IPV4);
            request.extend(address.octets());
        }
        Target::Address(IpAddr::V6(address)) => {
            request.push(IPV6);
            request.extend(address.octets());
        }
        Target::Name(name) => {
            let length = u8::try_from(name.len()).ok().filter(|length| *length > 0);
            request.extend([NAME, length.ok_or_else(|| Failure::unclear("SOCKS5 cannot name this host"))?]);
            request.extend(name.bytes());
        }
    }
    request.extend(port.to_be_bytes());
    send(stream, &request).await?;
    reply(stream).await
}

async fn log_in<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, login: &Login) -> Result<(), Failure> {
    let mut request = vec![LOGIN_VERSION];
    for part in [&login.user, &login.password] {
        // No longer, or the settings would have been refused.
        request.push(u8::try_from(part.len()).unwrap_or(u8::MAX));
        request.extend(part.iter().take(usize::from(u8::MAX)));
    }
    send(stream, &request).await?;
    match receive(stream).await? {
        // Some servers answer with the number of the protocol.
        [LOGIN_VERSION | VERSION, 0] => Ok(()),
        [LOGIN_VERSION | VERSION, _] => {
            Err(Failure::of_proxy("it does not accept the user name and password"))
        }
        [version, _] => Err(Failure::of_proxy(format!("its answer to the login began with byte {version}"))),
    }
}

async fn reply<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S) -> Result<(), Failure> {
    let [version, code] = receive(stream).await?;
    if version != VERSION {
        return Err(Failure::of_proxy(format!("its reply began with byte {version}")));
    }
    // A proxy that refuses may close without the rest.
    refusal(code)?;
    let [_reserved, kind] = receive(stream).await?;
    match kind {
        IPV4 => receive::<_, 6>(stream).await.map(|_| ()),
        IPV6 => receive::<_, 18>(stream).await.map(|_| ()),
        NAME => {
            let [length] = receive(stream).await?;
            let mut rest = [0; u8::MAX as usize + 2];
            let rest = rest.get_mut(..usize::from(length) + 2).unwrap_or_default();
            stream.read_exact(rest).await.map(|_| ()).map_err(|error| cut(&error))
        }
        other => Err(Failure::of_proxy(format!("its reply has an address of unknown kind {other}"))),
    }
}

/// RFC 1928 §6
fn refusal(code: u8) -> Result<(), Failure> {
    let why = match code {
        0 => return Ok(()),
        1 => "general failure",
        2 => "not allowed by its rules",
        3 => "network unreachable",
        4 => "host unreachable",
        5 => "connection refused",
        6 => "took too many hops",
        8 => "cannot connect to this kind of address",
        7 => return Err(Failure::of_proxy("it does not know the command CONNECT")),
        other => return Err(Failure::of_proxy(format!("its reply has the unknown code {other}"))),
    };
    Err(Failure::unclear(format!("it says: {why}")))
}

async fn send<S: AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8]) -> Result<(), Failure> {
    stream.write_all(bytes).await.map_err(|error| cut(&error))?;
    stream.flush().await.map_err(|error| cut(&error))
}

async fn receive<S: AsyncRead + Unpin, const N: usize>(stream: &mut S) -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).await.map_err(|error| cut(&error))?;
    Ok(bytes)
}

fn cut(error: &io::Error) -> Failure {
    Failure::of_proxy(if error.kind() == io::ErrorKind::UnexpectedEof {
        "it closed the connection in the handshake".to_owned()
    } else {
        format!("the connection broke in the handshake: {error}")
    })
}

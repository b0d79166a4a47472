//! The way for answers that do not fit into a datagram, and for servers that change our letters (RFC 7766).

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::wire::{self, Match, Query};

/// One question, one answer, one connection: this is rare.
pub(super) async fn ask(server: SocketAddr, query: &mut Query) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(server).await?;
    let id = rand::random();
    let bytes = query.with_id(id);
    let mut framed = Vec::with_capacity(bytes.len() + 2);
    framed.extend_from_slice(&(bytes.len() as u16).to_be_bytes());
    framed.extend_from_slice(bytes);
    stream.write_all(&framed).await?;
    let length = stream.read_u16().await?;
    let mut message = vec![0; usize::from(length)];
    stream.read_exact(&mut message).await?;
    let is_ours =
        wire::id_of(&message) == Some(id) && wire::answers(&message, query.question()) != Match::Other;
    if is_ours { Ok(message) } else { Err(io::ErrorKind::InvalidData.into()) }
}

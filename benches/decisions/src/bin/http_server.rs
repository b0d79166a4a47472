//! The server that `http` measures against, in a process of its own: `/<bytes>/keep` and `/<bytes>/close`, one thread, each
//! reply in one write. It prints its port (five digits) when it listens.

use std::io::{self, Write};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn main() {
    let rt = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runtime");
    rt.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("bind");
        print!("{:05}", listener.local_addr().expect("address").port());
        io::stdout().flush().expect("parent reads");
        loop {
            let (stream, _) = listener.accept().await.expect("accept");
            tokio::spawn(answer(stream));
        }
    });
}

async fn answer(mut stream: tokio::net::TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut asked = Vec::new();
    loop {
        while memchr::memmem::find(&asked, b"\r\n\r\n").is_none() {
            if stream.read_buf(&mut asked).await? == 0 {
                return Ok(());
            }
        }
        let line = String::from_utf8_lossy(&asked[5..asked.len().min(24)]).into_owned();
        let mut parts = line.split([' ', '/']);
        let size: usize = parts.next().and_then(|n| n.parse().ok()).expect("a size");
        let keep = parts.next() == Some("keep");
        asked.clear();
        let connection = if keep { "keep-alive" } else { "close" };
        let mut reply = format!(
            "HTTP/1.1 200 OK\r\nserver: spike\r\ndate: Sun, 15 Nov 2026 00:00:00 GMT\r\ncontent-type: text/html; \
             charset=utf-8\r\ncontent-length: {size}\r\nconnection: {connection}\r\n\r\n"
        )
        .into_bytes();
        reply.resize(reply.len() + size, b'x');
        stream.write_all(&reply).await?;
        if !keep {
            return stream.shutdown().await;
        }
    }
}

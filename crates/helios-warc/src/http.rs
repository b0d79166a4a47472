//! Heads as an archive keeps them: as they came, but for what would make readers misread the body, or betray a password.

use memchr::memchr;

use crate::Protocol;

/// What a header is called whose transfer coding was undone: its name alone is changed, so that nobody undoes it again.
const UNDONE: &[u8] = b"X-Orig-Transfer-Encoding";

/// Passwords: whoever is given the archive must not be given these.
const SECRET: [&[u8]; 2] = [b"authorization", b"proxy-authorization"];

/// The head of an answer. HTTP/2 has no text: there the status line of HTTP/1.1 is written, which every reader knows.
pub(crate) fn answer(head: &[u8], status: u16, protocol: Protocol) -> Vec<u8> {
    let mut kept = Vec::with_capacity(head.len() + 16);
    let mut lines = lines(head);
    match (protocol, lines.next()) {
        (Protocol::Http2, _) => {
            kept.extend_from_slice(format!("HTTP/1.1 {status} {}\r\n", reason(status)).as_bytes());
        }
        (_, Some(line)) => kept.extend_from_slice(line),
        (_, None) => {}
    }
    for line in lines {
        if name(line).eq_ignore_ascii_case(b"transfer-encoding") {
            kept.extend_from_slice(UNDONE);
            kept.extend_from_slice(line.get(name(line).len()..).unwrap_or_default());
        } else {
            kept.extend_from_slice(line);
        }
    }
    kept
}

/// The head of a request.
pub(crate) fn request(head: &[u8]) -> Vec<u8> {
    let is_secret = |line: &[u8]| SECRET.iter().any(|secret| name(line).eq_ignore_ascii_case(secret));
    lines(head).filter(|line| !is_secret(line)).flatten().copied().collect()
}

/// Lines with their ends.
fn lines(mut head: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let end = memchr(b'\n', head).map_or(head.len(), |at| at + 1);
        let (line, rest) = head.split_at_checked(end)?;
        head = rest;
        (!line.is_empty()).then_some(line)
    })
}

fn name(line: &[u8]) -> &[u8] {
    line.split(|&byte| byte == b':').next().unwrap_or_default().trim_ascii_end()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        // What it means is said by its first digit.
        _ => match status / 100 {
            2 => "Success",
            3 => "Redirection",
            4 => "Client Error",
            _ => "Server Error",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_kept_to_the_byte_but_for_an_undone_transfer_coding() {
        let plain = b"HTTP/1.1  200\nServer:x\r\nX-Odd : \xff\r\n\r\n";
        assert_eq!(answer(plain, 200, Protocol::Http11), plain);
        let chunked = b"HTTP/1.1 200 OK\r\ntransfer-ENCODING:  chunked\r\nA: transfer-encoding\r\n\r\n";
        let kept = b"HTTP/1.1 200 OK\r\nX-Orig-Transfer-Encoding:  chunked\r\nA: transfer-encoding\r\n\r\n";
        assert_eq!(answer(chunked, 200, Protocol::Http11), kept);
    }

    #[test]
    fn a_head_of_http2_is_written_as_every_reader_knows_it() {
        let head = b"HTTP/2 404\r\ncontent-type: text/html\r\n\r\n";
        let kept = b"HTTP/1.1 404 Not Found\r\ncontent-type: text/html\r\n\r\n";
        assert_eq!(answer(head, 404, Protocol::Http2), kept);
    }

    #[test]
    fn passwords_are_not_archived() {
        let head =
            b"GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Basic eA==\r\nproxy-authorization : x\r\n\r\n";
        assert_eq!(request(head), b"GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }
}

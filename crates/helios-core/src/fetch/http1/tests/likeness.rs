//! Any cut of any bytes gives one answer; for well-formed answers it is the one that hyper gives.

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use proptest::prelude::*;
use tokio::io::AsyncWriteExt;

use super::*;

/// Pieces of answers, good and bad: what is made of them is often nearly right.
fn rubble() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        Just(b"HTTP/1.1 200 OK\r\n".to_vec()),
        Just(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec()),
        Just(b"HTTP/1.0 304\n".to_vec()),
        Just(b"Content-Length: 7\r\n".to_vec()),
        Just(b"Transfer-Encoding: chunked\r\n".to_vec()),
        Just(b"Connection: close\r\n".to_vec()),
        Just(b"X: a\r\n b\r\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"3\r\nabc\r\n".to_vec()),
        Just(b"1;x=y\r\n.\r\n".to_vec()),
        Just(b"0\r\n".to_vec()),
        prop::collection::vec(any::<u8>(), 0..9),
    ];
    let tail = prop::collection::vec(part, 0..12);
    (any::<bool>(), tail).prop_map(|(good, tail)| {
        let start: &[u8] = if good { b"HTTP/1.1 200 OK\r\n" } else { b"" };
        [start, &tail.concat()].concat()
    })
}

#[derive(Debug, Clone)]
struct Proper {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// None: until close; zero: Content-Length; else chunks of this size.
    chunk: Option<usize>,
}

fn proper() -> impl Strategy<Value = Proper> {
    let status = prop_oneof![Just(200_u16), Just(204), Just(304), Just(404), Just(503), 200..600_u16];
    let headers = prop::collection::vec(("x-[a-z]{1,8}", "[!-~]([ -~]{0,20}[!-~])?"), 0..8);
    let body = prop::collection::vec(any::<u8>(), 0..3000);
    let chunk = prop_oneof![Just(None), Just(Some(0)), (1..2000_usize).prop_map(Some)];
    (status, headers, body, chunk).prop_map(|(status, headers, body, chunk)| Proper {
        status,
        headers,
        body,
        chunk,
    })
}

impl Proper {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("HTTP/1.1 {} Some Reason\r\n", self.status).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend(format!("{name}: {value}\r\n").bytes());
        }
        let bodiless = matches!(self.status, 204 | 304);
        let body: &[u8] = if bodiless { b"" } else { &self.body };
        match self.chunk {
            None => bytes.extend([b"Connection: close\r\n\r\n".as_slice(), body].concat()),
            Some(_) if bodiless => bytes.extend(b"\r\n"),
            Some(0) => {
                bytes.extend([format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat());
            }
            Some(size) => {
                bytes.extend(b"Transfer-Encoding: chunked\r\n\r\n");
                for chunk in body.chunks(size) {
                    bytes.extend([format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat());
                }
                bytes.extend(b"0\r\n\r\n");
            }
        }
        bytes
    }
}

/// Status, headers and body as hyper reads them.
async fn as_hyper_reads(bytes: &[u8]) -> (u16, Vec<(String, Vec<u8>)>, Vec<u8>) {
    let (near, mut far) = tokio::io::duplex(1 << 16);
    let (mut sender, driver) = hyper::client::conn::http1::handshake(TokioIo::new(near)).await.unwrap();
    let asked = async {
        let request = http::Request::get("/").header("host", "a.test").body(Empty::<Bytes>::new()).unwrap();
        let answer = sender.send_request(request).await.unwrap();
        let (head, body) = answer.into_parts();
        let headers = head.headers.iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()));
        (head.status.as_u16(), headers.collect(), body.collect().await.unwrap().to_bytes().to_vec())
    };
    let peer = async {
        tokio::io::AsyncReadExt::read(&mut far, &mut [0; 1000]).await.unwrap();
        far.write_all(bytes).await.unwrap();
        far.shutdown().await.unwrap();
        std::future::pending::<()>().await;
    };
    let other = async { tokio::join!(driver, peer) };
    tokio::select! { got = asked => got, _ = other => unreachable!("the peer stays") }
}

proptest! {
    #[test]
    fn any_cut_of_any_bytes_gives_the_same_answer(
        bytes in rubble(), cuts in prop::collection::vec(0..200_usize, 0..6), by_piece: bool
    ) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).chain([0, bytes.len()]).collect();
        cuts.sort_unstable();
        let reads = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]);
        let by = if by_piece { By::Piece } else { By::Append };
        let cut = answer(reads, Ending::Close, by).map(|got| Got { reusable: false, ..got });
        let whole = answer([bytes.as_slice()], Ending::Close, By::Append).map(|got| Got { reusable: false, ..got });
        prop_assert_eq!(cut, whole);
    }

    #[test]
    fn well_formed_answers_are_read_as_hyper_reads_them(proper in proper()) {
        let bytes = proper.bytes();
        let ours = answer([bytes.as_slice()], Ending::Close, By::Append).unwrap();
        let mut theirs = block_on(as_hyper_reads(&bytes));
        // Lines of one name are together there, and where they were sent here.
        let mut headers = ours.headers;
        headers.sort_by(|one, other| one.0.cmp(&other.0));
        theirs.1.sort_by(|one, other| one.0.cmp(&other.0));
        prop_assert_eq!((ours.status, headers, ours.body), theirs);
    }
}

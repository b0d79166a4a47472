//! Every reply, in pieces of every size, and cut off after every byte.

use std::future::Future;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::runtime::Builder;

use super::super::socks5::{self, Target};
use super::super::url::{Login, ProxyUrl};
use super::super::{Failure, Fault, connect};

fn run<T>(what: impl Future<Output = T>) -> T {
    Builder::new_current_thread().build().unwrap().block_on(what)
}

/// A proxy that says `script` in pieces of `size` and then is silent, or closes; what was sent to it, and what came of it.
fn talk<T, F: Future<Output = T>>(
    script: &[u8],
    size: usize,
    closes: bool,
    client: impl FnOnce(DuplexStream) -> F,
) -> (T, Vec<u8>) {
    run(async {
        let (ours, theirs) = duplex(size);
        let (mut ear, mut mouth) = tokio::io::split(theirs);
        let mut heard = Vec::new();
        let proxy = async {
            let listening = async {
                let mut bytes = [0; 1024];
                while let Ok(count @ 1..) = ear.read(&mut bytes).await {
                    heard.extend(&bytes[..count]);
                }
            };
            let speaking = async {
                mouth.write_all(script).await.ok();
                if closes {
                    mouth.shutdown().await.ok();
                }
            };
            tokio::join!(listening, speaking);
        };
        let mut proxy = Box::pin(proxy);
        let told = tokio::select! {
            biased;
            () = &mut proxy => unreachable!("the client holds its end"),
            told = client(ours) => told,
        };
        // What was sent last is still to be heard.
        tokio::select! {
            biased;
            () = &mut proxy => {}
            () = std::future::ready(()) => {}
        }
        drop(proxy);
        (told, heard)
    })
}

fn login() -> Login {
    Login { user: b"anna".to_vec(), password: b"s3cret".to_vec() }
}

async fn socks(
    mut stream: DuplexStream,
    with: Option<Login>,
    target: Target<'_>,
) -> Result<DuplexStream, Failure> {
    socks5::greet(&mut stream, with.as_ref()).await?;
    socks5::ask(&mut stream, target, 443).await?;
    Ok(stream)
}

#[test]
fn rfc1928_names_and_addresses_are_asked_for_byte_by_byte() {
    let v6 = Target::Address("2001:db8::1".parse().unwrap());
    let v6_bytes = b"\x05\x01\x00\x04\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01\x01\xbb".as_slice();
    let cases: [(Target<'_>, &[u8]); 3] = [
        (Target::Name("a.test"), b"\x05\x01\x00\x03\x06a.test\x01\xbb"),
        (Target::Address("192.0.2.7".parse().unwrap()), b"\x05\x01\x00\x01\xc0\x00\x02\x07\x01\xbb"),
        (v6, v6_bytes),
    ];
    for (target, asked) in cases {
        for size in [1, 2, 3, 64] {
            let (told, heard) = talk(b"\x05\x00\x05\x00\x00\x01\0\0\0\0\0\0", size, false, |stream| {
                socks(stream, None, target)
            });
            assert!(told.is_ok(), "{told:?}");
            assert_eq!(heard, [b"\x05\x01\x00", asked].concat(), "in pieces of {size}");
        }
    }
}

#[test]
fn rfc1929_a_user_name_and_a_password_are_sent_only_when_asked_for() {
    let good = b"\x05\x00\x00\x03\x03abc\0\0";
    let target = Target::Name("a.test");
    let (told, heard) = talk(&[b"\x05\x02\x01\x00", &good[..]].concat(), 1, false, |stream| {
        socks(stream, Some(login()), target)
    });
    assert!(told.is_ok(), "{told:?}");
    assert!(heard.starts_with(b"\x05\x02\x00\x02\x01\x04anna\x06s3cret\x05\x01"), "{heard:?}");
    let (told, heard) =
        talk(&[b"\x05\x00", &good[..]].concat(), 1, false, |stream| socks(stream, Some(login()), target));
    assert!(told.is_ok() && !heard.windows(6).any(|part| part == b"s3cret"), "{heard:?}");
}

#[test]
fn rfc1928_the_stream_is_the_tunnel_right_behind_the_reply() {
    let script = b"\x05\x00\x05\x00\x00\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0hello";
    let (said, _) = talk(script, 64, true, |stream| async {
        let mut stream = socks(stream, None, Target::Name("a.test")).await.unwrap();
        let mut rest = String::new();
        stream.read_to_string(&mut rest).await.unwrap();
        rest
    });
    assert_eq!(said, "hello");
}

#[test]
fn rfc1928_every_refusal_has_its_words_and_its_fault() {
    let cases = [
        (1, "general failure", Fault::Unclear),
        (2, "not allowed", Fault::Unclear),
        (3, "network unreachable", Fault::Unclear),
        (4, "host unreachable", Fault::Unclear),
        (5, "connection refused", Fault::Unclear),
        (6, "hops", Fault::Unclear),
        (7, "command", Fault::Proxy),
        (8, "kind of address", Fault::Unclear),
        (9, "unknown code 9", Fault::Proxy),
        (255, "unknown code 255", Fault::Proxy),
    ];
    for (code, words, fault) in cases {
        // Some close right behind the code.
        for script in [vec![5, 0, 5, code], vec![5, 0, 5, code, 0, 1, 0, 0, 0, 0, 0, 0]] {
            let (told, _) = talk(&script, 3, true, |stream| socks(stream, None, Target::Name("a.test")));
            let failure = told.unwrap_err();
            assert!(failure.why.contains(words) && failure.fault == fault, "{code}: {failure:?}");
        }
    }
}

#[test]
fn house_malformed_socks_replies_are_the_proxys_fault() {
    let cases: [(&[u8], Option<Login>, &str); 10] = [
        (b"\x04\x00", None, "does not speak SOCKS5"),
        (b"HTTP/1.1 400", None, "does not speak SOCKS5"),
        (b"\x05\xff", None, "asks for a user name"),
        (b"\x05\x02", None, "not offered"),
        (b"\x05\x01", Some(login()), "not offered"),
        (b"\x05\xff", Some(login()), "another login"),
        (b"\x05\x02\x01\x01", Some(login()), "does not accept"),
        (b"\x05\x02\x07\x00", Some(login()), "byte 7"),
        (b"\x05\x00\x04\x00\x00\x01", None, "byte 4"),
        (b"\x05\x00\x05\x00\x00\x02", None, "unknown kind 2"),
    ];
    for (script, with, words) in cases {
        let (told, _) = talk(script, 2, true, |stream| socks(stream, with, Target::Name("a.test")));
        let failure = told.unwrap_err();
        assert!(failure.why.contains(words), "{words}: {failure:?}");
        assert_eq!(failure.fault, Fault::Proxy, "{words}");
        assert!(!failure.why.contains("s3cret"));
    }
}

#[test]
fn house_a_socks_handshake_that_is_cut_off_anywhere_fails() {
    for whole in [
        &b"\x05\x02\x01\x00\x05\x00\x00\x01\0\0\0\0\0\0"[..],
        b"\x05\x02\x01\x00\x05\x00\x00\x03\x03abc\0\0",
        b"\x05\x02\x01\x00\x05\x00\x00\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    ] {
        for length in 0..whole.len() {
            let (told, _) = talk(&whole[..length], 64, true, |stream| {
                socks(stream, Some(login()), Target::Name("a.test"))
            });
            assert_eq!(told.unwrap_err().fault, Fault::Proxy, "{length}");
        }
    }
    let (told, _) = talk(b"\x05\x00", 64, true, |stream| async {
        let long = "a".repeat(256);
        socks(stream, None, Target::Name(&long)).await
    });
    assert!(told.unwrap_err().why.contains("cannot name"));
}

async fn tunnel(stream: DuplexStream, with: bool) -> Result<DuplexStream, Failure> {
    let login = ProxyUrl::parse("http://anna:s3cret@p.test:3128").unwrap().authorization();
    connect::tunnel(stream, "a.test:443", login.as_ref().filter(|_| with)).await
}

#[test]
fn rfc9110_connect_opens_a_tunnel_with_any_2xx() {
    for answer in [
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.0 200 Connection established\r\nProxy-agent: x\r\n\r\n",
        "HTTP/1.1 204 \r\n\r\n",
    ] {
        for size in [1, 2, 7, 1024] {
            let (told, heard) = talk(answer.as_bytes(), size, false, |stream| tunnel(stream, true));
            assert!(told.is_ok(), "{answer:?} in pieces of {size}: {told:?}");
            let heard = String::from_utf8(heard).unwrap();
            let asked = "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\nProxy-Authorization: Basic YW5uYTpzM2NyZXQ=\r\n\r\n";
            assert_eq!(heard, asked);
        }
    }
    let (_, heard) = talk(b"HTTP/1.1 200 OK\r\n\r\n", 64, false, |stream| tunnel(stream, false));
    assert!(!String::from_utf8(heard).unwrap().contains("Authorization"));
}

#[test]
fn house_connect_answers_that_open_nothing_have_their_words_and_fault() {
    let endless = format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(70_000));
    let cases = [
        (
            "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
            false,
            Fault::Proxy,
            "asks for a user name and a password",
        ),
        ("HTTP/1.1 407 No\r\n\r\n", true, Fault::Proxy, "does not accept"),
        ("HTTP/1.0 401 Unauthorized\r\n\r\n", true, Fault::Proxy, "does not accept"),
        ("HTTP/1.1 502 Bad Gateway\r\n\r\n", false, Fault::Unclear, "502"),
        ("HTTP/1.1 504 Gateway Timeout\r\n\r\n", false, Fault::Unclear, "504"),
        ("HTTP/1.0 500 Unable to connect\r\n\r\n", false, Fault::Unclear, "500"),
        ("HTTP/1.1 403 Forbidden\r\n\r\n", false, Fault::Unclear, "403"),
        ("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", false, Fault::Unclear, "302"),
        ("HTTP/1.1 200 OK\r\n\r\nsurplus", false, Fault::Proxy, "before the tunnel"),
        ("SSH-2.0-OpenSSH\r\n", false, Fault::Proxy, "status line"),
        ("", false, Fault::Proxy, "answer"),
        (endless.as_str(), false, Fault::Proxy, "65536 bytes"),
    ];
    for (answer, with, fault, words) in cases {
        let (told, _) = talk(answer.as_bytes(), 1024, true, |stream| tunnel(stream, with));
        let failure = told.unwrap_err();
        assert!(failure.why.contains(words) && failure.fault == fault, "{words}: {failure:?}");
    }
    let whole = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n";
    for length in 0..whole.len() {
        let (told, _) = talk(&whole.as_bytes()[..length], 1024, true, |stream| tunnel(stream, false));
        assert_eq!(told.unwrap_err().fault, Fault::Proxy, "cut off after {length} bytes");
    }
}

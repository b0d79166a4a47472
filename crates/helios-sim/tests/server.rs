//! The server on real sockets: connections, faults, TLS, names, and that nothing outside of the machine is served.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must fail")]

mod served;

use std::io::ErrorKind;
use std::net::UdpSocket;
use std::time::Duration;

use bytes::Bytes;
use helios_sim::command::audit_text;
use helios_sim::reply::Fault;
use helios_sim::server::{Listen, serve};
use helios_sim::settings::{Promises, WebSettings};
use helios_sim::web::Web;
use http_body_util::{BodyExt as _, Empty};
use hyper_util::rt::{TokioExecutor, TokioIo};
use served::{Client, PATIENCE, find, is_plain, log, model, rest, settings, start, tls};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

fn plain_page(web: &Web, https: bool) -> (u32, String) {
    find(web, |entry, reply| is_plain(reply) && web.host(entry.host).https == https).unwrap()
}

#[tokio::test]
async fn house_a_connection_is_kept_alive_and_the_same_page_has_the_same_bytes() {
    let running = start().await;
    let (host, target) = plain_page(running.web(), false);
    let name = running.web().host(host).name.clone();
    let mut client = Client::to(&running, host).await.unwrap();
    let first = client.get(&name, &target).await.unwrap();
    let second = client.get(&name, &target).await.unwrap();
    let other = Client::to(&running, host).await.unwrap().get(&name, &target).await.unwrap();
    assert_eq!((first.status, first.body.len()), (200, model(running.web(), host, &target).body_len()));
    assert_eq!(first.body, model(running.web(), host, &target).body_bytes());
    assert_eq!(first.body, second.body);
    assert_eq!(first.body, other.body);
    let log = log(&running).await;
    assert_eq!(log.len(), 3);
    assert_eq!(log[0]["connection"], log[1]["connection"]);
    assert_ne!(log[0]["connection"], log[2]["connection"]);
    assert!(log.iter().all(|line| line["ending"] == "complete" && line["bytes"] == first.body.len()));
    assert_eq!(running.stats().requests, 3);
    running.stop().await;
}

#[tokio::test]
async fn house_only_get_and_head_of_known_hosts() {
    let running = start().await;
    let (host, target) = plain_page(running.web(), false);
    let name = running.web().host(host).name.clone();
    let mut client = Client::to(&running, host).await.unwrap();
    let head = client.ask("HEAD", &name, &target).await.unwrap();
    let length = model(running.web(), host, &target).body_len().to_string();
    assert_eq!((head.status, head.header("content-length")), (200, Some(length.as_str())));
    assert_eq!(client.ask("DELETE", &name, &target).await.unwrap().status, 405);
    assert_eq!(client.get("nowhere.test", &target).await.unwrap().status, 421);
    let (secure, page) = plain_page(running.web(), true);
    let secure = running.web().host(secure).name.clone();
    assert_eq!(client.get(&secure, &page).await.unwrap().status, 421);
    assert_ne!(client.get(&name, "/__audit").await.unwrap().status, 421);
    assert!(!client.get(&name, "/__audit").await.unwrap().text().contains("INNOCENT"));
    assert_eq!(running.stats().misdirected, 2);
}

#[tokio::test]
async fn house_http2_over_tls_with_the_own_ca() {
    let running = start().await;
    let (host, target) = plain_page(running.web(), true);
    let name = running.web().host(host).name.clone();
    let stream = tls(&running, &name, "h2").await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    let asking = async {
        let uri = format!("https://{name}:{}{target}", running.ports().https);
        let ask = || hyper::Request::get(uri.as_str()).body(Empty::<Bytes>::new()).unwrap();
        let (one, two) = tokio::join!(sender.send_request(ask()), {
            let mut other = sender.clone();
            async move { other.send_request(ask()).await }
        });
        let (one, two) = (one.unwrap(), two.unwrap());
        assert_eq!((one.status().as_u16(), one.version()), (200, hyper::Version::HTTP_2));
        let body = one.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, two.into_body().collect().await.unwrap().to_bytes());
        body
    };
    let body = tokio::select! {
        body = asking => body,
        end = connection => panic!("the connection ended: {end:?}"),
    };
    assert_eq!(body, model(running.web(), host, &target).body_bytes());
    // The same host by HTTP/1.1, if the client speaks nothing else.
    let mut client = Client::to(&running, host).await.unwrap();
    assert_eq!(client.get(&name, &target).await.unwrap().body, body);
    let log = log(&running).await;
    assert_eq!(log.len(), 3);
    assert!(log.iter().all(|line| line["ending"] == "complete"), "{log:?}");
    assert_eq!(log[0]["connection"], log[1]["connection"]);
}

#[tokio::test]
async fn house_a_broken_page_is_reset_after_its_bytes() {
    let running = start().await;
    let broken = |reply: &helios_sim::reply::Reply| matches!(reply.fault, Fault::ResetAfter(_));
    let (host, target) =
        find(running.web(), |entry, reply| broken(reply) && !running.web().host(entry.host).https).unwrap();
    let Fault::ResetAfter(bytes) = model(running.web(), host, &target).fault else { unreachable!() };
    let host = running.web().host(host);
    let mut stream = TcpStream::connect((host.address, running.ports().http)).await.unwrap();
    let request = format!("GET {target} HTTP/1.1\r\nhost: {}\r\n\r\n", host.name);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut seen = Vec::new();
    let end = timeout(PATIENCE, stream.read_to_end(&mut seen)).await.unwrap();
    assert_eq!(end.unwrap_err().kind(), ErrorKind::ConnectionReset);
    let text = String::from_utf8_lossy(&seen).into_owned();
    let head = text.find("\r\n\r\n").map(|at| at + 4).unwrap();
    assert_eq!(seen.len() - head, bytes);
    let log = log(&running).await;
    assert_eq!((log[0]["ending"].as_str(), log[0]["bytes"].as_u64()), (Some("reset"), Some(bytes as u64)));
}

#[tokio::test]
async fn house_a_broken_page_over_http2_resets_the_connection() {
    let running = start().await;
    let broken = |reply: &helios_sim::reply::Reply| matches!(reply.fault, Fault::ResetAfter(_));
    let (host, target) =
        find(running.web(), |entry, reply| broken(reply) && running.web().host(entry.host).https).unwrap();
    let name = running.web().host(host).name.clone();
    let stream = tls(&running, &name, "h2").await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    let asking = async {
        let uri = format!("https://{name}:{}{target}", running.ports().https);
        let request = hyper::Request::get(uri).body(Empty::<Bytes>::new()).unwrap();
        sender.send_request(request).await?.into_body().collect().await
    };
    let (body, connection) = timeout(PATIENCE, async { tokio::join!(asking, connection) }).await.unwrap();
    assert!(body.is_err() && connection.is_err(), "{body:?} {connection:?}");
    assert_eq!(log(&running).await[0]["ending"], "reset");
}

#[tokio::test]
async fn house_a_silent_page_never_answers_and_is_logged_when_the_client_leaves() {
    let running = start().await;
    let silent = find(running.web(), |entry, reply| {
        reply.fault == Fault::Silence && !running.web().host(entry.host).https
    });
    let (host, target) = silent.unwrap();
    let host = running.web().host(host);
    let mut stream = TcpStream::connect((host.address, running.ports().http)).await.unwrap();
    let request = format!("GET {target} HTTP/1.1\r\nhost: {}\r\n\r\n", host.name);
    stream.write_all(request.as_bytes()).await.unwrap();
    assert!(timeout(Duration::from_millis(300), stream.read_u8()).await.is_err());
    assert_eq!(log(&running).await[0]["ending"], "in flight");
    drop(stream);
    for _ in 0..1_000 {
        if log(&running).await[0]["ending"] == "silent" {
            return;
        }
        rest(Duration::from_millis(10)).await;
    }
    panic!("still {:?}", log(&running).await);
}

#[tokio::test]
async fn house_a_host_that_refuses_connections_resets_them() {
    let running = start().await;
    let hosts = (0..running.web().host_count()).map(|id| running.web().host(id));
    let dead = hosts.into_iter().find(|host| host.refuses_connections).unwrap();
    let outcome = async {
        let mut stream = TcpStream::connect((dead.address, running.ports().http)).await?;
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").await?;
        stream.read_u8().await
    };
    let error = timeout(PATIENCE, outcome).await.unwrap().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{error:?}");
    assert_eq!(running.stats().refused, 1);
}

#[tokio::test]
async fn house_only_loopback_is_served() {
    let running = start().await;
    // No packet is sent: this asks the system which of its addresses faces outside.
    let probe = UdpSocket::bind("0.0.0.0:0").unwrap();
    let outside = match probe.connect("192.0.2.1:9").and_then(|()| probe.local_addr()) {
        Ok(address) if !address.ip().is_loopback() => address.ip(),
        _ => return,
    };
    let outcome = async {
        let mut stream = TcpStream::connect((outside, running.ports().http)).await?;
        stream.write_all(b"GET /__seeds HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n").await?;
        stream.read_u8().await
    };
    assert!(timeout(PATIENCE, outcome).await.unwrap().is_err());
    assert_eq!(running.stats().requests, 0);
}

#[tokio::test]
async fn house_a_busy_port_is_named() {
    let running = start().await;
    let ports = running.ports();
    let taken = [
        (Listen { http_port: ports.http, ..Listen::default() }, "http", ports.http),
        (Listen { https_port: ports.https, ..Listen::default() }, "https", ports.https),
        (Listen { dns_port: ports.dns, ..Listen::default() }, "dns", ports.dns),
    ];
    for (listen, name, port) in taken {
        let error = serve(settings(), &listen).await.err().unwrap().to_string();
        assert!(error.contains(&format!("port {port} ")), "{error}");
        assert!(error.contains(&format!("--{name}-port")), "{error}");
    }
    running.stop().await;
    let listen = Listen { http_port: ports.http, ..Listen::default() };
    let again = serve(settings(), &listen).await.unwrap();
    assert_eq!(again.ports().http, ports.http);
}

#[tokio::test]
async fn house_names_are_answered() {
    let running = start().await;
    let host = running.web().host(0);
    let socket = tokio::net::UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let mut query = vec![7, 9, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in host.name.split('.') {
        query.push(label.len() as u8);
        query.extend_from_slice(label.as_bytes());
    }
    query.extend_from_slice(&[0, 0, 1, 0, 1]);
    socket.send_to(&query, ("127.0.0.1", running.ports().dns)).await.unwrap();
    let mut answer = [0; 512];
    let length = timeout(PATIENCE, socket.recv(&mut answer)).await.unwrap().unwrap();
    assert_eq!(answer[..2], [7, 9]);
    assert_eq!(answer[length - 4..length], host.address.octets());
    assert_eq!(running.stats().dns_queries, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn house_the_pages_about_the_web() {
    let running = start().await;
    let (host, target) = plain_page(running.web(), false);
    let name = running.web().host(host).name.clone();
    Client::to(&running, host).await.unwrap().get(&name, &target).await.unwrap();
    let mut admin = Client::to_admin(&running).await.unwrap();
    let seeds = admin.get("localhost", "/__seeds").await.unwrap().text();
    assert_eq!(seeds.lines().collect::<Vec<_>>(), running.web().seeds());
    assert_eq!(admin.get("127.0.0.1", "/__ca").await.unwrap().text(), running.ca_pem());
    let settings = admin.get("127.0.0.1", "/__settings").await.unwrap();
    assert_eq!(serde_json::from_slice::<WebSettings>(&settings.body).unwrap(), *running.web().settings());
    assert_eq!(settings.header("content-type"), Some("application/json"));
    assert_eq!(running.web().settings().http_port, running.ports().http);
    let expected = admin.get("127.0.0.1", "/__expected").await.unwrap().text();
    assert_eq!(expected.lines().count(), running.web().expect(&Promises::default()).len());
    let audit = admin.get("127.0.0.1", "/__audit?format=json&site_delay_ms=5").await.unwrap();
    let report: serde_json::Value = serde_json::from_slice(&audit.body).unwrap();
    assert_eq!((report["innocent"].as_bool(), report["facts"]["requests"].as_u64()), (Some(false), Some(1)));
    assert_eq!(admin.get("127.0.0.1", "/__audit?speed=5").await.unwrap().status, 400);
    assert_eq!(admin.get("127.0.0.1", "/nothing").await.unwrap().status, 404);
    let at = format!("127.0.0.1:{}", running.ports().http);
    let verdict = tokio::task::block_in_place(|| audit_text(&at, &Promises::default(), true)).unwrap();
    assert!(!verdict.innocent && verdict.text.contains("\"laws\""));
    assert_eq!(admin.get("127.0.0.1", "/__reset").await.unwrap().status, 405);
    assert_eq!(admin.ask("POST", "127.0.0.1", "/__reset").await.unwrap().status, 200);
    let verdict = tokio::task::block_in_place(|| audit_text(&at, &Promises::default(), false)).unwrap();
    assert!(verdict.innocent, "{}", verdict.text);
    running.stop().await;
    assert!(tokio::task::block_in_place(|| audit_text(&at, &Promises::default(), false)).is_err());
}

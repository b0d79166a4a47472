//! HTTP/2 with a server that speaks it well.

use bytes::Bytes;
use helios_core::fetch::OutcomeKind::{Fetched, UnwantedType};
use helios_core::fetch::{HttpVersion, Outcome};

use crate::asking::{ask_for, patient};
use crate::authority::{Authority, Leaf};
use crate::line::{Line, Wire};
use crate::server::Server;

/// Says who asked for what; `/large` brings a megabyte, `/pdf` what nobody wants.
pub(crate) async fn serve(line: Line) {
    let Wire::Tls(stream) = line.wire else { return };
    let mut connection = h2::server::handshake(*stream).await.unwrap();
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        let path = request.uri().path().to_owned();
        let kind = if path == "/pdf" { "application/pdf" } else { "text/html" };
        let answer =
            http::Response::builder().header("content-type", kind).header("x-odd", "1").body(()).unwrap();
        let body = if path == "/large" {
            "x".repeat(900_000)
        } else {
            format!("{:?} {path}", request.headers().get("user-agent"))
        };
        let mut sending = respond.send_response(answer, false).unwrap();
        sending.send_data(Bytes::from(body), true).unwrap();
    }
}

#[test]
fn pages_of_a_visit_share_a_connection_also_after_one_that_was_not_read() {
    let authority = Authority::new();
    let server = Server::tls(authority.config(Leaf::Good, &["h2", "http/1.1"]), serve);
    let urls = ["/1", "/large", "/pdf", "/2"].map(|path| server.url(path));
    let ended = ask_for(&urls, &authority.trusted(patient()));
    assert_eq!(ended.kinds(), [Fetched, Fetched, UnwantedType, Fetched]);
    assert_eq!(server.connections(), 1);
    assert_eq!(ended.body(0), "Some(\"Helios/test\") /1");
    assert_eq!(ended.body(1).len(), 900_000);
    let Outcome::Fetched(response) = ended.first() else { unreachable!() };
    assert_eq!(response.version, HttpVersion::Http2);
    assert_eq!(response.head, "HTTP/2 200\r\ncontent-type: text/html\r\nx-odd: 1\r\n\r\n");
}

//! HTTP around the model: a request becomes an `Ask`, the reply becomes an answer on the wire, and both are logged.
//!
//! Always: only GET and HEAD; a host is served on the port of its own scheme; what the model says is sent byte by byte.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};

use super::admin;
use super::body::PageBody;
use super::date;
use super::line::{Line, Visit};
use super::shell;
use super::wire::{Cut, Wire};
use crate::reply::{Ask, Encodings, Fault, HostId, Reply};

pub(super) type Answer = Response<PageBody>;

/// One frame of HTTP/2; for HTTP/1.1 there is no limit.
const HTTP2_FRAME: usize = 16_384;

/// Serves one connection until either side leaves.
pub(super) async fn serve_connection<S>(stream: S, line: Arc<Line>, http2: bool)
where
    S: Cut + AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let io = TokioIo::new(Wire::new(stream, Arc::clone(&line)));
    let service = service_fn(move |request| answer(Arc::clone(&line), request));
    // Errors are the client's leaving or a fault of ours; the log has them.
    if http2 {
        _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
            .serve_connection(io, service)
            .await;
    } else {
        let mut builder = hyper::server::conn::http1::Builder::new();
        builder.writev(true).header_read_timeout(None);
        _ = builder.serve_connection(io, service).await;
    }
}

async fn answer(line: Arc<Line>, request: Request<Incoming>) -> Result<Answer, Infallible> {
    let authority = match request.uri().authority() {
        Some(authority) => Some(authority.as_str()),
        None => request.headers().get(header::HOST).and_then(|host| host.to_str().ok()),
    };
    let Some(authority) = authority else { return Ok(plain(StatusCode::BAD_REQUEST, "no Host\n")) };
    if admin::is_admin(authority) {
        return Ok(admin::answer(&line.shared, &request).await);
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Ok(plain(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n"));
    }
    let web = &line.shared.web;
    match web.host_named(authority) {
        Some(host) if web.host(host).https == line.tls => Ok(visit(&line, host, &request).await),
        Some(_) => Ok(misdirected(&line, "this host is served on the other port (http or https)\n")),
        None => Ok(misdirected(&line, "no such host in this web\n")),
    }
}

async fn visit(line: &Arc<Line>, host: HostId, request: &Request<Incoming>) -> Answer {
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
    let head = request.method() == Method::HEAD;
    let Some((mut visit, attempt, now)) = line.begin(host, target, head) else {
        return plain(StatusCode::INSUFFICIENT_STORAGE, "the log is full: POST /__reset\n");
    };
    let headers = request.headers();
    let reply = line.shared.web.answer(&Ask {
        host,
        target,
        now,
        attempt,
        accept: encodings(headers),
        if_none_match: text(headers, header::IF_NONE_MATCH),
        if_modified_since: text(headers, header::IF_MODIFIED_SINCE),
    });
    if !reply.latency.is_zero() {
        shell::sleep(reply.latency).await;
    }
    if reply.fault == Fault::Silence {
        visit.falls_silent();
        std::future::pending::<()>().await;
    }
    visit.answers(reply.status, retry_after(&reply));
    respond(reply, visit, head, request.version())
}

fn respond(reply: Reply, visit: Visit, head: bool, version: Version) -> Answer {
    let length = reply.body_len();
    let at_a_time = if version == Version::HTTP_2 { HTTP2_FRAME } else { usize::MAX };
    // There is no body to break in an answer to HEAD.
    let body = match (head, reply.fault) {
        (true, _) => PageBody::of_visit(Vec::new(), at_a_time, visit).sent_if_empty(),
        (false, Fault::ResetAfter(bytes)) => {
            PageBody::of_visit(reply.body, at_a_time, visit).reset_after(bytes)
        }
        (false, Fault::None | Fault::Silence) => {
            PageBody::of_visit(reply.body, at_a_time, visit).sent_if_empty()
        }
    };
    let mut answer = Response::new(body);
    *answer.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = answer.headers_mut();
    headers.reserve(reply.headers.len() + 1);
    for (name, value) in reply.headers {
        // Strings of the model are moved, not copied; what is no header is left out.
        let name = HeaderName::from_bytes(name.as_bytes());
        let value = HeaderValue::from_maybe_shared(Bytes::from(value));
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    if head {
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    answer
}

fn misdirected(line: &Line, why: &'static str) -> Answer {
    line.shared.counts.misdirected.fetch_add(1, Ordering::Relaxed);
    plain(StatusCode::MISDIRECTED_REQUEST, why)
}

pub(super) fn plain(status: StatusCode, text: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(PageBody::plain(text));
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The codings that Accept-Encoding names and does not refuse by `q=0`.
fn encodings(headers: &HeaderMap) -> Encodings {
    let mut found = Encodings::default();
    for value in headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok()) {
        for part in value.split(',') {
            let (name, parameters) = part.split_once(';').unwrap_or((part, ""));
            let quality = parameters.trim().strip_prefix("q=").and_then(|q| q.trim().parse::<f32>().ok());
            let wanted = quality.is_none_or(|quality| quality > 0.0);
            match name.trim() {
                "gzip" | "x-gzip" => found.gzip = wanted,
                "br" => found.brotli = wanted,
                "zstd" => found.zstd = wanted,
                _ => {}
            }
        }
    }
    found
}

/// Retry-After of a 429 or 503, in seconds or as a date.
fn retry_after(reply: &Reply) -> Option<Duration> {
    if !matches!(reply.status, 429 | 503) {
        return None;
    }
    let (_, value) = reply.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("retry-after"))?;
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    Some(Duration::from_secs(date::unix_secs(value)?).saturating_sub(shell::unix_time()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc9110_accept_encoding_with_qualities() {
        let cases = [
            ("", [false, false, false]),
            ("gzip, deflate, br, zstd", [true, true, true]),
            ("gzip;q=0.5, br;q=0", [true, false, false]),
            ("identity", [false, false, false]),
        ];
        for (value, [gzip, brotli, zstd]) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            assert_eq!(encodings(&headers), Encodings { gzip, brotli, zstd }, "{value}");
        }
    }
}

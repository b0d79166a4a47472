//! The pages about the web itself, on 127.0.0.1 and localhost alone: seeds, verdict, expectation, counts, settings, CA, log.
//!
//! Always: they are not part of the web and not in the log.

use std::fmt::Write as _;
use std::sync::Arc;

use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, StatusCode};
use serde_json::json;

use super::http::{Answer, plain};
use super::query::{pairs, promises_from_query};
use super::{Shared, shell};
use crate::settings::Promises;
use crate::web::Fate;

const LOG_LINES: usize = 1_000;

const INDEX: &str = "\
/__seeds                    where a crawl begins, one URL a line
/__audit?site_delay_ms=...  the verdict; parameters are the promises; format=json or text
/__expected?...             what a complete crawl must meet, as JSON lines
/__stats                    counts
/__settings                 what kind of web this is
/__ca                       the certificate to trust
/__log?limit=1000           the last requests, as JSON lines
/__reset                    POST: forget the log
";

/// Is this the name of the machine itself, and no host of the web?
pub(super) fn is_admin(authority: &str) -> bool {
    let name = authority.rsplit_once(':').map_or(authority, |(name, _)| name);
    name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost")
}

pub(super) async fn answer<B>(shared: &Arc<Shared>, request: &Request<B>) -> Answer {
    let path = request.uri().path();
    let query = request.uri().query().unwrap_or_default().to_owned();
    let shared = Arc::clone(shared);
    if path == "/__reset" {
        return reset(&shared, request.method());
    }
    if request.method() != Method::GET {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "only GET\n");
    }
    match path {
        "/__seeds" => plain(StatusCode::OK, shared.web.seeds().join("\n") + "\n"),
        "/__audit" => long(move || audit(&shared, &query)).await,
        "/__expected" => long(move || expected(&shared, &query)).await,
        "/__log" => long(move || log(&shared, &query)).await,
        "/__stats" => json_page(&json!(shared.stats())),
        "/__settings" => json_page(&json!(shared.web.settings())),
        "/__ca" => plain(StatusCode::OK, shared.authority.ca_pem()),
        "/" => plain(StatusCode::OK, INDEX),
        _ => plain(StatusCode::NOT_FOUND, INDEX),
    }
}

async fn long(work: impl FnOnce() -> Answer + Send + 'static) -> Answer {
    let answer = shell::aside(work).await;
    answer.unwrap_or_else(|| {
        plain(StatusCode::INTERNAL_SERVER_ERROR, "this page failed; see the server's output\n")
    })
}

fn json_page(value: &serde_json::Value) -> Answer {
    json_text(format!("{value:#}\n"))
}

fn json_text(text: String) -> Answer {
    let mut answer = plain(StatusCode::OK, text);
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

fn reset(shared: &Shared, method: &Method) -> Answer {
    if method != Method::POST {
        return plain(StatusCode::METHOD_NOT_ALLOWED, "only POST\n");
    }
    shared.log().forget();
    plain(StatusCode::OK, "forgotten\n")
}

fn promises(query: &str) -> Result<Promises, Box<Answer>> {
    promises_from_query(query, &["format"])
        .map_err(|why| Box::new(plain(StatusCode::BAD_REQUEST, format!("{why}\n"))))
}

fn audit(shared: &Shared, query: &str) -> Answer {
    let format = pairs(query).find(|(name, _)| name == "format").map(|(_, value)| value);
    match (promises(query), format.as_deref()) {
        (Err(answer), _) => *answer,
        (Ok(promises), Some("json")) => json_text(shared.audit(&promises).json()),
        (Ok(promises), None | Some("text")) => plain(StatusCode::OK, shared.audit(&promises).text()),
        (Ok(_), Some(_)) => plain(StatusCode::BAD_REQUEST, "format is json or text\n"),
    }
}

fn expected(shared: &Shared, query: &str) -> Answer {
    let promises = match promises(query) {
        Ok(promises) => promises,
        Err(answer) => return *answer,
    };
    let mut out = String::new();
    for entry in shared.expected(&promises).iter() {
        let url = format!("{}{}", shared.web.origin(entry.host), entry.target);
        let fate = match entry.fate {
            Fate::Stored => "stored",
            Fate::Asked => "asked",
            Fate::Denied => "denied",
            Fate::Unreachable => "unreachable",
        };
        let line =
            json!({"url": url, "fate": fate, "depth": entry.depth, "sitemap_only": entry.sitemap_only});
        _ = writeln!(out, "{line}");
    }
    plain(StatusCode::OK, out)
}

fn log(shared: &Shared, query: &str) -> Answer {
    let limit = pairs(query).find(|(name, _)| name == "limit").and_then(|(_, value)| value.parse().ok());
    let log = shared.log();
    let from = log.records().len().saturating_sub(limit.unwrap_or(LOG_LINES));
    let mut out = String::new();
    for record in log.records().iter().skip(from) {
        let targets = log.targets();
        let origin = shared.web.origin(targets.host(record.target));
        let line = json!({
            "url": format!("{origin}{}", targets.text(record.target)),
            "start_ms": record.start_us as f64 / 1e3,
            "end_ms": record.end_us() as f64 / 1e3,
            "status": record.status,
            "ending": record.ending.words(),
            "bytes": record.bytes,
            "retry_after_ms": record.retry_after_ms,
            "head": record.head,
            "connection": record.connection,
            "address": log.address(record).to_string(),
        });
        _ = writeln!(out, "{line}");
    }
    plain(StatusCode::OK, out)
}

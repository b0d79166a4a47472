//! What the tests of the web share: asking, decoding, and a plain scan for anchors.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::HashSet;
use std::io::Read;
use std::time::Duration;

use helios_sim::reply::{Ask, Encodings, HostId, Reply};
use helios_sim::settings::WebSettings;
use helios_sim::web::{Spot, Web};

pub(crate) const ALL: Encodings = Encodings { gzip: true, brotli: true, zstd: true };
pub(crate) const NONE: Encodings = Encodings { gzip: false, brotli: false, zstd: false };

pub(crate) fn web(settings: WebSettings) -> Web {
    Web::new(settings).unwrap()
}

/// The realistic mix with small pages: quick to render.
pub(crate) fn small_mix() -> WebSettings {
    WebSettings {
        mean_pages: 20.0,
        page_bytes: 8_000.0,
        page_bytes_sigma: 0.5,
        text_share: 0.3,
        links: 20.0,
        ..WebSettings::default()
    }
}

pub(crate) fn ask(host: HostId, target: &str) -> Ask<'_> {
    Ask {
        host,
        target,
        now: Duration::ZERO,
        attempt: 9,
        accept: NONE,
        if_none_match: None,
        if_modified_since: None,
    }
}

pub(crate) fn header<'r>(reply: &'r Reply, name: &str) -> Option<&'r str> {
    reply.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
}

pub(crate) fn every_page(web: &Web) -> impl Iterator<Item = (HostId, u32)> {
    (0..web.host_count()).flat_map(|host| (0..web.page_count(host)).map(move |page| (host, page)))
}

pub(crate) fn page_text(web: &Web, host: HostId, page: u32, now: Duration) -> String {
    let target = web.target(host, Spot::Page(page));
    let body = web.answer(&Ask { now, ..ask(host, &target) }).body_bytes();
    let html = String::from_utf8_lossy(&body);
    let begin = html.find("<article>").unwrap();
    let end = html.find("</article>").unwrap();
    html[begin..end].to_owned()
}

pub(crate) fn decoded(reply: &Reply) -> Vec<u8> {
    let coded = reply.body_bytes();
    let mut raw = Vec::new();
    match header(reply, "content-encoding") {
        Some("gzip") => drop(flate2::read::GzDecoder::new(&coded[..]).read_to_end(&mut raw).unwrap()),
        Some("br") => drop(brotli::Decompressor::new(&coded[..], 4096).read_to_end(&mut raw).unwrap()),
        Some("zstd") => raw = zstd::stream::decode_all(&coded[..]).unwrap(),
        _ => raw = coded,
    }
    raw
}

/// Values of href in anchors, comments, scripts and styles left out, entities undone.
pub(crate) fn hrefs(html: &[u8]) -> Vec<String> {
    let html = String::from_utf8_lossy(html);
    let mut found = Vec::new();
    let mut rest = html.as_ref();
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        let skipped = [("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>")];
        let end = match skipped.iter().find(|(begin, _)| rest.starts_with(begin)) {
            Some((_, end)) => rest.find(end).map_or(rest.len(), |at| at + end.len()),
            None => rest.find('>').map_or(rest.len(), |at| at + 1),
        };
        let tag = &rest[..end];
        if let Some(value) = tag.strip_prefix("<a ").and_then(|tag| tag.split("href=\"").nth(1)) {
            found.push(value.split('"').next().unwrap().replace("&amp;", "&"));
        }
        rest = &rest[end..];
    }
    found
}

/// Resolves a reference against the URL of a page (or its base), dot segments included, fragment dropped.
pub(crate) fn resolve(base: &str, href: &str) -> String {
    let href = href.split('#').next().unwrap();
    let (scheme, rest) = base.split_once("://").unwrap();
    let (authority, base_path) = rest.split_at(rest.find('/').unwrap());
    let (authority, path) = if let Some((_, rest)) = href.split_once("://") {
        let (authority, path) = rest.split_at(rest.find('/').unwrap());
        (authority.to_ascii_lowercase(), path.to_owned())
    } else if href.starts_with('/') {
        (authority.to_owned(), href.to_owned())
    } else {
        let folder = base_path.split('?').next().unwrap().rsplit_once('/').unwrap().0;
        (authority.to_owned(), format!("{folder}/{href}"))
    };
    let (path, query) =
        path.split_once('?').map_or((path.as_str(), None), |(path, query)| (path, Some(query)));
    let mut kept: Vec<&str> = Vec::new();
    let mut parts = path.split('/').skip(1).peekable();
    while let Some(part) = parts.next() {
        match part {
            "." | ".." => {
                if part == ".." {
                    kept.pop();
                }
                if parts.peek().is_none() {
                    kept.push("");
                }
            }
            _ => kept.push(part),
        }
    }
    let scheme = href.split_once("://").map_or(scheme, |(scheme, _)| scheme);
    let query = query.map_or(String::new(), |query| format!("?{query}"));
    format!("{scheme}://{authority}/{}{query}", kept.join("/"))
}

/// Where the links of a page lead, by the model.
pub(crate) fn meant(web: &Web, host: HostId, page: u32) -> HashSet<String> {
    let links = web.links(host, page);
    links
        .iter()
        .map(|link| format!("{}{}", web.origin(link.host), web.target(link.host, link.spot)))
        .collect()
}

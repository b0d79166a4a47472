//! Sitemaps and feeds: lists of links, not pages.

use std::collections::HashSet;
use std::io::Read as _;
use std::ops::ControlFlow;

use flate2::read::MultiGzDecoder;
use helios_page::charset::MimeType;
use helios_page::{feed, sitemap};

use super::Extractor;
use crate::url::CanonicalUrl;

/// What a sitemap may have (sitemaps.org), unpacked.
const MOST_BYTES: u64 = 52_428_800;

/// Where it leads; none if it is a page like any other.
pub(super) fn read(
    url: &CanonicalUrl,
    body: &[u8],
    mime: Option<&MimeType>,
    extractor: &Extractor,
) -> Option<Vec<CanonicalUrl>> {
    let unpacked;
    let packed = sitemap::looks_like_gzip(body);
    let body = if packed {
        unpacked = unpack(body);
        unpacked.as_slice()
    } else {
        body
    };
    let is_listing = packed || mime.is_some_and(MimeType::is_xml) || feed::sniff(body) || is_json_feed(mime);
    if !is_listing {
        return None;
    }
    let charset = mime.and_then(|mime| mime.get("charset"));
    let (mut references, mut found) = (HashSet::new(), Vec::new());
    let own = url.to_url();
    let summary = sitemap::read(body, charset, |entry| {
        if let Ok(link) = extractor.urls.join(&own, &entry.loc)
            && references.insert(link.fingerprint())
        {
            found.push(link);
        }
        if found.len() < extractor.settings.max_links {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    (summary.kind != sitemap::Kind::None).then_some(found)
}

fn is_json_feed(mime: Option<&MimeType>) -> bool {
    mime.is_some_and(|mime| mime.essence() == "application/feed+json")
}

/// What could be unpacked.
fn unpack(body: &[u8]) -> Vec<u8> {
    let mut unpacked = Vec::new();
    // A broken end leaves what came before it.
    MultiGzDecoder::new(body).take(MOST_BYTES).read_to_end(&mut unpacked).ok();
    unpacked
}

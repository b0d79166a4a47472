//! One answer → its page, by what it is: HTML, text, a sitemap or a feed; of any other file only that it is there.

use helios_page::charset::{self, MimeType};
use helios_page::language::language_of;
use helios_page::links::refresh_target;
use twox_hash::XxHash3_64;

use super::page::Page;
use super::{Extractor, Given, TextKind, given, html, listing};
use crate::fetch::{Finished, Outcome, Purpose, Response};
use crate::robots::RobotsDirectives;
use crate::url::CanonicalUrl;

/// Of the raw body: smaller than gzip can make it, at three times the speed (docs/decisions/0017-warc.md).
const RAW_LEVEL: i32 = 3;
/// The kind of what has no text.
const FILE: &str = "file";

pub(super) fn read(finished: &Finished, given: Option<&Given>, extractor: &Extractor) -> Option<Page> {
    match (&finished.outcome, finished.task.purpose) {
        (Outcome::Fetched(response), Purpose::Page) => {
            let mut page = page(finished.task.permit.url(), response, given, extractor);
            page.obey(finished.finished);
            if extractor.settings.raw && page.index {
                // A body that no memory is left to pack is not kept.
                page.raw = zstd::bulk::compress(&response.body, RAW_LEVEL).ok();
            }
            Some(page)
        }
        _ => None,
    }
}

fn page(url: &CanonicalUrl, response: &Response, given: Option<&Given>, extractor: &Extractor) -> Page {
    let settings = &extractor.settings;
    let mime = MimeType::parse(&response.content_type);
    let body_hash = XxHash3_64::oneshot(&response.body);
    if let Some(list) = listing::read(url, &response.body, mime.as_ref(), extractor) {
        return Page { seen: body_hash, ..list };
    }
    let tld = url.host().rsplit('.').next();
    let mut page = if given::is_pdf(response) {
        given::page(given)
    } else if mime.as_ref().is_some_and(is_no_text) {
        Page { kind: FILE, ..Page::default() }
    } else {
        let decoded = charset::decode(&response.body, &response.content_type, tld);
        let charset = decoded.encoding;
        if mime.is_some_and(|mime| mime.essence() == "text/plain") {
            Page { text: decoded.text.into_owned(), kind: "text", charset, ..Page::default() }
        } else {
            Page { charset, ..html::read(&decoded, url, extractor) }
        }
    };
    refresh(&mut page, url, response, extractor);
    page.index = true;
    page.body_hash = body_hash;
    page.directives =
        page.directives.and(RobotsDirectives::of_headers(&response.robots_tags, &extractor.token));
    page.trim(settings.max_text_bytes);
    if settings.text == TextKind::None || page.kind == FILE {
        page.text.clear();
        page.seen = body_hash;
        return page;
    }
    if let Some(language) = language_of(&page.text) {
        language.code.clone_into(&mut page.language);
    }
    page.take_prints();
    if matches!(page.kind, "text" | "pdf") {
        page.words = page.print.map_or(0, |print| print.words);
    }
    page
}

/// A page may say in its head where it leads, instead of in a `meta`.
fn refresh(page: &mut Page, url: &CanonicalUrl, response: &Response, extractor: &Extractor) {
    let target = response.refresh.as_deref().and_then(refresh_target);
    let Some(Ok(link)) = target.map(|target| extractor.urls.join(&url.to_url(), target)) else { return };
    if !page.links.contains(&link) {
        page.links.push(link);
    }
}

/// Pictures, sounds, programs, archives: a filter may let them in, for an archive wants them.
fn is_no_text(mime: &MimeType) -> bool {
    let (class, rest) = mime.essence().split_once('/').unwrap_or_default();
    let is_xml = rest.ends_with("+xml") || rest == "xml";
    match class {
        "image" => !is_xml,
        "audio" | "video" | "font" | "model" => true,
        "application" => !(is_xml || rest.ends_with("json") || rest.ends_with("javascript")),
        _ => false,
    }
}

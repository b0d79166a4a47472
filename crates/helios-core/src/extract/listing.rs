//! Sitemaps and feeds: lists of links, not pages.

use std::collections::HashSet;
use std::io::Read as _;
use std::ops::ControlFlow;

use flate2::read::MultiGzDecoder;
use helios_page::charset::MimeType;
use helios_page::date::Moment;
use helios_page::feed;
use helios_page::sitemap::{self, ChangeFrequency, Entry, Kind};

use super::Extractor;
use super::page::Page;
use crate::frontier::{Hint, Listing};
use crate::url::{CanonicalUrl, Fingerprint, Url};

/// What a sitemap may have (sitemaps.org), unpacked.
const MOST_BYTES: u64 = sitemap::MOST_BYTES as u64;
/// How far the name of a root is looked for.
const HEAD: usize = 4_096;

/// What an answer is, by its type and its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Xml,
    Json,
    /// A URL on each line.
    Lines,
}

/// The page that stands for a list of links, with no text and no row; none if it is a page like any other.
pub(super) fn read(
    url: &CanonicalUrl,
    body: &[u8],
    mime: Option<&MimeType>,
    extractor: &Extractor,
) -> Option<Page> {
    let unpacked;
    let packed = sitemap::looks_like_gzip(body);
    let content = if packed {
        unpacked = unpack(body);
        unpacked.as_slice()
    } else {
        body
    };
    let read = form(content, mime, packed).and_then(|form| {
        let mut list = List::new(url, extractor);
        list.read(content, mime, form).then_some((list.links, list.listing))
    });
    match read {
        Some((links, listing)) => Some(Page { links, listing: Some(listing), ..Page::default() }),
        // Packed files and XML that are neither list nor page: there is nothing in them to read.
        None if packed || mime.is_some_and(is_foreign) && !has_html(content) => Some(Page::default()),
        None => None,
    }
}

fn form(content: &[u8], mime: Option<&MimeType>, packed: bool) -> Option<Form> {
    let begin = content.trim_ascii_start();
    let is_json = mime.is_some_and(|mime| mime.essence() == "application/feed+json");
    if is_json || begin.starts_with(b"{") && feed::sniff(content) {
        Some(Form::Json)
    } else if mime.is_some_and(MimeType::is_xml)
        || feed::sniff(content)
        || packed && begin.starts_with(b"<")
        || is_sitemap(begin)
    {
        Some(Form::Xml)
    } else if begin.starts_with(b"http")
        && (packed || mime.is_some_and(|mime| mime.essence() == "text/plain"))
    {
        Some(Form::Lines)
    } else {
        None
    }
}

/// A sitemap, whatever its server calls it.
fn is_sitemap(begin: &[u8]) -> bool {
    const ROOTS: [&[u8]; 2] = [b"<urlset", b"<sitemapindex"];
    let head = begin.get(..HEAD).unwrap_or(begin);
    let has_root = || ROOTS.iter().any(|root| memchr::memmem::find(head, root).is_some());
    ROOTS.iter().any(|root| head.starts_with(root))
        || head.starts_with(b"<?xml") && has_root() && !has_html(head)
}

/// XML of which nobody says that it is a page.
fn is_foreign(mime: &MimeType) -> bool {
    mime.is_xml() && mime.essence() != "application/xhtml+xml"
}

fn has_html(content: &[u8]) -> bool {
    let head = content.get(..HEAD).unwrap_or(content);
    head.windows(5).any(|five| five.eq_ignore_ascii_case(b"<html"))
}

struct List<'a> {
    own: Url,
    extractor: &'a Extractor,
    known: HashSet<Fingerprint>,
    links: Vec<CanonicalUrl>,
    listing: Listing,
}

impl<'a> List<'a> {
    fn new(url: &CanonicalUrl, extractor: &'a Extractor) -> Self {
        let (known, links, listing) = (HashSet::new(), Vec::new(), Listing::default());
        Self { own: url.to_url(), extractor, known, links, listing }
    }

    /// False: it is none.
    fn read(&mut self, content: &[u8], mime: Option<&MimeType>, form: Form) -> bool {
        let charset = mime.and_then(|mime| mime.get("charset"));
        if form == Form::Json {
            let Some(feed) = feed::read(content, charset) else { return false };
            for item in feed.entries {
                let hint = hint(item.updated.or(item.published), None, None);
                let Some(link) = item.link else { continue };
                if self.add(&link.href, hint).is_break() {
                    break;
                }
            }
            return true;
        }
        let summary = sitemap::read(content, charset, |entry| self.take(&entry));
        self.listing.index = summary.kind == Kind::Index;
        // Lines that are no URLs: a text in which URLs stand.
        summary.kind != Kind::None && (form == Form::Xml || summary.skipped == 0)
    }

    fn take(&mut self, entry: &Entry) -> ControlFlow<()> {
        let published = entry.news.as_ref().and_then(|news| news.published);
        let hint = hint(entry.lastmod.or(published), entry.priority, entry.changefreq);
        self.add(&entry.loc, hint)?;
        entry.alternates.iter().try_for_each(|other| self.add(&other.href, hint))
    }

    fn add(&mut self, reference: &str, hint: Hint) -> ControlFlow<()> {
        if let Ok(link) = self.extractor.urls.join(&self.own, reference)
            && self.known.insert(link.fingerprint())
        {
            self.links.push(link);
            self.listing.hints.push(hint);
        }
        let most = self.extractor.settings.max_links.max(sitemap::MOST_URLS);
        if self.links.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

fn hint(modified: Option<Moment>, priority: Option<f32>, frequency: Option<ChangeFrequency>) -> Hint {
    Hint {
        modified: modified.and_then(|moment| u64::try_from(moment.millis).ok()),
        priority: priority.map(|part| (part.clamp(0.0, 1.0) * 100.0).round() as u8),
        change: frequency.map(within_a_day),
    }
}

/// How likely a page that changes so often changes within a day, in hundredths.
fn within_a_day(frequency: ChangeFrequency) -> u8 {
    match frequency {
        ChangeFrequency::Always | ChangeFrequency::Hourly => 100,
        ChangeFrequency::Daily => 63,
        ChangeFrequency::Weekly => 13,
        ChangeFrequency::Monthly => 3,
        ChangeFrequency::Yearly | ChangeFrequency::Never => 0,
    }
}

/// What could be unpacked.
fn unpack(body: &[u8]) -> Vec<u8> {
    let mut unpacked = Vec::new();
    // A broken end leaves what came before it.
    MultiGzDecoder::new(body).take(MOST_BYTES).read_to_end(&mut unpacked).ok();
    unpacked
}

//! Sitemaps: one file, or an index of files, plain or gzip; they name every sound page and those that nothing links to.

use bytes::Bytes;

use super::hosts::{Plan, Sitemap};
use super::paths::{SITEMAP_URLS, Spot};
use super::{PageKind, Web, dates};
use crate::body::coding::gzip_whole;
use crate::body::short::number;

/// Most URLs of a file that is not part of an index (sitemaps.org).
const MOST_URLS: u32 = 50_000;
const HEAD: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const SPACE: &[u8] = b" xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";

impl Plan {
    /// How many pages, from the first on, the sitemaps of a host cover.
    pub(crate) const fn sitemap_pages(&self) -> u32 {
        match self.sitemap {
            Sitemap::Plain if self.pages > MOST_URLS => MOST_URLS,
            Sitemap::None | Sitemap::Plain | Sitemap::Index | Sitemap::IndexGz => self.pages,
        }
    }
}

/// Body and type of the n-th sitemap file; 0 is `/sitemap.xml`.
pub(crate) fn body(web: &Web, plan: &Plan, file: u32) -> (Vec<Bytes>, &'static str) {
    match (plan.sitemap, file) {
        (Sitemap::Index, 0) => (vec![index(plan, ".xml").into()], "application/xml"),
        (Sitemap::IndexGz, 0) => (vec![index(plan, ".xml.gz").into()], "text/xml; charset=utf-8"),
        (Sitemap::IndexGz, _) => (gzip_whole(&list(web, plan, file - 1)), "application/x-gzip"),
        (_, _) => (vec![list(web, plan, file.saturating_sub(1)).into()], "application/xml"),
    }
}

fn index(plan: &Plan, end: &str) -> Vec<u8> {
    let mut out = [HEAD, b"<sitemapindex", SPACE].concat();
    for file in 1..=plan.pages.div_ceil(SITEMAP_URLS) {
        out.extend_from_slice(b"<sitemap><loc>");
        out.extend_from_slice(plan.origin.as_bytes());
        out.extend_from_slice(b"/sitemap-");
        number(&mut out, u64::from(file));
        out.extend_from_slice(end.as_bytes());
        out.extend_from_slice(b"</loc></sitemap>\n");
    }
    out.extend_from_slice(b"</sitemapindex>\n");
    out
}

fn list(web: &Web, plan: &Plan, part: u32) -> Vec<u8> {
    let mut out = [HEAD, b"<urlset", SPACE].concat();
    let pages = match plan.sitemap {
        Sitemap::Plain => 0..plan.sitemap_pages(),
        Sitemap::None | Sitemap::Index | Sitemap::IndexGz => {
            part * SITEMAP_URLS..((part + 1) * SITEMAP_URLS).min(plan.pages)
        }
    };
    let changed = dates::day(web.epoch());
    for page in pages {
        if matches!(web.kind(plan, page), PageKind::Html | PageKind::SitemapOnly) {
            out.extend_from_slice(b"<url><loc>");
            out.extend_from_slice(plan.origin.as_bytes());
            web.write_path(&mut out, plan, Spot::Page(page));
            out.extend_from_slice(b"</loc><lastmod>");
            out.extend_from_slice(changed.as_bytes());
            out.extend_from_slice(b"</lastmod></url>\n");
        }
    }
    out.extend_from_slice(b"</urlset>\n");
    out
}

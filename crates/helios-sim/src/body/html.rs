//! A page: head, navigation, article, cards and footer, with static bulk between them up to the wanted size.
//!
//! In: host, place and time. Out: a draft that can be finished in any coding.
//! Always: the anchors are exactly `Web::links`; text comes from the text key alone, so copies have equal text.

use std::time::Duration;

use super::coding::Draft;
use super::filler::{self, Place};
use super::text::{TextKey, Voice};
use crate::chance::{Chance, For};
use crate::reply::HostId;
use crate::web::Web;
use crate::web::hosts::Plan;
use crate::web::hrefs::Hrefs;
use crate::web::links::{Form, Link, Role};
use crate::web::pages::{PageKind, page_chance};
use crate::web::paths::Spot;

/// One page to render.
pub(crate) struct Sheet<'w> {
    pub(crate) web: &'w Web,
    pub(crate) host: HostId,
    pub(crate) page: u32,
    /// Where it was asked for: the page itself, or a session path that shows it.
    pub(crate) spot: Spot,
    pub(crate) now: Duration,
    /// The label to put in a meta element.
    pub(crate) charset: &'w str,
}

impl<'w> Sheet<'w> {
    fn plan(&self) -> &'w Plan {
        self.web.plan(self.host)
    }

    fn chance(&self) -> Chance {
        page_chance(self.plan(), self.page)
    }

    /// The page in pieces.
    pub(crate) fn draft(&self) -> Draft<'w> {
        let links = self.web.links(self.host, self.page);
        let (source, key) = self.web.text_key((self.host, self.page), self.now);
        let voice = self.web.voice(source);
        let size = self.web.raw_size(self.plan(), self.page) as usize;
        let mut parts = Parts { draft: Draft::new(2_400 + links.len() * 260 + key.bytes * 5 / 4), bulk: 0 };
        // What is written fresh is known only at the end; links and text make nearly all of it.
        let fresh = 1_500 + links.len() * 200 + key.bytes;
        parts.bulk = size.saturating_sub(fresh);

        let based = self.chance().of(For::Head).at(9).happens(self.web.settings().base_href);
        let hrefs = self.hrefs(based);
        self.head(&mut parts.draft.fresh, &key, voice, based);
        parts.fill(Place::Code, self.chance(), 30);
        let out = &mut parts.draft.fresh;
        out.extend_from_slice(
            b"</head>\n<body class=\"page page--default\">\n<header class=\"site-header\">\n",
        );
        let nav = navigation(out, &hrefs, &links, voice);
        out.extend_from_slice(b"</header>\n");
        parts.fill(Place::Markup, self.chance().at(1), 25);
        let rest = article(&mut parts.draft.fresh, &hrefs, &links, (&key, voice));
        parts.fill(Place::Markup, self.chance().at(2), 15);
        let out = &mut parts.draft.fresh;
        aside(out, &hrefs, rest, voice);
        self.bait(out);
        out.extend_from_slice(b"<footer class=\"site-footer\">\n");
        out.extend_from_within(nav);
        out.extend_from_slice(b"<p class=\"legal\">(c) 2026</p></footer>\n");
        parts.fill(Place::Code, self.chance().at(3), 30);
        parts.draft.fresh.extend_from_slice(b"</body>\n</html>\n");
        parts.draft
    }

    /// How links are written on this page.
    pub(crate) fn hrefs(&self, based: bool) -> Hrefs<'w> {
        let mut path = Vec::with_capacity(64);
        self.web.write_path(&mut path, self.plan(), self.spot);
        let folders =
            path.iter().take_while(|&&byte| byte != b'?').filter(|&&byte| byte == b'/').count() as u32;
        let session = match self.spot {
            Spot::Session { token, .. } => Some(token),
            Spot::Page(_) | Spot::Hop { .. } | Spot::Calendar(_) => None,
        };
        Hrefs { web: self.web, depth: Some(if based { 0 } else { folders.saturating_sub(1) }), session }
    }

    fn head(&self, out: &mut Vec<u8>, key: &TextKey, voice: &Voice, based: bool) {
        let (plan, draw) = (self.plan(), self.chance().of(For::Head));
        let title = (voice.phrase(key.title_bits()), voice.phrase(key.title_bits() >> 20));
        let mut put = |parts: &[&str]| parts.iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
        put(&[
            "<!doctype html>\n<html lang=\"",
            voice.language.code,
            "\">\n<head>\n<meta charset=\"",
            self.charset,
        ]);
        if based {
            put(&["\">\n<base href=\"", &plan.origin, "/"]);
        }
        put(&["\">\n<title>", title.0, " ", title.1, "</title>\n<meta name=\"description\" content=\""]);
        key.description(out, voice);
        out.extend_from_slice(b"\">\n");
        self.robots_meta(out, draw);
        out.extend_from_slice(
            b"<meta property=\"og:type\" content=\"article\">\n<meta property=\"og:title\" content=\"",
        );
        out.extend_from_slice(title.0.as_bytes());
        out.extend_from_slice(b"\">\n<meta property=\"og:url\" content=\"");
        let begin = out.len();
        out.extend_from_slice(plan.origin.as_bytes());
        self.web.write_path(out, plan, Spot::Page(self.page));
        let url = begin..out.len();
        out.extend_from_slice(b"\">\n");
        self.canonical(out, url, draw.at(1));
        out.extend_from_slice(
            b"<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\"headline\":\"",
        );
        out.extend_from_slice(title.0.as_bytes());
        out.extend_from_slice(b"\",\"datePublished\":\"2025-06-01\"}</script>\n");
    }

    fn robots_meta(&self, out: &mut Vec<u8>, draw: Chance) {
        let content = match self.web.directives(self.plan(), self.page) {
            (content, false) => content,
            // Said in a header instead, or nothing to say.
            _ if draw.at(2).happens(0.4) => "index, follow",
            _ if draw.at(3).happens(0.02) => {
                out.extend_from_slice(b"<meta name=\"googlebot\" content=\"noindex, nofollow\">\n");
                return;
            }
            _ => return,
        };
        if !content.is_empty() {
            out.extend_from_slice(b"<meta name=\"robots\" content=\"");
            out.extend_from_slice(content.as_bytes());
            out.extend_from_slice(b"\">\n");
        }
    }

    /// Mostly the page itself; exact copies of a page of the same host point there half the time.
    fn canonical(&self, out: &mut Vec<u8>, own: std::ops::Range<usize>, draw: Chance) {
        let copy = !matches!(self.spot, Spot::Page(_));
        if !copy && !draw.happens(self.web.settings().canonical) {
            return;
        }
        out.extend_from_slice(b"<link rel=\"canonical\" href=\"");
        match self.web.source(self.host, self.page) {
            ((host, page), change) if host == self.host && change == 0.0 && draw.at(1).happens(0.5) => {
                out.extend_from_slice(self.plan().origin.as_bytes());
                self.web.write_path(out, self.plan(), Spot::Page(page));
            }
            _ => out.extend_from_within(own),
        }
        out.extend_from_slice(b"\">\n");
    }

    /// Things that look like links and are none.
    fn bait(&self, out: &mut Vec<u8>) {
        let draw = self.chance().of(For::Bait);
        if !draw.happens(self.web.settings().bait) {
            return;
        }
        match draw.at(1).below(3) {
            0 => out.extend_from_slice(b"<!-- <a href=\"/private/old-menu\">old</a> -->\n"),
            1 => out.extend_from_slice(
                b"<script>var next='<a href=\"/cgi-bin/next-page\">next</a>';document.title+=next.length;</script>\n",
            ),
            _ => out.extend_from_slice(b"<div data-href=\"/private/lazy-menu\" data-url=\"/cgi-bin/lazy\"></div>\n"),
        }
    }
}

/// A draft with the bulk that is still to be spread over it.
struct Parts<'w> {
    draft: Draft<'w>,
    bulk: usize,
}

impl Parts<'_> {
    fn fill(&mut self, place: Place, chance: Chance, percent: usize) {
        filler::fill(&mut self.draft, place, chance, self.bulk * percent / 100);
    }
}

/// The value of an href, to the end of the tag.
#[inline]
fn href(out: &mut Vec<u8>, hrefs: &Hrefs<'_>, link: &Link) {
    hrefs.write(out, link);
    if link.nofollow {
        out.extend_from_slice(b"\" rel=\"nofollow");
    }
    out.extend_from_slice(b"\">");
}

/// What a target is called in lists: a phrase of the voice, always the same for a page.
#[inline]
fn caption(out: &mut Vec<u8>, voice: &Voice, link: &Link) {
    let page = match link.spot {
        Spot::Page(page) | Spot::Hop { page, .. } | Spot::Session { page, .. } | Spot::Calendar(page) => page,
    };
    voice.caption(out, u64::from(page).wrapping_mul(0x9e37_79b9) ^ u64::from(link.host).wrapping_mul(31));
}

fn navigation(out: &mut Vec<u8>, hrefs: &Hrefs<'_>, links: &[Link], voice: &Voice) -> std::ops::Range<usize> {
    let begin = out.len();
    out.extend_from_slice(b"<nav class=\"menu\"><ul>\n");
    for link in links.iter().filter(|link| link.role == Role::Nav) {
        out.extend_from_slice(b"<li><a class=\"menu-link\" href=\"");
        href(out, hrefs, link);
        caption(out, voice, link);
        out.extend_from_slice(b"</a></li>\n");
    }
    out.extend_from_slice(b"</ul></nav>\n");
    begin..out.len()
}

/// The article; takes single links into its paragraphs and returns those that it had no room for.
fn article<'l>(
    out: &mut Vec<u8>,
    hrefs: &Hrefs<'_>,
    links: &'l [Link],
    (key, voice): (&TextKey, &Voice),
) -> impl Iterator<Item = &'l Link> + use<'l> {
    let mut items = links.iter().filter(|link| link.role == Role::Item);
    out.extend_from_slice(b"<main id=\"content\"><article>\n<h1>");
    out.extend_from_slice(voice.phrase(key.title_bits()).as_bytes());
    out.extend_from_slice(b"</h1>\n");
    key.write(out, voice, &mut |out, words| match items.next() {
        Some(link) => {
            out.extend_from_slice(b"<a href=\"");
            href(out, hrefs, link);
            out.extend_from_slice(words.as_bytes());
            out.extend_from_slice(b"</a>");
        }
        None => out.extend_from_slice(words.as_bytes()),
    });
    out.extend_from_slice(b"</article></main>\n");
    links.iter().filter(|link| link.role == Role::Card).chain(items)
}

fn aside<'l>(out: &mut Vec<u8>, hrefs: &Hrefs<'_>, links: impl Iterator<Item = &'l Link>, voice: &Voice) {
    out.extend_from_slice(b"<aside class=\"related\">\n");
    for link in links {
        if link.role == Role::Card {
            out.extend_from_slice(b"<div class=\"card\"><a href=\"");
            let begin = out.len() - b"<a href=\"".len();
            href(out, hrefs, link);
            let end = out.len();
            out.extend_from_slice(b"<img alt=\"\" loading=\"lazy\"></a><h3>");
            out.extend_from_within(begin..end);
            caption(out, voice, link);
            out.extend_from_slice(b"</a></h3></div>\n");
        } else {
            out.extend_from_slice(b"<div class=\"line\"><h4><a href=\"");
            href(out, hrefs, link);
            caption(out, voice, link);
            out.extend_from_slice(b"</a></h4></div>\n");
        }
    }
    out.extend_from_slice(b"</aside>\n");
}

/// A month of the endless calendar: two links, hardly any text.
pub(crate) fn calendar(web: &Web, host: HostId, month: u32) -> Draft<'_> {
    let mut draft = Draft::new(1_024);
    let (out, voice) = (&mut draft.fresh, web.voice(host));
    let hrefs = Hrefs { web, depth: None, session: None };
    let link = |spot| Link { host, spot, form: Form::RootRelative, role: Role::Item, nofollow: false };
    out.extend_from_slice(b"<!doctype html>\n<html><head><meta charset=\"utf-8\"><title>Calendar ");
    super::short::number(out, u64::from(month));
    out.extend_from_slice(b"</title></head><body><table><tr><td>");
    out.extend_from_slice(voice.phrase(u64::from(month)).as_bytes());
    out.extend_from_slice(b"</td></tr></table>\n");
    for spot in [Spot::Calendar(month.saturating_sub(1)), Spot::Calendar(month + 1), Spot::Page(0)] {
        out.extend_from_slice(b"<a href=\"");
        href(out, &hrefs, &link(spot));
        out.extend_from_slice(b"*</a>\n");
    }
    out.extend_from_slice(b"</body></html>\n");
    draft
}

impl Web {
    /// What robots directives a page gives, and whether in a header (else in a meta element).
    pub(crate) fn directives(&self, plan: &Plan, page: u32) -> (&'static str, bool) {
        let nofollow = plan.nofollow || self.kind(plan, page) == PageKind::NoFollow;
        let said = match (self.noindex(plan, page), nofollow) {
            (true, true) => "none",
            (true, false) => "noindex",
            (false, true) => "nofollow",
            (false, false) => return ("", true),
        };
        (
            said,
            plan.nofollow
                || self.has_corpus()
                || page_chance(plan, page).of(For::NoFollow).at(1).happens(0.3),
        )
    }
}

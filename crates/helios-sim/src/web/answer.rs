//! The reply to one request: what to send, when to start, and what goes wrong on the way.
//!
//! In: an [`Ask`]. Out: a [`Reply`]. Always: equal asks get equal replies; what is transient heals after one or two attempts.

use std::time::Duration;

use bytes::Bytes;

use super::hosts::Plan;
use super::pages::{PageKind, page_chance};
use super::paths::{Located, Spot};
use super::{RobotsKind, Web, dates, robots, sitemap};
use crate::body::coding::{Coding, Draft};
use crate::body::files;
use crate::body::html::{self, Sheet};
use crate::chance::{Chance, For, positive};
use crate::reply::{Ask, Fault, HostId, Reply};

/// Wall time at `now = 0` unless the settings say otherwise: 2026-01-01.
const EPOCH: u64 = 1_767_225_600;

type Headers = Vec<(&'static str, String)>;

pub(crate) fn answer(web: &Web, ask: &Ask<'_>) -> Reply {
    let plan = web.plan(ask.host);
    let mut reply = match web.locate(plan, ask.target) {
        Located::Robots(hop) => robots_reply(web, ask, hop),
        Located::Sitemap(file) => {
            let (body, kind) = sitemap::body(web, plan, file);
            reply(200, kind, body)
        }
        Located::Spot { spot: Spot::Calendar(month), .. } => {
            let draft = html::calendar(web, ask.host, month);
            coded(plan, ask, draft, vec![("content-type", "text/html; charset=utf-8".to_owned())])
        }
        Located::Spot { spot: Spot::Hop { page, hop }, .. } => redirect(web, ask.host, page, hop),
        Located::Spot { spot: spot @ (Spot::Page(page) | Spot::Session { page, .. }), .. } => {
            page_reply(web, ask, page, spot)
        }
        Located::Nothing => error_page(404),
    };
    reply.latency += latency(web, plan, ask);
    reply
}

fn latency(web: &Web, plan: &Plan, ask: &Ask<'_>) -> Duration {
    if web.settings.latency_ms == 0.0 {
        return Duration::ZERO;
    }
    let target = xxhash_rust::xxh3::xxh3_64(ask.target.as_bytes());
    let draw = plan.chance.of(For::Latency).at(target).at(u64::from(ask.attempt));
    let millis = draw.log_normal(plan.latency_ms, web.settings.latency_sigma * 0.7);
    Duration::from_micros(positive(millis * 1_000.0))
}

fn reply(status: u16, kind: &str, body: Vec<Bytes>) -> Reply {
    let headers = vec![("content-type", kind.to_owned())];
    Reply { status, headers, body, latency: Duration::ZERO, fault: Fault::None }
}

/// Errors come with a page of the size that real ones have (1.3 to 2.4 KB).
fn error_page(status: u16) -> Reply {
    let mut body =
        format!("<!doctype html>\n<html><head><title>{status}</title></head><body><h1>{status}</h1>\n");
    body.push_str(
        "<!-- a friendly error page must not be too short for some browsers to show it -->\n"
            .repeat(16)
            .as_str(),
    );
    body.push_str("</body></html>\n");
    reply(status, "text/html; charset=utf-8", vec![body.into()])
}

fn silence() -> Reply {
    Reply { fault: Fault::Silence, ..reply(200, "text/html", Vec::new()) }
}

fn robots_reply(web: &Web, ask: &Ask<'_>, hop: u8) -> Reply {
    let plan = web.plan(ask.host);
    match plan.robots.kind {
        RobotsKind::Missing => error_page(404),
        RobotsKind::Forbidden => error_page(403),
        RobotsKind::Unavailable => error_page(503),
        RobotsKind::Healing if ask.attempt < 2 => error_page(500),
        RobotsKind::Silent => silence(),
        RobotsKind::Html => error_page(200),
        RobotsKind::Redirected if hop < plan.robots.hops => {
            let mut reply = reply(if hop == 0 { 301 } else { 302 }, "text/plain", Vec::new());
            reply.headers.push(("location", format!("/robots-moved-{}.txt", hop + 1)));
            reply
        }
        RobotsKind::Empty
        | RobotsKind::Rules
        | RobotsKind::DeniesAll
        | RobotsKind::DeniesOthers
        | RobotsKind::OwnStricter
        | RobotsKind::OwnLooser
        | RobotsKind::Healing
        | RobotsKind::Redirected
        | RobotsKind::Huge
        | RobotsKind::AllowsAll => {
            let draft = Draft::whole(&robots::text(plan));
            coded(plan, ask, draft, vec![("content-type", "text/plain; charset=utf-8".to_owned())])
        }
    }
}

/// A body in the coding of the host, if the client takes it.
fn coded(plan: &Plan, ask: &Ask<'_>, draft: Draft<'_>, mut headers: Headers) -> Reply {
    let coding = plan.coding.accepted(ask.accept);
    if let Some(token) = coding.token() {
        headers.push(("content-encoding", token.to_owned()));
    }
    if plan.coding != Coding::Identity {
        headers.push(("vary", "accept-encoding".to_owned()));
    }
    Reply { status: 200, headers, body: draft.finish(coding), latency: Duration::ZERO, fault: Fault::None }
}

fn page_reply(web: &Web, ask: &Ask<'_>, page: u32, spot: Spot) -> Reply {
    let plan = web.plan(ask.host);
    let fault = web.transient(plan, page, ask.attempt);
    match fault {
        Some(Transient::Unavailable(status)) => return web.refusal(plan, ask, page, status),
        Some(Transient::Reset | Transient::Stall(_)) | None => {}
    }
    let mut reply = match web.kind(plan, page) {
        PageKind::Redirect => redirect(web, ask.host, page, 0),
        PageKind::NotFound => error_page(404),
        PageKind::Gone => error_page(410),
        PageKind::ServerError => error_page(500),
        PageKind::Silent => silence(),
        PageKind::File(kind) => {
            let (body, kind) = files::body(web, ask.host, kind, page_chance(plan, page));
            reply(200, kind, vec![body])
        }
        PageKind::Html | PageKind::NoFollow | PageKind::Private(_) | PageKind::SitemapOnly => {
            html_reply(web, ask, page, spot)
        }
    };
    match fault {
        Some(Transient::Reset) if reply.body_len() > 0 => {
            let cut = page_chance(plan, page).of(For::Fault).at(9).unit() * reply.body_len() as f64;
            reply.fault = Fault::ResetAfter(positive(cut) as usize);
        }
        Some(Transient::Stall(time)) => reply.latency += time,
        _ => {}
    }
    reply
}

/// What goes wrong at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transient {
    Unavailable(u16),
    Reset,
    Stall(Duration),
}

impl Web {
    /// Seconds since 1970 at `now = 0`.
    pub(crate) const fn epoch(&self) -> u64 {
        if self.settings.epoch_unix_secs == 0 { EPOCH } else { self.settings.epoch_unix_secs }
    }

    fn transient(&self, plan: &Plan, page: u32, attempt: u32) -> Option<Transient> {
        let settings = &self.settings;
        if attempt >= 2 {
            return None;
        }
        let draw = page_chance(plan, page).of(For::Fault);
        let shares = [settings.unavailable, settings.too_many, settings.resets, settings.stalls];
        let kind = draw.pick(&shares);
        let fails = 1 + (draw.at(1).bits() & 1) as u32;
        if attempt >= fails {
            return None;
        }
        match kind {
            0 => Some(Transient::Unavailable(*draw.at(2).choose(&[503, 503, 503, 500, 502]))),
            1 => Some(Transient::Unavailable(429)),
            2 => Some(Transient::Reset),
            3 => {
                let (least, most) = settings.stall_ms;
                Some(Transient::Stall(Duration::from_millis(draw.of(For::Stall).between(least, most))))
            }
            _ => None,
        }
    }

    /// 429 or 5xx; 429 and 503 say at times when to come back.
    fn refusal(&self, plan: &Plan, ask: &Ask<'_>, page: u32, status: u16) -> Reply {
        let mut reply = error_page(status);
        let draw = page_chance(plan, page).of(For::RetryAfter);
        if matches!(status, 429 | 503) && draw.happens(self.settings.retry_after) {
            let (least, most) = self.settings.retry_after_secs;
            let secs = draw.at(1).between(least, most);
            let value = if draw.at(2).happens(0.5) {
                secs.to_string()
            } else {
                // Rounded up: the date never comes before the seconds are over.
                dates::format(self.epoch() + (ask.now + Duration::from_millis(999)).as_secs() + secs)
            };
            reply.headers.push(("retry-after", value));
        }
        reply
    }
}

fn redirect(web: &Web, host: HostId, page: u32, hop: u8) -> Reply {
    let draw = page_chance(web.plan(host), page).of(For::Redirect).at(8);
    let (to, spot) = web.redirect_target(host, page, hop);
    let path = web.target(to, spot);
    let location =
        if to == host && draw.at(1).happens(0.3) { path } else { web.plan(to).origin.clone() + &path };
    let mut reply =
        reply(*draw.choose(&[301, 301, 301, 308, 302, 302, 307, 303, 301]), "text/html", Vec::new());
    reply.headers.push(("location", location));
    reply
}

fn html_reply(web: &Web, ask: &Ask<'_>, page: u32, spot: Spot) -> Reply {
    let plan = web.plan(ask.host);
    let mut headers = Headers::with_capacity(6);
    if validators(web, ask, page, &mut headers) {
        return Reply { status: 304, headers, body: Vec::new(), latency: Duration::ZERO, fault: Fault::None };
    }
    if let (content, true) = web.directives(plan, page)
        && !content.is_empty()
    {
        headers.push(("x-robots-tag", content.to_owned()));
    }
    if let Some(corpus) = &web.corpus {
        let (draft, kind) = corpus.draft(web, ask.host, page, ask.now);
        headers.push(("content-type", kind.to_owned()));
        return coded(plan, ask, draft, headers);
    }
    let charset = Charset::draw(web, plan, page);
    headers.push(("content-type", charset.content_type));
    let sheet = Sheet { web, host: ask.host, page, spot, now: ask.now, charset: charset.meta };
    let draft = sheet.draft();
    let draft = match charset.encoding {
        Some(encoding) => draft.recode(|utf8| encoding.encode(&String::from_utf8_lossy(utf8)).0.into_owned()),
        None => draft,
    };
    coded(plan, ask, draft, headers)
}

/// How a page is encoded and what it says of that.
struct Charset {
    encoding: Option<&'static encoding_rs::Encoding>,
    content_type: String,
    meta: &'static str,
}

impl Charset {
    fn draw(web: &Web, plan: &Plan, page: u32) -> Self {
        let settings = &web.settings;
        let draw = page_chance(plan, page).of(For::Charset);
        let label = web.voices.get(plan.language).map_or("utf-8", |voice| voice.language.charset);
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
        let known = |encoding, charset: &str, meta| Self {
            encoding,
            content_type: format!("text/html; charset={charset}"),
            meta,
        };
        match draw.pick(&[
            settings.charsets,
            settings.charset_in_meta,
            settings.charset_wrong,
            settings.xhtml,
        ]) {
            0 => known(encoding, label, label),
            1 => Self { encoding, content_type: "text/html".to_owned(), meta: label },
            2 => known(None, label, "utf-8"),
            3 => Self {
                encoding: None,
                content_type: "application/xhtml+xml; charset=utf-8".to_owned(),
                meta: "utf-8",
            },
            _ if draw.at(1).happens(0.7) => known(None, "utf-8", "utf-8"),
            _ => Self { encoding: None, content_type: "text/html".to_owned(), meta: "utf-8" },
        }
    }
}

/// Adds ETag and Last-Modified where the page has them; true: the client's copy is still good.
fn validators(web: &Web, ask: &Ask<'_>, page: u32, headers: &mut Headers) -> bool {
    let plan = web.plan(ask.host);
    let draw = page_chance(plan, page).of(For::Validator);
    let (source, _) = web.source(ask.host, page);
    let version = web.version(plan, ask.now).max(web.version(web.plan(source.0), ask.now));
    let mut fresh = false;
    if draw.happens(web.settings.etags) {
        let tag = etag(draw, version);
        fresh = ask.if_none_match.is_some_and(|wanted| {
            wanted.split(',').any(|one| one.trim() == "*" || strong(one.trim()) == strong(&tag))
        });
        headers.push(("etag", tag));
    }
    if draw.at(1).happens(web.settings.last_modified) {
        let changed = match version {
            0 => web.epoch().saturating_sub(3_600 + draw.at(2).bits() % (400 * 86_400)),
            _ => web.epoch() + version * web.settings.change_secs,
        };
        // If-None-Match, where sent, decides alone (RFC 9110, 13.1.3).
        let asked = ask.if_modified_since.filter(|_| ask.if_none_match.is_none());
        fresh |= asked.and_then(dates::parse).is_some_and(|since| since >= changed);
        headers.push(("last-modified", dates::format(changed)));
    }
    fresh
}

fn etag(draw: Chance, version: u64) -> String {
    let tag = draw.at(100 + version).bits();
    if draw.at(3).happens(0.3) { format!("W/\"{tag:016x}\"") } else { format!("\"{tag:016x}\"") }
}

fn strong(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

//! Paths: how each place of a host is spelled, and back from the spelling to the place.
//!
//! In: a place. Out: path and query; and the reverse, without tables: the number is read from the path, the path of that
//! number is written, and the two are compared. Always: `locate(write(spot)) == spot`.

use super::Web;
use super::hosts::{Plan, Sitemap, Trap};
use super::pages::{FileKind, PageKind, page_chance};
use crate::body::short::{Short, number};
use crate::body::words::{FOLDERS, SLUGS};
use crate::chance::{Chance, For};

/// Most URLs in one sitemap file.
pub(crate) const SITEMAP_URLS: u32 = 1_000;

/// A place on a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spot {
    Page(u32),
    /// The n-th stop of a redirect chain that begins at a page.
    Hop {
        page: u32,
        hop: u8,
    },
    /// A month of the endless calendar, counted from year 0.
    Calendar(u32),
    /// A page below an endless session id.
    Session {
        token: u32,
        page: u32,
    },
}

/// What a target names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Located {
    /// `/robots.txt` after so many redirects.
    Robots(u8),
    /// 0: `/sitemap.xml`; n: the n-th file of its index.
    Sitemap(u32),
    Spot {
        spot: Spot,
        alias: bool,
    },
    Nothing,
}

impl Web {
    /// Writes path and query of a spot.
    pub(crate) fn write_path(&self, out: &mut Vec<u8>, plan: &Plan, spot: Spot) {
        match spot {
            Spot::Page(page) => self.write_page(out, plan, page),
            Spot::Hop { page, hop } => {
                self.write_page(out, plan, page);
                out.extend_from_slice(b"?hop=");
                number(out, u64::from(hop));
            }
            Spot::Calendar(month) => {
                out.extend_from_slice(b"/calendar/");
                number(out, u64::from(month / 12));
                out.extend_from_slice(if month % 12 < 9 { b"/0" } else { b"/" });
                number(out, u64::from(month % 12 + 1));
            }
            Spot::Session { token, page } => {
                out.extend_from_slice(b"/s/");
                out.extend(format!("{token:08x}").bytes());
                self.write_page(out, plan, page);
            }
        }
    }

    fn write_page(&self, out: &mut Vec<u8>, plan: &Plan, page: u32) {
        if page == 0 {
            out.push(b'/');
            return;
        }
        let chance = page_chance(plan, page).of(For::Path);
        match self.kind(plan, page) {
            PageKind::Html
            | PageKind::NotFound
            | PageKind::Gone
            | PageKind::ServerError
            | PageKind::Silent
            | PageKind::NoFollow
            | PageKind::SitemapOnly => ordinary(out, chance, page),
            PageKind::Redirect => ended(out, "/go/", chance, page, ""),
            PageKind::File(kind) => file(out, kind, chance, page),
            PageKind::Private(0) => ended(out, "/private/", chance, page, ""),
            PageKind::Private(1) => ended(out, "/private/open/", chance, page, ""),
            PageKind::Private(2) => ended(out, "/cgi-bin/", chance, page, ""),
            PageKind::Private(3) => ended(out, "/pages/", chance, page, "?print=yes"),
            PageKind::Private(_) => ended(out, "/export/", chance, page, ".bak"),
        }
    }

    /// The place that a target names.
    pub(crate) fn locate(&self, plan: &Plan, target: &str) -> Located {
        if let Some(found) = special(plan, target) {
            return found;
        }
        let (bare, alias) = without_tracking(target);
        let spot = self.locate_spot(plan, &bare);
        spot.map_or(Located::Nothing, |spot| Located::Spot { spot, alias })
    }

    fn locate_spot(&self, plan: &Plan, target: &str) -> Option<Spot> {
        let spot = if let Some(rest) = target.strip_prefix("/calendar/") {
            let (year, month) = rest.split_once('/')?;
            let (year, month): (u32, u32) = (year.parse().ok()?, month.parse().ok()?);
            let known = plan.trap == Some(Trap::Calendar) && year < 100_000 && (1..=12).contains(&month);
            known.then(|| Spot::Calendar(year * 12 + month - 1))?
        } else if let Some(rest) = target.strip_prefix("/s/") {
            let token = u32::from_str_radix(rest.get(..8)?, 16).ok()?;
            let page = page_number(rest.get(8..)?)?;
            (plan.trap == Some(Trap::Session)).then_some(Spot::Session { token, page })?
        } else if let Some((path, hop)) = target.split_once("?hop=") {
            let (page, hop) = (page_number(path)?, hop.parse().ok()?);
            (hop > 0 && hop < self.redirect_stops(plan, page)).then_some(Spot::Hop { page, hop })?
        } else {
            Spot::Page(page_number(target)?)
        };
        let page = match spot {
            Spot::Page(page) | Spot::Hop { page, .. } | Spot::Session { page, .. } => page,
            Spot::Calendar(_) => 0,
        };
        let mut spelled = Vec::with_capacity(target.len() + 16);
        if page < plan.pages {
            self.write_path(&mut spelled, plan, spot);
        }
        (spelled == target.as_bytes()).then_some(spot)
    }
}

fn special(plan: &Plan, target: &str) -> Option<Located> {
    match target {
        "/" => Some(Located::Spot { spot: Spot::Page(0), alias: false }),
        "/robots.txt" => Some(Located::Robots(0)),
        "/sitemap.xml" if plan.sitemap != Sitemap::None => Some(Located::Sitemap(0)),
        _ => {
            if let Some(hop) =
                target.strip_prefix("/robots-moved-").and_then(|rest| rest.strip_suffix(".txt"))
            {
                let hop = hop.parse().ok().filter(|hop| (1..=plan.robots.hops).contains(hop));
                return hop.map(Located::Robots);
            }
            let rest = target.strip_prefix("/sitemap-")?;
            let file = match plan.sitemap {
                Sitemap::Index => rest.strip_suffix(".xml"),
                Sitemap::IndexGz => rest.strip_suffix(".xml.gz"),
                Sitemap::None | Sitemap::Plain => None,
            };
            let file: u32 = file?.parse().ok()?;
            (1..=plan.pages.div_ceil(SITEMAP_URLS)).contains(&file).then_some(Located::Sitemap(file))
        }
    }
}

/// Drops `utm_source` and `sid`, the parameters that make no difference here.
fn without_tracking(target: &str) -> (std::borrow::Cow<'_, str>, bool) {
    let Some((path, query)) = target.split_once('?') else { return (target.into(), false) };
    let tracks = |part: &&str| part.starts_with("utm_source=") || part.starts_with("sid=");
    if !query.split('&').any(|part| tracks(&part)) {
        return (target.into(), false);
    }
    let kept: Vec<&str> = query.split('&').filter(|part| !tracks(part)).collect();
    let plain = if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) };
    (plain.into(), true)
}

/// The number in a path: its last run of digits; `/` is page 0.
fn page_number(path: &str) -> Option<u32> {
    if path == "/" {
        return Some(0);
    }
    let end = path.rfind(|letter: char| letter.is_ascii_digit())? + 1;
    let head = path.get(..end)?;
    let begin = head.rfind(|letter: char| !letter.is_ascii_digit()).map_or(0, |at| at + 1);
    head.get(begin..)?.parse().ok()
}

static FOLDER: [Short; 16] = Short::list("/", &FOLDERS, "/");
static FIRST: [Short; 64] = Short::list("", &SLUGS, "-");
static WORD: [Short; 64] = Short::list("", &SLUGS, "");

fn ordinary(out: &mut Vec<u8>, chance: Chance, page: u32) {
    let bits = chance.bits();
    let shape = (bits >> 32) % 20;
    word(out, &FOLDER, bits);
    if shape < 17 {
        word(out, &FIRST, bits >> 8);
        word(out, &FIRST, bits >> 16);
    } else if shape < 19 {
        word(out, &FIRST, bits >> 8);
    } else {
        word(out, &WORD, bits >> 8);
        out.extend_from_slice(b"?id=");
    }
    number(out, u64::from(page));
    match shape {
        14..=16 => out.extend_from_slice(b".html"),
        17 | 18 => out.push(b'/'),
        _ => {}
    }
}

fn ended(out: &mut Vec<u8>, folder: &str, chance: Chance, page: u32, end: &str) {
    out.extend_from_slice(folder.as_bytes());
    word(out, &FIRST, chance.bits());
    number(out, u64::from(page));
    out.extend_from_slice(end.as_bytes());
}

fn file(out: &mut Vec<u8>, kind: FileKind, chance: Chance, page: u32) {
    let (folder, end) = match kind {
        FileKind::Pdf => ("/files/", ".pdf"),
        FileKind::Png => ("/images/", ".png"),
        FileKind::Json => ("/api/", ".json"),
        FileKind::Zip => ("/files/", ".zip"),
        FileKind::Feed => ("/feeds/", ".xml"),
        FileKind::Text => ("/files/", ".txt"),
    };
    ended(out, folder, chance, page, end);
}

#[inline]
fn word(out: &mut Vec<u8>, words: &[Short], bits: u64) {
    if let Some(word) = words.get(bits as usize & (words.len() - 1)) {
        word.write(out);
    }
}

//! robots.txt of each host: which kind, what it denies to `helios` and to crawlers it does not name, and its bytes.
//!
//! In: the temper of a host. Out: an answer to `/robots.txt`, and facts by construction.
//! Always: what is denied follows from the kind and from the area that a target lies in; nothing here parses a robots.txt.

use std::fmt::Write;

use super::hosts::{Plan, Sitemap};
use crate::chance::{Chance, For, pick_at};
use crate::settings::WebSettings;

/// What a host does with `/robots.txt`, in the order of `WebSettings::robots_shares`; what is left over allows all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RobotsKind {
    Missing,
    Forbidden,
    Empty,
    Rules,
    DeniesAll,
    DeniesOthers,
    /// A group for us: stricter than that for everyone, or looser.
    OwnStricter,
    OwnLooser,
    Unavailable,
    Healing,
    Silent,
    /// Rules behind one redirect, or a chain of three.
    Redirected,
    Html,
    Huge,
    AllowsAll,
}

/// Tokens of the groups for others in these files. A crawler of such a name cannot be judged here.
pub const TOKENS_OF_OTHERS: [&str; 6] = ["otherbot", "gptbot", "ccbot", "nutch", "googlebot", "elephant"];

/// For whom a robots.txt is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Some files have a group for us.
    Helios,
    /// A token that no file names: the group `*` binds it.
    Anyone,
}

impl Reader {
    /// Tokens are compared without regard to case (RFC 9309, 2.2.1).
    pub fn of(token: &str) -> Self {
        if token.eq_ignore_ascii_case("helios") { Self::Helios } else { Self::Anyone }
    }
}

/// How a host spells its robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    Plain,
    Crlf,
    ByteOrderMark,
    OddCase,
}

/// The robots temper of a host.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Robots {
    pub(crate) kind: RobotsKind,
    pub(crate) spelling: Spelling,
    /// For our token, in seconds; 0: none.
    pub(crate) crawl_delay: u64,
    /// Redirects before the file itself.
    pub(crate) hops: u8,
}

/// Parts of a host that robots rules speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Area {
    Open,
    /// Below `/private/`.
    Private,
    /// Below `/private/open/`: allowed by a longer rule.
    PrivateOpen,
    /// Below `/cgi-bin/`.
    CgiBin,
    /// Has `?print=`.
    Print,
    /// Ends in `.bak`.
    Backup,
}

/// The area a target lies in. Letters may come percent-encoded (RFC 9309, 2.2.2).
pub(crate) fn area_of(target: &str) -> Area {
    let decoded;
    let target = if target.contains('%') {
        decoded = decode_letters(target);
        &decoded
    } else {
        target
    };
    if target.starts_with("/private/open/") {
        Area::PrivateOpen
    } else if target.starts_with("/private/") {
        Area::Private
    } else if target.starts_with("/cgi-bin/") {
        Area::CgiBin
    } else if target.contains("?print=") {
        Area::Print
    } else if target.strip_suffix(".bak").is_some() {
        Area::Backup
    } else {
        Area::Open
    }
}

fn decode_letters(target: &str) -> String {
    let mut out = String::with_capacity(target.len());
    let mut rest = target;
    while let Some(at) = rest.find('%') {
        let (before, coded) = rest.split_at(at);
        out.push_str(before);
        let value = coded.get(1..3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match value.map(char::from) {
            Some(letter) if letter.is_ascii_alphanumeric() || "-._~".contains(letter) => {
                out.push(letter);
                rest = coded.get(3..).unwrap_or_default();
            }
            _ => {
                out.push('%');
                rest = coded.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

impl Robots {
    pub(crate) fn denies_all(self) -> bool {
        self.kind == RobotsKind::DeniesAll
    }

    pub(crate) fn unavailable(self) -> bool {
        matches!(self.kind, RobotsKind::Unavailable | RobotsKind::Silent)
    }

    /// The file is there and may carry a Sitemap line and a Crawl-delay.
    pub(crate) fn has_lines(self) -> bool {
        use RobotsKind as K;
        match self.kind {
            K::Rules
            | K::DeniesOthers
            | K::OwnStricter
            | K::OwnLooser
            | K::Healing
            | K::Redirected
            | K::Huge
            | K::AllowsAll => true,
            K::Missing | K::Forbidden | K::Empty | K::DeniesAll | K::Unavailable | K::Silent | K::Html => {
                false
            }
        }
    }

    /// Whether this reader may not ask for this area.
    pub(crate) fn denies(self, area: Area, reader: Reader) -> bool {
        use RobotsKind as K;
        match self.kind {
            K::DeniesAll | K::Unavailable | K::Silent => true,
            K::Rules | K::Healing | K::Redirected | K::Huge => {
                matches!(area, Area::Private | Area::CgiBin | Area::Print | Area::Backup)
            }
            K::OwnStricter => reader == Reader::Helios && matches!(area, Area::Private | Area::CgiBin),
            K::OwnLooser => reader == Reader::Anyone || area == Area::CgiBin,
            K::Missing | K::Forbidden | K::Empty | K::DeniesOthers | K::Html | K::AllowsAll => false,
        }
    }

    /// The Crawl-delay that binds this reader, in seconds; 0: none.
    pub(crate) fn delay_for(self, reader: Reader) -> u64 {
        match (self.kind, reader) {
            (RobotsKind::OwnStricter, Reader::Anyone) => 0,
            (RobotsKind::OwnLooser, Reader::Anyone) => LOOSER_DELAY,
            _ => self.crawl_delay,
        }
    }
}

pub(crate) fn draw(settings: &WebSettings, chance: Chance, unit: f64, delay_unit: f64) -> Robots {
    use RobotsKind as K;
    let style = chance.of(For::RobotsStyle);
    let kind = match pick_at(unit, &settings.robots_shares()) {
        0 => K::Missing,
        1 => K::Forbidden,
        2 => K::Empty,
        3 => K::Rules,
        4 => K::DeniesAll,
        5 => K::DeniesOthers,
        6 if style.at(1).happens(0.5) => K::OwnStricter,
        6 => K::OwnLooser,
        7 => K::Unavailable,
        8 => K::Healing,
        9 => K::Silent,
        10 => K::Redirected,
        11 => K::Html,
        12 => K::Huge,
        _ => K::AllowsAll,
    };
    let mut robots = Robots { kind, spelling: Spelling::Plain, crawl_delay: 0, hops: 0 };
    // Delays fall on hosts whose file has lines; the rate is raised by the share of files that have none.
    let lines = 1.0
        - settings
            .robots_shares()
            .iter()
            .enumerate()
            .filter(|(i, _)| [0, 1, 2, 4, 7, 9, 11].contains(i))
            .map(|(_, s)| s)
            .sum::<f64>();
    if robots.has_lines() && delay_unit * lines.max(0.01) < settings.crawl_delay {
        robots.crawl_delay = delay_secs(settings, chance.of(For::CrawlDelay));
    }
    robots.spelling = match style.pick(&[0.7, 0.15, 0.05]) {
        0 => Spelling::Plain,
        1 => Spelling::Crlf,
        2 => Spelling::ByteOrderMark,
        _ => Spelling::OddCase,
    };
    if kind == K::Redirected {
        robots.hops = if style.at(2).happens(0.5) { 1 } else { 3 };
    }
    robots
}

/// Half of all delays are the common one.
fn delay_secs(settings: &WebSettings, chance: Chance) -> u64 {
    let (least, common, most) = settings.crawl_delay_secs;
    if chance.happens(0.5) { common } else { chance.at(1).between(least, most) }
}

/// Crawl-delay for everyone where our own group is looser, in seconds.
const LOOSER_DELAY: u64 = 120;

const OPENING: &str = "# Rules for robots of this site\n";

/// The text of a robots.txt with rules.
pub(crate) fn text(plan: &Plan) -> Vec<u8> {
    let robots = plan.robots;
    let mut out = String::from(OPENING);
    match robots.kind {
        RobotsKind::Empty => out.clear(),
        RobotsKind::DeniesAll => out.push_str("User-agent: *\nDisallow: /\n"),
        RobotsKind::OwnStricter => {
            out.push_str("User-agent: *\nDisallow:\n\nUser-agent: Helios\nDisallow: /private/\nAllow: /private/open/\nDisallow: /cgi-bin/\n");
            delay_line(&mut out, robots.crawl_delay);
        }
        RobotsKind::OwnLooser => {
            out.push_str("User-agent: *\nDisallow: /\n");
            delay_line(&mut out, LOOSER_DELAY);
            out.push_str("\nUser-agent: otherbot\nuser-agent: helios\nDisallow: /cgi-bin/\nAllow: /\n");
            delay_line(&mut out, robots.crawl_delay);
        }
        RobotsKind::AllowsAll | RobotsKind::DeniesOthers => {
            if robots.kind == RobotsKind::DeniesOthers {
                out.push_str("User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: nutch\nDisallow: /\n\n");
            }
            out.push_str("User-agent: Googlebot\nDisallow: /search\nCrawl-delay: 60\n\nUser-agent: *\nDisallow: # nothing\n");
            delay_line(&mut out, robots.crawl_delay);
        }
        // The others have no file; what they would say does not matter.
        RobotsKind::Rules
        | RobotsKind::Healing
        | RobotsKind::Redirected
        | RobotsKind::Huge
        | RobotsKind::Missing
        | RobotsKind::Forbidden
        | RobotsKind::Unavailable
        | RobotsKind::Silent
        | RobotsKind::Html => {
            out.push_str("User-agent: *\nDisallow: /private/\nAllow: /private/open/\nDisallow: /cgi-bin/ # scripts\nDisallow: /*?print=\nDisallow: /*.bak$\n");
            delay_line(&mut out, robots.crawl_delay);
            out.push_str("\nUser-agent: Googlebot\nAllow: /\n");
        }
    }
    if plan.sitemap != Sitemap::None && robots.has_lines() {
        let written = write!(out, "\nSitemap: {}/sitemap.xml\n", plan.origin);
        debug_assert!(written.is_ok());
    }
    if robots.kind == RobotsKind::Huge {
        out.push_str("\nUser-agent: elephant\n");
        while out.len() < 600 << 10 {
            out.push_str("Disallow: /a-rule-that-concerns-nobody-but-fills-the-file/and-goes-on/and-on/\n");
        }
    }
    spell(&out, robots.spelling)
}

fn delay_line(out: &mut String, secs: u64) {
    if secs > 0 {
        let written = writeln!(out, "Crawl-delay: {secs}");
        debug_assert!(written.is_ok());
    }
}

fn spell(text: &str, spelling: Spelling) -> Vec<u8> {
    match spelling {
        Spelling::Plain => text.as_bytes().to_vec(),
        Spelling::Crlf => text.replace('\n', "\r\n").into_bytes(),
        // The mark stands before the first rule, where it does harm.
        Spelling::ByteOrderMark => format!("\u{feff}{}", text.trim_start_matches(OPENING)).into_bytes(),
        Spelling::OddCase => text
            .replace("User-agent: ", "USER-AGENT:")
            .replace("Disallow: ", "disALLOW :  ")
            .replace("Allow: ", " aLLow:\t")
            .replace("Crawl-delay: ", "crawl-DELAY: ")
            .into_bytes(),
    }
}

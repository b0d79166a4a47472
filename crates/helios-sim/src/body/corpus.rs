//! Real pages with their links replaced: the files of a folder, cut at their anchors.
//!
//! In: a folder with *.html, *.html.gz, and *.tar or *.tar.gz of *.html. Out: drafts with links of the synthetic web.
//! Always: nothing of the old links stays (anchors without a slot get `#`); base, canonical, robots and refresh are gone.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use memchr::{memchr, memmem};

use super::coding::{Draft, Segment, gunzip};
use super::html::Sheet;
use crate::chance::For;
use crate::reply::HostId;
use crate::web::pages::page_chance;
use crate::web::{Spot, Web};

/// Static runs between two slots are at least this long: fewer pieces, better compression.
const LEAST_RUN: usize = 2_048;

/// Pages read from files.
#[derive(Debug)]
pub(crate) struct Corpus {
    files: Vec<Cut>,
}

/// A page cut at its slots: a link goes between two runs, and all links once more before the tail, so that none is lost
/// where the markup of a page hides a slot from a parser.
#[derive(Debug)]
struct Cut {
    runs: Vec<Segment>,
    tail: Segment,
    utf8: bool,
}

impl Corpus {
    /// Reads a folder, in the order of names.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let mut raw = Vec::new();
        gather(folder, &mut raw).map_err(|error| format!("corpus: {}: {error}", folder.display()))?;
        if raw.is_empty() {
            return Err(format!(
                "corpus: {} has no page; allowed: *.html, *.html.gz, *.tar, *.tar.gz",
                folder.display()
            ));
        }
        Ok(Self { files: raw.iter().map(|page| cut(page)).collect() })
    }

    /// The page that stands for a page of the web; copies show the same file.
    pub(crate) fn draft<'w>(
        &'w self,
        web: &'w Web,
        host: HostId,
        page: u32,
        now: Duration,
    ) -> (Draft<'w>, &'static str) {
        let (source, _) = web.source(host, page);
        let plan = web.plan(source.0);
        let key = page_chance(plan, source.1).of(For::Corpus).at(web.version(plan, now));
        let file = key.choose(&self.files);
        let links = web.links(host, page);
        let sheet = Sheet { web, host, page, spot: Spot::Page(page), now, charset: "utf-8" };
        let hrefs = sheet.hrefs(false);
        let mut draft = Draft::new(links.len() * 80 + 256);
        let mut slots = links.iter().cycle();
        for (index, run) in file.runs.iter().enumerate() {
            if index > 0
                && let Some(link) = slots.next()
            {
                hrefs.write(&mut draft.fresh, link);
                if link.nofollow {
                    draft.fresh.extend_from_slice(b"\" rel=\"nofollow");
                }
            }
            draft.place(run);
        }
        draft.fresh.extend_from_slice(b"\n<nav>\n");
        for link in &links {
            draft.fresh.extend_from_slice(b"<a href=\"");
            hrefs.write(&mut draft.fresh, link);
            draft.fresh.extend_from_slice(if link.nofollow { b"\" rel=\"nofollow\">" } else { b"\">" });
            draft.fresh.extend_from_slice(b"*</a>\n");
        }
        draft.fresh.extend_from_slice(b"</nav>\n");
        draft.place(&file.tail);
        (draft, if file.utf8 { "text/html; charset=utf-8" } else { "text/html" })
    }
}

fn gather(folder: &Path, pages: &mut Vec<Vec<u8>>) -> std::io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        if path.is_dir() {
            gather(&path, pages)?;
            continue;
        }
        let (plain, packed) = name.strip_suffix(".gz").map_or((name.as_str(), false), |plain| (plain, true));
        let (page, archive) = (plain.strip_suffix(".html").is_some(), plain.strip_suffix(".tar").is_some());
        if page || archive {
            let mut bytes = std::fs::read(&path)?;
            if packed {
                bytes = gunzip(&bytes).ok_or(std::io::ErrorKind::InvalidData)?;
            }
            if page { pages.push(bytes) } else { unpack(&bytes, pages) }
        }
    }
    Ok(())
}

/// Pages of a tar archive: blocks of 512 bytes, name at 0, size in octal at 124, kind at 156.
fn unpack(tar: &[u8], pages: &mut Vec<Vec<u8>>) {
    let mut rest = tar;
    while let Some((head, after)) = rest.split_at_checked(512) {
        let text = |from: usize, to: usize| {
            let field = head.get(from..to).unwrap_or_default();
            String::from_utf8_lossy(field.split(|&byte| byte == 0).next().unwrap_or_default()).into_owned()
        };
        let Ok(size) = usize::from_str_radix(text(124, 136).trim(), 8) else { return };
        let Some(body) = after.get(..size) else { return };
        let page = text(0, 100).to_ascii_lowercase().strip_suffix(".html").is_some();
        if page && matches!(head.get(156), Some(b'0' | 0)) {
            pages.push(body.to_vec());
        }
        rest = after.get(size.next_multiple_of(512)..).unwrap_or_default();
    }
}

/// Collects runs while a page is read.
#[derive(Default)]
struct Cutter {
    runs: Vec<Vec<u8>>,
    run: Vec<u8>,
    /// The body is over: what follows is the tail, and has no slots.
    ended: bool,
}

impl Cutter {
    /// Ends the run at an anchor that gets a link of its own, or writes `#` there.
    fn slot(&mut self) {
        self.run.push(b'"');
        if self.run.len() >= LEAST_RUN && !self.ended {
            self.runs.push(std::mem::take(&mut self.run));
        } else {
            self.run.push(b'#');
        }
        self.run.push(b'"');
    }

    fn end_body(&mut self) {
        if !self.ended {
            self.runs.push(std::mem::take(&mut self.run));
            self.ended = true;
        }
    }
}

fn cut(page: &[u8]) -> Cut {
    let mut cutter = Cutter { run: Vec::with_capacity(page.len()), ..Cutter::default() };
    let mut rest = page;
    while let Some(at) = memchr(b'<', rest) {
        let (before, tag) = rest.split_at(at);
        cutter.run.extend_from_slice(before);
        let length = match raw(tag) {
            Raw::No => rewrite(&mut cutter, tag),
            Raw::Ends(length) => {
                cutter.run.extend_from_slice(tag.get(..length).unwrap_or_default());
                Some(length)
            }
            Raw::Endless => None,
        };
        // What never ends would swallow all that comes after it: the page ends here instead.
        rest = length.and_then(|length| tag.get(length..)).unwrap_or_default();
    }
    cutter.run.extend_from_slice(rest);
    cutter.end_body();
    Cut {
        utf8: std::str::from_utf8(page).is_ok(),
        runs: cutter.runs.into_iter().map(Segment::new).collect(),
        tail: Segment::new(cutter.run),
    }
}

/// Comment, script or style: kept as it is.
enum Raw {
    No,
    /// After so many bytes.
    Ends(usize),
    Endless,
}

fn raw(tag: &[u8]) -> Raw {
    let ended = |end: Option<usize>| end.map_or(Raw::Endless, Raw::Ends);
    let begins = |name: &[u8]| tag.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
    if begins(b"<!--") {
        return ended(memmem::find(tag, b"-->").map(|at| at + 3));
    }
    let ends: [(&[u8], &[u8]); 2] = [(b"<script", b"</script"), (b"<style", b"</style")];
    let Some((_, end)) = ends.into_iter().find(|(begin, _)| begins(begin)) else { return Raw::No };
    let starts = memchr::memchr_iter(b'<', tag);
    let mut closing =
        starts.filter(|&at| tag.get(at..at + end.len()).is_some_and(|word| word.eq_ignore_ascii_case(end)));
    ended(closing.next().map(|at| at + end.len()))
}

/// Writes one tag without its old links; returns its length, or nothing if it has no end.
fn rewrite(cutter: &mut Cutter, tag: &[u8]) -> Option<usize> {
    let closing = usize::from(tag.get(1) == Some(&b'/'));
    if !tag.get(1 + closing).is_some_and(u8::is_ascii_alphabetic) {
        cutter.run.push(b'<');
        return Some(1);
    }
    let name_end =
        position(tag, 1 + closing, |byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))?;
    let name = tag.get(1..name_end).unwrap_or_default().to_ascii_lowercase();
    let wanted: &[u8] = if matches!(name.as_slice(), b"iframe" | b"frame") { b"src" } else { b"href" };
    let (end, value) = scan(tag, name_end, wanted)?;
    let whole = tag.get(..end).unwrap_or_default();
    match name.as_slice() {
        b"base" => return Some(end),
        b"meta" if names_any(whole, &[b"robots", b"googlebot", b"refresh"]) => return Some(end),
        b"/body" => cutter.end_body(),
        _ => {}
    }
    let linked = matches!(name.as_slice(), b"a" | b"area" | b"link" | b"iframe" | b"frame");
    let Some(value) = value.filter(|_| linked) else {
        cutter.run.extend_from_slice(whole);
        return Some(end);
    };
    cutter.run.extend_from_slice(tag.get(..value.start).unwrap_or_default());
    match name.as_slice() {
        b"a" | b"area" => cutter.slot(),
        b"link" => cutter.run.extend_from_slice(b"\"#\""),
        _ => cutter.run.extend_from_slice(b"\"about:blank\""),
    }
    cutter.run.extend_from_slice(tag.get(value.end..end).unwrap_or_default());
    Some(end)
}

/// Reads the attributes of a tag as browsers do: its length, and where the value of the wanted one stands, with quotes.
fn scan(tag: &[u8], from: usize, wanted: &[u8]) -> Option<(usize, Option<Range<usize>>)> {
    let (mut at, mut found) = (from, None);
    loop {
        at = position(tag, at, |byte| !byte.is_ascii_whitespace() && byte != b'/')?;
        if tag.get(at) == Some(&b'>') {
            return Some((at + 1, found));
        }
        // An equals sign may begin a name.
        let name_end =
            position(tag, at + 1, |byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'='))?;
        let ours = tag.get(at..name_end).is_some_and(|name| name.eq_ignore_ascii_case(wanted));
        at = position(tag, name_end, |byte| !byte.is_ascii_whitespace())?;
        if tag.get(at) != Some(&b'=') {
            continue;
        }
        let begin = position(tag, at + 1, |byte| !byte.is_ascii_whitespace())?;
        at = match *tag.get(begin)? {
            quote @ (b'"' | b'\'') => position(tag, begin + 1, |byte| byte == quote)? + 1,
            _ => position(tag, begin, |byte| byte.is_ascii_whitespace() || byte == b'>')?,
        };
        if ours && found.is_none() {
            found = Some(begin..at);
        }
    }
}

/// The first byte from `from` on that is wanted.
fn position(bytes: &[u8], from: usize, wanted: impl Fn(u8) -> bool) -> Option<usize> {
    bytes.iter().skip(from).position(|&byte| wanted(byte)).map(|at| from + at)
}

fn names_any(tag: &[u8], words: &[&[u8]]) -> bool {
    let lower = tag.to_ascii_lowercase();
    words.iter().any(|word| memmem::find(&lower, word).is_some())
}

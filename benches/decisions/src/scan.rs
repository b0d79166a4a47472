//! A scanner for links only: walks the tags of a page as the WHATWG tokenizer would (§13.2.5), builds nothing, and reports
//! the raw `href` of each `a` and `area`. It skips comments, raw text and scripts, knows when it is inside SVG or
//! MathML, and leaves out what stands in a `template`.

use memchr::{memchr, memchr2, memmem};

/// Elements whose content is text, so that a "tag" in it is none. `noscript` is not here: a crawler runs no scripts.
const RAW: [&[u8]; 7] = [b"style", b"title", b"textarea", b"iframe", b"xmp", b"noembed", b"noframes"];

/// HTML start tags that end SVG or MathML even when nobody closed it (§13.2.6.5).
const BREAKOUT: [&[u8]; 24] = [
    b"body", b"br", b"center", b"code", b"dd", b"div", b"dl", b"dt", b"em", b"h1", b"h2", b"h3", b"h4",
    b"head", b"hr", b"img", b"li", b"nobr", b"ol", b"p", b"pre", b"span", b"table", b"ul",
];

pub fn links(page: &[u8], mut found: impl FnMut(&[u8])) {
    let mut at = 0;
    let (mut foreign, mut template) = (0_u32, 0_u32);
    while let Some(step) = memchr(b'<', &page[at..]) {
        let open = at + step;
        let rest = &page[open + 1..];
        match rest.first() {
            Some(b'a'..=b'z' | b'A'..=b'Z') => {
                let name_end = rest.iter().position(|&b| ends_name(b)).unwrap_or(rest.len());
                let name = &rest[..name_end];
                let Some(tag) = attributes(page, open + 1 + name_end) else { return };
                at = tag.end;
                if name.eq_ignore_ascii_case(b"a") || name.eq_ignore_ascii_case(b"area") {
                    if let (Some((from, to)), 0) = (tag.href, template) {
                        found(&page[from..to]);
                    }
                } else if foreign > 0 {
                    foreign = after_foreign_start(foreign, name, tag.self_closing);
                } else if name.eq_ignore_ascii_case(b"template") {
                    template += 1;
                } else {
                    match after_start(page, at, name) {
                        After::Markup => {}
                        After::Foreign => foreign = u32::from(!tag.self_closing),
                        After::Text(end) => at = end,
                    }
                }
            }
            Some(b'/') => {
                if names(&rest[1..], b"template") {
                    template = template.saturating_sub(1);
                }
                at = end_tag(page, open, &mut foreign);
            }
            Some(b'!') => at = declaration(page, open, foreign > 0),
            Some(b'?') => at = past(page, open, b">"),
            Some(_) => at = open + 1,
            None => return,
        }
    }
}

enum After {
    Markup,
    Foreign,
    Text(usize),
}

fn after_start(page: &[u8], at: usize, name: &[u8]) -> After {
    if name.eq_ignore_ascii_case(b"script") {
        After::Text(end_of_script(page, at))
    } else if RAW.iter().any(|raw| name.eq_ignore_ascii_case(raw)) {
        After::Text(end_of_raw(page, at, name))
    } else if name.eq_ignore_ascii_case(b"svg") || name.eq_ignore_ascii_case(b"math") {
        After::Foreign
    } else if name.eq_ignore_ascii_case(b"plaintext") {
        After::Text(page.len())
    } else {
        After::Markup
    }
}

fn after_foreign_start(depth: u32, name: &[u8], self_closing: bool) -> u32 {
    if BREAKOUT.iter().any(|html| name.eq_ignore_ascii_case(html)) {
        0
    } else if name.eq_ignore_ascii_case(b"svg") && !self_closing {
        depth + 1
    } else {
        depth
    }
}

fn end_tag(page: &[u8], open: usize, foreign: &mut u32) -> usize {
    let rest = &page[open + 2..];
    if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
        return past(page, open, b">");
    }
    let name_end = rest.iter().position(|&b| ends_name(b)).unwrap_or(rest.len());
    let name = &rest[..name_end];
    if *foreign > 0 && (name.eq_ignore_ascii_case(b"svg") || name.eq_ignore_ascii_case(b"math")) {
        *foreign -= 1;
    }
    attributes(page, open + 2 + name_end).map_or(page.len(), |tag| tag.end)
}

/// Comment, doctype, CDATA (only in SVG or MathML) or bogus comment.
fn declaration(page: &[u8], open: usize, foreign: bool) -> usize {
    let rest = &page[open..];
    if rest.starts_with(b"<!--") {
        // "<!-->" and "<!--->" are whole comments; "--!>" ends one too.
        let mut at = open + 2;
        while let Some(step) = memmem::find(&page[at..], b"--") {
            let dashes = at + step;
            match &page[dashes + 2..] {
                [b'>', ..] => return dashes + 3,
                [b'!', b'>', ..] if dashes > open + 3 => return dashes + 4,
                _ => at = dashes + 1,
            }
        }
        page.len()
    } else if foreign && rest.starts_with(b"<![CDATA[") {
        past(page, open, b"]]>")
    } else {
        past(page, open, b">")
    }
}

fn past(page: &[u8], from: usize, end: &[u8]) -> usize {
    memmem::find(&page[from..], end).map_or(page.len(), |step| from + step + end.len())
}

struct Tag {
    end: usize,
    href: Option<(usize, usize)>,
    self_closing: bool,
}

/// Attributes from behind the tag's name to behind its `>`; `None` when the page ends inside the tag.
fn attributes(page: &[u8], mut at: usize) -> Option<Tag> {
    let mut href = None;
    loop {
        while page.get(at).is_some_and(|&b| is_space(b) || b == b'/') {
            at += 1;
        }
        if *page.get(at)? == b'>' {
            return Some(Tag { end: at + 1, href, self_closing: page[at - 1] == b'/' });
        }
        let name = at;
        at += 1;
        while page.get(at).is_some_and(|&b| b != b'=' && !ends_name(b)) {
            at += 1;
        }
        let is_href = at - name == 4 && href.is_none() && page[name..at].eq_ignore_ascii_case(b"href");
        at = skip_space(page, at);
        let mut value = (at, at);
        if page.get(at) == Some(&b'=') {
            at = skip_space(page, at + 1);
            match *page.get(at)? {
                quote @ (b'"' | b'\'') => {
                    let end = at + 1 + memchr(quote, &page[at + 1..])?;
                    value = (at + 1, end);
                    at = end + 1;
                }
                _ => {
                    let end = page[at..].iter().position(|&b| is_space(b) || b == b'>')?;
                    value = (at, at + end);
                    at += end;
                }
            }
        }
        if is_href {
            href = Some(value);
        }
    }
}

fn skip_space(page: &[u8], mut at: usize) -> usize {
    while page.get(at).is_some_and(|&b| is_space(b)) {
        at += 1;
    }
    at
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\n' | b'\t' | b'\r' | 0x0c)
}

fn ends_name(b: u8) -> bool {
    is_space(b) || b == b'/' || b == b'>'
}

/// Whether `text` starts with this tag name and a delimiter.
fn names(text: &[u8], name: &[u8]) -> bool {
    text.len() > name.len() && text[..name.len()].eq_ignore_ascii_case(name) && ends_name(text[name.len()])
}

fn end_of_raw(page: &[u8], mut at: usize, name: &[u8]) -> usize {
    while let Some(step) = memmem::find(&page[at..], b"</") {
        at += step;
        if names(&page[at + 2..], name) {
            return at;
        }
        at += 2;
    }
    page.len()
}

/// A script ends at `</script`, unless it holds `<!-- <script`: then one `</script` is swallowed (§13.2.5.15 and on).
fn end_of_script(page: &[u8], mut at: usize) -> usize {
    let (mut escaped, mut twice) = (false, false);
    loop {
        let step = if escaped { memchr2(b'<', b'-', &page[at..]) } else { memchr(b'<', &page[at..]) };
        let Some(step) = step else { return page.len() };
        at += step;
        let rest = &page[at..];
        if rest.starts_with(b"-->") {
            (escaped, twice) = (false, false);
            at += 3;
        } else if !escaped && rest.starts_with(b"<!--") {
            escaped = true;
            at += 2;
        } else if rest.starts_with(b"</") && names(&rest[2..], b"script") {
            if !twice {
                return at;
            }
            twice = false;
            at += 8;
        } else if escaped && rest[0] == b'<' && names(&rest[1..], b"script") {
            twice = true;
            at += 7;
        } else {
            at += 1;
        }
    }
}

//! The text of one block as markdown: links, emphasis, code and images inside a line.

use memchr::{memchr2, memmem};

use super::kind::{self, Flow};
use super::shown::Shown;
use super::words::{is_unseen, may_part};
use crate::html::{NodeId, Tag, Tree};

/// Elements above a text are read up to here.
const DEEPEST: usize = 64;
/// Addresses longer than this are left out: they are data, not links.
const LONGEST_ADDRESS: usize = 2000;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Style {
    link: Option<NodeId>,
    marks: u8,
}

const STRONG: u8 = 1;
const EMPHASIS: u8 = 2;
const CODE: u8 = 4;
const STRUCK: u8 = 8;

impl Style {
    fn has(self, mark: u8) -> bool {
        self.marks & mark != 0
    }
}

#[derive(Debug)]
struct Run {
    style: Style,
    /// Markdown already: only its ends may be blank.
    text: String,
}

/// The markdown of what stands from one text or image to another, both included.
pub(super) fn markdown(tree: &Tree<'_>, only: Option<&Shown>, first: NodeId, last: NodeId) -> String {
    let mut runs: Vec<Run> = Vec::new();
    let mut next = Some(first);
    while let Some(node) = next {
        let tag = tree.tag(node);
        let hidden = match only {
            Some(only) => tag != Tag::BR && !only.has(node),
            // As the outline has it: what an inline element hides is no text.
            None => {
                tag.is_element()
                    && kind::nature(tag).flow == Flow::Inline
                    && tree.attr(node, "style").is_some_and(kind::hides)
            }
        };
        if !hidden {
            read(tree, node, only.is_some(), &mut runs);
        }
        if node == last {
            break;
        }
        let skip = hidden
            || matches!(tag, Tag::SCRIPT | Tag::STYLE | Tag::TEMPLATE | Tag::SELECT | Tag::IFRAME)
            || tag.is_svg();
        next = if skip { tree.after(node, tree.root()) } else { tree.next_in_document(node, tree.root()) };
    }
    write(tree, &runs)
}

fn read(tree: &Tree<'_>, node: NodeId, soft: bool, runs: &mut Vec<Run>) {
    let mut text = String::new();
    let tag = tree.tag(node);
    if tag == Tag::BR {
        text.push_str("  \n");
    } else if tag == Tag::IMG {
        image(tree, node, &mut text);
    } else if tag != Tag::TEXT {
        return;
    }
    let style = style(tree, node);
    if tag == Tag::TEXT {
        plain(tree.text(node), style.has(CODE), soft, &mut text);
    }
    match runs.last_mut() {
        Some(run) if run.style == style => run.text.push_str(&text),
        _ => runs.push(Run { style, text }),
    }
}

/// `![alt](address)`, if the image has an address that can be shown.
pub(super) fn image(tree: &Tree<'_>, node: NodeId, out: &mut String) {
    let lazy =
        ["data-src", "data-original", "data-lazy-src"].into_iter().find_map(|name| tree.attr(node, name));
    let source =
        tree.attr(node, "src").filter(|source| !source.starts_with("data:") && !source.trim().is_empty());
    let Some(source) =
        source.or(lazy).filter(|source| source.len() <= LONGEST_ADDRESS && !source.starts_with("data:"))
    else {
        return;
    };
    let alt = tree.attr(node, "alt").unwrap_or_default().trim();
    if alt.is_empty() && source.rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case("svg")) {
        return; // an ornament
    }
    out.push_str("![");
    plain(alt, false, false, out);
    out.push_str("](");
    address(source, out);
    out.push(')');
}

fn style(tree: &Tree<'_>, node: NodeId) -> Style {
    let mut style = Style::default();
    for above in tree.ancestors(node).take(DEEPEST) {
        match tree.tag(above) {
            Tag::A if style.link.is_none() && has_address(tree, above) => style.link = Some(above),
            Tag::B | Tag::STRONG => style.marks |= STRONG,
            Tag::I | Tag::EM | Tag::CITE | Tag::VAR | Tag::DFN => style.marks |= EMPHASIS,
            Tag::CODE | Tag::KBD | Tag::SAMP | Tag::TT => style.marks |= CODE,
            Tag::S | Tag::DEL | Tag::STRIKE => style.marks |= STRUCK,
            // Headings are strong by themselves.
            tag if tag.is_heading() => style.marks &= !STRONG,
            _ => {}
        }
    }
    style
}

fn has_address(tree: &Tree<'_>, node: NodeId) -> bool {
    tree.attr(node, "href").is_some_and(|href| {
        let href = href.trim();
        let scheme = href.split_once(':').map_or("", |(scheme, _)| scheme);
        !href.is_empty()
            && href.len() <= LONGEST_ADDRESS
            && !["javascript", "data"].iter().any(|data| scheme.eq_ignore_ascii_case(data))
    })
}

/// Appends text with one space for each run of white space, and with whatever markdown would read as markup escaped. `soft`: with the
/// marks where words may be parted.
fn plain(text: &str, code: bool, soft: bool, out: &mut String) {
    let mut before = ' ';
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        // Most of most texts goes at one stroke.
        let harmless = harmless(rest.as_bytes());
        let length = harmless.max(c.len_utf8());
        let (part, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if harmless > 0 {
            out.push_str(part);
        } else if c.is_whitespace() {
            if !out.ends_with([' ', '\n']) {
                out.push(' ');
            }
        } else if is_unseen(c) {
            if soft && may_part(c) && !before.is_whitespace() {
                out.push(c);
            }
        } else {
            if !code && is_markup(c, before, after.chars().next().unwrap_or(' ')) {
                out.push('\\');
            }
            out.push(c);
        }
        before = part.chars().next_back().unwrap_or(' ');
        rest = after;
    }
}

/// How many bytes the text begins with that are ASCII, never markup, and no white space but single spaces between.
fn harmless(text: &[u8]) -> usize {
    let is_harmless = |at: usize| {
        text.get(at).is_some_and(|&byte| HARMLESS.get(usize::from(byte)).copied().unwrap_or_default())
    };
    let mut end = 0;
    while is_harmless(end) || (end > 0 && text.get(end) == Some(&b' ') && is_harmless(end + 1)) {
        end += 1;
    }
    end
}

static HARMLESS: [bool; 256] = harmless_bytes();

#[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
const fn harmless_bytes() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        table[byte as usize] = !matches!(byte, b'\\' | b'`' | b'*' | b'[' | b']' | b'_' | b'<' | b'&' | b'~');
        byte += 1;
    }
    table
}

fn is_markup(c: char, before: char, next: char) -> bool {
    match c {
        '\\' | '`' | '*' | '[' | ']' => true,
        '_' => !(before.is_alphanumeric() && next.is_alphanumeric()),
        '<' => next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?'),
        '&' => next.is_ascii_alphabetic() || next == '#',
        '~' => next == '~' || before == '~',
        _ => false,
    }
}

fn address(value: &str, out: &mut String) {
    let value = value.trim();
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'\\');
    if value.bytes().all(is_plain) {
        return out.push_str(value);
    }
    for c in value.chars() {
        match c {
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            c if c.is_control() || c.is_whitespace() => {}
            c => out.push(c),
        }
    }
}

fn write(tree: &Tree<'_>, runs: &[Run]) -> String {
    let mut out = String::new();
    for linked in runs.chunk_by(|one, other| one.style.link == other.style.link) {
        let mut text = String::new();
        for run in linked {
            let style = run.style;
            if style.has(CODE) {
                around(&run.text, |text, out| out.push_str(&code(text)), &mut text);
            } else if style.marks == 0 {
                around(&run.text, |text, out| out.push_str(text), &mut text);
            } else {
                let mark = marks(style);
                let back: String = mark.chars().rev().collect();
                around(&run.text, |text, out| out.extend([&mark, text, &back]), &mut text);
            }
        }
        let href = linked.first().and_then(|run| run.style.link).and_then(|link| tree.attr(link, "href"));
        match href {
            Some(href) => around(&text, |text, out| link(text, href, out), &mut out),
            None if out.is_empty() => out = text,
            None => out.push_str(&text),
        }
    }
    if is_tidy(&out) { out } else { tidy(&out) }
}

fn marks(style: Style) -> String {
    let marks = [(STRUCK, "~~"), (STRONG, "**"), (EMPHASIS, "*")];
    marks.iter().filter(|(bit, _)| style.has(*bit)).map(|(_, mark)| *mark).collect()
}

fn link(text: &str, href: &str, out: &mut String) {
    out.push('[');
    if text.contains('\n') {
        out.push_str(&text.replace("  \n", " ").replace('\n', " "));
    } else {
        out.push_str(text);
    }
    out.push_str("](");
    address(href, out);
    out.push(')');
}

/// Code in as many backticks as it needs.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Wraps a text and leaves the blanks at its ends outside.
fn around(text: &str, wrap: impl Fn(&str, &mut String), out: &mut String) {
    let inner = text.trim();
    let start = text.len() - text.trim_start().len();
    let blank = |part: &str, out: &mut String| {
        if part.contains('\n') {
            out.push_str("  \n");
        } else if !part.is_empty() {
            out.push(' ');
        }
    };
    blank(text.get(..start).unwrap_or_default(), out);
    if !inner.is_empty() {
        wrap(inner, out);
        blank(text.get(start + inner.len()..).unwrap_or_default(), out);
    }
}

/// Is there nothing to do for `tidy`?
fn is_tidy(line: &str) -> bool {
    let bytes = line.as_bytes();
    let ends = [bytes.first(), bytes.last()].into_iter().flatten().any(|&byte| byte == b' ');
    !ends && memchr2(b'\n', b'\r', bytes).is_none() && memmem::find(bytes, b"  ").is_none()
}

/// One blank between words, none at the ends of lines but the two that break them.
fn tidy(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut words = line.split(' ').filter(|word| !word.is_empty());
        let mut tidy = words.next().unwrap_or_default().to_owned();
        for word in words {
            tidy.push(' ');
            tidy.push_str(word);
        }
        tidy
    });
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("  \n")
}

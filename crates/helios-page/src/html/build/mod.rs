//! Tokens in, a tree out (WHATWG HTML §13.2.6), with scripting off.
//!
//! Always: every token is handled once per mode that passes it on; searches go through at most 512 open elements; copies of
//! formatting elements and of texts are bounded by the length of the page. One file per group of insertion modes; a mode
//! returns `true` when another mode must handle the same token.

mod after;
mod body;
mod body_end;
mod foreign;
mod formatting;
mod head;
mod insert;
mod quirks;
mod select;
mod stack;
mod table;

use std::borrow::Cow;

use memchr::memchr;

use super::tag::Tag;
use super::token::{Raw, StartTag, Token, Tokenizer};
use super::tree::{ALONE, Attr, NONE, Node, Span, Tree};
use formatting::Formatting;
use stack::{Kind, Open, Stack};

/// What is longer is cut, so that every place in the text has a number.
const LONGEST: usize = 1 << 29;
/// No token is passed on more often.
const MOST_MODES: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

#[allow(clippy::struct_excessive_bools, reason = "the standard has these flags, each on its own")]
struct Builder<'s> {
    tokenizer: Tokenizer<'s>,
    nodes: Vec<Node>,
    stack: Stack,
    formatting: Vec<Formatting>,
    mode: Mode,
    /// The mode to go back to after a text.
    after_text: Mode,
    template_modes: Vec<Mode>,
    html: u32,
    head: u32,
    body: u32,
    form: u32,
    quirks: bool,
    frameset_ok: bool,
    /// Nodes that tables refuse go before them.
    foster: bool,
    /// The first line feed in `pre` and `textarea` is not meant.
    skip_line_feed: bool,
    /// The element that a fragment is the content of.
    context: Option<Open>,
    clones_left: usize,
    copies_left: usize,
    /// Attributes of repeated `html` and `body` tags, to be added at the end.
    late: Vec<(u32, Attr)>,
}

pub(super) fn document(text: &str) -> Tree<'_> {
    let source = prepared(text);
    let mut builder = Builder::new(&source);
    builder.run();
    let tree = builder.finish();
    Tree { source, ..tree }
}

pub(super) fn fragment(text: &str, inside: Tag) -> Tree<'_> {
    let source = prepared(text);
    let mut builder = Builder::new(&source);
    builder.enter(inside);
    builder.run();
    let tree = builder.finish();
    Tree { source, ..tree }
}

/// No byte order mark, and no longer than places in it can be told.
pub(super) fn bounded(text: &str) -> &str {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The same, and line ends as one character (§13.2.3.5).
fn prepared(text: &str) -> Cow<'_, str> {
    let text = bounded(text);
    if memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'\r', rest.as_bytes()) {
        out.push_str(rest.get(..at).unwrap_or_default());
        out.push('\n');
        rest = rest.get(at + 1..).unwrap_or_default();
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    out.push_str(rest);
    Cow::Owned(out)
}

impl<'s> Builder<'s> {
    fn new(text: &'s str) -> Builder<'s> {
        let mut nodes = Vec::with_capacity(text.len() / 24 + 8);
        nodes.push(ALONE);
        Builder {
            tokenizer: Tokenizer::new(text),
            nodes,
            stack: Stack::new(0),
            formatting: Vec::new(),
            mode: Mode::Initial,
            after_text: Mode::InBody,
            template_modes: Vec::new(),
            html: NONE,
            head: NONE,
            body: NONE,
            form: NONE,
            quirks: false,
            frameset_ok: true,
            foster: false,
            skip_line_feed: false,
            context: None,
            clones_left: 1024 + text.len() / 8,
            copies_left: 4096 + text.len(),
            late: Vec::new(),
        }
    }

    fn run(&mut self) {
        loop {
            let foreign = self.current().kind != Kind::Html;
            let token = self.tokenizer.next(foreign);
            if let Token::Text(text) = token {
                self.take_text(text);
                continue;
            }
            self.skip_line_feed = false;
            self.process(token);
            if matches!(token, Token::Eof) {
                return;
            }
        }
    }

    /// The adjusted current node.
    fn current(&self) -> Open {
        match self.context {
            Some(context) if self.stack.len() == 1 => context,
            _ => self.stack.top(),
        }
    }

    fn take_text(&mut self, text: Span) {
        let mut text = text;
        if std::mem::take(&mut self.skip_line_feed) && self.tokenizer.str(text).starts_with('\n') {
            (_, text) = text.split(1);
        }
        if self.tokenizer.has_nul && memchr(0, self.tokenizer.str(text).as_bytes()).is_some() {
            self.text_with_nul(text);
        } else if text.len > 0 {
            self.process_text(text);
        }
    }

    fn process_text(&mut self, text: Span) {
        if self.is_foreign_text() {
            self.frameset_ok = self.frameset_ok && self.is_space(text);
            self.insert_text(text);
            return;
        }
        match self.mode {
            Mode::InBody | Mode::InCell | Mode::InCaption | Mode::InTemplate => self.body_text(text),
            Mode::Text => self.insert_text(text),
            Mode::InTable | Mode::InTableBody | Mode::InRow => self.table_text(text),
            Mode::Initial
            | Mode::BeforeHtml
            | Mode::BeforeHead
            | Mode::InHead
            | Mode::InHeadNoscript
            | Mode::AfterHead
            | Mode::InColumnGroup
            | Mode::AfterBody
            | Mode::InFrameset
            | Mode::AfterFrameset
            | Mode::AfterAfterBody
            | Mode::AfterAfterFrameset => self.process(Token::Text(text)),
        }
    }

    fn process(&mut self, token: Token) {
        let mut token = token;
        for _ in 0..MOST_MODES {
            let again = if self.is_foreign(token) { self.foreign(token) } else { self.step(&mut token) };
            if !again {
                return;
            }
            if let Token::Text(text) = token {
                return self.process_text(text);
            }
        }
    }

    fn step(&mut self, token: &mut Token) -> bool {
        match self.mode {
            Mode::InBody => self.in_body(*token),
            Mode::Initial => self.initial(token),
            Mode::BeforeHtml => self.before_html(token),
            Mode::BeforeHead => self.before_head(token),
            Mode::InHead => self.in_head(token),
            Mode::InHeadNoscript => self.in_head_noscript(token),
            Mode::AfterHead => self.after_head(token),
            Mode::Text => self.in_text(*token),
            Mode::InTable => self.in_table(*token),
            Mode::InCaption => self.in_caption(*token),
            Mode::InColumnGroup => self.in_column_group(token),
            Mode::InTableBody => self.in_table_body(*token),
            Mode::InRow => self.in_row(*token),
            Mode::InCell => self.in_cell(*token),
            Mode::InTemplate => self.in_template(*token),
            Mode::AfterBody => self.after_body(token),
            Mode::InFrameset => self.in_frameset(*token),
            Mode::AfterFrameset => self.after_frameset(*token),
            Mode::AfterAfterBody => self.after_after_body(token),
            Mode::AfterAfterFrameset => self.after_after_frameset(*token),
        }
    }

    /// Opens an element whose content is text alone.
    fn insert_raw(&mut self, start: StartTag, raw: Raw) {
        self.insert(start);
        self.tokenizer.raw = raw;
        self.after_text = self.mode;
        self.mode = Mode::Text;
    }

    fn in_text(&mut self, token: Token) -> bool {
        self.stack.pop();
        self.mode = self.after_text;
        matches!(token, Token::Eof)
    }

    /// The tree, still without its source.
    fn finish(mut self) -> Tree<'static> {
        self.add_late_attributes();
        let tokenizer = self.tokenizer;
        Tree {
            source: Cow::Borrowed(""),
            decoded: tokenizer.decoded,
            nodes: self.nodes,
            attrs: tokenizer.attrs,
            names: tokenizer.names,
            html: if self.html == NONE { 0 } else { self.html },
            head: self.head,
            body: self.body,
            quirks: self.quirks,
        }
    }
}

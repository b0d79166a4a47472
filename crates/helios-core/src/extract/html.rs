//! The tokens of a page → title, text, links and directives. No tree: one pass over html5gum's tokens.

use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;

use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{HtmlString, Spanned, Token, Tokenizer};
use url::Url;

use super::{ExtractSettings, Page};
use crate::url::{CanonicalUrl, Fingerprint};

/// What is inside these is no text for readers.
const SILENT: [&[u8]; 9] =
    [b"script", b"style", b"noscript", b"template", b"nav", b"header", b"footer", b"aside", b"svg"];
/// Silent elements inside each other that are kept track of; more are not meant, and would cost time at every end tag.
const MOST_SILENT: usize = 64;
/// These begin a new line.
const BLOCKS: [&[u8]; 20] = [
    b"p",
    b"div",
    b"br",
    b"li",
    b"ul",
    b"ol",
    b"tr",
    b"td",
    b"th",
    b"table",
    b"section",
    b"article",
    b"main",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"blockquote",
];

struct Reader<'a> {
    page: Page,
    base: Url,
    base_is_set: bool,
    seen: HashSet<Fingerprint>,
    in_title: bool,
    /// How many silent elements are open around here, by name, innermost last.
    silent: Vec<Vec<u8>>,
    token: &'a str,
    max_links: usize,
}

pub(super) fn read(text: &str, url: &CanonicalUrl, token: &str, settings: &ExtractSettings) -> Page {
    let mut reader = Reader {
        page: Page::default(),
        base: url.to_url(),
        base_is_set: false,
        seen: HashSet::new(),
        in_title: false,
        silent: Vec::new(),
        token,
        max_links: settings.max_links,
    };
    let mut emitter: DefaultEmitter<()> = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for item in Tokenizer::new_with_emitter(text, emitter) {
        let token = item.unwrap_or_else(|never: Infallible| match never {});
        reader.take(token);
    }
    reader.finish()
}

type Attributes = BTreeMap<HtmlString, Spanned<HtmlString, ()>>;

impl Reader<'_> {
    fn take(&mut self, token: Token) {
        match token {
            Token::StartTag(tag) => self.open(&tag),
            Token::EndTag(tag) => self.close(&tag.name),
            Token::String(text) => self.say(&text.value),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }

    fn open(&mut self, tag: &StartTag<()>) {
        let name = tag.name.as_slice();
        match name {
            b"a" | b"area" => self.link(&tag.attributes),
            b"base" => self.set_base(&tag.attributes),
            b"meta" => self.meta(&tag.attributes),
            b"html" => self.page.language = attribute(&tag.attributes, b"lang"),
            b"title" => self.in_title = self.silent.is_empty() && self.page.title.is_empty(),
            _ => {}
        }
        if SILENT.contains(&name) && !tag.self_closing && self.silent.len() < MOST_SILENT {
            self.silent.push(name.to_vec());
        }
        if BLOCKS.contains(&name) {
            self.break_line();
        }
    }

    fn close(&mut self, name: &[u8]) {
        if name == b"title" {
            self.in_title = false;
        }
        if SILENT.contains(&name)
            && let Some(at) = self.silent.iter().rposition(|open| open == name)
        {
            self.silent.truncate(at);
        }
        if BLOCKS.contains(&name) {
            self.break_line();
        }
    }

    fn say(&mut self, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let target = if self.in_title {
            &mut self.page.title
        } else if self.silent.is_empty() {
            &mut self.page.text
        } else {
            return;
        };
        let mut apart = text.starts_with(char::is_whitespace);
        for word in text.split_whitespace() {
            if apart && !target.is_empty() && !target.ends_with(char::is_whitespace) {
                target.push(' ');
            }
            target.push_str(word);
            apart = true;
        }
        if text.ends_with(char::is_whitespace) && !target.is_empty() && !target.ends_with(char::is_whitespace)
        {
            target.push(' ');
        }
    }

    fn break_line(&mut self) {
        let kept = self.page.text.trim_end_matches(' ').len();
        self.page.text.truncate(kept);
        if !self.page.text.is_empty() && !self.page.text.ends_with('\n') {
            self.page.text.push('\n');
        }
    }

    fn link(&mut self, attributes: &Attributes) {
        let href = attribute(attributes, b"href");
        let rel = attribute(attributes, b"rel").to_ascii_lowercase();
        if !href.is_empty() && !rel.split_ascii_whitespace().any(|word| word == "nofollow") {
            self.lead_to(&href);
        }
    }

    fn lead_to(&mut self, reference: &str) {
        if self.page.links.len() >= self.max_links {
            return;
        }
        if let Ok(url) = CanonicalUrl::join(&self.base, reference)
            && self.seen.insert(url.fingerprint())
        {
            self.page.links.push(url);
        }
    }

    /// Only the first base counts (WHATWG HTML §4.2.3), and only one that is itself a URL to crawl, so of bounded length.
    fn set_base(&mut self, attributes: &Attributes) {
        let href = attribute(attributes, b"href");
        if !self.base_is_set
            && !href.is_empty()
            && let Ok(base) = CanonicalUrl::join(&self.base, &href)
        {
            self.base = base.to_url();
            self.base_is_set = true;
        }
    }

    fn meta(&mut self, attributes: &Attributes) {
        let name = attribute(attributes, b"name");
        let content = attribute(attributes, b"content");
        if name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(self.token) {
            self.page.directives.heed_meta(&content);
        } else if name.eq_ignore_ascii_case("description") {
            self.page.description = content;
        } else if attribute(attributes, b"http-equiv").eq_ignore_ascii_case("refresh")
            && let Some(target) = refresh_target(&content)
        {
            self.lead_to(target);
        }
    }

    fn finish(mut self) -> Page {
        let kept = self.page.text.trim_end().len();
        self.page.text.truncate(kept);
        self.page
    }
}

fn attribute(attributes: &Attributes, name: &[u8]) -> String {
    attributes.get(name).map(|value| String::from_utf8_lossy(&value.value).into_owned()).unwrap_or_default()
}

/// `5; url='next.html'` → `next.html`
fn refresh_target(content: &str) -> Option<&str> {
    let (_, rest) = content.split_once([';', ','])?;
    let rest = rest.trim_start();
    let rest = match rest.get(..3) {
        Some(url) if url.eq_ignore_ascii_case("url") => rest.get(3..)?.trim_start().strip_prefix('=')?,
        _ => rest,
    };
    Some(rest.trim().trim_matches(['"', '\''])).filter(|target| !target.is_empty())
}

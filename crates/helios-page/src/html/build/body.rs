//! The mode "in body": texts and start tags (WHATWG HTML §13.2.6.4.7).

use super::super::tag::{Group, SCOPE, SPECIAL, Tag};
use super::super::token::{Raw, StartTag, Token};
use super::super::tree::{NONE, Span};
use super::{Builder, Mode};

impl Builder<'_> {
    pub(super) fn in_body(&mut self, token: Token) -> bool {
        match token {
            Token::Text(text) => self.body_text(text),
            Token::Comment(text) => self.insert_comment(text, self.place()),
            Token::Doctype => {}
            Token::Start(start) => return self.body_start(start),
            Token::End(tag) => return self.body_end(tag),
            Token::Eof => return !self.template_modes.is_empty() && self.in_template(token),
        }
        false
    }

    pub(super) fn body_text(&mut self, text: Span) {
        if !self.formatting.is_empty() {
            self.reconstruct();
        }
        self.frameset_ok = self.frameset_ok && self.is_space(text);
        self.insert_text(text);
    }

    pub(super) fn close_p(&mut self) {
        if self.stack.has_p() {
            self.stack.imply(Tag::P);
            self.stack.pop_until(|tag| tag == Tag::P);
        }
    }

    pub(super) fn body_start(&mut self, start: StartTag) -> bool {
        match start.tag.group() {
            Group::Other => self.insert_inline(start),
            Group::Block => {
                self.close_p();
                self.insert(start);
            }
            Group::A | Group::Formatting | Group::Nobr => self.start_formatting(start),
            Group::Void => self.insert_void(start),
            Group::Image => self.insert_void(StartTag { tag: Tag::IMG, ..start }),
            Group::Li | Group::DdDt => self.start_item(start),
            Group::Heading => {
                self.close_p();
                if self.stack.top().tag.is_heading() {
                    self.stack.pop();
                }
                self.insert(start);
            }
            Group::HeadPart => {
                self.head_part(start);
            }
            Group::Html | Group::Body | Group::Frameset => self.start_again(start),
            Group::Pre | Group::Plaintext | Group::Textarea | Group::Xmp | Group::Iframe | Group::Noembed => {
                self.start_text(start);
            }
            Group::Form => self.start_form(start),
            Group::Table => {
                if !self.quirks {
                    self.close_p();
                }
                self.insert(start);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            Group::Math | Group::Svg => {
                self.reconstruct();
                self.insert_foreign(start, start.tag == Tag::SVG_NAME);
            }
            Group::TablePart => {}
            Group::Param => {
                self.insert_closed(start);
            }
            Group::Button
            | Group::Applet
            | Group::Input
            | Group::Hr
            | Group::Select
            | Group::Option
            | Group::Rb
            | Group::Rt => self.start_part(start),
        }
        false
    }

    fn insert_inline(&mut self, start: StartTag) {
        self.reconstruct();
        self.insert(start);
    }

    fn insert_void(&mut self, start: StartTag) {
        self.reconstruct();
        self.insert_closed(start);
        self.frameset_ok = false;
    }

    fn start_formatting(&mut self, start: StartTag) {
        if start.tag == Tag::A
            && let Some(at) = self.find_formatting(Tag::A)
        {
            let node = self.formatting_node(at);
            self.adopt(Tag::A);
            self.drop_formatting(node);
        }
        self.reconstruct();
        if start.tag == Tag::NOBR && self.stack.has(Tag::NOBR, SCOPE) {
            self.adopt(Tag::NOBR);
            self.reconstruct();
        }
        let node = self.insert(start);
        self.push_formatting(start, node);
    }

    /// `li`, `dd` and `dt` end the one before.
    fn start_item(&mut self, start: StartTag) {
        self.frameset_ok = false;
        for at in (0..self.stack.len()).rev() {
            let Some(tag) = self.stack.get(at).map(|open| open.tag) else { break };
            if tag.is_html() && tag.group() == start.tag.group() {
                self.stack.imply(tag);
                self.stack.pop_until(|open| open == tag);
                break;
            }
            if tag.has(SPECIAL) && !matches!(tag, Tag::ADDRESS | Tag::DIV | Tag::P) {
                break;
            }
        }
        self.close_p();
        self.insert(start);
    }

    /// A second `html` or `body`, or a `frameset` after all.
    fn start_again(&mut self, start: StartTag) {
        let body = self.stack.get(1).filter(|open| open.tag == Tag::BODY).map(|open| open.node);
        match (start.tag, body) {
            (Tag::HTML, _) if !self.stack.has_template() => {
                let html = self.stack.get(0).map_or(NONE, |open| open.node);
                self.add_late(html, start.attrs);
            }
            (Tag::BODY, Some(body)) if !self.stack.has_template() => {
                self.frameset_ok = false;
                self.add_late(body, start.attrs);
            }
            (Tag::FRAMESET, Some(body)) if self.frameset_ok => {
                self.detach(body);
                self.stack.cut(1);
                self.body = self.insert(start);
                self.mode = Mode::InFrameset;
            }
            _ => {}
        }
    }

    fn start_text(&mut self, start: StartTag) {
        let tag = start.tag;
        if matches!(tag, Tag::PRE | Tag::LISTING | Tag::PLAINTEXT | Tag::XMP) {
            self.close_p();
        }
        match tag {
            Tag::PRE | Tag::LISTING => {
                self.insert(start);
            }
            Tag::PLAINTEXT => {
                self.insert(start);
                self.tokenizer.raw = Raw::Plaintext;
                return;
            }
            Tag::TEXTAREA => self.insert_raw(start, Raw::Rcdata(tag)),
            Tag::XMP => {
                self.reconstruct();
                self.insert_raw(start, Raw::Rawtext(tag));
            }
            _ => self.insert_raw(start, Raw::Rawtext(tag)),
        }
        self.skip_line_feed = matches!(tag, Tag::PRE | Tag::LISTING | Tag::TEXTAREA);
        self.frameset_ok &= tag == Tag::NOEMBED;
    }

    fn start_form(&mut self, start: StartTag) {
        let in_template = self.stack.has_template();
        if self.form != NONE && !in_template {
            return;
        }
        self.close_p();
        let node = self.insert(start);
        if !in_template {
            self.form = node;
        }
    }

    fn start_part(&mut self, start: StartTag) {
        match start.tag {
            Tag::BUTTON => {
                if self.stack.has(Tag::BUTTON, SCOPE) {
                    self.stack.imply(Tag::DOCUMENT);
                    self.stack.pop_until(|tag| tag == Tag::BUTTON);
                }
                self.insert_inline(start);
                self.frameset_ok = false;
            }
            Tag::APPLET | Tag::MARQUEE | Tag::OBJECT => {
                self.insert_inline(start);
                self.push_marker();
                self.frameset_ok = false;
            }
            Tag::INPUT => self.start_input(start),
            Tag::HR => self.start_hr(start),
            Tag::SELECT => self.start_select(start),
            Tag::OPTION | Tag::OPTGROUP => self.start_option(start),
            _ => {
                if self.stack.has(Tag::RUBY, SCOPE) {
                    let is_base = start.tag.group() == Group::Rb;
                    self.stack.imply(if is_base { Tag::DOCUMENT } else { Tag::RTC });
                }
                self.insert(start);
            }
        }
    }

    pub(super) fn is_hidden(&self, start: StartTag) -> bool {
        self.token_attr(start, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    }

    pub(super) fn token_attr(&self, start: StartTag, name: &str) -> Option<&str> {
        let from = start.attrs.at as usize;
        let list = self.tokenizer.attrs.get(from..from + start.attrs.len as usize)?;
        let found = list.iter().find(|attr| self.tokenizer.str(attr.name) == name)?;
        Some(self.tokenizer.str(found.value))
    }
}

//! Modes up to the end of the head (WHATWG HTML §13.2.6.4.1 to §13.2.6.4.6).

use std::collections::HashSet;

use super::super::tag::Tag;
use super::super::token::{Raw, StartTag, Token};
use super::super::tree::{Attr, NONE, Span};
use super::insert::Place;
use super::stack::{Kind, Open, Stack};
use super::{Builder, Mode};

const DOCUMENT: Place = Place { parent: 0, before: NONE };

impl Builder<'_> {
    /// Takes the white space off the front of a text; `true` if nothing is left of it.
    pub(super) fn take_spaces(&mut self, token: &mut Token, insert: bool) -> bool {
        let Token::Text(text) = *token else { return false };
        let (spaces, rest) = text.split(self.spaces_at(text));
        if insert {
            self.insert_text(spaces);
        }
        *token = Token::Text(rest);
        rest.len == 0
    }

    pub(super) fn initial(&mut self, token: &mut Token) -> bool {
        if self.take_spaces(token, false) {
            return false;
        }
        match *token {
            Token::Comment(text) => {
                self.insert_comment(text, DOCUMENT);
                return false;
            }
            Token::Doctype => {
                self.insert_doctype();
                self.mode = Mode::BeforeHtml;
                return false;
            }
            Token::Text(_) | Token::Start(_) | Token::End(_) | Token::Eof => {}
        }
        self.quirks = true;
        self.mode = Mode::BeforeHtml;
        true
    }

    pub(super) fn before_html(&mut self, token: &mut Token) -> bool {
        if self.take_spaces(token, false) {
            return false;
        }
        match *token {
            Token::Comment(text) => self.insert_comment(text, DOCUMENT),
            Token::Doctype => {}
            Token::Start(start) if start.tag == Tag::HTML => {
                self.tokenizer.keep();
                self.open_html(start.attrs);
            }
            Token::End(tag) if !matches!(tag, Tag::HEAD | Tag::BODY | Tag::HTML | Tag::BR) => {}
            Token::Start(_) | Token::End(_) | Token::Text(_) | Token::Eof => {
                self.open_html(Span::default());
                return true;
            }
        }
        false
    }

    pub(super) fn open_html(&mut self, attrs: Span) {
        let node = self.create(Tag::HTML, attrs);
        self.attach(node, DOCUMENT);
        self.html = node;
        self.stack = Stack::new(node);
        self.mode = Mode::BeforeHead;
    }

    pub(super) fn before_head(&mut self, token: &mut Token) -> bool {
        if self.take_spaces(token, false) {
            return false;
        }
        match *token {
            Token::Comment(text) => self.insert_comment(text, self.place()),
            Token::Doctype => {}
            Token::Start(start) if start.tag == Tag::HTML => return self.in_body(*token),
            Token::Start(start) if start.tag == Tag::HEAD => {
                self.head = self.insert(start);
                self.mode = Mode::InHead;
            }
            Token::End(tag) if !matches!(tag, Tag::HEAD | Tag::BODY | Tag::HTML | Tag::BR) => {}
            Token::Start(_) | Token::End(_) | Token::Text(_) | Token::Eof => {
                self.head = self.insert_implied(Tag::HEAD);
                self.mode = Mode::InHead;
                return true;
            }
        }
        false
    }

    pub(super) fn in_head(&mut self, token: &mut Token) -> bool {
        if self.take_spaces(token, true) {
            return false;
        }
        match *token {
            Token::Comment(text) => self.insert_comment(text, self.place()),
            Token::Doctype => {}
            Token::Start(start) => match start.tag {
                Tag::HTML => return self.in_body(*token),
                Tag::NOSCRIPT => {
                    self.insert(start);
                    self.mode = Mode::InHeadNoscript;
                }
                Tag::HEAD => {}
                _ => return self.head_part(start) && self.leave_head(),
            },
            Token::End(Tag::HEAD) => {
                self.stack.pop();
                self.mode = Mode::AfterHead;
            }
            Token::End(Tag::TEMPLATE) => self.end_template(),
            Token::End(tag) if !matches!(tag, Tag::BODY | Tag::HTML | Tag::BR) => {}
            Token::End(_) | Token::Text(_) | Token::Eof => return self.leave_head(),
        }
        false
    }

    fn leave_head(&mut self) -> bool {
        if self.mode == Mode::InHead {
            self.stack.pop();
            self.mode = Mode::AfterHead;
            return true;
        }
        false
    }

    /// Start tags that belong into a head wherever they are. `true` if it is none of them.
    pub(super) fn head_part(&mut self, start: StartTag) -> bool {
        match start.tag {
            Tag::BASE | Tag::BASEFONT | Tag::BGSOUND | Tag::LINK | Tag::META => {
                self.insert_closed(start);
            }
            Tag::TITLE => self.insert_raw(start, Raw::Rcdata(start.tag)),
            Tag::NOFRAMES | Tag::STYLE => self.insert_raw(start, Raw::Rawtext(start.tag)),
            Tag::SCRIPT => self.insert_raw(start, Raw::Script),
            Tag::TEMPLATE => {
                self.insert(start);
                self.push_marker();
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
            }
            _ => return true,
        }
        false
    }

    pub(super) fn end_template(&mut self) {
        if !self.stack.has_template() {
            return;
        }
        self.stack.imply_all();
        self.stack.pop_until(|tag| tag == Tag::TEMPLATE);
        self.clear_to_marker();
        self.template_modes.pop();
        self.reset_mode();
    }

    pub(super) fn in_head_noscript(&mut self, token: &mut Token) -> bool {
        if self.take_spaces(token, true) {
            return false;
        }
        match *token {
            Token::Doctype => {}
            Token::Comment(_) => return self.in_head(token),
            Token::End(Tag::NOSCRIPT) => {
                self.stack.pop();
                self.mode = Mode::InHead;
            }
            Token::Start(start) => match start.tag {
                Tag::HTML => return self.in_body(*token),
                Tag::BASEFONT | Tag::BGSOUND | Tag::LINK | Tag::META | Tag::NOFRAMES | Tag::STYLE => {
                    self.head_part(start);
                }
                Tag::HEAD | Tag::NOSCRIPT => {}
                _ => return self.leave_noscript(),
            },
            Token::End(tag) if tag != Tag::BR => {}
            Token::End(_) | Token::Text(_) | Token::Eof => return self.leave_noscript(),
        }
        false
    }

    fn leave_noscript(&mut self) -> bool {
        self.stack.pop();
        self.mode = Mode::InHead;
        true
    }

    pub(super) fn after_head(&mut self, token: &mut Token) -> bool {
        if self.take_spaces(token, true) {
            return false;
        }
        match *token {
            Token::Comment(text) => self.insert_comment(text, self.place()),
            Token::Doctype => {}
            Token::Start(start) => return self.after_head_start(start),
            Token::End(Tag::TEMPLATE) => self.end_template(),
            Token::End(tag) if !matches!(tag, Tag::BODY | Tag::HTML | Tag::BR) => {}
            Token::End(_) | Token::Text(_) | Token::Eof => {
                self.open_body();
                return true;
            }
        }
        false
    }

    fn after_head_start(&mut self, start: StartTag) -> bool {
        match start.tag {
            Tag::HTML => return self.in_body(Token::Start(start)),
            Tag::BODY => {
                self.body = self.insert(start);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
            }
            Tag::FRAMESET => {
                self.body = self.insert(start);
                self.mode = Mode::InFrameset;
            }
            Tag::HEAD => {}
            Tag::BASE
            | Tag::BASEFONT
            | Tag::BGSOUND
            | Tag::LINK
            | Tag::META
            | Tag::NOFRAMES
            | Tag::SCRIPT
            | Tag::STYLE
            | Tag::TEMPLATE
            | Tag::TITLE => {
                let head = self.head;
                self.stack.push(Open { node: head, tag: Tag::HEAD, kind: Kind::Html });
                self.head_part(start);
                if let Some(at) = self.stack.position(head) {
                    self.stack.remove(at);
                }
            }
            _ => {
                self.open_body();
                return true;
            }
        }
        false
    }

    /// Opens all that a page needs before its first word.
    pub(super) fn open_body(&mut self) {
        if self.html == NONE {
            self.quirks |= self.mode == Mode::Initial;
            self.open_html(Span::default());
        }
        if self.head == NONE && self.context.is_none() {
            self.head = self.insert_implied(Tag::HEAD);
            self.stack.pop();
        }
        self.body = self.insert_implied(Tag::BODY);
        self.mode = Mode::InBody;
    }

    /// Attributes of a repeated tag count where the first had none of that name.
    pub(super) fn add_late(&mut self, node: u32, attrs: Span) {
        let from = attrs.at as usize;
        let Some(list) = self.tokenizer.attrs.get(from..from + attrs.len as usize) else { return };
        self.late.extend(list.iter().map(|&attr| (node, attr)));
        if !list.is_empty() {
            self.tokenizer.keep();
        }
    }

    pub(super) fn add_late_attributes(&mut self) {
        for element in [self.html, self.body] {
            let old = self.node(element).content;
            let mut list: Vec<Attr> = {
                let from = old.at as usize;
                self.tokenizer.attrs.get(from..from + old.len as usize).unwrap_or_default().to_vec()
            };
            let late = self.late.iter().filter(|(node, _)| *node == element).map(|&(_, attr)| attr);
            let (before, mut seen) = (list.len(), HashSet::new());
            list.extend(late);
            list.retain(|attr| seen.insert(self.tokenizer.str(attr.name)));
            if list.len() > before {
                let at = self.tokenizer.attrs.len() as u32;
                let content = Span { at, len: list.len() as u32 };
                self.tokenizer.attrs.extend(list);
                self.change(element, |node| node.content = content);
            }
        }
    }
}

//! Frames, and what comes after the body (WHATWG HTML §13.2.6.4.19 to §13.2.6.4.23).

use super::super::tag::Tag;
use super::super::token::{Raw, Token};
use super::super::tree::{NONE, Span};
use super::insert::Place;
use super::{Builder, Mode};

impl Builder<'_> {
    /// White space goes into the body, anything else opens it again.
    fn back_to_body(&mut self, token: &mut Token) -> bool {
        if let Token::Text(text) = *token {
            let (spaces, rest) = text.split(self.spaces_at(text));
            if spaces.len > 0 {
                self.body_text(spaces);
            }
            if rest.len == 0 {
                return false;
            }
            *token = Token::Text(rest);
        }
        self.mode = Mode::InBody;
        true
    }

    pub(super) fn after_body(&mut self, token: &mut Token) -> bool {
        match *token {
            Token::Comment(text) => {
                let html = self.stack.get(0).map_or(0, |open| open.node);
                self.insert_comment(text, Place { parent: html, before: NONE });
            }
            Token::Start(start) if start.tag == Tag::HTML => return self.in_body(*token),
            Token::End(Tag::HTML) if self.context.is_none() => self.mode = Mode::AfterAfterBody,
            Token::End(Tag::HTML) | Token::Doctype | Token::Eof => {}
            Token::Start(_) | Token::End(_) | Token::Text(_) => return self.back_to_body(token),
        }
        false
    }

    pub(super) fn after_after_body(&mut self, token: &mut Token) -> bool {
        match *token {
            Token::Comment(text) => self.insert_comment(text, Place { parent: 0, before: NONE }),
            Token::Doctype | Token::Eof => {}
            Token::Start(start) if start.tag == Tag::HTML => return self.in_body(*token),
            Token::Start(_) | Token::End(_) | Token::Text(_) => return self.back_to_body(token),
        }
        false
    }

    /// Are texts taken apart here, because they open or close something?
    pub(super) fn is_before_text(&self) -> bool {
        self.is_in_head() || matches!(self.mode, Mode::InColumnGroup | Mode::AfterBody | Mode::AfterAfterBody)
    }

    fn is_in_head(&self) -> bool {
        matches!(
            self.mode,
            Mode::Initial
                | Mode::BeforeHtml
                | Mode::BeforeHead
                | Mode::InHead
                | Mode::InHeadNoscript
                | Mode::AfterHead
        )
    }

    /// A NUL is dropped, but like any text it ends the head.
    pub(super) fn nul_before_text(&mut self) {
        if self.is_in_head() {
            while matches!(self.stack.top().tag, Tag::HEAD | Tag::NOSCRIPT) {
                self.stack.pop();
            }
            self.open_body();
        } else if self.mode != Mode::InColumnGroup {
            self.mode = Mode::InBody;
        } else if self.stack.top().tag == Tag::COLGROUP {
            self.stack.pop();
            self.mode = Mode::InTable;
        }
    }

    /// Where only white space may be.
    pub(super) fn insert_spaces_of(&mut self, text: Span) {
        let spaces = self.filtered(text, |char| char.is_ascii_whitespace());
        self.insert_text(spaces);
    }

    pub(super) fn in_frameset(&mut self, token: Token) -> bool {
        match token {
            Token::Text(text) => self.insert_spaces_of(text),
            Token::Comment(text) => self.insert_comment(text, self.place()),
            Token::Start(start) => match start.tag {
                Tag::HTML => return self.in_body(token),
                Tag::FRAMESET => {
                    self.insert(start);
                }
                Tag::FRAME => {
                    self.insert_closed(start);
                }
                Tag::NOFRAMES => {
                    self.head_part(start);
                }
                _ => {}
            },
            Token::End(Tag::FRAMESET) => {
                self.stack.pop();
                if self.context.is_none() && self.stack.top().tag != Tag::FRAMESET {
                    self.mode = Mode::AfterFrameset;
                }
            }
            Token::Doctype | Token::End(_) | Token::Eof => {}
        }
        false
    }

    pub(super) fn after_frameset(&mut self, token: Token) -> bool {
        match token {
            Token::Text(text) => self.insert_spaces_of(text),
            Token::Comment(text) => self.insert_comment(text, self.place()),
            Token::Start(start) if start.tag == Tag::HTML => return self.in_body(token),
            Token::Start(start) if start.tag == Tag::NOFRAMES => {
                self.head_part(start);
            }
            Token::End(Tag::HTML) => self.mode = Mode::AfterAfterFrameset,
            Token::Doctype | Token::Start(_) | Token::End(_) | Token::Eof => {}
        }
        false
    }

    pub(super) fn after_after_frameset(&mut self, token: Token) -> bool {
        match token {
            Token::Text(text) => self.insert_spaces_of(text),
            Token::Comment(text) => self.insert_comment(text, Place { parent: 0, before: NONE }),
            Token::Start(start) if start.tag == Tag::HTML => return self.in_body(token),
            Token::Start(start) if start.tag == Tag::NOFRAMES => {
                self.head_part(start);
            }
            Token::Doctype | Token::Start(_) | Token::End(_) | Token::Eof => {}
        }
        false
    }

    /// The kind of text that the content of an element begins with. It has no end tag.
    pub(super) fn enter_raw(&mut self, inside: Tag) {
        self.tokenizer.raw = match inside {
            Tag::TITLE | Tag::TEXTAREA => Raw::Rcdata(Tag::DOCUMENT),
            Tag::STYLE
            | Tag::XMP
            | Tag::IFRAME
            | Tag::NOEMBED
            | Tag::NOFRAMES
            | Tag::SCRIPT
            | Tag::PLAINTEXT => Raw::Plaintext,
            _ => Raw::Data,
        };
    }
}

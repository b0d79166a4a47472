//! The mode "in body": end tags (WHATWG HTML §13.2.6.4.7).

use super::super::tag::{Group, LIST_SCOPE, SCOPE, SPECIAL, Tag};
use super::super::token::StartTag;
use super::super::tree::{NONE, Span};
use super::{Builder, Mode};

impl Builder<'_> {
    pub(super) fn body_end(&mut self, tag: Tag) -> bool {
        match tag.group() {
            Group::Block if tag == Tag::P => {
                if !self.stack.has_p() {
                    self.insert_implied(Tag::P);
                }
                self.close_p();
            }
            Group::Block | Group::Button | Group::Pre | Group::Select => {
                self.end_block(tag);
            }
            Group::A | Group::Formatting | Group::Nobr => self.adopt(tag),
            Group::Li => self.end_item(tag, LIST_SCOPE),
            Group::DdDt => self.end_item(tag, SCOPE),
            Group::Heading => {
                if self.stack.find(SCOPE, |open| open.tag.is_heading()).is_some() {
                    self.stack.imply(Tag::DOCUMENT);
                    self.stack.pop_until(Tag::is_heading);
                }
            }
            Group::Applet => {
                if self.end_block(tag) {
                    self.clear_to_marker();
                }
            }
            Group::Body | Group::Html => {
                if self.stack.has(Tag::BODY, SCOPE) {
                    self.mode = Mode::AfterBody;
                    return tag == Tag::HTML;
                }
            }
            Group::Form => self.end_form(),
            Group::HeadPart if tag == Tag::TEMPLATE => self.end_template(),
            Group::Void if tag == Tag::BR => {
                self.reconstruct();
                self.insert_closed(StartTag { tag, attrs: Span::default(), self_closing: false });
                self.frameset_ok = false;
            }
            Group::Other
            | Group::HeadPart
            | Group::Frameset
            | Group::Plaintext
            | Group::Table
            | Group::Void
            | Group::Input
            | Group::Param
            | Group::Hr
            | Group::Image
            | Group::Textarea
            | Group::Xmp
            | Group::Iframe
            | Group::Noembed
            | Group::Option
            | Group::Rb
            | Group::Rt
            | Group::Math
            | Group::Svg
            | Group::TablePart => self.any_other_end(tag),
        }
        false
    }

    fn end_block(&mut self, tag: Tag) -> bool {
        let found = self.stack.has(tag, SCOPE);
        if found {
            self.stack.imply(Tag::DOCUMENT);
            self.stack.pop_until(|open| open == tag);
        }
        found
    }

    fn end_item(&mut self, tag: Tag, border: u16) {
        if self.stack.has(tag, border) {
            self.stack.imply(tag);
            self.stack.pop_until(|open| open == tag);
        }
    }

    fn end_form(&mut self) {
        if self.stack.has_template() {
            self.end_block(Tag::FORM);
            return;
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form == NONE || !self.stack.has_node(form) {
            return;
        }
        self.stack.imply(Tag::DOCUMENT);
        if self.stack.top().node == form {
            self.stack.pop();
        } else if let Some(at) = self.stack.position(form) {
            self.stack.remove(at);
        }
    }

    pub(super) fn any_other_end(&mut self, tag: Tag) {
        if !self.stack.may_have(tag) {
            return;
        }
        if let Some(at) = self.stack.find(SPECIAL, |open| open.tag == tag) {
            let node = self.stack.get(at).map_or(NONE, |open| open.node);
            self.stack.imply(tag);
            while self.stack.len() > 1 {
                let found = self.stack.top().node == node;
                self.stack.pop();
                if found {
                    return;
                }
            }
        }
    }
}

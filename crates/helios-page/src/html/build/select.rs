//! Selects, templates (WHATWG HTML §13.2.6.4.7 and §13.2.6.4.16), and how to find the mode again.

use super::super::tag::{Group, SCOPE, Tag};
use super::super::token::{StartTag, Token};
use super::super::tree::{NONE, Span};
use super::stack::{Kind, Open};
use super::{Builder, Mode};

impl Builder<'_> {
    fn has_select(&self) -> bool {
        self.stack.has(Tag::SELECT, SCOPE)
    }

    fn is_in_select_fragment(&self) -> bool {
        self.context.is_some_and(|context| context.tag == Tag::SELECT)
    }

    /// A `select` within a `select` ends it.
    pub(super) fn start_select(&mut self, start: StartTag) {
        if self.is_in_select_fragment() {
            return;
        }
        if self.has_select() {
            self.stack.pop_until(|tag| tag == Tag::SELECT);
            return;
        }
        self.reconstruct();
        self.insert(start);
        self.frameset_ok = false;
    }

    pub(super) fn start_option(&mut self, start: StartTag) {
        if self.has_select() {
            self.stack.imply(if start.tag == Tag::OPTION { Tag::OPTGROUP } else { Tag::DOCUMENT });
        } else if self.stack.top().tag == Tag::OPTION {
            self.stack.pop();
        }
        self.reconstruct();
        self.insert(start);
    }

    pub(super) fn start_hr(&mut self, start: StartTag) {
        self.close_p();
        if self.has_select() {
            self.stack.imply(Tag::DOCUMENT);
        }
        self.insert_closed(start);
        self.frameset_ok = false;
    }

    /// An `input` ends a `select`.
    pub(super) fn start_input(&mut self, start: StartTag) {
        if self.is_in_select_fragment() {
            return;
        }
        if self.has_select() {
            self.stack.pop_until(|tag| tag == Tag::SELECT);
        }
        self.reconstruct();
        self.frameset_ok &= self.is_hidden(start);
        self.insert_closed(start);
    }

    pub(super) fn in_template(&mut self, token: Token) -> bool {
        match token {
            Token::Text(_) | Token::Comment(_) | Token::Doctype => self.in_body(token),
            Token::End(Tag::TEMPLATE) => {
                self.end_template();
                false
            }
            Token::End(_) => false,
            Token::Start(start) => self.template_start(start),
            Token::Eof => {
                if !self.stack.has_template() {
                    return false;
                }
                self.stack.pop_until(|tag| tag == Tag::TEMPLATE);
                self.clear_to_marker();
                self.template_modes.pop();
                self.reset_mode();
                true
            }
        }
    }

    fn template_start(&mut self, start: StartTag) -> bool {
        if start.tag.group() == Group::HeadPart {
            self.head_part(start);
            return false;
        }
        let mode = match start.tag {
            Tag::CAPTION | Tag::COLGROUP | Tag::TBODY | Tag::TFOOT | Tag::THEAD => Mode::InTable,
            Tag::COL => Mode::InColumnGroup,
            Tag::TR => Mode::InTableBody,
            Tag::TD | Tag::TH => Mode::InRow,
            _ => Mode::InBody,
        };
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.mode = mode;
        true
    }

    /// Resets the insertion mode appropriately (§13.2.4.1).
    pub(super) fn reset_mode(&mut self) {
        self.mode = Mode::InBody;
        for at in (0..self.stack.len()).rev() {
            let Some(open) = self.stack.get(at) else { return };
            let is_last = at == 0;
            let tag = match self.context {
                Some(context) if is_last => context.tag,
                _ => open.tag,
            };
            if let Some(mode) = self.mode_of(tag, is_last) {
                self.mode = mode;
                return;
            }
        }
    }

    fn mode_of(&self, tag: Tag, is_last: bool) -> Option<Mode> {
        Some(match tag {
            Tag::TD | Tag::TH if !is_last => Mode::InCell,
            Tag::TR => Mode::InRow,
            Tag::TBODY | Tag::THEAD | Tag::TFOOT => Mode::InTableBody,
            Tag::CAPTION => Mode::InCaption,
            Tag::COLGROUP => Mode::InColumnGroup,
            Tag::TABLE => Mode::InTable,
            Tag::TEMPLATE => self.template_modes.last().copied().unwrap_or(Mode::InBody),
            Tag::HEAD if !is_last => Mode::InHead,
            Tag::BODY => Mode::InBody,
            Tag::FRAMESET => Mode::InFrameset,
            Tag::HTML if self.head == NONE => Mode::BeforeHead,
            Tag::HTML => Mode::AfterHead,
            _ if is_last => Mode::InBody,
            _ => return None,
        })
    }

    /// Makes ready for the content of an element (§13.4).
    pub(super) fn enter(&mut self, inside: Tag) {
        self.open_html(Span::default());
        self.context = Some(Open { node: NONE, tag: inside, kind: Kind::of(inside, false) });
        if inside == Tag::TEMPLATE {
            self.template_modes.push(Mode::InTemplate);
        }
        self.enter_raw(inside);
        self.reset_mode();
    }
}

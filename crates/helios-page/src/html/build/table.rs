//! Tables (WHATWG HTML §13.2.6.4.9 to §13.2.6.4.15).

use super::super::tag::{FOSTERS, TABLE_SCOPE, Tag};
use super::super::token::{StartTag, Token};
use super::super::tree::{NONE, Span};
use super::{Builder, Mode};

const IN_TABLE: [Tag; 3] = [Tag::TABLE, Tag::TEMPLATE, Tag::HTML];
const IN_BODY: [Tag; 5] = [Tag::TBODY, Tag::TFOOT, Tag::THEAD, Tag::TEMPLATE, Tag::HTML];
const IN_ROW: [Tag; 3] = [Tag::TR, Tag::TEMPLATE, Tag::HTML];
const SECTIONS: [Tag; 3] = [Tag::TBODY, Tag::THEAD, Tag::TFOOT];

/// Tags that cannot be inside a cell or a caption.
fn is_part(tag: Tag) -> bool {
    is_outer_part(tag) || matches!(tag, Tag::TD | Tag::TH | Tag::TR)
}

/// Tags that end a section.
fn is_outer_part(tag: Tag) -> bool {
    matches!(tag, Tag::CAPTION | Tag::COL | Tag::COLGROUP | Tag::TBODY | Tag::TFOOT | Tag::THEAD)
}

impl Builder<'_> {
    pub(super) fn table_text(&mut self, text: Span) {
        let top = self.stack.top().tag;
        if (top.has(FOSTERS) || top == Tag::TEMPLATE) && self.is_space(text) {
            self.insert_text(text);
        } else {
            self.foster = true;
            self.body_text(text);
            self.foster = false;
        }
    }

    fn in_body_fostered(&mut self, token: Token) -> bool {
        self.foster = true;
        let again = self.in_body(token);
        self.foster = false;
        again
    }

    pub(super) fn in_table(&mut self, token: Token) -> bool {
        match token {
            Token::Text(text) => self.table_text(text),
            Token::Comment(text) => self.insert_comment(text, self.place()),
            Token::Doctype => {}
            Token::Start(start) => return self.table_start(start),
            Token::End(Tag::TABLE) => {
                self.close_table();
            }
            Token::End(tag) if is_part(tag) || matches!(tag, Tag::BODY | Tag::HTML) => {}
            Token::End(Tag::TEMPLATE) => self.end_template(),
            Token::End(_) => return self.in_body_fostered(token),
            Token::Eof => return self.in_body(token),
        }
        false
    }

    fn close_table(&mut self) -> bool {
        let found = self.stack.has(Tag::TABLE, TABLE_SCOPE);
        if found {
            self.stack.pop_until(|tag| tag == Tag::TABLE);
            self.reset_mode();
        }
        found
    }

    fn table_start(&mut self, start: StartTag) -> bool {
        match start.tag {
            tag if is_part(tag) => {
                self.stack.pop_to(&IN_TABLE);
                return self.table_part(start);
            }
            Tag::TABLE => return self.close_table(),
            Tag::STYLE | Tag::SCRIPT | Tag::TEMPLATE => {
                self.head_part(start);
            }
            Tag::INPUT if self.is_hidden(start) => {
                self.insert_closed(start);
            }
            Tag::FORM => {
                if self.form == NONE && !self.stack.has_template() {
                    self.form = self.insert_closed(start);
                }
            }
            _ => return self.in_body_fostered(Token::Start(start)),
        }
        false
    }

    fn table_part(&mut self, start: StartTag) -> bool {
        match start.tag {
            Tag::CAPTION => {
                self.push_marker();
                self.insert(start);
                self.mode = Mode::InCaption;
            }
            Tag::COLGROUP => {
                self.insert(start);
                self.mode = Mode::InColumnGroup;
            }
            Tag::COL => {
                self.insert_implied(Tag::COLGROUP);
                self.mode = Mode::InColumnGroup;
                return true;
            }
            Tag::TBODY | Tag::TFOOT | Tag::THEAD => {
                self.insert(start);
                self.mode = Mode::InTableBody;
            }
            _ => {
                self.insert_implied(Tag::TBODY);
                self.mode = Mode::InTableBody;
                return true;
            }
        }
        false
    }

    pub(super) fn in_caption(&mut self, token: Token) -> bool {
        match token {
            Token::End(Tag::CAPTION) => {
                self.close_caption();
                false
            }
            Token::Start(start) if is_part(start.tag) => self.close_caption(),
            Token::End(Tag::TABLE) => self.close_caption(),
            Token::End(tag) if is_part(tag) || matches!(tag, Tag::BODY | Tag::HTML) => false,
            Token::Text(_)
            | Token::Start(_)
            | Token::End(_)
            | Token::Comment(_)
            | Token::Doctype
            | Token::Eof => self.in_body(token),
        }
    }

    fn close_caption(&mut self) -> bool {
        let found = self.stack.has(Tag::CAPTION, TABLE_SCOPE);
        if found {
            self.stack.imply(Tag::DOCUMENT);
            self.stack.pop_until(|tag| tag == Tag::CAPTION);
            self.clear_to_marker();
            self.mode = Mode::InTable;
        }
        found
    }

    pub(super) fn in_column_group(&mut self, token: &mut Token) -> bool {
        if self.take_spaces(token, true) {
            return false;
        }
        match *token {
            Token::Comment(text) => self.insert_comment(text, self.place()),
            Token::Doctype | Token::End(Tag::COL) => {}
            Token::Start(start) if start.tag == Tag::HTML => return self.in_body(*token),
            Token::Start(start) if start.tag == Tag::COL => {
                self.insert_closed(start);
            }
            Token::Start(start) if start.tag == Tag::TEMPLATE => {
                self.head_part(start);
            }
            Token::End(Tag::TEMPLATE) => self.end_template(),
            Token::Eof => return self.in_body(*token),
            Token::Start(_) | Token::End(_) | Token::Text(_) => {
                if self.stack.top().tag == Tag::COLGROUP {
                    self.stack.pop();
                    self.mode = Mode::InTable;
                    return !matches!(token, Token::End(Tag::COLGROUP));
                }
                if let Token::Text(text) = *token {
                    self.insert_spaces_of(text);
                }
            }
        }
        false
    }

    pub(super) fn in_table_body(&mut self, token: Token) -> bool {
        match token {
            Token::Start(start) if start.tag == Tag::TR => {
                self.stack.pop_to(&IN_BODY);
                self.insert(start);
                self.mode = Mode::InRow;
            }
            Token::Start(start) if matches!(start.tag, Tag::TD | Tag::TH) => {
                self.stack.pop_to(&IN_BODY);
                self.insert_implied(Tag::TR);
                self.mode = Mode::InRow;
                return true;
            }
            Token::End(tag) if SECTIONS.contains(&tag) => {
                if self.stack.has(tag, TABLE_SCOPE) {
                    self.close_section();
                }
            }
            Token::End(Tag::TABLE) => return self.leave_section(),
            Token::Start(start) if is_outer_part(start.tag) => return self.leave_section(),
            Token::End(tag) if is_part(tag) || matches!(tag, Tag::BODY | Tag::HTML) => {}
            Token::Text(_)
            | Token::Start(_)
            | Token::End(_)
            | Token::Comment(_)
            | Token::Doctype
            | Token::Eof => {
                return self.in_table(token);
            }
        }
        false
    }

    fn close_section(&mut self) {
        self.stack.pop_to(&IN_BODY);
        self.stack.pop();
        self.mode = Mode::InTable;
    }

    fn leave_section(&mut self) -> bool {
        let found = self.stack.has_any(&SECTIONS, TABLE_SCOPE);
        if found {
            self.close_section();
        }
        found
    }

    pub(super) fn in_row(&mut self, token: Token) -> bool {
        match token {
            Token::Start(start) if matches!(start.tag, Tag::TD | Tag::TH) => {
                self.stack.pop_to(&IN_ROW);
                self.insert(start);
                self.mode = Mode::InCell;
                self.push_marker();
            }
            Token::End(Tag::TR) => {
                self.close_row();
            }
            Token::End(Tag::TABLE) => return self.close_row(),
            Token::Start(start) if is_part(start.tag) => return self.close_row(),
            Token::End(tag) if SECTIONS.contains(&tag) => {
                return self.stack.has(tag, TABLE_SCOPE) && self.close_row();
            }
            Token::End(tag) if is_part(tag) || matches!(tag, Tag::BODY | Tag::HTML) => {}
            Token::Text(_)
            | Token::Start(_)
            | Token::End(_)
            | Token::Comment(_)
            | Token::Doctype
            | Token::Eof => {
                return self.in_table(token);
            }
        }
        false
    }

    fn close_row(&mut self) -> bool {
        let found = self.stack.has(Tag::TR, TABLE_SCOPE);
        if found {
            self.stack.pop_to(&IN_ROW);
            self.stack.pop();
            self.mode = Mode::InTableBody;
        }
        found
    }

    pub(super) fn in_cell(&mut self, token: Token) -> bool {
        match token {
            Token::End(tag @ (Tag::TD | Tag::TH)) => {
                if self.stack.has(tag, TABLE_SCOPE) {
                    self.close_cell(&[tag]);
                }
                false
            }
            Token::Start(start) if is_part(start.tag) => {
                let found = self.stack.has_any(&[Tag::TD, Tag::TH], TABLE_SCOPE);
                if found {
                    self.close_cell(&[Tag::TD, Tag::TH]);
                }
                found
            }
            Token::End(Tag::BODY | Tag::CAPTION | Tag::COL | Tag::COLGROUP | Tag::HTML) => false,
            Token::End(tag @ (Tag::TABLE | Tag::TBODY | Tag::TFOOT | Tag::THEAD | Tag::TR)) => {
                let found = self.stack.has(tag, TABLE_SCOPE);
                if found {
                    self.close_cell(&[Tag::TD, Tag::TH]);
                }
                found
            }
            Token::Text(_)
            | Token::Start(_)
            | Token::End(_)
            | Token::Comment(_)
            | Token::Doctype
            | Token::Eof => self.in_body(token),
        }
    }

    fn close_cell(&mut self, tags: &[Tag]) {
        self.stack.imply(Tag::DOCUMENT);
        self.stack.pop_until(|tag| tags.contains(&tag));
        self.clear_to_marker();
        self.mode = Mode::InRow;
    }
}

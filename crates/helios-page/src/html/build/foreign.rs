//! SVG and MathML (WHATWG HTML §13.2.6.5), and which tokens are theirs (§13.2.6).

use super::super::tag::{BREAKOUT, Tag};
use super::super::token::{StartTag, Token};
use super::Builder;
use super::stack::{Kind, Open};

impl Kind {
    pub(super) fn of(tag: Tag, is_html_annotation: bool) -> Kind {
        match tag.local() {
            _ if tag.is_html() => Kind::Html,
            Tag::MI | Tag::MO | Tag::MN | Tag::MS | Tag::MTEXT if tag.is_math() => Kind::MathText,
            Tag::ANNOTATION_XML if tag.is_math() && is_html_annotation => Kind::HtmlPoint,
            Tag::ANNOTATION_XML if tag.is_math() => Kind::AnnotationXml,
            Tag::FOREIGNOBJECT | Tag::DESC | Tag::TITLE if tag.is_svg() => Kind::HtmlPoint,
            _ => Kind::Foreign,
        }
    }
}

impl Builder<'_> {
    pub(super) fn is_foreign_text(&self) -> bool {
        matches!(self.current().kind, Kind::Foreign | Kind::AnnotationXml)
    }

    pub(super) fn is_foreign(&self, token: Token) -> bool {
        match (self.current().kind, token) {
            (Kind::MathText, Token::Start(start)) => matches!(start.tag, Tag::MGLYPH | Tag::MALIGNMARK),
            (Kind::AnnotationXml, Token::Start(start)) => start.tag != Tag::SVG_NAME,
            (Kind::Html, _)
            | (_, Token::Eof)
            | (Kind::HtmlPoint, Token::Start(_))
            | (Kind::MathText | Kind::HtmlPoint, Token::Text(_)) => false,
            _ => true,
        }
    }

    pub(super) fn insert_foreign(&mut self, start: StartTag, is_svg: bool) {
        let tag = if is_svg { start.tag.in_svg() } else { start.tag.in_math() };
        let encoding = self.token_attr(start, "encoding").unwrap_or_default();
        let is_html_annotation = encoding.eq_ignore_ascii_case("text/html")
            || encoding.eq_ignore_ascii_case("application/xhtml+xml");
        if !start.self_closing {
            self.stack.make_room();
        }
        let node = self.insert_closed(StartTag { tag, ..start });
        if !start.self_closing {
            self.stack.push(Open { node, tag, kind: Kind::of(tag, is_html_annotation) });
        }
    }

    pub(super) fn foreign(&mut self, token: Token) -> bool {
        match token {
            Token::Text(text) => self.insert_text(text),
            Token::Comment(text) => self.insert_comment(text, self.place()),
            Token::Start(start) if self.breaks_out(start) => return self.break_out(token),
            Token::Start(start) => {
                let is_svg = self.current().tag.is_svg();
                self.insert_foreign(start, is_svg);
            }
            Token::End(Tag::BR | Tag::P) => return self.break_out(token),
            Token::End(tag) => return self.foreign_end(tag),
            Token::Doctype | Token::Eof => {}
        }
        false
    }

    fn breaks_out(&self, start: StartTag) -> bool {
        let has = |name: &str| self.token_attr(start, name).is_some();
        start.tag.has(BREAKOUT) || (start.tag == Tag::FONT && (has("color") || has("face") || has("size")))
    }

    /// HTML goes on after the foreign elements.
    fn break_out(&mut self, token: Token) -> bool {
        while matches!(self.stack.top().kind, Kind::Foreign | Kind::AnnotationXml) && self.stack.len() > 1 {
            self.stack.pop();
        }
        let mut token = token;
        self.step(&mut token)
    }

    fn foreign_end(&mut self, tag: Tag) -> bool {
        for at in (1..self.stack.len()).rev() {
            let Some(&open) = self.stack.get(at) else { return false };
            if open.tag.is_html() {
                return self.step(&mut Token::End(tag));
            }
            if open.tag.local() == tag {
                self.stack.cut(at);
                return false;
            }
        }
        false
    }
}

//! The text of one element, with the markup in it if there is any.

use super::model::Text;
use crate::xml::{Element, Event, local, push_escaped, unescape};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Text, or markup that was escaped.
    Escaped,
    /// Elements stand in it.
    Inline,
    Base64,
}

/// Collects what stands between the tags of an element.
pub(super) struct Capture<'a> {
    /// As written: what closes it has the same name.
    pub(super) name: &'a str,
    mode: Mode,
    is_html: bool,
    /// Elements of the same name inside.
    nested: usize,
    value: String,
}

impl<'a> Capture<'a> {
    /// `html` is what the format takes this element for, if it does not say.
    pub(super) fn new(element: &Element<'a>, html: bool) -> Capture<'a> {
        let kind = element.attribute("type").unwrap_or_default().trim().to_ascii_lowercase();
        let mode = element.attribute("mode").unwrap_or_default().trim().to_ascii_lowercase();
        let inline = kind == "xhtml" || kind == "application/xhtml+xml";
        let is_html = match kind.as_str() {
            "" => html,
            "html" | "text/html" => true,
            _ => inline,
        };
        let media = kind.contains('/') && !kind.starts_with("text/") && !kind.ends_with("xml");
        let mode = match mode.as_str() {
            "base64" => Mode::Base64,
            "escaped" => Mode::Escaped,
            "xml" if inline => Mode::Inline,
            _ if kind == "xhtml" => Mode::Inline,
            _ if media => Mode::Base64,
            _ => Mode::Escaped,
        };
        Capture { name: element.name, mode, is_html, nested: 0, value: String::new() }
    }

    /// Takes what comes next; true when the element is closed.
    pub(super) fn take(&mut self, event: &Event<'a>) -> bool {
        match *event {
            Event::Text(text) if self.mode == Mode::Inline => push_escaped(&unescape(text), &mut self.value),
            Event::Text(text) => self.value.push_str(&unescape(text)),
            Event::Cdata(text) if self.mode == Mode::Inline => push_escaped(text, &mut self.value),
            Event::Cdata(text) => self.value.push_str(text),
            Event::Open(element) => self.open(&element),
            Event::Close(name) => {
                if name.eq_ignore_ascii_case(self.name) {
                    if self.nested == 0 {
                        return true;
                    }
                    self.nested -= 1;
                }
                self.inline();
                self.value.extend(["</", local(name), ">"]);
            }
        }
        false
    }

    fn open(&mut self, element: &Element<'a>) {
        self.inline();
        if element.name.eq_ignore_ascii_case(self.name) && !element.empty {
            self.nested += 1;
        }
        self.value.extend(["<", local(element.name)]);
        for (name, value) in element.attributes().filter(|(name, _)| !name.starts_with("xmlns")) {
            self.value.extend([" ", name, "=\""]);
            push_escaped(&unescape(value), &mut self.value);
            self.value.push('"');
        }
        self.value.push('>');
        if element.empty && !is_void(local(element.name)) {
            self.value.extend(["</", local(element.name), ">"]);
        }
    }

    /// Markup stands in what was taken for text: what came before has to be markup too.
    fn inline(&mut self) {
        if self.mode != Mode::Inline {
            let before = std::mem::take(&mut self.value);
            push_escaped(&before, &mut self.value);
            (self.mode, self.is_html) = (Mode::Inline, true);
        }
    }

    pub(super) fn finish(self, wrapped: bool) -> Text {
        let value = self.value.trim();
        let value = match self.mode {
            Mode::Base64 => base64(value).unwrap_or_else(|| value.to_owned()),
            Mode::Inline if wrapped => inner_div(value).to_owned(),
            Mode::Inline | Mode::Escaped => value.to_owned(),
        };
        Text { value, is_html: self.is_html }
    }
}

/// Atom wraps XHTML in one `div`, which is not part of the text.
fn inner_div(value: &str) -> &str {
    let inner = value
        .strip_prefix("<div")
        .and_then(|rest| rest.split_once('>'))
        .filter(|(attributes, _)| attributes.is_empty() || attributes.starts_with(' '))
        .and_then(|(_, inner)| inner.strip_suffix("</div>"));
    inner.filter(|inner| !inner.contains("<div") && !inner.contains("</div>")).map_or(value, str::trim)
}

fn is_void(name: &str) -> bool {
    matches!(
        name,
        "br" | "hr" | "img" | "input" | "meta" | "link" | "area" | "col" | "embed" | "source" | "wbr"
    )
}

/// Text in base64; none if it is not.
fn base64(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    String::from_utf8(bytes).ok()
}

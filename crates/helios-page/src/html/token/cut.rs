//! The tokens alone, for tests and measurements.

use super::super::tag::Tag;
use super::super::tree::Span;
use super::{Raw, Token, Tokenizer};

/// A token with its own strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cut {
    Text(String),
    Start { name: String, attrs: Vec<(String, String)>, self_closing: bool },
    End(String),
    Comment(String),
    Doctype { name: Option<String>, public: Option<String>, system: Option<String>, quirks: bool },
}

/// How many tokens a text has, read without a tree.
pub fn cut(text: &str) -> usize {
    let mut tokenizer = Tokenizer::new(text);
    let mut count = 0;
    loop {
        match tokenizer.next(false) {
            Token::Eof => return count,
            Token::Start(start) => {
                tokenizer.keep();
                tokenizer.raw = match start.tag {
                    Tag::SCRIPT => Raw::Script,
                    Tag::STYLE => Raw::Rawtext(start.tag),
                    Tag::TITLE | Tag::TEXTAREA => Raw::Rcdata(start.tag),
                    _ => Raw::Data,
                };
            }
            Token::Text(_) | Token::End(_) | Token::Comment(_) | Token::Doctype => {}
        }
        count += 1;
    }
}

/// The tokens of a text that begins in a state of the standard, after a start tag of the name `last`.
pub fn cut_from(text: &str, state: &str, last: &str) -> Vec<Cut> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut tokenizer = Tokenizer::new(&text);
    let last = Tag::known(last).unwrap_or_else(|| tokenizer.names.intern(last));
    tokenizer.raw = match state {
        "RCDATA state" => Raw::Rcdata(last),
        "RAWTEXT state" => Raw::Rawtext(last),
        "Script data state" => Raw::Script,
        "PLAINTEXT state" => Raw::Plaintext,
        _ => Raw::Data,
    };
    let mut cuts = Vec::new();
    if state == "CDATA section state" {
        cuts.extend(tokenizer.cdata(0).and_then(|token| own(&tokenizer, token)));
    }
    loop {
        let token = tokenizer.next(false);
        let Some(cut) = own(&tokenizer, token) else { return cuts };
        if let (Some(Cut::Text(before)), Cut::Text(text)) = (cuts.last_mut(), &cut) {
            before.push_str(text);
        } else {
            cuts.push(cut);
        }
    }
}

fn own(tokenizer: &Tokenizer<'_>, token: Token) -> Option<Cut> {
    let string = |span: Span| tokenizer.str(span).to_owned();
    Some(match token {
        Token::Text(text) => Cut::Text(string(text)),
        Token::Start(start) => Cut::Start {
            name: tokenizer.names.name(start.tag).to_owned(),
            attrs: tokenizer
                .attrs
                .iter()
                .skip(start.attrs.at as usize)
                .map(|attr| (string(attr.name), string(attr.value)))
                .collect(),
            self_closing: start.self_closing,
        },
        Token::End(tag) => Cut::End(tokenizer.names.name(tag).to_owned()),
        Token::Comment(text) => Cut::Comment(string(text)),
        Token::Doctype => Cut::Doctype {
            name: tokenizer.doctype.name.map(string),
            public: tokenizer.doctype.public.map(string),
            system: tokenizer.doctype.system.map(string),
            quirks: tokenizer.doctype.quirks,
        },
        Token::Eof => return None,
    })
}

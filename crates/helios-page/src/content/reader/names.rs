//! What the names on an element say of it: words anywhere in its class or id.
//!
//! The words are those that Readability is known to heed, so that the same elements count as menus, comments and contents.

use super::draft::bits::{BAD_CLASS, BYLINE, GOOD_CLASS, MAYBE, SHARE, UNLIKELY};

#[rustfmt::skip]
const WORDS: [(u32, &[&str]); 5] = [
    (UNLIKELY, &[
        "-ad-", "ai2html", "banner", "breadcrumbs", "combx", "comment", "community", "cover-wrap", "disqus", "extra", "footer",
        "gdpr", "header", "legends", "menu", "related", "remark", "replies", "rss", "shoutbox", "sidebar", "skyscraper", "social",
        "sponsor", "supplemental", "ad-break", "agegate", "pagination", "pager", "popup", "yom-remote",
    ]),
    (MAYBE, &["and", "article", "body", "column", "content", "main", "mathjax", "shadow"]),
    (GOOD_CLASS, &[
        "article", "body", "content", "entry", "main", "page", "pagination", "post", "text", "blog", "story",
    ]),
    (BAD_CLASS, &[
        "-ad-", "hidden", "banner", "combx", "comment", "com-", "contact", "footer", "gdpr", "masthead", "media", "meta",
        "outbrain", "promo", "related", "scroll", "share", "shoutbox", "sidebar", "skyscraper", "sponsor", "shopping", "tags",
        "widget",
    ]),
    (BYLINE, &["byline", "author", "dateline", "writtenby"]),
];

/// Words by their first two letters, so that most places of a name are passed at once.
#[derive(Debug)]
pub(super) struct Words {
    starts: Vec<u64>,
    words: Vec<(u32, &'static [u8])>,
}

impl Words {
    pub(super) fn new() -> Words {
        let mut words: Vec<(u32, &[u8])> = Vec::new();
        for (bit, known) in WORDS {
            for word in known.iter().map(|word| word.as_bytes()) {
                match words.iter_mut().find(|(_, other)| *other == word) {
                    Some((bits, _)) => *bits |= bit,
                    None => words.push((bit, word)),
                }
            }
        }
        let mut starts = vec![0_u64; 32 * 32];
        words.truncate(64);
        for (number, (_, word)) in words.iter().enumerate() {
            if let Some(start) = word.get(..2).and_then(|two| starts.get_mut(place(two))) {
                *start |= 1 << number;
            }
        }
        Words { starts, words }
    }

    /// What a class or an id says.
    pub(super) fn say(&self, name: &str) -> u32 {
        let name = name.as_bytes();
        let mut said = 0;
        for (at, two) in name.windows(2).enumerate() {
            let mut fits = self.starts.get(place(two)).copied().unwrap_or_default();
            while fits != 0 {
                let word = self.words.get(fits.trailing_zeros() as usize);
                fits &= fits - 1;
                if let Some((bits, word)) = word
                    && name.get(at..at + word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word))
                {
                    said |= bits;
                }
            }
        }
        said | alone(name)
    }
}

fn place(two: &[u8]) -> usize {
    two.iter().fold(0, |place, byte| place << 5 | usize::from(byte & 31))
}

/// Words that count only by themselves.
fn alone(name: &[u8]) -> u32 {
    let mut said = 0;
    let is = |part: &[u8], word: &str| part.eq_ignore_ascii_case(word.as_bytes());
    if name.split(|&byte| byte == b' ').any(|part| is(part, "hid")) {
        said |= BAD_CLASS;
    }
    let letter = |byte: &u8| !byte.is_ascii_alphanumeric();
    if name.split(letter).any(|part| is(part, "share") || is(part, "sharedaddy")) {
        said |= SHARE;
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_its_words_say_wherever_they_stand() {
        let words = Words::new();
        assert!(words.words.len() < 64, "no more fit");
        for (name, said) in [
            ("", 0),
            ("wide", 0),
            ("Page-Comments", UNLIKELY | GOOD_CLASS | BAD_CLASS),
            ("article-menu", UNLIKELY | MAYBE | GOOD_CLASS),
            ("x hid y", BAD_CLASS),
            ("hide", 0),
            ("share_buttons", SHARE | BAD_CLASS),
            ("shareholder", BAD_CLASS),
            ("p-author", BYLINE),
        ] {
            assert_eq!(words.say(name), said, "{name}");
        }
    }
}

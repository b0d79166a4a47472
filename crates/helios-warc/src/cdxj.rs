//! One line of a CDXJ index: key, time and a JSON object, in the field order of other indexers, so that sorted files merge.

use crate::surt::surt;
use crate::{Digest, date};

/// Where a record is, and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexLine {
    pub url: String,
    pub at: u64,
    /// Of the payload; `warc/revisit` for a record without one.
    pub mime: String,
    pub status: u16,
    pub digest: Digest,
    /// In the file, packed.
    pub offset: u64,
    pub length: u64,
}

impl IndexLine {
    /// Without its line end. `moved`: by how many bytes its record lies further on, in another file.
    pub fn text(&self, file: &str, moved: u64) -> String {
        let quoted = |text: &str| {
            let mut json = String::with_capacity(text.len() + 2);
            json.push('"');
            text.chars().for_each(|letter| escape(letter, &mut json));
            json.push('"');
            json
        };
        format!(
            "{} {} {{\"url\": {}, \"mime\": {}, \"status\": \"{}\", \"digest\": \"{}\", \"length\": \"{}\", \"offset\": \"{}\", \"filename\": {}}}",
            surt(&self.url),
            date::digits(self.at),
            quoted(&self.url),
            quoted(&self.mime),
            self.status,
            self.digest,
            self.length,
            self.offset + moved,
            quoted(file),
        )
    }
}

/// ASCII alone, as Python's `json` writes it.
fn escape(letter: char, json: &mut String) {
    match letter {
        '"' => json.push_str("\\\""),
        '\\' => json.push_str("\\\\"),
        ' '..='~' => json.push(letter),
        _ => {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                json.push_str("\\u");
                json.extend(
                    (0..4)
                        .rev()
                        .filter_map(|digit| char::from_digit(u32::from(*unit) >> (4 * digit) & 15, 16)),
                );
            }
        }
    }
}

/// `type/subtype` of a Content-Type; `unk` where there is none.
pub(crate) fn mime(content_type: &str) -> String {
    let mime = content_type.split(';').next().unwrap_or_default().trim();
    if mime.is_empty() { "unk".to_owned() } else { mime.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Algorithm;

    #[test]
    fn a_line_is_key_time_and_json() {
        let line = IndexLine {
            url: "https://www.example.com/Ä\"?b&a".to_owned(),
            at: 1_794_753_846_123,
            mime: mime("text/html; charset=x"),
            status: 200,
            digest: Digest::of(Algorithm::Sha1, &[]),
            offset: 10,
            length: 20,
        };
        assert_eq!(
            line.text("helios-00000.warc.gz", 5),
            "com,example)/Ä\"?a&b 20261115144406 {\"url\": \"https://www.example.com/\\u00c4\\\"?b&a\", \"mime\": \"text/html\", \
             \"status\": \"200\", \"digest\": \"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\", \"length\": \"20\", \"offset\": \"15\", \
             \"filename\": \"helios-00000.warc.gz\"}"
        );
    }
}

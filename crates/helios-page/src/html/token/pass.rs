//! What is passed over where a text is only skimmed.

use super::near::{find, find_either};
use super::tags::{BARE_END, NAME_END, class};
use super::{Tokenizer, is_space};

/// For each first letter of a name: the second letters of those that skimming asks for, or that change what follows them, a bit for each.
const SECOND: [u32; 26] = seconds();

#[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
const fn seconds() -> [u32; 26] {
    let mut masks = [0; 26];
    // area base frame html iframe link math meta noembed noframes noscript plaintext script style svg template textarea title xmp
    let beginnings = b"arbafrhtiflimamenoplscstsvtetixm";
    let mut at = 0;
    while at < beginnings.len() {
        masks[(beginnings[at] - b'a') as usize] |= 1 << (beginnings[at + 1] - b'a');
        at += 2;
    }
    masks
}

impl Tokenizer<'_> {
    /// Goes on to a `<` that begins something of interest, or that takes a closer look; the end, if there is none.
    pub(super) fn pass_over(&mut self) {
        let mut at = self.at;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Some(found) = find(b'<', rest) else { return self.pass_all() };
            at += found;
            let name = at + 1 + usize::from(self.bytes.get(at + 1) == Some(&b'/'));
            let after = self.bytes.get(name..).unwrap_or_default();
            if matters(after) {
                break;
            }
            let Some(length) = find_either(b'>', b'=', after) else { return self.pass_all() };
            if after.get(length) == Some(&b'>') {
                at = name + length + 1;
                continue;
            }
            // An end tag with values is for others to read.
            if name > at + 1 {
                break;
            }
            let end = after.iter().position(|&byte| class(byte) & NAME_END != 0).unwrap_or(length);
            self.at = name + end;
            if self.pass_attributes().is_none() {
                return self.pass_all();
            }
            at = self.at;
        }
        self.at = at;
    }

    /// There is nothing more, or the text ends within a tag, which is dropped.
    fn pass_all(&mut self) {
        self.at = self.bytes.len();
    }

    /// As `attributes`, and nothing of them is kept.
    pub(super) fn pass_attributes(&mut self) -> Option<bool> {
        // Behind the name of the tag, or behind the last value.
        let mut begin = self.at;
        let mut at = begin;
        loop {
            let end = at + find_either(b'>', b'=', self.bytes.get(at..)?)?;
            let before = self.bytes.get(begin..end)?;
            at = end + 1;
            if self.bytes.get(end) == Some(&b'>') {
                self.at = at;
                return Some(before.last() == Some(&b'/'));
            }
            if has_name(before) {
                at = self.pass_value(at)?;
                begin = at;
            }
        }
    }

    /// Behind the `=` of an attribute; gives the place after its value.
    pub(super) fn pass_value(&self, mut at: usize) -> Option<usize> {
        while is_space(*self.bytes.get(at)?) {
            at += 1;
        }
        let rest = self.bytes.get(at..)?;
        Some(match *rest.first()? {
            quote @ (b'"' | b'\'') => at + find(quote, rest.get(1..)?)? + 2,
            _ => at + rest.iter().position(|&byte| class(byte) & BARE_END != 0)?,
        })
    }
}

/// Is this no name, or may it be one that skimming asks for, or that changes what follows it? Two letters leave few others, but for `li` and `strong`, which
/// are common.
fn matters(name: &[u8]) -> bool {
    let Some([first, second, third]) = name.first_chunk() else { return true };
    let Some(seconds) = SECOND.get(usize::from((first | 0x20).wrapping_sub(b'a'))) else { return true };
    let letter = (second | 0x20).wrapping_sub(b'a');
    if letter >= 26 {
        return first | 0x20 == b'a' && class(*second) & NAME_END != 0;
    }
    let is_common = match (first | 0x20, second | 0x20) {
        (b'l', b'i') => third | 0x20 != b'n',
        (b's', b't') => third | 0x20 != b'y',
        _ => false,
    };
    seconds >> letter & 1 != 0 && !is_common
}

/// Does the name of an attribute stand before this `=`? If not, the sign is the first letter of one (§13.2.5.32).
fn has_name(before: &[u8]) -> bool {
    match before.last() {
        None => false,
        Some(&byte) if byte != b'/' && !is_space(byte) => true,
        Some(_) => before.iter().rev().take_while(|byte| **byte != b'/').any(|&byte| !is_space(byte)),
    }
}

/// May this be `href`, `hreflang`, `rel`, `type` or `xlink:href`, in whatever case? Of a link that is skimmed nothing else is asked for, and few others look like
/// these.
pub(super) fn is_of_link(name: &[u8]) -> bool {
    matches!(name.len(), 3 | 4 | 8 | 10)
        && name.first().is_some_and(|first| matches!(first | 0x20, b'h' | b'r' | b't' | b'x'))
}

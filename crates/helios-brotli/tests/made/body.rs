//! What is made so far, and what may be copied to its end (RFC 7932 §4 and §8).

use brotli_decompressor::dictionary::{
    kBrotliDictionary, kBrotliDictionaryOffsetsByLength, kBrotliDictionarySizeBitsByLength,
};
use brotli_decompressor::transform::{TransformDictionaryWord, kNumTransforms};

pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    /// The last four distances, the last one first.
    pub(crate) last: [i32; 4],
    window: usize,
}

impl Body {
    pub(crate) fn new(window: usize) -> Self {
        Self { bytes: Vec::new(), last: [4, 11, 15, 16], window }
    }

    /// Adds what is at a distance, or the word of the dictionary that it means. Whether there is such a thing.
    pub(crate) fn copy(&mut self, distance: i32, is_new: bool, length: usize) -> bool {
        let reach = self.bytes.len().min(self.window);
        let Some(back) = usize::try_from(distance).ok().filter(|back| *back > 0) else { return false };
        if back > reach {
            let word = word(back - reach - 1, length);
            self.bytes.extend(word.iter().flatten());
            return word.is_some();
        }
        (0..length).for_each(|_| self.bytes.push(self.bytes[self.bytes.len() - back]));
        if is_new {
            self.last.rotate_right(1);
            self.last[0] = distance;
        }
        true
    }
}

fn word(number: usize, length: usize) -> Option<Vec<u8>> {
    let width = *kBrotliDictionarySizeBitsByLength.get(length).filter(|width| **width > 0)?;
    let begin = kBrotliDictionaryOffsetsByLength[length] as usize + length * (number & ((1 << width) - 1));
    let form = i32::try_from(number >> width).ok().filter(|form| *form < kNumTransforms)?;
    let mut out = vec![0; 100];
    let word = &kBrotliDictionary[begin..begin + length];
    let written = TransformDictionaryWord(&mut out, word, i32::try_from(length).ok()?, form);
    out.truncate(usize::try_from(written).ok()?);
    // Ours leaves words of no length to the crate.
    Some(out).filter(|word| !word.is_empty())
}

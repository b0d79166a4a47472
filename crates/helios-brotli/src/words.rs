//! Words of the dictionary that every decoder has (RFC 7932 §8): which one, and in which form.

use brotli_decompressor::dictionary::{
    kBrotliDictionary, kBrotliDictionaryOffsetsByLength, kBrotliDictionarySizeBitsByLength,
};
use brotli_decompressor::transform::{TransformDictionaryWord, kNumTransforms};

/// No word is longer than this, and no form of one than that.
const LONGEST_PLAIN: usize = 32;
const LONGEST: usize = 64;

/// Writes a word to the beginning of `out`; its length. A word of no length is none: nothing would ever end.
#[cold]
pub(crate) fn write(out: &mut [u8], number: usize, length: usize) -> Option<usize> {
    let width = u32::from(*kBrotliDictionarySizeBitsByLength.get(length)?);
    if width == 0 {
        return None;
    }
    let begin =
        *kBrotliDictionaryOffsetsByLength.get(length)? as usize + length * (number & ((1 << width) - 1));
    let word = kBrotliDictionary.get(begin..begin + length)?;
    let form = i32::try_from(number >> width).ok()?;
    if form == 0 {
        // What follows the word does not matter.
        match kBrotliDictionary.get(begin..).and_then(<[u8]>::first_chunk::<LONGEST_PLAIN>) {
            Some(more) => *out.first_chunk_mut()? = *more,
            None => out.get_mut(..length)?.copy_from_slice(word),
        }
        return Some(length);
    }
    if form >= kNumTransforms {
        return None;
    }
    let out = out.get_mut(..LONGEST)?;
    usize::try_from(TransformDictionaryWord(out, word, i32::try_from(length).ok()?, form))
        .ok()
        .filter(|written| *written > 0)
}

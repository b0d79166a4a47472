//! Text as a row of word hashes, for every language alike.
//!
//! A word is a run of letters, digits and `_`, in lower case. Scripts that put no space between words (Chinese
//! characters, kana, Thai, Lao, Khmer, Burmese, Tibetan) count each letter as a word. Everything else only separates.
//!
//! 64 bytes are looked at together: one bit of a mask says which of them may belong to a word. So a word of ASCII costs no
//! look at its single bytes; only what stands next to other letters is read letter by letter (`letters`).

use crate::letters::letters;
use crate::mix::mix;
use crate::simhash::TOGETHER;

const BLOCK: usize = 64;
const HIGH: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;

/// Hashes on their way to who counts them, who then works on many at once.
pub(crate) struct Batch<F> {
    hashes: [u64; TOGETHER],
    count: usize,
    each: F,
}

impl<F: FnMut(&[u64])> Batch<F> {
    #[inline]
    pub(crate) fn push(&mut self, hash: u64) {
        if self.count == self.hashes.len() {
            self.drain();
        }
        if let Some(place) = self.hashes.get_mut(self.count) {
            *place = hash;
            self.count += 1;
        }
    }

    #[inline(never)]
    fn drain(&mut self) {
        (self.each)(self.hashes.get(..self.count).unwrap_or_default());
        self.count = 0;
    }
}

/// Of eight bytes: the high bit of those that are letters, digits or `_` in ASCII, or no ASCII at all.
fn in_words(bytes: u64) -> u64 {
    // The additions carry into the high bit of a byte and no further, as all bytes are below 0x80.
    let ascii = bytes & !HIGH;
    let low = ascii | (0x20 * ONES);
    let from = |text: u64, first: u8| text.wrapping_add(u64::from(0x80 - first).wrapping_mul(ONES));
    let letter = from(low, b'a') & !from(low, b'z' + 1);
    let digit = from(ascii, b'0') & !from(ascii, b'9' + 1);
    let underscore = !(ascii ^ (0x5f * ONES)).wrapping_add(0x7f * ONES);
    (letter | digit | underscore | bytes) & HIGH
}

/// One bit for each byte of a block: may it belong to a word, and is it beyond ASCII?
fn masks(block: &[u8; BLOCK]) -> (u64, u64) {
    // Gathers the high bits of eight bytes.
    let gather = |bits: u64| (bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (mut words, mut beyond) = (0, 0);
    for (at, eight) in block.as_chunks::<8>().0.iter().enumerate() {
        let bytes = u64::from_le_bytes(*eight);
        words |= gather(in_words(bytes)) << (8 * at);
        beyond |= gather(bytes & HIGH) << (8 * at);
    }
    (words, beyond)
}

/// The bits `from .. from + length`, of which there are at least one and at most 64.
fn bits(from: usize, length: usize) -> u64 {
    (u64::MAX >> (64 - length)) << from
}

/// The hash of a word of ASCII: eight bytes at a time, in lower case (a digit has that bit, too, and `_` becomes a byte that
/// no word has).
#[inline]
fn ascii_word(word: &[u8], following: Option<&[u8; 8]>) -> u64 {
    let low = |bytes: u64, length: usize| (bytes | (0x20 * ONES)) & (u64::MAX >> (64 - 8 * length));
    if let Some(bytes) = following.filter(|_| word.len() <= 8) {
        return mix(low(u64::from_le_bytes(*bytes), word.len()), word.len() as u64);
    }
    let (mut hash, mut last) = (0, 0);
    for (at, eight) in word.chunks(8).enumerate() {
        if at > 0 {
            hash = mix(hash, last);
        }
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(eight).for_each(|(to, from)| *to = *from);
        last = low(u64::from_le_bytes(bytes), eight.len());
    }
    mix(hash ^ last, word.len() as u64)
}

/// Calls `each` with the hashes of the words of a text, in order, many at a time.
pub(crate) fn words(text: &str, each: impl FnMut(&[u64])) {
    let mut batch = Batch { hashes: [0; TOGETHER], count: 0, each };
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let read = if let Some(block) = rest.first_chunk::<BLOCK>() {
            read_block(block, rest, &mut batch)
        } else {
            let mut block = [b' '; BLOCK];
            block.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            read_block(&block, rest, &mut batch);
            rest.len()
        };
        rest = rest.get(read..).unwrap_or_default();
    }
    batch.drain();
}

/// Reads the words of a block with which `rest` begins; says how many bytes it is done with.
#[inline]
fn read_block<F: FnMut(&[u64])>(block: &[u8; BLOCK], rest: &[u8], batch: &mut Batch<F>) -> usize {
    let (mut words, beyond) = masks(block);
    while words != 0 {
        let from = words.trailing_zeros() as usize;
        let length = (words >> from).trailing_ones() as usize;
        if from + length == BLOCK {
            return if from > 0 { from } else { read_long(rest, batch) };
        }
        let own = bits(from, length);
        words &= !own;
        let tail = rest.get(from..).unwrap_or_default();
        let run = tail.get(..length).unwrap_or_default();
        if beyond & own == 0 {
            batch.push(ascii_word(run, tail.first_chunk()));
        } else {
            letters(run, batch);
        }
    }
    BLOCK
}

/// Reads what is longer than a block and without a separator of ASCII; says how long it is.
#[inline(never)]
fn read_long<F: FnMut(&[u64])>(rest: &[u8], batch: &mut Batch<F>) -> usize {
    let belongs = |byte: &u8| in_words(u64::from(*byte)) & 0x80 != 0;
    let length = rest.iter().take_while(|byte| belongs(byte)).count();
    letters(rest.get(..length).unwrap_or_default(), batch);
    length
}

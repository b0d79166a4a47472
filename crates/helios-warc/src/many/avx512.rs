//! Sixteen SHA-1 side by side, in the lanes of AVX-512: each instruction does a step of all of them (FIPS 180-4 §6.1.2).
#![allow(unsafe_code, reason = "instructions that not every processor has; the lanes as words, and back")]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_rol_epi32, _mm512_set1_epi32, _mm512_set4_epi32, _mm512_setzero_si512,
    _mm512_shuffle_epi8, _mm512_shuffle_i32x4, _mm512_ternarylogic_epi32, _mm512_unpackhi_epi32,
    _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64, _mm512_xor_si512,
};
use std::array::from_fn;

use super::{Block, Job};

pub(super) const LANES: usize = 16;
/// With fewer jobs the SHA instructions, one job after the other, are as fast.
pub(super) const WORTH: usize = 5;

/// Functions of three words, as the instruction takes them: one bit for each of the eight cases.
const CHOICE: i32 = 0xca;
const PARITY: i32 = 0x96;
const MAJORITY: i32 = 0xe8;

/// One word of each lane.
type Words = __m512i;

/// There is one where the processor has the instructions.
#[derive(Clone, Copy)]
pub(super) struct Lanes(());

impl Lanes {
    pub(super) fn new() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        has.then_some(Self(()))
    }

    /// Takes in as many blocks of each job as the shortest of them has. There are at most as many jobs as lanes.
    #[allow(clippy::unused_self, reason = "that there is one is what matters")]
    pub(super) fn take_in(self, jobs: &mut [&mut Job<'_>]) {
        let count = jobs.iter().map(|job| job.blocks.len()).min().unwrap_or_default();
        // Lanes that are left over do work that nobody looks at.
        let blocks = from_fn(|lane| jobs.get(lane).or(jobs.first()).map_or(&[][..], |job| job.blocks));
        let word_of = |word: usize, lane: usize| jobs.get(lane).and_then(|job| job.state.get(word)).copied();
        let mut state = from_fn(|word| from_fn(|lane| word_of(word, lane).unwrap_or_default()));
        // SAFETY: there is a `Lanes`, so the processor has the instructions.
        unsafe { take_in(&mut state, blocks, count) };
        for (lane, job) in jobs.iter_mut().enumerate() {
            job.state = state.map(|words| words.get(lane).copied().unwrap_or_default());
            job.blocks = job.blocks.get(count..).unwrap_or_default();
        }
    }
}

// Loops, here and below, since a closure with these instructions is not inlined into `map`, which has them not.
#[target_feature(enable = "avx512f,avx512bw")]
fn take_in(state: &mut [[u32; LANES]; 5], blocks: [&[Block]; LANES], count: usize) {
    let mut all = [_mm512_setzero_si512(); 5];
    for (own, words) in all.iter_mut().zip(&*state) {
        // SAFETY: both are 64 bytes, and all bytes are good for both.
        *own = unsafe { std::mem::transmute::<[u32; LANES], Words>(*words) };
    }
    for at in 0..count {
        let after = eighty(&all, words_of(blocks, at));
        for (own, after) in all.iter_mut().zip(after) {
            *own = _mm512_add_epi32(*own, after);
        }
    }
    for (words, own) in state.iter_mut().zip(all) {
        // SAFETY: as above.
        *words = unsafe { std::mem::transmute::<Words, [u32; LANES]>(own) };
    }
}

/// The rounds of one block, and the words that they need beyond the sixteen of it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
#[allow(clippy::indexing_slicing, reason = "indexes below 16, all known when it is compiled")]
#[allow(clippy::many_single_char_names, reason = "what the standard calls them")]
fn eighty(state: &[Words; 5], mut words: [Words; 16]) -> [Words; 5] {
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    macro_rules! round {
        ($a:ident $b:ident $c:ident $d:ident $e:ident, $at:expr, $constant:ident, $function:ident) => {
            if $at >= 16 {
                let [one, two, three] =
                    [words[($at + 13) % 16], words[($at + 8) % 16], words[($at + 2) % 16]];
                let mixed = _mm512_ternarylogic_epi32::<PARITY>(one, two, three);
                words[$at % 16] = _mm512_rol_epi32::<1>(_mm512_xor_si512(mixed, words[$at % 16]));
            }
            let sum = _mm512_add_epi32(_mm512_add_epi32($e, words[$at % 16]), $constant);
            let sum = _mm512_add_epi32(sum, _mm512_ternarylogic_epi32::<$function>($b, $c, $d));
            $e = _mm512_add_epi32(sum, _mm512_rol_epi32::<5>($a));
            $b = _mm512_rol_epi32::<30>($b);
        };
    }
    // After five rounds each variable has its old part again.
    macro_rules! five {
        ($at:expr, $constant:ident, $function:ident) => {
            round!(a b c d e, $at, $constant, $function);
            round!(e a b c d, $at + 1, $constant, $function);
            round!(d e a b c, $at + 2, $constant, $function);
            round!(c d e a b, $at + 3, $constant, $function);
            round!(b c d e a, $at + 4, $constant, $function);
        };
    }
    macro_rules! twenty {
        ($at:expr, $constant:expr, $function:ident) => {
            let constant = _mm512_set1_epi32(u32::cast_signed($constant));
            five!($at, constant, $function);
            five!($at + 5, constant, $function);
            five!($at + 10, constant, $function);
            five!($at + 15, constant, $function);
        };
    }
    twenty!(0, 0x5a82_7999, CHOICE);
    twenty!(20, 0x6ed9_eba1, PARITY);
    twenty!(40, 0x8f1b_bcdc, MAJORITY);
    twenty!(60, 0xca62_c1d6, PARITY);
    [a, b, c, d, e]
}

/// Word by word what is there block by block: first within quarters of the lanes, then the quarters.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
#[allow(clippy::indexing_slicing, reason = "indexes below 16, all known when it is compiled")]
fn words_of(blocks: [&[Block]; LANES], at: usize) -> [Words; 16] {
    let big_endian = _mm512_set4_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203);
    let mut rows = [_mm512_setzero_si512(); LANES];
    for (row, blocks) in rows.iter_mut().zip(blocks) {
        let block = blocks.get(at).unwrap_or(&[0; size_of::<Block>()]);
        // SAFETY: both are 64 bytes, and all bytes are good for both.
        *row = _mm512_shuffle_epi8(unsafe { std::mem::transmute::<Block, Words>(*block) }, big_endian);
    }
    let mut quarters = rows;
    for group in 0..4 {
        let [a, b] = [rows[4 * group], rows[4 * group + 1]];
        let [c, d] = [rows[4 * group + 2], rows[4 * group + 3]];
        let (low, high) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
        quarters[group] = _mm512_unpacklo_epi64(low, high);
        quarters[4 + group] = _mm512_unpackhi_epi64(low, high);
        let (low, high) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
        quarters[8 + group] = _mm512_unpacklo_epi64(low, high);
        quarters[12 + group] = _mm512_unpackhi_epi64(low, high);
    }
    let mut words = quarters;
    for word in 0..4 {
        let [a, b] = [quarters[4 * word], quarters[4 * word + 1]];
        let [c, d] = [quarters[4 * word + 2], quarters[4 * word + 3]];
        let (low, high) = (_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0x44>(c, d));
        words[word] = _mm512_shuffle_i32x4::<0x88>(low, high);
        words[4 + word] = _mm512_shuffle_i32x4::<0xdd>(low, high);
        let (low, high) = (_mm512_shuffle_i32x4::<0xee>(a, b), _mm512_shuffle_i32x4::<0xee>(c, d));
        words[8 + word] = _mm512_shuffle_i32x4::<0x88>(low, high);
        words[12 + word] = _mm512_shuffle_i32x4::<0xdd>(low, high);
    }
    words
}

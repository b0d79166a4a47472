//! A model small enough to be read here, and what is made of texts with it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use std::path::PathBuf;

use helios_embed::{Embedder, Error};
use proptest::prelude::*;

const TOKENS: [&str; 9] = ["[UNK]", "the", "cat", "##s", "sat", ".", "猫", "a", "##b"];

fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325, |sum: u64, eight| {
        let mut word = [0; 8];
        word[..eight.len()].copy_from_slice(eight);
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn file_of(body: &[u8]) -> Vec<u8> {
    let numbers = [1, body.len() as u64, checksum(body)].map(u64::to_le_bytes).concat();
    [&b"heliembd"[..], &numbers, body].concat()
}

/// Four dimensions; token n points along n modulo 4, n times as far.
fn body() -> Vec<u8> {
    let letters: [(char, u8, &str); 8] = [
        (' ', 2, " "),
        ('\n', 2, " "),
        ('.', 3, "."),
        ('T', 0, "t"),
        ('É', 0, "e"),
        ('á', 0, "a"),
        ('\0', 1, ""),
        ('\u{301}', 1, ""),
    ];
    let mut body = [4, TOKENS.len() as u32, letters.len() as u32, 0].map(u32::to_le_bytes).concat();
    for (letter, kind, plain) in letters {
        body.extend(u32::from(letter).to_le_bytes());
        body.extend([kind, plain.len() as u8]);
        body.extend(plain.bytes());
    }
    for token in TOKENS {
        body.push(token.len() as u8);
        body.extend(token.bytes());
    }
    body.extend(TOKENS.iter().flat_map(|_| 0.5_f32.to_le_bytes()));
    body.extend(
        (0..TOKENS.len())
            .flat_map(|token| (0..4).map(move |at| if at == token % 4 { token as u8 } else { 0 })),
    );
    body
}

struct File(PathBuf);

impl File {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("helios-embed-{name}-{}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _gone = std::fs::remove_file(&self.0);
    }
}

fn embedder(name: &str) -> Embedder {
    Embedder::open(&File::new(name, &file_of(&body())).0).unwrap()
}

fn pieces(embedder: &Embedder, text: &str) -> Vec<&'static str> {
    embedder.tokens(text).into_iter().map(|token| TOKENS[token as usize]).collect()
}

#[test]
fn words_are_cut_into_the_longest_pieces() {
    let embedder = embedder("pieces");
    let table: [(&str, &[&str]); 9] = [
        ("The cats sat.", &["the", "cat", "##s", "sat", "."]),
        ("cát\u{301}s\0", &["cat", "##s"]),
        ("cat.cat", &["cat", ".", "cat"]),
        ("猫cat猫", &["猫", "cat", "猫"]),
        ("catsx the", &["[UNK]", "the"]),
        ("s", &["[UNK]"]),
        ("##s", &["[UNK]"]),
        (" \n", &[]),
        ("", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(pieces(&embedder, text), expected, "{text:?}");
    }
}

#[test]
fn a_word_of_more_than_a_hundred_letters_is_unknown() {
    let embedder = embedder("long");
    assert_eq!(embedder.tokens(&format!("a{}", "b".repeat(99))).len(), 100);
    assert_eq!(pieces(&embedder, &format!("a{}", "b".repeat(100))), ["[UNK]"]);
}

#[test]
fn a_vector_is_the_mean_of_its_tokens_and_has_length_one() {
    let embedder = embedder("mean");
    let rows = embedder.embed(&["the cat", "zzz", "sat zzz"]);
    let length = 5_f32.sqrt();
    let expected = [0.0, 1.0 / length, 2.0 / length, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    assert!(rows.iter().zip(expected).all(|(one, two)| (one - two).abs() < 1e-6), "{rows:?}");
    assert_eq!(rows.len(), 3 * embedder.dims());
}

#[test]
fn chunks_end_between_words_and_rather_at_the_end_of_a_line() {
    let embedder = embedder("chunks");
    let text = "the cat sat. the\ncat sat the cats";
    let places = embedder.embed_chunks(&["", text], 6).places;
    let parts: Vec<(usize, &str, usize)> =
        places.iter().map(|one| (one.text, &text[one.from..one.to], one.tokens)).collect();
    assert_eq!(parts, [(1, "the cat sat. the", 5), (1, "cat sat the cats", 5)]);
    let places = embedder.embed_chunks(&[text], 2).places;
    assert!(places.iter().all(|one| one.tokens <= 2));
    assert_eq!(places.iter().map(|one| one.tokens).sum::<usize>(), 10);
}

#[test]
fn a_model_cut_or_damaged_at_any_byte_is_refused() {
    let whole = file_of(&body());
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        for bytes in [&whole[..at], &damaged] {
            let error = Embedder::open(&File::new("damage", bytes).0).err().unwrap();
            assert!(matches!(error, Error::Foreign { .. } | Error::Damaged { .. }), "byte {at}");
        }
    }
    assert!(matches!(Embedder::open("/no/such/model".as_ref()), Err(Error::Disk { .. })));
}

proptest! {
    #[test]
    fn no_tables_panic(noise in prop::collection::vec((0..400_usize, any::<u8>()), 1..8), text in "\\PC{0,50}") {
        let mut body = body();
        for (at, byte) in noise {
            if let Some(place) = body.get_mut(at) {
                *place = byte;
            }
        }
        if let Ok(embedder) = Embedder::open(&File::new("noise", &file_of(&body)).0) {
            prop_assert_eq!(embedder.embed(&[&text]).len(), embedder.dims());
        }
    }

    #[test]
    fn no_text_panics_and_chunks_cover_all_words(text in "([a-z猫. \\n]|\\PC){0,200}", size in 0..20_usize) {
        let embedder = embedder("text");
        let chunks = embedder.embed_chunks(&[&text], size);
        prop_assert_eq!(chunks.vectors.len(), chunks.places.len() * embedder.dims());
        let tokens: Vec<u32> = chunks.places.iter().flat_map(|one| embedder.tokens(&text[one.from..one.to])).collect();
        prop_assert_eq!(tokens, embedder.tokens(&text));
        prop_assert!(chunks.vectors.iter().all(|value| value.is_finite()));
    }
}

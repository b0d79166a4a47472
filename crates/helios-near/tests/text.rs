//! Which texts have the same fingerprint, in every language.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use helios_near::Fingerprint;
use proptest::prelude::*;

fn content(text: &str) -> u64 {
    Fingerprint::of(text).content
}

#[test]
fn layout_punctuation_and_case_do_not_count() {
    let same = [
        ("The quick, brown fox.", "the QUICK brown\n\nfox"),
        ("“don’t”", "don t"),
        ("ПРИВЕТ, МИР", "привет мир"),
        ("Éclair ÀÉÎ", "éclair àéî"),
        ("ΑΘΗΝΑ", "αθηνα"),
        ("snake_case_name", "SNAKE_CASE_NAME"),
        ("“snake_case_name”", "SNAKE_CASE_NAME"),
        ("abcdefgh “abcdefgh” abcdefghi “abcdefghi”", "abcdefgh abcdefgh abcdefghi abcdefghi"),
        ("東京。大阪", "東京 大阪"),
    ];
    for (one, two) in same {
        assert_eq!(content(one), content(two), "{one} {two}");
    }
}

#[test]
fn words_and_their_order_count() {
    let different = [
        ("one two", "two one"),
        ("one two", "onetwo"),
        ("a b", "a b b"),
        ("naïve", "naive"),
        ("東京", "京東"),
        ("12", "1 2"),
    ];
    for (one, two) in different {
        assert_ne!(content(one), content(two), "{one} {two}");
    }
}

#[test]
fn scripts_without_spaces_are_counted_by_letters() {
    let counts = [
        ("我们的网站", 5),
        ("ひらがなとカタカナ", 9),
        ("สวัสดี", 6),
        ("Helios爬虫 v2", 4),
        ("한국어 문서", 2),
        ("हिन्दी भाषा", 3),
    ];
    for (text, words) in counts {
        assert_eq!(Fingerprint::of(text).words, words, "{text}");
    }
}

#[test]
fn a_chinese_page_with_a_changed_sentence_is_alike() {
    let page: String = (0..600_u32).filter_map(|at| char::from_u32(0x4e00 + at * 37 % 5003)).collect();
    let letters: Vec<char> = page.chars().collect();
    let changed: String = letters[..300].iter().chain(&['改', '变', '了']).chain(&letters[300..]).collect();
    assert!(Fingerprint::of(&page).similarity(&Fingerprint::of(&changed)) > 0.9);
    let turned: String = letters.iter().rev().collect();
    assert!(Fingerprint::of(&page).similarity(&Fingerprint::of(&turned)) < 0.1);
}

#[test]
fn long_runs_without_separators_are_read_in_linear_time() {
    for unit in ["a", "字", "é", "\u{0}", "𝒳", "_"] {
        let text = unit.repeat(5_000_000 / unit.len());
        assert_eq!(Fingerprint::of(&text), Fingerprint::of(&text));
    }
}

/// Words as the documentation says, read letter by letter.
fn plainly(text: &str) -> Vec<String> {
    let alone = |letter: char| matches!(letter as u32, 0xe00..=0x109f | 0x1780..=0x17ff | 0x3041..=0x30ff | 0x31f0..=0x31ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff);
    let (mut words, mut word) = (Vec::new(), String::new());
    for letter in text.chars().chain([' ']) {
        let counts = letter.is_alphanumeric() || letter == '_';
        if !counts || alone(letter) {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        if counts && alone(letter) {
            words.push(letter.to_string());
        } else if counts {
            word.push(letter);
        }
    }
    words
}

proptest! {
    #[test]
    fn words_are_those_that_reading_letter_by_letter_gives(text in "([a-zA-Z_0-9]{1,20}|[ .,“”é’Ж字ก\\PC]{1,3}){0,60}") {
        let words = plainly(&text);
        prop_assert_eq!(Fingerprint::of(&text).words as usize, words.len());
        prop_assert_eq!(content(&text), content(&words.join(" ")));
        prop_assert_eq!(Fingerprint::of(&text), Fingerprint::of(&words.join("\n")));
    }
}

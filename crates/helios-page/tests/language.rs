//! The language of a text (`shared/data/langid`): right where we claim to know it, silent where there is too little.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use helios_page::language::language_of;
use proptest::prelude::*;
use serde_json::Value;

/// What we claim to know, of the languages of the data set.
const CLAIMED: &str = "ar az be bg bn cs da de el en es fa fi fr gu he hi hr hu hy id is it ja ka kk ko lt lv mi mk mr nb nl pa \
    pl pt ro ru sk sl sr sv ta te th tl tr uk ur vi zh";
/// What we know by small words alone (or, in Catalan, much of the data is Spanish): told on pages, seldom in one sentence.
const TRIED: &str = "af ca cy eo et eu ga la lg mn nn sn so sq st sw tn ts xh yo zu";

/// Kind, language, text; none where the data is missing.
fn samples() -> Vec<(String, String, String)> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/data/langid/samples.jsonl.xz"))
        .find(|file| file.is_file());
    let Some(place) = place else {
        eprintln!("skipped: there is no shared/data/langid above this project");
        return Vec::new();
    };
    let unpacked = Command::new("xz").arg("-dc").arg(place).output().unwrap().stdout;
    let word = |of: &Value, field: &str| of[field].as_str().unwrap().to_owned();
    let text = String::from_utf8(unpacked).unwrap();
    text.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|one| (word(&one, "kind"), word(&one, "lang"), word(&one, "text")))
        .collect()
}

fn told(text: &str) -> &'static str {
    language_of(text).map_or("unknown", |language| language.code)
}

#[test]
fn sentences_of_the_languages_we_claim_are_told() {
    let mut answers: BTreeMap<(String, String), BTreeMap<&str, u32>> = BTreeMap::new();
    for (kind, language, text) in samples() {
        *answers.entry((kind, language)).or_default().entry(told(&text)).or_default() += 1;
    }
    let (mut kinds, mut poor) = (BTreeMap::<&str, (f64, f64)>::new(), Vec::new());
    for ((kind, language), given) in &answers {
        let claimed = CLAIMED.split(' ').any(|known| known == language);
        let right =
            f64::from(*given.get(language.as_str()).unwrap_or(&0)) / f64::from(given.values().sum::<u32>());
        if kind == "sentences" {
            let mut others: Vec<_> = given.iter().filter(|(other, _)| *other != language).collect();
            others.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            others.truncate(4);
            eprintln!("{language} {right:.3} {} {others:?}", if claimed { "" } else { "not claimed" });
        }
        if claimed {
            let (sum, count) = kinds.entry(kind).or_default();
            *sum += right;
            *count += 1.0;
            if kind == "sentences" && right < 0.9 {
                poor.push(language);
            }
        }
    }
    for (kind, (sum, count)) in &kinds {
        eprintln!("{kind}: {:.4} over {count} languages", sum / count);
    }
    assert!(poor.is_empty(), "{poor:?}");
    assert!(kinds.get("sentences").is_none_or(|(sum, count)| sum / count >= 0.97));
}

/// What a crawler has: pages. Ten sentences make a short one.
#[test]
fn pages_of_the_languages_we_know_are_told_and_others_seldom_taken_for_them() {
    let mut sentences: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, language, text) in samples().into_iter().filter(|(kind, _, _)| kind == "sentences") {
        sentences.entry(language).or_default().push(text);
    }
    let (mut known, mut strange) = ((0, 0), (0, 0));
    for (language, sentences) in &sentences {
        let answers: Vec<&str> = sentences.chunks(10).map(|page| told(&page.join("\n"))).collect();
        let right = answers.iter().filter(|answer| *answer == language).count();
        let claimed = CLAIMED.split(' ').chain(TRIED.split(' ')).any(|known| known == language);
        let sum = if claimed { &mut known } else { &mut strange };
        sum.0 += if claimed { right } else { answers.iter().filter(|answer| **answer != "unknown").count() };
        sum.1 += answers.len();
        if right < answers.len() {
            eprintln!("{language}: {right} of {} {answers:?}", answers.len());
        }
    }
    eprintln!("pages: {known:?} right of those we know, {strange:?} of the others taken for one of them");
    assert!(known.0 * 100 >= known.1 * 97, "{known:?}");
}

#[test]
fn too_little_text_has_no_language() {
    for text in ["", "   ", "42", "OK", "Home", "1, 2, 3 … 99", "www", "\u{301}\u{301}", "😀😀😀😀😀😀😀😀"]
    {
        assert_eq!(told(text), "unknown", "{text}");
    }
}

#[test]
fn text_of_no_language_is_none() {
    for text in
        ["qwxz kjhg vbnm qqqq zzzz xxkk wwqp", "xkcd qzzt wvbq hjkl fghj rtyq pppp qwqw", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ᎠᏂᏴᏫᏯ"]
    {
        assert_eq!(told(text), "unknown", "{text}");
    }
}

#[test]
fn a_language_is_told_with_how_sure_it_is() {
    let sure = language_of(&"The quick brown fox jumps over the lazy dog and runs away from it. ".repeat(20))
        .unwrap();
    assert_eq!(sure.code, "en");
    assert!(sure.confidence > 0.8, "{sure:?}");
    let mixed = language_of("Привет hello мир world друзья friends снова again здесь here");
    assert!(mixed.is_none_or(|mixed| mixed.confidence < sure.confidence), "{mixed:?}");
    assert_eq!(told("東京は日本の首都です。"), "ja");
    assert_eq!(told("北京是中华人民共和国的首都。"), "zh");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn any_text_has_an_answer_and_the_same_each_time(text in "\\PC{0,400}") {
        let answer = language_of(&text);
        prop_assert_eq!(answer, language_of(&text));
        if let Some(language) = answer {
            prop_assert!((0.0..=1.0).contains(&language.confidence), "{:?}", language);
        }
    }
}

#[test]
fn fifty_megabytes_are_read_in_three_places() {
    for pattern in ["a", " ", "é", "\u{301}", "word ", "१", "漢"] {
        let long = pattern.repeat((50 << 20) / pattern.len());
        let (head, answer) = (pattern.repeat(2_000), language_of(&long));
        assert_eq!(
            answer.map(|language| language.code),
            language_of(&head).map(|language| language.code),
            "{pattern:?}"
        );
    }
}

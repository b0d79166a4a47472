//! The index beside a plain list of everything it was told.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use helios_near::{Duplicate, Fingerprint, NearIndex, NearSettings};
use proptest::prelude::*;

fn index() -> NearIndex {
    NearIndex::in_memory(NearSettings::default())
}

/// A text of `length` words that no other `kind` has.
fn text(kind: u64, length: u64) -> String {
    (0..length).fold(String::new(), |text, word| text + &format!("{kind}w{} ", word * word % 1009))
}

fn found(index: &NearIndex, page: u128, text: &str) -> Option<u128> {
    index.nearest(page, &Fingerprint::of(text)).unwrap().map(|duplicate| duplicate.page)
}

#[test]
fn a_page_with_a_changed_word_is_a_duplicate_and_a_different_one_is_not() {
    let mut index = index();
    index.insert(7, &Fingerprint::of(&text(1, 300))).unwrap();
    assert_eq!(found(&index, 8, &text(1, 300).replace("1w4 ", "changed ")), Some(7));
    assert_eq!(found(&index, 8, &text(2, 300)), None);
    assert_eq!(found(&index, 8, &(text(1, 150) + &text(2, 150))), None, "a third in common is not enough");
}

#[test]
fn a_page_is_never_a_duplicate_of_itself() {
    let mut index = index();
    let print = Fingerprint::of(&text(1, 300));
    assert_eq!(index.observe(7, &print).unwrap(), None);
    assert_eq!(index.observe(7, &print).unwrap(), None, "fetched again, unchanged");
    assert_eq!(index.len(), 1, "an unchanged page is kept once");
    let changed = Fingerprint::of(&(text(1, 300) + "and an update"));
    assert_eq!(index.observe(7, &changed).unwrap(), None, "fetched again, changed a little");
    assert_eq!(index.len(), 2);
    assert_eq!(found(&index, 8, &text(1, 300)), Some(7));
}

#[test]
fn a_duplicate_is_named_by_its_original_and_not_kept() {
    let mut index = index();
    for page in 0..100 {
        let print = Fingerprint::of(&(text(1, 300) + &format!("copy {page}")));
        let duplicate = index.observe(page, &print).unwrap();
        assert_eq!(duplicate.map(|one| one.page), (page > 0).then_some(0));
    }
    assert_eq!(index.len(), 1);
}

#[test]
fn of_equally_alike_pages_the_first_is_named() {
    let mut index = index();
    for page in 5..9 {
        index.insert(page, &Fingerprint::of(&text(1, 300))).unwrap();
    }
    let expected = Duplicate { page: 5, similarity: 1.0, distance: 0 };
    assert_eq!(index.nearest(1, &Fingerprint::of(&text(1, 300))).unwrap(), Some(expected));
    assert_eq!(found(&index, 5, &text(1, 300)), Some(6));
}

#[test]
fn short_texts_are_compared_exactly_but_for_layout_and_case() {
    let mut index = index();
    index.insert(1, &Fingerprint::of("Page not found")).unwrap();
    assert_eq!(found(&index, 2, "page  not found!"), Some(1));
    assert_eq!(found(&index, 2, "page not found here"), None);
}

#[test]
fn texts_without_words_are_duplicates_of_nothing() {
    let mut index = index();
    for (page, text) in ["", " \n", "…", "🙂🙂", "\0"].into_iter().enumerate() {
        assert_eq!(index.observe(page as u128, &Fingerprint::of(text)).unwrap(), None);
    }
    assert!(index.is_empty());
}

#[test]
fn pages_of_one_template_crowd_nobody() {
    let mut index = index();
    let template = text(1, 200);
    for page in 0..20_000_u64 {
        // Most of each page is the template: nearly all share keys, none is a duplicate.
        let print = Fingerprint::of(&(template.clone() + &text(page + 10, 80)));
        index.insert(u128::from(page), &print).unwrap();
        if page % 997 == 0 {
            let again = index.alike(&print).unwrap();
            assert_eq!(again.iter().filter(|one| one.similarity >= 1.0).count(), 1, "an exact copy is found");
            assert!(again.len() < 100, "no more than have room under the keys");
        }
    }
    assert!(index.memory() <= 3 << 20, "keys that are full take no more entries: {} bytes", index.memory());
}

#[test]
fn what_came_after_a_mark_is_forgotten() {
    let (mut index, mut never) = (index(), index());
    for page in 0..20_000_u64 {
        let print = Fingerprint::of(&text(page % 15_000, 60));
        index.insert(u128::from(page), &print).unwrap();
        if page < 9_000 {
            never.insert(u128::from(page), &print).unwrap();
        }
    }
    index.forget_after(9_000).unwrap();
    assert_eq!(index.len(), 9_000);
    for page in 0..15_000 {
        let text = text(page, 60);
        assert_eq!(found(&index, 99_999, &text), found(&never, 99_999, &text), "page {page}");
        assert_eq!(found(&index, 99_999, &text), (page < 9_000).then_some(u128::from(page)));
    }
    index.insert(77_777, &Fingerprint::of(&text(12_345, 60))).unwrap();
    assert_eq!(found(&index, 99_999, &text(12_345, 60)), Some(77_777));
}

#[test]
fn a_hundred_thousand_pages_are_all_found_again() {
    let mut index = index();
    for page in 0..100_000 {
        index.insert(u128::from(page), &Fingerprint::of(&text(page, 45))).unwrap();
    }
    for page in (0..100_000).step_by(7) {
        assert_eq!(found(&index, u128::MAX, &text(page, 45)), Some(u128::from(page)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Texts of a few kinds, cut at both ends: whatever the index calls alike, the fingerprints do, too; and of what the
    /// fingerprints call alike, the keys find nearly all.
    #[test]
    fn finds_what_comparing_with_each_page_finds(pages in prop::collection::vec((0..4_u64, 0..40_usize, 40..400_u64), 1..40)) {
        let prints: Vec<Fingerprint> = pages
            .iter()
            .map(|(kind, from, length)| Fingerprint::of(text(*kind, *length).get(*from..).unwrap_or_default()))
            .collect();
        let (mut index, mut missed, mut all) = (index(), 0, 0);
        for (page, print) in prints.iter().enumerate() {
            let found: Vec<usize> = index.alike(print).unwrap().iter().map(|one| one.page as usize).collect();
            let like = |other: &usize| print.similarity(&prints[*other]) >= 0.795;
            let expected: Vec<usize> = (0..page).filter(like).collect();
            prop_assert!(found.iter().all(|one| expected.contains(one)));
            all += expected.len();
            missed += expected.len() - found.len();
            index.insert(page as u128, print).unwrap();
        }
        prop_assert!(missed * 10 <= all + 10, "{missed} of {all} missed");
    }

    #[test]
    fn no_text_panics(one in ".{0,400}", two in "\\PC{0,400}") {
        let (first, second) = (Fingerprint::of(&one), Fingerprint::of(&two));
        prop_assert_eq!(first, Fingerprint::of(&one));
        prop_assert!((0.0..=1.0).contains(&first.similarity(&second)));
        let mut index = index();
        index.observe(1, &first).unwrap();
        index.observe(2, &second).unwrap();
        prop_assert_eq!(index.nearest(3, &first).unwrap().is_some(), !first.is_empty());
    }
}

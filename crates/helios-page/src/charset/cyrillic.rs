//! Two Cyrillic encodings that browsers do not guess: that of old Macintoshes, and IBM's of before Windows.

use std::borrow::Cow;

use encoding_rs::{Encoding, IBM866, ISO_8859_5, KOI8_U, WINDOWS_1251, X_MAC_CYRILLIC};

use super::{Decoded, Found, read};

/// What the bytes from 0x80 on mean in IBM code page 855. The Encoding Standard does not have it.
const IBM855: &str = concat!(
    "ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪ",
    "аАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐",
    "└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀",
    "ЯрРсСтТуУжЖвВьЬ№\u{AD}ыЫзЗшШэЭщЩчЧ§■\u{A0}",
);
/// Russian letters, the most frequent first; Bulgarian and Ukrainian are near enough.
const FREQUENT: &str = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё";
/// Fewer letters tell nothing.
const LEAST: usize = 24;
/// Of 16. Russian has 12 to 13; what is not Cyrillic, or in another encoding of it, stays below 8.
const ENOUGH: i64 = 10;
const WRONG: i64 = -12;

/// Where the guess of `chardetng` may be wrong because it does not know these two.
pub(super) fn decode<'a>(bytes: &'a [u8], sample: &[u8], guess: &'static Encoding) -> Option<Decoded<'a>> {
    if !guess.is_single_byte() {
        return None;
    }
    let usual = [guess, WINDOWS_1251, KOI8_U, ISO_8859_5, IBM866];
    let best = usual.into_iter().map(|encoding| likeness(sample, &table(encoding))).max().unwrap_or(WRONG);
    let ibm: Vec<char> = IBM855.chars().collect();
    let mac_likeness = likeness(sample, &table(X_MAC_CYRILLIC));
    let ibm_likeness = likeness(sample, &ibm);
    if mac_likeness.max(ibm_likeness) <= best.max(ENOUGH - 1) {
        return None;
    }
    if mac_likeness >= ibm_likeness {
        return Some(read(bytes, X_MAC_CYRILLIC, Found::Detected));
    }
    let letter = |&byte: &u8| match byte.checked_sub(128) {
        None => char::from(byte),
        Some(at) => ibm.get(usize::from(at)).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    Some(Decoded {
        text: Cow::Owned(bytes.iter().map(letter).collect()),
        encoding: "IBM855",
        found: Found::Detected,
    })
}

fn table(encoding: &'static Encoding) -> Vec<char> {
    let upper: Vec<u8> = (128..=255).collect();
    encoding.decode_without_bom_handling(&upper).0.chars().collect()
}

/// How much like Russian the letters are, on average: frequent ones count more, those that cannot stand there count against it.
fn likeness(sample: &[u8], table: &[char]) -> i64 {
    let weights: Vec<(i64, bool)> =
        table.iter().map(|&letter| (weight(letter), letter.is_lowercase())).collect();
    let (mut sum, mut count) = (0, 0_usize);
    // What stands before: 0 no letter, 1 a Latin one, 2 a small Cyrillic one, 3 a capital.
    let mut before = 0;
    for &byte in sample {
        let Some(at) = byte.checked_sub(128) else {
            let latin = byte.is_ascii_alphabetic();
            sum += if latin && before > 1 { WRONG } else { 0 };
            before = i32::from(latin);
            continue;
        };
        let (weight, small) = weights.get(usize::from(at)).copied().unwrap_or((WRONG, false));
        let torn = before == 1 && weight > 0 || before == 2 && !small;
        sum += if torn { WRONG } else { weight };
        count += 1;
        before = if weight <= 0 { 0 } else { 3 - i32::from(small) };
    }
    if count < LEAST { WRONG } else { sum / i64::try_from(count).unwrap_or(i64::MAX) }
}

fn weight(letter: char) -> i64 {
    let small = letter.to_lowercase().next().unwrap_or(letter);
    match FREQUENT.chars().position(|known| known == small) {
        Some(rank) => 16 - i64::try_from(rank / 2).unwrap_or(16).min(15),
        None if matches!(letter, '\u{A0}' | '«' | '»' | '№' | '–' | '—' | '…' | '“' | '”' | '„' | '’') => {
            0
        }
        None => WRONG,
    }
}

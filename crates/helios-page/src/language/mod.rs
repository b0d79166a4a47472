//! Text → its language and how sure that is, or nothing: too little text, or none that we know.
//!
//! First the script, which alone tells many languages; then letters that only one language has; then how usual the groups of
//! letters are in each language (`grams`), and small words for languages of which we have no counts (`small_words`). Always:
//! the same text gives the same answer; a bounded sample of it is read. docs/language.md says which are known, and how well.

mod grams;
mod sample;
mod script;
mod small_words;

use grams::{MOST, Script};
use sample::Words;
use script::Scripts;

/// Fewer letters are a name or a menu, not a language.
const LEAST_LETTERS: u32 = 12;
/// Where the script tells the language, fewer will do.
const LEAST_SIGNS: u32 = 4;
/// Groups of letters that are rarer than this, in hundredths of what is usual, are of a language that we do not know: text of
/// ours has 70 at least, and long text, where chance evens out, 80.
const FAMILIAR: u32 = 68;
/// There are fewer strangers among those who write in Cyrillic or Arabic letters.
const FAMILIAR_ELSEWHERE: u32 = 56;
const FAMILIAR_RISE: u32 = 8;

/// What a text is written in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Language {
    /// ISO 639-1.
    pub code: &'static str,
    /// From 0 to 1: how far the next language is behind, and how usual the text is in this one.
    pub confidence: f32,
}

/// `hr` stands for Croatian, Bosnian and Serbian in Latin letters, `id` for Malay too.
pub fn language_of(text: &str) -> Option<Language> {
    let mut scripts = Scripts::default();
    let words = Words::of(text, |letter| scripts.count(letter));
    let signs = scripts.han + scripts.kana;
    let (alone, alone_count) = scripts.alone().unwrap_or_default();
    let most = [signs * 2, alone_count, scripts.latin, scripts.cyrillic, scripts.arabic, scripts.devanagari];
    let most = most.into_iter().max().unwrap_or(0);
    let tells_alone = most == signs * 2 || most == alone_count;
    let enough = scripts.letters >= if tells_alone { LEAST_SIGNS } else { LEAST_LETTERS };
    if most == 0 || !enough {
        return None;
    }
    let share = most.min(scripts.letters) as f32 / scripts.letters as f32;
    let sure = |code| Some(Language { code, confidence: share });
    if most == signs * 2 {
        // Japanese that is all Chinese characters is a heading.
        sure(if scripts.kana * 20 > signs { "ja" } else { "zh" })
    } else if most == alone_count {
        sure(alone)
    } else if most == scripts.latin {
        scripts.own.latin_language(scripts.latin).map_or_else(|| by_groups(&words, Script::Latin), sure)
    } else if most == scripts.cyrillic {
        scripts
            .own
            .cyrillic_language(scripts.cyrillic)
            .map_or_else(|| by_groups(&words, Script::Cyrillic), sure)
    } else if most == scripts.arabic {
        by_groups(&words, Script::Arabic)
    } else {
        sure(devanagari_language(&words, scripts.own.marathi))
    }
}

/// Hindi hardly makes a sentence without one of these.
const HINDI: &str = "है हैं और के में की को का से नहीं था थे थी ने पर यह लिए भी कि किया गया इस हुए कर साथ";
/// So end words of Marathi alone.
const MARATHI: &str = "च्या तील साठी ांनी ाचे ाचा मध्ये ण्यात लेल्या आहे आहेत आणि नाही त्या म्हणून केले";

/// `own` counts the letter that Hindi lacks.
fn devanagari_language(words: &Words, own: u32) -> &'static str {
    let of_hindi = words.iter().filter(|word| HINDI.split(' ').any(|known| word.is(known))).count();
    let of_marathi = words.iter().filter(|word| MARATHI.split(' ').any(|end| word.ends_with(end))).count();
    let silent = of_hindi + of_marathi == 0 && words.iter().count() > 5;
    if of_marathi + own as usize > of_hindi || silent { "mr" } else { "hi" }
}

fn by_groups(words: &Words, script: Script) -> Option<Language> {
    let table = grams::table(script)?;
    let mut sums = [0; MOST];
    let groups: u32 = words.iter().map(|word| table.add(word.letters(), &mut sums)).sum();
    let (mut best, mut second, mut place) = (0, 0, 0);
    for (at, &sum) in sums.iter().enumerate() {
        if sum > best {
            (best, second, place) = (sum, best, at);
        } else {
            second = second.max(sum);
        }
    }
    if let Some((code, share)) = small_words::told(words, table, place) {
        return Some(Language { code, confidence: (share as f32 / 30.0).min(1.0) });
    }
    let &(code, mean) = table.languages.get(place)?;
    // Per group, times 256, as the table has it.
    let usual = u64::from(best) * 256 / u64::from(groups.max(1));
    let familiar = (usual * 100 / u64::from(mean.max(1))) as u32;
    let least = if matches!(script, Script::Latin) { FAMILIAR } else { FAMILIAR_ELSEWHERE };
    if best == 0 || familiar < least + (groups / 400).min(FAMILIAR_RISE) {
        return None;
    }
    let lead = (best - second) as f32 / best as f32;
    Some(Language { code, confidence: (familiar as f32 / 100.0).min(1.0) * (lead * 8.0).min(1.0) })
}

//! What the class and the id of an element promise, found in one pass over each.

/// A set of the words below.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Clues(u16);

/// The first two letters of all words, as a bit for each second letter. Most places in a name are none, and this says so at once.
static BEGINNINGS: [u32; 256] = beginnings();

const fn beginnings() -> [u32; 256] {
    const PAIRS: &[u8] = b"auavaradbybibocacodadeengeheh-hfhphrhnvcimmepupoprresisotativaveresi";
    let mut table = [0; 256];
    let mut at = 0;
    while at + 1 < PAIRS.len() {
        #[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
        let (first, second) = (PAIRS[at], PAIRS[at + 1]);
        #[allow(clippy::indexing_slicing, reason = "as above")]
        {
            table[first as usize] |= 1 << (second & 31);
            table[first.to_ascii_uppercase() as usize] |= 1 << (second & 31);
        }
        at += 2;
    }
    table
}

fn may_begin(first: u8, second: u8) -> bool {
    BEGINNINGS.get(usize::from(first)).is_some_and(|seconds| seconds >> (second & 31) & 1 == 1)
}

const REMEMBERED: usize = 256;

/// Remembers the clues of names that were met: pages say the same classes over and over.
pub(super) struct Memory<'t> {
    known: [(&'t str, Clues); REMEMBERED],
}

impl Default for Memory<'_> {
    fn default() -> Self {
        Memory { known: [("", Clues(0)); REMEMBERED] }
    }
}

impl<'t> Memory<'t> {
    pub(super) fn of(&mut self, names: &'t str) -> Clues {
        match self.known.get_mut(place(names.as_bytes())) {
            Some((known, clues)) if *known == names => *clues,
            Some(slot) => {
                *slot = (names, Clues::of(names));
                slot.1
            }
            None => Clues::of(names),
        }
    }
}

/// Where names are remembered: by their length and by how they begin and end.
fn place(names: &[u8]) -> usize {
    let edge = |edge: Option<&[u8; 4]>| edge.map_or(0, |edge| u32::from_le_bytes(*edge));
    let (first, last) = (edge(names.first_chunk()), edge(names.last_chunk()));
    let mixed = (first ^ last.rotate_left(15) ^ names.len() as u32).wrapping_mul(0x9E37_79B1);
    (mixed >> 16) as usize % REMEMBERED
}

/// Roots of classic microformats that begin with `h`.
const OLD_ROOTS: [&str; 8] =
    ["hentry", "hreview", "hfeed", "hproduct", "hrecipe", "hresume", "hnews", "hreview-aggregate"];

impl Clues {
    pub(super) const AUTHOR: Clues = Clues(1);
    /// Beside a name, but not one: a picture, a biography.
    pub(super) const NO_NAME: Clues = Clues(1 << 1);
    pub(super) const DATE: Clues = Clues(1 << 2);
    pub(super) const CATEGORIES: Clues = Clues(1 << 3);
    pub(super) const TAGS: Clues = Clues(1 << 4);
    /// Comments, other pages: nothing in it is about this one.
    pub(super) const BESIDE: Clues = Clues(1 << 5);
    /// The root of a microformat, of this generation or the one before.
    pub(super) const MICROFORMAT: Clues = Clues(1 << 6);
    /// Whatever `hints` looks at.
    pub(super) const OF_USE: Clues = Clues(1 | 1 << 2 | 1 << 3 | 1 << 4);

    /// The clues of a list of names, as `class` has it.
    pub(super) fn of(names: &str) -> Clues {
        let bytes = names.as_bytes();
        let mut found = Clues::default();
        for (at, pair) in bytes.windows(2).enumerate() {
            let [byte, next] = pair else { break };
            if !may_begin(*byte, *next) {
                continue;
            }
            let starts = at == 0 || bytes.get(at - 1).is_some_and(u8::is_ascii_whitespace);
            let begins = |word: &str| {
                bytes.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
            };
            let whole = |words: &[&str]| {
                starts
                    && words.iter().any(|word| {
                        begins(word) && bytes.get(at + word.len()).is_none_or(u8::is_ascii_whitespace)
                    })
            };
            let clue = match byte.to_ascii_lowercase() {
                b'a' if begins("author") || begins("autor") => Clues::AUTHOR,
                b'a' if begins("avatar") => Clues::NO_NAME,
                b'a' if whole(&["article-tags", "article__tags"]) => Clues::TAGS,
                b'a' if whole(&["article-category"]) => Clues::CATEGORIES,
                b'a' if whole(&["adr"]) => Clues::MICROFORMAT,
                b'b' if begins("byline") => Clues(Clues::AUTHOR.0 | Clues::DATE.0),
                b'b' if begins("bio") || begins("box") => Clues::NO_NAME,
                b'c' if whole(&["cat-links", "category", "categories"]) => Clues::CATEGORIES,
                b'c' if starts && begins("comment") => Clues::BESIDE,
                b'd' if begins("date") || begins("datum") => Clues::DATE,
                b'd' if begins("description") => Clues::NO_NAME,
                b'e' if whole(&["entry-categories", "entry-category"]) => Clues::CATEGORIES,
                b'e' if whole(&["entry-tags"]) => Clues::TAGS,
                b'g' if whole(&["geo"]) => Clues::MICROFORMAT,
                b'h' if starts && (begins("h-") || whole(&OLD_ROOTS)) => Clues::MICROFORMAT,
                b'i' if begins("image") => Clues::NO_NAME,
                b'm' if whole(&["meta-category"]) => Clues(Clues::CATEGORIES.0 | Clues::DATE.0),
                b'm' if begins("meta") => Clues::DATE,
                b'p' if whole(&["post-categories", "post-category"]) => Clues::CATEGORIES,
                b'p' if whole(&["post-tags", "post__tags"]) => Clues::TAGS,
                b'p' if begins("publish") || begins("posted") => Clues::DATE,
                b'r' if starts && (begins("related") || begins("recommend") || begins("respond")) => {
                    Clues::BESIDE
                }
                b's' if starts && begins("sidebar") => Clues::BESIDE,
                b's' if begins("social") => Clues::NO_NAME,
                b't' if whole(&["tags", "tag-links", "tags-links", "tag-list", "tags-list"]) => Clues::TAGS,
                b't' if begins("time") => Clues::DATE,
                b'v' if whole(&["vcard", "vevent"]) => Clues::MICROFORMAT,
                b'v' if begins("verfasser") => Clues::AUTHOR,
                _ => Clues::default(),
            };
            found = found.with(clue);
        }
        found
    }

    pub(super) fn with(self, other: Clues) -> Clues {
        Clues(self.0 | other.0)
    }

    pub(super) fn has(self, other: Clues) -> bool {
        self.0 & other.0 != 0
    }
}

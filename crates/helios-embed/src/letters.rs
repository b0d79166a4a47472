//! What BERT makes of single letters before it looks for words: lower case, no accents, control characters dropped.

/// What a letter does to the word it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Letter,
    /// As if it were not there.
    Dropped,
    Space,
    /// A word by itself: punctuation, Chinese characters.
    Alone,
}

impl Kind {
    pub(crate) fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0 => Self::Letter,
            1 => Self::Dropped,
            2 => Self::Space,
            3 => Self::Alone,
            _ => return None,
        })
    }
}

#[derive(Clone, Copy)]
struct Entry {
    kind: Kind,
    from: u32,
    length: u8,
}

/// The letters that the model file tells about; every other one is part of a word and stays as it is.
pub(crate) struct Letters {
    /// For each code, 256 to a page: 1 + the place of its entry, or 0. Pages that would hold nothing are empty.
    pages: Vec<Vec<u16>>,
    entries: Vec<Entry>,
    texts: Vec<u8>,
}

/// The ranges that BERT takes for Chinese characters.
fn is_chinese(code: u32) -> bool {
    matches!(code,
        0x4e00..=0x9fff | 0x3400..=0x4dbf | 0xf900..=0xfaff | 0x2_0000..=0x2_a6df | 0x2_a700..=0x2_b73f
        | 0x2_b740..=0x2_b81f | 0x2_b920..=0x2_ceaf | 0x2_f800..=0x2_fa1f)
}

/// Letters that Unicode gives to nobody.
fn is_private(code: u32) -> bool {
    matches!(code, 0xe000..=0xf8ff | 0xf_0000..)
}

impl Letters {
    pub(crate) fn new() -> Self {
        Self { pages: vec![Vec::new(); 0x11_0000 / 256], entries: Vec::new(), texts: Vec::new() }
    }

    /// None: there cannot be such a letter, or there are too many.
    pub(crate) fn add(&mut self, code: u32, kind: Kind, text: &str) -> Option<()> {
        let page = self.pages.get_mut(code as usize / 256)?;
        page.resize(256, 0);
        self.entries.push(Entry { kind, from: self.texts.len() as u32, length: text.len() as u8 });
        *page.get_mut(code as usize % 256)? = u16::try_from(self.entries.len()).ok()?;
        self.texts.extend(text.bytes());
        Some(())
    }

    /// What a letter does, and what takes its place (none: it stays).
    #[inline]
    pub(crate) fn get(&self, letter: char) -> (Kind, Option<&[u8]>) {
        let code = letter as u32;
        let page = self.pages.get(code as usize / 256);
        match page.and_then(|page| page.get(code as usize % 256)).copied().unwrap_or(0) {
            0 if is_chinese(code) => (Kind::Alone, None),
            0 if is_private(code) => (Kind::Dropped, None),
            0 => (Kind::Letter, None),
            place => self.entries.get(usize::from(place) - 1).map_or((Kind::Letter, None), |entry| {
                let from = entry.from as usize;
                (entry.kind, self.texts.get(from..from + usize::from(entry.length)))
            }),
        }
    }
}

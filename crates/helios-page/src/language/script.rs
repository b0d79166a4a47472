//! Scripts: most tell the language alone; where several share one, some have letters of their own.

/// How many letters of each script.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    pub(super) letters: u32,
    pub(super) latin: u32,
    pub(super) cyrillic: u32,
    pub(super) arabic: u32,
    pub(super) devanagari: u32,
    pub(super) han: u32,
    pub(super) kana: u32,
    /// Scripts that one language writes, in the order of [`ALONE`].
    pub(super) alone: [u32; ALONE.len()],
    pub(super) own: Own,
}

/// Letters that only one of the languages of a script has.
#[derive(Debug, Default)]
pub(super) struct Own {
    azerbaijani: u32,
    esperanto: u32,
    yoruba: u32,
    vietnamese: u32,
    kazakh: u32,
    mongolian: u32,
    belarusian: u32,
    /// и, which Belarusian does without.
    common_i: u32,
    other_i: u32,
    pub(super) marathi: u32,
}

/// Blocks of Unicode, and who writes in them.
pub(super) const ALONE: [(char, char, &str); 22] = [
    ('\u{0370}', '\u{03FF}', "el"),
    ('\u{0530}', '\u{058F}', "hy"),
    ('\u{0590}', '\u{05FF}', "he"),
    ('\u{0980}', '\u{09FF}', "bn"),
    ('\u{0A00}', '\u{0A7F}', "pa"),
    ('\u{0A80}', '\u{0AFF}', "gu"),
    ('\u{0B00}', '\u{0B7F}', "or"),
    ('\u{0B80}', '\u{0BFF}', "ta"),
    ('\u{0C00}', '\u{0C7F}', "te"),
    ('\u{0C80}', '\u{0CFF}', "kn"),
    ('\u{0D00}', '\u{0D7F}', "ml"),
    ('\u{0D80}', '\u{0DFF}', "si"),
    ('\u{0E00}', '\u{0E7F}', "th"),
    ('\u{0E80}', '\u{0EFF}', "lo"),
    ('\u{0F00}', '\u{0FFF}', "bo"),
    ('\u{1000}', '\u{109F}', "my"),
    ('\u{10A0}', '\u{10FF}', "ka"),
    ('\u{1100}', '\u{11FF}', "ko"),
    ('\u{1200}', '\u{139F}', "am"),
    ('\u{1780}', '\u{17FF}', "km"),
    ('\u{1F00}', '\u{1FFF}', "el"),
    ('\u{AC00}', '\u{D7AF}', "ko"),
];

impl Scripts {
    /// `letter` is a letter, in small.
    #[inline]
    pub(super) fn count(&mut self, letter: char) {
        self.letters += 1;
        match letter {
            'a'..='z' => self.latin += 1,
            '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' | 'ə' => {
                self.latin += 1;
                self.own.latin(letter);
            }
            '\u{400}'..='\u{52F}' => {
                self.cyrillic += 1;
                self.own.cyrillic(letter);
            }
            '\u{600}'..='\u{6FF}'
            | '\u{750}'..='\u{77F}'
            | '\u{FB50}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFF}' => {
                self.arabic += 1;
            }
            '\u{900}'..='\u{97F}' => {
                self.devanagari += 1;
                self.own.marathi += u32::from(letter == 'ळ');
            }
            '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9D}' => self.kana += 1,
            '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}' => self.han += 1,
            _ => self.count_alone(letter),
        }
    }

    fn count_alone(&mut self, letter: char) {
        let place = ALONE.iter().position(|&(first, last, _)| (first..=last).contains(&letter));
        if let Some(count) = place.and_then(|place| self.alone.get_mut(place)) {
            *count += 1;
        }
    }

    /// The language that writes most of the letters in a script of its own.
    pub(super) fn alone(&self) -> Option<(&'static str, u32)> {
        let most = self.alone.iter().zip(ALONE).max_by_key(|(count, _)| **count);
        most.map(|(&count, (_, _, language))| (language, count)).filter(|(_, count)| *count > 0)
    }
}

impl Own {
    fn latin(&mut self, letter: char) {
        match letter {
            'ə' => self.azerbaijani += 1,
            'ĉ' | 'ĝ' | 'ĥ' | 'ĵ' | 'ŝ' | 'ŭ' => self.esperanto += 1,
            'ọ' | 'ẹ' | 'ṣ' => self.yoruba += 1,
            'ơ' | 'ư' | 'đ' | 'ă' | 'ạ' | 'ế' | 'ộ' | 'ấ' => self.vietnamese += 1,
            _ => {}
        }
    }

    fn cyrillic(&mut self, letter: char) {
        match letter {
            'ә' | 'ғ' | 'қ' | 'ң' | 'ұ' | 'һ' => self.kazakh += 1,
            'ө' | 'ү' => self.mongolian += 1,
            'ў' => self.belarusian += 1,
            'и' => self.common_i += 1,
            'і' => self.other_i += 1,
            _ => {}
        }
    }

    pub(super) fn latin_language(&self, latin: u32) -> Option<&'static str> {
        let often = |count: u32, percent: u32| count * 100 >= latin * percent && count > 0;
        if often(self.azerbaijani, 3) {
            Some("az")
        } else if often(self.esperanto, 1) {
            Some("eo")
        } else if often(self.yoruba, 2) && self.vietnamese == 0 {
            Some("yo")
        } else {
            None
        }
    }

    pub(super) fn cyrillic_language(&self, cyrillic: u32) -> Option<&'static str> {
        let often = |count: u32, percent: u32| count * 100 >= cyrillic * percent && count > 0;
        if often(self.kazakh, 2) {
            Some("kk")
        } else if often(self.mongolian, 1) {
            Some("mn")
        } else if self.common_i * 20 <= self.other_i && often(self.belarusian + self.other_i, 3) {
            Some("be")
        } else {
            None
        }
    }
}

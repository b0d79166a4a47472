//! How long a text is as it is shown, so that the length of a whole follows from its parts.

/// A run of white space counts as one, at the ends as nothing.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Text {
    /// Characters as shown, and as written.
    pub(super) shown: u32,
    pub(super) written: u32,
    /// Commas of all scripts, and of ours.
    pub(super) commas: u32,
    pub(super) plain_commas: u32,
    before: bool,
    after: bool,
}

impl Text {
    pub(super) fn of(text: &str) -> Text {
        let mut read = Text::default();
        let mut space = false;
        for c in text.chars() {
            read.written += 1;
            if is_blank(c) {
                space = true;
                continue;
            }
            if space {
                read.shown += u32::from(read.shown > 0);
                read.before |= read.shown == 0;
                space = false;
            }
            read.shown += 1;
            read.plain_commas += u32::from(c == ',');
            read.commas += u32::from(is_comma(c));
        }
        if space {
            read.after = true;
            read.before |= read.shown == 0;
        }
        read
    }

    /// This text with another one after it.
    pub(super) fn then(self, next: Text) -> Text {
        let between = u32::from(self.shown > 0 && next.shown > 0 && (self.after || next.before));
        Text {
            shown: self.shown + next.shown + between,
            written: self.written + next.written,
            commas: self.commas + next.commas,
            plain_commas: self.plain_commas + next.plain_commas,
            before: self.before || (self.shown == 0 && next.before),
            after: next.after || (next.shown == 0 && self.after),
        }
    }
}

pub(super) fn is_blank(c: char) -> bool {
    c == ' ' || (c != '\u{85}' && c.is_whitespace()) || c == '\u{feff}'
}

#[rustfmt::skip]
fn is_comma(c: char) -> bool {
    c == ',' || (!c.is_ascii() && matches!(
        c,
        '\u{60c}' | '\u{fe50}' | '\u{fe10}' | '\u{fe11}' | '\u{2e41}' | '\u{2e34}' | '\u{2e32}' | '\u{ff0c}'
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_whole_is_the_same_however_it_is_cut() {
        for whole in ["  a bc \n\t d,e  ", "", "   ", "a", "\u{a0}x\u{a0}\u{a0}y,\u{ff0c} "] {
            let one = Text::of(whole);
            for (cut, _) in whole.char_indices() {
                let (first, second) = whole.split_at(cut);
                let both = Text::of(first).then(Text::of(second));
                assert_eq!(
                    (both.shown, both.written, both.commas),
                    (one.shown, one.written, one.commas),
                    "{whole:?} at {cut}"
                );
            }
        }
        assert_eq!(Text::of("  a bc \n\t d,e  ").shown, 8);
    }
}

//! `an+b`: which places among siblings are meant.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Nth {
    pub(super) step: i64,
    pub(super) offset: i64,
    pub(super) from_end: bool,
    pub(super) of_type: bool,
    /// `of S`: the number of its counter, and the chains that count.
    pub(super) of: Option<(usize, Vec<usize>)>,
}

impl Nth {
    pub(super) fn fixed(offset: i64, from_end: bool, of_type: bool) -> Nth {
        Nth { step: 0, offset, from_end, of_type, of: None }
    }

    /// Is the place, counted from 1, one of `step * n + offset` with n from 0?
    pub(super) fn has(&self, place: u32) -> bool {
        let beyond = i64::from(place) - self.offset;
        if self.step == 0 { beyond == 0 } else { beyond % self.step == 0 && beyond / self.step >= 0 }
    }
}

/// `odd`, `even`, `3`, `-2n+1`: step and offset.
pub(super) fn formula(text: &str) -> Option<(i64, i64)> {
    let text = text.trim().to_ascii_lowercase();
    match text.as_str() {
        "odd" => return Some((2, 1)),
        "even" => return Some((2, 0)),
        _ => {}
    }
    let Some((step, offset)) = text.split_once('n') else { return Some((0, number(&text)?)) };
    let step = match step {
        "" | "+" => 1,
        "-" => -1,
        step => number(step)?,
    };
    let offset = offset.trim();
    if offset.is_empty() {
        return Some((step, 0));
    }
    let digits = offset.strip_prefix(['+', '-'])?.trim();
    let negative = offset.starts_with('-');
    let value = digits.starts_with(|char: char| char.is_ascii_digit()).then(|| number(digits))??;
    Some((step, if negative { -value } else { value }))
}

/// Numbers beyond any page are cut to something beyond any page.
fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value = digits.parse().unwrap_or(i64::from(u32::MAX)).min(i64::from(u32::MAX));
    Some(if text.starts_with('-') { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::formula;

    #[test]
    fn css_formulas_of_places_are_read() {
        for (text, meant) in [
            ("odd", Some((2, 1))),
            (" EVEN ", Some((2, 0))),
            ("3", Some((0, 3))),
            ("+3", Some((0, 3))),
            ("-3", Some((0, -3))),
            ("n", Some((1, 0))),
            ("-n+3", Some((-1, 3))),
            ("2n", Some((2, 0))),
            ("2n + 1", Some((2, 1))),
            ("2n- 1", Some((2, -1))),
            ("99999999999999999999", Some((0, i64::from(u32::MAX)))),
            ("2n+", None),
            ("2n 1", None),
            ("n2", None),
            ("", None),
            ("two", None),
            ("2n++1", None),
        ] {
            assert_eq!(formula(text), meant, "{text:?}");
        }
    }
}

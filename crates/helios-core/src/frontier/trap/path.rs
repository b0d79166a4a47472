//! The segments of a path, and whether they go round in circles.

/// Segments beyond this are counted, not looked at: a setting that lets more pass is not worth the time of all others.
const KEPT: usize = 40;

pub(super) struct Segments<'u> {
    /// Without the first and the last slash.
    path: &'u [u8],
    /// Where each segment ends; URLs are shorter than 64 KiB.
    ends: [u16; KEPT],
    /// Length and three letters of each: most that differ, differ here.
    marks: [u32; KEPT],
    count: usize,
}

impl<'u> Segments<'u> {
    /// `/a/b` and `/a/b/` both have two.
    pub(super) fn of(path: &'u str) -> Self {
        let path = path.as_bytes();
        let path = path.strip_prefix(b"/").unwrap_or(path);
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let mut segments = Self { path, ends: [0; KEPT], marks: [0; KEPT], count: 0 };
        if path.is_empty() {
            return segments;
        }
        let mut begin = 0;
        for end in memchr::memchr_iter(b'/', path) {
            segments.push(begin, end);
            begin = end + 1;
        }
        segments.push(begin, path.len());
        segments
    }

    fn push(&mut self, begin: usize, end: usize) {
        if let (Some(place), Some(mark)) = (self.ends.get_mut(self.count), self.marks.get_mut(self.count)) {
            *place = end as u16;
            *mark = mark_of(self.path.get(begin..end).unwrap_or_default());
        }
        self.count += 1;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The segment of this number, counted from 0; empty if there is none.
    pub(super) fn get(&self, number: usize) -> &'u [u8] {
        let end = |number: usize| self.ends.get(number).copied().map(usize::from);
        let begin = number.checked_sub(1).map_or(Some(0), |before| end(before).map(|end| end + 1));
        let range = begin.zip(end(number)).map(|(begin, end)| begin..end);
        range.and_then(|range| self.path.get(range)).unwrap_or_default()
    }

    /// The segment of this number, counted from the end.
    pub(super) fn last(&self, number: usize) -> Option<&'u [u8]> {
        self.count.checked_sub(number + 1).map(|number| self.get(number))
    }

    /// Those that are looked at.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'u [u8]> {
        (0..self.count.min(KEPT)).map(|number| self.get(number))
    }

    /// A run of segments that stands `most` times in a row, or a segment that stands more than `most` times anywhere.
    pub(super) fn repeat(&self, most: usize) -> bool {
        let kept = self.count.min(KEPT);
        kept >= most && (self.repeat_in_a_row(kept, most) || self.repeat_anywhere(kept, most))
    }

    fn repeat_in_a_row(&self, kept: usize, most: usize) -> bool {
        (1..=kept / most).any(|period| {
            let mut run = 0;
            (period..kept).any(|at| {
                run = if self.same(at, at - period) { run + 1 } else { 0 };
                run >= period * (most - 1)
            })
        })
    }

    fn repeat_anywhere(&self, kept: usize, most: usize) -> bool {
        let too_often = |one: usize| (one + 1..kept).filter(|&other| self.same(one, other)).nth(most - 1);
        (0..kept.saturating_sub(most)).any(|one| too_often(one).is_some())
    }

    /// Numbers are never the same: 11/11/11 is a date, 0/0/0 a tile of a map.
    fn same(&self, one: usize, other: usize) -> bool {
        if self.marks.get(one) != self.marks.get(other) {
            return false;
        }
        let segment = self.get(one);
        let is_number = !segment.is_empty() && segment.iter().all(u8::is_ascii_digit);
        segment == self.get(other) && !is_number
    }
}

fn mark_of(segment: &[u8]) -> u32 {
    let (Some(&first), Some(&last)) = (segment.first(), segment.last()) else { return 0 };
    let middle = segment.get(segment.len() / 2).copied().unwrap_or_default();
    u32::from_be_bytes([segment.len() as u8, first, middle, last])
}

//! The segments of a path, and whether they go round in circles.

/// Segments beyond this are counted, not kept; no setting needs more.
const KEPT: usize = 64;

pub(super) struct Segments<'u> {
    kept: [&'u str; KEPT],
    count: usize,
}

impl<'u> Segments<'u> {
    /// `/a/b` and `/a/b/` both have two.
    pub(super) fn of(path: &'u str) -> Self {
        let mut segments = Self { kept: [""; KEPT], count: 0 };
        let inner = path.strip_prefix('/').unwrap_or(path);
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        if inner.is_empty() {
            return segments;
        }
        for segment in inner.split('/') {
            if let Some(place) = segments.kept.get_mut(segments.count) {
                *place = segment;
            }
            segments.count += 1;
        }
        segments
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn list(&self) -> &[&'u str] {
        self.kept.get(..self.count).unwrap_or(&self.kept)
    }

    /// A run of segments that stands `most` times in a row, or a segment that stands more than `most` times anywhere.
    pub(super) fn repeat(&self, most: usize) -> bool {
        let list = self.list();
        list.len() >= most && (in_a_row(list, most) || anywhere(list, most))
    }
}

fn in_a_row(list: &[&str], most: usize) -> bool {
    (1..=list.len() / most).any(|period| {
        let mut run = 0;
        list.iter().zip(list.iter().skip(period)).any(|(one, other)| {
            run = if same(one, other) { run + 1 } else { 0 };
            run >= period * (most - 1)
        })
    })
}

fn anywhere(list: &[&str], most: usize) -> bool {
    let too_often = |(at, one): (usize, &&str)| {
        list.iter().skip(at + 1).filter(|other| same(one, other)).nth(most - 1).is_some()
    };
    list.len() > most && list.iter().enumerate().any(too_often)
}

/// Numbers are never the same: 11/11/11 is a date, 0/0/0 a tile of a map.
fn same(one: &str, other: &str) -> bool {
    one == other && !one.bytes().all(|byte| byte.is_ascii_digit()) || one.is_empty() && other.is_empty()
}

//! Shapes: what URLs of one kind have in common, and how many of each kind a site has brought.

use super::query::{is_telling, split_once};
use crate::codec::{Reader, Writer, damaged};
use crate::error::Result;

/// Shapes that are told apart on one site.
const MOST: usize = 64;

/// The path with its numbers blotted out, and the names of the parameters in order: what the pages of a calendar, or the
/// combinations of a filter, share. `marked` sets two kinds apart that look alike.
pub(super) fn of_names(path: &str, query: &str, marked: bool) -> u64 {
    let mut text = Vec::with_capacity(path.len() + query.len());
    for byte in path.bytes() {
        let blot = if byte.is_ascii_digit() { b'0' } else { byte };
        if blot != b'0' || text.last() != Some(&b'0') {
            text.push(blot);
        }
    }
    let parameters = query.as_bytes().split(|&byte| byte == b'&');
    let mut names: Vec<&[u8]> = parameters.map(|parameter| split_once(parameter, b'=').0).collect();
    names.retain(|name| is_telling(name));
    names.sort_unstable();
    for name in names {
        text.push(b'&');
        text.extend_from_slice(name);
    }
    text.push(u8::from(marked));
    xxhash_rust::xxh3::xxh3_64(&text)
}

/// All URLs of a site that carry their session in the same place.
pub(super) fn of_session(holder: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&holder.to_ascii_lowercase())
}

/// How many URLs of each shape a site has brought: at most 64 shapes, 12 bytes each; what comes later shares one count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shapes {
    /// In order of the shapes.
    counts: Vec<(u64, u32)>,
    others: u32,
}

impl Shapes {
    /// Counts one more URL of this shape; false: there are `limit` already, refuse it. Ask only for URLs that are new, or a
    /// link that stands on every page uses the room up alone.
    pub fn admit(&mut self, shape: u64, limit: u32) -> bool {
        let count = match self.counts.binary_search_by_key(&shape, |(known, _)| *known) {
            Ok(at) => self.counts.get_mut(at).map_or(&mut self.others, |(_, count)| count),
            Err(_) if self.counts.len() >= MOST => &mut self.others,
            Err(at) => {
                self.counts.insert(at, (shape, 0));
                self.counts.get_mut(at).map_or(&mut self.others, |(_, count)| count)
            }
        };
        let admitted = *count < limit;
        *count += u32::from(admitted);
        admitted
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer::new();
        to.number(u64::from(self.others));
        for (shape, count) in &self.counts {
            to.fixed(&shape.to_be_bytes()).number(u64::from(*count));
        }
        to.done()
    }

    pub fn decode(bytes: &[u8]) -> Result<Self> {
        let mut from = Reader::new(bytes);
        let mut shapes = Self { counts: Vec::new(), others: from.small()? };
        while !from.is_empty() {
            let shape = u64::from_be_bytes(from.fixed()?);
            if shapes.counts.len() >= MOST || shapes.counts.last().is_some_and(|(last, _)| *last >= shape) {
                return Err(damaged());
            }
            shapes.counts.push((shape, from.small()?));
        }
        Ok(shapes)
    }
}

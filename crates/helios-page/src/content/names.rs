//! What the names on elements say: words of classes that tell what is inside, and what the model learned of others.

use super::kind;
use super::outline::{Namer, Said, Worth};
use super::set::Filter;
use super::words::{SEED, mix, of_names, read_part};
use crate::html::Tag;

/// A hash table of what is known of words, by open addressing: mostly one step.
#[derive(Default, Debug)]
pub(super) struct Names {
    slots: Vec<Slot>,
    /// The names that have a slot: half of those on a page have none, and the slots are too many for the nearest cache.
    known: Filter,
    /// Of the elements that the standard knows, each at its number.
    tags: Vec<Slot>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    name: u32,
    /// In 1/100.
    worth: i8,
    /// The highest byte of what it says of all that is inside; the others are empty.
    inside: u8,
}

impl Slot {
    fn inside(self) -> u32 {
        u32::from(self.inside) << 24
    }
}

impl Names {
    pub(super) fn new(learned: &[(u32, i8)]) -> Names {
        let count = learned.len() + kind::named().count();
        let slots = vec![Slot::default(); (2 * count).next_power_of_two()];
        let mut names = Names { slots, known: Filter::new(count), tags: Vec::new() };
        for &(name, worth) in learned {
            names.slot(name, |slot| slot.worth = worth);
        }
        for (name, inside) in kind::named() {
            names.slot(name, |slot| slot.inside |= (inside >> 24) as u8);
        }
        let known = Tag::all_known().filter_map(Tag::known_name);
        names.tags = known.map(|name| names.get(of_tag(name))).collect();
        names
    }

    /// Places that a name may have, in order. Zero stands for no name: as a hash it is not expected, and it would be found empty.
    fn places(&self, name: u32) -> impl Iterator<Item = usize> + use<> {
        let last = self.slots.len().wrapping_sub(1);
        (0..self.slots.len())
            .map(move |step| (name.wrapping_mul(0x9E37_79B1) as usize >> 8).wrapping_add(step) & last)
    }

    fn slot(&mut self, name: u32, change: impl FnOnce(&mut Slot)) {
        self.known.add(name);
        for at in self.places(name) {
            if let Some(slot) = self.slots.get_mut(at)
                && (slot.name == name || slot.name == 0)
            {
                slot.name = name;
                return change(slot);
            }
        }
    }

    /// What a word says of all that is inside.
    pub(super) fn inside(&self, name: u32) -> u32 {
        self.get(name).inside()
    }

    fn get(&self, name: u32) -> Slot {
        if !self.known.may_have(name) {
            return Slot::default();
        }
        for at in self.places(name) {
            match self.slots.get(at) {
                Some(slot) if slot.name == name => return *slot,
                Some(slot) if slot.name != 0 => {}
                _ => break,
            }
        }
        Slot::default()
    }
}

/// What several names are worth, in 1/100.
#[derive(Clone, Copy, Default, Debug)]
struct Sum {
    least: i16,
    most: i16,
    all: i32,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.all += other.all;
    }

    fn of(slot: Slot) -> Sum {
        let worth = i16::from(slot.worth);
        Sum { least: worth, most: worth, all: i32::from(worth) }
    }
}

/// Asks nothing of names: for what needs no model.
#[derive(Debug)]
pub(super) struct Silent;

impl Namer for Silent {
    fn begin(&mut self) {}

    fn tag(&mut self, _: Tag, _: &str) {}

    fn class(&mut self, _: &str) -> Said {
        Said::default()
    }

    fn value(&mut self, _: &str) -> u32 {
        0
    }

    fn worth(&mut self) -> Worth {
        Worth::default()
    }
}

/// Values that are remembered; a page writes the same classes again and again.
const REMEMBERED: usize = 512;

/// The attribute that a value is of: only classes are a part of the look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum From {
    Class = 2,
    Other = 3,
}

/// Looks names up while the page is read.
#[derive(Debug)]
pub(super) struct Lookup {
    names: &'static Names,
    found: Sum,
    remembered: Vec<(u64, Said, Sum)>,
}

impl Lookup {
    pub(super) fn new(names: &'static Names) -> Lookup {
        let remembered = vec![(0, Said::default(), Sum::default()); REMEMBERED];
        Lookup { names, found: Sum::default(), remembered }
    }

    fn read(&self, value: &str, from: From) -> (Said, Sum) {
        let look = if from == From::Class { look(value) } else { 0 };
        let (mut said, mut sum) = (Said { inside: 0, look }, Sum::default());
        of_names(value, |name| {
            let slot = self.names.get(name);
            said.inside |= slot.inside();
            sum.add(Sum::of(slot));
        });
        (said, sum)
    }

    fn recall(&mut self, value: &str, from: From) -> Said {
        let key = key(value, from);
        let at = (key >> 40) as usize % REMEMBERED;
        if let Some(&(known, said, sum)) = self.remembered.get(at)
            && known == key
        {
            self.found.add(sum);
            return said;
        }
        let (said, sum) = self.read(value, from);
        self.found.add(sum);
        if let Some(slot) = self.remembered.get_mut(at) {
            *slot = (key, said, sum);
        }
        said
    }
}

impl Namer for Lookup {
    fn begin(&mut self) {
        self.found = Sum::default();
    }

    fn tag(&mut self, tag: Tag, name: &str) {
        let known = self.names.tags.get(tag.number()).filter(|_| !tag.is_svg());
        self.found.add(Sum::of(known.copied().unwrap_or_else(|| self.names.get(of_tag(name)))));
    }

    fn class(&mut self, value: &str) -> Said {
        self.recall(value, From::Class)
    }

    fn value(&mut self, value: &str) -> u32 {
        self.recall(value, From::Other).inside
    }

    fn worth(&mut self) -> Worth {
        let Sum { least, most, all } = self.found;
        Worth { least: f32::from(least) / 100.0, most: f32::from(most) / 100.0, sum: all as f32 / 100.0 }
    }
}

/// A number for a value: two that share it are taken for the same, which a page could only do to itself. Zero stands for a place where nothing
/// is remembered, so no value may have it that is ever written: nothing at all is one.
fn key(value: &str, from: From) -> u64 {
    let part = read_part(value);
    let (words, rest) = part.as_chunks::<8>();
    // The last bytes as one word: some of them for the second time, unless there are no more.
    let rest = part.last_chunk::<8>().map_or_else(
        || rest.iter().fold(1, |word, &byte| (word << 8) | u64::from(byte)),
        |last| u64::from_le_bytes(*last),
    );
    let start = (from as u64 | (part.len() as u64) << 8).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let words = words.iter().map(|word| u64::from_le_bytes(*word)).chain([rest]);
    words.fold(start, |key, word| (key ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
}

/// Classes as a part of the look; numbers in them tell only sisters apart.
pub(super) fn look(value: &str) -> u32 {
    let bytes = read_part(value).iter().take(200).filter(|byte| !byte.is_ascii_digit());
    bytes.fold(SEED, |hash, &byte| mix(hash, u32::from(byte)))
}

/// The name of an element among the names.
pub(super) fn of_tag(name: &str) -> u32 {
    name.bytes().take(40).fold(mix(SEED, u32::from(b'<')), |hash, byte| mix(hash, u32::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::super::{model, walk};
    use super::*;
    use crate::html::Tree;

    #[test]
    fn a_class_of_nothing_is_none_whatever_was_read_before() {
        let others: Vec<_> = (0..2000).map(|n| format!("<p class='c{n} name'>Some text")).collect();
        for before in ["", &others.concat()] {
            let page = format!("{before}<i class=''>Some text</i><i>Some text</i><i class=7>Some text</i>");
            let tree = Tree::parse(&page);
            let (outline, _) = walk::outline(&tree, None, Lookup::new(&model::model().names));
            let looks: Vec<u32> = outline.elements.iter().rev().take(3).map(|element| element.look).collect();
            assert!(
                looks.iter().all(|look| Some(look) == looks.first()),
                "{looks:?} behind {} bytes",
                before.len()
            );
        }
    }

    #[test]
    fn what_is_remembered_is_what_would_be_read() {
        let mut lookup = Lookup::new(&model::model().names);
        for value in
            ["", "", "7", " ", "sidebar", "", "comment-list", "sidebar", "\u{1}", "12345678", "\u{0}"]
        {
            for from in [From::Class, From::Other, From::Class] {
                let (read, recalled) = (lookup.read(value, from).0, lookup.recall(value, from));
                assert_eq!((read.inside, read.look), (recalled.inside, recalled.look), "{value:?}");
            }
        }
    }
}

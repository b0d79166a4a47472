//! The commands of a metablock, which make the body (RFC 7932 §10): some literals, then a copy of what was there before, again and again.

use crate::bits::{Bits, low};
use crate::context::{LITERAL, SHARES};
use crate::symbols::{Command, Distance, LAST};
use crate::trees::{Codes, Effort, LITERAL_BLOCK, Literals, Trees};
use crate::{Place, SPARE_BYTES, copy, words};

/// Bits of the longest code. No symbol with its added bits has more than these and 24.
const CODE_BITS: u32 = 15;

pub(crate) struct Body<'a> {
    place: &'a mut dyn Place,
    at: usize,
    window: usize,
    last: Last,
}

/// The last four distances (§4), and zeros, which distances that are told in full are counted from.
#[derive(Clone, Copy)]
struct Last {
    distances: [i32; 8],
    /// Where the next one goes.
    next: usize,
}

impl Last {
    fn new() -> Self {
        Self { distances: [16, 15, 11, 4, 0, 0, 0, 0], next: 0 }
    }

    /// The distance that an entry means.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "indexes below 8")]
    fn meant(&self, entry: Distance, added: i32) -> i32 {
        let from = self.distances[(self.next.wrapping_add(entry.which()) & 3) | entry.in_full()];
        from.wrapping_add(entry.number()).wrapping_add(added)
    }

    /// Makes it the last one. What is not new is written over itself.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "indexes below 4")]
    fn push(&mut self, entry: Distance, distance: i32) {
        self.next = self.next.wrapping_add(entry.is_new());
        self.distances[self.next.wrapping_sub(1) & 3] = distance;
    }
}

impl<'a> Body<'a> {
    pub(crate) fn new(place: &'a mut dyn Place, window: usize) -> Self {
        Self { place, at: 0, window, last: Last::new() }
    }

    pub(crate) fn length(&self) -> usize {
        self.at
    }

    /// Adds bytes as they are.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.at + bytes.len();
        room(self.place, self.at, bytes.len())?.get_mut(self.at..end)?.copy_from_slice(bytes);
        self.at = end;
        Some(())
    }

    /// Adds what the commands of a metablock make.
    pub(crate) fn extend<'w>(
        &mut self,
        bits: Bits<'w>,
        trees: &mut Trees,
        length: usize,
        effort: &mut Effort,
    ) -> Option<Bits<'w>> {
        if trees.codes.has_contexts() {
            self.extend_by::<true>(bits, trees, length, effort)
        } else {
            self.extend_by::<false>(bits, trees, length, effort)
        }
    }

    /// The same, twice: what literals need where contexts matter takes registers from the others.
    #[inline(never)]
    #[allow(clippy::too_many_lines, reason = "one loop, whose values stay in registers")]
    #[allow(clippy::indexing_slicing, reason = "contexts are below 4")]
    fn extend_by<'w, const CONTEXTS: bool>(
        &mut self,
        bits: Bits<'w>,
        trees: &mut Trees,
        length: usize,
        effort: &mut Effort,
    ) -> Option<Bits<'w>> {
        // Values of its own, so that they stay in registers.
        let (mut bits, mut last) = (bits, self.last);
        let Trees { literal_blocks, command_blocks, distance_blocks, codes, .. } = trees;
        let (mut at, end) = (self.at, self.at + length);
        let mut out = room(self.place, at, 0)?;
        let mut limit = end.min(out.len() - SPARE_BYTES);
        let mut runs = Runs::new(codes, 0)?;
        let mut commands = codes.commands.roots().first()?;
        let mut distances = codes.distance_roots(0)?;
        let mut is_one = codes.is_one_distance(0);
        bits = bits.refilled()?;
        while at < end {
            // A code is looked up before the bits are refilled, so that neither waits for the other: fifteen bits are always there.
            let mut entry = codes.commands.look(commands, bits.peek())?;
            bits = bits.refilled()?;
            if command_blocks.left == 0 {
                bits = command_blocks.switch(bits)?;
                commands = codes.commands.roots().get(command_blocks.current)?;
                entry = codes.commands.look(commands, bits.peek())?;
            }
            command_blocks.left -= 1;
            let command = Command(entry);
            let before = bits.peek();
            bits.skip(entry as u32);
            if command.is_long() {
                if entry as u32 & 63 > Bits::REFILL {
                    return None;
                }
                bits = bits.refilled()?;
            }
            let added = before >> command.code_bits();
            let mut insert = command.insert() + low(added, command.insert_bits()) as usize;
            let length = command.copy() + low(added >> command.insert_bits(), command.copy_bits()) as usize;
            // Only words of the dictionary may be shorter than they say.
            let mut is_longer = false;
            if at + insert + length > limit {
                if insert > end - at {
                    return None;
                }
                is_longer = insert + length > end - at;
                out = room(self.place, at, (insert + length).min(end - at))?;
                limit = end.min(out.len() - SPARE_BYTES);
            }
            if insert > 0 {
                while insert > literal_blocks.left as usize {
                    let run = literal_blocks.left as usize;
                    bits = runs.write(bits, out, at, run)?;
                    (at, insert) = (at + run, insert - run);
                    effort.spend(LITERAL_BLOCK)?;
                    bits = literal_blocks.switch(bits)?;
                    runs = Runs::new(codes, literal_blocks.current)?;
                }
                literal_blocks.left -= insert as u32;
                bits = if CONTEXTS && !runs.is_plain {
                    runs.write_by_contexts(bits, out, at, insert)?
                } else {
                    runs.write_plain(bits, out.get_mut(at..at + insert)?)?
                };
                at += insert;
                if at == end {
                    break;
                }
            }
            let (mut entry, mut added) = (Distance(LAST), 0);
            if command.has_distance() {
                if distance_blocks.left == 0 {
                    bits = distance_blocks.switch(bits)?;
                    distances = codes.distance_roots(distance_blocks.current)?;
                    is_one = codes.is_one_distance(distance_blocks.current);
                }
                distance_blocks.left -= 1;
                // Where there is no choice, nothing need wait for it.
                let root = if is_one { distances[0] } else { distances[command.context()] };
                entry = Distance(codes.distance_tables.look(root, bits.peek())?);
                bits = bits.refilled()?;
                let before = bits.peek();
                bits.skip(entry.0 as u32);
                added =
                    (low(before >> entry.code_bits(), entry.extra_bits()) << codes.distances.postfix) as i32;
            }
            let distance = last.meant(entry, added);
            let reach = at.min(self.window);
            // None, or one below none, is far away, too.
            if distance.cast_unsigned().wrapping_sub(1) as usize >= reach {
                let number = usize::try_from(distance).ok()?.checked_sub(reach + 1)?;
                at += words::write(out.get_mut(at..)?, number, length)?;
            } else {
                if is_longer {
                    return None;
                }
                last.push(entry, distance);
                copy::from_behind(out, at, distance as usize, length)?;
                at += length;
            }
        }
        self.at = at;
        self.last = last;
        (at == end).then_some(bits)
    }
}

/// Room for so many bytes more, and some to spare.
#[cold]
fn room(place: &mut dyn Place, at: usize, more: usize) -> Option<&mut [u8]> {
    let least = at + more + SPARE_BYTES;
    if place.bytes().len() < least && !place.grow(at, least) {
        return None;
    }
    Some(place.bytes()).filter(|bytes| bytes.len() >= least)
}

/// How literals of one type are read.
struct Runs<'a> {
    codes: &'a Literals,
    /// The table of each context.
    roots: [&'a [u32; 256]; LITERAL],
    shares: &'a [u16; 256],
    /// There is one code whatever the context.
    is_plain: bool,
    has_shares: bool,
}

impl<'a> Runs<'a> {
    #[inline(never)]
    fn new(codes: &'a Codes, kind: usize) -> Option<Self> {
        let map: &[u8; LITERAL] = codes.literal_map.get(kind * LITERAL..)?.first_chunk()?;
        let shares = SHARES.get(usize::from(*codes.modes.get(kind)?))?;
        let is_plain = map.iter().all(|code| *code == map[0]);
        let mut roots = [codes.literals.roots().first()?; LITERAL];
        for (root, code) in roots.iter_mut().zip(map) {
            *root = codes.literals.roots().get(usize::from(*code))?;
        }
        Some(Self { codes: &codes.literals, roots, shares, is_plain, has_shares: codes.has_shares })
    }

    /// Reads so many literals, and writes them.
    #[inline(never)]
    fn write<'w>(&self, bits: Bits<'w>, out: &mut [u8], at: usize, count: usize) -> Option<Bits<'w>> {
        if self.is_plain {
            return self.write_plain(bits, out.get_mut(at..at + count)?);
        }
        self.write_by_contexts(bits, out, at, count)
    }

    #[inline(always)]
    fn write_by_contexts<'w>(
        &self,
        bits: Bits<'w>,
        out: &mut [u8],
        at: usize,
        count: usize,
    ) -> Option<Bits<'w>> {
        let share_of = |at: Option<usize>| {
            let byte = at.and_then(|at| out.get(at)).copied().unwrap_or_default();
            u32::from(self.shares.get(usize::from(byte)).copied().unwrap_or_default())
        };
        let (one, two) = (share_of(at.checked_sub(1)), share_of(at.checked_sub(2)));
        let target = out.get_mut(at..at + count)?;
        if self.has_shares {
            self.write_by_context::<true>(bits, target, one, two)
        } else {
            self.write_by_context::<false>(bits, target, one, two)
        }
    }

    #[inline(always)]
    fn write_plain<'w>(&self, mut bits: Bits<'w>, target: &mut [u8]) -> Option<Bits<'w>> {
        for byte in target {
            let entry = self.codes.look(self.roots[0], bits.peek())?;
            *byte = (entry >> 8) as u8;
            bits.skip(entry);
            if bits.count() < CODE_BITS {
                bits = bits.refilled()?;
            }
        }
        Some(bits)
    }

    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "six bits of an index")]
    fn write_by_context<'w, const SHARES: bool>(
        &self,
        mut bits: Bits<'w>,
        target: &mut [u8],
        mut one: u32,
        mut two: u32,
    ) -> Option<Bits<'w>> {
        for byte in target {
            let context = (one | two >> 8) as usize & (LITERAL - 1);
            let entry = self.codes.look(self.roots[context], bits.peek())?;
            *byte = (entry >> 8) as u8;
            bits.skip(entry);
            if bits.count() < CODE_BITS {
                bits = bits.refilled()?;
            }
            two = one;
            one = if SHARES { entry >> 16 } else { u32::from(*self.shares.get(usize::from(*byte))?) };
        }
        Some(bits)
    }
}

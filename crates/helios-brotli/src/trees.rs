//! What the head of a metablock says: blocks, maps and the codes of literals, commands and distances (RFC 7932 §9.2).

use crate::bits::Bits;
use crate::blocks::Blocks;
use crate::code::{Code, MOST_SYMBOLS};
use crate::context::{DISTANCE, LITERAL, SHARES, read_map};
use crate::symbols::{COMMANDS, Distances};
use crate::table::Group;

/// Entries of tables that a body may ask for: these, and so many for each byte of its wire. Bodies that ask for more are no pages, but work for us.
const ENTRIES: usize = 1 << 20;
const ENTRIES_EACH: usize = 128;
/// What else costs little wire and much time, in entries: a place of a map that is written out, and going on to the next block of literals. Without these a hostile wire
/// takes a microsecond for each of its bytes.
pub(crate) const MAP_PLACE: usize = 16;
pub(crate) const LITERAL_BLOCK: usize = 512;

/// What is left of the entries.
pub(crate) struct Effort(usize);

impl Effort {
    pub(crate) fn new(wire: usize) -> Self {
        Self(ENTRIES.saturating_add(wire.saturating_mul(ENTRIES_EACH)))
    }

    pub(crate) fn spend(&mut self, entries: usize) -> Option<()> {
        self.0 = self.0.checked_sub(entries)?;
        Some(())
    }
}

pub(crate) type Literals = Group<u32, 256>;
pub(crate) type Commands = Group<u64, 512>;
pub(crate) type DistanceCodes = Group<u64, 256>;

#[derive(Default)]
pub(crate) struct Trees {
    pub(crate) literal_blocks: Blocks,
    pub(crate) command_blocks: Blocks,
    pub(crate) distance_blocks: Blocks,
    pub(crate) codes: Codes,
    code: Code,
}

/// What does not change until the next metablock.
#[derive(Default)]
pub(crate) struct Codes {
    pub(crate) distances: Distances,
    /// The mode of each type of literals.
    pub(crate) modes: Vec<u8>,
    /// All modes are the same, so that entries for literals know what they add to contexts.
    pub(crate) has_shares: bool,
    pub(crate) literal_map: Vec<u8>,
    pub(crate) distance_map: Vec<u8>,
    pub(crate) literals: Literals,
    pub(crate) commands: Commands,
    pub(crate) distance_tables: DistanceCodes,
}

impl Trees {
    /// The room that the codes take, but for those of blocks, which is always small.
    pub(crate) fn bytes(&self) -> usize {
        let Codes { literals, commands, distance_tables, .. } = &self.codes;
        literals.bytes() + commands.bytes() + distance_tables.bytes()
    }

    pub(crate) fn read<'a>(&mut self, mut bits: Bits<'a>, effort: &mut Effort) -> Option<Bits<'a>> {
        for blocks in [&mut self.literal_blocks, &mut self.command_blocks, &mut self.distance_blocks] {
            blocks.read(&mut bits, &mut self.code)?;
        }
        let codes = &mut self.codes;
        let postfix = bits.read(2)? as u32;
        codes.distances = Distances { postfix, direct: (bits.read(4)? as u32) << postfix };
        codes.modes.clear();
        for _ in 0..self.literal_blocks.types {
            codes.modes.push(bits.read(2)? as u8);
        }
        codes.has_shares = codes.modes.iter().all(|mode| Some(mode) == codes.modes.first());
        let size = self.literal_blocks.types * LITERAL;
        let literals = read_map(&mut bits, &mut codes.literal_map, size, effort)?;
        let size = self.distance_blocks.types * DISTANCE;
        let distances = read_map(&mut bits, &mut codes.distance_map, size, effort)?;
        codes.read_literals(&mut bits, &mut self.code, literals, effort)?;
        codes.read_commands(&mut bits, &mut self.code, self.command_blocks.types, effort)?;
        codes.read_distances(&mut bits, &mut self.code, distances, effort)?;
        Some(bits)
    }
}

impl Codes {
    /// The codes of distances for each context of a type of blocks.
    pub(crate) fn distance_roots(&self, kind: usize) -> Option<[&[u64; 256]; DISTANCE]> {
        let map: &[u8; DISTANCE] = self.distance_map.get(kind * DISTANCE..)?.first_chunk()?;
        let mut roots = [self.distance_tables.roots().first()?; DISTANCE];
        for (root, code) in roots.iter_mut().zip(map) {
            *root = self.distance_tables.roots().get(usize::from(*code))?;
        }
        Some(roots)
    }

    /// Some literals have codes that depend on their context.
    pub(crate) fn has_contexts(&self) -> bool {
        let (maps, _) = self.literal_map.as_chunks::<LITERAL>();
        maps.iter().any(|map| map.iter().any(|code| *code != map[0]))
    }

    /// They are all the same.
    pub(crate) fn is_one_distance(&self, kind: usize) -> bool {
        let map = self.distance_map.get(kind * DISTANCE..).and_then(<[u8]>::first_chunk::<DISTANCE>);
        map.is_some_and(|map| map.iter().all(|code| *code == map[0]))
    }

    fn read_literals(
        &mut self,
        bits: &mut Bits<'_>,
        code: &mut Code,
        count: usize,
        effort: &mut Effort,
    ) -> Option<()> {
        let shares = SHARES.get(usize::from(*self.modes.first()?))?;
        self.literals.clear();
        for _ in 0..count {
            effort.spend(256)?;
            code.read(bits, 256)?;
            self.literals.add(code, |symbol| {
                let share = shares.get(usize::from(symbol)).copied().unwrap_or_default();
                u32::from(share) << 16 | u32::from(symbol) << 8
            })?;
        }
        Some(())
    }

    fn read_commands(
        &mut self,
        bits: &mut Bits<'_>,
        code: &mut Code,
        count: usize,
        effort: &mut Effort,
    ) -> Option<()> {
        self.commands.clear();
        for _ in 0..count {
            effort.spend(1024)?;
            code.read(bits, MOST_SYMBOLS)?;
            self.commands
                .add(code, |symbol| COMMANDS.get(usize::from(symbol)).copied().unwrap_or_default())?;
        }
        Some(())
    }

    fn read_distances(
        &mut self,
        bits: &mut Bits<'_>,
        code: &mut Code,
        count: usize,
        effort: &mut Effort,
    ) -> Option<()> {
        self.distance_tables.clear();
        let distances = self.distances;
        for _ in 0..count {
            effort.spend(256)?;
            code.read(bits, distances.alphabet())?;
            self.distance_tables.add(code, |symbol| distances.entry(symbol))?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_asks_for_more_tables_than_pages_do_is_left_to_others() {
        let mut effort = Effort::new(1_000);
        assert!(effort.spend(ENTRIES + 1_000 * ENTRIES_EACH).is_some());
        assert!(effort.spend(1).is_none());
    }
}

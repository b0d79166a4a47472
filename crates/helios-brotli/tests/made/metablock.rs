//! A metablock by chance: codes, blocks and maps, then commands as they come; its length is how much they make (RFC 7932 §9.2 and §10).

use brotli::enc::constants::{kSigned3BitContextLookup, kUTF8ContextLookup};

use super::body::Body;
use super::codes::Code;
use super::{Chance, Wire};

const BLOCK_BITS: [u32; 26] =
    [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 24];
const INSERT_BITS: [u32; 24] = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24];
const COPY_BITS: [u32; 24] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24];
const CELLS: [(usize, usize); 11] =
    [(0, 0), (0, 8), (0, 0), (0, 8), (8, 0), (8, 8), (0, 16), (16, 0), (8, 16), (16, 8), (16, 16)];
/// No single insertion or copy is longer: tests shall end.
const LONGEST: usize = 5_000;

/// Where the range of a code begins: each begins where the one before ends.
fn begin(bits: &[u32], first: usize, code: usize) -> usize {
    first + bits[..code].iter().map(|width| 1 << width).sum::<usize>()
}

/// Blocks of one kind of symbols.
struct Blocks {
    types: usize,
    codes: Option<(Code, Code)>,
    current: usize,
    before: usize,
    left: usize,
}

impl Blocks {
    fn new(chance: &mut Chance) -> Self {
        let types = chance.of(&[1, 1, 2, 3, 7, 256]);
        let codes = (types > 1).then(|| (Code::any(types + 2, chance), Code::any(26, chance)));
        Self { types, codes, current: 0, before: 1, left: usize::MAX }
    }

    fn put(&mut self, wire: &mut Wire, chance: &mut Chance) {
        wire.put_count(self.types);
        if let Some((types, lengths)) = &self.codes {
            types.put(wire, chance);
            lengths.put(wire, chance);
            self.put_length(wire, chance);
        }
    }

    fn put_length(&mut self, wire: &mut Wire, chance: &mut Chance) {
        let Some((_, lengths)) = &self.codes else { return };
        let symbol = chance.of(&lengths.symbols);
        let added = chance.bits(BLOCK_BITS[symbol]);
        lengths.put_symbol(wire, symbol);
        wire.put(added, BLOCK_BITS[symbol]);
        self.left = begin(&BLOCK_BITS, 1, symbol) + added as usize;
    }

    /// Before each symbol.
    fn step(&mut self, wire: &mut Wire, chance: &mut Chance) {
        if self.left == 0 {
            let (types, _) = self.codes.as_ref().unwrap();
            let symbol = chance.of(&types.symbols);
            types.put_symbol(wire, symbol);
            let next = match symbol {
                0 => self.before,
                1 => (self.current + 1) % self.types,
                named => named - 2,
            };
            (self.before, self.current) = (self.current, next);
            self.put_length(wire, chance);
        }
        self.left -= 1;
    }
}

/// Which code each context has.
struct Map {
    codes: usize,
    places: Vec<usize>,
}

impl Map {
    fn new(size: usize, chance: &mut Chance) -> Self {
        let codes = chance.of(&[1, 1, 2, 3, 16, 256]);
        let is_calm = chance.once_in(2);
        let mut places = vec![0; size];
        for at in 0..size {
            places[at] =
                if is_calm && at > 0 && !chance.once_in(20) { places[at - 1] } else { chance.below(codes) };
        }
        Self { codes, places }
    }

    fn put(&self, wire: &mut Wire, chance: &mut Chance) {
        wire.put_count(self.codes);
        if self.codes == 1 {
            return;
        }
        let is_moved = chance.once_in(2);
        let longest_run = chance.of(&[0, 0, 1, 5, 16]);
        let tokens = tokens(&if is_moved { self.moved() } else { self.places.clone() }, longest_run, chance);
        wire.put(u64::from(longest_run > 0), 1);
        if longest_run > 0 {
            wire.put(longest_run as u64 - 1, 4);
        }
        let needed: Vec<usize> = tokens.iter().map(|token| token.0).collect();
        let more = chance.below(5);
        let code = Code::of(self.codes + longest_run, &needed, more, chance);
        code.put(wire, chance);
        for (symbol, added) in tokens {
            code.put_symbol(wire, symbol);
            wire.put(added, if symbol <= longest_run { symbol as u32 } else { 0 });
        }
        wire.put(u64::from(is_moved), 1);
    }

    /// Each as its place among those that came lately.
    fn moved(&self) -> Vec<usize> {
        let mut recent: Vec<usize> = (0..256).collect();
        let place = |value: &usize| {
            let at = recent.iter().position(|other| other == value).unwrap();
            recent[..=at].rotate_right(1);
            at
        };
        self.places.iter().map(place).collect()
    }
}

/// Numbers with runs of zeros: symbols, and what is added to them.
fn tokens(values: &[usize], longest_run: usize, chance: &mut Chance) -> Vec<(usize, u64)> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < values.len() {
        let zeros = values[at..].iter().take_while(|value| **value == 0).count();
        if zeros == 0 {
            tokens.push((values[at] + longest_run, 0));
            at += 1;
            continue;
        }
        let most = (zeros.ilog2() as usize).min(longest_run);
        let symbol = if chance.once_in(3) { chance.below(most + 1) } else { most };
        let added = chance.below((zeros + 1 - (1 << symbol)).min(1 << symbol));
        tokens.push((symbol, added as u64));
        at += (1 << symbol) + added;
    }
    tokens
}

pub(crate) struct Metablock {
    literal_blocks: Blocks,
    command_blocks: Blocks,
    distance_blocks: Blocks,
    postfix: u32,
    direct: usize,
    modes: Vec<usize>,
    literal_map: Map,
    distance_map: Map,
    literals: Vec<Code>,
    commands: Vec<Code>,
    distances: Vec<Code>,
}

impl Metablock {
    pub(crate) fn new(chance: &mut Chance) -> Self {
        let [literal_blocks, command_blocks, distance_blocks] = [(); 3].map(|()| Blocks::new(chance));
        let postfix = chance.below(4) as u32;
        let direct = chance.of(&[0, 1, 15]) << postfix;
        let one_mode = chance.once_in(2).then(|| chance.below(4));
        let modes = (0..literal_blocks.types).map(|_| one_mode.unwrap_or_else(|| chance.below(4))).collect();
        let literal_map = Map::new(64 * literal_blocks.types, chance);
        let distance_map = Map::new(4 * distance_blocks.types, chance);
        let codes = |count: usize, alphabet: usize, chance: &mut Chance| {
            (0..count).map(|_| Code::any(alphabet, chance)).collect()
        };
        Self {
            literals: codes(literal_map.codes, 256, chance),
            commands: codes(command_blocks.types, 704, chance),
            distances: codes(distance_map.codes, 16 + direct + (48 << postfix), chance),
            literal_blocks,
            command_blocks,
            distance_blocks,
            postfix,
            direct,
            modes,
            literal_map,
            distance_map,
        }
    }

    /// Writes it, and adds what it makes to the body. Nothing is written where it would make nothing.
    pub(crate) fn put(mut self, wire: &mut Wire, body: &mut Body, chance: &mut Chance) {
        let (mut inside, begin) = (Wire::default(), body.bytes.len());
        self.put_head(&mut inside, chance);
        for _ in 0..chance.of(&[1, 20, 400]) {
            let (bits, made) = (inside.bits.len(), body.bytes.len());
            if !self.put_command(&mut inside, body, chance) {
                // What the last command inserts may be the end; if that is nothing, there is no such command.
                if body.bytes.len() == made {
                    inside.bits.truncate(bits);
                }
                break;
            }
        }
        if body.bytes.len() > begin {
            wire.put_length(body.bytes.len() - begin);
            wire.put(0, 1);
            wire.bits.extend(inside.bits);
        }
    }

    fn put_head(&mut self, wire: &mut Wire, chance: &mut Chance) {
        for blocks in [&mut self.literal_blocks, &mut self.command_blocks, &mut self.distance_blocks] {
            blocks.put(wire, chance);
        }
        wire.put(u64::from(self.postfix), 2);
        wire.put((self.direct >> self.postfix) as u64, 4);
        self.modes.iter().for_each(|mode| wire.put(*mode as u64, 2));
        self.literal_map.put(wire, chance);
        self.distance_map.put(wire, chance);
        for code in self.literals.iter().chain(&self.commands).chain(&self.distances) {
            code.put(wire, chance);
        }
    }

    /// Whether its copy is there, too.
    fn put_command(&mut self, wire: &mut Wire, body: &mut Body, chance: &mut Chance) -> bool {
        self.command_blocks.step(wire, chance);
        let code = &self.commands[self.command_blocks.current];
        let symbol = chance.of(&code.symbols);
        let (insert, copy) = (CELLS[symbol / 64].0 + (symbol >> 3 & 7), CELLS[symbol / 64].1 + (symbol & 7));
        let inserts = chance.bits(INSERT_BITS[insert]);
        let copies = chance.bits(COPY_BITS[copy]);
        code.put_symbol(wire, symbol);
        wire.put(inserts, INSERT_BITS[insert]);
        wire.put(copies, COPY_BITS[copy]);
        let insert = begin(&INSERT_BITS, 0, insert) + inserts as usize;
        let copy = begin(&COPY_BITS, 2, copy) + copies as usize;
        if insert > LONGEST {
            return false;
        }
        (0..insert).for_each(|_| self.put_literal(wire, body, chance));
        copy <= LONGEST && self.put_copy(wire, body, (copy, symbol < 128), chance)
    }

    fn put_literal(&mut self, wire: &mut Wire, body: &mut Body, chance: &mut Chance) {
        self.literal_blocks.step(wire, chance);
        let kind = self.literal_blocks.current;
        let behind =
            |back: usize| body.bytes.len().checked_sub(back).map_or(0, |at| usize::from(body.bytes[at]));
        let context = context(self.modes[kind], behind(1), behind(2));
        let code = &self.literals[self.literal_map.places[64 * kind + context]];
        let symbol = chance.of(&code.symbols);
        code.put_symbol(wire, symbol);
        body.bytes.push(symbol as u8);
    }

    fn put_copy(
        &mut self,
        wire: &mut Wire,
        body: &mut Body,
        (length, is_implicit): (usize, bool),
        chance: &mut Chance,
    ) -> bool {
        if is_implicit {
            return body.copy(body.last[0], false, length);
        }
        let bits = wire.bits.len();
        self.distance_blocks.step(wire, chance);
        let context = (length - 2).min(3);
        let code = &self.distances[self.distance_map.places[4 * self.distance_blocks.current + context]];
        // Most symbols mean no good distance.
        for _ in 0..40 {
            let symbol = chance.of(&code.symbols);
            let (distance, added, width) = self.distance(symbol, &body.last, chance);
            if body.copy(distance, symbol > 0, length) {
                code.put_symbol(wire, symbol);
                wire.put(added, width);
                return true;
            }
        }
        wire.bits.truncate(bits);
        false
    }

    /// A distance that a symbol may mean, and what is added for it.
    fn distance(&self, symbol: usize, last: &[i32; 4], chance: &mut Chance) -> (i32, u64, u32) {
        let steps = [-1, 1, -2, 2, -3, 3];
        match symbol {
            0..4 => (last[symbol], 0, 0),
            4..10 => (last[0] + steps[symbol - 4], 0, 0),
            10..16 => (last[1] + steps[symbol - 10], 0, 0),
            _ if symbol < 16 + self.direct => (i32::try_from(symbol).unwrap() - 15, 0, 0),
            _ => {
                // As RFC 7932 §4 has it.
                let code = symbol - self.direct - 16;
                let width = 1 + (code >> (self.postfix + 1)) as u32;
                let added = chance.bits(width);
                let high = code >> self.postfix;
                let low = code & ((1 << self.postfix) - 1);
                let offset = ((2 + (high & 1)) << width) - 4;
                let distance = ((offset + added as usize) << self.postfix) + low + self.direct + 1;
                (i32::try_from(distance).unwrap(), added, width)
            }
        }
    }
}

/// The context of a literal behind these bytes, the last one first (§7.1).
fn context(mode: usize, one: usize, two: usize) -> usize {
    match mode {
        0 => one & 63,
        1 => one >> 2,
        2 => usize::from(kUTF8ContextLookup[one] | kUTF8ContextLookup[256 + two]),
        _ => usize::from(kSigned3BitContextLookup[one] << 3 | kSigned3BitContextLookup[two]),
    }
}

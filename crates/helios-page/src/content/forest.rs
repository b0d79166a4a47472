//! Decision trees whose leaves are summed, asked for several rows at once.
//!
//! A row does not walk a tree: every question is put to all rows of a batch, and "more" strikes the leaves on the side of "at most" off the
//! list of those that a row may reach, one bit each. The first one left is its leaf. That is more questions than a walk would put, but none
//! waits for an answer, and one instruction puts it to several rows (Lucchese and others, QuickScorer, 2015).

/// Leaves of a tree at most: the bits of a list.
const MOST_LEAVES: usize = 32;

/// After so many trees each time it is asked whether the sums are enough.
const ASKED: usize = 32;

/// A question of the file: is the number `asks` of the row at most `bound`? Then where to go if so, and where if not:
/// a question of the same tree, or below zero leaf `-1 - n`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) asks: u16,
    pub(super) bound: f32,
    pub(super) goes: [i16; 2],
}

#[derive(Clone, Copy, Default, Debug)]
struct Strike {
    bound: f32,
    /// The number that is asked for; in a pruned forest the column that has it.
    asks: u32,
    /// The leaves that "more" strikes off.
    leaves: u32,
}

/// What is known of one number before any row is asked: between which values all rows have it, and its column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) least: f32,
    pub(super) most: f32,
    pub(super) column: u32,
}

/// A step of reading a tree of questions.
enum Step {
    Go(i16),
    /// The leaves since then are those below a question.
    Note(usize, usize),
}

#[derive(Debug)]
struct Tree<const LEAVES: usize> {
    /// Where its strikes end in the list of all.
    end: usize,
    leaves: [f32; LEAVES],
}

/// Trees of at most as many leaves: the fewer, the less memory to go through.
#[derive(Default, Debug)]
pub(super) struct Forest<const LEAVES: usize = MOST_LEAVES> {
    trees: Vec<Tree<LEAVES>>,
    /// Of each tree a question before those on its sides, with the leaves that "at most" makes unreachable.
    strikes: Vec<(Strike, u32)>,
}

/// The questions of a forest that rows within known ranges may answer differently.
#[derive(Default, Debug)]
pub(super) struct Pruned {
    /// Of each tree the leaves that are left, and where its strikes end.
    trees: Vec<(u32, usize)>,
    strikes: Vec<Strike>,
}

impl<const LEAVES: usize> Forest<LEAVES> {
    const FITS: () = assert!(LEAVES <= MOST_LEAVES);

    /// Adds a tree whose root is the first question; none if it is no tree, or too large.
    pub(super) fn grow(&mut self, questions: &[Question], values: &[f32]) -> Option<()> {
        let () = Self::FITS;
        let mut tree = Tree { end: 0, leaves: [0.0; LEAVES] };
        // Leaves from left to right, and what is to be done next: go on at a question or a leaf, or note the leaves of a side.
        let (mut next, mut left) = (0, vec![Step::Go(0)]);
        while let Some(step) = left.pop() {
            if left.len() > 3 * questions.len() + 1 {
                // Deeper than all questions: they go in a circle.
                return None;
            }
            match step {
                Step::Go(at) if at < 0 => {
                    *tree.leaves.get_mut(next)? = *values.get(usize::from((-1 - at).unsigned_abs()))?;
                    next += 1;
                }
                Step::Go(at) => {
                    let question = questions.get(usize::try_from(at).ok()?)?;
                    let &Question { asks, bound, goes: [most, more] } = question;
                    let number = self.strikes.len();
                    self.strikes.push((Strike { bound, asks: asks.into(), leaves: 0 }, 0));
                    left.extend([Step::Note(number, next), Step::Go(more)]);
                    left.extend([Step::Note(number, next), Step::Go(most)]);
                }
                Step::Note(number, began) => {
                    let leaves = u32::MAX.checked_shr(32 - (next - began) as u32).unwrap_or(0) << began;
                    let (strike, other) = self.strikes.get_mut(number)?;
                    // First the side of "at most" is noted, then both.
                    if strike.leaves == 0 {
                        strike.leaves = leaves;
                    } else {
                        *other = leaves & !strike.leaves;
                    }
                }
            }
        }
        tree.end = self.strikes.len();
        self.trees.push(tree);
        Some(())
    }

    /// Leaves out what no row within the ranges asks: most questions about the page, and all that stand behind them.
    pub(super) fn prune(&self, ranges: &[Range], pruned: &mut Pruned) {
        pruned.trees.clear();
        if pruned.strikes.len() < self.strikes.len() {
            pruned.strikes.resize(self.strikes.len(), Strike::default());
        }
        let (mut kept, mut from) = (0, 0);
        for tree in &self.trees {
            let mut left = u32::MAX;
            for &(strike, other) in self.strikes.get(from..tree.end).unwrap_or_default() {
                let Some(&Range { least, most, column }) = ranges.get(strike.asks as usize) else { break };
                let (all, some) = (u32::from(least > strike.bound), u32::from(most > strike.bound));
                let asked = (some & !all) & u32::from(strike.leaves & left != 0);
                left &= !(strike.leaves & 0_u32.wrapping_sub(all)) & !(other & some.wrapping_sub(1));
                if let Some(place) = pruned.strikes.get_mut(kept) {
                    *place = Strike { asks: column, ..strike };
                }
                kept += asked as usize;
            }
            from = tree.end;
            pruned.trees.push((left, kept));
        }
    }

    /// The sums of the leaves that `N` rows reach, all within the ranges for which the forest was pruned. A column holds one number of
    /// each row. It stops where the sums so far are enough: later trees only correct the earlier ones.
    pub(super) fn sum_until<const N: usize>(
        &self,
        pruned: &Pruned,
        columns: &[[f32; N]],
        enough: impl Fn(&[f32; N]) -> bool,
    ) -> [f32; N] {
        let mut sums = [0.0; N];
        let mut from = 0;
        for (number, (tree, &(reached, end))) in self.trees.iter().zip(&pruned.trees).enumerate() {
            if number > 0 && number % ASKED == 0 && enough(&sums) {
                break;
            }
            let strikes = pruned.strikes.get(from..end).unwrap_or_default();
            from = end;
            for (sum, left) in sums.iter_mut().zip(left(reached, strikes, columns)) {
                *sum += tree.leaf(left);
            }
        }
        sums
    }

    /// The sum of the leaves that one row reaches.
    pub(super) fn sum(&self, row: &[f32]) -> f32 {
        let (mut sum, mut from) = (0.0, 0);
        for tree in &self.trees {
            let mut left = u32::MAX;
            for (strike, _) in self.strikes.get(from..tree.end).unwrap_or_default() {
                let Some(value) = row.get(strike.asks as usize) else { break };
                left &= !(strike.leaves & 0_u32.wrapping_sub(u32::from(*value > strike.bound)));
            }
            from = tree.end;
            sum += tree.leaf(left);
        }
        sum
    }
}

impl<const LEAVES: usize> Tree<LEAVES> {
    /// The first of the leaves that are left.
    fn leaf(&self, left: u32) -> f32 {
        // There is always a last leaf; the remainder tells the compiler that no place is outside.
        self.leaves.get(left.trailing_zeros() as usize % LEAVES).copied().unwrap_or_default()
    }
}

/// The leaves that each row may reach. A function of its own and arithmetic in place of a branch: so the compiler makes vectors of it.
#[inline(never)]
fn left<const N: usize>(reached: u32, strikes: &[Strike], columns: &[[f32; N]]) -> [u32; N] {
    let mut left = [reached; N];
    for strike in strikes {
        let Some(column) = columns.get(strike.asks as usize) else { break };
        for (left, value) in left.iter_mut().zip(column) {
            *left &= !(strike.leaves & 0_u32.wrapping_sub(u32::from(*value > strike.bound)));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::{Forest, Pruned, Question, Range};

    fn question(asks: u16, bound: f32, most: i16, more: i16) -> Question {
        Question { asks, bound, goes: [most, more] }
    }

    /// The plain way.
    fn walked(questions: &[Question], values: &[f32], row: [f32; 3]) -> f32 {
        let mut at = 0_i16;
        while let Ok(here) = usize::try_from(at) {
            let question = questions[here];
            at = question.goes[usize::from(row[usize::from(question.asks)] > question.bound)];
        }
        values[usize::from((-1 - at).unsigned_abs())]
    }

    #[test]
    fn rows_reach_the_leaves_that_a_walk_reaches() {
        let questions = [
            question(0, 0.5, 1, 2),
            question(1, 0.25, -1, 3),
            question(2, 0.75, -3, -4),
            question(2, 0.5, -2, -5),
        ];
        let values = [1.0, 2.0, 4.0, 8.0, 16.0];
        let mut forest = Forest::<8>::default();
        forest.grow(&questions, &values).unwrap();
        forest.grow(&[question(1, 0.5, -2, -1)], &[100.0, 200.0]).unwrap();
        let steps = [0.0, 0.25, 0.5, 0.6, 0.75, 1.0];
        for a in steps {
            for b in steps {
                let rows = steps.map(|c| [a, b, c]);
                let columns = [[0.0; 6]; 2].into_iter().chain([steps]).collect::<Vec<_>>();
                // The first two numbers are the same for all rows, and need no columns.
                let range = |least, most| Range { least, most, column: 2 };
                let mut pruned = Pruned::default();
                forest.prune(&[range(a, a), range(b, b), range(0.0, 1.0)], &mut pruned);
                let second = if b > 0.5 { 100.0 } else { 200.0 };
                let plain = rows.map(|row| walked(&questions, &values, row) + second);
                let found = forest.sum_until(&pruned, &columns, |_| false);
                assert_eq!(found.map(f32::to_bits), plain.map(f32::to_bits));
                assert_eq!(rows.map(|row| forest.sum(&row).to_bits()), plain.map(f32::to_bits));
            }
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let mut forest = Forest::<2>::default();
        assert!(forest.grow(&[question(0, 0.5, 0, 0)], &[]).is_none());
        assert!(forest.grow(&[question(0, 0.5, -1, -2)], &[1.0]).is_none());
        assert!(forest.grow(&[question(0, 0.5, 7, -1)], &[1.0]).is_none());
        let three = [question(0, 0.5, 1, -1), question(0, 0.25, -2, -3)];
        assert!(forest.grow(&three, &[1.0, 2.0, 3.0]).is_none(), "there is room for two leaves");
    }
}

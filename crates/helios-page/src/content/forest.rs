//! Decision trees whose leaves are summed, asked for several rows at once.
//!
//! A row does not walk a tree: every question is put to all rows of a batch, and "more" strikes the leaves on the side of "at most" off the
//! list of those that a row may reach, one bit each. The first one left is its leaf. That is more questions than a walk would put, but none
//! waits for an answer, and one instruction puts it to several rows (Lucchese and others, QuickScorer, 2015).

/// Leaves of a tree at most: the bits of a list.
const LEAVES: usize = 32;

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

#[derive(Clone, Copy, Debug)]
struct Strike {
    bound: f32,
    asks: u32,
    /// The leaves that "more" strikes off.
    leaves: u32,
}

#[derive(Debug)]
struct Tree {
    /// Where its strikes end in the list of all.
    end: usize,
    leaves: [f32; LEAVES],
}

#[derive(Default, Debug)]
pub(super) struct Forest {
    trees: Vec<Tree>,
    strikes: Vec<Strike>,
}

impl Forest {
    /// Adds a tree whose root is the first question; none if it is no tree, or too large.
    pub(super) fn grow(&mut self, questions: &[Question], values: &[f32]) -> Option<()> {
        let mut tree = Tree { end: 0, leaves: [0.0; LEAVES] };
        // Leaves from left to right, and the way to the next: each question twice, before and after its left side.
        let (mut next, mut left) = (0, vec![(0_i16, None)]);
        while let Some((at, began)) = left.pop() {
            if left.len() > questions.len() + 1 {
                // Deeper than all questions: they go in a circle.
                return None;
            }
            if at < 0 {
                *tree.leaves.get_mut(next)? = *values.get(usize::from((-1 - at).unsigned_abs()))?;
                next += 1;
                continue;
            }
            let &Question { asks, bound, goes: [most, more] } = questions.get(usize::try_from(at).ok()?)?;
            if let Some(began) = began {
                let leaves = u32::MAX.checked_shr(32 - (next - began) as u32).unwrap_or(0) << began;
                self.strikes.push(Strike { bound, asks: asks.into(), leaves });
                left.push((more, None));
            } else {
                left.push((at, Some(next)));
                left.push((most, None));
            }
        }
        tree.end = self.strikes.len();
        self.trees.push(tree);
        Some(())
    }

    /// The sums of the leaves that `N` rows reach. A column holds one number of each row.
    pub(super) fn sum<const N: usize>(&self, columns: &[[f32; N]]) -> [f32; N] {
        self.sum_until(columns, |_| false)
    }

    /// The same, but it stops where the sums so far are enough. Later trees only correct the earlier ones.
    pub(super) fn sum_until<const N: usize>(
        &self,
        columns: &[[f32; N]],
        enough: impl Fn(&[f32; N]) -> bool,
    ) -> [f32; N] {
        let mut sums = [0.0; N];
        let mut strikes = self.strikes.as_slice();
        let mut from = 0;
        for (number, tree) in self.trees.iter().enumerate() {
            if number > 0 && number % ASKED == 0 && enough(&sums) {
                break;
            }
            let Some((own, rest)) = strikes.split_at_checked(tree.end - from) else { break };
            (strikes, from) = (rest, tree.end);
            for (sum, left) in sums.iter_mut().zip(left(own, columns)) {
                // There is always a last leaf; the remainder tells the compiler that no place is outside.
                *sum += tree.leaves.get(left.trailing_zeros() as usize % LEAVES).copied().unwrap_or_default();
            }
        }
        sums
    }
}

/// The leaves that each row may reach. A function of its own and arithmetic in place of a branch: so the compiler makes vectors of it.
#[inline(never)]
fn left<const N: usize>(strikes: &[Strike], columns: &[[f32; N]]) -> [u32; N] {
    let mut left = [u32::MAX; N];
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
    use super::{Forest, Question};

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
        let mut forest = Forest::default();
        forest.grow(&questions, &values).unwrap();
        forest.grow(&[question(1, 0.5, -2, -1)], &[100.0, 200.0]).unwrap();
        let steps = [0.0, 0.25, 0.5, 0.6, 0.75, 1.0];
        for a in steps {
            for b in steps {
                let rows = steps.map(|c| [a, b, c]);
                let columns = [0, 1, 2].map(|at| rows.map(|row| row[at]));
                let second = if b > 0.5 { 100.0 } else { 200.0 };
                let plain = rows.map(|row| walked(&questions, &values, row) + second);
                assert_eq!(forest.sum(&columns).map(f32::to_bits), plain.map(f32::to_bits));
            }
        }
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let mut forest = Forest::default();
        assert!(forest.grow(&[question(0, 0.5, 0, 0)], &[]).is_none());
        assert!(forest.grow(&[question(0, 0.5, -1, -2)], &[1.0]).is_none());
        assert!(forest.grow(&[question(0, 0.5, 7, -1)], &[1.0]).is_none());
    }
}

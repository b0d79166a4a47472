//! Which blocks of a page the truth holds.

use std::collections::HashMap;

/// More edits than this between page and truth are not followed.
const MOST_EDITS: usize = 14_000;

/// The words of a text as numbers.
fn words(text: &str, known: &mut HashMap<String, u32>) -> Vec<u32> {
    let split = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    split
        .map(|word| {
            let next = known.len() as u32;
            *known.entry(word.to_lowercase()).or_insert(next)
        })
        .collect()
}

/// Of each block: 1 when it holds a wanted segment, 0 when an unwanted one, below zero when neither or both.
pub(super) fn by_segments(blocks: &[String], wanted: Vec<String>, unwanted: Vec<String>) -> Vec<f32> {
    let flat = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let [wanted, unwanted] = [wanted, unwanted].map(|list| list.iter().map(flat).collect::<Vec<_>>());
    let each = blocks.iter().map(|block| {
        let block = flat(block);
        let holds = |list: &[String]| {
            list.iter().any(|part| block.contains(part) || (block.len() > 8 && part.contains(&block)))
        };
        match (holds(&wanted), holds(&unwanted)) {
            (true, false) => 1.0,
            (false, true) => 0.0,
            _ => -1.0,
        }
    });
    each.collect()
}

/// Of each block: the share of its words that the truth holds, in the order of the page or as runs of three.
pub(super) fn by_truth(blocks: &[String], truth: &str) -> Vec<f32> {
    let mut known = HashMap::new();
    let blocks: Vec<Vec<u32>> = blocks.iter().map(|block| words(block, &mut known)).collect();
    let truth = words(truth, &mut known);
    let all: Vec<u32> = blocks.iter().flatten().copied().collect();
    let common = common(&all, &truth).unwrap_or_else(|| vec![false; all.len()]);
    let mut left: HashMap<&[u32], i64> = HashMap::new();
    for run in truth.windows(3) {
        *left.entry(run).or_default() += 1;
    }
    let mut labels = Vec::with_capacity(blocks.len());
    let mut at = 0;
    for block in &blocks {
        let held = common[at..at + block.len()].iter().filter(|held| **held).count();
        at += block.len();
        let share = held as f32 / block.len().max(1) as f32;
        if share > 0.6 {
            take(block, &mut left);
        }
        labels.push(share);
    }
    for (block, share) in blocks.iter().zip(&mut labels) {
        if *share <= 0.6 && block.len() >= 5 {
            let held = block.windows(3).filter(|run| left.get(run).is_some_and(|left| *left > 0)).count();
            let moved = held as f32 / (block.len() - 2) as f32;
            if moved > 0.6 {
                take(block, &mut left);
            }
            *share = share.max(moved);
        }
        // A few common words in the right order are chance.
        if *share < 0.35 {
            *share = 0.0;
        }
    }
    labels
}

fn take<'b>(block: &'b [u32], left: &mut HashMap<&'b [u32], i64>) {
    for run in block.windows(3) {
        *left.entry(run).or_default() -= 1;
    }
}

/// Marks the words of the first list that a longest common subsequence uses (Myers 1986).
#[allow(clippy::cast_possible_wrap, reason = "texts are shorter than 2^63 words")]
fn common(first: &[u32], second: &[u32]) -> Option<Vec<bool>> {
    let (rows, columns) = (first.len() as i64, second.len() as i64);
    let most = (first.len() + second.len()).min(MOST_EDITS);
    let middle = most as i64 + 1;
    let mut reach = vec![0i64; 2 * most + 3];
    let mut steps: Vec<Vec<i32>> = Vec::new();
    let mut ends = None;
    'search: for edits in 0..=most as i64 {
        steps.push((middle - edits..=middle + edits).map(|at| reach[at as usize] as i32).collect());
        for diagonal in (-edits..=edits).step_by(2) {
            let at = (middle + diagonal) as usize;
            let down = diagonal == -edits || (diagonal != edits && reach[at - 1] < reach[at + 1]);
            let mut row = if down { reach[at + 1] } else { reach[at - 1] + 1 };
            while row < rows
                && row - diagonal < columns
                && first[row as usize] == second[(row - diagonal) as usize]
            {
                row += 1;
            }
            reach[at] = row;
            if row >= rows && row - diagonal >= columns {
                ends = Some(edits);
                break 'search;
            }
        }
    }
    Some(back(&steps, ends?, rows, columns))
}

/// Walks the search back and marks what was equal.
fn back(steps: &[Vec<i32>], edits: i64, rows: i64, columns: i64) -> Vec<bool> {
    let mut used = vec![false; rows as usize];
    let (mut row, mut column) = (rows, columns);
    for edit in (1..=edits).rev() {
        let reach = |diagonal: i64| {
            steps[edit as usize].get((diagonal + edit) as usize).map_or(0, |row| i64::from(*row))
        };
        let diagonal = row - column;
        let down = diagonal == -edit || (diagonal != edit && reach(diagonal - 1) < reach(diagonal + 1));
        let before = if down { diagonal + 1 } else { diagonal - 1 };
        let (from_row, from_column) = (reach(before), reach(before) - before);
        while row > from_row && column > from_column {
            row -= 1;
            column -= 1;
            used[row as usize] = true;
        }
        (row, column) = (from_row, from_column);
    }
    for marked in used.iter_mut().take(row.min(column).max(0) as usize) {
        *marked = true;
    }
    used
}

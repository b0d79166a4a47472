//! What one element is.

use super::super::tag::Tag;
use super::super::tree::{NodeId, Tree};
use super::run::{Level, Run};
use super::{AttributeTest, Compound, Nth, Operator, Test};

impl Run<'_> {
    pub(super) fn is(&self, id: NodeId, tag: Tag, compound: &Compound, level: &Level) -> bool {
        let named = match (compound.tag, &compound.name) {
            (Some(wanted), _) => tag.local() == wanted,
            (None, Some(name)) => self.tree.name(id).eq_ignore_ascii_case(name),
            (None, None) => true,
        };
        named && compound.tests.iter().all(|test| self.passes(id, tag, test, level))
    }

    fn passes(&self, id: NodeId, tag: Tag, test: &Test, level: &Level) -> bool {
        let tree = self.tree;
        match test {
            Test::Id(wanted) => tree.attr(id, "id").is_some_and(|found| self.same(found, wanted)),
            Test::Class(wanted) => {
                let classes = tree.attr(id, "class").unwrap_or_default();
                classes.split_ascii_whitespace().any(|found| self.same(found, wanted))
            }
            Test::Attribute(test) => tree.attr(id, &test.name).is_some_and(|value| test.accepts(value)),
            Test::Any(chains) => chains.iter().any(|&chain| self.ends(chain)),
            Test::Not(chains) => !chains.iter().any(|&chain| self.ends(chain)),
            Test::Has(relatives) => relatives.iter().any(|&relative| {
                let marks = self.has.get(relative);
                marks.and_then(|marks| marks.get(id.0 as usize)).copied().unwrap_or_default()
            }),
            Test::Nth(nth) => self.is_at(tag, nth, level),
            Test::LastChild => is_last(tree, id),
            Test::OnlyChild => level.place == 1 && is_last(tree, id),
            Test::OnlyOfType => level.counts.get(&tag) == Some(&1),
            Test::Empty => is_empty(tree, id),
            Test::Root => id == tree.html(),
        }
    }

    /// Identifiers and classes are in any case on pages with quirks.
    fn same(&self, found: &str, wanted: &str) -> bool {
        if self.tree.is_quirky() { found.eq_ignore_ascii_case(wanted) } else { found == wanted }
    }

    fn is_at(&self, tag: Tag, nth: &Nth, level: &Level) -> bool {
        if let Some((counter, chains)) = &nth.of {
            let place = level.counters.get(*counter).copied().unwrap_or_default();
            return chains.iter().any(|&chain| self.ends(chain)) && nth.has(place);
        }
        let of = |counts: &std::collections::HashMap<Tag, u32>| counts.get(&tag).copied().unwrap_or_default();
        let (place, count) =
            if nth.of_type { (of(&level.places), of(&level.counts)) } else { (level.place, level.count) };
        nth.has(if nth.from_end { (count + 1).saturating_sub(place) } else { place })
    }
}

fn is_last(tree: &Tree<'_>, id: NodeId) -> bool {
    let mut after = std::iter::successors(tree.next_sibling(id), |&at| tree.next_sibling(at));
    !after.any(|at| tree.is_element(at))
}

fn is_empty(tree: &Tree<'_>, id: NodeId) -> bool {
    !tree
        .children(id)
        .any(|child| tree.is_element(child) || !tree.text(child).is_empty() && tree.is_text(child))
}

impl AttributeTest {
    fn accepts(&self, value: &str) -> bool {
        if self.any_case {
            compare(self.operator, &value.to_ascii_lowercase(), &self.value.to_ascii_lowercase())
        } else {
            compare(self.operator, value, &self.value)
        }
    }
}

/// An empty value is in no text (Selectors Level 4 §6.2).
fn compare(operator: Operator, value: &str, wanted: &str) -> bool {
    match operator {
        Operator::Exists => true,
        Operator::Equals => value == wanted,
        Operator::Word => value.split_ascii_whitespace().any(|word| word == wanted),
        Operator::Dash => {
            value.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        }
        Operator::Begins => !wanted.is_empty() && value.starts_with(wanted),
        Operator::Ends => !wanted.is_empty() && value.ends_with(wanted),
        Operator::Contains => !wanted.is_empty() && value.contains(wanted),
    }
}

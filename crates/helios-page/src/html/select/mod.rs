//! CSS selectors: a text in, once; then for every tree the elements it finds, in the order of the page.
//!
//! Always: one walk per search, whatever the selector, so time grows with the tree times the selector. `parse` reads
//! selectors, `run` walks, `test` asks one element, `nth` counts. As in parsel, `::text` and `::attr(name)` ask for strings.

mod nth;
mod parse;
mod run;
mod scan;
mod test;

use std::borrow::Cow;
use std::fmt;

use nth::Nth;

use super::tag::Tag;
use super::tree::{NodeId, Tree};

/// A selector, ready to be used on any tree.
#[derive(Debug, Clone)]
pub struct Selector {
    /// Lists inside brackets come before those that use them.
    chains: Vec<Chain>,
    /// The chains of the outermost list, and what they ask for.
    tops: Vec<(usize, Output)>,
    /// What `:has` looks for.
    relatives: Vec<Relative>,
}

/// What a selector asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    Element,
    /// `p::text`: the texts right inside the element.
    Text,
    /// `p ::text`: these, and the texts of all elements in it.
    AllText,
    /// `::attr(name)`
    Attribute(String),
}

/// Why a selector cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    /// Where, in bytes.
    pub at: usize,
    pub reason: &'static str,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "bad selector at byte {}: {}", self.at, self.reason)
    }
}

impl std::error::Error for SelectorError {}

/// Compounds with combinators between them; the first has none.
#[derive(Debug, Clone, Default)]
struct Chain {
    links: Vec<(Combinator, Compound)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    Descendant,
    Child,
    Next,
    Later,
}

/// What one element must be.
#[derive(Debug, Clone, Default)]
struct Compound {
    /// In lower case; none for `*`.
    name: Option<String>,
    /// The name as a number, if the standard knows it.
    tag: Option<Tag>,
    tests: Vec<Test>,
}

#[derive(Debug, Clone)]
enum Test {
    Id(String),
    Class(String),
    Attribute(AttributeTest),
    /// `:is`, `:where`: one of these chains ends here.
    Any(Vec<usize>),
    Not(Vec<usize>),
    Has(Vec<usize>),
    Nth(Nth),
    OnlyChild,
    OnlyOfType,
    LastChild,
    Empty,
    Root,
}

#[derive(Debug, Clone)]
struct AttributeTest {
    /// In lower case.
    name: String,
    operator: Operator,
    value: String,
    any_case: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Exists,
    Equals,
    Word,
    Dash,
    Begins,
    Ends,
    Contains,
}

/// `:has(> x)`: a relation and a chain of one compound.
#[derive(Debug, Clone)]
struct Relative {
    combinator: Combinator,
    chain: usize,
}

impl Selector {
    pub fn parse(text: &str) -> Result<Selector, SelectorError> {
        parse::parse(text)
    }

    /// The elements of the page that match.
    pub fn find(&self, tree: &Tree<'_>) -> Vec<NodeId> {
        self.find_in(tree, tree.root())
    }

    /// The elements below `top` that match; what is outside of `top` does not count, as if it were a page of its own.
    pub fn find_in(&self, tree: &Tree<'_>, top: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        run::walk(self, tree, top, &mut |id, _| {
            if found.last() != Some(&id) {
                found.push(id);
            }
            true
        });
        found
    }

    /// The first element of the page that matches.
    pub fn first(&self, tree: &Tree<'_>) -> Option<NodeId> {
        let mut found = None;
        run::walk(self, tree, tree.root(), &mut |id, _| {
            found = Some(id);
            false
        });
        found
    }

    /// What the selector asks for, as strings: texts for `::text`, values for `::attr`, else the whole text of each element.
    pub fn values<'t>(&self, tree: &'t Tree<'_>) -> Vec<Cow<'t, str>> {
        self.values_in(tree, tree.root())
    }

    /// The same, below `top`. Elements within elements tell their texts again, so texts in all are at most four times the page.
    pub fn values_in<'t>(&self, tree: &'t Tree<'_>, top: NodeId) -> Vec<Cow<'t, str>> {
        let mut found: Vec<(NodeId, &Output)> = Vec::new();
        run::walk(self, tree, top, &mut |id, output| {
            found.push((id, output));
            true
        });
        let mut speaking = vec![false; tree.len()];
        let says = |output: &Output| matches!(output, Output::Text | Output::AllText);
        let all = self.tops.iter().filter(|(_, output)| *output == Output::AllText).map(|(chain, _)| *chain);
        let whole = all.filter_map(|chain| self.chains.get(chain)).any(|chain| chain.links.len() == 1);
        for id in
            found.iter().filter(|(_, output)| says(output)).map(|(id, _)| *id).chain(whole.then_some(top))
        {
            if let Some(mark) = speaking.get_mut(id.0 as usize) {
                *mark = true;
            }
        }
        let is_speaking = |id: NodeId| speaking.get(id.0 as usize).copied().unwrap_or_default();
        let mut found = found.into_iter().peekable();
        let (mut values, mut bytes_left) = (Vec::new(), 4 * tree.source.len());
        for node in tree.descendants(top) {
            if tree.is_text(node) && tree.parent(node).is_some_and(is_speaking) {
                values.push(Cow::Borrowed(tree.text(node)));
            }
            while let Some((_, output)) = found.next_if(|(id, _)| *id == node) {
                match output {
                    Output::Element if bytes_left > 0 => {
                        let mut text = String::new();
                        for inner in tree.descendants(node) {
                            text.push_str(if tree.is_text(inner) { tree.text(inner) } else { "" });
                            bytes_left = bytes_left.saturating_sub(1);
                        }
                        bytes_left = bytes_left.saturating_sub(text.len());
                        values.push(Cow::Owned(text));
                    }
                    Output::Attribute(name) => values.extend(tree.attr(node, name).map(Cow::Borrowed)),
                    Output::Element | Output::Text | Output::AllText => {}
                }
            }
        }
        values
    }
}

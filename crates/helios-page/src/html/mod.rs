//! HTML: a text in, a tree out, as the WHATWG standard says and browsers do, with scripting off.
//!
//! Always: any text gives a tree; time and memory grow with the length of the text (open elements, formatting elements and
//! copies of them are bounded); nothing is copied that can be a range of the source.
//! `token` cuts the text into tokens, `build` puts them into a tree, `skim` into a flat one of links alone, `tree` is what the others read, `walk` goes through it,
//! `select` finds elements by CSS selectors.

mod build;
mod names;
pub mod select;
mod skim;
mod tag;
mod token;
mod tree;
mod walk;

pub use tag::Tag;
#[doc(hidden)]
pub use token::{Cut, cut, cut_from};
pub use tree::{NodeId, Tree};
pub use walk::{Ancestors, Children, Descendants};

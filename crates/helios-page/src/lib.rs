//! One page: its bytes in; its text, facts and links out. No I/O, no clock, no URL of another page.
//!
//! Always: no input panics; time and memory grow with the length of the page and with nothing else. `charset` makes text of
//! bytes, `html` makes a tree of text, and everything else reads the tree. `helios-core::extract` is the one that calls.

pub mod charset;
pub mod content;
pub mod date;
pub mod facts;
pub mod feed;
pub mod html;
mod json;
pub mod language;
pub mod links;
pub mod sitemap;
mod xml;

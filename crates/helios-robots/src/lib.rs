//! The bytes of a robots.txt in, whether a path may be asked for out (RFC 9309); and what pages say for themselves.
//!
//! `line` and `parse` read the file, `matcher` answers for one URL (one `pattern` at a time, or by an `index` with `grams`);
//! `directives` reads X-Robots-Tag and meta robots. What an answer to GET /robots.txt means, and who gets a permit, is helios-core's
//! to say. docs/robots.md: what is done where implementations differ.

mod date;
mod directives;
mod grams;
mod index;
mod line;
mod matcher;
mod parse;
mod pattern;

pub use directives::RobotsDirectives;
pub use parse::RobotsRules;

/// A moment: milliseconds since 1970.
type Millis = u64;

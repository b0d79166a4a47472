//! Near-duplicates: has a page with (almost) this text been seen, and which?
//!
//! In: the main text of a page. Out: its [`Fingerprint`], and from the [`NearIndex`] the page that it is a duplicate of.
//!
//! `words` cuts text into words of any language, `shingles` hashes runs of five of them, `simhash` and `sketch` make few
//! bytes of them. `finder` (memory) says which records may be alike; `log` (disk) keeps what proves it; `index` joins both.
//!
//! Always: equal texts have equal fingerprints, on every machine. Memory is about 43 bytes for each page, grows in
//! steps of four megabytes, and a look-up costs the same whatever the pages say. The log is whole after a kill at any byte.

mod error;
mod finder;
mod fingerprint;
mod index;
mod letters;
mod log;
mod mix;
mod record;
mod segments;
mod settings;
mod shingles;
mod simhash;
mod sketch;
mod table;
mod words;

pub use error::{Error, Result};
pub use fingerprint::Fingerprint;
pub use index::{Duplicate, NearIndex, PageId};
pub use settings::NearSettings;

//! Bodies: what a page looks like, and how it is put together in microseconds.
//!
//! In: what the model knows of a page. Out: pieces of bytes, content-coded.
//! Always: joined and decoded, the pieces are the same bytes in every coding.
//!
//! * `coding`: gzip, brotli and zstd streams joined from precompressed and fresh pieces
//! * `filler`: the static bulk of a page: styles, scripts, icons, wrappers
//! * `short`: small texts copied quickly
//! * `words`, `text`: languages, sentences, and the main text of a page
//! * `html`: a page around text and links
//! * `corpus`: real pages with their links replaced
//! * `files`: PDF, image, archive, feed, JSON

pub(crate) mod coding;
pub(crate) mod corpus;
pub(crate) mod files;
pub(crate) mod filler;
pub(crate) mod html;
pub(crate) mod short;
pub(crate) mod text;
pub(crate) mod words;

//! The Rust core of Helios: the work done per byte and per URL. No Python, no globals, no clock of its own.
//!
//! The modules in the order of a page's journey (ARCHITECTURE.md walks it step by step):
//! * `url`: text becomes a [`url::CanonicalUrl`]; whom to be polite to ([`url::SiteKey`]); identity ([`url::Fingerprint`])
//! * `frontier`: what to fetch next and when, and what became of it: `(event, now) -> actions`
//! * `kv`: where the frontier keeps its state, one atomic batch after the other
//! * `sieve`: was this URL seen before? exactly, at a million a second
//! * `robots`: rules of an origin; the only maker of a [`robots::Permit`]
//! * `dns`: names to addresses, and which addresses may be connected to
//! * `fetch`: a visit's permits become outcomes
//! * `extract`: bytes become text, facts and links, as Arrow columns
//! * `warc`: exchanges become records of an archive
//!
//! Layers: `(extract, warc) → fetch → (robots, dns) → url`, `frontier → (kv, sieve, robots, fetch::outcome, url)`, all → `clock`, `error`.

pub mod clock;
mod codec;
pub mod dns;
pub mod error;
pub mod extract;
pub mod fetch;
pub mod frontier;
mod hashed;
pub mod kv;
pub mod robots;
pub mod sieve;
pub mod warc;
pub use helios_url as url;

//! WARC 1.1 (ISO 28500:2017): exchanges in, records out, and back.
//!
//! In: what was asked and what came back, as bytes. Out: records, one gzip member or zstd frame each, and a CDXJ line for each that can be
//! replayed. Always: the same exchange gives the same bytes, whenever it is written; what is read is bounded, whatever it claims.
//!
//! * `exchange`: one question and its answer; `writer` makes records of it
//! * `http`: the heads as an archive keeps them; `record`: the form of a record; `pack` and `stored`: its compression
//! * `digest`, `id`, `date`: what a record's header says in its own notation; `many`: digests of many answers at once
//! * `surt`, `cdxj`: the index; `reader`: records of any WARC file, ours or others'

mod cdxj;
mod date;
mod digest;
mod exchange;
mod http;
mod id;
mod many;
mod pack;
mod reader;
mod record;
mod stored;
mod surt;
mod writer;

pub use cdxj::IndexLine;
pub use date::iso8601;
pub use digest::{Algorithm, Digest, Digests};
pub use exchange::{Answer, Exchange, Original, Protocol, Truncated};
pub use id::RecordId;
pub use pack::Packing;
pub use reader::{Limits, ReadError, Reader, Record};
pub use record::Kind;
pub use surt::surt;
pub use writer::{Settings, Writer};

//! What the fetch engine does with servers that mean well: connections kept, conditions, filters, fields, credit, endings.
//! Servers that do not are in the hostile suite, whose scripts these tests are written in.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]
#![allow(dead_code, reason = "the language of the hostile suite has more words than are needed here")]

#[path = "../hostile/asking.rs"]
mod asking;
#[path = "../hostile/authority.rs"]
mod authority;
mod counting;
mod credit;
mod crowd;
mod ending;
mod filters;
mod http2;
mod keeping;
#[path = "../hostile/line.rs"]
mod line;
#[path = "../hostile/server.rs"]
mod server;
mod speaking;
mod tls;
mod waiting;
mod wire;

//! Pages through proxies that nobody here wrote: tinyproxy, microsocks and Dante, if they are installed (`tools/setup.sh dev`).
//!
//! Each proxy goes out from an address of its own (127.0.0.0/8), so that a site sees who asked: a direct request is noticed.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]
#![allow(clippy::print_stdout, reason = "a test that is passed over says why")]

mod asking;
mod daemon;
mod site;

mod failing;
mod guarded;
mod through;

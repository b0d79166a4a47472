//! Names to addresses: real servers, lying ones, and which addresses may be connected to.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

mod dialling;
mod guard;
mod hostile;
mod liar;
mod memory;
mod names;
mod real;

//! The frontier in virtual time, over a disk in memory that can crash.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

mod after_a_crash;
mod folders;
mod limits;
mod redirects;
mod sitemaps;
mod turns;
mod visits;
mod wanted;
mod why;
mod world;

//! The hostile suite: servers on this machine that do what a hostile web does, over real sockets.
//!
//! Every case asks with a fetcher of its own, through `submit` and `completed` alone, and ends in the right outcome, in
//! bounded time, with every task of the visit reported once; after it the same fetcher serves an ordinary site (`asking`).
//!
//! The themes:
//! - `slow`: heads and bodies by the byte, silence, bodies without end, a port that never accepts.
//! - `resets`: RST and FIN at every stage.
//! - `framing`: lengths that lie, broken chunks, bytes after an answer; `smuggling`: answers that can be read in two ways.
//! - `heads`: other protocols, noise, invalid bytes, heads without end, answers to what nobody asked.
//! - `coding`: broken, cut and nested content codings, bombs.
//! - `redirects`: circles, chains, other schemes, addresses inside, followed by a frontier (`crawling`).
//! - `certificates`: TLS that must not be trusted, or does not begin (`authority` makes certificates of every kind).
//! - `http2`: resets, GOAWAY, stalls; `http2_frames`: frames that no server should send, floods (`frames` writes them).
//! - `dns`: names that lie, loop or never answer; `inside`: names that lead inside or change their mind (`name_server`).
//! - `flood`: hundreds of these at once; `memory`: what things without end cost.
//!
//! `server` and `line` are what the scripts are written in.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

mod asking;
mod authority;
mod certificates;
mod coding;
mod crawling;
mod dns;
mod flood;
mod frames;
mod framing;
mod heads;
mod http2;
mod http2_frames;
mod inside;
mod line;
mod memory;
mod name_server;
mod redirects;
mod resets;
mod server;
mod slow;
mod smuggling;

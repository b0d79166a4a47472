//! The synthetic web: a deterministic, endless-looking web made from one seed, and the auditor that judges a crawler by it.
//!
//! In: a seed and settings. Out: answers to requests, and a verdict on the laws (politeness, robots, nothing lost, nothing asked twice).
//! Always: the same seed, URL, time and attempt give the same bytes; the judge shares no code with the judged (no helios-core here).
//!
//! Layout, in the order of a request:
//! * `settings`: what kind of web (`WebSettings`), and what the crawler promised (`Promises`)
//! * `web`: the model: hosts, addresses, pages, links; pure, no sockets, no clock (`Web::answer`)
//! * `chance`: every fact as a hash of (seed, host, page, purpose)
//! * `body`: what pages look like, and how they are content-coded in microseconds
//! * `expect`: what a complete crawl must have met (`Web::expect`)
//! * `reply`: what the model says to one request: status, headers, body pieces, delay, fault
//! * `server`: sockets around the model: HTTP/1.1, TLS with HTTP/2, DNS, and the `/__audit` family of pages
//! * `log`: every request, compactly
//! * `audit`: the log judged by the laws
//! * `command`: the words of the command line, and asking a running web for its verdict

pub mod audit;
mod body;
mod chance;
pub mod command;
mod expect;
pub mod log;
pub mod reply;
pub mod server;
pub mod settings;
pub mod web;

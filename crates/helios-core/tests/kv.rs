//! The contract of `kv`, over every backend; then what each one adds: crashes on purpose, and a real disk.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "tests talk with processes that they start"
)]

#[path = "kv/contract.rs"]
mod contract;
#[path = "kv/crashes.rs"]
mod crashes;
#[path = "kv/damage.rs"]
mod damage;
#[path = "kv/folder.rs"]
mod folder;
#[path = "kv/full_disk.rs"]
mod full_disk;
#[path = "kv/killed.rs"]
mod killed;
#[path = "kv/model.rs"]
mod model;
#[path = "kv/place.rs"]
mod place;

//! Handshakes over scripted streams, pools beside random events, and what the settings refuse.

mod handshakes;
mod names;
mod pools;

//! Static embeddings: text in, vectors out, without a network to run: each token has its vector, and a text has their mean.
//!
//! `model` reads the file that `python/helios/embed/distil.py` makes. `letters` normalises text and `tokens` cuts it as BERT does (uncased
//! WordPiece, token by token the same), with `vocabulary` to look pieces up. `embedder` takes the mean and cuts long texts into chunks.
//!
//! Always: no text panics; time grows with its length, memory with the vectors asked for. An [`Embedder`] is never changed, so threads
//! may share it.

mod embedder;
mod error;
mod letters;
mod model;
mod tokens;
mod vocabulary;

pub use embedder::{Chunk, Chunks, Embedder};
pub use error::{Error, Result};

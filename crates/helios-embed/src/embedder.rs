//! Vectors of texts and of their chunks.

use std::path::Path;

use crate::error::Result;
use crate::model::Model;
use crate::tokens::Tokens;

pub struct Embedder {
    model: Model,
}

/// A part of a text that has a vector of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Which of the texts.
    pub text: usize,
    /// Its place in the text, in bytes; always on the boundaries of letters.
    pub from: usize,
    pub to: usize,
    pub tokens: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunks {
    /// In the order of the texts, and within a text from its beginning to its end.
    pub places: Vec<Chunk>,
    /// One row for each chunk.
    pub vectors: Vec<f32>,
}

impl Embedder {
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self { model: Model::open(path)? })
    }

    pub fn dims(&self) -> usize {
        self.model.dims
    }

    /// One row for each text, of length 1; zeros for a text without a known token.
    pub fn embed(&self, texts: &[&str]) -> Vec<f32> {
        let mut vectors = Vec::with_capacity(texts.len() * self.dims());
        let (mut tokens, mut sum) = (Tokens::new(&self.model), vec![0.0; self.dims()]);
        for text in texts {
            tokens.of(text, |_, pieces| self.add(pieces, &mut sum));
            take_row(&mut sum, &mut vectors);
        }
        vectors
    }

    /// Cuts texts into chunks of at most `size` tokens (one word may have more) and embeds each. A chunk ends between words:
    /// at the first end of a line after three quarters of `size`, or when it is full.
    pub fn embed_chunks(&self, texts: &[&str], size: usize) -> Chunks {
        let mut chunks = Chunks::default();
        let (mut tokens, mut sum) = (Tokens::new(&self.model), vec![0.0; self.dims()]);
        for (number, text) in texts.iter().enumerate() {
            let mut chunk = Chunk { text: number, from: 0, to: 0, tokens: 0 };
            tokens.of(text, |place, pieces| {
                let line_ended = || text.get(chunk.to..place.start).is_some_and(|gap| gap.contains('\n'));
                let full = chunk.tokens + pieces.len() > size || chunk.tokens >= size / 4 * 3 && line_ended();
                if chunk.tokens > 0 && full {
                    take_row(&mut sum, &mut chunks.vectors);
                    chunks.places.push(chunk);
                    chunk.tokens = 0;
                }
                if chunk.tokens == 0 {
                    chunk.from = place.start;
                }
                (chunk.to, chunk.tokens) = (place.end, chunk.tokens + pieces.len());
                self.add(pieces, &mut sum);
            });
            if chunk.tokens > 0 {
                take_row(&mut sum, &mut chunks.vectors);
                chunks.places.push(chunk);
            }
        }
        chunks
    }

    /// The tokens of a text, by their numbers in the vocabulary.
    pub fn tokens(&self, text: &str) -> Vec<u32> {
        let mut all = Vec::new();
        Tokens::new(&self.model).of(text, |_, pieces| all.extend(pieces));
        all
    }

    fn add(&self, pieces: &[u32], sum: &mut [f32]) {
        for piece in pieces.iter().filter(|piece| **piece != self.model.unknown) {
            self.model.add(*piece, sum);
        }
    }
}

/// Appends a sum as a row of length 1, and begins a new sum.
fn take_row(sum: &mut [f32], rows: &mut Vec<f32>) {
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    let scale = if length > 0.0 && length.is_finite() { 1.0 / length } else { 0.0 };
    rows.extend(sum.iter().map(|value| if scale > 0.0 { value * scale } else { 0.0 }));
    sum.fill(0.0);
}

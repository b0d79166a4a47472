//! What a crawl may choose.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearSettings {
    /// Two pages are duplicates if they share at least this part of their shingles (Jaccard similarity, 0.5 to 1).
    pub similarity: f32,
    /// Decides where a page stands in the table, so that nobody can write pages that crowd one place. A new file takes
    /// it from here, an old one has its own. Answers do not depend on it.
    pub seed: u64,
}

impl Default for NearSettings {
    fn default() -> Self {
        Self { similarity: 0.8, seed: 0 }
    }
}

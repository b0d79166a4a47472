//! A list that grows by pieces of four megabytes and never moves what it holds: no doubling, no spike of memory. The part of
//! a piece that is not used yet is not touched, so it takes no memory either.

const PIECE_BYTES: usize = 4 << 20;

pub(crate) struct Segments<T> {
    pieces: Vec<Vec<T>>,
    length: usize,
}

impl<T> Segments<T> {
    /// Items in a piece, a power of two.
    const PIECE: usize = 1 << (PIECE_BYTES / size_of::<T>()).ilog2();

    pub(crate) fn new() -> Self {
        Self { pieces: Vec::new(), length: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn bytes(&self) -> usize {
        self.length * size_of::<T>()
    }

    pub(crate) fn push(&mut self, item: T) {
        if self.length == self.pieces.len() * Self::PIECE {
            self.pieces.push(Vec::with_capacity(Self::PIECE));
        }
        if let Some(piece) = self.pieces.last_mut() {
            piece.push(item);
            self.length += 1;
        }
    }

    /// Pieces that become empty are given back.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        self.pieces.truncate(self.length.div_ceil(Self::PIECE));
        let before = self.pieces.len().saturating_sub(1) * Self::PIECE;
        if let Some(piece) = self.pieces.last_mut() {
            piece.truncate(self.length - before);
        }
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.pieces.get(at / Self::PIECE)?.get(at % Self::PIECE)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.pieces.get_mut(at / Self::PIECE)?.get_mut(at % Self::PIECE)
    }
}

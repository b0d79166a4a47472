//! Identity of a URL in 128 bits: what "seen" means. At 10 billion URLs the chance of one collision is below 10⁻¹⁸.

/// The XXH3 128-bit hash of a canonical URL. Not secret: whoever makes URLs collide only hides their own pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(u128);

impl Fingerprint {
    pub(crate) fn of(text: &str) -> Self {
        Self(xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
    }

    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }

    pub fn to_be_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }
}

/// The XXH3 64-bit hash, for sets that may err: among a billion URLs, about three in a hundred such sets hold a collision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShortFingerprint(pub u64);

impl ShortFingerprint {
    pub(crate) fn of(text: &str) -> Self {
        Self(xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
    }
}

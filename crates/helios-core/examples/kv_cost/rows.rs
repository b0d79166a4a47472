//! The keys of rows, and chance.

/// Sites queue in no order of their keys; a site's chunks do.
pub(crate) fn chunk_key(batch: u64, chunk: u64) -> Vec<u8> {
    let site = (batch % 5_000 * 20 + chunk).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    [b"q".as_slice(), &site.to_be_bytes(), &batch.to_be_bytes()].concat()
}

pub(crate) fn site_key(site: u64) -> Vec<u8> {
    [b"s".as_slice(), &site.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()].concat()
}

/// SplitMix64.
pub(crate) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

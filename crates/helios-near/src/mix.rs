//! One multiplication that spreads every bit of its input over all bits of its output.

/// The halves of the 128-bit product, folded. Odd constants from the digits of π, with about as many ones as zeros.
pub(crate) fn mix(one: u64, two: u64) -> u64 {
    let product = u128::from(one ^ 0x243f_6a88_85a3_08d3) * u128::from(two ^ 0xa409_3822_299f_31d1);
    (product >> 64) as u64 ^ product as u64
}

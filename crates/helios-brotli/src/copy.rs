//! Bytes that are copied from the body to its end, thirty-two at a time, and then some.

/// Bytes that one step copies.
const STEP: usize = 32;

/// Copies `length` bytes from `distance` behind `at` to there; both are good. Up to [`crate::SPARE_BYTES`] behind them are overwritten.
#[inline(always)]
pub(crate) fn from_behind(out: &mut [u8], at: usize, distance: usize, length: usize) -> Option<()> {
    if distance < STEP {
        return repeated(out, at, distance, length);
    }
    let (mut from, mut to, end) = (at - distance, at, at + length);
    loop {
        let chunk: [u8; STEP] = *out.get(from..from + STEP)?.first_chunk()?;
        *out.get_mut(to..to + STEP)?.first_chunk_mut()? = chunk;
        from += STEP;
        to += STEP;
        if to >= end {
            return Some(());
        }
    }
}

/// What is repeated before a step is over.
#[inline(never)]
fn repeated(out: &mut [u8], at: usize, distance: usize, length: usize) -> Option<()> {
    let (end, mut to) = (at + length, at);
    if distance >= STEP / 2 {
        while to < end {
            let from = to - distance;
            let chunk: [u8; STEP / 2] = *out.get(from..from + STEP / 2)?.first_chunk()?;
            *out.get_mut(to..to + STEP / 2)?.first_chunk_mut()? = chunk;
            to += STEP / 2;
        }
        return Some(());
    }
    let source: [u8; STEP / 2] = *out.get(at - distance..)?.first_chunk()?;
    let (mut pattern, mut known) = (u128::from_le_bytes(source), 8 * distance as u32);
    pattern &= !(u128::MAX << (known & 127));
    while known < u128::BITS {
        pattern |= pattern << (known & 127);
        known *= 2;
    }
    // As often as it fits in whole.
    let period = STEP / 2 / distance.max(1) * distance;
    while to < end {
        *out.get_mut(to..to + STEP / 2)?.first_chunk_mut()? = pattern.to_le_bytes();
        to += period;
    }
    Some(())
}

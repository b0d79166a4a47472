//! Guessing: what bytes look like that nobody has labelled.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

/// More than this tells nothing new.
const SAMPLE: usize = 256 * 1_024;
/// Of sequences of several bytes, one in so many may be broken: pages are glued together from several sources.
const BROKEN: usize = 50;

/// UTF-8 but for a cut at the end, or but for a few broken places.
pub(super) fn is_nearly_utf8(bytes: &[u8]) -> bool {
    let sample = sample(bytes);
    let (mut whole, mut broken) = (0_usize, 0_usize);
    for chunk in sample.utf8_chunks() {
        whole += chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    // The sample itself may cut a letter at both ends.
    whole > 0 && broken.saturating_sub(2) * BROKEN <= whole && broken <= whole
}

pub(super) fn guess(sample: &[u8], tld: Option<&str>) -> Option<&'static Encoding> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let anything = detector.feed(sample, true);
    let tld = tld.map(str::as_bytes).filter(|tld| is_usable(tld));
    let encoding = detector.guess(tld, Utf8Detection::Deny);
    (anything || encoding != encoding_rs::WINDOWS_1252)
        .then_some(encoding)
        .filter(|encoding| *encoding != UTF_8)
}

/// From a little before the first byte that is not ASCII: scripts and styles come first, and say nothing.
pub(super) fn sample(bytes: &[u8]) -> &[u8] {
    let first = bytes.iter().position(|&byte| byte >= 0x80 || byte == 0x1B).unwrap_or(0);
    let from = first.saturating_sub(64);
    bytes.get(from..).map(|rest| rest.get(..SAMPLE).unwrap_or(rest)).unwrap_or_default()
}

/// The detector panics on names that are not in lower-case ASCII.
fn is_usable(tld: &[u8]) -> bool {
    !tld.is_empty()
        && tld.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
}

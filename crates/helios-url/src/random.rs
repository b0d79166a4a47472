//! Values that nobody typed: session ids, and what traps are made of.

/// Hexadecimal digits and nothing else.
pub fn is_hex(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_hexdigit)
}

/// Letters and digits in no order: hexadecimal with both of them, long with both of them, or a very long number.
pub fn is_random(text: &[u8]) -> bool {
    let (mut digits, mut letters, mut hyphens) = (0, 0, 0);
    for byte in text {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'a'..=b'z' | b'A'..=b'Z' => letters += 1,
            b'-' | b'_' | b':' | b'.' | b'~' | b',' | b'!' => hyphens += 1,
            _ => return false,
        }
    }
    let mixed = digits > 1 && letters > 0 && hyphens < 2;
    mixed && (is_hex(text) || text.len() >= 16) || digits == text.len() && digits >= 16
}

//! What a session id looks like: a name that says so, and a value that nobody would type.

/// Whatever these hold is a session.
const SURE: [&str; 10] = [
    "jsessionid",
    "phpsessid",
    "sessionid",
    "session_id",
    "sessid",
    "oscsid",
    "xtcsid",
    "zenid",
    "cfid",
    "cftoken",
];
/// These may also name a section, a story or a season.
const MAYBE: [&str; 3] = ["sid", "session", "sess"];
/// Shorter values are numbers of things, not of visitors.
const LEAST: usize = 8;

pub(super) fn is_session(name: &str, value: &str) -> bool {
    if value.len() < LEAST || name.len() > "session_id".len() {
        return false;
    }
    let is_one_of = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    match name.len() {
        // vBulletin; elsewhere what is searched for.
        1 => name == "s" && value.len() == 32 && is_hex(value),
        _ => is_one_of(&SURE) || (is_one_of(&MAYBE) && is_random(value)),
    }
}

/// What holds a session id in the path: `jsessionid` of `/shop;jsessionid=0AB…`, `s` of `/s/8c1f03d2/shop`.
pub(super) fn in_path<'u>(path: &'u str, segments: &[&'u str]) -> Option<&'u str> {
    if let Some((_, after)) = path.split_once(';') {
        let (name, rest) = after.split_once('=').unwrap_or_default();
        let value = rest.split(['/', ';']).next().unwrap_or_default();
        if is_session(name, value) {
            return Some(name);
        }
    }
    // ASP.NET without cookies: /(S(lit3py55t21z5v55vlm25s55))/page.aspx
    let is_cookieless = |text: &&str| text.starts_with('(') && text.ends_with("))") && text.contains("S(");
    if segments.iter().any(is_cookieless) {
        return Some("(S())");
    }
    // An id at the end is that of a thing; a session goes on with the path of a page.
    let going_on = if path.ends_with('/') { segments } else { segments.split_last()?.1 };
    going_on.windows(2).find_map(|pair| match pair {
        [name, value] if is_folder(name, value) => Some(*name),
        _ => None,
    })
}

/// `/s/` is also the folder of shared files, stories and searches: there, only hexadecimal will do.
fn is_folder(name: &str, value: &str) -> bool {
    match name {
        "s" => value.len() >= LEAST && is_hex(value),
        _ => name.len() > 1 && is_session(name, value),
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Letters and digits in no order: hexadecimal with both of them, long with both of them, or a very long number.
fn is_random(text: &str) -> bool {
    let (mut digits, mut letters, mut hyphens) = (0, 0, 0);
    for byte in text.bytes() {
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

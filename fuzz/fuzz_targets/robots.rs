//! Any bytes are a robots.txt; any path gets an answer; the fast matcher decides as the naive one does.
#![no_main]

#[path = "../../crates/helios-robots/tests/model/naive.rs"]
mod naive;

use std::fmt::Write;

use helios_robots::RobotsRules;

/// Octets that stand for themselves, and the two that do not; few, so that rules match.
const LETTERS: &[u8; 8] = b"/ab?=.*$";

/// The naive matcher takes a star's every length: more of them than this would take it all night.
const STARS: usize = 4;

fn word(bytes: &[u8]) -> String {
    let letter = |&byte: &u8| char::from(LETTERS[usize::from(byte) % LETTERS.len()]);
    let mut stars = 0;
    let mut text: String = bytes.iter().take(24).map(letter).collect();
    text.retain(|letter| {
        stars += usize::from(letter == '*');
        letter != '*' || stars <= STARS
    });
    // Inside a pattern a dollar is written as an escape, which the naive matcher does not know.
    let end = text.ends_with('$');
    text.retain(|letter| letter != '$');
    if end { text + "$" } else { text }
}

fn compare(rules: &[&[u8]], path: &[u8]) {
    let path = format!("/{}", word(path).replace(['*', '$'], ""));
    let all: Vec<(bool, String)> =
        rules.iter().map(|rule| (rule.first().is_some_and(|byte| byte % 2 == 0), word(rule))).collect();
    let mut file = "user-agent: *\n".to_owned();
    for (allow, pattern) in &all {
        writeln!(file, "{}: {pattern}", if *allow { "allow" } else { "disallow" }).unwrap();
    }
    let ours = RobotsRules::parse(file.as_bytes(), "helios", usize::MAX);
    assert_eq!(ours.allows(&path), naive::allows(&all, &path), "{file}\n{path}");
}

libfuzzer_sys::fuzz_target!(|input: (&[u8], &str)| {
    let (file, path) = input;
    let rules = RobotsRules::parse(file, "helios", 512_000);
    let denied = rules.denying_rule(path);
    assert_eq!(denied.is_none(), rules.allows(path));
    assert!(denied.is_none_or(|rule| rule.starts_with("disallow: ")));
    assert!(rules.allows("/robots.txt"));
    assert!(RobotsRules::allow_all().allows(path));
    let lines: Vec<&[u8]> = file.split(|&byte| byte == b'\n').take(64).collect();
    compare(&lines, path.as_bytes());
});

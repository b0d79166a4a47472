//! The matcher beside a naive one, on rules and paths that are much alike.
#![allow(clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

mod naive;

use std::fmt::Write;

use helios_robots::RobotsRules;
use proptest::prelude::*;

fn rules(all: &[(bool, String)]) -> RobotsRules {
    let mut file = "user-agent: *\n".to_owned();
    for (allow, pattern) in all {
        let verb = if *allow { "allow" } else { "disallow" };
        writeln!(file, "{verb}: {pattern}").ok();
    }
    RobotsRules::parse(file.as_bytes(), "helios", usize::MAX)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    /// Two letters and a slash: most rules share their beginnings, many match, and stars have many ways to be filled.
    #[test]
    fn rfc9309_the_matcher_decides_as_trying_everything_does(
        all in prop::collection::vec((any::<bool>(), "/?[ab/*]{0,7}[$]?"), 0..40),
        paths in prop::collection::vec("/[ab/]{0,10}", 1..8),
    ) {
        let ours = rules(&all);
        for path in paths {
            prop_assert_eq!(ours.allows(&path), naive::allows(&all, &path), "{}", path);
        }
    }

    /// Stars around words: what the lists of grams are for.
    #[test]
    fn rfc9309_words_between_stars_are_found(
        all in prop::collection::vec((any::<bool>(), "/(\\*?(foo|bar|oba|o=|[?]|/)){1,4}[$]?"), 9..60),
        paths in prop::collection::vec("/(foo|bar|o=|[?]|/|b){0,6}", 1..8),
    ) {
        let ours = rules(&all);
        for path in paths {
            prop_assert_eq!(ours.allows(&path), naive::allows(&all, &path), "{}", path);
        }
    }

    #[test]
    fn any_bytes_are_a_robots_txt(file in prop::collection::vec(any::<u8>(), 0..400), path in "\\PC{0,40}") {
        let rules = RobotsRules::parse(&file, "helios", 300);
        prop_assert_eq!(rules.denying_rule(&path).is_none(), rules.allows(&path));
    }
}

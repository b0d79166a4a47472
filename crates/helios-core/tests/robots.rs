//! RFC 9309: rules and matching; what pages say for themselves.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use helios_core::robots::{Permit, RobotsDirectives, RobotsRules};
use helios_core::url::CanonicalUrl;

const LIMIT: usize = 512_000;

fn rules(text: &str) -> RobotsRules {
    RobotsRules::parse(text.as_bytes(), "helios", LIMIT)
}

fn allowed(text: &str, path: &str) -> bool {
    rules(text).denying_rule(path).is_none()
}

#[test]
fn rfc9309_the_longest_match_wins_and_allow_wins_a_tie() {
    let file = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /same\nDisallow: /same\n";
    for (path, expected) in
        [("/", true), ("/a", false), ("/ab", false), ("/a/b", true), ("/a/b/c", false), ("/same", true)]
    {
        assert_eq!(allowed(file, path), expected, "{path}");
    }
}

#[test]
fn rfc9309_wildcards_and_the_end_of_the_path() {
    for (rule, path, denied) in [
        ("/*.pdf$", "/a/b.pdf", true),
        ("/*.pdf$", "/a/b.pdf?x", false),
        ("/*.pdf", "/a/b.pdf?x", true),
        ("/a*b*c", "/a-b-c-d", true),
        ("/a*b*c", "/a-c-b", false),
        ("/*?print=", "/page?print=1", true),
        ("/exact$", "/exact", true),
        ("/exact$", "/exactly", false),
        ("*", "/anything", true),
        ("/a*a$", "/a", false),
        ("/a*a$", "/aa", true),
    ] {
        assert_eq!(!allowed(&format!("user-agent: *\ndisallow: {rule}"), path), denied, "{rule} {path}");
    }
}

#[test]
fn rfc9309_escapes_compare_as_what_they_stand_for() {
    for (rule, path) in [("/~joe", "/%7Ejoe"), ("/%7ejoe", "/~joe"), ("/ü", "/%C3%BC"), ("/a%2fb", "/a%2Fb")]
    {
        assert!(!allowed(&format!("user-agent: *\ndisallow: {rule}"), path), "{rule} {path}");
    }
    for (rule, path) in [
        ("/%2a/", "/*/"),
        ("/%24x", "/$x"),
        ("/x$y", "/x$y"),
        ("/a<b", "/a%3Cb"),
        ("/50%", "/50%"),
        ("/%zz", "/%zz"),
        ("/a b", "/a%20b"),
    ] {
        assert!(!allowed(&format!("user-agent: *\ndisallow: {rule}"), path), "{rule} {path}");
    }
    assert!(allowed("user-agent: *\ndisallow: /a%2Fb", "/a/b"), "an escaped slash is not a slash");
    assert!(allowed("user-agent: *\ndisallow: /a%2Ab", "/aXb"), "an escaped star is not a star");
    assert!(allowed("user-agent: *\ndisallow: /a%24", "/a"), "an escaped dollar is not the end");
}

#[test]
fn rfc9309_groups_of_our_token_are_merged_and_replace_those_for_everyone() {
    let file = "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: HELIOS/2.0\nDisallow: /one\n\
                User-Agent: helios\nDisallow: /two # why\nCrawl-delay: 2.5\n";
    for (path, expected) in [("/", true), ("/one", false), ("/two", false)] {
        assert_eq!(allowed(file, path), expected, "{path}");
    }
    assert_eq!(rules(file).crawl_delay_ms, Some(2_500));
}

#[test]
fn rfc9309_an_agent_line_names_a_product_token() {
    for (line, ours) in [
        ("Helios", true),
        ("helios/2.0 (+http://x.test)", true),
        ("helios 2", true),
        ("heliosbot", false),
        ("helios-news", false),
        ("helio", false),
        ("my helios", false),
        ("", false),
    ] {
        let file = format!("user-agent: {line}\ndisallow: /ours\n\nuser-agent: *\ndisallow: /everyones");
        assert_eq!((!allowed(&file, "/ours"), !allowed(&file, "/everyones")), (ours, !ours), "{line}");
    }
    assert!(allowed("user-agent: *bot\ndisallow: /", "/"), "a star is everyone only if it stands alone");
    assert!(allowed("user-agent: helios\nuser-agent: *\ndisallow:\n\nuser-agent: *\ndisallow: /", "/"));
}

#[test]
fn rfc9309_other_lines_do_not_end_a_group() {
    for other in ["Sitemap: http://x.test/s.xml", "Crawl-delay: 3", "Clean-param: a /", "nonsense", ""] {
        let file = format!("user-agent: helios\n{other}\nuser-agent: other\ndisallow: /x");
        assert!(!allowed(&file, "/x"), "{other}");
    }
}

#[test]
fn rfc9309_robots_txt_itself_is_always_allowed() {
    let deny_all = "user-agent: *\ndisallow: /";
    assert!(allowed(deny_all, "/robots.txt"));
    assert!(!allowed(deny_all, "/robots.txt?x") && !allowed(deny_all, "/robots.txt/"));
}

#[test]
fn house_a_page_named_index_stands_for_its_folder() {
    let file = "user-agent: *\nallow: /a/index.html\ndisallow: /";
    for (path, expected) in [("/a/index.html", true), ("/a/", true), ("/a/b", false), ("/", false)] {
        assert_eq!(allowed(file, path), expected, "{path}");
    }
    assert!(allowed("user-agent: *\ndisallow: /a/index.html", "/a/"), "only if it is allowed");
}

#[test]
fn house_slips_of_the_pen_are_forgiven() {
    for line in ["Disallow /x", "dissallow: /x", "disalow: /x", "DISALLOW\t:\t/x", "Disallow:/x#why"] {
        assert!(!allowed(&format!("useragent: *\n{line}"), "/x"), "{line}");
        assert!(!allowed(&format!("User agent *\n{line}"), "/x"), "{line}");
    }
    for line in ["disallowed: /x", "disallow/x", "no disallow: /x", "-disallow: /x"] {
        assert!(allowed(&format!("user-agent: *\n{line}"), "/x"), "{line}");
    }
}

#[test]
fn house_a_delay_belongs_to_the_agents_right_before_it() {
    let file = "user-agent: other\ncrawl-delay: 9\nuser-agent: helios\ncrawl-delay: 0.25\nuser-agent: *\n\
                disallow: /x\n\nuser-agent: late\ncrawl-delay: 7";
    assert_eq!(rules(file).crawl_delay_ms, Some(250));
    let of = |value: &str| rules(&format!("user-agent: *\ncrawl-delay: {value}")).crawl_delay_ms;
    for (value, ms) in [("2", Some(2_000)), ("10<br>", Some(10_000)), (".5 s", Some(500)), ("0", Some(0))] {
        assert_eq!(of(value), ms, "{value}");
    }
    for value in ["", "soon", "-1", ".", "1.2.3", "NaN", "inf"] {
        assert_eq!(of(value), None, "{value}");
    }
    assert_eq!(of(&"9".repeat(300)), Some(86_400_000_000), "a thousand days, and no overflow");
}

#[test]
fn sitemaps_belong_to_no_group_and_are_told_once() {
    let file =
        "Sitemap: http://x.test/1\nuser-agent: other\nsitemap: /2\nSITEMAP: http://x.test/1\nsitemap:\n";
    assert_eq!(rules(file).sitemaps, ["http://x.test/1", "/2"]);
}

#[test]
fn files_in_utf16_are_read_if_they_say_so() {
    let text = "user-agent: *\r\ndisallow: /ü\r\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for file in [[&[0xFF, 0xFE], &little[..]].concat(), [&[0xFE, 0xFF], &big[..]].concat()] {
        assert!(!RobotsRules::parse(&file, "helios", LIMIT).allows("/%C3%BC"));
    }
}

#[test]
fn a_trivial_file_costs_a_few_dozen_bytes() {
    assert!(rules("User-agent: *\nDisallow:\n").bytes() <= 64);
    assert!(rules("User-agent: *\nDisallow: /admin/\n").bytes() <= 128);
}

#[test]
fn rfc9309_odd_bytes_do_not_hide_rules() {
    for file in [
        "\u{feff}User-agent: *\r\nDisallow: /x\r\n",
        "User-agent: *\rDisallow: /x\r",
        "junk\n\0\nuser-agent : *\n  disallow :  /x  \n",
        "Disallow: /y\nUser-agent: *\nNoise: 1\nDisallow: /x",
    ] {
        assert!(!allowed(file, "/x"), "{file:?}");
    }
    assert!(allowed("<html><body>not found</body></html>", "/x"));
    assert!(allowed("User-agent: *\nDisallow:\n", "/x"), "an empty rule denies nothing");
}

#[test]
fn rfc9309_what_lies_beyond_the_size_limit_is_not_read() {
    let file = format!("User-agent: *\nDisallow: /early\n#{}\nDisallow: /late\n", "x".repeat(LIMIT));
    assert!(!allowed(&file, "/early"));
    assert!(allowed(&file, "/late"));
}

#[test]
fn the_denying_rule_is_named() {
    assert_eq!(
        rules("user-agent: *\ndisallow: /secret/").denying_rule("/secret/x"),
        Some("disallow: /secret/".to_owned())
    );
    let url = CanonicalUrl::parse("http://e.org/secret/x").unwrap();
    assert!(Permit::under(&rules("user-agent: *\ndisallow: /secret/"), &url).is_err());
}

#[test]
fn a_header_speaks_to_those_whom_it_names() {
    let of = |values: &[&str]| {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        let said = RobotsDirectives::of_headers(&values, "helios");
        (said.index, said.follow, said.archive)
    };
    for (values, expected) in [
        (&["noindex"][..], (false, true, true)),
        (&["helios: noindex"], (false, true, true)),
        (&["HELIOS : NoIndex, nofollow"], (false, false, true)),
        (&["otherbot: noindex"], (true, true, true)),
        (&["otherbot: none, helios: noarchive"], (true, true, false)),
        (&["helios: noarchive, otherbot: none"], (true, true, false)),
        (&["otherbot: none", "nofollow"], (true, false, true)),
        (&["all, index, follow, nonsense, max-snippet: 3"], (true, true, true)),
        (&["", ",,,", ":", "helios:"], (true, true, true)),
    ] {
        assert_eq!(of(values), expected, "{values:?}");
    }
}

#[test]
fn a_page_may_say_until_when_it_may_be_kept() {
    let end = |value: &str| RobotsDirectives::of_headers(&[value.to_owned()], "helios").unavailable_after;
    let june = Some(1_277_478_000_000);
    for (value, expected) in [
        ("unavailable_after: 25 Jun 2010 15:00:00 GMT", june),
        ("helios: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow", june),
        ("unavailable_after: 2010-06-25T15:00:00Z, unavailable_after: 2030-01-01", june),
        ("otherbot: unavailable_after: 25 Jun 2010 15:00:00 GMT", None),
        ("unavailable_after: never", None),
    ] {
        assert_eq!(end(value), expected, "{value}");
    }
    let said = RobotsDirectives { unavailable_after: Some(10), ..RobotsDirectives::default() };
    assert!(said.may_keep(9) && !said.may_keep(10));
    let both = said.and(RobotsDirectives { unavailable_after: Some(5), follow: false, ..said });
    assert_eq!((both.unavailable_after, both.follow, both.index), (Some(5), false, true));
}

//! Which URLs belong to the crawl: patterns, and a list of seeds alone.

use helios_core::frontier::ScopeKind;

use crate::world::{World, page, urls};

/// What is leased after the first page of a.test led to these.
fn followed(world: &mut World, links: &[&'static str]) -> Vec<String> {
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    let (visit, due) = world.next(1_001);
    assert_eq!(urls(&visit), ["http://a.test/"]);
    world.settle(&visit, due, |_| (page(""), links.to_vec()));
    let mut found = Vec::new();
    let mut now = due;
    while let Some(next) = world.frontier.next_due(now) {
        let (visit, due) = world.next(next);
        found.extend(urls(&visit).iter().map(ToString::to_string));
        world.settle(&visit, due, |_| (page(""), vec![]));
        now = due;
    }
    found.sort();
    found
}

#[test]
fn only_what_is_included_and_not_excluded_is_followed_and_seeds_need_not_be() {
    for (include, exclude, expected) in [
        (vec!["/news/*"], vec![], vec!["/news/1", "/news/2.pdf"]),
        (vec!["/news/"], vec!["*.pdf"], vec!["/news/1"]),
        (vec!["a.test/old/*"], vec![], vec!["/old/1"]),
        (vec!["re:/[a-z]+/[0-9]$"], vec![], vec!["/news/1", "/old/1"]),
        (vec![], vec!["http://a.test/news/*"], vec!["/old/1"]),
        (vec!["b.test"], vec![], vec![]),
    ] {
        let texts = |patterns: &[&str]| patterns.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let mut world = World::with(|tables| {
            tables.crawl.include = texts(&include);
            tables.crawl.exclude = texts(&exclude);
        });
        let links = ["http://a.test/news/1", "http://a.test/news/2.pdf", "http://a.test/old/1"];
        let found = followed(&mut world, &links);
        let expected: Vec<String> = expected.iter().map(|path| format!("http://a.test{path}")).collect();
        assert_eq!(found, expected, "{include:?} {exclude:?}");
        assert_eq!(world.stat("unwanted"), 3 - expected.len() as u64);
    }
}

#[test]
fn a_seed_that_is_excluded_is_refused_with_the_pattern() {
    let mut world = World::with(|tables| tables.crawl.exclude = vec!["*.pdf".to_owned()]);
    let refused = world.frontier.seed(0, ["http://a.test/a.pdf", "http://a.test/a"]).unwrap();
    assert_eq!(refused.len(), 1);
    assert!(refused[0].1.to_string().contains("it is excluded by \"*.pdf\""), "{}", refused[0].1);
}

#[test]
fn a_list_is_crawled_alone_with_its_redirects_inside_a_site() {
    let mut world = World::with(|tables| tables.crawl.scope = ScopeKind::List);
    assert_eq!(followed(&mut world, &["http://a.test/1", "http://b.test/"]), Vec::<String>::new());
    assert_eq!(world.stat("out_of_scope"), 2);
}

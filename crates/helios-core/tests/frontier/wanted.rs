//! Which URLs belong to the crawl: patterns, and a list of seeds alone.

use helios_core::frontier::{FrontierTables, Replay, ScopeKind};

use crate::world::{World, page, urls};

type Change = fn(&mut FrontierTables);

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
fn what_waits_is_given_up_when_it_does_not_belong_to_the_crawl_any_more_and_lives_again_when_it_does() {
    let narrower: [(&str, Change); 4] = [
        ("excluded", |tables| tables.crawl.exclude = vec!["/deep/*".to_owned()]),
        ("include", |tables| tables.crawl.include = vec!["/never/*".to_owned()]),
        ("max_depth = 0", |tables| tables.crawl.max_depth = Some(0)),
        ("scope", |tables| tables.crawl.scope = ScopeKind::Host),
    ];
    for (reason, narrow) in narrower {
        let mut world = World::with(|tables| tables.crawl.scope = ScopeKind::Any);
        world.seed(&["http://a.test/"]);
        world.open_site(0, "");
        let (visit, due) = world.next(1_000);
        let deep = "http://www.a.test/deep/1";
        world.settle(&visit, due, |_| (page(""), vec![deep]));
        let wide = world.tables.clone();
        world.reopen_with(due, narrow);
        while let Some(next) = world.frontier.next_due(due) {
            assert!(world.frontier.lease(next, 9).unwrap().is_empty(), "{reason}");
        }
        let why = world.why(deep);
        assert_eq!(why.state, "dead", "{reason}");
        assert!(why.because.contains(reason), "{}", why.because);
        world.reopen_with(due, |tables| *tables = wide);
        assert_eq!(world.frontier.replay(due, &Replay::default()).unwrap(), 1);
        assert_eq!(world.why(deep).state, "queued");
    }
}

#[test]
fn millions_that_do_not_belong_any_more_are_not_given_up_in_one_call() {
    let seeds: Vec<String> = (0..30_000).map(|number| format!("http://s{number}.test/")).collect();
    let mut world = World::new();
    world.frontier.seed(0, seeds.iter().map(String::as_str)).unwrap();
    world.reopen_with(0, |tables| tables.crawl.exclude = vec!["*".to_owned()]);
    assert!(world.lease(1_000).is_empty());
    let first = world.stat("dead");
    assert!((1..30_000).contains(&first), "{first}");
    while world.frontier.next_due(1_000).is_some() {
        world.lease(1_000);
    }
    assert_eq!(world.stat("dead"), 30_000);
}

#[test]
fn what_a_person_gave_is_no_trap() {
    let repeats = "http://a.test/x/x/x/x/x/x/x";
    let days: Vec<String> = (1..9).map(|day| format!("http://a.test/cal?date=2024-05-0{day}")).collect();
    let mut world = World::with(|tables| tables.traps.urls_per_shape = 3);
    let refused = world.frontier.seed(0, days.iter().map(String::as_str).chain([repeats])).unwrap();
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!((world.stat("pending"), world.stat("trapped")), (9, 0));
}

#[test]
fn a_list_is_crawled_alone_with_its_redirects_inside_a_site() {
    let mut world = World::with(|tables| tables.crawl.scope = ScopeKind::List);
    assert_eq!(followed(&mut world, &["http://a.test/1", "http://b.test/"]), Vec::<String>::new());
    assert_eq!(world.stat("out_of_scope"), 2);
}

//! Sitemaps that robots.txt names, and what they say of their URLs.

use helios_core::fetch::Outcome;
use helios_core::frontier::{Found, Hint, Listing, ScopeKind};

use crate::world::{World, finished, found, page, urls};

const DAY: u64 = 86_400_000;

/// A crawl whose robots.txt was read at the time 0, and the visit that follows.
fn opened(robots: &'static str, change: impl FnOnce(&mut helios_core::frontier::FrontierTables)) -> World {
    let mut world = World::with(change);
    world.seed(&["http://a.test/"]);
    world.open_site(0, robots);
    world
}

/// Settles a visit of one page with what it found.
fn settle(world: &mut World, now: u64, what: impl FnOnce() -> Found) -> (Vec<String>, u64) {
    let (visit, due) = world.next(now);
    let asked = urls(&visit).iter().map(ToString::to_string).collect();
    let mut what = Some(what());
    let done: Vec<_> = visit
        .tasks
        .iter()
        .enumerate()
        .map(|(at, task)| finished(&visit, task, page(""), due, at + 1 == visit.tasks.len()))
        .collect();
    let each = done.iter().map(|_| what.take().unwrap_or_default()).collect();
    world.frontier.settle(due, &done, each, None).unwrap();
    (asked, due)
}

#[test]
fn sitemaps_of_robots_txt_are_asked_for_after_the_seed() {
    let mut world = opened("Sitemap: http://a.test/one.xml\nSitemap: /two.xml\n", |_| {});
    let (visit, _) = world.next(1_000);
    assert_eq!(urls(&visit), ["http://a.test/", "http://a.test/one.xml", "http://a.test/two.xml"]);
    let why = world.why("http://a.test/one.xml");
    assert_eq!((why.via.as_deref(), why.depth), (Some("http://a.test/robots.txt"), Some(0)));
}

#[test]
fn sitemaps_are_left_alone_where_they_are_not_wanted() {
    for change in [
        (|tables: &mut helios_core::frontier::FrontierTables| tables.crawl.sitemaps = false) as fn(&mut _),
        |tables| tables.crawl.max_depth = Some(0),
    ] {
        let mut world = opened("Sitemap: http://a.test/one.xml\n", change);
        assert_eq!(urls(&world.next(1_000).0), ["http://a.test/"]);
    }
}

#[test]
fn strangers_are_asked_for_few_sitemaps_and_only_for_those() {
    let lines: Vec<String> =
        (0..40).map(|number| format!("Sitemap: http://b{number}.test/map.xml")).collect();
    let mut world =
        opened(Box::leak(lines.join("\n").into_boxed_str()), |tables| tables.crawl.scope = ScopeKind::Host);
    assert_eq!(world.stat("known"), 1 + 16);
    let leads_away = || Found {
        listing: Some(Listing { index: true, hints: Vec::new() }),
        ..found(&["http://b0.test/more.xml", "http://c.test/map.xml"])
    };
    let mut known = 0;
    for turn in 0..40 {
        let at = 1_000 * (turn + 1);
        let Some(visit) = world.lease(at).into_iter().find(|visit| visit.site.as_str() == "b0.test") else {
            continue;
        };
        for task in &visit.tasks {
            let robots = task.permit.url().target() == "/robots.txt";
            let done = finished(&visit, task, page(""), at, true);
            let what = if robots { Found::default() } else { leads_away() };
            world.frontier.settle(at, &[done], vec![what], None).unwrap();
            known = world.stat("known");
        }
        if known > 17 {
            break;
        }
    }
    assert_eq!(known, 18, "the sitemaps of its index beside it, nobody else's");
}

#[test]
fn sitemaps_of_an_index_are_asked_for_wherever_they_lie_and_whatever_is_excluded() {
    let mut world = opened("Sitemap: http://b.test/index.xml\n", |tables| {
        tables.crawl.scope = ScopeKind::Host;
        tables.crawl.exclude = vec!["*.xml".to_owned()];
    });
    let mut asked = Vec::new();
    let mut now = 1_000;
    while world.frontier.next_due(now).is_some() {
        let (some, due) = settle(&mut world, now, || Found {
            listing: Some(Listing { index: true, ..Listing::default() }),
            ..found(&["http://b.test/child.xml"])
        });
        asked.extend(some);
        now = due;
    }
    assert!(asked.contains(&"http://b.test/child.xml".to_owned()), "{asked:?}");
    assert_eq!(world.stat("dead"), 0);
}

#[test]
fn a_list_is_no_page_and_its_links_are_as_deep_as_it_says() {
    let mut world = opened("Sitemap: http://a.test/index.xml\n", |tables| {
        tables.crawl.max_pages = Some(2);
        tables.frontier.visit_urls = 1;
    });
    let (_, now) = settle(&mut world, 1_000, Found::default);
    let index = || Found {
        listing: Some(Listing { index: true, ..Listing::default() }),
        ..found(&["http://a.test/m.xml"])
    };
    let (asked, now) = settle(&mut world, now, index);
    assert_eq!(asked, ["http://a.test/index.xml"]);
    assert_eq!(world.why("http://a.test/m.xml").depth, Some(0));
    let list =
        || Found { listing: Some(Listing::default()), ..found(&["http://a.test/p", "http://a.test/q"]) };
    let (asked, now) = settle(&mut world, now, list);
    assert_eq!(asked, ["http://a.test/m.xml"]);
    assert_eq!(world.why("http://a.test/p").depth, Some(1));
    assert_eq!(world.stat("fetched"), 1);
    settle(&mut world, now, Found::default);
    assert_eq!(world.stat("fetched"), 2);
    assert!(world.frontier.finished(now + 100_000), "two pages, two lists");
}

#[test]
fn of_a_list_that_is_a_seed_all_that_it_lists_of_its_site_is_crawled_and_nothing_else() {
    let mut world = World::with(|tables| {
        tables.crawl.scope = ScopeKind::List;
        tables.frontier.visit_urls = 1;
    });
    world.seed(&["http://a.test/index.xml"]);
    world.open_site(0, "Sitemap: http://a.test/other.xml\n");
    let index = || Found {
        listing: Some(Listing { index: true, ..Listing::default() }),
        ..found(&["http://a.test/m.xml"])
    };
    let (_, now) = settle(&mut world, 1_000, index);
    let list =
        || Found { listing: Some(Listing::default()), ..found(&["http://a.test/p", "http://b.test/q"]) };
    let (asked, now) = settle(&mut world, now, list);
    assert_eq!(asked, ["http://a.test/m.xml"]);
    let (visit, due) = world.next(now);
    assert_eq!(urls(&visit), ["http://a.test/p"]);
    let moved = || Outcome::Redirected { status: 301, target: "/p/".to_owned() };
    world.settle(&visit, due, |_| (moved(), vec![]));
    let (asked, now) = settle(&mut world, due, || found(&["http://a.test/away"]));
    assert_eq!(asked, ["http://a.test/p/"], "where it redirects to");
    assert!(world.frontier.finished(now + 100_000));
    assert_eq!(world.stat("known"), 4);
}

#[test]
fn what_a_sitemap_says_orders_its_own_site_and_nobody_else() {
    let mut world = opened("Sitemap: http://a.test/map.xml\n", |tables| {
        tables.crawl.scope = ScopeKind::Any;
        tables.robots.ttl_s = 1_000_000_000;
        tables.frontier.visit_urls = 2;
    });
    let say = |modified: Option<u64>, priority| Hint { modified, priority, change: None };
    let hints =
        vec![say(Some(0), None), say(Some(100 * DAY), None), say(None, Some(0)), say(None, Some(100))];
    let links = ["http://a.test/old", "http://a.test/new", "http://a.test/cheap", "http://a.test/dear"];
    let list = || Found { listing: Some(Listing { index: false, hints }), ..found(&links) };
    let (visit, due) = world.next(100 * DAY);
    let done: Vec<_> = (0..2).map(|at| finished(&visit, &visit.tasks[at], page(""), due, at == 1)).collect();
    world.frontier.settle(due, &done, vec![Found::default(), list()], None).unwrap();
    let mut order = Vec::new();
    let mut now = due;
    while order.len() < 4 {
        let (asked, due) = settle(&mut world, now, Found::default);
        order.extend(asked);
        now = due;
    }
    let place = |url: &str| order.iter().position(|one| one == url).unwrap();
    assert!(place(links[1]) < place(links[0]), "{order:?}");
    assert!(place(links[3]) < place(links[2]), "{order:?}");
}

#[test]
fn a_page_that_did_not_change_for_long_comes_back_late() {
    let first_pause = |modified: Option<u64>| {
        let mut world = opened("Sitemap: http://a.test/map.xml\n", |tables| {
            tables.recrawl.enabled = true;
            tables.frontier.visit_urls = 1;
            tables.recrawl.start_s = [7 * 86_400; 3];
            tables.recrawl.floor_s = [86_400; 3];
            tables.recrawl.ceiling_s = [60 * 86_400; 3];
            tables.robots.ttl_s = 1_000_000_000;
        });
        let begin = 1_000 * DAY;
        let (_, now) = settle(&mut world, begin, || Found { content: Some(1), ..Found::default() });
        let hints = vec![Hint { modified, ..Hint::default() }];
        let list = || Found { listing: Some(Listing { index: false, hints }), ..found(&["http://a.test/p"]) };
        let (_, now) = settle(&mut world, now, list);
        let (asked, now) = settle(&mut world, now, || Found { content: Some(2), ..Found::default() });
        assert_eq!(asked, ["http://a.test/p"]);
        (world.why("http://a.test/p").next.unwrap() - now) / DAY
    };
    let (unknown, lately, long_ago) =
        (first_pause(None), first_pause(Some(999 * DAY)), first_pause(Some(500 * DAY)));
    assert!((6..=8).contains(&unknown), "{unknown}");
    assert!((1..=2).contains(&lately), "the floor: {lately}");
    assert!((44..=56).contains(&long_ago), "a tenth of 500 days: {long_ago}");
}

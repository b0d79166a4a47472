//! Redirects: links with a hop count, which may lead back.

use helios_core::fetch::Outcome;
use helios_core::frontier::{Replay, ScopeKind};

use crate::world::{Answer, World, page, urls};

const DAYS: u64 = 90 * 86_400_000;

fn to(target: &str) -> Answer {
    (Outcome::Redirected { status: 302, target: target.to_owned() }, vec![])
}

/// The paths that are asked for from then on, each answered by its path and by how many were asked; not those that wait for days.
fn asked(world: &mut World, from: u64, answer: impl Fn(&str, usize) -> Answer) -> Vec<String> {
    let mut asked = Vec::new();
    while let Some(due) = world.frontier.next_due(from).filter(|due| *due < from + 600_000) {
        for visit in world.lease(due.max(from)) {
            world.settle(&visit, due.max(from), |task| {
                asked.push(task.permit.url().target().to_owned());
                answer(asked.last().unwrap(), asked.len())
            });
        }
    }
    asked
}

#[test]
fn redirects_are_links_with_a_hop_count() {
    let mut world = World::new();
    world.seed(&["http://a.test/0"]);
    world.open_site(0, "");
    for hop in 1..=3 {
        let due = world.frontier.next_due(0).unwrap();
        let visit = world.only(due);
        let target = format!("/{hop}");
        world.settle(&visit, due, |_| to(&target));
    }
    assert!(world.frontier.finished(99_999), "the third hop is one too many");
    assert_eq!(world.stat("too_many_redirects"), 1);
}

#[test]
fn a_url_that_redirects_once_too_often_is_a_dead_letter_which_a_replay_follows_further() {
    let mut world = World::new();
    world.seed(&["http://a.test/0"]);
    world.open_site(0, "");
    let redirect = |world: &mut World, hop: u32| {
        let due = world.frontier.next_due(0).unwrap();
        let visit = world.only(due);
        world.settle(&visit, due, |_| to(&format!("/{}", hop + 1)));
        (urls(&visit)[0].to_owned(), due)
    };
    let (last, due) = (0..3).map(|hop| redirect(&mut world, hop)).last().unwrap();
    let why = world.why(&last);
    assert_eq!(why.state, "dead");
    assert!(why.because.contains("max_redirects = 2"), "{}", why.because);
    assert_eq!(world.frontier.replay(due, &Replay::default()).unwrap(), 1);
    assert_eq!(redirect(&mut world, 2).0, last);
    assert_eq!(redirect(&mut world, 3).0, "http://a.test/3");
}

#[test]
fn with_cookies_a_url_is_asked_again_where_redirects_lead_back_to_it() {
    let wall: fn(&str, usize) -> Answer = |path, turn| match (path, turn) {
        ("/", 1) => to("/wall"),
        ("/wall", _) => to("/"),
        _ => (page("let in"), vec![]),
    };
    for (cookies, recrawl, expected) in [
        (true, false, vec!["/", "/wall", "/"]),
        (true, true, vec!["/", "/wall", "/"]),
        (false, false, vec!["/", "/wall"]),
    ] {
        let mut world = World::with(|tables| {
            (tables.frontier.cookies, tables.recrawl.enabled) = (cookies, recrawl);
        });
        world.seed(&["http://a.test/"]);
        world.open_site(0, "");
        assert_eq!(asked(&mut world, 0, wall), expected);
    }
}

#[test]
fn what_was_fetched_before_is_not_asked_again_by_redirects_for_it_would_be_stored_twice() {
    for wall in ["/", "/wall"] {
        let mut world = World::with(|tables| {
            (tables.frontier.cookies, tables.recrawl.enabled) = (true, true);
        });
        world.seed(&["http://a.test/"]);
        world.open_site(0, "");
        assert_eq!(asked(&mut world, 0, |_, _| (page(""), vec![])), ["/"]);
        let later = world.frontier.next_due(DAYS).unwrap().max(DAYS);
        world.reopen_with(later, |tables| tables.recrawl.enabled = false);
        let (visit, due) = world.next(later);
        world.settle(&visit, due, |task| {
            let robots = task.permit.url().target() == "/robots.txt";
            if robots { (page(""), vec![]) } else { to(wall) }
        });
        let more = asked(&mut world, due, |path, _| if path == "/wall" { to("/") } else { to(wall) });
        assert!(more.iter().filter(|path| *path == "/").count() <= 1, "{more:?}");
        assert!(world.frontier.finished(due + DAYS));
    }
}

#[test]
fn a_sitemap_that_redirects_to_the_robots_txt_that_names_it_makes_no_page_of_that() {
    let mut world = World::with(|tables| tables.frontier.cookies = true);
    world.seed(&["http://a.test/"]);
    world.open_site(0, "Sitemap: /s\nSitemap: /t\n");
    let asked = asked(&mut world, 0, |path, _| match path {
        "/s" | "/t" => to(if path == "/s" { "/s2" } else { "/t2" }),
        "/s2" | "/t2" => to("/robots.txt"),
        _ => (page(""), vec![]),
    });
    assert!(asked.iter().filter(|path| *path == "/robots.txt").count() <= 1, "{asked:?}");
}

#[test]
fn where_a_seed_redirects_to_is_no_trap() {
    let mut world = World::seeded(&["http://a.test/x/x/x/x/x/x"]);
    world.open_site(0, "");
    let answer = |path: &str, _| if path.ends_with('/') { (page(""), vec![]) } else { to("/x/x/x/x/x/x/") };
    assert_eq!(asked(&mut world, 0, answer), ["/x/x/x/x/x/x", "/x/x/x/x/x/x/"]);
}

#[test]
fn with_cookies_a_circle_of_redirects_ends() {
    let mut world = World::with(|tables| tables.frontier.cookies = true);
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    let asked = asked(&mut world, 0, |_, _| to("/"));
    assert_eq!((asked.len(), world.stat("dead")), (3, 1), "max_redirects is 2");
}

#[test]
fn where_a_seed_redirects_to_inside_its_site_is_in_scope_and_where_a_page_does_is_not() {
    let mut world = World::with(|tables| tables.crawl.scope = ScopeKind::Host);
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    let (visit, due) = world.next(1_000);
    world.settle(&visit, due, |_| to("http://www.a.test/"));
    let (robots, due) = world.next(due);
    world.settle(&robots, due, |_| (page(""), vec![]));
    let (visit, due) = world.next(due);
    assert_eq!(urls(&visit), ["http://www.a.test/"]);
    world.settle(&visit, due, |_| (page(""), vec!["http://www.a.test/1"]));
    let (visit, due) = world.next(due);
    assert_eq!(urls(&visit), ["http://www.a.test/1"], "its links are followed");
    world.settle(&visit, due, |_| to("http://blog.a.test/"));
    assert!(world.frontier.finished(due));
    assert_eq!(world.stat("out_of_scope"), 1);
}

#[test]
fn where_a_seed_redirects_to_elsewhere_is_out_of_scope() {
    let mut world = World::with(|tables| tables.crawl.scope = ScopeKind::Host);
    world.seed(&["http://a.test/"]);
    world.open_site(0, "");
    let (visit, due) = world.next(1_000);
    world.settle(&visit, due, |_| to("http://login.test/"));
    assert!(world.frontier.finished(due));
}

//! What is remembered and for how long; who is joined with whom. Time passes only when a test says so.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};

use helios_core::dns::{DnsError, DnsSettings, Failure, Families, Resolver};

use crate::liar::{A, AAAA, Liar, addresses, pass, record, resolver, soa};

/// Lets look-ups that nobody waits for come to their end.
async fn settled(resolver: &Resolver) {
    while resolver.stats().in_flight > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn an_answer_serves_as_long_as_it_says_and_no_longer() {
    let liar = Liar::honest("192.0.2.1").await;
    let resolver = liar.resolver();
    for (after, asked) in [(0, 1), (200, 1), (100, 2), (239, 2), (61, 3)] {
        pass(after);
        assert_eq!(*resolver.addresses("a.test").await.unwrap(), addresses(&["192.0.2.1"]));
        assert_eq!(liar.asked("a.test"), asked, "after {after} s");
    }
    let stats = resolver.stats();
    assert_eq!((stats.hits, stats.misses, stats.entries), (2, 3, 1));
    assert_eq!((stats.looked_up, stats.look_up_us > 0), (3, true));
}

#[tokio::test]
async fn time_to_live_is_kept_within_the_bounds_of_the_settings() {
    for (ttl, lives) in
        [(0, 30), (29, 30), (31, 31), (86_401, 86_400), (i32::MAX as u32, 86_400), (u32::MAX, 30)]
    {
        let liar =
            Liar::start(move |question| vec![question.answer(0, &[question.address(ttl, "192.0.2.1")])])
                .await;
        let resolver = liar.resolver();
        resolver.addresses("a.test").await.unwrap();
        pass(lives * 4 / 5 - 1);
        resolver.addresses("a.test").await.unwrap();
        assert_eq!(liar.asked("a.test"), 1, "ttl {ttl} lives");
        pass(lives - lives * 4 / 5 + 1);
        resolver.addresses("a.test").await.unwrap();
        assert_eq!(liar.asked("a.test"), 2, "ttl {ttl} ends after {lives} s");
    }
}

#[tokio::test]
async fn without_a_least_time_an_answer_of_no_time_is_not_kept() {
    let liar = Liar::start(|question| vec![question.answer(0, &[question.address(0, "192.0.2.1")])]).await;
    let resolver = resolver(&DnsSettings { min_ttl_s: 0, ..liar.settings() });
    for asked in 1..4 {
        resolver.addresses("a.test").await.unwrap();
        assert_eq!(liar.asked("a.test"), asked);
    }
    assert_eq!(resolver.stats().entries, 0);
}

#[tokio::test]
async fn a_hot_name_is_asked_for_again_before_its_end_while_the_old_answer_serves() {
    let liar = Liar::start(|question| {
        let address = if question.nth == 0 { "192.0.2.1" } else { "192.0.2.2" };
        vec![question.answer(0, &[question.address(100, address)])]
    })
    .await;
    let resolver = liar.resolver();
    resolver.addresses("a.test").await.unwrap();
    pass(81);
    for _ in 0..3 {
        assert_eq!(
            *resolver.addresses("a.test").await.unwrap(),
            addresses(&["192.0.2.1"]),
            "the old one, at once"
        );
    }
    settled(&resolver).await;
    assert_eq!((liar.asked("a.test"), resolver.stats().prefetches), (2, 1));
    pass(79);
    assert_eq!(*resolver.addresses("a.test").await.unwrap(), addresses(&["192.0.2.2"]));
    assert_eq!((liar.asked("a.test"), resolver.stats().misses), (2, 1), "nobody had to wait again");
}

#[tokio::test]
async fn a_refresh_that_fails_leaves_the_old_answer_to_its_end() {
    let liar = Liar::start(|question| match question.nth {
        0 => vec![question.answer(0, &[question.address(100, "192.0.2.1")])],
        _ => vec![question.answer(2, &[])],
    })
    .await;
    let resolver = liar.resolver();
    resolver.addresses("a.test").await.unwrap();
    pass(90);
    resolver.addresses("a.test").await.unwrap();
    settled(&resolver).await;
    assert_eq!(*resolver.addresses("a.test").await.unwrap(), addresses(&["192.0.2.1"]));
    pass(10);
    assert_eq!(resolver.addresses("a.test").await, Err(DnsError::ServerFailed(Failure::Code(2))));
}

#[tokio::test]
async fn rfc2308_that_there_is_nothing_is_remembered_for_the_lesser_time_of_the_zone() {
    for (code, own, minimum, lives, error) in [
        (3, 600, 60, 60, DnsError::NoSuchName),
        (0, 60, 600, 60, DnsError::NoAddress),
        (3, 86_400, 86_400, 900, DnsError::NoSuchName),
        (3, 1, 1, 30, DnsError::NoSuchName),
    ] {
        let liar =
            Liar::start(move |question| vec![question.message(code, &[], &[soa("test", own, minimum)])])
                .await;
        let resolver = liar.resolver();
        for (after, asked) in [(0, 1), (lives - 1, 1), (1, 2)] {
            pass(after);
            assert_eq!(resolver.addresses("a.test").await, Err(error));
            assert_eq!(liar.asked("a.test"), asked, "code {code}, {own}, {minimum}: after {after} s");
        }
        assert_eq!(resolver.stats().negative_hits, 1);
    }
}

#[tokio::test]
async fn a_failing_server_is_left_alone_for_a_few_seconds_only() {
    let liar = Liar::start(|question| vec![question.answer(2, &[])]).await;
    let resolver = liar.resolver();
    for (after, asked) in [(0, 1), (4, 1), (1, 2)] {
        pass(after);
        let found = resolver.addresses("a.test").await;
        assert_eq!(found, Err(DnsError::ServerFailed(Failure::Code(2))));
        assert!(found.is_err_and(DnsError::is_temporary));
        assert_eq!(liar.asked("a.test"), asked, "after {after} s");
    }
    assert_eq!(resolver.stats().failures, 2);
}

#[tokio::test]
async fn askers_of_one_name_share_one_look_up_also_when_the_first_goes_away() {
    let liar = Liar::honest("192.0.2.1").await;
    let resolver = liar.resolver();
    {
        let mut first = pin!(resolver.addresses("a.test"));
        assert!(first.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        // Dropped here, before its answer.
    }
    let mut others: Vec<_> = (0..100).map(|_| Box::pin(resolver.addresses("a.test"))).collect();
    for other in &mut others {
        assert!(other.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    for other in others {
        assert_eq!(*other.await.unwrap(), addresses(&["192.0.2.1"]));
    }
    let stats = resolver.stats();
    assert_eq!((liar.asked("a.test"), stats.misses, stats.merged), (1, 1, 100));
}

#[tokio::test]
async fn only_so_many_names_are_remembered_and_those_in_use_stay() {
    let liar = Liar::honest("192.0.2.1").await;
    let resolver = resolver(&DnsSettings { cache_entries: 640, ..liar.settings() });
    for number in 0..2_000 {
        resolver.addresses(&format!("n{number}.test")).await.unwrap();
        resolver.addresses("hot.test").await.unwrap();
    }
    let entries = resolver.stats().entries;
    assert!((320..=640).contains(&entries), "{entries}");
    assert_eq!(liar.asked("hot.test"), 1);
}

#[tokio::test]
async fn both_families_are_asked_for_and_ipv4_comes_first() {
    let liar = Liar::start(|question| {
        let address = if question.kind == A { "192.0.2.1" } else { "2001:db8::1" };
        vec![question.answer(0, &[question.address(300, address)])]
    })
    .await;
    for (ip, expected) in [
        (Families::Both, &["192.0.2.1", "2001:db8::1"][..]),
        (Families::V4, &["192.0.2.1"]),
        (Families::V6, &["2001:db8::1"]),
    ] {
        let resolver = resolver(&DnsSettings { ip, ..liar.settings() });
        assert_eq!(*resolver.addresses("a.test").await.unwrap(), addresses(expected), "{ip:?}");
    }
}

#[tokio::test]
async fn one_family_is_enough_when_the_other_fails_or_is_never_answered() {
    for silent in [A, AAAA] {
        for code in [None, Some(2)] {
            let liar = Liar::start(move |question| match code {
                _ if question.kind != silent => {
                    let address = if question.kind == A { "192.0.2.1" } else { "2001:db8::1" };
                    vec![question.answer(0, &[record(&question.name, 300, address)])]
                }
                Some(code) => vec![question.answer(code, &[])],
                None => Vec::new(),
            })
            .await;
            let resolver = resolver(&DnsSettings { ip: Families::Both, timeout_ms: 500, ..liar.settings() });
            let expected = if silent == A { "2001:db8::1" } else { "192.0.2.1" };
            assert_eq!(
                *resolver.addresses("a.test").await.unwrap(),
                addresses(&[expected]),
                "{silent} {code:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_failing_server_hides_no_family_that_may_be_there() {
    let liar =
        Liar::start(|question| vec![question.answer(if question.kind == A { 0 } else { 2 }, &[])]).await;
    let resolver = resolver(&DnsSettings { ip: Families::Both, ..liar.settings() });
    assert_eq!(resolver.addresses("a.test").await, Err(DnsError::ServerFailed(Failure::Code(2))));
}

#[tokio::test]
async fn ten_thousand_names_are_looked_up_at_once_on_one_thread() {
    let liar = Liar::honest("192.0.2.1").await;
    let resolver = resolver(&DnsSettings { timeout_ms: 20_000, ..liar.settings() });
    let names: Vec<String> = (0..10_000).map(|number| format!("n{number}.test")).collect();
    let mut askers: Vec<_> = names.iter().map(|name| Box::pin(resolver.addresses(name))).collect();
    for asker in &mut askers {
        assert!(asker.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    assert_eq!(resolver.stats().in_flight, 10_000);
    for asker in askers {
        assert_eq!(*asker.await.unwrap(), addresses(&["192.0.2.1"]));
    }
    assert_eq!(resolver.stats().entries, 10_000);
}

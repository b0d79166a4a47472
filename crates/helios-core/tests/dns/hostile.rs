//! Servers that lie, stumble, fall silent or die.

use helios_core::dns::{DnsError, DnsSettings, Failure};

use crate::liar::{Liar, addresses, alias, record, resolver, settings};

#[tokio::test]
async fn an_answer_with_another_id_or_question_is_passed_over() {
    let liar = Liar::start(|question| {
        let truth = question.answer(0, &[question.address(300, "192.0.2.1")]);
        let mut other_id = question.answer(0, &[question.address(300, "192.0.2.66")]);
        other_id[0] ^= 1;
        let mut other_name = question.answer(0, &[question.address(300, "192.0.2.66")]);
        other_name[13] ^= 1;
        let mut other_kind = question.answer(0, &[question.address(300, "192.0.2.66")]);
        other_kind[question.bytes.len() - 3] ^= 1;
        let mut a_question = question.answer(0, &[question.address(300, "192.0.2.66")]);
        a_question[2] &= 0x7f;
        let short = truth[..7].to_vec();
        vec![other_id, other_name, other_kind, a_question, short, Vec::new(), truth]
    })
    .await;
    let found = liar.resolver().addresses("abc.test").await;
    assert_eq!(*found.unwrap(), addresses(&["192.0.2.1"]));
}

#[tokio::test]
async fn a_question_that_comes_back_in_other_letters_is_asked_on_tcp() {
    let liar = Liar::start(|question| {
        let address = if question.on_tcp { "192.0.2.1" } else { "192.0.2.66" };
        let mut message = question.answer(0, &[question.address(300, address)]);
        message[12..question.bytes.len()].make_ascii_lowercase();
        vec![message]
    })
    .await;
    let resolver = liar.resolver();
    let name = "a-name-with-so-many-letters-that-chance-makes-one-of-them-large.test";
    assert_eq!(*resolver.addresses(name).await.unwrap(), addresses(&["192.0.2.1"]));
    assert_eq!(resolver.stats().tcp, 1);
}

#[tokio::test]
async fn an_answer_that_does_not_fit_is_asked_for_on_tcp() {
    let liar = Liar::start(|question| {
        let many: Vec<_> = (1..=20).map(|n| question.address(300, &format!("192.0.2.{n}"))).collect();
        let mut message = question.answer(0, if question.on_tcp { &many } else { &many[..1] });
        message[2] |= if question.on_tcp { 0 } else { 2 };
        vec![message]
    })
    .await;
    let resolver = liar.resolver();
    assert_eq!(resolver.addresses("a.test").await.unwrap().len(), 20);
    assert_eq!((resolver.stats().tcp, liar.asked("a.test")), (1, 2));
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_a_failure_and_no_crash() {
    let liar = Liar::start(|question| {
        let whole = question.answer(0, &[question.address(300, "192.0.2.1")]);
        let message = match question.name.as_str() {
            "cut.test" => whole[..whole.len() - 2].to_vec(),
            "count.test" => {
                let mut many = whole;
                many[6..8].copy_from_slice(&[0xff, 0xff]);
                many
            }
            "pointer.test" => {
                // A name that points at itself.
                let at = question.bytes.len() as u8;
                [
                    &question.answer(0, &[Vec::new()])[..],
                    &[0xc0, at, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 1, 2, 3, 4],
                ]
                .concat()
            }
            _ => [question.bytes[..2].to_vec(), vec![0x81; 600]].concat(),
        };
        vec![message]
    })
    .await;
    let resolver = resolver(&DnsSettings { timeout_ms: 300, ..liar.settings() });
    for name in ["cut.test", "count.test", "pointer.test"] {
        assert_eq!(resolver.addresses(name).await, Err(DnsError::ServerFailed(Failure::Garbled)), "{name}");
    }
    assert_eq!(resolver.addresses("noise.test").await, Err(DnsError::TimedOut), "not even our question");
}

#[tokio::test]
async fn records_of_names_that_nobody_asked_for_are_not_believed() {
    let liar = Liar::start(|question| {
        let address = if question.name == "bank.test" { "192.0.2.1" } else { "192.0.2.66" };
        let planted = record("bank.test", 86_400, "192.0.2.66");
        vec![question.answer(0, &[planted, question.address(300, address)])]
    })
    .await;
    let resolver = liar.resolver();
    assert_eq!(*resolver.addresses("evil.test").await.unwrap(), addresses(&["192.0.2.66"]));
    resolver.addresses("bank.test").await.unwrap();
    assert_eq!(liar.asked("bank.test"), 1, "what evil.test said of it was not kept");
}

#[tokio::test]
async fn aliases_are_followed_in_any_order_and_the_shortest_time_counts() {
    let liar = Liar::start(|question| {
        let chain = [
            record("c.test", 300, "192.0.2.1"),
            alias("B.test", 40, "c.test"),
            alias("a.test", 500, "b.TEST"),
        ];
        vec![question.answer(0, &chain)]
    })
    .await;
    let resolver = liar.resolver();
    for (after, asked) in [(0, 1), (31, 1), (9, 2)] {
        crate::liar::pass(after);
        assert_eq!(*resolver.addresses("a.test").await.unwrap(), addresses(&["192.0.2.1"]));
        assert_eq!(liar.asked("a.test"), asked);
    }
}

#[tokio::test]
async fn a_server_that_stops_at_an_alias_is_asked_on() {
    let liar = Liar::start(|question| {
        let next = match question.name.as_str() {
            "a.test" => alias("a.test", 300, "b.test"),
            "b.test" => alias("b.test", 300, "c.test"),
            _ => question.address(300, "192.0.2.1"),
        };
        vec![question.answer(0, &[next])]
    })
    .await;
    assert_eq!(*liar.resolver().addresses("a.test").await.unwrap(), addresses(&["192.0.2.1"]));
}

#[tokio::test]
async fn aliases_without_end_are_given_up() {
    let liar = Liar::start(|question| {
        let records = match question.name.as_str() {
            "circle.test" => vec![alias("circle.test", 300, "b.test"), alias("b.test", 300, "circle.test")],
            "self.test" => vec![alias("self.test", 300, "self.test")],
            "ping.test" => vec![alias("ping.test", 300, "pong.test")],
            "pong.test" => vec![alias("pong.test", 300, "ping.test")],
            name => {
                let next = format!("n{}.test", question.nth + 1);
                vec![alias(name, 300, &next)]
            }
        };
        vec![question.answer(0, &records)]
    })
    .await;
    let resolver = liar.resolver();
    for name in ["circle.test", "self.test", "ping.test", "on-and-on.test"] {
        assert_eq!(resolver.addresses(name).await, Err(DnsError::Loop), "{name}");
    }
    assert!(resolver.stats().queries <= 18, "{}", resolver.stats().queries);
}

#[tokio::test]
async fn an_alias_to_a_special_name_or_to_nonsense_leads_nowhere() {
    let liar = Liar::start(|question| {
        let target = match question.name.as_str() {
            "inside.test" => "localhost",
            "number.test" => "127.0.0.1",
            _ => "sp ace.test",
        };
        vec![question.answer(0, &[alias(&question.name, 300, target)])]
    })
    .await;
    let resolver = liar.resolver();
    assert_eq!(resolver.addresses("inside.test").await, Err(DnsError::NoAddress));
    assert_eq!(resolver.addresses("number.test").await, Err(DnsError::NoAddress));
    let found = resolver.addresses("nonsense.test").await;
    assert!(matches!(found, Err(DnsError::Malformed(_))), "{found:?}");
}

#[tokio::test]
async fn a_silent_server_is_asked_three_times_and_then_given_up_in_time() {
    let liar = Liar::start(|_| Vec::new()).await;
    let resolver = resolver(&DnsSettings { timeout_ms: 200, ..liar.settings() });
    assert_eq!(resolver.addresses("a.test").await, Err(DnsError::TimedOut));
    assert_eq!((liar.asked("a.test"), resolver.stats().repeats), (3, 2));
    assert_eq!(resolver.addresses("a.test").await, Err(DnsError::TimedOut), "remembered");
    assert_eq!(liar.asked("a.test"), 3);
}

#[tokio::test]
async fn a_lost_question_is_asked_again() {
    let liar = Liar::start(|question| match question.nth {
        0 => Vec::new(),
        _ => vec![question.answer(0, &[question.address(300, "192.0.2.1")])],
    })
    .await;
    assert_eq!(*liar.resolver().addresses("a.test").await.unwrap(), addresses(&["192.0.2.1"]));
}

#[tokio::test]
async fn a_server_that_fails_is_followed_by_the_next_and_one_that_knows_is_believed() {
    let first = Liar::start(|question| {
        let code = match question.name.as_str() {
            "fails.test" => 2,
            "refuses.test" => 5,
            _ => 3,
        };
        vec![question.answer(code, &[])]
    })
    .await;
    let second = Liar::honest("192.0.2.1").await;
    let resolver = resolver(&settings(&[first.address, second.address]));
    for name in ["fails.test", "refuses.test"] {
        assert_eq!(*resolver.addresses(name).await.unwrap(), addresses(&["192.0.2.1"]), "{name}");
    }
    assert_eq!(resolver.addresses("gone.test").await, Err(DnsError::NoSuchName));
    assert_eq!(second.asked("gone.test"), 0);
}

#[tokio::test]
async fn a_server_that_dies_is_replaced_at_once_and_not_asked_first_for_a_while() {
    let (first, second) = (Liar::honest("192.0.2.1").await, Liar::honest("192.0.2.2").await);
    let resolver = resolver(&settings(&[first.address, second.address]));
    assert_eq!(*resolver.addresses("before.test").await.unwrap(), addresses(&["192.0.2.1"]));
    first.kill().await;
    assert_eq!(*resolver.addresses("after.test").await.unwrap(), addresses(&["192.0.2.2"]));
    let repeats = resolver.stats().repeats;
    assert!(repeats >= 1);
    for number in 0..20 {
        let found = resolver.addresses(&format!("later{number}.test")).await;
        assert_eq!(*found.unwrap(), addresses(&["192.0.2.2"]));
    }
    assert_eq!(resolver.stats().repeats, repeats, "the dead one was not tried again");
}

#[tokio::test]
async fn when_no_server_is_there_that_is_said_at_once() {
    let (first, second) = (Liar::honest("192.0.2.1").await, Liar::honest("192.0.2.2").await);
    let both = [first.address, second.address];
    first.kill().await;
    second.kill().await;
    let resolver = resolver(&DnsSettings { timeout_ms: 60_000, ..settings(&both) });
    let found = resolver.addresses("a.test").await;
    assert_eq!(found, Err(DnsError::ServerFailed(Failure::Unreachable)));
    assert_eq!(found.unwrap_err().to_string(), "no name server is reachable");
}

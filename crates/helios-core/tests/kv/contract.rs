//! What every backend does.

use helios_core::kv::Batch;

use super::place::{Place, batch, rows};

#[test]
fn scans_come_in_order_of_keys_from_here_to_there_up_to_a_limit() {
    for place in Place::both() {
        let kv = place.open().unwrap();
        kv.write(batch(&[("s2", "b"), ("q1", "c"), ("s10", "a"), ("s1", ""), ("s3", "d")])).unwrap();
        let scan = |from: &str, to: &str, limit| {
            let found = kv.scan(from.as_bytes(), to.as_bytes(), limit).unwrap();
            found
                .iter()
                .map(|(key, _)| String::from_utf8_lossy(key).into_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let cases = [
            ("s", "t", usize::MAX, "s1 s10 s2 s3"),
            ("s", "t", 2, "s1 s10"),
            ("s10", "s3", 9, "s10 s2"),
            ("", "\x7f", 9, "q1 s1 s10 s2 s3"),
            ("s", "t", 0, ""),
            ("t", "s", 9, ""),
            ("s1", "s1", 9, ""),
        ];
        for (from, to, limit, expected) in cases {
            assert_eq!(scan(from, to, limit), expected, "{from}..{to}, {limit}");
        }
        assert_eq!(kv.get(b"s1").unwrap().as_deref(), Some(&b""[..]));
        assert_eq!(kv.get(b"s").unwrap(), None);
    }
}

#[test]
fn the_later_change_of_a_key_wins_within_a_batch_and_across_batches() {
    for place in Place::both() {
        let kv = place.open().unwrap();
        let mut changes = batch(&[("a", "1"), ("a", "2"), ("b", "1"), ("c", "1")]);
        changes.delete(*b"b");
        changes.delete(*b"c");
        changes.put(*b"c", *b"2");
        kv.write(changes).unwrap();
        assert_eq!(rows(&*kv), ["a=2", "c=2"]);
        let mut changes = batch(&[("c", "3")]);
        changes.delete(*b"a");
        changes.delete(*b"never there");
        let ticket = kv.write(changes).unwrap();
        assert_eq!(rows(&*kv), ["c=3"]);
        kv.durable(ticket).unwrap();
        drop(kv);
        assert_eq!(rows(&*place.open().unwrap()), ["c=3"], "after opening again");
    }
}

#[test]
fn tickets_rise_and_an_empty_batch_has_one_too() {
    for place in Place::both() {
        let kv = place.open().unwrap();
        let first = kv.write(batch(&[("a", "1")])).unwrap();
        let empty = kv.write(Batch::new()).unwrap();
        let last = kv.write(batch(&[("b", "1")])).unwrap();
        assert!(first < empty && empty < last);
        for ticket in [last, first, empty, 0] {
            kv.durable(ticket).unwrap();
        }
    }
}

#[test]
fn keys_that_cannot_be_stored_are_refused_and_their_batch_with_them() {
    for place in Place::both() {
        let kv = place.open().unwrap();
        let longest = vec![b'k'; 65_535];
        for key in [&b""[..], b"\0epoch", &vec![b'k'; 65_536]] {
            let mut changes = batch(&[("a", "1")]);
            changes.put(key, *b"value");
            assert!(kv.write(changes).unwrap_err().to_string().contains("cannot be stored"));
        }
        assert_eq!(rows(&*kv), [""; 0]);
        let mut big = Batch::new();
        big.put(longest.clone(), vec![7; 3_000_000]);
        kv.write(big).unwrap();
        assert_eq!(kv.get(&longest).unwrap().unwrap().len(), 3_000_000);
    }
}

#[test]
fn what_the_backend_keeps_for_itself_is_never_shown() {
    for place in Place::both() {
        let kv = place.open().unwrap();
        assert_eq!(kv.get(b"\0epoch").unwrap(), None);
        assert_eq!(kv.scan(b"", b"\xff", 9).unwrap(), []);
        assert_eq!(kv.scan(b"\0", b"\x01", 9).unwrap(), []);
    }
}

#[test]
fn each_opening_has_a_higher_epoch_and_finds_what_was_durable() {
    for place in Place::both() {
        for number in 1..=3_u64 {
            let kv = place.open().unwrap();
            assert_eq!(kv.epoch(), number);
            assert_eq!(rows(&*kv).len() as u64, number - 1);
            let ticket = kv.write(batch(&[(&format!("k{number}"), "v")])).unwrap();
            kv.durable(ticket).unwrap();
        }
    }
}

/// In memory the earlier opening is fenced off, on disk the later one is refused: there is one writer either way.
#[test]
fn two_openings_never_both_write() {
    for place in Place::both() {
        let first = place.open().unwrap();
        let second = place.open();
        let wrote = first.write(batch(&[("a", "1")]));
        let refusal = match second {
            Ok(_) => wrote.unwrap_err(),
            Err(refusal) => wrote.map(|_| refusal).unwrap(),
        };
        let refusal = refusal.to_string();
        let (fenced, locked) = ("opened by someone else (epoch 2, ours is 1)", "is in use by process");
        assert!(refusal.contains(fenced) || refusal.contains(locked), "{refusal}");
    }
}

#[test]
fn threads_wait_for_durability_together_and_readers_never_see_half_a_batch() {
    for place in Place::both() {
        let kv = &*place.open().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for number in 0..100 {
                        let text = format!("{number}");
                        let ticket = kv.write(batch(&[("a", &text), ("b", &text), ("c", &text)])).unwrap();
                        kv.durable(ticket).unwrap();
                    }
                });
            }
            scope.spawn(|| {
                for _ in 0..1_000 {
                    let values = kv.scan(b"a", b"d", 3).unwrap();
                    assert!(values.windows(2).all(|pair| pair[0].1 == pair[1].1), "{values:?}");
                }
            });
        });
        assert_eq!(rows(kv), ["a=99", "b=99", "c=99"]);
    }
}

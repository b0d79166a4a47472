//! What needs no question: addresses, special names, names that cannot be.

use helios_core::dns::{DnsError, DnsSettings};

use crate::liar::{Liar, addresses, resolver};

#[tokio::test]
async fn an_address_is_its_own_and_nobody_is_asked() {
    let liar = Liar::honest("192.0.2.1").await;
    let resolver = liar.resolver();
    for (host, address) in [("192.0.2.7", "192.0.2.7"), ("[2001:db8::7]", "2001:db8::7"), ("::1", "::1")] {
        assert_eq!(*resolver.addresses(host).await.unwrap(), addresses(&[address]));
    }
    assert_eq!(resolver.stats().queries, 0);
}

#[tokio::test]
async fn rfc6761_localhost_is_loopback_and_other_special_names_are_none() {
    let liar = Liar::honest("192.0.2.1").await;
    let resolver = liar.resolver();
    for host in ["localhost", "LocalHost.", "a.b.localhost"] {
        assert_eq!(*resolver.addresses(host).await.unwrap(), addresses(&["127.0.0.1", "::1"]), "{host}");
    }
    for host in ["nobody.invalid", "facebookcorewwwi.onion"] {
        assert_eq!(resolver.addresses(host).await, Err(DnsError::NoSuchName), "{host}");
    }
    assert_eq!(resolver.stats().queries, 0);
}

#[tokio::test]
async fn names_that_cannot_be_asked_for_are_refused_with_a_reason() {
    let liar = Liar::honest("192.0.2.1").await;
    let resolver = liar.resolver();
    let (long_label, long_name) = ("a".repeat(64), ["a"; 128].join("."));
    for host in [
        "",
        ".",
        "a..b",
        ".a",
        "a b.test",
        "a\0.test",
        "münchen.test",
        "*.test",
        "a/b",
        &long_label,
        &long_name,
        "127.1",
        "1.2.3",
        "0x7f.0x1",
        "[::1",
        "1.2.3.4.5",
    ] {
        let found = resolver.addresses(host).await;
        assert!(matches!(found, Err(DnsError::Malformed(_))), "{host:?}: {found:?}");
    }
    let (label, name) = ("a".repeat(63), ["ab"; 84].join(".") + ".a");
    for host in [&label, &name[..], "_dmarc.x-y.test", "www.test.", "WWW.TEST", "3com.x1", "single"] {
        assert_eq!(*resolver.addresses(host).await.unwrap(), addresses(&["192.0.2.1"]), "{host}");
    }
    assert_eq!(liar.asked("www.test"), 1, "one name, however it is written");
    assert_eq!(liar.asked("single"), 1, "no search domain is added");
}

#[tokio::test]
async fn names_of_the_hosts_file_are_not_asked_for() {
    let liar = Liar::honest("192.0.2.1").await;
    let file = std::env::temp_dir().join(format!("helios-hosts-{}", std::process::id()));
    std::fs::write(&file, "192.0.2.8 Pinned.test # ours\n2001:db8::8 pinned.test\n").unwrap();
    let settings = DnsSettings { hosts_file: Some(file.clone()), ..liar.settings() };
    let resolver = resolver(&settings);
    std::fs::remove_file(file).unwrap();
    assert_eq!(*resolver.addresses("pinned.test").await.unwrap(), addresses(&["192.0.2.8", "2001:db8::8"]));
    assert_eq!(*resolver.addresses("other.test").await.unwrap(), addresses(&["192.0.2.1"]));
    assert_eq!(liar.asked("pinned.test"), 0);
}

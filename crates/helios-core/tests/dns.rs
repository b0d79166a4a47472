//! The address guard.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use std::net::IpAddr;

use helios_core::dns::{AddressRange, Guard};

#[test]
fn special_addresses_are_refused_unless_named() {
    use AddressRange::{LinkLocal, Loopback, Private, Reserved, Shared};
    for (address, range) in [
        ("127.0.0.1", Some(Loopback)),
        ("127.9.9.9", Some(Loopback)),
        ("::1", Some(Loopback)),
        ("::ffff:127.0.0.1", Some(Loopback)),
        ("10.0.0.1", Some(Private)),
        ("172.31.255.255", Some(Private)),
        ("172.32.0.0", None),
        ("192.168.1.1", Some(Private)),
        ("fd00::1", Some(Private)),
        ("64:ff9b::10.0.0.1", Some(Private)),
        ("64:ff9b::93.184.216.34", None),
        ("64:ff9b:1::93.184.216.34", Some(Reserved)),
        ("2002:7f00:1::", Some(Loopback)),
        ("169.254.169.254", Some(LinkLocal)),
        ("fe80::1", Some(LinkLocal)),
        ("100.64.0.1", Some(Shared)),
        ("100.128.0.1", None),
        ("0.0.0.0", Some(Reserved)),
        ("255.255.255.255", Some(Reserved)),
        ("224.0.0.1", Some(Reserved)),
        ("198.18.0.1", Some(Reserved)),
        ("192.0.2.1", Some(Reserved)),
        ("::", Some(Reserved)),
        ("2001:db8::1", Some(Reserved)),
        ("ff02::1", Some(Reserved)),
        ("93.184.216.34", None),
        ("2606:4700::1111", None),
    ] {
        let address: IpAddr = address.parse().unwrap();
        assert_eq!(Guard::default().forbids(address), range, "{address}");
        if let Some(range) = range {
            assert_eq!(Guard::new(&[range]).forbids(address), None, "{address} allowed by name");
        }
    }
}

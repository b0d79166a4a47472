//! The address guard, beside the special-purpose registries of IANA (IPv4 and IPv6; RFC 6890 and what came after).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use helios_core::dns::AddressRange::{
    Benchmarking, Documentation, LinkLocal, Loopback, Metadata, Multicast, Private, Reserved, Shared,
};
use helios_core::dns::{AddressRange, Guard};

const ALL: [AddressRange; 9] =
    [Loopback, Private, LinkLocal, Shared, Metadata, Multicast, Documentation, Benchmarking, Reserved];

fn refused(address: IpAddr) -> Option<AddressRange> {
    Guard::default().forbids(address)
}

/// Blocks that the registry calls not globally reachable, with the ranges of their first and last address, and of the
/// addresses next to them.
#[test]
fn rfc6890_every_ipv4_block_is_refused_from_its_first_to_its_last_address() {
    for (block, before, range, after) in [
        ("0.0.0.0/8", None, Reserved, None),
        ("10.0.0.0/8", None, Private, None),
        ("100.64.0.0/10", None, Shared, None),
        ("127.0.0.0/8", None, Loopback, None),
        ("169.254.0.0/16", None, LinkLocal, None),
        ("172.16.0.0/12", None, Private, None),
        ("192.0.0.0/24", None, Reserved, None),
        ("192.0.2.0/24", None, Documentation, None),
        ("192.88.99.0/24", None, Reserved, None),
        ("192.168.0.0/16", None, Private, None),
        ("198.18.0.0/15", None, Benchmarking, None),
        ("198.51.100.0/24", None, Documentation, None),
        ("203.0.113.0/24", None, Documentation, None),
        ("224.0.0.0/4", None, Multicast, Some(Reserved)),
        ("240.0.0.0/4", Some(Multicast), Reserved, None),
    ] {
        let (network, bits) = block.split_once('/').unwrap();
        let first = network.parse::<Ipv4Addr>().unwrap().to_bits();
        let last = first | u32::MAX.checked_shr(bits.parse().unwrap()).unwrap_or(0);
        let at = |bits: u32| refused(IpAddr::V4(Ipv4Addr::from_bits(bits)));
        assert_eq!((at(first), at(last)), (Some(range), Some(range)), "{block}");
        assert_eq!(first.checked_sub(1).and_then(at), before, "before {block}");
        assert_eq!(last.checked_add(1).and_then(at), after, "after {block}");
    }
}

#[test]
fn rfc6890_every_ipv6_block_is_refused_from_its_first_to_its_last_address() {
    let reserved = Some(Reserved);
    for (block, before, range, after) in [
        ("::/128", None, Reserved, Some(Loopback)),
        ("::1/128", reserved, Loopback, reserved),
        ("64:ff9b:1::/48", reserved, Reserved, reserved),
        ("100::/64", reserved, Reserved, reserved),
        ("100:0:0:1::/64", reserved, Reserved, reserved),
        ("2001::/23", None, Reserved, None),
        ("2001::/32", None, Reserved, reserved),
        ("2001:2::/48", reserved, Benchmarking, reserved),
        ("2001:10::/28", reserved, Reserved, reserved),
        ("2001:db8::/32", None, Documentation, None),
        ("2002::/16", None, Reserved, None),
        ("3fff::/20", None, Documentation, None),
        ("5f00::/16", reserved, Reserved, reserved),
        ("fc00::/7", reserved, Private, reserved),
        ("fe80::/10", reserved, LinkLocal, Some(Private)),
        ("fec0::/10", Some(LinkLocal), Private, Some(Multicast)),
        ("ff00::/8", Some(Private), Multicast, None),
        ("1fff::/16", reserved, Reserved, None),
        ("4000::/3", None, Reserved, reserved),
    ] {
        let (network, bits) = block.split_once('/').unwrap();
        let first = network.parse::<Ipv6Addr>().unwrap().to_bits();
        let last = first | u128::MAX.checked_shr(bits.parse().unwrap()).unwrap_or(0);
        let at = |bits: u128| refused(IpAddr::V6(Ipv6Addr::from_bits(bits)));
        assert_eq!((at(first), at(last)), (Some(range), Some(range)), "{block}");
        assert_eq!(first.checked_sub(1).and_then(at), before, "before {block}");
        assert_eq!(last.checked_add(1).and_then(at), after, "after {block}");
    }
}

#[test]
fn blocks_that_everyone_can_reach_are_open() {
    for address in [
        "1.1.1.1",
        "93.184.216.34",
        "100.63.255.255",
        "100.128.0.0",
        "172.32.0.0",
        "192.31.196.1",
        "192.52.193.1",
        "192.175.48.1",
        "223.255.255.255",
        "2000::",
        "2606:4700::1111",
        "2620:4f:8000::1",
        "2a00:1450::1",
        "3ffe:ffff::1",
        "64:ff9b::93.184.216.34",
        "::ffff:93.184.216.34",
    ] {
        assert_eq!(refused(address.parse().unwrap()), None, "{address}");
    }
}

/// RFC 4291, 6052, 8215, 3056, 4380, 5214, 2765: ways to write an IPv4 address as IPv6.
#[test]
fn an_ipv4_address_inside_an_ipv6_address_is_judged_too() {
    for (address, range) in [
        ("::ffff:127.0.0.1", Loopback),
        ("::ffff:169.254.169.254", Metadata),
        ("64:ff9b::10.0.0.1", Private),
        ("64:ff9b::169.254.169.254", Metadata),
        ("64:ff9b::168.63.129.16", Metadata),
        ("2606:4700::5efe:10.0.0.1", Private),
        ("2606:4700::200:5efe:127.0.0.1", Loopback),
    ] {
        assert_eq!(refused(address.parse().unwrap()), Some(range), "{address}");
    }
    // What is reserved itself stays so, and even where that is allowed by name the address inside is not.
    let open = Guard::new(&[Reserved]);
    for (address, range) in [
        ("::127.0.0.1", Loopback),
        ("::ffff:0:10.0.0.1", Private),
        ("2002:7f00:1::", Loopback),
        ("2002:a9fe:a9fe::1", Metadata),
        ("64:ff9b:1::10.0.0.1", Private),
        ("64:ff9b:1:a00:0:100::", Private),
        ("2001:0:a00:1::1", Private),
        ("2001:0:5db8:d822::80ff:fffe", Loopback),
    ] {
        let address = address.parse().unwrap();
        assert_eq!(refused(address), Some(Reserved), "{address}");
        assert_eq!(open.forbids(address), Some(range), "{address}");
    }
}

#[test]
fn metadata_of_clouds_is_refused_until_it_is_allowed_by_name() {
    let others: Vec<_> = ALL.into_iter().filter(|range| *range != Metadata).collect();
    for address in [
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "169.254.0.23",
        "169.254.42.42",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:42::42",
        "fd00:c1::a9fe:a9fe",
        "fd00:a9fe:a9fe::1",
        "::ffff:169.254.169.254",
    ] {
        let address = address.parse().unwrap();
        assert_eq!(Guard::new(&others).forbids(address), Some(Metadata), "{address}");
        assert_eq!(Guard::new(&[Metadata]).forbids(address), None, "{address}");
    }
}

#[test]
fn a_range_is_open_when_it_is_named_and_no_other_with_it() {
    for (address, range) in [
        ("127.0.0.1", Loopback),
        ("::1", Loopback),
        ("10.1.2.3", Private),
        ("fd12::1", Private),
        ("169.254.1.1", LinkLocal),
        ("100.64.0.1", Shared),
        ("239.0.0.1", Multicast),
        ("192.0.2.1", Documentation),
        ("198.19.0.1", Benchmarking),
        ("0.0.0.0", Reserved),
        ("::", Reserved),
    ] {
        let address = address.parse().unwrap();
        for named in ALL {
            let expected = (named != range).then_some(range);
            assert_eq!(Guard::new(&[named]).forbids(address), expected, "{address} with {named}");
        }
    }
}

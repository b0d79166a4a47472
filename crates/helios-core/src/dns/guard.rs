//! Which addresses may be connected to: none of the special ranges, unless the settings name them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde::Deserialize;

/// A range of special addresses that the settings may allow by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressRange {
    /// 127.0.0.0/8 and ::1
    Loopback,
    /// RFC 1918, fc00::/7
    Private,
    /// 169.254.0.0/16 (cloud metadata lives here) and fe80::/10
    LinkLocal,
    /// 100.64.0.0/10
    Shared,
    /// Multicast, documentation, benchmarking, reserved, unspecified
    Reserved,
}

/// Decides at connect time, after resolution.
#[derive(Debug, Clone, Default)]
pub struct Guard {
    allow: Vec<AddressRange>,
}

impl Guard {
    pub fn new(allow: &[AddressRange]) -> Self {
        Self { allow: allow.to_vec() }
    }

    /// The range that forbids this address, if one does.
    pub fn forbids(&self, address: IpAddr) -> Option<AddressRange> {
        let range = match address {
            IpAddr::V4(v4) => special_v4(v4),
            IpAddr::V6(v6) => special_v6(v6),
        };
        range.filter(|range| !self.allow.contains(range))
    }
}

fn special_v4(address: Ipv4Addr) -> Option<AddressRange> {
    let [a, b, c, _] = address.octets();
    if address.is_loopback() {
        Some(AddressRange::Loopback)
    } else if address.is_private() {
        Some(AddressRange::Private)
    } else if address.is_link_local() {
        Some(AddressRange::LinkLocal)
    } else if a == 100 && (64..128).contains(&b) {
        Some(AddressRange::Shared)
    } else if a == 0
        || a >= 224
        || address.is_documentation()
        || (a == 198 && (18..20).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
    {
        Some(AddressRange::Reserved)
    } else {
        None
    }
}

fn special_v6(address: Ipv6Addr) -> Option<AddressRange> {
    // Addresses that carry an IPv4 address inside are judged by that one: mapped, NAT64 (64:ff9b::/96), 6to4 (2002::/16).
    let [s0, s1, s2, s3, s4, s5, s6, s7] = address.segments();
    let embedded = |high: u16, low: u16| special_v4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
    if address.is_loopback() {
        Some(AddressRange::Loopback)
    } else if let Some(v4) = address.to_ipv4_mapped() {
        special_v4(v4)
    } else if s0 == 0x64 && s1 == 0xff9b && [s2, s3, s4, s5] == [0; 4] {
        embedded(s6, s7)
    } else if s0 == 0x2002 {
        embedded(s1, s2)
    } else if s0 & 0xfe00 == 0xfc00 {
        Some(AddressRange::Private)
    } else if s0 & 0xffc0 == 0xfe80 {
        Some(AddressRange::LinkLocal)
    } else if s0 & 0xe000 != 0x2000 || (s0 == 0x2001 && s1 < 0x200) || (s0 == 0x2001 && s1 == 0xdb8) {
        // Outside global unicast 2000::/3; Teredo and other protocol blocks; documentation.
        Some(AddressRange::Reserved)
    } else {
        None
    }
}

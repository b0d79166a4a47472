//! Which addresses may be connected to: none of the special ranges, unless the settings name them.
//!
//! The tables follow the special-purpose registries of IANA (RFC 6890 and its successors): what is not for everyone to reach
//! is refused. An address that carries an IPv4 address inside is judged by both.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde::Deserialize;

/// A range of special addresses that the settings may allow by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressRange {
    /// 127.0.0.0/8 and ::1
    Loopback,
    /// RFC 1918, fc00::/7, fec0::/10
    Private,
    /// 169.254.0.0/16 and fe80::/10, but for what is `Metadata`
    LinkLocal,
    /// 100.64.0.0/10: behind a carrier's address translation
    Shared,
    /// Where clouds tell a machine its secrets, wherever that lies
    Metadata,
    /// 224.0.0.0/4 and ff00::/8
    Multicast,
    /// 192.0.2.0/24, 2001:db8::/32 and their like
    Documentation,
    /// 198.18.0.0/15 and 2001:2::/48
    Benchmarking,
    /// Unspecified, broadcast, protocol assignments, tunnels, unassigned
    Reserved,
}

impl AddressRange {
    pub const ALL: [Self; 9] = [
        Self::Loopback,
        Self::Private,
        Self::LinkLocal,
        Self::Shared,
        Self::Metadata,
        Self::Multicast,
        Self::Documentation,
        Self::Benchmarking,
        Self::Reserved,
    ];

    /// As in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loopback => "loopback",
            Self::Private => "private",
            Self::LinkLocal => "link_local",
            Self::Shared => "shared",
            Self::Metadata => "metadata",
            Self::Multicast => "multicast",
            Self::Documentation => "documentation",
            Self::Benchmarking => "benchmarking",
            Self::Reserved => "reserved",
        }
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
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
        match address {
            IpAddr::V4(v4) => self.refused(special_v4(v4)),
            IpAddr::V6(v6) => {
                let inside = || embedded(v6).into_iter().flatten();
                self.refused(special_v6(v6)).or_else(|| inside().find_map(|v4| self.refused(special_v4(v4))))
            }
        }
    }

    fn refused(&self, range: Option<AddressRange>) -> Option<AddressRange> {
        range.filter(|range| !self.allow.contains(range))
    }
}

/// A network: its first address, how many of its bits count, and what it is.
type V4 = ([u8; 4], u32, AddressRange);
type V6 = ([u16; 8], u32, AddressRange);

/// The first that fits decides, so what is narrow stands before what is wide.
const SPECIAL_V4: &[V4] = &[
    // AWS, Google, Azure, Oracle, OpenStack and most others; the whole /24 is theirs. Next to it: containers on AWS.
    ([169, 254, 169, 0], 24, AddressRange::Metadata),
    ([169, 254, 170, 0], 24, AddressRange::Metadata),
    // Tencent, Scaleway, Alibaba, Oracle's first; Azure's "wire server", which is a public address.
    ([169, 254, 0, 23], 32, AddressRange::Metadata),
    ([169, 254, 42, 42], 32, AddressRange::Metadata),
    ([100, 100, 100, 200], 32, AddressRange::Metadata),
    ([192, 0, 0, 192], 32, AddressRange::Metadata),
    ([168, 63, 129, 16], 32, AddressRange::Metadata),
    ([0, 0, 0, 0], 8, AddressRange::Reserved),
    ([10, 0, 0, 0], 8, AddressRange::Private),
    ([100, 64, 0, 0], 10, AddressRange::Shared),
    ([127, 0, 0, 0], 8, AddressRange::Loopback),
    ([169, 254, 0, 0], 16, AddressRange::LinkLocal),
    ([172, 16, 0, 0], 12, AddressRange::Private),
    ([192, 0, 0, 0], 24, AddressRange::Reserved), // protocol assignments
    ([192, 0, 2, 0], 24, AddressRange::Documentation),
    ([192, 88, 99, 0], 24, AddressRange::Reserved), // relays of 6to4, given up by RFC 7526
    ([192, 168, 0, 0], 16, AddressRange::Private),
    ([198, 18, 0, 0], 15, AddressRange::Benchmarking),
    ([198, 51, 100, 0], 24, AddressRange::Documentation),
    ([203, 0, 113, 0], 24, AddressRange::Documentation),
    ([224, 0, 0, 0], 4, AddressRange::Multicast),
    ([240, 0, 0, 0], 4, AddressRange::Reserved), // future use, and broadcast
];

const SPECIAL_V6: &[V6] = &[
    // AWS: instances, pods; Google, Scaleway, Oracle, Linode.
    ([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128, AddressRange::Metadata),
    ([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23], 128, AddressRange::Metadata),
    ([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254], 128, AddressRange::Metadata),
    ([0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42], 128, AddressRange::Metadata),
    ([0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe], 128, AddressRange::Metadata),
    ([0xfd00, 0xa9fe, 0xa9fe, 0, 0, 0, 0, 1], 128, AddressRange::Metadata),
    ([0, 0, 0, 0, 0, 0, 0, 1], 128, AddressRange::Loopback),
    ([0x2001, 2, 0, 0, 0, 0, 0, 0], 48, AddressRange::Benchmarking),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, AddressRange::Documentation),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, AddressRange::Documentation), // RFC 9637
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, AddressRange::Reserved),      // protocol assignments, Teredo
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, AddressRange::Reserved),      // 6to4, given up by RFC 7526
    ([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, AddressRange::Private),
    ([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, AddressRange::LinkLocal),
    ([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, AddressRange::Private), // site-local, given up by RFC 3879
    ([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, AddressRange::Multicast),
];

fn special_v4(address: Ipv4Addr) -> Option<AddressRange> {
    let bits = address.to_bits();
    let within = |(network, length, _): &&V4| (bits ^ u32::from_be_bytes(*network)) >> (32 - length) == 0;
    SPECIAL_V4.iter().find(within).map(|(_, _, range)| *range)
}

fn special_v6(address: Ipv6Addr) -> Option<AddressRange> {
    let bits = address.to_bits();
    let within =
        |(network, length, _): &&V6| (bits ^ Ipv6Addr::from(*network).to_bits()) >> (128 - length) == 0;
    let listed = SPECIAL_V6.iter().find(within).map(|(_, _, range)| *range);
    // Global unicast is 2000::/3. Beside it only two ways to write an IPv4 address are open, and that address decides.
    let is_global = bits >> 125 == 1 || is_translated(address);
    listed.or((!is_global).then_some(AddressRange::Reserved))
}

/// ::ffff:0:0/96, which the kernel takes for IPv4, and NAT64's 64:ff9b::/96 (RFC 6052).
fn is_translated(address: Ipv6Addr) -> bool {
    address.to_ipv4_mapped().is_some() || matches!(address.segments(), [0x64, 0xff9b, 0, 0, 0, 0, _, _])
}

/// The IPv4 addresses inside, where packets for this address may end up; one form has two places for it.
fn embedded(address: Ipv6Addr) -> [Option<Ipv4Addr>; 2] {
    let pair = |high: u16, low: u16| Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
    match address.segments() {
        // Unspecified and loopback look like compatible ones and are not.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => [None, None],
        // Compatible (::/96), mapped, translated (RFC 2765), NAT64.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        // 6to4 (RFC 3056).
        | [0x2002, high, low, ..]
        // ISATAP (RFC 5214), below any prefix.
        | [_, _, _, _, 0 | 0x200, 0x5efe, high, low] => [pair(high, low), None],
        // Local NAT64 (RFC 8215): at the end, or around bit 64 as RFC 6052 §2.2 has it for a /48.
        [0x64, 0xff9b, 1, high, split, rest, end, low] => {
            [pair(end, low), pair(high, split << 8 | rest >> 8)]
        }
        // Teredo (RFC 4380): the server, and the client with its bits turned over.
        [0x2001, 0, high, low, _, _, client, end] => [pair(high, low), pair(!client, !end)],
        _ => [None, None],
    }
}

//! From a name to a connection: which address wins, which are never touched.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use helios_core::dns::{AddressRange, DnsError, DnsSettings, Families, Guard};
use helios_core::fetch::dial::{DialFailure, Dialer, dial};
use tokio::net::{TcpListener, TcpSocket};

use crate::liar::{A, Liar, pass, resolver};

fn dialer(liar: &Liar, allow: &[AddressRange]) -> Dialer {
    let settings = DnsSettings { ip: Families::Both, ..liar.settings() };
    let connect_timeout = Duration::from_secs(20);
    Dialer { resolver: resolver(&settings), guard: Guard::new(allow), connect_timeout }
}

/// Answers with these addresses, each to the question of its family.
async fn named(addresses: &'static [&'static str]) -> Liar {
    Liar::start(move |question| {
        let fits = |text: &&&str| text.parse::<IpAddr>().unwrap().is_ipv4() == (question.kind == A);
        let records: Vec<_> = addresses.iter().filter(fits).map(|text| question.address(300, text)).collect();
        vec![question.answer(0, &records)]
    })
    .await
}

#[tokio::test]
async fn a_name_is_dialled_and_the_address_and_the_times_are_told() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let liar = named(&["127.0.0.1"]).await;
    let port = listener.local_addr().unwrap().port();
    let dialled = dial("a.test", port, &dialer(&liar, &[AddressRange::Loopback])).await.unwrap();
    assert_eq!(dialled.address, IpAddr::from([127, 0, 0, 1]));
    assert_eq!(dialled.stream.peer_addr().unwrap(), listener.local_addr().unwrap());
    assert!(dialled.stream.nodelay().unwrap());
    assert!(dialled.timings.dns > Duration::ZERO && dialled.timings.connect > Duration::ZERO);
}

#[tokio::test]
async fn nothing_is_connected_to_when_every_address_is_forbidden() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let liar = named(&["127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]).await;
    for host in ["a.test", "127.0.0.1", "[::ffff:127.0.0.1]", "localhost"] {
        let failure = dial(host, port, &dialer(&liar, &[])).await.unwrap_err();
        assert!(
            matches!(failure, DialFailure::Forbidden { range: AddressRange::Loopback, .. }),
            "{host}: {failure}"
        );
    }
    let accepted = tokio::time::timeout(Duration::ZERO, listener.accept()).await;
    assert!(accepted.is_err(), "nobody came");
}

#[tokio::test]
async fn forbidden_addresses_among_allowed_ones_are_never_connected_to() {
    // 127.0.0.1 stands for a public address, the link-local one for what is inside.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let liar = named(&["169.254.169.254", "10.0.0.1", "127.0.0.1"]).await;
    let dialled = dial("a.test", port, &dialer(&liar, &[AddressRange::Loopback])).await.unwrap();
    assert_eq!(dialled.address, IpAddr::from([127, 0, 0, 1]));
    assert!(dialled.timings.connect < Duration::from_millis(250), "no head start for what is never tried");
}

#[tokio::test]
async fn a_name_that_changes_its_mind_gains_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let liar = Liar::start(|question| {
        let address = if question.nth == 0 { "127.0.0.1" } else { "169.254.169.254" };
        vec![question.answer(0, &[question.address(0, address)])]
    })
    .await;
    let mut dialer = dialer(&liar, &[AddressRange::Loopback]);
    dialer.resolver = liar.resolver();
    dial("a.test", port, &dialer).await.unwrap();
    assert_eq!(liar.asked("a.test"), 1, "what was judged is what was connected to");
    pass(31);
    let failure = dial("a.test", port, &dialer).await.unwrap_err();
    assert!(matches!(failure, DialFailure::Forbidden { range: AddressRange::Metadata, .. }), "{failure}");
}

#[tokio::test]
async fn an_address_that_refuses_is_followed_by_the_next_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let liar = named(&["127.0.0.2", "127.0.0.3", "::1", "127.0.0.1"]).await;
    let dialled = dial("a.test", port, &dialer(&liar, &[AddressRange::Loopback])).await.unwrap();
    assert_eq!(dialled.address, IpAddr::from([127, 0, 0, 1]));
}

/// An address that takes no more connections: its queue is full, and it stays silent.
async fn silent(address: &str) -> (TcpListener, Vec<tokio::net::TcpStream>) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(SocketAddr::new(address.parse().unwrap(), 0)).unwrap();
    let listener = socket.listen(1).unwrap();
    let at = listener.local_addr().unwrap();
    let mut queued = Vec::new();
    while let Ok(stream) =
        tokio::time::timeout(Duration::from_millis(200), tokio::net::TcpStream::connect(at)).await
    {
        queued.push(stream.unwrap());
    }
    (listener, queued)
}

#[tokio::test]
async fn rfc8305_an_address_that_is_silent_is_overtaken_by_the_next() {
    let (slow, _queued) = silent("127.0.0.5").await;
    let port = slow.local_addr().unwrap().port();
    let _fast = TcpListener::bind(("127.0.0.6", port)).await.unwrap();
    let liar = named(&["127.0.0.5", "127.0.0.6"]).await;
    let dialled = dial("a.test", port, &dialer(&liar, &[AddressRange::Loopback])).await.unwrap();
    assert_eq!(dialled.address, IpAddr::from([127, 0, 0, 6]));
    assert!(dialled.timings.connect >= Duration::from_millis(250), "after a head start");
}

#[tokio::test]
async fn silence_ends_in_time_and_a_refusal_tells_more() {
    let (slow, _queued) = silent("127.0.0.7").await;
    let port = slow.local_addr().unwrap().port();
    let liar = named(&["127.0.0.7"]).await;
    let mut short = dialer(&liar, &[AddressRange::Loopback]);
    short.connect_timeout = Duration::from_millis(400);
    let failure = dial("a.test", port, &short).await.unwrap_err();
    assert!(matches!(failure, DialFailure::TimedOut), "{failure}");

    let liar = named(&["127.0.0.7", "127.0.0.8"]).await;
    let mut short = dialer(&liar, &[AddressRange::Loopback]);
    short.connect_timeout = Duration::from_millis(400);
    let failure = dial("a.test", port, &short).await.unwrap_err();
    assert!(matches!(failure, DialFailure::Unreachable { .. }), "{failure}");
}

#[tokio::test]
async fn a_name_without_addresses_is_not_dialled() {
    let liar = Liar::start(|question| vec![question.answer(3, &[])]).await;
    let failure = dial("a.test", 80, &dialer(&liar, &[])).await.unwrap_err();
    assert!(matches!(failure, DialFailure::Unresolved(DnsError::NoSuchName)), "{failure}");
}

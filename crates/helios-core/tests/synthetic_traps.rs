//! The synthetic web: its traps are limited, and no page that its auditor requires is refused.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]

use std::collections::HashMap;

use helios_core::frontier::{Look, Shapes, Trap, TrapSettings, look};
use helios_core::url::{CanonicalUrl, SiteKey};
use helios_sim::settings::{Promises, WebSettings};
use helios_sim::web::{Spot, Web};

fn accepts(sites: &mut HashMap<SiteKey, Shapes>, url: &CanonicalUrl, settings: &TrapSettings) -> bool {
    match look(url, settings) {
        Look::Fine => true,
        Look::Trap(_) => false,
        Look::Suspect(trap, shape) => {
            sites.entry(url.site()).or_default().admit(shape, settings.allowance(trap))
        }
    }
}

#[test]
fn every_page_that_the_auditor_requires_is_accepted() {
    let settings = TrapSettings { urls_per_shape: 1, ..TrapSettings::default() };
    for (name, web) in [
        ("default", WebSettings { seed: 3, traps: 0.3, ..WebSettings::default() }),
        ("demo", WebSettings::demo()),
        ("fast", WebSettings { hosts: 100, seeds: 10, ..WebSettings::fast() }),
    ] {
        let web = Web::new(web).unwrap();
        let mut sites = HashMap::new();
        let expected = web.expect(&Promises::default());
        assert!(expected.len() > 500, "{name}: {} pages", expected.len());
        for page in expected {
            let url = CanonicalUrl::parse(&format!("{}{}", web.origin(page.host), page.target)).unwrap();
            assert_eq!(look(&url, &settings), Look::Fine, "{name}: {url}");
            assert!(accepts(&mut sites, &url, &settings));
        }
    }
}

#[test]
fn its_traps_are_limited() {
    let settings = TrapSettings::default();
    let web = Web::new(WebSettings { traps: 1.0, hosts: 8, seeds: 2, ..WebSettings::default() }).unwrap();
    for host in 0..web.host_count() {
        let accepted = |spots: &mut dyn Iterator<Item = Spot>, expected: Trap| {
            let mut sites = HashMap::new();
            let urls = spots
                .map(|spot| format!("{}{}", web.origin(host), web.target(host, spot)))
                .map(|url| CanonicalUrl::parse(&url).unwrap());
            urls.filter(|url| {
                assert!(matches!(look(url, &settings), Look::Suspect(trap, _) if trap == expected), "{url}");
                accepts(&mut sites, url, &settings)
            })
            .count()
        };
        let months = accepted(&mut (0..40_000).map(Spot::Calendar), Trap::Calendar);
        assert_eq!(months, 2_000, "a thousand of our time and a thousand of others");
        let pages = web.page_count(host);
        let sessions =
            (0..3_000u32).map(|n| Spot::Session { token: n.wrapping_mul(0x9E37_79B9), page: n % pages });
        assert_eq!(accepted(&mut { sessions }, Trap::SessionId), 1_000);
    }
}

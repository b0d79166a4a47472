//! What kind of web to make, and what the crawler under judgement promised.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::web::TOKENS_OF_OTHERS;

mod presets;
mod validate;
mod web;

pub use web::{Names, WebSettings};

/// The promises a crawler is held to (design §12). Query parameters of `/__audit` carry the same names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Promises {
    /// Least time between the end of one request to a site and the start of the next, in milliseconds.
    pub site_delay_ms: u64,
    /// Requests in flight at one site at the same time, and connections in use in turns.
    pub site_connections: u32,
    /// As `site_delay_ms`, for all sites behind one address; 0: reported, not judged.
    pub address_delay_ms: u64,
    /// As `site_connections`, for one address; 0: reported, not judged.
    pub address_connections: u32,
    /// The Crawl-delay of a robots.txt is honoured up to this many milliseconds.
    pub crawl_delay_ceiling_ms: u64,
    /// Retry-After is honoured up to this many milliseconds.
    pub retry_after_ceiling_ms: u64,
    /// The crawl says that it is finished: then everything reachable, allowed and in scope must have been asked (L).
    pub complete: bool,
    /// Pages that only a sitemap names must have been asked, too.
    pub sitemaps: bool,
    /// Links further than this from a seed need not be followed (L).
    pub max_depth: Option<u32>,
    /// Once this many pages of a site were answered with 2xx, no more of it need be asked (L).
    pub max_pages_per_site: Option<u64>,
    /// How often the crawler was killed: each crash excuses one extra request per URL (E).
    pub crashes: u32,
    /// Pages may be asked again later on purpose (E is then not judged).
    pub recrawl: bool,
    /// The token of the user agent that robots.txt files are read for; not one that they have groups of its own for, but `helios`.
    #[serde(deserialize_with = "token")]
    pub robots_token: String,
}

impl Default for Promises {
    fn default() -> Self {
        Self {
            site_delay_ms: 1_000,
            site_connections: 1,
            address_delay_ms: 0,
            address_connections: 0,
            crawl_delay_ceiling_ms: 30_000,
            retry_after_ceiling_ms: 3_600_000,
            complete: false,
            sitemaps: false,
            max_depth: None,
            max_pages_per_site: None,
            crashes: 0,
            recrawl: false,
            robots_token: "helios".to_owned(),
        }
    }
}

/// The files of this web have groups for some other crawlers; what those say is not modelled, so that such a crawler would be judged unjustly.
fn token<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let token = String::deserialize(from)?;
    if TOKENS_OF_OTHERS.iter().any(|other| token.eq_ignore_ascii_case(other)) {
        return Err(D::Error::custom(format!(
            "robots_token {token:?} cannot be judged: robots.txt files of this web have groups for it; \
             take helios or a name of your own"
        )));
    }
    Ok(token)
}

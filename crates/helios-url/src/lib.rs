//! URLs: text in; one canonical spelling, the site to be polite to, and a fingerprint out.
//!
//! Always: canonicalising twice changes nothing; only http and https; two spellings of one page that differ in fragment,
//! default port, host case, dot segments, escapes, tracking parameters or session ids are one URL (docs/urls.md). [`Url`] reads
//! text by the WHATWG URL Standard; [`Canonicaliser`] adds the rules of a crawl; [`CanonicalUrl`] is all that the crawl knows.

mod canonical;
mod canonicaliser;
mod encode;
mod error;
mod fingerprint;
mod host;
mod joiner;
mod normalise;
mod origin;
mod parse;
mod random;
mod site;
mod url;

pub use canonical::CanonicalUrl;
pub use canonicaliser::Canonicaliser;
pub use error::{Error, Fault, Result};
pub use fingerprint::{Fingerprint, ShortFingerprint};
pub use joiner::Joiner;
pub use normalise::Normalise;
pub use origin::Origin;
pub use random::{is_hex, is_random};
pub use site::SiteKey;
pub use url::Url;

//! URLs: text in; one canonical spelling, the site to be polite to, and a fingerprint out.
//!
//! Always: canonicalising twice changes nothing; only http and https; two spellings of one page that differ in fragment,
//! default port, host case or dot segments are one URL. Look next at `frontier`, which knows only these types.

mod canonical;
mod fingerprint;
mod site;

pub use canonical::{CanonicalUrl, Origin};
pub use fingerprint::Fingerprint;
pub use site::SiteKey;

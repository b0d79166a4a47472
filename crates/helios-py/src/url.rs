//! url: canonical spelling and site of a URL.

use helios_core::url::CanonicalUrl;
use pyo3::prelude::*;

use crate::errors::raise;

/// The one spelling of a URL that the whole crawl uses.
#[pyfunction]
#[pyo3(signature = (text, base=None))]
pub(crate) fn canonicalise(text: &str, base: Option<&str>) -> PyResult<String> {
    let url = match base {
        None => CanonicalUrl::parse(text),
        Some(base) => CanonicalUrl::parse(base).and_then(|base| CanonicalUrl::join(&base.to_url(), text)),
    };
    url.map(|url| url.as_str().to_owned()).map_err(raise)
}

/// Whom we must be polite to as one.
#[pyfunction]
pub(crate) fn site_of(url: &str) -> PyResult<String> {
    CanonicalUrl::parse(url).map(|url| url.site().as_str().to_owned()).map_err(raise)
}

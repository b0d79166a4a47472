//! url: canonical spelling and site of a URL.

use helios_core::error::settings_from_json;
use helios_core::url::CanonicalUrl;
use pyo3::prelude::*;

use crate::errors::raise;

/// The one spelling of a URL by the usual rules.
#[pyfunction]
#[pyo3(signature = (text, base=None))]
pub(crate) fn canonicalise(text: &str, base: Option<&str>) -> PyResult<String> {
    let url = match base {
        None => CanonicalUrl::parse(text),
        Some(base) => CanonicalUrl::parse(base).and_then(|base| CanonicalUrl::join(&base.to_url(), text)),
    };
    url.map(|url| url.as_str().to_owned()).map_err(raise)
}

/// The spelling of one crawl.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Canonicaliser {
    pub(crate) inner: helios_core::url::Canonicaliser,
}

#[pymethods]
impl Canonicaliser {
    #[new]
    fn new(settings: &str) -> PyResult<Self> {
        let rules = settings_from_json(settings).map_err(raise)?;
        Ok(Self { inner: helios_core::url::Canonicaliser::new(rules) })
    }

    fn parse(&self, text: &str) -> PyResult<String> {
        self.inner.parse(text).map(|url| url.as_str().to_owned()).map_err(raise)
    }
}

/// Whom we must be polite to as one.
#[pyfunction]
pub(crate) fn site_of(url: &str) -> PyResult<String> {
    CanonicalUrl::parse(url).map(|url| url.site().as_str().to_owned()).map_err(raise)
}

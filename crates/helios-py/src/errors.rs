//! One mapping: core error → Python exception.

use helios_core::error::Error;
use pyo3::exceptions::PyException;
use pyo3::{PyErr, create_exception};

create_exception!(helios._core, HeliosError, PyException, "Everything that Helios raises on purpose.");
create_exception!(helios._core, SettingsError, HeliosError, "A setting that cannot be used.");
create_exception!(helios._core, UrlError, HeliosError, "Text that is no URL that can be crawled.");
create_exception!(
    helios._core,
    FrontierError,
    HeliosError,
    "The frontier was told something that cannot be."
);
create_exception!(helios._core, StorageError, HeliosError, "The disk, or what is on it, cannot be used.");
create_exception!(helios._core, FetchError, HeliosError, "The fetcher could not be started or went down.");
create_exception!(helios._core, SimWebError, HeliosError, "The synthetic web could not be started or asked.");

pub(crate) fn raise(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    let text = error.to_string();
    match error {
        Error::Settings(_) => SettingsError::new_err(text),
        Error::Url { .. } => UrlError::new_err(text),
        Error::Frontier(_) => FrontierError::new_err(text),
        Error::Storage(_) => StorageError::new_err(text),
        Error::Fetch(_) => FetchError::new_err(text),
    }
}

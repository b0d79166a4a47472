//! clock: the one time.

use pyo3::prelude::*;

/// Milliseconds since 1970, never going back.
#[pyfunction]
pub(crate) fn now() -> u64 {
    helios_core::clock::now()
}

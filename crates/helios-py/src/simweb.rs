//! simweb: the synthetic web, served from threads of this process.

use pyo3::prelude::*;

#[pyclass(frozen, module = "helios._core")]
pub(crate) struct SimWeb;

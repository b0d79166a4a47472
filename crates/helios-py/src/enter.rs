//! The one way in for calls that take time: the GIL is released, and a forked child is refused.

use std::sync::OnceLock;

use helios_core::error::{Error, Result};
use pyo3::marker::Ungil;
use pyo3::{PyResult, Python};

use crate::errors::raise;

/// The process that first came in. Threads and sockets do not survive a fork, so nobody else may.
static HOME: OnceLock<u32> = OnceLock::new();

/// Runs `work` without the GIL.
pub(crate) fn enter<T: Ungil + Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T> + Ungil + Send,
) -> PyResult<T> {
    let here = std::process::id();
    if *HOME.get_or_init(|| here) != here {
        let message =
            "helios was used before this process was forked; start children with the 'spawn' method";
        return Err(raise(Error::Fetch(message.to_owned())));
    }
    py.detach(work).map_err(raise)
}

//! fetch: unwrap, detach, call, wrap.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use helios_core::error::settings_from_json;
use helios_core::extract::is_pdf;
use helios_core::fetch::{Finished, Outcome, Purpose};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::enter::enter;
use crate::errors::raise;
use crate::frontier::Visits;

/// Everything that finished since the last call.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Done {
    /// Shortened by `Frontier.receive`.
    inner: RwLock<Vec<Finished>>,
}

impl Done {
    pub(crate) fn finished(&self) -> RwLockReadGuard<'_, Vec<Finished>> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn finished_mut(&self) -> RwLockWriteGuard<'_, Vec<Finished>> {
        self.inner.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Done {
    fn __len__(&self) -> usize {
        self.finished().len()
    }

    /// Takes over all that is in another batch.
    fn absorb(&self, other: &Self) {
        let more = std::mem::take(&mut *other.finished_mut());
        self.finished_mut().extend(more);
    }

    #[getter]
    fn bytes(&self) -> u64 {
        self.finished().iter().map(|finished| finished.wire_bytes).sum()
    }

    #[getter]
    fn robots(&self) -> usize {
        self.finished().iter().filter(|finished| finished.task.purpose == Purpose::RobotsTxt).count()
    }

    fn outcomes(&self) -> HashMap<&'static str, u64> {
        let mut counts = HashMap::new();
        for finished in self.finished().iter().filter(|finished| finished.task.purpose == Purpose::Page) {
            *counts.entry(finished.outcome.kind().name()).or_default() += 1;
        }
        counts
    }

    /// What could not be had, or not now: URL, kind of outcome, what happened. A site without a robots.txt is no failure.
    fn failures(&self) -> Vec<(String, &'static str, String)> {
        let finished = self.finished();
        let none = |one: &Finished| {
            one.task.purpose == Purpose::RobotsTxt && matches!(one.outcome, Outcome::Missing { .. })
        };
        let failed = finished.iter().filter(|one| is_failure(&one.outcome) && !none(one));
        let told = failed.map(|one| {
            (one.task.permit.url().to_string(), one.outcome.kind().name(), one.outcome.describe())
        });
        told.collect()
    }

    /// The PDFs among them: their places in the batch, and their bytes.
    fn pdfs<'py>(&self, py: Python<'py>) -> Vec<(usize, Bound<'py, PyBytes>)> {
        let finished = self.finished();
        let pdf = |(place, one): (usize, &Finished)| match (&one.outcome, one.task.purpose) {
            (Outcome::Fetched(response), Purpose::Page) if is_pdf(response) => {
                Some((place, PyBytes::new(py, &response.body)))
            }
            _ => None,
        };
        finished.iter().enumerate().filter_map(pdf).collect()
    }

    /// Microseconds of each phase, a value for every page that was asked for; 0 where a phase was not needed.
    fn timings(&self) -> HashMap<&'static str, Vec<u32>> {
        let mut phases: HashMap<&'static str, Vec<u32>> = HashMap::new();
        for finished in self.finished().iter().filter(|finished| finished.address.is_some()) {
            let timings = finished.timings;
            for (phase, took) in [
                ("resolve", timings.resolve),
                ("connect", timings.connect),
                ("tls", timings.tls),
                ("first_byte", timings.first_byte),
                ("body", timings.body),
            ] {
                phases.entry(phase).or_default().push(took);
            }
        }
        phases
    }
}

/// Redirects lead on, and what was abandoned is asked again.
fn is_failure(outcome: &Outcome) -> bool {
    let well = matches!(
        outcome,
        Outcome::Fetched(_) | Outcome::NotModified | Outcome::Redirected { .. } | Outcome::Abandoned
    );
    !well
}

/// Fetches visits.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Fetcher {
    inner: helios_core::fetch::Fetcher,
}

#[pymethods]
impl Fetcher {
    #[new]
    fn new(py: Python<'_>, settings: &str) -> PyResult<Self> {
        let settings = settings_from_json(settings).map_err(raise)?;
        let inner = enter(py, || helios_core::fetch::Fetcher::new(settings))?;
        Ok(Self { inner })
    }

    #[getter]
    fn free(&self) -> usize {
        self.inner.free()
    }

    #[getter]
    fn memory_held(&self) -> u64 {
        self.inner.memory_held()
    }

    #[getter]
    fn in_flight(&self) -> usize {
        self.inner.in_flight()
    }

    /// What the resolver counted, by name.
    fn dns_stats(&self) -> HashMap<&'static str, u64> {
        self.inner.dns_stats().named().into_iter().collect()
    }

    /// What each proxy did so far, by name.
    fn proxy_stats<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let one = |stats: helios_core::fetch::ProxyStats| {
            let named = PyDict::new(py);
            named.set_item("proxy", stats.proxy)?;
            named.set_item("connections", stats.connections)?;
            named.set_item("failures", stats.failures)?;
            named.set_item("requests", stats.requests)?;
            named.set_item("bytes", stats.bytes)?;
            named.set_item("opening_ms", stats.opening_ms)?;
            named.set_item("in_cool_down", stats.in_cool_down)?;
            Ok(named)
        };
        self.inner.proxy_stats().into_iter().map(one).collect()
    }

    fn submit(&self, visits: &Visits) {
        self.inner.submit(visits.take());
    }

    fn completed(&self, py: Python<'_>, wait_ms: u64, linger_ms: u64, max_pages: usize) -> PyResult<Done> {
        let (wait, linger) = (Duration::from_millis(wait_ms), Duration::from_millis(linger_ms));
        let inner = enter(py, || self.inner.completed(wait, linger, max_pages))?;
        Ok(Done { inner: RwLock::new(inner) })
    }

    fn drain(&self) {
        self.inner.drain();
    }

    fn close(&self, py: Python<'_>) {
        // It waits for threads, which may want to log.
        py.detach(|| self.inner.close());
    }
}

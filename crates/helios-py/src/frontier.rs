//! frontier: unwrap, call, wrap.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use helios_core::error::settings_from_json;
use helios_core::fetch::Visit;
use pyo3::prelude::*;

use crate::enter::enter;
use crate::errors::raise;
use crate::extract::Pages;
use crate::fetch::Done;

/// What is leased.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Visits {
    /// Taken out by `Fetcher.submit`.
    inner: Mutex<Vec<Visit>>,
    count: usize,
    urls: usize,
}

impl Visits {
    pub(crate) fn take(&self) -> Vec<Visit> {
        std::mem::take(&mut *self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Visits {
    fn __len__(&self) -> usize {
        self.count
    }

    #[getter]
    fn urls(&self) -> usize {
        self.urls
    }
}

/// What to fetch next, when, and what became of it.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Frontier {
    inner: Mutex<helios_core::frontier::Frontier>,
}

impl Frontier {
    fn lock(&self) -> MutexGuard<'_, helios_core::frontier::Frontier> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value, reason = "Python lists arrive as owned vectors")]
impl Frontier {
    #[new]
    fn new(settings: &str) -> PyResult<Self> {
        let tables = settings_from_json(settings).map_err(raise)?;
        Ok(Self { inner: Mutex::new(helios_core::frontier::Frontier::new(tables)) })
    }

    fn seed(&self, now: u64, urls: Vec<String>) -> Vec<(String, String)> {
        let refused = self.lock().seed(now, urls.iter().map(String::as_str));
        refused.into_iter().map(|(url, error)| (url, error.to_string())).collect()
    }

    fn lease(&self, py: Python<'_>, now: u64, max_visits: usize) -> PyResult<Visits> {
        let visits = enter(py, || Ok(self.lock().lease(now, max_visits)))?;
        let urls = visits.iter().map(|visit| visit.tasks.len()).sum();
        Ok(Visits { count: visits.len(), urls, inner: Mutex::new(visits) })
    }

    #[pyo3(signature = (now, done, pages, staged))]
    fn settle(
        &self,
        py: Python<'_>,
        now: u64,
        done: &Done,
        pages: &Pages,
        staged: Option<String>,
    ) -> PyResult<()> {
        let (finished, links) = (&done.inner, pages.take_links());
        enter(py, || self.lock().settle(now, finished, links, staged))
    }

    fn staged(&self) -> Vec<String> {
        self.lock().staged()
    }

    fn published(&self, names: Vec<String>) -> PyResult<()> {
        self.lock().published(&names).map_err(raise)
    }

    fn next_due(&self, now: u64) -> Option<u64> {
        self.lock().next_due(now)
    }

    fn finished(&self, now: u64) -> bool {
        self.lock().finished(now)
    }

    fn stop(&self) {
        self.lock().stop();
    }

    fn stats(&self) -> HashMap<&'static str, u64> {
        self.lock().stats().into_iter().collect()
    }

    fn dead_letters(&self, limit: usize) -> Vec<(String, String, u32)> {
        let frontier = self.lock();
        let letters = frontier.dead_letters().iter().take(limit);
        letters.map(|letter| (letter.url.to_string(), letter.reason.clone(), letter.attempts)).collect()
    }
}

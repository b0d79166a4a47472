//! frontier: unwrap, call, wrap.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use helios_core::error::{Error, Result, settings_from_json};
use helios_core::fetch::{Validators, Visit};
use helios_core::frontier::{Fetched, Frontier as Core, FrontierTables, Replay};
use helios_core::kv::{Kv, LocalKv, LocalSettings, MemoryDisk, MemoryKv, Ticket};
use helios_core::sieve::{LocalShelf, MemoryShelf, Shelf};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::enter::enter;
use crate::errors::raise;
use crate::extract::Pages;
use crate::fetch::Done;

/// A page that was fetched, as Python tells it.
type Told = (String, u32, u32, u64, Option<String>, Option<String>, Option<u64>);

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
    /// Taken out by `close`: its files are free then.
    inner: Mutex<Option<Core>>,
}

impl Frontier {
    fn lock(&self) -> MutexGuard<'_, Option<Core>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, act: impl FnOnce(&mut Core) -> Result<T>) -> Result<T> {
        match self.lock().as_mut() {
            Some(core) => act(core),
            None => Err(Error::Frontier("it is closed".to_owned())),
        }
    }
}

impl Frontier {
    /// Makes a change, and waits until it is on disk.
    fn durably(&self, change: impl FnOnce(&mut Core) -> Result<Ticket>) -> Result<()> {
        let (ticket, kv) = self.with(|core| {
            let ticket = change(core)?;
            Ok((ticket, core.kv()))
        })?;
        // Nobody is held up by the disk: others lease meanwhile.
        kv.durable(ticket).inspect_err(|error| {
            // What was settled may be lost: nothing may be published that builds on it.
            if let Some(core) = self.lock().as_mut() {
                core.fail(&error.to_string());
            }
        })
    }
}

/// The parts of a folder that a frontier lives in.
fn open(folder: Option<&Path>, tables: FrontierTables, now: u64) -> Result<Core> {
    let (kv, shelf): (Arc<dyn Kv>, Box<dyn Shelf>) = match folder {
        None => (Arc::new(MemoryKv::open(&MemoryDisk::new())?), Box::new(MemoryShelf::default())),
        Some(folder) => {
            // The database first: it says whether the folder is ours, and locks it.
            let kv = LocalKv::open(&folder.join("db"), &LocalSettings::default())?;
            (Arc::new(kv), Box::new(LocalShelf::new(folder.join("seen"))?))
        }
    };
    Core::open(kv, shelf, tables, now)
}

#[pymethods]
#[allow(clippy::needless_pass_by_value, reason = "Python lists arrive as owned vectors")]
impl Frontier {
    #[new]
    #[pyo3(signature = (settings, now, folder=None))]
    fn new(py: Python<'_>, settings: &str, now: u64, folder: Option<PathBuf>) -> PyResult<Self> {
        let tables = settings_from_json(settings).map_err(raise)?;
        let core = enter(py, || open(folder.as_deref(), tables, now))?;
        Ok(Self { inner: Mutex::new(Some(core)) })
    }

    fn seed(&self, py: Python<'_>, now: u64, urls: Vec<String>) -> PyResult<Vec<(String, String)>> {
        let refused = enter(py, || self.with(|core| core.seed(now, urls.iter().map(String::as_str))))?;
        Ok(refused.into_iter().map(|(url, error)| (url, error.to_string())).collect())
    }

    #[pyo3(signature = (now, max_visits, *, behind=false))]
    fn lease(&self, py: Python<'_>, now: u64, max_visits: usize, behind: bool) -> PyResult<Visits> {
        let lease = if behind { Core::lease_behind } else { Core::lease };
        let visits = enter(py, || self.with(|core| lease(core, now, max_visits)))?;
        let urls = visits.iter().map(|visit| visit.tasks.len()).sum();
        Ok(Visits { count: visits.len(), urls, inner: Mutex::new(visits) })
    }

    fn receive(&self, py: Python<'_>, done: &Done) -> PyResult<()> {
        let receive = |core: &mut Core| {
            core.receive(&mut done.finished_mut());
            Ok(())
        };
        enter(py, || self.with(receive))
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
        let found = pages.take_found();
        enter(py, || self.durably(|core| core.settle(now, &done.finished(), found, staged)))
    }

    fn settle_robots(&self, py: Python<'_>, now: u64, done: &Done) -> PyResult<()> {
        enter(py, || self.durably(|core| core.settle_robots(now, &done.finished())))
    }

    fn staged(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        enter(py, || self.with(|core| core.staged()))
    }

    fn published(&self, py: Python<'_>, names: Vec<String>) -> PyResult<()> {
        enter(py, || self.with(|core| core.published(&names)))
    }

    fn next_due(&self, py: Python<'_>, now: u64) -> PyResult<Option<u64>> {
        enter(py, || self.with(|core| Ok(core.next_due(now))))
    }

    fn finished(&self, py: Python<'_>, now: u64) -> PyResult<bool> {
        enter(py, || self.with(|core| Ok(core.finished(now))))
    }

    fn stop(&self) -> PyResult<()> {
        let stop = |core: &mut Core| {
            core.stop();
            Ok(())
        };
        self.with(stop).map_err(raise)
    }

    fn stats(&self, py: Python<'_>) -> PyResult<HashMap<&'static str, u64>> {
        enter(py, || self.with(|core| Ok(core.stats().into_iter().collect())))
    }

    #[pyo3(signature = (limit, after=None))]
    fn dead_letters(
        &self,
        py: Python<'_>,
        limit: usize,
        after: Option<&str>,
    ) -> PyResult<Vec<(String, String, u32)>> {
        let read = |core: &mut Core| match after {
            Some(url) => core.dead_letters_after(url, limit),
            None => core.dead_letters(limit),
        };
        let letters = enter(py, || self.with(read))?;
        Ok(letters
            .into_iter()
            .map(|letter| (letter.url.to_string(), letter.reason, letter.attempts))
            .collect())
    }

    #[pyo3(signature = (now, site=None, reason=None))]
    fn replay(
        &self,
        py: Python<'_>,
        now: u64,
        site: Option<String>,
        reason: Option<String>,
    ) -> PyResult<u64> {
        let which = Replay { site, reason, url: None };
        enter(py, || self.with(|core| core.replay(now, &which)))
    }

    /// URL, depth, how often and when it was fetched, `ETag`, `Last-Modified`.
    fn revive(&self, py: Python<'_>, pages: Vec<Told>) -> PyResult<u64> {
        let fetched =
            pages.into_iter().map(|(url, depth, fetches, at, etag, last_modified, content)| Fetched {
                url,
                depth,
                fetches,
                at,
                validators: Validators {
                    etag: etag.map(String::into_boxed_str),
                    last_modified: last_modified.map(String::into_boxed_str),
                },
                content,
            });
        let fetched = fetched.collect();
        enter(py, || self.with(|core| core.revive(fetched)))
    }

    fn why(&self, py: Python<'_>, now: u64, url: &str) -> PyResult<String> {
        let ask = |core: &mut Core| {
            let url = core.urls().parse(url)?;
            core.why(now, &url)
        };
        let why = enter(py, || self.with(ask))?;
        serde_json::to_string(&why).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.lock().take()));
    }
}

/// The frontier's settings as the core has them, for a test that both sides mean the same.
#[pyfunction]
pub(crate) fn frontier_defaults() -> PyResult<String> {
    serde_json::to_string(&FrontierTables::default())
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

//! simweb: the synthetic web, served from threads of this process until it is stopped.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use helios_sim::command;
use helios_sim::server::{Listen, Ports, Running, ServeError, serve};
use helios_sim::settings::Promises;
use pyo3::prelude::*;
use tokio::runtime::Runtime;

use crate::errors::{SettingsError, SimWebError};

/// The synthetic web.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct SimWeb {
    /// Taken out by `stop`.
    served: Mutex<Option<(Running, Runtime)>>,
    /// Told by `stop`.
    stopped: Condvar,
    ports: Ports,
}

impl SimWeb {
    fn lock(&self) -> MutexGuard<'_, Option<(Running, Runtime)>> {
        self.served.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, ask: impl FnOnce(&Running) -> T) -> PyResult<T> {
        match &*self.lock() {
            Some((running, _)) => Ok(ask(running)),
            None => Err(failed("it was stopped")),
        }
    }
}

#[pymethods]
#[allow(clippy::similar_names, reason = "http and https are what the two ports are called")]
impl SimWeb {
    #[new]
    fn new(
        py: Python<'_>,
        preset: &str,
        settings: &str,
        http_port: u16,
        https_port: u16,
        dns_port: u16,
    ) -> PyResult<Self> {
        let fields = serde_json::from_str(settings).map_err(unusable)?;
        let settings =
            command::preset(preset).and_then(|web| command::overridden(web, fields)).map_err(unusable)?;
        let listen = Listen { http_port, https_port, dns_port };
        let runtime = Runtime::new().map_err(failed)?;
        let served = py.detach(|| runtime.block_on(serve(settings, &listen)));
        let running = served.map_err(|error| match error {
            ServeError::Web(why) => unusable(why),
            ServeError::PortBusy { .. } | ServeError::Bind { .. } | ServeError::Certificates(_) => {
                failed(error)
            }
        })?;
        let ports = running.ports();
        Ok(Self { served: Mutex::new(Some((running, runtime))), stopped: Condvar::new(), ports })
    }

    #[getter]
    fn http_port(&self) -> u16 {
        self.ports.http
    }

    #[getter]
    fn https_port(&self) -> u16 {
        self.ports.https
    }

    #[getter]
    fn dns_port(&self) -> u16 {
        self.ports.dns
    }

    #[getter]
    fn all_addresses(&self) -> bool {
        self.ports.all_addresses
    }

    fn seeds(&self) -> PyResult<Vec<String>> {
        self.with(|running| running.web().seeds())
    }

    fn ca_pem(&self) -> PyResult<String> {
        self.with(Running::ca_pem)
    }

    fn audit(&self, py: Python<'_>, promises: &str) -> PyResult<(String, String, bool)> {
        let promises: Promises = serde_json::from_str(promises).map_err(failed)?;
        let report = py.detach(|| self.with(|running| running.audit(&promises)))?;
        Ok((report.json(), report.text(), report.innocent))
    }

    fn wait(&self, py: Python<'_>, timeout_ms: u64) {
        py.detach(|| {
            let timeout = Duration::from_millis(timeout_ms);
            // Both ends of the wait are fine: stopped, or time to look for signals.
            drop(self.stopped.wait_timeout_while(self.lock(), timeout, |served| served.is_some()));
        });
    }

    fn stop(&self, py: Python<'_>) {
        py.detach(|| {
            if let Some((running, runtime)) = self.lock().take() {
                runtime.block_on(running.stop());
                runtime.shutdown_background();
            }
            self.stopped.notify_all();
        });
    }
}

#[allow(clippy::needless_pass_by_value, reason = "as the next")]
fn unusable(error: impl ToString) -> PyErr {
    SettingsError::new_err(format!("the synthetic web: {}", error.to_string()))
}

#[allow(clippy::needless_pass_by_value, reason = "reads best as map_err(failed)")]
fn failed(error: impl ToString) -> PyErr {
    SimWebError::new_err(error.to_string())
}

//! page: a page as a hook sees it. Nothing is decoded or parsed before it is asked for.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use helios_core::extract::View;
use helios_core::url::CanonicalUrl;
use helios_page::html::NodeId;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A page.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Page {
    view: Arc<View>,
    rows: RecordBatch,
    /// None: it is not kept.
    row: Option<usize>,
    depth: u32,
    links: Vec<CanonicalUrl>,
}

impl Page {
    pub(crate) fn new(
        view: View,
        rows: RecordBatch,
        row: Option<usize>,
        depth: u32,
        links: Vec<CanonicalUrl>,
    ) -> Self {
        Self { view: Arc::new(view), rows, row, depth, links }
    }

    /// A column of texts of this row.
    fn cell(&self, name: &str) -> Option<&str> {
        let row = self.row?;
        let column = self.rows.column_by_name(name).filter(|column| column.is_valid(row))?;
        match column.as_string_opt::<i32>() {
            Some(texts) => Some(texts.value(row)),
            None => column.as_string_opt::<i64>().map(|texts| texts.value(row)),
        }
    }

    fn text_of(&self, name: &str) -> &str {
        self.cell(name).unwrap_or_default()
    }

    fn json_of<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.cell(name).unwrap_or("{}"),))
    }
}

#[pymethods]
impl Page {
    #[getter]
    fn url(&self) -> &str {
        self.view.url.as_str()
    }

    #[getter]
    fn status(&self) -> u16 {
        self.view.status
    }

    #[getter]
    fn content_type(&self) -> &str {
        &self.view.content_type
    }

    #[getter]
    fn headers(&self) -> HashMap<String, String> {
        let mut headers: HashMap<String, String> = HashMap::new();
        for (name, value) in self.view.headers() {
            let all = headers.entry(name).or_default();
            all.push_str(if all.is_empty() { "" } else { ", " });
            all.push_str(&value);
        }
        headers
    }

    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.view.body)
    }

    #[getter]
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| self.view.html())
    }

    #[getter]
    fn title(&self) -> &str {
        self.text_of("title")
    }

    #[getter]
    fn text(&self) -> &str {
        self.text_of("text")
    }

    #[getter]
    fn markdown(&self) -> &str {
        self.text_of("markdown")
    }

    #[getter]
    fn language(&self) -> &str {
        self.text_of("language")
    }

    #[getter]
    fn depth(&self) -> u32 {
        self.depth
    }

    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.json_of(py, "facts")
    }

    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.json_of(py, "fields")
    }

    #[getter]
    fn links(&self) -> Vec<&str> {
        self.links.iter().map(CanonicalUrl::as_str).collect()
    }

    fn css(&self, py: Python<'_>, selector: &str) -> PyResult<Vec<String>> {
        py.detach(|| self.view.css(selector, None)).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn elements(&self, py: Python<'_>, selector: &str) -> PyResult<Vec<Element>> {
        Element::all(py, &self.view, selector, None)
    }
}

/// An element of a page.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct Element {
    view: Arc<View>,
    id: NodeId,
}

impl Element {
    fn all(py: Python<'_>, view: &Arc<View>, selector: &str, top: Option<NodeId>) -> PyResult<Vec<Self>> {
        let found = py.detach(|| view.elements(selector, top));
        let found = found.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(found.into_iter().map(|id| Self { view: Arc::clone(view), id }).collect())
    }
}

#[pymethods]
impl Element {
    #[getter]
    fn name(&self) -> &str {
        self.view.tree().name(self.id)
    }

    #[getter]
    fn text(&self) -> String {
        self.view.tree().text_of(self.id).trim().to_owned()
    }

    #[getter]
    fn attributes(&self) -> HashMap<&str, &str> {
        self.view.tree().attrs(self.id).collect()
    }

    fn css(&self, py: Python<'_>, selector: &str) -> PyResult<Vec<String>> {
        py.detach(|| self.view.css(selector, Some(self.id)))
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn elements(&self, py: Python<'_>, selector: &str) -> PyResult<Vec<Self>> {
        Self::all(py, &self.view, selector, Some(self.id))
    }
}

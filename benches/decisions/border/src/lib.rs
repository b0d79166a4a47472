//! The border: a batch of page bodies goes from Rust to Python and back as Arrow.
//!
//! `make` builds the batch, `as_reader`/`as_table` hand it over through the Arrow C stream, `take` receives one.
//! Both sides report the address of the body buffer, so "no copy" is checked and not assumed.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, UInt16Array};
use arrow_schema::{DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::{PyRecordBatch, PyRecordBatchReader, PyTable};

/// An opaque handle: the batch stays in Rust until Python asks for it.
#[pyclass(frozen)]
struct Batch(RecordBatch);

#[pymethods]
impl Batch {
    /// Address of the values buffer of the `body` column.
    fn body_address(&self) -> usize {
        body_address(&self.0)
    }

    /// The batch as a one-shot reader (Arrow C stream).
    fn as_reader(&self) -> PyRecordBatchReader {
        let schema = self.0.schema();
        let one = RecordBatchIterator::new([Ok(self.0.clone())], schema);
        PyRecordBatchReader::new(Box::new(one))
    }

    /// The batch as a table (Arrow C stream, can be read again).
    fn as_table(&self) -> PyResult<PyTable> {
        PyTable::try_new(vec![self.0.clone()], self.0.schema())
    }

    /// The batch alone (Arrow C array).
    fn as_batch(&self) -> PyRecordBatch {
        PyRecordBatch::new(self.0.clone())
    }
}

fn body_address(batch: &RecordBatch) -> usize {
    let body = batch.column_by_name("body").expect("a body column");
    match body.data_type() {
        DataType::LargeBinary => body.as_binary::<i64>().values().as_ptr() as usize,
        _ => body.as_binary::<i32>().values().as_ptr() as usize,
    }
}

/// A batch of `rows` pages with bodies of `body_bytes` each; all work is done with the interpreter detached.
#[pyfunction]
fn make(py: Python<'_>, rows: usize, body_bytes: usize) -> Batch {
    py.detach(|| {
        let mut url = StringBuilder::new();
        let mut body = BinaryBuilder::with_capacity(rows, rows * body_bytes);
        for row in 0..rows {
            url.append_value(format!("https://example.org/page/{row}"));
            body.append_value(vec![row as u8; body_bytes]);
        }
        let status = UInt16Array::from(vec![200; rows]);
        let schema = Schema::new(vec![
            Field::new("url", DataType::Utf8, false),
            Field::new("status", DataType::UInt16, false),
            Field::new("body", DataType::Binary, false),
        ]);
        let columns: Vec<Arc<dyn Array>> =
            vec![Arc::new(url.finish()), Arc::new(status), Arc::new(body.finish())];
        Batch(RecordBatch::try_new(Arc::new(schema), columns).expect("columns match the schema"))
    })
}

/// Anything with `__arrow_c_stream__`: (rows, addresses of its body buffers, as Rust sees them).
#[pyfunction]
fn take(py: Python<'_>, table: PyTable) -> (usize, Vec<usize>) {
    py.detach(|| {
        let (batches, _schema) = table.into_inner();
        let rows = batches.iter().map(RecordBatch::num_rows).sum();
        (rows, batches.iter().map(body_address).collect())
    })
}

#[pymodule]
fn border(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Batch>()?;
    m.add_function(wrap_pyfunction!(make, m)?)?;
    m.add_function(wrap_pyfunction!(take, m)?)
}

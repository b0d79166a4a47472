//! The columns of the page table. docs/page-table.md says what each means; a test keeps the two together.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::{LargeStringBuilder, StringBuilder, UInt16Builder, UInt32Builder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch, TimestampMillisecondArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

use super::Page;
use crate::error::{Error, Result};
use crate::fetch::{Finished, Outcome};

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let must = |name: &str, kind: DataType| Field::new(name, kind, false);
    Arc::new(Schema::new(vec![
        must("url", DataType::Utf8),
        must("site", DataType::Utf8),
        must("fetched_at", DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()))),
        must("fetch_ms", DataType::UInt32),
        must("status", DataType::UInt16),
        must("content_type", DataType::Utf8),
        must("charset", DataType::Utf8),
        must("language", DataType::Utf8),
        must("title", DataType::Utf8),
        must("description", DataType::Utf8),
        must("text", DataType::LargeUtf8),
        must("content_hash", DataType::UInt64),
        must("depth", DataType::UInt32),
        must("bytes", DataType::UInt64),
    ]))
});

/// The schema of every batch of pages.
pub fn schema() -> SchemaRef {
    Arc::clone(&SCHEMA)
}

/// A builder per column, filled row by row.
#[derive(Default)]
struct Columns {
    url: StringBuilder,
    site: StringBuilder,
    fetched_at: Vec<i64>,
    fetch_ms: UInt32Builder,
    status: UInt16Builder,
    content_type: StringBuilder,
    charset: StringBuilder,
    language: StringBuilder,
    title: StringBuilder,
    description: StringBuilder,
    text: LargeStringBuilder,
    content_hash: UInt64Builder,
    depth: UInt32Builder,
    bytes: UInt64Builder,
}

/// A row for each page that may be kept.
pub(super) fn rows(done: &[Finished], pages: &[Option<Page>]) -> Result<RecordBatch> {
    let mut columns = Columns::default();
    for (finished, page) in done.iter().zip(pages) {
        if let (Outcome::Fetched(response), Some(page)) = (&finished.outcome, page)
            && page.index
        {
            columns.append(finished, response, page);
        }
    }
    columns.finish()
}

impl Columns {
    fn append(&mut self, finished: &Finished, response: &crate::fetch::Response, page: &Page) {
        self.url.append_value(finished.task.permit.url().as_str());
        self.site.append_value(finished.site.as_str());
        self.fetched_at.push(finished.finished.cast_signed());
        self.fetch_ms.append_value(finished.finished.saturating_sub(finished.started) as u32);
        self.status.append_value(response.status);
        self.content_type.append_value(&response.content_type);
        self.charset.append_value(page.charset);
        self.language.append_value(&page.language);
        self.title.append_value(page.title.trim());
        self.description.append_value(&page.description);
        self.text.append_value(&page.text);
        self.content_hash.append_value(xxhash_rust::xxh3::xxh3_64(page.text.as_bytes()));
        self.depth.append_value(finished.task.depth);
        self.bytes.append_value(finished.wire_bytes);
    }

    fn finish(mut self) -> Result<RecordBatch> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.url.finish()),
            Arc::new(self.site.finish()),
            Arc::new(TimestampMillisecondArray::from(self.fetched_at).with_timezone("UTC")),
            Arc::new(self.fetch_ms.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.content_type.finish()),
            Arc::new(self.charset.finish()),
            Arc::new(self.language.finish()),
            Arc::new(self.title.finish()),
            Arc::new(self.description.finish()),
            Arc::new(self.text.finish()),
            Arc::new(self.content_hash.finish()),
            Arc::new(self.depth.finish()),
            Arc::new(self.bytes.finish()),
        ];
        RecordBatch::try_new(schema(), columns).map_err(|error| Error::Fetch(format!("page table: {error}")))
    }
}

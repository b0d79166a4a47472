//! The columns of the page table. docs/page-table.md says what each means; a test keeps the two together.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use arrow_array::builder::{
    Float32Builder, LargeBinaryBuilder, LargeStringBuilder, ListBuilder, StringBuilder,
    TimestampMillisecondBuilder, UInt8Builder, UInt16Builder, UInt32Builder, UInt64Builder,
};
use arrow_array::{ArrayRef, LargeStringArray, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};

use super::page::Page;
use crate::error::{Error, Result};
use crate::fetch::{Finished, Outcome, Response};
use crate::url::CanonicalUrl;

/// Of the columns and their meaning; in the metadata of the schema. Goes up when a column is renamed, removed or means something else.
pub const VERSION: u32 = 2;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let must = |name: &str, kind: DataType| Field::new(name, kind, false);
    let may = |name: &str, kind: DataType| Field::new(name, kind, true);
    let time = || DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    let columns = vec![
        must("id", DataType::Utf8),
        must("url", DataType::Utf8),
        must("site", DataType::Utf8),
        must("fetch_number", DataType::UInt32),
        must("fetched_at", time()),
        must("fetch_ms", DataType::UInt32),
        must("status", DataType::UInt16),
        must("outcome", DataType::Utf8),
        must("content_type", DataType::Utf8),
        may("etag", DataType::Utf8),
        may("last_modified", DataType::Utf8),
        may("server", DataType::Utf8),
        may("robots_tag", DataType::Utf8),
        may("address", DataType::Utf8),
        must("charset", DataType::Utf8),
        must("language", DataType::Utf8),
        must("title", DataType::Utf8),
        must("description", DataType::Utf8),
        must("page_type", DataType::Utf8),
        must("text", DataType::LargeUtf8),
        must("markdown", DataType::LargeUtf8),
        must("words", DataType::UInt32),
        must("authors", DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)))),
        may("published", time()),
        may("modified", time()),
        may("site_name", DataType::Utf8),
        may("canonical", DataType::Utf8),
        may("image", DataType::Utf8),
        may("facts", DataType::LargeUtf8),
        may("fields", DataType::LargeUtf8),
        must("content_hash", DataType::UInt64),
        must("simhash", DataType::UInt64),
        may("duplicate_of", DataType::Utf8),
        must("depth", DataType::UInt32),
        may("referrer", DataType::Utf8),
        must("redirects", DataType::UInt32),
        must("tier", DataType::UInt8),
        must("score", DataType::Float32),
        must("bytes", DataType::UInt64),
        must("body_hash", DataType::UInt64),
        may("raw", DataType::LargeBinary),
    ];
    let version = HashMap::from([("helios.page_table".to_owned(), VERSION.to_string())]);
    Arc::new(Schema::new_with_metadata(columns, version))
});

/// The schema of every batch of pages.
pub fn schema() -> SchemaRef {
    Arc::clone(&SCHEMA)
}

/// A builder per column, filled row by row.
#[derive(Default)]
struct Columns {
    id: StringBuilder,
    url: StringBuilder,
    site: StringBuilder,
    fetch_number: UInt32Builder,
    fetched_at: TimestampMillisecondBuilder,
    fetch_ms: UInt32Builder,
    status: UInt16Builder,
    outcome: StringBuilder,
    content_type: StringBuilder,
    etag: StringBuilder,
    last_modified: StringBuilder,
    server: StringBuilder,
    robots_tag: StringBuilder,
    address: StringBuilder,
    charset: StringBuilder,
    language: StringBuilder,
    title: StringBuilder,
    description: StringBuilder,
    page_type: StringBuilder,
    text: LargeStringBuilder,
    markdown: LargeStringBuilder,
    words: UInt32Builder,
    authors: ListBuilder<StringBuilder>,
    published: TimestampMillisecondBuilder,
    modified: TimestampMillisecondBuilder,
    site_name: StringBuilder,
    canonical: StringBuilder,
    image: StringBuilder,
    facts: LargeStringBuilder,
    fields: LargeStringBuilder,
    content_hash: UInt64Builder,
    simhash: UInt64Builder,
    duplicate_of: StringBuilder,
    depth: UInt32Builder,
    referrer: StringBuilder,
    redirects: UInt32Builder,
    tier: UInt8Builder,
    score: Float32Builder,
    bytes: UInt64Builder,
    body_hash: UInt64Builder,
    raw: LargeBinaryBuilder,
}

/// A row for each page that may be kept, and where in the batch it was fetched.
pub(super) fn rows(done: &[Finished], pages: &[Option<Page>]) -> Result<(RecordBatch, Vec<usize>)> {
    let (mut columns, mut places) = (Columns::default(), Vec::new());
    for (place, (finished, page)) in done.iter().zip(pages).enumerate() {
        if let (Outcome::Fetched(response), Some(page)) = (&finished.outcome, page)
            && page.index
        {
            columns.append_fetch(finished);
            columns.append_answer(response);
            columns.append_page(page);
            places.push(place);
        }
    }
    Ok((columns.finish()?, places))
}

/// The same rows with other `fields`, one for each row.
pub fn with_fields(rows: &RecordBatch, fields: Vec<Option<String>>) -> Result<RecordBatch> {
    let broken = |error: ArrowError| Error::Fetch(format!("page table: {error}"));
    let place = rows.schema().index_of("fields").map_err(broken)?;
    let mut columns = rows.columns().to_vec();
    if let Some(column) = columns.get_mut(place) {
        *column = Arc::new(LargeStringArray::from(fields));
    }
    RecordBatch::try_new(rows.schema(), columns).map_err(broken)
}

impl Columns {
    fn append_fetch(&mut self, finished: &Finished) {
        let url = finished.task.permit.url();
        self.id.append_value(id(u128::from_be_bytes(url.fingerprint().to_be_bytes())));
        self.url.append_value(url.as_str());
        self.site.append_value(finished.site.as_str());
        self.fetched_at.append_value(finished.finished.cast_signed());
        self.fetch_ms.append_value(finished.finished.saturating_sub(finished.started) as u32);
        self.fetch_number.append_value(finished.task.fetch_number);
        self.depth.append_value(finished.task.depth);
        self.bytes.append_value(finished.wire_bytes);
        self.outcome.append_value(finished.outcome.kind().name());
        self.address.append_option(finished.address.map(|address| address.to_string()));
        let known = &finished.task.known;
        self.referrer.append_option(known.via.as_ref().map(CanonicalUrl::as_str));
        self.redirects.append_value(known.hops);
        self.tier.append_value(known.tier);
        self.score.append_value(known.score);
    }

    fn append_answer(&mut self, response: &Response) {
        self.status.append_value(response.status);
        self.content_type.append_value(&response.content_type);
        self.etag.append_option(response.validators.etag.as_deref());
        self.last_modified.append_option(response.validators.last_modified.as_deref());
        self.server.append_option(response.server.as_deref());
        let tags = &response.robots_tags;
        self.robots_tag.append_option((!tags.is_empty()).then(|| tags.join(", ")));
    }

    fn append_page(&mut self, page: &Page) {
        self.charset.append_value(page.charset);
        self.language.append_value(&page.language);
        self.title.append_value(page.title.trim());
        self.description.append_value(&page.description);
        self.page_type.append_value(page.kind);
        self.text.append_value(&page.text);
        self.markdown.append_value(&page.markdown);
        self.words.append_value(page.words);
        self.authors.append_value(page.authors.iter().map(Some));
        self.published.append_option(page.published);
        self.modified.append_option(page.modified);
        self.site_name.append_option(page.site_name.as_deref());
        self.canonical.append_option(page.canonical.as_deref());
        self.image.append_option(page.image.as_deref());
        self.facts.append_option(page.facts.as_deref());
        self.fields.append_option(page.fields.as_deref());
        self.body_hash.append_value(page.body_hash);
        self.content_hash.append_value(page.text_hash);
        self.simhash.append_value(page.print.map_or(0, |print| print.simhash));
        self.duplicate_of.append_option(page.duplicate_of.map(id));
        self.raw.append_option(page.raw.as_deref());
    }

    fn finish(mut self) -> Result<RecordBatch> {
        let utc = |mut times: TimestampMillisecondBuilder| Arc::new(times.finish().with_timezone("UTC"));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.id.finish()),
            Arc::new(self.url.finish()),
            Arc::new(self.site.finish()),
            Arc::new(self.fetch_number.finish()),
            utc(self.fetched_at),
            Arc::new(self.fetch_ms.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.outcome.finish()),
            Arc::new(self.content_type.finish()),
            Arc::new(self.etag.finish()),
            Arc::new(self.last_modified.finish()),
            Arc::new(self.server.finish()),
            Arc::new(self.robots_tag.finish()),
            Arc::new(self.address.finish()),
            Arc::new(self.charset.finish()),
            Arc::new(self.language.finish()),
            Arc::new(self.title.finish()),
            Arc::new(self.description.finish()),
            Arc::new(self.page_type.finish()),
            Arc::new(self.text.finish()),
            Arc::new(self.markdown.finish()),
            Arc::new(self.words.finish()),
            Arc::new(self.authors.finish()),
            utc(self.published),
            utc(self.modified),
            Arc::new(self.site_name.finish()),
            Arc::new(self.canonical.finish()),
            Arc::new(self.image.finish()),
            Arc::new(self.facts.finish()),
            Arc::new(self.fields.finish()),
            Arc::new(self.content_hash.finish()),
            Arc::new(self.simhash.finish()),
            Arc::new(self.duplicate_of.finish()),
            Arc::new(self.depth.finish()),
            Arc::new(self.referrer.finish()),
            Arc::new(self.redirects.finish()),
            Arc::new(self.tier.finish()),
            Arc::new(self.score.finish()),
            Arc::new(self.bytes.finish()),
            Arc::new(self.body_hash.finish()),
            Arc::new(self.raw.finish()),
        ];
        RecordBatch::try_new(schema(), columns).map_err(|error| Error::Fetch(format!("page table: {error}")))
    }
}

/// A page's name: the fingerprint of its URL in hexadecimal digits.
fn id(fingerprint: u128) -> String {
    format!("{fingerprint:032x}")
}

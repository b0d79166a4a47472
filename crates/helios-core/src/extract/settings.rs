//! The `[extract]` table.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_excessive_bools, reason = "settings are yes or no by name")]
pub struct ExtractSettings {
    /// Links of one page that are looked at; the rest is ignored.
    pub max_links: usize,
    /// Text of one page that is kept, in bytes; of its markdown, too.
    pub max_text_bytes: usize,
    pub text: TextKind,
    pub markdown: bool,
    /// Structured data and all else that a page says about itself, as JSON.
    pub facts: bool,
    pub duplicates: Duplicates,
    /// Are the links of duplicates followed?
    pub follow_duplicates: bool,
    /// Two pages are duplicates if they share at least this part of their shingles.
    pub similarity: f32,
    /// Keep the body, too, as zstd.
    pub raw: bool,
    /// What users want of each page.
    pub fields: Vec<FieldRule>,
}

impl Default for ExtractSettings {
    fn default() -> Self {
        Self {
            max_links: 10_000,
            max_text_bytes: 2_000_000,
            text: TextKind::Main,
            markdown: true,
            facts: true,
            duplicates: Duplicates::Store,
            follow_duplicates: true,
            similarity: 0.8,
            raw: false,
            fields: Vec::new(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextKind {
    /// Without menus, teasers and notices.
    Main,
    /// What the reader view of a browser would show.
    Reader,
    /// All that the page could show.
    Full,
    /// Links, title and what else the page says about itself; no language, nor duplicates of it.
    None,
}

/// What becomes of a page that is like another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Duplicates {
    /// It is stored as any other, and says of what it is a duplicate.
    Store,
    /// It is stored without its text.
    Facts,
    /// It is not stored.
    Skip,
    /// Nobody looks.
    Ignore,
}

/// A value of each page, chosen by a CSS selector; `::text` and `::attr(name)` choose what of the element.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldRule {
    pub name: String,
    pub selector: String,
    /// All that it finds, as a list; else the first.
    #[serde(default)]
    pub many: bool,
}

//! What users want of each page, by CSS selectors.

use helios_page::html::Tree;
use helios_page::html::select::Selector;
use serde_json::{Map, Value};

use super::FieldRule;
use crate::error::{Error, Result};

/// Selectors, read once.
pub(super) struct Fields(Vec<Field>);

struct Field {
    name: String,
    selector: Selector,
    many: bool,
}

impl Fields {
    pub(super) fn new(rules: &[FieldRule]) -> Result<Self> {
        rules.iter().map(Field::new).collect::<Result<_>>().map(Self)
    }

    /// A JSON object; none if nothing was asked for.
    pub(super) fn read(&self, tree: &Tree<'_>) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let values: Map<String, Value> =
            self.0.iter().map(|field| (field.name.clone(), field.value(tree))).collect();
        Some(Value::Object(values).to_string())
    }
}

impl Field {
    fn new(rule: &FieldRule) -> Result<Self> {
        let selector = Selector::parse(&rule.selector)
            .map_err(|error| Error::Settings(format!("extract.fields.{}: {error}", rule.name)))?;
        Ok(Self { name: rule.name.clone(), selector, many: rule.many })
    }

    fn value(&self, tree: &Tree<'_>) -> Value {
        let mut values =
            self.selector.values(tree).into_iter().map(|text| Value::String(text.trim().to_owned()));
        if self.many { Value::Array(values.collect()) } else { values.next().unwrap_or(Value::Null) }
    }
}

//! The model of the page store: staged files that nobody sees, and rows that everybody sees once they are published.

use std::collections::{BTreeMap, BTreeSet};

/// What a row is identified by: the URL and how often it was fetched before.
pub(crate) type Row = (String, u32);

#[derive(Debug, Default)]
pub(crate) struct Store {
    staged: BTreeMap<String, Vec<Row>>,
    published: BTreeSet<String>,
    pub(crate) rows: Vec<Row>,
}

impl Store {
    /// Files are never overwritten: a name is used once.
    pub(crate) fn stage(&mut self, rows: Vec<Row>) -> String {
        let name = format!("file-{}", self.staged.len());
        self.staged.insert(name.clone(), rows);
        name
    }

    /// A file that is visible already is recognised: a repeat changes nothing. Err: there is no such file.
    pub(crate) fn publish(&mut self, names: &[String]) -> Result<(), String> {
        for name in names {
            let rows = self.staged.get(name).ok_or_else(|| format!("{name} was never staged"))?;
            if self.published.insert(name.clone()) {
                self.rows.extend(rows.iter().cloned());
            }
        }
        Ok(())
    }
}

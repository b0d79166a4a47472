//! Files that a settle committed and that are not visible yet.

use super::draft::Draft;
use super::{Frontier, key};
use crate::error::{Error, Result};

impl Frontier {
    /// Committed and not yet published, oldest first. After a failed write nobody knows what was committed.
    pub fn staged(&self) -> Result<Vec<String>> {
        self.alive()?;
        Ok(self.staged.iter().map(|(_, name)| name.clone()).collect())
    }

    /// These are visible now. If this is lost in a crash they are published again, which changes nothing.
    pub fn published(&mut self, names: &[String]) -> Result<()> {
        self.alive()?;
        let mut draft = Draft::default();
        for name in names {
            match self.staged.front() {
                Some((write, oldest)) if oldest == name => {
                    draft.batch.delete(key::staged(*write));
                    self.staged.pop_front();
                }
                _ => {
                    let message = format!("{name:?} was published but is not the oldest staged");
                    return Err(Error::Frontier(message));
                }
            }
        }
        self.commit_any(draft)
    }
}

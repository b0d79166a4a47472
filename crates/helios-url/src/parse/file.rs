//! `file:`, for conformance alone: nothing of it is ever crawled, but a page may be saved and say `<base href="file:…">`.

use super::Parser;
use super::path::{is_drive, is_normal_drive};
use crate::error::Fault;
use crate::host::push_host;
use crate::url::Url;

impl Parser {
    /// The text so far is `file:`.
    pub(super) fn file(&mut self, rest: &str, base: Option<&Url>) -> Result<(), Fault> {
        self.text.push_str("//");
        self.set_host("");
        let Some(one) = self.strip_slash(rest) else {
            self.beside(rest, base);
            return Ok(());
        };
        if let Some(two) = self.strip_slash(one) {
            return self.file_host(two);
        }
        if let Some(base) = base {
            self.set_host(base.host().unwrap_or_default());
            let first = base.path().split('/').nth(1).unwrap_or_default();
            if !begins_with_drive(one) && is_normal_drive(first) {
                self.text.push('/');
                self.text.push_str(first);
            }
        }
        self.path_and_tail(one);
        Ok(())
    }

    fn set_host(&mut self, host: &str) {
        let start = self.marks.scheme_end + 3;
        self.text.push_str(host);
        self.marks.host = Some((start, self.text.len()));
        self.marks.path = self.text.len();
    }

    /// No slash: what stands beside the base.
    fn beside(&mut self, rest: &str, base: Option<&Url>) {
        let Some(base) = base else { return self.path_and_tail(rest) };
        self.set_host(base.host().unwrap_or_default());
        match rest.as_bytes().first() {
            Some(b'?') => {
                self.text.push_str(base.path());
                self.tail(rest);
            }
            None | Some(b'#') => {
                self.text.push_str(base.path());
                self.copy_query(base);
                self.tail(rest);
            }
            Some(_) => {
                if !begins_with_drive(rest) {
                    self.text.push_str(base.path());
                    self.shorten();
                }
                self.path_and_tail(rest);
            }
        }
    }

    fn file_host(&mut self, rest: &str) -> Result<(), Fault> {
        let (host, after) = rest.split_at(rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len()));
        if is_drive(host) {
            self.path_and_tail(rest);
            return Ok(());
        }
        if !host.is_empty() {
            let start = self.text.len();
            push_host(&mut self.text, host, true)?;
            if self.text.get(start..) == Some("localhost") {
                self.text.truncate(start);
            }
            self.set_host("");
        }
        self.path_and_tail(self.strip_slash(after).unwrap_or(after));
        Ok(())
    }
}

fn begins_with_drive(text: &str) -> bool {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['/', '\\', '?', '#']);
    text.get(..2).is_some_and(is_drive) && text.get(2..).is_some_and(ends)
}

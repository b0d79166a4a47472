//! A page for a hook of the user: nothing is read of it before it is asked for.

use std::sync::OnceLock;

use bytes::Bytes;
use helios_page::charset;
use helios_page::html::select::{Selector, SelectorError};
use helios_page::html::{NodeId, Tree};

use crate::fetch::Response;
use crate::url::CanonicalUrl;

/// The answer that brought a page. It holds the body, not the fetcher's memory: whoever keeps a view stops no crawl.
#[derive(Debug)]
pub struct View {
    pub url: CanonicalUrl,
    pub status: u16,
    pub content_type: String,
    pub head: Bytes,
    pub body: Bytes,
    /// Filled when first asked for; its source is the decoded body.
    tree: OnceLock<Tree<'static>>,
}

impl View {
    pub fn new(url: CanonicalUrl, response: &Response) -> Self {
        Self {
            url,
            status: response.status,
            content_type: response.content_type.clone(),
            head: response.head.clone(),
            body: response.body.clone(),
            tree: OnceLock::new(),
        }
    }

    /// The body as text.
    pub fn html(&self) -> String {
        let tld = self.url.host().rsplit('.').next();
        charset::decode(&self.body, &self.content_type, tld).text.into_owned()
    }

    pub fn tree(&self) -> &Tree<'static> {
        self.tree.get_or_init(|| Tree::parse_owned(self.html()))
    }

    /// Names in lower case and values, in the order of the answer; the same name may come again.
    pub fn headers(&self) -> Vec<(String, String)> {
        let lines = self.head.split(|&byte| byte == b'\n').skip(1);
        let field = |line: &[u8]| {
            let line = String::from_utf8_lossy(line);
            let (name, value) = line.split_once(':')?;
            Some((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        };
        lines.filter_map(field).collect()
    }

    /// What a selector asks for of the page, or of one of its elements.
    pub fn css(&self, selector: &str, top: Option<NodeId>) -> Result<Vec<String>, SelectorError> {
        let (selector, tree) = (Selector::parse(selector)?, self.tree());
        let values = selector.values_in(tree, top.unwrap_or(tree.root()));
        Ok(values.iter().map(|value| value.trim().to_owned()).collect())
    }

    /// The elements that a selector finds in the page, or in one of its elements.
    pub fn elements(&self, selector: &str, top: Option<NodeId>) -> Result<Vec<NodeId>, SelectorError> {
        let (selector, tree) = (Selector::parse(selector)?, self.tree());
        Ok(selector.find_in(tree, top.unwrap_or(tree.root())))
    }
}

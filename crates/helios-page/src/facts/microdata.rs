//! Microdata (WHATWG HTML §5): items with their properties.
//!
//! Each item is `{"type", "id", "properties"}`, where what stands alone is not in a list; one without properties has its text as `value`.

use std::collections::HashMap;

use super::words::text;
use crate::html::{NodeId, Tag, Tree};
use crate::json::Value;

/// Items in items, and values of one page: beyond that a page plays tricks.
const DEPTH: usize = 32;
const VALUES: usize = 5000;
const TEXT: usize = 20_000;

pub(super) fn read(tree: &Tree<'_>, resolve: &dyn Fn(&str) -> Option<String>) -> Vec<Value> {
    let mut reading = Reading { tree, resolve, ids: None, values: 0, open: Vec::new() };
    // A property of nothing is an item of its own.
    let top = |&node: &NodeId| {
        tree.is_element(node)
            && tree.attr(node, "itemscope").is_some()
            && (tree.attr(node, "itemprop").is_none()
                || !tree.ancestors(node).take(DEPTH * 8).any(|up| tree.attr(up, "itemscope").is_some()))
    };
    let tops: Vec<NodeId> = tree.descendants(tree.root()).filter(top).take(VALUES).collect();
    tops.into_iter().map(|node| reading.item(node)).collect()
}

struct Reading<'t> {
    tree: &'t Tree<'t>,
    resolve: &'t dyn Fn(&str) -> Option<String>,
    /// Elements by id, once an `itemref` asks.
    ids: Option<HashMap<&'t str, NodeId>>,
    values: usize,
    /// Items that are being read: none may be part of itself.
    open: Vec<NodeId>,
}

impl Reading<'_> {
    fn item(&mut self, node: NodeId) -> Value {
        let mut members = Vec::new();
        let words = |name: &str| -> Vec<Value> {
            self.tree.attr(node, name).unwrap_or_default().split_ascii_whitespace().map(Value::from).collect()
        };
        let types = words("itemtype");
        if let Some(id) = self.tree.attr(node, "itemid") {
            let id = self.absolute(id);
            members.push(("id".to_owned(), id.into()));
        }
        if !types.is_empty() {
            members.push(("type".to_owned(), single(types)));
        }
        self.open.push(node);
        let properties = self.properties(node);
        self.open.pop();
        if properties.is_empty() {
            members.push(("value".to_owned(), text(self.tree, node, TEXT).into()));
        } else {
            members.push(("properties".to_owned(), Value::Object(properties)));
        }
        Value::Object(members)
    }

    fn properties(&mut self, item: NodeId) -> Vec<(String, Value)> {
        let mut found: Vec<(String, Vec<Value>)> = Vec::new();
        let mut roots = vec![item];
        if let Some(list) = self.tree.attr(item, "itemref") {
            let list: Vec<&str> = list.split_ascii_whitespace().take(64).collect();
            roots.extend(list.into_iter().filter_map(|id| self.by_id(id)));
        }
        for root in roots {
            if root != item && self.property(root, &mut found) {
                continue;
            }
            let mut walk = self.tree.descendants(root);
            while let Some(node) = walk.next() {
                if self.tree.is_element(node) && self.property(node, &mut found) {
                    walk.skip_inside(node);
                }
            }
        }
        found.into_iter().map(|(name, values)| (name, single(values))).collect()
    }

    /// Takes a property; true if what is below belongs to another item.
    fn property(&mut self, node: NodeId, found: &mut Vec<(String, Vec<Value>)>) -> bool {
        let scope = self.tree.attr(node, "itemscope").is_some();
        let Some(names) = self.tree.attr(node, "itemprop") else { return scope };
        if self.values < VALUES && self.open.len() < DEPTH && !self.open.contains(&node) {
            self.values += 1;
            let value = if scope { self.item(node) } else { self.value(node) };
            for name in names.split_ascii_whitespace().take(8) {
                match found.iter_mut().find(|(known, _)| known == name) {
                    Some((_, values)) => values.push(value.clone()),
                    None => found.push((name.to_owned(), vec![value.clone()])),
                }
            }
        }
        scope
    }

    /// An address with its host; one that has a scheme stays as it is.
    fn absolute(&self, address: &str) -> String {
        let has_scheme = address.split_once(':').is_some_and(|(scheme, _)| {
            !scheme.is_empty()
                && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        });
        let resolved = if has_scheme { None } else { (self.resolve)(address) };
        resolved.unwrap_or_else(|| address.to_owned())
    }

    fn value(&self, node: NodeId) -> Value {
        let tree = self.tree;
        let address = |name: &str| Some(self.absolute(tree.attr(node, name)?.trim()));
        let attribute = |name: &str| tree.attr(node, name).map(|value| value.trim().to_owned());
        let own = match tree.tag(node) {
            Tag::META => attribute("content").or(Some(String::new())),
            Tag::AUDIO | Tag::EMBED | Tag::IFRAME | Tag::IMG | Tag::SOURCE | Tag::TRACK | Tag::VIDEO => {
                address("src").or_else(|| attribute("content")).or(Some(String::new()))
            }
            Tag::A | Tag::AREA | Tag::LINK => {
                address("href").or_else(|| attribute("content")).or(Some(String::new()))
            }
            Tag::OBJECT => address("data"),
            Tag::DATA | Tag::METER => attribute("value"),
            Tag::TIME => attribute("datetime"),
            _ => None,
        };
        own.or_else(|| attribute("content")).unwrap_or_else(|| text(tree, node, TEXT)).into()
    }

    fn by_id(&mut self, id: &str) -> Option<NodeId> {
        let tree = self.tree;
        let ids = self.ids.get_or_insert_with(|| {
            let mut ids = HashMap::new();
            for node in tree.descendants(tree.root()).filter(|&node| tree.is_element(node)) {
                if let Some(id) = tree.attr(node, "id") {
                    ids.entry(id).or_insert(node);
                }
            }
            ids
        });
        ids.get(id).copied()
    }
}

fn single(mut values: Vec<Value>) -> Value {
    match values.len() {
        1 => values.pop().unwrap_or_default(),
        _ => Value::Array(values),
    }
}

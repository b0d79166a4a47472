//! Microformats 2: things that classes mark (`h-card`, `p-name`, `u-url`, …), by the parsing specification of microformats.org.
//!
//! Each thing is `{"type": […], "properties": {name: […]}, "children": […]}`. Of the classic formats before it only the roots that
//! have a `h-` beside them are read.

use super::markup;
use super::moments;
use super::words;
use crate::html::{NodeId, Tag, Tree};
use crate::json::Value;

/// Things in things, and values of one page.
const DEPTH: usize = 32;
const VALUES: usize = 2000;
const TEXT: usize = 20_000;

type Properties = Vec<(String, Vec<Value>)>;

pub(super) fn read(tree: &Tree<'_>, resolve: &dyn Fn(&str) -> Option<String>) -> Vec<Value> {
    let mut reading = Reading { tree, resolve, values: 0, depth: 0 };
    let mut found = Vec::new();
    let mut walk = tree.descendants(tree.root());
    while let Some(node) = walk.next() {
        if tree.is_element(node) && is_root(tree, node) {
            found.push(Value::Object(reading.item(node)));
            walk.skip_inside(node);
        }
    }
    found
}

fn classes<'t>(tree: &'t Tree<'_>, node: NodeId) -> impl Iterator<Item = &'t str> {
    tree.attr(node, "class").unwrap_or_default().split_ascii_whitespace()
}

/// A name behind a prefix: small letters, with hyphens between them, after a vendor's prefix of letters and digits.
fn is_name(name: &str) -> bool {
    let letters = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    let vendor = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    match name.split_once('-') {
        Some((first, rest)) => vendor(first) && rest.split('-').all(letters),
        None => letters(name),
    }
}

fn is_root(tree: &Tree<'_>, node: NodeId) -> bool {
    classes(tree, node).any(|class| class.strip_prefix("h-").is_some_and(is_name))
}

/// Prefix and name of the properties that an element has.
fn properties<'t>(tree: &'t Tree<'_>, node: NodeId) -> Vec<(&'t str, &'t str)> {
    let parts = classes(tree, node).filter_map(|class| class.split_once('-'));
    parts.filter(|(prefix, name)| matches!(*prefix, "p" | "u" | "dt" | "e") && is_name(name)).collect()
}

struct Reading<'t> {
    tree: &'t Tree<'t>,
    resolve: &'t dyn Fn(&str) -> Option<String>,
    values: usize,
    depth: usize,
}

/// What was found in a thing so far, and of which kinds, for what is implied where nothing is said.
#[derive(Default)]
struct Parts {
    properties: Properties,
    children: Vec<Value>,
    has_text: bool,
    has_link: bool,
}

impl Parts {
    fn add(&mut self, name: &str, value: Value) {
        match self.properties.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(value),
            None => self.properties.push((name.to_owned(), vec![value])),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.properties.iter().any(|(known, _)| known == name)
    }
}

impl Reading<'_> {
    fn item(&mut self, node: NodeId) -> Vec<(String, Value)> {
        let tree = self.tree;
        let roots = classes(tree, node).filter(|class| class.strip_prefix("h-").is_some_and(is_name));
        let mut types: Vec<&str> = roots.collect();
        types.sort_unstable();
        types.dedup();
        let mut parts = Parts::default();
        self.depth += 1;
        let mut walk = tree.descendants(node);
        while let Some(below) = walk.next() {
            if tree.is_element(below) && self.values < VALUES && self.take(below, &mut parts) {
                walk.skip_inside(below);
            }
        }
        self.depth -= 1;
        self.imply(node, &mut parts);
        let properties = parts.properties.into_iter().map(|(name, values)| (name, values.into())).collect();
        let mut members = vec![
            ("type".to_owned(), types.into_iter().map(Value::from).collect::<Vec<_>>().into()),
            ("properties".to_owned(), Value::Object(properties)),
        ];
        if let Some(id) = tree.attr(node, "id").filter(|id| !id.is_empty()) {
            members.push(("id".to_owned(), id.into()));
        }
        if !parts.children.is_empty() {
            members.push(("children".to_owned(), parts.children.into()));
        }
        members
    }

    /// Takes what an element says; true if it is a thing of its own.
    fn take(&mut self, node: NodeId, parts: &mut Parts) -> bool {
        let named = properties(self.tree, node);
        let root = is_root(self.tree, node) && self.depth < DEPTH;
        let item = root.then(|| self.item(node));
        if let (Some(item), true) = (&item, named.is_empty()) {
            parts.children.push(Value::Object(item.clone()));
        }
        for (prefix, name) in named {
            self.values += 1;
            parts.has_text |= prefix == "p" || prefix == "e";
            parts.has_link |= prefix == "u";
            let value = match prefix {
                "p" => self.text(node).into(),
                "u" => self.link(node),
                "dt" => self.time(node).into(),
                _ => self.markup(node),
            };
            parts.add(name, item.clone().map_or_else(|| value.clone(), |item| nested(item, prefix, &value)));
        }
        root
    }

    /// `p-`: what people read.
    fn text(&self, node: NodeId) -> String {
        self.by_value_class(node)
            .or_else(|| {
                self.attribute(
                    node,
                    &["abbr:title", "link:title", "data:value", "input:value", "img:alt", "area:alt"],
                )
            })
            .unwrap_or_else(|| self.content(node))
    }

    /// `u-`: an address, or what stands where one should.
    fn link(&self, node: NodeId) -> Value {
        let address = self.attribute(
            node,
            &[
                "a:href",
                "area:href",
                "link:href",
                "img:src",
                "audio:src",
                "video:src",
                "source:src",
                "iframe:src",
                "video:poster",
                "object:data",
            ],
        );
        let text = address
            .or_else(|| self.by_value_class(node))
            .or_else(|| self.attribute(node, &["abbr:title", "data:value", "input:value"]));
        let value = self.absolute(&text.unwrap_or_else(|| self.content(node)));
        match self.tree.attr(node, "alt").filter(|_| self.tree.tag(node) == Tag::IMG) {
            Some(alt) => {
                Value::Object(vec![("value".to_owned(), value.into()), ("alt".to_owned(), alt.into())])
            }
            None => value.into(),
        }
    }

    /// `dt-`: a date as it is written for programs.
    fn time(&self, node: NodeId) -> String {
        let dated =
            ["time:datetime", "ins:datetime", "del:datetime", "abbr:title", "data:value", "input:value"];
        let parts = self.value_parts(node);
        let joined = (!parts.is_empty()).then(|| moments::joined(&parts));
        joined.or_else(|| self.attribute(node, &dated)).unwrap_or_else(|| self.content(node))
    }

    /// `e-`: markup.
    fn markup(&self, node: NodeId) -> Value {
        let html = markup::inner(self.tree, node, &|address| self.absolute(address), TEXT);
        Value::Object(vec![
            ("html".to_owned(), html.trim().into()),
            ("value".to_owned(), self.content(node).into()),
        ])
    }

    fn absolute(&self, address: &str) -> String {
        (self.resolve)(address).unwrap_or_else(|| address.to_owned())
    }

    /// The first attribute of a list of `element:attribute` that this element has.
    fn attribute(&self, node: NodeId, wanted: &[&str]) -> Option<String> {
        let name = self.tree.name(node);
        let pairs = wanted.iter().filter_map(|pair| pair.split_once(':'));
        let mut values = pairs
            .filter(|(element, _)| *element == name)
            .filter_map(|(_, attribute)| self.tree.attr(node, attribute));
        values.next().map(str::to_owned)
    }

    /// The text below a node, pictures by what stands for them.
    fn content(&self, node: NodeId) -> String {
        let tree = self.tree;
        let mut out = String::new();
        let mut walk = tree.descendants(node);
        let mut nodes = 0;
        while let Some(below) = walk.next() {
            nodes += 1;
            match tree.tag(below) {
                Tag::TEXT => out.push_str(tree.text(below)),
                Tag::SCRIPT | Tag::STYLE | Tag::TEMPLATE => walk.skip_inside(below),
                Tag::IMG => {
                    let alt = tree.attr(below, "alt").map(str::to_owned);
                    let instead = alt
                        .or_else(|| tree.attr(below, "src").map(|src| format!(" {} ", self.absolute(src))));
                    out.push_str(&instead.unwrap_or_default());
                }
                _ => {}
            }
            if out.len() > TEXT || nodes > TEXT {
                break;
            }
        }
        out.trim().to_owned()
    }

    /// Elements of the class `value` hold the parts of a value.
    fn value_parts(&self, node: NodeId) -> Vec<String> {
        let tree = self.tree;
        let mut parts = Vec::new();
        let mut walk = tree.descendants(node);
        let mut nodes = 0;
        while let Some(below) = walk.next() {
            nodes += 1;
            if nodes > TEXT {
                break;
            }
            if !tree.is_element(below) {
                continue;
            }
            if classes(tree, below).any(|class| class == "value-title") {
                parts.push(tree.attr(below, "title").unwrap_or_default().to_owned());
            } else if classes(tree, below).any(|class| class == "value") {
                let own = [
                    "img:alt",
                    "area:alt",
                    "data:value",
                    "abbr:title",
                    "time:datetime",
                    "ins:datetime",
                    "del:datetime",
                ];
                parts.push(self.attribute(below, &own).unwrap_or_else(|| self.content(below)));
            } else {
                continue;
            }
            walk.skip_inside(below);
        }
        parts
    }

    fn by_value_class(&self, node: NodeId) -> Option<String> {
        let parts = self.value_parts(node);
        (!parts.is_empty()).then(|| parts.concat())
    }

    /// Name, picture and address where nothing is said of them.
    fn imply(&self, node: NodeId, parts: &mut Parts) {
        let nested = !parts.children.is_empty()
            || parts
                .properties
                .iter()
                .any(|(_, values)| values.iter().any(|value| value.get("type").is_some()));
        if !parts.has_text && !nested && !parts.has("name") {
            let name =
                self.of_only(node, &["img:alt", "area:alt", "abbr:title"]).filter(|name| !name.is_empty());
            parts.add("name", words::collapsed(&name.unwrap_or_else(|| self.content(node))).into());
        }
        if parts.has_link || nested {
            return;
        }
        if !parts.has("photo")
            && let Some(photo) = self.of_only(node, &["img:src", "object:data"])
        {
            let alt = self.of_only(node, &["img:alt"]);
            let photo: Value = self.absolute(&photo).into();
            let with_alt = |alt: String| {
                Value::Object(vec![("value".to_owned(), photo.clone()), ("alt".to_owned(), alt.into())])
            };
            parts.add("photo", alt.map_or_else(|| photo.clone(), with_alt));
        }
        if !parts.has("url")
            && let Some(url) = self.of_only(node, &["a:href", "area:href"])
        {
            parts.add("url", self.absolute(&url).into());
        }
    }

    /// An attribute of the element, of the only such child it has, or of the only such child of its only child.
    fn of_only(&self, node: NodeId, wanted: &[&str]) -> Option<String> {
        let tree = self.tree;
        let elements = |of: NodeId| tree.children(of).filter(|&child| tree.is_element(child)).take(TEXT);
        let only = |of: NodeId| {
            let mut fits = elements(of).filter(|&child| {
                wanted
                    .iter()
                    .any(|pair| pair.split_once(':').is_some_and(|(name, _)| name == tree.name(child)))
            });
            fits.next().filter(|&child| fits.next().is_none() && !is_root(tree, child))
        };
        let own = self.attribute(node, wanted);
        own.or_else(|| self.attribute(only(node)?, wanted)).or_else(|| {
            let mut all = elements(node);
            let child = all.next().filter(|&child| all.next().is_none() && !is_root(tree, child))?;
            self.attribute(only(child)?, wanted)
        })
    }
}

/// A thing that is the value of a property, with what it comes to as a plain value.
fn nested(mut item: Vec<(String, Value)>, prefix: &str, plain: &Value) -> Value {
    let wanted = if prefix == "u" { "url" } else { "name" };
    let own =
        item.iter().find(|(name, _)| name == "properties").and_then(|(_, properties)| properties.get(wanted));
    let own =
        own.and_then(|values| values.items().first()).filter(|_| prefix != "e" && prefix != "dt").cloned();
    if prefix == "e"
        && let Value::Object(members) = plain
    {
        item.extend(members.clone());
    } else {
        item.push(("value".to_owned(), own.unwrap_or_else(|| plain.clone())));
    }
    Value::Object(item)
}

//! RDFa 1.1 (its Lite attributes, and `about`, `rel`, `content`, `datatype`): what things a page names, as expanded JSON-LD.
//!
//! Each thing is `{"@id", "@type", property: [values]}` with full names. Lists and XML literals are left out.

use std::collections::HashMap;

use super::words::text;
use crate::html::{NodeId, Tag, Tree};
use crate::json::Value;

/// More triples than this are a trick.
const TRIPLES: usize = 5000;
const TEXT: usize = 20_000;
const RDFA: &str = "http://www.w3.org/ns/rdfa#usesVocabulary";

/// Prefixes that need not be declared (the initial context of RDFa 1.1, as far as pages use it).
const KNOWN: [(&str, &str); 16] = [
    ("schema", "http://schema.org/"),
    ("og", "http://ogp.me/ns#"),
    ("dc", "http://purl.org/dc/terms/"),
    ("dcterms", "http://purl.org/dc/terms/"),
    ("dc11", "http://purl.org/dc/elements/1.1/"),
    ("foaf", "http://xmlns.com/foaf/0.1/"),
    ("cc", "http://creativecommons.org/ns#"),
    ("gr", "http://purl.org/goodrelations/v1#"),
    ("v", "http://rdf.data-vocabulary.org/#"),
    ("vcard", "http://www.w3.org/2006/vcard/ns#"),
    ("sioc", "http://rdfs.org/sioc/ns#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

pub(super) fn read(tree: &Tree<'_>, url: &str, resolve: &dyn Fn(&str) -> Option<String>) -> Vec<Value> {
    let mut reading =
        Reading { tree, resolve, url, things: Vec::new(), by_id: HashMap::new(), blanks: 0, triples: 0 };
    let mut stack: Vec<Context<'_>> = Vec::new();
    for node in tree.descendants(tree.root()).filter(|&node| tree.is_element(node)) {
        let parent = tree.parent(node);
        while stack.last().is_some_and(|context| Some(context.node) != parent) {
            stack.pop();
        }
        let next = if let Some(above) = stack.last() {
            reading.element(node, above)
        } else {
            let base = reading.thing(url.to_owned());
            reading.element(node, &Context::new(node, base))
        };
        stack.push(next);
        if reading.triples >= TRIPLES {
            break;
        }
    }
    reading.finish()
}

/// What holds inside an element.
#[derive(Clone)]
struct Context<'t> {
    node: NodeId,
    /// The thing that properties inside are of.
    subject: usize,
    vocab: Option<&'t str>,
    language: Option<&'t str>,
    prefixes: Vec<(&'t str, &'t str)>,
    /// Relations of the subject above that wait for a thing below.
    waiting: Vec<String>,
    waiting_of: usize,
}

impl Context<'_> {
    fn new(node: NodeId, subject: usize) -> Context<'static> {
        Context {
            node,
            subject,
            vocab: None,
            language: None,
            prefixes: Vec::new(),
            waiting: Vec::new(),
            waiting_of: subject,
        }
    }

    /// The full name of a term, a short name or an address; none for a word that no vocabulary explains.
    fn name(&self, word: &str) -> Option<String> {
        match word.split_once(':') {
            Some((_, rest)) if rest.starts_with("//") => Some(word.to_owned()),
            Some((prefix, rest)) => {
                let declared = self
                    .prefixes
                    .iter()
                    .rev()
                    .chain(&KNOWN)
                    .find(|(known, _)| known.eq_ignore_ascii_case(prefix));
                declared.map(|(_, space)| format!("{space}{rest}"))
            }
            None => match (self.vocab, word) {
                (Some(vocab), _) => Some(format!("{vocab}{word}")),
                (None, "license" | "describedby" | "role") => {
                    Some(format!("http://www.w3.org/1999/xhtml/vocab#{word}"))
                }
                (None, _) => None,
            },
        }
    }

    fn names(&self, words: &str) -> Vec<String> {
        words.split_ascii_whitespace().take(16).filter_map(|word| self.name(word)).collect()
    }
}

struct Thing {
    id: String,
    types: Vec<Value>,
    properties: Vec<(String, Vec<Value>)>,
}

struct Reading<'t> {
    tree: &'t Tree<'t>,
    resolve: &'t dyn Fn(&str) -> Option<String>,
    url: &'t str,
    things: Vec<Thing>,
    by_id: HashMap<String, usize>,
    blanks: usize,
    triples: usize,
}

impl<'t> Reading<'t> {
    fn thing(&mut self, id: String) -> usize {
        *self.by_id.entry(id).or_insert_with_key(|id| {
            self.things.push(Thing { id: id.clone(), types: Vec::new(), properties: Vec::new() });
            self.things.len() - 1
        })
    }

    fn blank(&mut self) -> usize {
        self.blanks += 1;
        self.thing(format!("_:b{}", self.blanks))
    }

    fn add(&mut self, of: usize, property: &str, value: Value) {
        self.triples += 1;
        let Some(thing) = self.things.get_mut(of) else { return };
        match thing.properties.iter_mut().find(|(name, _)| name == property) {
            Some((_, values)) if values.contains(&value) => {}
            Some((_, values)) => values.push(value),
            None => thing.properties.push((property.to_owned(), vec![value])),
        }
    }

    fn reference(&self, to: usize) -> Value {
        let id = self.things.get(to).map(|thing| thing.id.as_str()).unwrap_or_default();
        Value::Object(vec![("@id".to_owned(), id.into())])
    }

    /// The thing that an attribute with an address names; `_:x` and `[prefix:x]` are names too.
    fn named(&mut self, value: &str, context: &Context<'_>) -> usize {
        let value = value.trim().trim_start_matches('[').trim_end_matches(']');
        let short =
            value.split_once(':').is_some_and(|(prefix, rest)| !rest.starts_with("//") && !prefix.is_empty());
        let name = if short && !value.starts_with("_:") { context.name(value) } else { None };
        let id = name.unwrap_or_else(|| match value {
            "" => self.url.to_owned(),
            _ if value.starts_with("_:") || value.contains("://") => value.to_owned(),
            _ => (self.resolve)(value).unwrap_or_else(|| value.to_owned()),
        });
        self.thing(id)
    }

    /// One element: what it says, and what holds inside it (RDFa Core 1.1, §7.5).
    fn element(&mut self, node: NodeId, above: &Context<'t>) -> Context<'t> {
        let tree = self.tree;
        let attribute = |name: &str| tree.attr(node, name);
        let mut inside = Context { node, waiting: Vec::new(), ..above.clone() };
        self.declare(node, &mut inside);
        let (property, kind, rel) = (attribute("property"), attribute("typeof"), attribute("rel"));
        // A `rel` of plain words is HTML's, not ours.
        let rels = rel.map(|rel| {
            rel.split_ascii_whitespace().filter(|word| word.contains(':')).collect::<Vec<_>>().join(" ")
        });
        let rels = if inside.vocab.is_some() { rel.map(str::to_owned) } else { rels }.unwrap_or_default();
        let rels = if property.is_none() || rels.contains(':') { inside.names(&rels) } else { Vec::new() };
        let about = attribute("about").map(|about| self.named(about, &inside));
        let target = attribute("resource").or_else(|| attribute("href")).or_else(|| attribute("src"));
        let page = matches!(tree.tag(node), Tag::HTML | Tag::HEAD | Tag::BODY);
        if property.is_none()
            && kind.is_none()
            && rels.is_empty()
            && about.is_none()
            && attribute("resource").is_none()
        {
            inside.waiting.clone_from(&above.waiting);
            return inside;
        }
        let literal =
            property.is_some() && (attribute("content").is_some() || attribute("datatype").is_some());
        let chained = kind.is_some() || attribute("resource").is_some() || property.is_none();
        let object = target.filter(|_| chained || !literal).map(|target| self.named(target, &inside));
        let (subject, object) = if rels.is_empty() && (property.is_none() || literal) {
            let own = about.or(object).or_else(|| kind.filter(|_| !page).map(|_| self.blank()));
            (own.unwrap_or(above.subject), own)
        } else {
            let subject = about.unwrap_or(above.subject);
            let own = if about.is_some() && object.is_none() { about } else { object };
            (subject, own.or_else(|| kind.filter(|_| !page).map(|_| self.blank())))
        };
        self.types(kind, about.filter(|_| property.is_none()).or(object).unwrap_or(subject), &inside);
        self.complete(
            above,
            if rels.is_empty() && property.is_none() { object.unwrap_or(subject) } else { subject },
        );
        match object.filter(|&object| object != subject || !rels.is_empty()) {
            Some(object) => rels.iter().for_each(|rel| self.add(subject, rel, self.reference(object))),
            None => inside.waiting = rels,
        }
        inside.waiting_of = subject;
        if let Some(property) = property {
            let link =
                object.filter(|_| !literal && (target.is_some() || (kind.is_some() && about.is_none())));
            let value = link.map_or_else(|| self.literal(node, &inside), |object| self.reference(object));
            inside.names(property).iter().for_each(|name| self.add(subject, name, value.clone()));
        }
        inside.subject =
            if kind.is_some() || property.is_none() { object.unwrap_or(subject) } else { subject };
        inside
    }

    /// Vocabulary, prefixes and language.
    fn declare(&mut self, node: NodeId, inside: &mut Context<'t>) {
        for (name, value) in self.tree.attrs(node) {
            match name {
                "vocab" => {
                    inside.vocab = Some(value.trim()).filter(|vocab| !vocab.is_empty());
                    if let Some(vocab) = inside.vocab {
                        let page = self.thing(self.url.to_owned());
                        self.add(page, RDFA, Value::Object(vec![("@id".to_owned(), vocab.into())]));
                    }
                }
                "prefix" => {
                    let mut words = value.split_ascii_whitespace().take(64);
                    while let (Some(prefix), Some(space)) = (words.next(), words.next()) {
                        inside.prefixes.push((prefix.trim_end_matches(':'), space));
                    }
                }
                "lang" | "xml:lang" => inside.language = Some(value).filter(|value| !value.is_empty()),
                _ => {
                    if let Some(prefix) = name.strip_prefix("xmlns:") {
                        inside.prefixes.push((prefix, value));
                    }
                }
            }
        }
        // Prefixes upon prefixes, an element each, would add up.
        let many = inside.prefixes.len().saturating_sub(64);
        inside.prefixes.drain(..many);
    }

    fn types(&mut self, kind: Option<&str>, of: usize, context: &Context<'_>) {
        for name in context.names(kind.unwrap_or_default()) {
            self.triples += 1;
            if let Some(thing) = self.things.get_mut(of) {
                thing.types.push(name.into());
            }
        }
    }

    /// Gives relations that waited above the thing they waited for.
    fn complete(&mut self, above: &Context<'_>, thing: usize) {
        for rel in &above.waiting {
            if thing != above.waiting_of {
                self.add(above.waiting_of, rel, self.reference(thing));
            }
        }
    }

    fn literal(&self, node: NodeId, context: &Context<'_>) -> Value {
        let tree = self.tree;
        let own = tree.attr(node, "content").or_else(|| tree.attr(node, "datetime"));
        let value = own.map_or_else(|| text(tree, node, TEXT), str::to_owned);
        let datatype = tree.attr(node, "datatype").and_then(|kind| context.name(kind));
        let mut members = Vec::new();
        match (datatype, context.language) {
            (Some(datatype), _) => members.push(("@type".to_owned(), datatype.into())),
            (None, Some(language)) => members.push(("@language".to_owned(), language.to_lowercase().into())),
            (None, None) => {}
        }
        members.push(("@value".to_owned(), value.into()));
        Value::Object(members)
    }

    fn finish(self) -> Vec<Value> {
        let said =
            self.things.into_iter().filter(|thing| !thing.types.is_empty() || !thing.properties.is_empty());
        let value = |thing: Thing| {
            let mut members = vec![("@id".to_owned(), Value::String(thing.id))];
            if !thing.types.is_empty() {
                members.push(("@type".to_owned(), thing.types.into()));
            }
            members.extend(thing.properties.into_iter().map(|(name, values)| (name, values.into())));
            Value::Object(members)
        };
        said.map(value).collect()
    }
}

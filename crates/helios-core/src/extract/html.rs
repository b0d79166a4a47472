//! A page of HTML: one tree, read by all who want something of it.

use std::hash::BuildHasherDefault;

use encoding_rs::{Encoding, UTF_8};
use helios_page::charset::Decoded;
use helios_page::facts::{self, Facts};
use helios_page::html::{Tag, Tree};
use helios_page::links::{Link, LinkKind, LinkSettings, Links};
use helios_page::{content, date::Moment};
use serde_json::{Map, Value};

use super::page::Page;
use super::{Extractor, TextKind};
use crate::hashed::HashedSet;
use crate::robots::RobotsDirectives;
use crate::url::{CanonicalUrl, Canonicaliser, Url};

/// What leads to other pages.
const FOLLOWED: [LinkKind; 9] = [
    LinkKind::Anchor,
    LinkKind::Frame,
    LinkKind::Refresh,
    LinkKind::Canonical,
    LinkKind::Alternate,
    LinkKind::Feed,
    LinkKind::Next,
    LinkKind::Prev,
    LinkKind::Amp,
];

pub(super) fn read(decoded: &Decoded<'_>, url: &CanonicalUrl, extractor: &Extractor) -> Page {
    let settings = &extractor.settings;
    if settings.text == TextKind::None && !settings.facts && settings.fields.is_empty() {
        return skim(decoded, url, extractor);
    }
    let tree = Tree::parse(&decoded.text);
    let links = Links::read(&tree, &wanted(extractor));
    let base = base_of(&links, url, &extractor.urls);
    // Browsers send the queries of a page in its encoding.
    let encoding = Encoding::for_label(decoded.encoding.as_bytes()).unwrap_or(UTF_8);
    let resolve = |reference: &str| base.join(reference).ok().map(|url| url.as_str().to_owned());
    let facts = if settings.facts {
        facts::read(&tree, url.as_str(), &resolve)
    } else {
        facts::read_main(&tree, url.as_str())
    };
    let main = match settings.text {
        TextKind::Main | TextKind::Full => Some(content::read(&tree, Some(url.as_str()))),
        TextKind::Reader => Some(content::read_as_reader(&tree, Some(url.as_str()))),
        TextKind::None => None,
    };
    let text = main
        .as_ref()
        .map(|main| if settings.text == TextKind::Full { main.full_text() } else { main.text() });
    let markdown = main.as_ref().filter(|_| settings.markdown).map(content::Content::markdown);
    Page {
        markdown: markdown.unwrap_or_default(),
        words: main.as_ref().map_or(0, content::Content::words),
        kind: main.as_ref().filter(|main| main.has_text()).map_or("", |main| main.kind().name()),
        facts: settings.facts.then(|| json(&facts)),
        fields: extractor.fields.read(&tree),
        links: followed(&links, &base, encoding, &extractor.urls),
        title: facts.title.or(facts.document_title).unwrap_or_default(),
        description: facts.description.unwrap_or_default(),
        language: facts.language.unwrap_or_default(),
        authors: facts.authors,
        published: facts.published.as_ref().map(millis),
        modified: facts.modified.as_ref().map(millis),
        site_name: facts.site_name,
        canonical: facts.canonical.as_deref().and_then(resolve),
        image: facts.image.as_deref().and_then(resolve),
        text: text.unwrap_or_default(),
        directives: directives_of(&links),
        ..Page::default()
    }
}

/// Links, title and what the page says to robots, without its tree.
fn skim(decoded: &Decoded<'_>, url: &CanonicalUrl, extractor: &Extractor) -> Page {
    let tree = Tree::skim(&decoded.text);
    let links = Links::read(&tree, &wanted(extractor));
    let base = base_of(&links, url, &extractor.urls);
    let encoding = Encoding::for_label(decoded.encoding.as_bytes()).unwrap_or(UTF_8);
    let title = tree.children(tree.root()).find(|&node| tree.tag(node) == Tag::TITLE);
    let canonical = links.of(LinkKind::Canonical).next();
    let resolve = |link: &Link<'_>| base.join(&link.reference).ok().map(|url| url.as_str().to_owned());
    Page {
        title: title.map(|title| tree.text_of(title).trim().to_owned()).unwrap_or_default(),
        canonical: canonical.and_then(resolve),
        links: followed(&links, &base, encoding, &extractor.urls),
        directives: directives_of(&links),
        ..Page::default()
    }
}

fn wanted(extractor: &Extractor) -> LinkSettings<'_> {
    LinkSettings {
        resources: false,
        agent: &extractor.token,
        most: extractor.settings.max_links,
        text_bytes: 0,
    }
}

fn directives_of(links: &Links<'_>) -> RobotsDirectives {
    let mut directives = RobotsDirectives::default();
    links.robots.iter().for_each(|content| directives.heed_meta(content));
    directives
}

/// Only a base that is itself a URL to crawl counts, so one of bounded length.
fn base_of(links: &Links<'_>, url: &CanonicalUrl, urls: &Canonicaliser) -> Url {
    let own = url.to_url();
    let base = links.base.as_ref().and_then(|base| urls.join(&own, base).ok());
    base.map_or(own, |base| base.to_url())
}

fn followed(
    links: &Links<'_>,
    base: &Url,
    encoding: &'static Encoding,
    urls: &Canonicaliser,
) -> Vec<CanonicalUrl> {
    let mut seen = HashedSet::with_capacity_and_hasher(links.links.len(), BuildHasherDefault::default());
    let mut on_page = urls.on(base, encoding);
    let to_follow = links.links.iter().filter(|link| FOLLOWED.contains(&link.kind) && !link.rel.nofollow);
    to_follow
        .filter_map(|link| on_page.join(&link.reference))
        .filter(|url| seen.insert(url.fingerprint()))
        .collect()
}

fn millis(moment: &Moment) -> i64 {
    moment.millis
}

/// All that has no column of its own. What is already JSON is read again, so that the whole is one value.
fn json(facts: &Facts) -> String {
    let mut all = Map::new();
    let mut put = |name: &str, value: Value| {
        let empty = matches!(&value, Value::Null)
            || value.as_array().is_some_and(Vec::is_empty)
            || value.as_object().is_some_and(Map::is_empty);
        if !empty {
            all.insert(name.to_owned(), value);
        }
    };
    let pairs = |pairs: &[(String, String)]| -> Value {
        pairs.iter().cloned().map(|(name, value)| (name, Value::String(value))).collect::<Map<_, _>>().into()
    };
    let parsed = |json: &Option<String>| {
        json.as_deref().and_then(|json| serde_json::from_str(json).ok()).unwrap_or(Value::Null)
    };
    put("headings", facts.headings.iter().map(|one| serde_json::json!([one.level, one.text])).collect());
    put("categories", facts.categories.clone().into());
    put("tags", facts.tags.clone().into());
    put("license", facts.license.clone().into());
    put("favicon", facts.favicon.clone().into());
    put("kind", facts.kind.clone().into());
    put("open_graph", pairs(&facts.open_graph));
    put("twitter", pairs(&facts.twitter));
    put("json_ld", parsed(&facts.structured.json_ld));
    put("microdata", parsed(&facts.structured.microdata));
    put("rdfa", parsed(&facts.structured.rdfa));
    put("microformats", parsed(&facts.structured.microformats));
    Value::Object(all).to_string()
}

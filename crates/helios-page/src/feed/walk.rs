//! Reading feeds in XML: one walk over its tags, a short stack of what is open.

use std::sync::Arc;

use super::model::{Enclosure, Entry, Feed, Format, Link, Person};
use super::names::{self, Role, Space};
use super::text::Capture;
use crate::date;
use crate::xml::{Element, Event, Reader, local, prefix};

/// Deeper elements are not looked at. Markup in texts does not count.
const DEPTH: usize = 48;
/// Bases upon bases, and how long one may be: every link carries them.
const BASES: usize = 4;
const BASE: usize = 2048;

/// Whether an element is the root of a feed.
pub(super) fn is_root(element: &Element<'_>) -> bool {
    let name = local(element.name).to_ascii_lowercase();
    matches!(name.as_str(), "rss" | "feed" | "rdf" | "channel")
}

/// Reads a feed; none if nothing in it looks like one.
pub(super) fn read(text: &str) -> Option<Feed> {
    let mut walk = Walk::default();
    for event in Reader::new(text) {
        walk.take(&event);
    }
    walk.end_capture();
    walk.close_entry();
    walk.is_feed.then_some(walk.feed)
}

/// An element that is open.
pub(super) struct Frame<'a> {
    name: &'a str,
    pub(super) role: Option<Role>,
    /// How many of the bindings and bases were there before it.
    bindings: usize,
    bases: usize,
}

#[derive(Default)]
pub(super) struct Walk<'a> {
    pub(super) feed: Feed,
    is_feed: bool,
    pub(super) entry: Option<Entry>,
    pub(super) frames: Vec<Frame<'a>>,
    /// Prefixes and what they are bound to, innermost last.
    bindings: Vec<(&'a str, Space)>,
    bases: Vec<String>,
    /// The same for all links, until another base holds.
    shared: Option<Arc<[String]>>,
    capture: Option<(Role, Space, Capture<'a>)>,
    /// The attributes of the element whose text is captured.
    pub(super) link: Link,
    pub(super) person: Option<Person>,
    pub(super) permalink: bool,
}

impl<'a> Walk<'a> {
    fn take(&mut self, event: &Event<'a>) {
        if let Some((_, _, capture)) = &mut self.capture {
            // An entry that begins in a text: the text was not closed.
            let begins =
                matches!(event, Event::Open(element) if matches!(local(element.name), "item" | "entry"));
            if !begins {
                if capture.take(event) {
                    self.end_capture();
                }
                return;
            }
            self.end_capture();
        }
        match *event {
            Event::Open(element) => self.open(&element),
            Event::Close(name) => self.close(name),
            Event::Text(_) | Event::Cdata(_) => {}
        }
    }

    fn space(&self, of: &str) -> Space {
        let bound = self.bindings.iter().rev().find(|(name, _)| *name == of);
        bound.map_or_else(|| names::of_prefix(of), |(_, space)| *space)
    }

    fn open(&mut self, element: &Element<'a>) {
        let (bindings, bases) = (self.bindings.len(), self.bases.len());
        self.bind(element);
        let name = local(element.name).to_ascii_lowercase();
        let space = if name == "rdf" { Space::Core } else { self.space(prefix(element.name)) };
        let role = names::role(space, &name);
        // In `image` or `source` only the picture's address is of use.
        let aside = self.frames.iter().any(|frame| matches!(frame.role, Some(Role::Aside | Role::Image)));
        match role {
            Some(role) if !aside => self.begin(role, space, element, &name),
            Some(Role::Field("uri")) if self.entry.is_none() && self.in_image() => {
                self.capture = Some((Role::Field("icon"), space, Capture::new(element, false)));
            }
            _ => {}
        }
        if element.empty {
            self.end_capture();
            self.leave(bindings, bases);
        } else if self.capture.is_none() && self.frames.len() < DEPTH {
            self.frames.push(Frame { name: element.name, role, bindings, bases });
        } else if self.capture.is_some() {
            // The element's own base holds for its value, which is taken when it ends.
            self.frames.push(Frame { name: element.name, role: None, bindings, bases });
        }
    }

    fn shared_bases(&mut self) -> Arc<[String]> {
        self.shared.get_or_insert_with(|| self.bases.clone().into()).clone()
    }

    fn in_image(&self) -> bool {
        self.frames.iter().any(|frame| frame.role == Some(Role::Image))
    }

    /// Namespaces, base and language that an element declares.
    fn bind(&mut self, element: &Element<'a>) {
        for (name, value) in element.attributes() {
            if let Some(bound) = name.strip_prefix("xmlns:") {
                self.bindings.push((bound, names::of_uri(value, false)));
                self.version(value, false);
            } else if name == "xmlns" {
                self.bindings.push(("", names::of_uri(value, true)));
                self.version(value, true);
            } else if (name == "xml:base" || name == "BASE") && self.bases.len() < BASES {
                let base = crate::xml::unescape(value.get(..value.len().min(BASE)).unwrap_or_default());
                self.bases.push(base.trim().to_owned());
                self.shared = None;
            } else if name == "xml:lang" && is_root(element) && !value.is_empty() {
                self.feed.language = Some(value.replace('_', "-"));
            }
        }
    }

    /// Some formats say which they are by their namespace alone.
    fn version(&mut self, uri: &str, default: bool) {
        if self.is_feed {
            return;
        }
        match uri.trim().to_ascii_lowercase().as_str() {
            "http://my.netscape.com/rdf/simple/0.9/" if default => self.feed.format = Format::Rss090,
            "http://purl.org/rss/1.0/" => self.feed.format = Format::Rss10,
            "http://www.w3.org/2005/atom" => self.feed.format = Format::Atom10,
            _ => {}
        }
    }

    fn begin(&mut self, role: Role, space: Space, element: &Element<'a>, name: &str) {
        match role {
            Role::Entry => self.begin_entry(element),
            Role::Feed => self.begin_feed(name, element),
            Role::Link => self.begin_link(role, space, element),
            Role::Enclosure => self.enclosure(element),
            Role::Person | Role::Contributor => {
                self.person = Some(Person::default());
                // Dublin Core and RSS write a name, Atom writes elements: which one, the next tag says.
                self.capture = (space == Space::DublinCore || matches!(name, "managingeditor" | "webmaster"))
                    .then(|| (role, space, Capture::new(element, false)));
                if self.capture.is_none() && !self.is_atom() {
                    self.capture = Some((role, space, Capture::new(element, false)));
                }
            }
            Role::Category => {
                let term = element.attribute("term").or_else(|| element.attribute("label"));
                match term.filter(|term| !term.trim().is_empty()) {
                    Some(term) => self.category(&term),
                    None => self.capture = Some((role, space, Capture::new(element, false))),
                }
            }
            Role::Field(field) => {
                if field == "id" {
                    let said = element.attribute("ispermalink").unwrap_or_default();
                    self.permalink = !said.trim().eq_ignore_ascii_case("false");
                }
                let html = field == "encoded" || (name == "description" && !self.is_atom());
                self.capture = Some((role, space, Capture::new(element, html)));
            }
            Role::Aside | Role::Image | Role::Group => {}
        }
    }

    fn is_atom(&self) -> bool {
        matches!(self.feed.format, Format::Atom03 | Format::Atom10 | Format::Atom)
    }

    fn begin_feed(&mut self, name: &str, element: &Element<'a>) {
        let version = element.attribute("version").unwrap_or_default();
        let by_namespace = self.feed.format != Format::Rss;
        let format = match (name, version.trim()) {
            ("rss", "0.91") => Format::Rss091,
            ("rss", "0.92") => Format::Rss092,
            ("rss", "0.93") => Format::Rss093,
            ("rss", "0.94") => Format::Rss094,
            ("rss", version) if version.starts_with("2.") => Format::Rss20,
            ("rss", _) => Format::Rss,
            ("feed", "0.3") if !by_namespace => Format::Atom03,
            ("feed", _) if !by_namespace => Format::Atom,
            ("channel", _) if !self.is_feed => Format::Cdf,
            _ => self.feed.format,
        };
        self.feed.format = format;
        self.is_feed = true;
        self.cdf(element);
    }

    fn begin_entry(&mut self, element: &Element<'a>) {
        self.close_entry();
        self.is_feed = true;
        let id =
            element.attributes().find(|(name, _)| *name == "rdf:about").map(|(_, value)| value.to_owned());
        let language =
            element.attributes().find(|(name, _)| *name == "xml:lang").map(|(_, value)| value.to_owned());
        self.entry = Some(Entry { id, language, ..Entry::default() });
        self.cdf(element);
    }

    /// CDF says in attributes what others say in elements.
    fn cdf(&mut self, element: &Element<'a>) {
        if let Some(href) = element.attribute("href") {
            let link =
                Link { href, bases: self.shared_bases(), rel: "alternate".to_owned(), ..Link::default() };
            self.add_link(link);
        }
        if let Some(moment) = element.attribute("lastmod").and_then(|text| date::parse(&text)) {
            *self.updated() = Some(moment);
        }
    }

    fn begin_link(&mut self, role: Role, space: Space, element: &Element<'a>) {
        let own = |name: &str| element.attribute(name).unwrap_or_default().trim().to_owned();
        let (rel, media_type, hreflang) = (own("rel"), own("type"), own("hreflang"));
        let rel = if rel.is_empty() { "alternate".to_owned() } else { rel };
        let href = ["href", "url", "uri"].into_iter().map(own).find(|href| !href.is_empty());
        let mut link = Link { bases: self.shared_bases(), rel, media_type, hreflang, ..Link::default() };
        let Some(href) = href else {
            self.link = link;
            self.capture = Some((role, space, Capture::new(element, false)));
            return;
        };
        link.href = href;
        if link.rel == "enclosure" {
            let length = own("length").parse().ok();
            self.add_enclosure(Enclosure { link: link.clone(), length });
        }
        self.add_link(link);
    }

    fn enclosure(&mut self, element: &Element<'a>) {
        let own = |name: &str| element.attribute(name).map(|value| value.trim().to_owned());
        let Some(href) = own("url").or_else(|| own("href")).filter(|href| !href.is_empty()) else { return };
        let media_type = own("type").unwrap_or_default();
        let length = own("length").or_else(|| own("filesize")).and_then(|length| length.parse().ok());
        let link = Link {
            href,
            bases: self.shared_bases(),
            rel: "enclosure".to_owned(),
            media_type,
            hreflang: String::new(),
        };
        self.add_enclosure(Enclosure { link, length });
    }

    fn close(&mut self, name: &str) {
        let Some(at) = self.frames.iter().rposition(|frame| frame.name.eq_ignore_ascii_case(name)) else {
            return;
        };
        for frame in self.frames.split_off(at) {
            self.leave(frame.bindings, frame.bases);
            if frame.role == Some(Role::Entry) {
                self.close_entry();
            } else if frame.role == Some(Role::Person) {
                self.close_person();
            }
        }
    }

    fn leave(&mut self, bindings: usize, bases: usize) {
        self.bindings.truncate(bindings);
        if self.bases.len() > bases {
            self.bases.truncate(bases);
            self.shared = None;
        }
    }

    fn end_capture(&mut self) {
        let Some((role, space, capture)) = self.capture.take() else { return };
        // Atom 1.0 wraps markup in a `div` that is not part of it; older feeds mean the ones they have.
        let text = capture.finish(self.feed.format == Format::Atom10);
        if !text.value.is_empty() {
            self.set(role, space, text);
        }
        if role == Role::Person {
            self.close_person();
        }
        if let Some(frame) = self.frames.pop_if(|frame| frame.role.is_none()) {
            self.leave(frame.bindings, frame.bases);
        }
    }
}

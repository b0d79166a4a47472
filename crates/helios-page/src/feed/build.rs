//! What the elements of a feed say, put where it belongs: to the entry that is open, or to the feed.

use super::MOST_ENTRIES;
use super::model::{Enclosure, Link, Person, Text};
use super::names::{Role, Space};
use super::walk::Walk;
use crate::date;

impl Walk<'_> {
    pub(super) fn add_enclosure(&mut self, enclosure: Enclosure) {
        if let Some(entry) = &mut self.entry {
            entry.enclosures.push(enclosure);
        }
    }

    /// The page is the last alternate in HTML.
    pub(super) fn add_link(&mut self, link: Link) {
        let html = link.media_type.is_empty() || link.media_type.contains("html");
        let page = (html && link.rel == "alternate").then(|| link.clone());
        let (main, all) = match &mut self.entry {
            Some(entry) => (&mut entry.link, &mut entry.links),
            None => (&mut self.feed.link, &mut self.feed.links),
        };
        if page.is_some() {
            *main = page;
        }
        all.push(link);
    }

    pub(super) fn close_entry(&mut self) {
        let Some(entry) = self.entry.take() else { return };
        self.frames.retain(|frame| frame.role != Some(Role::Entry));
        if self.feed.entries.len() < MOST_ENTRIES {
            self.feed.entries.push(entry);
        }
    }

    pub(super) fn close_person(&mut self) {
        let Some(person) = self.person.take().filter(|person| *person != Person::default()) else { return };
        match &mut self.entry {
            Some(entry) => entry.authors.push(person),
            None => self.feed.authors.push(person),
        }
    }

    pub(super) fn category(&mut self, term: &str) {
        let all = match &mut self.entry {
            Some(entry) => &mut entry.categories,
            None => &mut self.feed.categories,
        };
        if !term.trim().is_empty() {
            all.push(term.trim().to_owned());
        }
    }

    pub(super) fn updated(&mut self) -> &mut Option<date::Moment> {
        match &mut self.entry {
            Some(entry) => &mut entry.updated,
            None => &mut self.feed.updated,
        }
    }

    pub(super) fn set(&mut self, role: Role, space: Space, text: Text) {
        match role {
            Role::Link => {
                let link = Link { href: text.value, ..std::mem::take(&mut self.link) };
                self.add_link(link);
            }
            Role::Category => self.category(&text.value),
            Role::Person | Role::Contributor => {
                if let Some(person) = &mut self.person {
                    *person = written(&text.value);
                }
            }
            Role::Field(field) => self.set_field(field, space, text),
            Role::Entry | Role::Feed | Role::Aside | Role::Image | Role::Group | Role::Enclosure => {}
        }
    }

    pub(super) fn set_field(&mut self, field: &str, space: Space, text: Text) {
        match field {
            "name" | "email" | "uri" => {
                let Some(person) = &mut self.person else { return };
                match field {
                    "name" => person.name = text.value,
                    "email" => person.email = text.value,
                    _ => person.uri = text.value,
                }
            }
            "updated" => {
                if let Some(moment) = date::parse(&text.value) {
                    *self.updated() = Some(moment);
                }
            }
            "published" => {
                let published = match &mut self.entry {
                    Some(entry) => &mut entry.published,
                    None => &mut self.feed.published,
                };
                *published = date::parse(&text.value).or(*published);
            }
            "id" => self.set_id(text.value),
            _ => self.set_text(field, space == Space::Core, text),
        }
    }

    /// An id that is an address is the link of what has none.
    pub(super) fn set_id(&mut self, id: String) {
        let (own, link) = match &mut self.entry {
            Some(entry) => (&mut entry.id, &mut entry.link),
            None => (&mut self.feed.id, &mut self.feed.link),
        };
        if self.permalink && link.is_none() && (id.starts_with("http://") || id.starts_with("https://")) {
            *link = Some(Link { href: id.clone(), rel: "alternate".to_owned(), ..Link::default() });
        }
        *own = Some(id);
    }

    /// Texts of the format itself go before those of Dublin Core.
    pub(super) fn set_text(&mut self, field: &str, own: bool, text: Text) {
        let feed = &mut self.feed;
        match &mut self.entry {
            Some(entry) => match field {
                "title" if own || entry.title.is_none() => entry.title = Some(text),
                "summary" if entry.summary.is_none() => entry.summary = Some(text),
                "summary" | "content" if entry.content.is_none() => entry.content = Some(text),
                "encoded" => entry.content = Some(text),
                "language" => entry.language = Some(text.value),
                _ => {}
            },
            None => match field {
                "title" if own || feed.title.is_none() => feed.title = Some(text),
                "summary" if own || feed.description.is_none() => feed.description = Some(text),
                "language" => feed.language = Some(text.value),
                "ttl" => feed.ttl_minutes = text.value.parse().ok(),
                "rights" => feed.rights = Some(text.value),
                "generator" => feed.generator = Some(text.value),
                "icon" => feed.image = Some(text.value),
                _ => {}
            },
        }
    }
}

/// `mail@host (Name)` as RSS wants it, `Name <mail@host>` as people write it, or just a name.
fn written(text: &str) -> Person {
    let pair = text
        .split_once('(')
        .and_then(|(mail, name)| Some((name.strip_suffix(')')?, mail)))
        .or_else(|| text.split_once('<').and_then(|(name, mail)| Some((name, mail.strip_suffix('>')?))));
    match pair {
        Some((name, mail)) if mail.contains('@') => {
            Person { name: name.trim().to_owned(), email: mail.trim().to_owned(), uri: String::new() }
        }
        _ if text.contains('@') && !text.contains(' ') => {
            Person { email: text.to_owned(), ..Person::default() }
        }
        _ => Person { name: text.to_owned(), ..Person::default() },
    }
}

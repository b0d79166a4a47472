//! Reading a sitemap in XML: which entry and which field are open.

use std::ops::ControlFlow;

use super::entry::{Alternate, ChangeFrequency, Entry, Image, News, Video};
use super::fields::{field, set_image, set_news, set_video};
use super::plain;
use super::read::{Kind, Summary};
use crate::date;
use crate::xml::{self, Element, Event, Reader, local};

/// A field's text beyond this is dropped: the protocol allows 2,048 characters for a URL.
const FIELD: usize = 16_384;
/// The most images of one URL, by the extension; we count videos and alternates in the same way.
const ATTACHED: usize = 1000;

/// Which extension's element we are in; its fields have names that the sitemap's own also have.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Inside {
    #[default]
    Entry,
    Image,
    Video,
    News,
    /// An element that nobody knows; its fields are not ours.
    Other,
}

#[derive(Default)]
pub(super) struct Sitemap {
    summary: Summary,
    /// The entry that is being read, if one is.
    entry: Option<Entry>,
    inside: Inside,
    field: Option<&'static str>,
    text: String,
}

impl Sitemap {
    pub(super) fn read(mut self, text: &str, each: &mut impl FnMut(Entry) -> ControlFlow<()>) -> Summary {
        self.summary.cut_short = true;
        for event in Reader::new(text) {
            let flow = match event {
                Event::Open(element) => self.open(&element, each),
                Event::Close(name) => self.close(local(name), each),
                Event::Text(text) => {
                    self.push(&xml::unescape(text));
                    ControlFlow::Continue(())
                }
                Event::Cdata(text) => {
                    self.push(text);
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() {
                return self.summary;
            }
        }
        // What a cut field holds is not all of it.
        self.field = None;
        if self.entry.as_ref().is_some_and(|entry| !entry.loc.is_empty()) {
            let _ = self.finish(each).is_break();
        }
        self.summary
    }

    fn push(&mut self, text: &str) {
        if self.text.len() + text.len() <= FIELD {
            self.text.push_str(text);
        }
    }

    fn open(
        &mut self,
        element: &Element<'_>,
        each: &mut impl FnMut(Entry) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let name = local(element.name).to_ascii_lowercase();
        // `<loc><url>…</url></loc>` was seen in the wild.
        if self.field == Some("loc") && field(&name).is_none() {
            return ControlFlow::Continue(());
        }
        match name.as_str() {
            "urlset" => self.summary.kind = Kind::Urls,
            "sitemapindex" => self.summary.kind = Kind::Index,
            "url" | "sitemap" if self.inside == Inside::Entry => return self.begin(&name, each),
            "link" => self.alternate(element),
            "image" | "video" | "news" | "pagemap" if !element.empty => self.extension(&name),
            _ => return self.begin_field(&name, element, each),
        }
        ControlFlow::Continue(())
    }

    fn begin(&mut self, name: &str, each: &mut impl FnMut(Entry) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.summary.kind == Kind::None {
            self.summary.kind = if name == "url" { Kind::Urls } else { Kind::Index };
        }
        self.end_field();
        let flow = self.finish(each);
        self.entry = Some(Entry::default());
        flow
    }

    fn extension(&mut self, name: &str) {
        let Some(entry) = &mut self.entry else { return };
        if entry.images.len() + entry.videos.len() > ATTACHED {
            self.inside = Inside::Other;
            return;
        }
        self.inside = match name {
            "image" => {
                entry.images.push(Image::default());
                Inside::Image
            }
            "video" => {
                entry.videos.push(Video::default());
                Inside::Video
            }
            "news" => {
                entry.news = Some(News::default());
                Inside::News
            }
            _ => Inside::Other,
        };
    }

    fn alternate(&mut self, element: &Element<'_>) {
        let (Some(entry), Some(href)) = (&mut self.entry, element.attribute("href")) else { return };
        let hreflang = element.attribute("hreflang").unwrap_or_default();
        if entry.alternates.len() < ATTACHED {
            entry.alternates.push(Alternate { href: href.trim().to_owned(), hreflang });
        }
    }

    fn begin_field(
        &mut self,
        name: &str,
        element: &Element<'_>,
        each: &mut impl FnMut(Entry) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(field) = field(name) else { return ControlFlow::Continue(()) };
        self.end_field();
        let mut flow = ControlFlow::Continue(());
        if field == "loc" && self.inside == Inside::Entry {
            // A second location: somebody forgot to close the first entry, or to open this one.
            if self.entry.as_ref().is_none_or(|entry| !entry.loc.is_empty()) {
                flow = self.finish(each);
                self.entry = Some(Entry::default());
            }
        }
        self.text.clear();
        self.field = (!element.empty).then_some(field);
        flow
    }

    fn close(&mut self, name: &str, each: &mut impl FnMut(Entry) -> ControlFlow<()>) -> ControlFlow<()> {
        let name = name.to_ascii_lowercase();
        if let Some(open) = self.field {
            if field(&name) == Some(open) {
                self.end_field();
                return ControlFlow::Continue(());
            }
            if open == "loc" && name == "url" && !self.text.trim().is_empty() && self.nested_url() {
                return ControlFlow::Continue(());
            }
            self.end_field();
        }
        match name.as_str() {
            "image" | "video" | "news" | "pagemap" => self.inside = Inside::Entry,
            "url" | "sitemap" => {
                self.inside = Inside::Entry;
                return self.finish(each);
            }
            "urlset" | "sitemapindex" => self.summary.cut_short = false,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Whether the entry has no location yet: then this `</url>` closes what was opened inside `<loc>`.
    fn nested_url(&self) -> bool {
        self.entry.as_ref().is_some_and(|entry| entry.loc.is_empty())
    }

    fn end_field(&mut self) {
        let Some(field) = self.field.take() else { return };
        let text = std::mem::take(&mut self.text);
        let value = text.trim();
        let Some(entry) = &mut self.entry else { return };
        match self.inside {
            Inside::Entry => match field {
                "loc" => value.clone_into(&mut entry.loc),
                "lastmod" => entry.lastmod = date::parse(value),
                "changefreq" => entry.changefreq = ChangeFrequency::named(value),
                "priority" => entry.priority = value.parse().ok().filter(|value| (0.0..=1.0).contains(value)),
                _ => {}
            },
            Inside::Image => {
                if let Some(image) = entry.images.last_mut() {
                    set_image(image, field, value);
                }
            }
            Inside::Video => {
                if let Some(video) = entry.videos.last_mut() {
                    set_video(video, field, value);
                }
            }
            Inside::News => {
                if let Some(news) = &mut entry.news {
                    set_news(news, field, value);
                }
            }
            Inside::Other => {}
        }
    }

    /// Hands out the entry that was read, if it has a location; text beside all fields is one where nothing else is.
    fn finish(&mut self, each: &mut impl FnMut(Entry) -> ControlFlow<()>) -> ControlFlow<()> {
        let stray = std::mem::take(&mut self.text);
        let Some(mut entry) = self.entry.take() else { return ControlFlow::Continue(()) };
        let loc = if entry.loc.is_empty() { &stray } else { &entry.loc };
        let Some(loc) = plain::usable(loc) else {
            self.summary.skipped += 1;
            return ControlFlow::Continue(());
        };
        entry.loc = loc;
        entry.images.retain(|image| !image.loc.is_empty());
        each(entry)
    }
}

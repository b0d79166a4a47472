//! What a sitemap says of one URL.

use crate::date::Moment;

/// One URL of a sitemap, or one sitemap of an index. URLs stand as written, white space trimmed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    pub loc: String,
    pub lastmod: Option<Moment>,
    pub changefreq: Option<ChangeFrequency>,
    /// Between 0 and 1.
    pub priority: Option<f32>,
    pub alternates: Vec<Alternate>,
    pub images: Vec<Image>,
    pub videos: Vec<Video>,
    pub news: Option<News>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeFrequency {
    Always,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
    Never,
}

impl ChangeFrequency {
    pub(super) fn named(name: &str) -> Option<ChangeFrequency> {
        Some(match name.trim().to_ascii_lowercase().as_str() {
            "always" => ChangeFrequency::Always,
            "hourly" => ChangeFrequency::Hourly,
            "daily" => ChangeFrequency::Daily,
            "weekly" => ChangeFrequency::Weekly,
            "monthly" => ChangeFrequency::Monthly,
            "yearly" => ChangeFrequency::Yearly,
            "never" => ChangeFrequency::Never,
            _ => return None,
        })
    }
}

/// The same page in another language (`xhtml:link`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alternate {
    pub href: String,
    pub hreflang: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    pub loc: String,
    pub title: String,
    pub caption: String,
    pub license: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Video {
    pub content_loc: String,
    pub player_loc: String,
    pub thumbnail_loc: String,
    pub title: String,
    pub description: String,
    pub duration_seconds: Option<u32>,
    pub published: Option<Moment>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct News {
    pub name: String,
    pub language: String,
    pub title: String,
    pub published: Option<Moment>,
    pub keywords: String,
}

//! The fields of entries and of what is attached to them.

use super::entry::{Image, News, Video};
use crate::date;

/// The fields of all extensions. What a name means depends on where it stands.
const FIELDS: [&str; 16] = [
    "loc",
    "lastmod",
    "changefreq",
    "priority",
    "title",
    "caption",
    "license",
    "content_loc",
    "player_loc",
    "thumbnail_loc",
    "description",
    "duration",
    "publication_date",
    "name",
    "language",
    "keywords",
];

/// The field of that name, if there is one.
pub(super) fn field(name: &str) -> Option<&'static str> {
    FIELDS.into_iter().find(|known| known.eq_ignore_ascii_case(name))
}

pub(super) fn set_image(image: &mut Image, field: &str, value: &str) {
    match field {
        "loc" => value.clone_into(&mut image.loc),
        "title" => value.clone_into(&mut image.title),
        "caption" => value.clone_into(&mut image.caption),
        "license" => value.clone_into(&mut image.license),
        _ => {}
    }
}

pub(super) fn set_video(video: &mut Video, field: &str, value: &str) {
    match field {
        "content_loc" => value.clone_into(&mut video.content_loc),
        "player_loc" => value.clone_into(&mut video.player_loc),
        "thumbnail_loc" => value.clone_into(&mut video.thumbnail_loc),
        "title" => value.clone_into(&mut video.title),
        "description" => value.clone_into(&mut video.description),
        "duration" => video.duration_seconds = value.parse().ok(),
        "publication_date" => video.published = date::parse(value),
        _ => {}
    }
}

pub(super) fn set_news(news: &mut News, field: &str, value: &str) {
    match field {
        "name" => value.clone_into(&mut news.name),
        "language" => value.clone_into(&mut news.language),
        "title" => value.clone_into(&mut news.title),
        "publication_date" => news.published = date::parse(value),
        "keywords" => value.clone_into(&mut news.keywords),
        _ => {}
    }
}

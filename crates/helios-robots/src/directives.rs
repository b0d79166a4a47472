//! [`RobotsDirectives`]: what a page says about itself to robots, in X-Robots-Tag or `<meta name=robots>`.

use super::Millis;
use super::date::milliseconds_of;

/// What may be done with a page. Nothing said means all of it; what is said twice, counts as the stricter says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RobotsDirectives {
    /// May it be kept?
    pub index: bool,
    /// May its links be followed?
    pub follow: bool,
    /// May a copy be shown to others?
    pub archive: bool,
    /// From then on it may not be kept.
    pub unavailable_after: Option<Millis>,
}

impl Default for RobotsDirectives {
    fn default() -> Self {
        Self { index: true, follow: true, archive: true, unavailable_after: None }
    }
}

impl RobotsDirectives {
    /// The X-Robots-Tag values of an answer: each speaks for itself. `name: words` speaks to that crawler alone, until the next
    /// name.
    pub fn of_headers(values: &[String], token: &str) -> Self {
        let mut all = Self::default();
        for value in values {
            all.heed(value, Some(token));
        }
        all
    }

    /// The content of a meta element that is addressed to us.
    pub fn heed_meta(&mut self, content: &str) {
        self.heed(content, None);
    }

    /// What both together allow.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let dates = self.unavailable_after.into_iter().chain(other.unavailable_after);
        Self {
            index: self.index && other.index,
            follow: self.follow && other.follow,
            archive: self.archive && other.archive,
            unavailable_after: dates.min(),
        }
    }

    /// May the page be kept at that time?
    pub fn may_keep(&self, now: Millis) -> bool {
        self.index && self.unavailable_after.is_none_or(|end| now < end)
    }

    /// `token`: there may be names of crawlers, of which this is ours.
    fn heed(&mut self, value: &str, token: Option<&str>) {
        let (mut for_us, mut parts) = (true, value.split(','));
        while let Some(part) = parts.next() {
            let mut said = part;
            if let (Some(token), Some((name, words))) = (token, addressed(part)) {
                for_us = name.eq_ignore_ascii_case(token);
                said = words;
            }
            let mut date = date_of(said);
            // The comma after a weekday is part of the date.
            if date.is_some_and(is_weekday) {
                date = parts.next();
            }
            if for_us {
                match date {
                    Some(date) => self.end_at(date),
                    None => self.restrict(said.trim()),
                }
            }
        }
    }

    fn end_at(&mut self, date: &str) {
        let end = milliseconds_of(date);
        self.unavailable_after = self.unavailable_after.into_iter().chain(end).min();
    }

    fn restrict(&mut self, word: &str) {
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        self.index &= !(is("noindex") || is("none"));
        self.follow &= !(is("nofollow") || is("none"));
        self.archive &= !(is("noarchive") || is("nocache"));
    }
}

/// `name: words`, unless the name is that of a directive with a value.
fn addressed(part: &str) -> Option<(&str, &str)> {
    const VALUED: [&str; 4] = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];
    let (name, words) = part.split_once(':')?;
    let name = name.trim();
    let valued = VALUED.iter().any(|valued| name.eq_ignore_ascii_case(valued));
    (!valued && !name.contains(' ')).then_some((name, words))
}

fn date_of(said: &str) -> Option<&str> {
    let (name, date) = said.split_once(':')?;
    name.trim().eq_ignore_ascii_case("unavailable_after").then_some(date)
}

fn is_weekday(text: &str) -> bool {
    let text = text.trim();
    text.len() >= 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

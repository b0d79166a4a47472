//! `link` and `meta`.

use super::LinkKind;
use super::read::Reader;
use crate::html::NodeId;

const FEEDS: [&str; 6] = [
    "application/rss+xml",
    "application/atom+xml",
    "application/feed+json",
    "application/rdf+xml",
    "application/rss",
    "text/rss",
];

impl Reader<'_, '_> {
    pub(super) fn link(&mut self, id: NodeId) {
        let (Some(rel), Some(href)) = (self.tree.attr(id, "rel"), self.tree.attr(id, "href")) else { return };
        let has = |word: &str| rel.split_ascii_whitespace().any(|found| found.eq_ignore_ascii_case(word));
        let kind = if has("canonical") {
            LinkKind::Canonical
        } else if has("stylesheet") {
            LinkKind::Style
        } else if has("alternate") || has("feed") {
            if self.is_feed(id) { LinkKind::Feed } else { LinkKind::Alternate }
        } else if has("next") {
            LinkKind::Next
        } else if has("prev") || has("previous") {
            LinkKind::Prev
        } else if has("amphtml") {
            LinkKind::Amp
        } else if has("icon") || has("apple-touch-icon") || has("apple-touch-icon-precomposed") {
            LinkKind::Icon
        } else {
            return;
        };
        if !self.settings.resources && matches!(kind, LinkKind::Style | LinkKind::Icon) {
            return;
        }
        self.add(kind, href, id);
    }

    fn is_feed(&self, id: NodeId) -> bool {
        let mime = self.tree.attr(id, "type").unwrap_or_default();
        let mime = mime.split(';').next().unwrap_or_default().trim();
        FEEDS.iter().any(|feed| feed.eq_ignore_ascii_case(mime))
    }

    pub(super) fn meta(&mut self, id: NodeId) {
        let Some(content) = self.tree.attr(id, "content") else { return };
        if let Some(name) = self.tree.attr(id, "name") {
            let name = name.trim();
            let agent = self.settings.agent;
            if name.eq_ignore_ascii_case("robots") || (!agent.is_empty() && name.eq_ignore_ascii_case(agent))
            {
                self.out.robots.push(content);
            }
        }
        let is_refresh = |value: &str| value.trim().eq_ignore_ascii_case("refresh");
        if self.tree.attr(id, "http-equiv").is_some_and(is_refresh)
            && let Some(target) = refresh_target(content)
        {
            self.add(LinkKind::Refresh, target, id);
        }
    }
}

/// Where a `Refresh` leads, as a `meta` or as a header: `5; url='next.html'` → `next.html` (WHATWG HTML §4.2.5.3, shared declarative refresh steps).
pub fn refresh_target(content: &str) -> Option<&str> {
    let rest = content.trim_ascii_start();
    let after = rest.trim_start_matches(|char: char| char.is_ascii_digit());
    if after.len() == rest.len() && !after.starts_with('.') {
        return None;
    }
    let after = after.trim_start_matches(|char: char| char.is_ascii_digit() || char == '.');
    if !after.starts_with(|char: char| matches!(char, ';' | ',') || char.is_ascii_whitespace()) {
        return None;
    }
    let rest = after.trim_ascii_start();
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_ascii_start();
    let url = rest.get(..3).filter(|word| word.eq_ignore_ascii_case("url"));
    let after_equals = url.and_then(|_| rest.get(3..)?.trim_ascii_start().strip_prefix('='));
    let target = after_equals.map_or(rest, str::trim_ascii_start);
    let target = match target.strip_prefix(['"', '\'']) {
        Some(inside) => inside.split(target.get(..1)?).next()?,
        None => target,
    };
    Some(target).filter(|target| !target.is_empty())
}

#[cfg(test)]
mod tests {
    use super::refresh_target;

    #[test]
    fn whatwg_a_refresh_names_its_target_in_many_ways() {
        for (content, target) in [
            ("5; url=a.html", Some("a.html")),
            ("5;URL='a b.html' x", Some("a b.html")),
            ("0,\"a.html", Some("a.html")),
            ("1.5 url = a.html", Some("a.html")),
            ("5; a.html", Some("a.html")),
            (" 3 ; urlx", Some("urlx")),
            ("5", None),
            ("5;", None),
            ("", None),
            ("x; url=a.html", None),
            ("5url=a.html", None),
            ("5; url=", None),
        ] {
            assert_eq!(refresh_target(content), target, "{content:?}");
        }
    }
}

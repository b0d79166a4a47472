//! The vocabularies of feeds: what a name in a namespace means.

/// What an element is for, whichever format calls it what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// `item`, `entry`.
    Entry,
    /// `channel`, `feed`: what stands in it is about the whole feed.
    Feed,
    /// Has fields of its own, which are not the entry's: `image`, `textinput`, `source`.
    Aside,
    Image,
    Person,
    /// A person that is no author.
    Contributor,
    /// Groups fields that are the entry's.
    Group,
    Link,
    Enclosure,
    Category,
    /// A text that is one of the facts, by its name here.
    Field(&'static str),
}

/// Whose name it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// RSS, Atom, CDF, or nobody's.
    Core,
    DublinCore,
    Content,
    Media,
    Itunes,
    Other,
}

/// The vocabulary of a namespace. One that nobody knows counts as `Core` where it is the default one.
pub(super) fn of_uri(uri: &str, default: bool) -> Space {
    let uri = uri.trim().to_ascii_lowercase();
    let starts = |with: &str| uri.starts_with(with);
    if starts("http://purl.org/dc/") {
        Space::DublinCore
    } else if starts("http://purl.org/rss/1.0/modules/content") {
        Space::Content
    } else if starts("http://search.yahoo.com/mrss") || starts("https://search.yahoo.com/mrss") {
        Space::Media
    } else if starts("http://www.itunes.com/") {
        Space::Itunes
    } else if is_core(&uri) || (default && !starts("http://www.w3.org/1999/xhtml")) {
        Space::Core
    } else {
        Space::Other
    }
}

fn is_core(uri: &str) -> bool {
    const CORE: [&str; 8] = [
        "http://www.w3.org/2005/atom",
        "http://purl.org/atom/",
        "http://purl.org/rss/1.0/modules/rss091",
        "http://my.netscape.com/rdf/simple/0.9",
        "http://backend.userland.com/rss",
        "http://blogs.law.harvard.edu/tech/rss",
        "http://channel.netscape.com/rdf/simple/0.9",
        "http://purl.org/pie/",
    ];
    uri == "http://purl.org/rss/1.0/" || uri.is_empty() || CORE.iter().any(|core| uri.starts_with(core))
}

/// The vocabulary of a prefix that was never bound, by what everybody uses it for.
pub(super) fn of_prefix(prefix: &str) -> Space {
    match prefix.to_ascii_lowercase().as_str() {
        "" | "rss" | "atom" | "atom10" | "atom03" | "a10" => Space::Core,
        "dc" | "dcterms" | "dct" => Space::DublinCore,
        "content" => Space::Content,
        "media" => Space::Media,
        "itunes" => Space::Itunes,
        _ => Space::Other,
    }
}

/// What an element is for; `name` is in lower case and without prefix.
pub(super) fn role(space: Space, name: &str) -> Option<Role> {
    match space {
        Space::Core => core(name),
        Space::DublinCore => dublin_core(name).map(Role::Field).or(match name {
            "creator" | "author" => Some(Role::Person),
            "contributor" => Some(Role::Contributor),
            "subject" => Some(Role::Category),
            _ => None,
        }),
        Space::Content => (name == "encoded").then_some(Role::Field("encoded")),
        Space::Media => match name {
            "content" => Some(Role::Enclosure),
            "group" => Some(Role::Group),
            "title" => Some(Role::Field("title")),
            "description" => Some(Role::Field("summary")),
            _ => None,
        },
        Space::Itunes => match name {
            "owner" => Some(Role::Aside),
            _ => None,
        },
        Space::Other => None,
    }
}

fn dublin_core(name: &str) -> Option<&'static str> {
    Some(match name {
        "title" => "title",
        "description" => "summary",
        "date" | "modified" => "updated",
        "issued" => "published",
        "language" => "language",
        "rights" => "rights",
        _ => return None,
    })
}

fn core(name: &str) -> Option<Role> {
    let field = match name {
        "item" | "entry" => return Some(Role::Entry),
        "channel" | "feed" | "rdf" | "rss" => return Some(Role::Feed),
        "image" => return Some(Role::Image),
        "textinput" | "source" | "cloud" => return Some(Role::Aside),
        "author" | "managingeditor" => return Some(Role::Person),
        "contributor" | "webmaster" => return Some(Role::Contributor),
        "link" => return Some(Role::Link),
        "enclosure" => return Some(Role::Enclosure),
        "category" | "keywords" => return Some(Role::Category),
        "title" => "title",
        "id" | "guid" => "id",
        "description" | "summary" | "abstract" | "subtitle" | "tagline" => "summary",
        "content" | "body" | "fullitem" => "content",
        "published" | "issued" | "pubdate" => "published",
        "updated" | "modified" | "lastbuilddate" => "updated",
        "language" => "language",
        "ttl" => "ttl",
        "rights" | "copyright" => "rights",
        "generator" => "generator",
        "icon" | "logo" => "icon",
        "name" => "name",
        "email" => "email",
        "uri" | "url" | "homepage" => "uri",
        _ => return None,
    };
    Some(Role::Field(field))
}

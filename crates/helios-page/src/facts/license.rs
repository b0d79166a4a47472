//! The licence of a page.

use super::ld::Article;
use super::seen::Seen;
use super::words::{mentions, text};
use crate::html::{NodeId, Tag, Tree};

/// A Creative Commons licence by its short name, another one as the page names it.
pub(super) fn of(tree: &Tree<'_>, seen: &Seen<'_>, article: &Article) -> Option<String> {
    let marked = seen.rels.iter().filter(|(rel, _)| rel.split_ascii_whitespace().any(|one| one == "license"));
    for (_, node) in marked.take(4) {
        let href = tree.attr(*node, "href").unwrap_or_default();
        let own =
            creative_commons(href).or_else(|| Some(text(tree, *node, 100)).filter(|name| !name.is_empty()));
        if own.is_some() {
            return own;
        }
    }
    let said = seen.link("license").or_else(|| article.license.clone());
    let said =
        said.or_else(|| seen.meta(&["dcterms.license", "dc.rights", "dcterms.rights", "dc.rights.license"]));
    let named =
        said.and_then(|said| creative_commons(&said).or_else(|| said.starts_with("http").then_some(said)));
    named.or_else(|| in_footer(tree, seen))
}

/// `CC BY-SA 4.0` of the address of its text.
fn creative_commons(address: &str) -> Option<String> {
    const NAMES: [&str; 7] = ["by-nc-nd", "by-nc-sa", "by-nc", "by-nd", "by-sa", "by", "zero"];
    let path = address.split_once("creativecommons.org/")?.1;
    let mut parts = path.split('/').skip(1);
    let name = parts.next()?.to_ascii_lowercase();
    let name = NAMES.into_iter().find(|known| *known == name)?;
    let version = parts.next().filter(|version| version.starts_with(|first: char| first.is_ascii_digit()));
    let name = if name == "zero" { "CC0".to_owned() } else { format!("CC {}", name.to_ascii_uppercase()) };
    // The law of a country, before version 4.
    let country = parts
        .next()
        .filter(|country| country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let parts = [Some(name), version.map(str::to_owned), country.map(str::to_ascii_uppercase)];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Whoever links to a licence at the foot of a page, or where it speaks of licences, means the page.
fn in_footer(tree: &Tree<'_>, seen: &Seen<'_>) -> Option<String> {
    let about_page = |node: NodeId| {
        tree.ancestors(node).take(32).any(|up| {
            let says = |name: &str| {
                let value = tree.attr(up, name).unwrap_or_default();
                ["foot", "licen", "copyright", "colophon", "bottom"].iter().any(|word| mentions(value, word))
            };
            matches!(tree.tag(up), Tag::FOOTER | Tag::ASIDE)
                || (tree.is_element(up) && (says("class") || says("id")))
        })
    };
    let mut foot = seen.commons.iter().copied().filter(|&node| about_page(node));
    foot.find_map(|node| creative_commons(tree.attr(node, "href")?))
}

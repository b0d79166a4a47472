//! What each element of a page contributes to its links.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on must stop")]

use helios_page::html::Tree;
use helios_page::links::{LinkKind, LinkSettings, Links, Rel};

fn references(text: &str, settings: &LinkSettings<'_>) -> Vec<(LinkKind, String)> {
    let tree = Tree::parse(text);
    let links = Links::read(&tree, settings);
    links.links.iter().map(|link| (link.kind, link.reference.to_string())).collect()
}

#[test]
fn house_every_kind_of_link_is_known() {
    use LinkKind::{Alternate, Amp, Anchor, Canonical, Feed, Frame, Next, Prev, Refresh};
    for (text, kind, reference) in [
        ("<a href=/x>", Anchor, "/x"),
        ("<a href=''>", Anchor, ""),
        ("<a href=' \n/x\ty\n '>", Anchor, "/xy"),
        ("<map><area href=x></map>", Anchor, "x"),
        ("<svg><a xlink:href=x>", Anchor, "x"),
        ("<noscript><a href=x></noscript>", Anchor, "x"),
        ("<link rel=Canonical href=x>", Canonical, "x"),
        ("<link rel='alternate' hreflang=de href=x>", Alternate, "x"),
        ("<link rel=alternate type='application/rss+xml; charset=x' href=x>", Feed, "x"),
        ("<link rel=next href=x>", Next, "x"),
        ("<link rel='nofollow prev' href=x>", Prev, "x"),
        ("<link rel=amphtml href=x>", Amp, "x"),
        ("<iframe src=x></iframe>", Frame, "x"),
        ("<frameset><frame src=x></frameset>", Frame, "x"),
        ("<meta http-equiv=Refresh content='0;url=x'>", Refresh, "x"),
    ] {
        assert_eq!(references(text, &LinkSettings::default()), [(kind, reference.to_owned())], "{text}");
    }
}

#[test]
fn house_some_elements_lead_nowhere() {
    for text in [
        "<a>",
        "<link href=x>",
        "<link rel=stylesheet href=x>",
        "<img src=x>",
        "<template><a href=x></a></template>",
        "<script>'<a href=x>'</script>",
        "<!-- <a href=x> -->",
        "<textarea><a href=x></textarea>",
        "<meta http-equiv=refresh content=5>",
    ] {
        assert_eq!(references(text, &LinkSettings::default()), [], "{text}");
    }
}

#[test]
fn house_resources_come_on_demand() {
    use LinkKind::{Icon, Image, Media, Script, Style};
    let text = "<link rel=stylesheet href=a><link rel='shortcut icon' href=b><script src=c></script>
        <img src=d srcset='d 1x, e 2x'><picture><source srcset=f></picture><video src=g poster=h><source src=i>
        <track src=j></video><embed src=k><object data=l></object><input type=image src=m><svg><image href=n>";
    let found = references(text, &LinkSettings { resources: true, ..LinkSettings::default() });
    let found: Vec<(LinkKind, &str)> =
        found.iter().map(|(kind, reference)| (*kind, reference.as_str())).collect();
    let expected = [
        (Style, "a"),
        (Icon, "b"),
        (Script, "c"),
        (Image, "d"),
        (Image, "e"),
        (Image, "f"),
        (Media, "g"),
        (Image, "h"),
        (Media, "i"),
        (Media, "j"),
        (Media, "k"),
        (Media, "l"),
        (Image, "m"),
        (Image, "n"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn house_one_reference_is_one_link_with_what_all_say_of_it() {
    let tree = Tree::parse(
        "<a href=x#1 rel='nofollow ugc'><img alt='A picture'></a><a href='x#2' rel='Sponsored,nofollow'>two</a><a href=y rel=nofollow>z</a>
         <a href=y>again</a>",
    );
    let links = Links::read(&tree, &LinkSettings::default());
    let told: Vec<_> =
        links.links.iter().map(|link| (&*link.reference, link.rel.nofollow, links.text(link))).collect();
    assert_eq!(told, [("x#1", true, "A picture"), ("y", false, "z")]);
    assert_eq!(links.links.first().unwrap().rel, Rel { nofollow: true, ugc: false, sponsored: false });
}

#[test]
fn house_the_text_of_a_link_is_its_words() {
    for (inside, text) in [
        ("  one\n <b>t</b>wo <br>three ", "one two three"),
        ("<div>one</div><div>two</div>", "one two"),
        ("<style>x</style>one<script>y</script>", "one"),
        ("<img alt=' a  picture '>", "a picture"),
        ("<img alt=picture>words", "words"),
        ("<img>", ""),
        ("éééé", "ééé"),
    ] {
        let page = format!("<a href=x>{inside}</a>");
        let tree = Tree::parse(&page);
        let most = if inside == "éééé" { 7 } else { 100 };
        let links = Links::read(&tree, &LinkSettings { text_bytes: most, ..LinkSettings::default() });
        assert_eq!(links.text(links.links.first().unwrap()), text, "{inside}");
    }
}

#[test]
fn house_the_first_base_counts_and_robots_metas_are_told() {
    let tree = Tree::parse(
        "<base target=x><base href=' /a/ '><base href=/b/><meta name=Robots content=noindex><meta name=helios content=nofollow>
         <meta name=otherbot content=none>",
    );
    let links = Links::read(&tree, &LinkSettings { agent: "Helios", ..LinkSettings::default() });
    assert_eq!(links.base.as_deref(), Some("/a/"));
    assert_eq!(links.robots, ["noindex", "nofollow"]);
}

#[test]
fn house_links_beyond_the_limit_are_ignored() {
    let text: Vec<String> = (0..100).map(|number| format!("<a href=/{number}>x</a>")).collect();
    let found = references(&text.concat(), &LinkSettings { most: 10, ..LinkSettings::default() });
    assert_eq!(found.len(), 10);
}

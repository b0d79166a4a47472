//! Links out of real pages: speed (MB of HTML per CPU second) and agreement, for six ways to read HTML.
//!
//! Speed and agreement with html5ever on `content-wcxb`; precision and recall on `links`, whose truth is absolute URLs.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use decisions::{cpu_seconds, data, scan, spread};
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use lol_html::{HtmlRewriter, Settings, element};

const RUNS: usize = 5;
const SELECTOR: &str = "a[href], area[href]";

type Extract = fn(&str) -> Vec<String>;

fn main() {
    let data = data();
    if !data.join("content-wcxb").exists() {
        println!("skipped: no data at {} (set HELIOS_DATA)", data.display());
        return;
    }
    let ways: [(&str, Extract); 7] = [
        ("own scanner", own_scanner),
        ("lol_html", over_lol_html),
        ("html5gum", over_html5gum),
        ("dom_query, links", over_dom_query),
        ("dom_query, parse only", |page| {
            std::hint::black_box(dom_query::Document::from(page));
            Vec::new()
        }),
        ("scraper, links", over_scraper),
        ("scraper, parse only", |page| {
            std::hint::black_box(scraper::Html::parse_document(page));
            Vec::new()
        }),
    ];
    let wcxb = pages(&data.join("content-wcxb"));
    speed(&ways, &wcxb);
    let ways: Vec<_> = ways.into_iter().filter(|way| !way.0.ends_with("only")).collect();
    agreement(&ways, &wcxb);
    truth(&ways, &data, &wcxb);
}

fn speed(ways: &[(&str, Extract)], pages: &BTreeMap<String, Vec<u8>>) {
    let texts: Vec<_> = pages.values().map(|page| String::from_utf8_lossy(page)).collect();
    let megabytes = texts.iter().map(|t| t.len()).sum::<usize>() as f64 / 1e6;
    println!("{} pages, {megabytes:.1} MB; median of {RUNS} [least .. most]", texts.len());
    let mut seen = vec![Vec::new(); ways.len()];
    let mut links = vec![0; ways.len()];
    for _ in 0..RUNS {
        for (n, (_, extract)) in ways.iter().enumerate() {
            let before = cpu_seconds();
            links[n] = texts.iter().map(|text| std::hint::black_box(extract(text)).len()).sum();
            seen[n].push(megabytes / (cpu_seconds() - before));
        }
    }
    println!("\n{:24} {:>30}  {:>12} {:>8}", "way", "MB per CPU second", "us per page", "links");
    for (n, (name, _)) in ways.iter().enumerate() {
        let mut sorted = seen[n].clone();
        sorted.sort_by(f64::total_cmp);
        let us = megabytes / sorted[RUNS / 2] * 1e6 / texts.len() as f64;
        println!("{name:24} {:>30}  {us:12.0} {:8}", spread(&seen[n]), links[n]);
    }
}

fn agreement(ways: &[(&str, Extract)], pages: &BTreeMap<String, Vec<u8>>) {
    println!("\nagreement with html5ever (dom_query): sets of hrefs per page");
    for (name, extract) in ways {
        let (mut sum, mut same, mut extra, mut missing) = (0.0, 0, 0, 0);
        let mut worst = (2.0, "");
        for (id, page) in pages {
            let text = String::from_utf8_lossy(page);
            let want: HashSet<_> = over_dom_query(&text).into_iter().collect();
            let got: HashSet<_> = extract(&text).into_iter().collect();
            let (common, all) = (want.intersection(&got).count(), want.union(&got).count());
            let jaccard = if all == 0 { 1.0 } else { common as f64 / all as f64 };
            sum += jaccard;
            same += usize::from(common == all);
            extra += got.len() - common;
            missing += want.len() - common;
            if jaccard < worst.0 {
                worst = (jaccard, id);
            }
        }
        println!(
            "{name:24} mean Jaccard {:.5}, pages equal {same}/{}, extra {extra}, missing {missing}, worst {:.2} ({})",
            sum / pages.len() as f64,
            pages.len(),
            worst.0,
            worst.1
        );
    }
}

fn truth(ways: &[(&str, Extract)], data: &Path, wcxb: &BTreeMap<String, Vec<u8>>) {
    let Ok(file) = std::fs::File::open(data.join("links/links.jsonl.xz")) else { return };
    let trafilatura = pages(&data.join("content-trafilatura"));
    let rows: Vec<serde_json::Value> = BufReader::new(xz2::read::XzDecoder::new(file))
        .lines()
        .map(|line| serde_json::from_str(&line.expect("a line")).expect("JSON"))
        .collect();
    println!("\ntruth of {} pages (absolute links)", rows.len());
    for (name, extract) in ways {
        let (mut hit, mut got_all, mut want_all) = (0, 0, 0);
        for row in &rows {
            let set = if row["set"] == "content-wcxb" { wcxb } else { &trafilatura };
            let page = &set[&format!("{}.html", row["id"].as_str().expect("id"))];
            let encoding =
                row["encoding"].as_str().and_then(|e| encoding_rs::Encoding::for_label(e.as_bytes()));
            let (text, encoding, _) = encoding.expect("a known encoding").decode(page);
            let base = url::Url::parse(row["base_url"].as_str().expect("base")).expect("base");
            let in_query = in_query(encoding);
            let options = url::Url::options().base_url(Some(&base)).encoding_override(Some(&in_query));
            let got: HashSet<String> = extract(&text)
                .iter()
                .filter_map(|href| options.parse(href).ok())
                .filter(|url| matches!(url.scheme(), "http" | "https"))
                .map(|mut url| {
                    url.set_fragment(None);
                    url.into()
                })
                .collect();
            let want: HashSet<&str> =
                row["links"].as_array().expect("links").iter().filter_map(|l| l.as_str()).collect();
            hit += got.iter().filter(|url| want.contains(url.as_str())).count();
            got_all += got.len();
            want_all += want.len();
        }
        println!(
            "{name:24} precision {:.5} recall {:.5}  ({want_all} links)",
            hit as f64 / got_all as f64,
            hit as f64 / want_all as f64
        );
    }
}

/// The query of a URL is written in the page's own encoding (WHATWG URL).
fn in_query(encoding: &'static encoding_rs::Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    move |query| encoding.encode(query).0
}

/// The pages of a data set by file name.
fn pages(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = std::fs::File::open(folder.join("pages.tar.xz")).expect("pages");
    let mut archive = tar::Archive::new(xz2::read::XzDecoder::new(file));
    let entries = archive.entries().expect("a tar file");
    entries
        .map(|entry| {
            let mut entry = entry.expect("an entry");
            let name = entry.path().expect("a name").to_string_lossy().into_owned();
            let mut page = Vec::new();
            entry.read_to_end(&mut page).expect("a page");
            (name, page)
        })
        .collect()
}

fn unescape(raw: &str) -> String {
    htmlize::unescape_attribute(raw).into_owned()
}

fn own_scanner(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    scan::links(page.as_bytes(), |raw| {
        // A value is cut at ASCII bytes only, so it is whole UTF-8.
        found.push(unescape(std::str::from_utf8(raw).unwrap_or_default()));
    });
    found
}

fn over_lol_html(page: &str) -> Vec<String> {
    let found = RefCell::new(Vec::new());
    let on_link = element!(SELECTOR, |element| {
        found.borrow_mut().extend(element.get_attribute("href").map(|raw| unescape(&raw)));
        Ok(())
    });
    let settings = Settings::new().append_element_content_handler(on_link).with_strict(false);
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    if rewriter.write(page.as_bytes()).is_ok() {
        let _ = rewriter.end();
    }
    found.take()
}

fn over_html5gum(page: &str) -> Vec<String> {
    let (mut link, mut href) = (false, false);
    let callback = |event: CallbackEvent<'_>, _span: html5gum::Span<()>| {
        match event {
            CallbackEvent::OpenStartTag { name } => link = name == b"a" || name == b"area",
            CallbackEvent::AttributeName { name } => href = link && name == b"href",
            CallbackEvent::AttributeValue { value } if href => {
                return Some(String::from_utf8_lossy(value).into_owned());
            }
            CallbackEvent::EndTag { .. } => link = false,
            _ => {}
        }
        None
    };
    let mut emitter = CallbackEmitter::new(callback);
    emitter.naively_switch_states(true);
    html5gum::Tokenizer::new_with_emitter(page, emitter).flatten().collect()
}

fn over_dom_query(page: &str) -> Vec<String> {
    let document = dom_query::Document::from(page);
    document
        .select(SELECTOR)
        .iter()
        .filter_map(|link| link.attr("href"))
        .map(|href| href.to_string())
        .collect()
}

fn over_scraper(page: &str) -> Vec<String> {
    let selector = scraper::Selector::parse(SELECTOR).expect("selector");
    let document = scraper::Html::parse_document(page);
    document.select(&selector).filter_map(|link| link.attr("href")).map(str::to_owned).collect()
}

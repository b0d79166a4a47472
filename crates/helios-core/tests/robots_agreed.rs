//! What independent implementations of RFC 9309 agree on (`shared/data/robots-cases`, `robots-real`), asked of ours.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test that cannot go on must stop"
)]

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use helios_core::robots::{Permit, RobotsRules};
use helios_core::url::CanonicalUrl;
use serde_json::Value;

const LIMIT: usize = 512_000;

/// `User-agent: *<BR>`: only one of three takes this for everyone.
const NOT_OURS: [&str; 1] = ["r0338"];

/// The data lies beside the project; without it there is nothing to ask.
fn data(name: &str) -> Option<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("shared/data").join(name))
        .find(|folder| folder.is_dir());
    if place.is_none() {
        eprintln!("skipped: there is no shared/data/{name} above this project");
    }
    place
}

fn json(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// Path and query as written, so that nothing but robots is measured.
fn target(url: &str) -> &str {
    let after_host =
        url.split_once("://").map_or(url, |(_, rest)| rest.find(['/', '?']).map_or("/", |at| &rest[at..]));
    after_host.split('#').next().unwrap_or_default()
}

fn words<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().unwrap_or_default()
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> =
        text.bytes().filter(|&byte| byte != b'=').map(|byte| u32::from(digit(byte))).collect();
    digits
        .chunks(4)
        .flat_map(|four| {
            let bits = four.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - four.len()));
            bits.to_be_bytes()[1..four.len()].to_vec()
        })
        .collect()
}

fn file_of(case: &Value) -> Vec<u8> {
    case["robots_txt"]
        .as_str()
        .map_or_else(|| base64(words(case, "robots_txt_b64")), |text| text.as_bytes().to_vec())
}

#[test]
fn rfc9309_cases_on_which_all_implementations_agree() {
    let Some(folder) = data("robots-cases") else { return };
    let cases = json(&folder.join("cases.json"));
    let (mut wrong, mut agreed, mut contested, mut followed) = (Vec::new(), 0, 0, 0);
    for case in cases.as_array().unwrap().iter().filter(|case| case["allowed"].is_boolean()) {
        let rules = RobotsRules::parse(&file_of(case), words(case, "user_agent"), LIMIT);
        let right = rules.allows(target(words(case, "url"))) == case["allowed"];
        if case["unanimous"] == true {
            agreed += 1;
            if !right {
                wrong.push(case["id"].clone());
            }
        } else {
            contested += 1;
            followed += u32::from(right);
        }
    }
    eprintln!("{} of {agreed} agreed cases; {followed} of {contested} contested ones", agreed - wrong.len());
    assert!(agreed > 0 && wrong.is_empty(), "{wrong:?}");
}

#[test]
fn crawl_delays_and_sitemaps_of_the_cases() {
    let Some(folder) = data("robots-cases") else { return };
    let cases = json(&folder.join("cases.json"));
    for case in cases.as_array().unwrap().iter().filter(|case| !case["allowed"].is_boolean()) {
        let rules = RobotsRules::parse(&file_of(case), words(case, "user_agent"), LIMIT);
        if let Some(sitemaps) = case["sitemaps"].as_array() {
            assert_eq!(Value::from(rules.sitemaps), Value::from(sitemaps.clone()), "{case}");
        } else {
            let ms = case["crawl_delay_s"].as_f64().map(|seconds| (seconds * 1000.0) as u64);
            assert!(rules.crawl_delay_ms == ms || NOT_OURS.contains(&words(case, "id")), "{case}");
        }
    }
}

/// The files of an archive: only as much of the format as ours needs.
fn unpack(archive: &Path) -> Option<HashMap<String, Vec<u8>>> {
    let Ok(unpacked) = Command::new("xz").args(["-dc"]).arg(archive).output() else {
        eprintln!("skipped: there is no xz to unpack {}", archive.display());
        return None;
    };
    let text = |field: &[u8]| String::from_utf8_lossy(field).trim_matches(['\0', ' ']).to_owned();
    let (mut rest, mut files) = (unpacked.stdout.as_slice(), HashMap::new());
    while rest.len() >= 512 && rest[0] != 0 {
        let size = usize::from_str_radix(&text(&rest[124..136]), 8).unwrap();
        let name = text(&rest[..100]).rsplit('/').next().unwrap_or_default().to_owned();
        if rest[156] == b'0' || rest[156] == 0 {
            files.insert(name, rest[512..512 + size].to_vec());
        }
        rest = &rest[512 + size.next_multiple_of(512)..];
    }
    Some(files)
}

fn real_files() -> Option<(PathBuf, HashMap<String, Vec<u8>>)> {
    let folder = data("robots-real")?;
    let files = unpack(&folder.join("files.tar.xz"))?;
    assert!(!files.is_empty());
    Some((folder, files))
}

fn questions(folder: &Path) -> Vec<Value> {
    let packed = std::fs::File::open(folder.join("queries.jsonl.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[derive(Default)]
struct Known(HashMap<(String, String), RobotsRules>);

impl Known {
    fn rules(&mut self, files: &HashMap<String, Vec<u8>>, question: &Value) -> &RobotsRules {
        let (file, agent) = (words(question, "file"), words(question, "user_agent"));
        let of = (file.to_owned(), agent.to_owned());
        self.0.entry(of).or_insert_with(|| RobotsRules::parse(&files[file], agent, LIMIT))
    }
}

#[test]
fn rfc9309_files_of_real_sites_are_read_as_all_implementations_read_them() {
    let Some((folder, files)) = real_files() else { return };
    let (mut known, mut wrong) = (Known::default(), Vec::new());
    let questions = questions(&folder);
    for question in &questions {
        let allowed = known.rules(&files, question).allows(target(words(question, "url")));
        if allowed != question["allowed"] {
            wrong.push(question);
        }
    }
    eprintln!("{} of {} agreed questions", questions.len() - wrong.len(), questions.len());
    assert!(wrong.len() * 1000 <= questions.len(), "{wrong:?}");
}

/// A crawl asks only for canonical URLs: their spelling must not lead past a rule.
#[test]
fn canonical_urls_are_judged_as_they_were_written() {
    let Some((folder, files)) = real_files() else { return };
    let (mut known, mut wrong, mut all) = (Known::default(), Vec::new(), 0);
    for question in &questions(&folder) {
        let Ok(url) = CanonicalUrl::parse(words(question, "url")) else { continue };
        all += 1;
        if Permit::under(known.rules(&files, question), &url).is_ok() != question["allowed"] {
            wrong.push(format!("{question} as {url}"));
        }
    }
    eprintln!("{} of {all} agreed questions, asked by canonical URL", all - wrong.len());
    assert!(wrong.len() * 100 <= all, "{wrong:#?}");
}

/// Where Google's parser and crawler-commons agree against the third one, we follow the two (docs/robots.md).
#[test]
fn contested_questions_about_real_sites_follow_two_of_three() {
    let Some((folder, files)) = real_files() else { return };
    let contested = json(&folder.join("contested.json"));
    let (mut known, mut of_two, mut wrong) = (Known::default(), 0, Vec::new());
    for question in contested.as_array().unwrap().iter().filter(|one| one["google"] == one["crawler_commons"])
    {
        of_two += 1;
        if known.rules(&files, question).allows(target(words(question, "url"))) != question["google"] {
            wrong.push(question);
        }
    }
    eprintln!("{} of {of_two} contested questions as two of three answer them", of_two - wrong.len());
    assert!(wrong.len() * 100 <= of_two, "{wrong:?}");
}

#[test]
fn crawl_delays_and_sitemaps_of_real_sites() {
    let Some((folder, files)) = real_files() else { return };
    let facts = json(&folder.join("facts.json"));
    let (mut wrong, mut all) = (Vec::new(), 0);
    for (file, facts) in facts.as_object().unwrap() {
        if let Some(sitemaps) = facts["sitemaps"].as_u64() {
            all += 1;
            let found = RobotsRules::parse(&files[file], "helios", LIMIT).sitemaps.len() as u64;
            wrong.extend((found != sitemaps).then(|| format!("{file}: {found} for {sitemaps} sitemaps")));
        }
        for (agent, seconds) in facts["crawl_delay_s"].as_object().into_iter().flatten() {
            all += 1;
            let found = RobotsRules::parse(&files[file], agent, LIMIT).crawl_delay_ms;
            let same = found.map(|ms| ms as f64 / 1000.0) == seconds.as_f64();
            wrong.extend((!same).then(|| format!("{file}, {agent}: {found:?} ms for {seconds} s")));
        }
    }
    eprintln!("{} of {all} facts", all - wrong.len());
    assert!(wrong.len() * 1000 <= all, "{wrong:?}");
}

#[test]
fn no_file_of_a_real_site_is_too_much() {
    let Some((_, files)) = real_files() else { return };
    for (name, file) in &files {
        for cut in [0, 1, file.len() / 3, file.len()] {
            let rules = RobotsRules::parse(file.get(cut..).unwrap_or_default(), "helios", LIMIT);
            assert_eq!(rules.denying_rule("/x?y=z").is_none(), rules.allows("/x?y=z"), "{name}");
            assert!(rules.allows("/robots.txt"), "{name}");
        }
    }
}

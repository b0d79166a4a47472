use std::path::Path;

use super::*;

/// Before every date that the files of the standard's group call future.
const NOW: Millis = 1_280_000_000_000;

fn url(text: &str) -> CanonicalUrl {
    CanonicalUrl::parse(text).unwrap()
}

fn sent(from: &str, set: &[&str], to: &str) -> String {
    let (cookies, site) = (Cookies::default(), url(from).site());
    cookies.store(&site, &url(from), set.iter().map(|text| text.as_bytes()), NOW);
    let header = cookies.header(&site, &url(to), NOW + 1);
    header.map(|header| String::from_utf8_lossy(header.as_bytes()).into_owned()).unwrap_or_default()
}

/// The file's cases, or none where the shared data is not at hand.
fn cases(file: &str) -> Vec<serde_json::Value> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = above.map(|folder| folder.join("shared/data/cookies").join(file)).find(|path| path.exists());
    let Some(path) = found else {
        println!("skipped: shared/data/cookies/{file} is not there");
        return Vec::new();
    };
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn rfc6265_what_was_received_is_sent_as_the_cases_of_the_standard_say() {
    let mut wrong = Vec::new();
    for case in cases("set_cookie_cases.json") {
        let received: Vec<&str> =
            case["received"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        let name = case["test"].as_str().unwrap();
        let from = format!("http://home.example.org:8888/cookie-parser?{name}");
        let to = case["sent-to"].as_str().unwrap_or("/cookie-parser-result");
        let to = url(&from).to_url().join(to).unwrap();
        let expected: Vec<String> = case["sent"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| format!("{}={}", one["name"].as_str().unwrap(), one["value"].as_str().unwrap()))
            .collect();
        let got = sent(&from, &received, to.as_str());
        if got != expected.join("; ") {
            wrong.push(format!("{name}: {received:?}: {got:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn rfc6265_dates_as_the_cases_of_the_standard_say() {
    for case in cases("date_cases.json") {
        let text = case["test"].as_str().unwrap();
        let expected = case["expected"].as_str().map(|date| {
            let date = httpdate::parse_http_date(date).unwrap();
            date.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64
        });
        assert_eq!(date::parse(text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn a_site_cannot_set_for_another_nor_for_a_public_suffix() {
    let page = "https://www.shop.co.uk/a/b";
    for set in
        ["a=b; domain=co.uk", "a=b; domain=uk", "a=b; domain=other.co.uk", "a=b; domain=x.www.shop.co.uk"]
    {
        assert_eq!(sent(page, &[set], page), "", "{set}");
    }
    assert_eq!(sent(page, &["a=b; domain=shop.co.uk"], "https://x.shop.co.uk/a/"), "a=b");
    assert_eq!(sent(page, &["a=b"], "https://x.shop.co.uk/a/"), "");
    assert_eq!(sent("http://127.0.0.1/", &["a=b; domain=0.0.1"], "http://127.0.0.1/"), "");
    assert_eq!(sent("http://co.uk/", &["a=b; domain=co.uk"], "http://shop.co.uk/"), "");
}

#[test]
fn secure_cookies_and_prefixes_keep_their_promises() {
    let (safe, open) = ("https://a.example/", "http://a.example/");
    assert_eq!(sent(safe, &["a=b; secure"], open), "");
    assert_eq!(sent(safe, &["a=b; secure"], safe), "a=b");
    assert_eq!(sent(open, &["a=b; secure"], safe), "");
    assert_eq!(
        sent(
            safe,
            &["__Secure-a=b", "__host-a=b; secure; path=/; domain=a.example", "__Host-b=c; secure; path=/x"],
            safe
        ),
        ""
    );
    assert_eq!(
        sent(safe, &["__Secure-a=b; secure", "__Host-b=c; secure; path=/"], safe),
        "__Secure-a=b; __Host-b=c"
    );
}

#[test]
fn a_hundred_thousand_cookies_leave_a_small_jar() {
    let (cookies, page) = (Cookies::default(), url("http://a.example/"));
    let set: Vec<String> = (0..100_000).map(|n| format!("name{n}={}", "x".repeat(n % 5_000))).collect();
    cookies.store(&page.site(), &page, set.iter().map(String::as_bytes), NOW);
    assert!(cookies.lock().bytes < 20_000);
    let header = cookies.header(&page.site(), &page, NOW).unwrap();
    assert!(header.len() < 17_000);
}

#[test]
fn sites_not_visited_for_longest_are_forgotten_first() {
    let cookies = Cookies::default();
    let page = |n: usize| url(&format!("http://a{n}.example/"));
    let set = |n: usize| cookies.store(&page(n).site(), &page(n), [b"a=b".as_slice()].into_iter(), NOW);
    (0..10).for_each(set);
    assert!(cookies.header(&page(0).site(), &page(0), NOW).is_some(), "used again");
    let half = cookies.lock().bytes / 2;
    cookies.lock().forget_down_to(half);
    assert!(cookies.header(&page(0).site(), &page(0), NOW).is_some());
    assert!(cookies.header(&page(1).site(), &page(1), NOW).is_none());
    assert!(cookies.header(&page(9).site(), &page(9), NOW).is_some());
    assert!(cookies.lock().bytes <= half);
}

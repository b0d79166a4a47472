//! The report as a table in plain words, at most 100 columns wide.

use std::fmt::Write as _;

use crate::audit::report::{Busy, Facts, Law, NOT_JUDGED_HERE, Report};
use crate::settings::Promises;

const WIDTH: usize = 100;
const OFFENDERS_SHOWN: usize = 8;

pub(super) fn table(report: &Report) -> String {
    let mut out = String::new();
    let facts = &report.facts;
    line(
        &mut out,
        &format!(
            "{}: {} requests to {} hosts of {} sites in {:.1} s",
            verdict(report.innocent),
            facts.requests,
            facts.hosts_asked,
            facts.sites_asked,
            facts.duration_ms / 1e3
        ),
    );
    line(&mut out, "");
    laws(&mut out, report);
    line(&mut out, "");
    fact_lines(&mut out, facts);
    for (name, law) in report.laws.all() {
        offenders(&mut out, name, law);
    }
    out
}

fn verdict(innocent: bool) -> &'static str {
    if innocent { "INNOCENT" } else { "CONVICTED" }
}

/// One line, cut at the width.
fn line(out: &mut String, text: &str) {
    out.push_str(&clip(text, WIDTH));
    out.push('\n');
}

fn clip(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(width - 3).collect();
    cut.push_str("...");
    cut
}

fn row(out: &mut String, cells: [&str; 4]) {
    let [law, promised, seen, verdict] = cells;
    line(out, &format!("{law:<4} {:<48} {:<30} {verdict}", clip(promised, 48), clip(seen, 30)));
}

fn laws(out: &mut String, report: &Report) {
    row(out, ["law", "promised", "seen", "verdict"]);
    let given = &report.promises;
    let all = report.laws.all();
    let promised = [polite(given), robots(given), repeats(given), loss(given)];
    for ((name, law), promised) in all.into_iter().zip(promised) {
        let verdict = if law.judged { verdict(law.violations == 0) } else { "not judged" };
        row(out, [name, &promised, &seen(law), verdict]);
    }
    for (name, why) in NOT_JUDGED_HERE {
        row(out, [name, why, "", "not judged here"]);
    }
}

fn polite(promises: &Promises) -> String {
    let Promises { site_delay_ms, site_connections, .. } = promises;
    let mut text = format!("a site rests {site_delay_ms} ms, {site_connections} at once");
    if promises.address_delay_ms > 0 || promises.address_connections > 0 {
        let (delay, at_once) = (promises.address_delay_ms, promises.address_connections);
        text = format!("site {site_delay_ms} ms, {site_connections} at once; address {delay} ms, {at_once}");
    }
    text
}

fn robots(promises: &Promises) -> String {
    format!("robots.txt first, nothing it denies to {}", promises.robots_token)
}

fn repeats(promises: &Promises) -> String {
    match promises.crashes {
        0 => "nothing is asked again after a final answer".to_owned(),
        crashes => format!("nothing is asked again but {crashes} times (crashes)"),
    }
}

fn loss(promises: &Promises) -> String {
    let mut text = "all that is reachable is asked".to_owned();
    if let Some(depth) = promises.max_depth {
        _ = write!(text, ", to depth {depth}");
    }
    if let Some(pages) = promises.max_pages_per_site {
        _ = write!(text, ", {pages} a site");
    }
    text
}

fn seen(law: &Law) -> String {
    match (law.judged, law.violations) {
        (false, _) => "-".to_owned(),
        (true, 0) => "kept".to_owned(),
        (true, _) => {
            let rules: Vec<String> =
                law.by_rule.iter().map(|(rule, count)| format!("{count} {rule}")).collect();
            rules.join(", ")
        }
    }
}

fn fact_lines(out: &mut String, facts: &Facts) {
    let outcomes: Vec<String> =
        facts.outcomes.iter().map(|(name, count)| format!("{name}: {count}")).collect();
    wrap(out, "answers", &outcomes);
    let lines = [
        (
            "requests",
            format!(
                "{} pages, {} robots.txt, {} sitemaps, {} refused, {} HEAD; {} distinct",
                facts.page_requests,
                facts.robots_requests,
                facts.sitemap_requests,
                facts.refused_connections,
                facts.head_requests,
                facts.distinct_targets
            ),
        ),
        (
            "off the way",
            format!(
                "{} strays, {} in traps, {} aliases; {} expected",
                facts.strays, facts.trap_requests, facts.alias_requests, facts.expected
            ),
        ),
        (
            "volume",
            format!(
                "{:.1} MB, {:.1} requests/s, {} connections, {:.1} requests each",
                facts.bytes as f64 / 1e6,
                facts.requests_per_second,
                facts.connections,
                facts.requests_per_connection
            ),
        ),
        (
            "site gaps",
            format!(
                "tightest {}, p50 {}, p95 {}; {} at once, {} connections open",
                ms(facts.tightest_gap_ms),
                ms(facts.gap_p50_ms),
                ms(facts.gap_p95_ms),
                facts.most_at_once,
                facts.most_connections
            ),
        ),
    ];
    for (name, text) in lines {
        line(out, &format!("{name:<12} {text}"));
    }
    busy(out, "busiest sites", &facts.busiest_sites);
    busy(out, "most pressed addresses", &facts.pressed_addresses);
}

/// As many items on a line as fit.
fn wrap(out: &mut String, name: &str, items: &[String]) {
    let mut text = format!("{name:<12} ");
    for item in items {
        if text.len() + item.len() + 2 > WIDTH {
            line(out, text.trim_end());
            text = format!("{:<13}", "");
        }
        _ = write!(text, "{item}  ");
    }
    line(out, text.trim_end());
}

fn ms(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1} ms"))
}

fn busy(out: &mut String, title: &str, list: &[Busy]) {
    if list.is_empty() {
        return;
    }
    line(out, "");
    line(out, &format!("{title:<50} {:>10} {:>16} {:>10}", "requests", "tightest gap", "at once"));
    for one in list.iter().take(5) {
        let gap = ms(one.tightest_gap_ms);
        let name = clip(&one.name, 48);
        line(out, &format!("  {name:<48} {:>10} {gap:>16} {:>10}", one.requests, one.most_at_once));
    }
}

fn offenders(out: &mut String, name: &str, law: &Law) {
    if law.worst.is_empty() {
        return;
    }
    line(out, "");
    let plural = if law.violations == 1 { "" } else { "s" };
    line(out, &format!("{name}: {} violation{plural}; the worst:", law.violations));
    for offender in law.worst.iter().take(OFFENDERS_SHOWN) {
        line(out, &format!("  at {:>9.3} s  {}", offender.at_ms / 1e3, offender.sentence));
        for url in &offender.urls {
            if !offender.sentence.contains(url.as_str()) {
                line(out, &format!("                  {url}"));
            }
        }
    }
}

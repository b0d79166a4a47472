//! Thousands of connections to servers that say nothing: what one of them costs.

use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::asking::{fetcher, patient, task, visit, with};
use crate::server::Server;

/// A connection that waits for its answer may cost so many bytes, those of the kernel apart.
const MOST: usize = 40 * 1024;
const CROWD: usize = 1_000;

#[test]
fn a_connection_that_waits_costs_little() {
    let server = Server::plain(|mut line| async move { line.hold().await });
    // In a process of its own, so that the server's half is not counted.
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crowd::child_that_is_weighed", "--ignored", "--nocapture"])
        .env("HELIOS_CROWD_PORT", server.port.to_string())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success(), "{said}{}", String::from_utf8_lossy(&child.stderr));
    println!("{said}");
}

#[test]
#[ignore = "runs alone, started by the test above"]
#[allow(clippy::disallowed_methods, reason = "how a process that is started is told what to do")]
fn child_that_is_weighed() {
    let Some(before) = resident() else { return }; // Only Linux tells.
    let port = std::env::var("HELIOS_CROWD_PORT").unwrap();
    let crowd = std::env::var("HELIOS_CROWD").map_or(CROWD, |text| text.parse().unwrap());
    let changes =
        json!({"concurrency": crowd, "first_byte_timeout_ms": 600_000, "total_timeout_ms": 600_000});
    let fetcher = fetcher(&with(patient(), "fetch", changes));
    let urls = (0..crowd as u64).map(|n| (n, format!("http://127.0.0.1:{port}/{n}")));
    fetcher.submit(urls.map(|(n, url)| visit(n, vec![task(&url)])).collect());
    let sockets = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    while sockets() < crowd {
        let done = fetcher.completed(Duration::from_millis(10), Duration::ZERO, 1).unwrap();
        assert!(done.is_empty(), "{done:?}");
    }
    let each = (resident().unwrap() - before) / crowd;
    println!("{crowd} connections, {each} bytes each");
    assert!(each < MOST, "{each} bytes each");
    fetcher.close();
}

fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split(' ').nth(1)?.parse::<usize>().ok()? * 4_096)
}

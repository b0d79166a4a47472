//! What a process uses.

/// What this process used so far, as Linux counts it; zero elsewhere.
pub(crate) struct Usage {
    pub(crate) cpu_s: f64,
    pub(crate) disk: u64,
}

impl Usage {
    pub(crate) fn now() -> Self {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let ticks = stat.split(' ').skip(13).take(2).filter_map(|text| text.parse::<f64>().ok()).sum::<f64>();
        Self { cpu_s: ticks / 100.0, disk: field("/proc/self/io", "write_bytes:") }
    }
}

pub(crate) fn memory() -> String {
    let mib = |name| field("/proc/self/status", name) / 1024;
    format!("memory {} MiB, at most {} MiB", mib("VmRSS:"), mib("VmHWM:"))
}

fn field(path: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

//! Servers that nobody here wrote: nginx, Caddy and nghttpd, over plain HTTP/1.1, HTTP/1.1 in TLS, and HTTP/2 by ALPN.
//!
//! Each serves the same folder: hundreds of small pages, an empty one and one of 10 MB, all in one visit. `running` starts and
//! ends them, `asked` compares what comes with what is on disk. Without the program a test says so and is passed over.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must stop")]
#![allow(dead_code, reason = "the hostile suite needs more of these modules")]

mod asked;
#[path = "../hostile/asking.rs"]
mod asking;
#[path = "../hostile/authority.rs"]
mod authority;
#[path = "../hostile/line.rs"]
mod line;
mod running;
#[path = "../hostile/server.rs"]
mod server;

use std::fs;
use std::path::Path;
use std::process::Command;

use asked::{as_it_is, misses_what_is_not_there, packed, serves_its_files};
use running::{Running, Site, found, free_port};

/// Debian puts it here, when its package is installed.
const NGINX_BROTLI: &str = "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so";

/// As many requests on one connection as a visit has.
const KEPT: &str = "keepalive_requests 10000;";

struct Nginx {
    plain: u16,
    secure: u16,
    http2: u16,
    _running: Running,
}

fn nginx(site: &Site, extra: &str) -> Option<Nginx> {
    let program = found("nginx")?;
    let (plain, secure, http2) = (free_port(), free_port(), free_port());
    let folder = site.folder.display();
    let module =
        if extra.contains("brotli") { format!("load_module {NGINX_BROTLI};") } else { String::new() };
    let places: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {folder}/{kind};"))
        .concat();
    let config = format!(
        "daemon off; master_process off; pid {folder}/pid; error_log stderr; {module}
        events {{ worker_connections 64; }}
        http {{
            {places} {extra}
            types {{ text/html html; }}
            log_format short '$server_protocol $connection $uri'; access_log {folder}/access.log short;
            ssl_certificate certificate.pem; ssl_certificate_key key.pem; root {folder}/files;
            server {{ listen 127.0.0.1:{plain}; }}
            server {{ listen 127.0.0.1:{secure} ssl; }}
            server {{ listen 127.0.0.1:{http2} ssl http2; }}
        }}"
    );
    fs::write(site.folder.join("nginx.conf"), config).unwrap();
    let mut command = Command::new(program);
    command.args(["-p", site.folder.to_str().unwrap(), "-c", "nginx.conf", "-e", "stderr"]);
    Some(Nginx { plain, secure, http2, _running: Running::start(&mut command, site, http2) })
}

/// How many connections the server of these protocols saw.
fn connections(site: &Site, protocol: &str, requests: usize) -> usize {
    let of = |log: &str| log.lines().filter(|line| line.starts_with(protocol)).count();
    let log = site.log(|log| of(log) >= requests);
    assert_eq!(of(&log), requests, "{protocol}");
    let mut seen: Vec<_> = log
        .lines()
        .filter(|line| line.starts_with(protocol))
        .filter_map(|line| line.split(' ').nth(1))
        .collect();
    seen.sort_unstable();
    seen.dedup();
    seen.len()
}

/// The files of one visit.
const REQUESTS: usize = running::PAGES + 2;

#[test]
fn nginx_plain() {
    let site = Site::new();
    let Some(nginx) = nginx(&site, KEPT) else { return };
    as_it_is(serves_its_files(&site, &format!("http://127.0.0.1:{}", nginx.plain)));
    assert_eq!(connections(&site, "HTTP/1.1", REQUESTS), 1, "the connection is kept");
}

#[test]
fn nginx_tls() {
    let site = Site::new();
    let Some(nginx) = nginx(&site, &format!("gzip on; {KEPT}")) else { return };
    let at = format!("https://127.0.0.1:{}", nginx.secure);
    packed(serves_its_files(&site, &at));
    assert_eq!(connections(&site, "HTTP/1.1", REQUESTS), 1, "the connection is kept");
    misses_what_is_not_there(&site, &at);
}

#[test]
fn nginx_http2() {
    let site = Site::new();
    let Some(nginx) = nginx(&site, &format!("gzip on; {KEPT}")) else { return };
    let at = format!("https://127.0.0.1:{}", nginx.http2);
    packed(serves_its_files(&site, &at));
    assert_eq!(connections(&site, "HTTP/2.0", REQUESTS), 1, "the connection is kept");
    misses_what_is_not_there(&site, &at);
}

#[test]
fn nginx_closes_after_a_few_requests() {
    // Ordinary servers end a connection after some requests (GOAWAY in HTTP/2): a new one goes on.
    let site = Site::new();
    let Some(nginx) = nginx(&site, "keepalive_requests 10;") else { return };
    as_it_is(serves_its_files(&site, &format!("http://127.0.0.1:{}", nginx.plain)));
    as_it_is(serves_its_files(&site, &format!("https://127.0.0.1:{}", nginx.http2)));
}

#[test]
fn nginx_brotli() {
    if !Path::new(NGINX_BROTLI).exists() {
        println!("skipped: nginx has no brotli here");
        return;
    }
    let site = Site::new();
    for file in fs::read_dir(site.folder.join("files")).unwrap() {
        let path = file.unwrap().path();
        let mut out = fs::File::create(format!("{}.br", path.display())).unwrap();
        let bytes = fs::read(&path).unwrap();
        brotli::BrotliCompress(
            &mut bytes.as_slice(),
            &mut out,
            &brotli::enc::BrotliEncoderParams { quality: 2, ..Default::default() },
        )
        .unwrap();
    }
    let Some(nginx) = nginx(&site, &format!("brotli_static on; {KEPT}")) else { return };
    packed(serves_its_files(&site, &format!("http://127.0.0.1:{}", nginx.plain)));
}

/// Caddy with one coding, plain and in TLS.
fn caddy(site: &Site, coding: &str) -> Option<(u16, u16, Running)> {
    let program = found("caddy")?;
    let (plain, secure) = (free_port(), free_port());
    let site_block = format!(
        "root * {0}/files\nfile_server\nlog {{\noutput file {0}/access.log\n}}\nencode {{\n{coding}\nminimum_length 256\n}}",
        site.folder.display()
    );
    let config = format!(
        "{{\nadmin off\nauto_https off\npersist_config off\nservers {{\nprotocols h1 h2\n}}\n}}
        http://127.0.0.1:{plain} {{\n{site_block}\n}}
        https://127.0.0.1:{secure} {{\ntls {} {}\n{site_block}\n}}\n",
        site.path("certificate.pem"),
        site.path("key.pem"),
    );
    fs::write(site.folder.join("Caddyfile"), config).unwrap();
    let mut command = Command::new(program);
    command.args(["run", "--config", "Caddyfile", "--adapter", "caddyfile"]);
    Some((plain, secure, Running::start(&mut command, site, secure)))
}

#[test]
fn caddy_gzip_plain() {
    let site = Site::new();
    let Some((plain, _, _running)) = caddy(&site, "gzip") else { return };
    packed(serves_its_files(&site, &format!("http://127.0.0.1:{plain}")));
    assert!(site.log(|log| log.contains("HTTP/1.1")).contains("HTTP/1.1"));
}

#[test]
fn caddy_zstd_http2() {
    let site = Site::new();
    let Some((_, secure, _running)) = caddy(&site, "zstd") else { return };
    let at = format!("https://127.0.0.1:{secure}");
    packed(serves_its_files(&site, &at));
    let log = site.log(|log| log.contains("HTTP/2.0"));
    assert!(log.contains("HTTP/2.0") && log.contains("zstd"));
    misses_what_is_not_there(&site, &at);
}

#[test]
fn nghttpd_http2() {
    let site = Site::new();
    let Some(program) = found("nghttpd") else { return };
    let port = free_port();
    let mut command = Command::new(program);
    command.args(["--address=127.0.0.1", "-d", &site.path("files"), &port.to_string()]);
    command.args([site.path("key.pem"), site.path("certificate.pem")]);
    let _running = Running::start(&mut command, &site, port);
    let at = format!("https://127.0.0.1:{port}");
    as_it_is(serves_its_files(&site, &at));
    misses_what_is_not_there(&site, &at);
}

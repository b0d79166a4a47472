//! CPU per request of the clients that Helios is compared with: `fetch raw|reqwest CA_FILE REQUESTS URL...`; one number (µs) a line.
//!
//! A URL is one of `http_server`'s; it tells the body's length, whether it is compressed and whether connections are kept. 64
//! requests are in flight on one thread. Kept connections are open before the clock starts. `raw` is the limit: epoll and what must be
//! done with the bytes, nothing else. `benches/fetch.py` runs it.

use std::sync::Arc;

use decisions::cpu_seconds;
use decisions::raw::{self, Load};
use rustls::RootCertStore;
use rustls::pki_types::{CertificateDer, pem::PemObject};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [client, file, requests, urls @ ..] = words.as_slice() else {
        panic!("raw|reqwest CA REQUESTS URL...")
    };
    let provider = rustls::crypto::ring::default_provider();
    provider.install_default().expect("the first one");
    let requests = requests.parse().expect("a number");
    for url in urls {
        let load = Load::new(url, requests);
        let cpu = match client.as_str() {
            "raw" => over_epoll(&load, file),
            "reqwest" => over_reqwest(&load, file),
            other => panic!("no such client: {other}"),
        };
        println!("{:.2}", cpu * 1e6 / (load.turns * raw::CONNECTIONS) as f64);
    }
}

fn over_epoll(load: &Load, file: &str) -> f64 {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(file).expect("a certificate")).expect("a root");
    let config = rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    raw::run(load, &Arc::new(config))
}

fn over_reqwest(load: &Load, file: &str) -> f64 {
    let root = reqwest::Certificate::from_pem(&std::fs::read(file).expect("a file")).expect("a certificate");
    let client = reqwest::Client::builder().no_proxy().http1_only().tcp_nodelay(true).tls_certs_only([root]);
    let client = client.build().expect("client");
    let rt = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runtime");
    // The first turn opens the connections.
    rt.block_on(turns_of_reqwest(&client, load, 1));
    let before = cpu_seconds();
    rt.block_on(turns_of_reqwest(&client, load, load.turns));
    cpu_seconds() - before
}

async fn turns_of_reqwest(client: &reqwest::Client, load: &Load, turns: usize) {
    let one = |client: reqwest::Client, load: Load| async move {
        let mut body = Vec::new();
        for _ in 0..turns {
            let mut reply = client.get(&load.url).send().await.expect("reply");
            body.clear();
            while let Some(data) = reply.chunk().await.expect("chunk") {
                body.extend_from_slice(&data);
            }
            assert_eq!(body.len(), load.body);
        }
    };
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..raw::CONNECTIONS {
        tasks.spawn(one(client.clone(), load.clone()));
    }
    tasks.join_all().await;
}

//! Whom we trust: the system's certificate authorities and those of the settings.

use std::path::Path;
use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

use crate::error::{Error, Result};

/// One configuration for all connections: it carries the session cache that makes resumption work.
pub(super) fn client_config(extra_ca: Option<&Path>) -> Result<Arc<ClientConfig>> {
    let mut roots = RootCertStore::empty();
    // A machine without system certificates can still crawl plain http; https then fails with a clear outcome.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(path) = extra_ca {
        add_file(&mut roots, path)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Fetch(format!("cannot set up TLS: {error}")))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn add_file(roots: &mut RootCertStore, path: &Path) -> Result<()> {
    let refuse = |why: String| Error::Settings(format!("fetch.extra_ca: {}: {why}", path.display()));
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| refuse(error.to_string()))?;
    let before = roots.len();
    for certificate in certificates {
        let certificate = certificate.map_err(|error| refuse(error.to_string()))?;
        roots.add(certificate).map_err(|error| refuse(error.to_string()))?;
    }
    if roots.len() == before {
        return Err(refuse("there is no certificate in it (a PEM file is wanted)".to_owned()));
    }
    Ok(())
}

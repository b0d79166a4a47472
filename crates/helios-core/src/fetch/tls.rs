//! Whom we trust: the system's certificate authorities and those of the settings; and what it means when we do not.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::client::Resumption;
use rustls::{CertificateError, ClientConfig, Error as TlsError, RootCertStore};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;

use super::{FetchSettings, Outcome, gullible};
use crate::error::{Error, Result};

/// Sites whose sessions can be resumed. Each may take some 10 KiB, so that few visits need few.
fn sessions(concurrency: usize) -> usize {
    concurrency.clamp(256, 2_048)
}

/// One configuration for all connections: it carries the session cache that makes resumption work. TLS 1.2 and 1.3.
pub(super) fn client_config(settings: &FetchSettings) -> Result<Arc<ClientConfig>> {
    let mut roots = RootCertStore::empty();
    // A machine without system certificates can still crawl plain http; https then fails with a clear outcome.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(path) = settings.extra_ca.as_deref() {
        add_file(&mut roots, path)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Fetch(format!("cannot set up TLS: {error}")))?;
    let mut config = if settings.verify_tls {
        builder.with_root_certificates(roots).with_no_client_auth()
    } else {
        builder
            .dangerous()
            .with_custom_certificate_verifier(gullible::verifier(&provider))
            .with_no_client_auth()
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config.resumption = Resumption::in_memory_sessions(sessions(settings.concurrency));
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

/// A handshake that failed.
pub(super) fn explain(error: &io::Error) -> Outcome {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<TlsError>());
    match inner {
        Some(TlsError::InvalidCertificate(why)) => Outcome::Untrusted(certificate(why)),
        Some(TlsError::NoCertificatesPresented) => Outcome::Untrusted("there is none".to_owned()),
        Some(other) => Outcome::Unreachable(format!("TLS: {other}")),
        None => Outcome::Unreachable(format!("in the TLS handshake: {error}")),
    }
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "a list of what people meet; rustls says the rest in its own words"
)]
fn certificate(why: &CertificateError) -> String {
    match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "not valid yet".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is for another name".to_owned()
        }
        CertificateError::UnknownIssuer => "self-signed, or of an unknown issuer".to_owned(),
        CertificateError::Revoked => "revoked".to_owned(),
        other => other.to_string(),
    }
}

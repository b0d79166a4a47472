//! The web's own certificate authority: one CA, one leaf key, a leaf certificate for each name when it is first asked for.
//!
//! Always: certificates exist only for hosts of this web and for the loopback names, so that the cache is bounded by the web.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose};
use rustls::pki_types::PrivateKeyDer;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::{CertifiedKey, SigningKey};
use rustls::{ServerConfig, crypto::ring};

use crate::web::Web;

/// Names of the machine itself, for the admin pages.
const LOCAL: &str = "localhost";

/// A certificate authority.
pub(super) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    leaf_key: KeyPair,
    signing_key: Arc<dyn SigningKey>,
    leaves: Mutex<HashMap<String, Arc<CertifiedKey>>>,
}

impl Authority {
    pub(super) fn new() -> Result<Self, String> {
        Self::make().map_err(|error| error.to_string())
    }

    fn make() -> Result<Self, Box<dyn std::error::Error>> {
        let mut ca = CertificateParams::new(Vec::new())?;
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        ca.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        ca.distinguished_name.push(DnType::CommonName, "synthetic web (for tests on this machine only)");
        let issuer = CertifiedIssuer::self_signed(ca, KeyPair::generate()?)?;
        let leaf_key = KeyPair::generate()?;
        let der = PrivateKeyDer::try_from(leaf_key.serialize_der())?;
        let signing_key = ring::sign::any_supported_type(&der)?;
        Ok(Self { issuer, leaf_key, signing_key, leaves: Mutex::default() })
    }

    /// The certificate that a client must trust.
    pub(super) fn ca_pem(&self) -> String {
        self.issuer.as_ref().pem()
    }

    fn leaf(&self, name: &str) -> Option<Arc<CertifiedKey>> {
        let mut leaves = self.leaves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(leaf) = leaves.get(name) {
            return Some(Arc::clone(leaf));
        }
        let mut names = vec![name.to_owned()];
        if name == LOCAL {
            names.push("127.0.0.1".to_owned());
        }
        let mut params = CertificateParams::new(names).ok()?;
        params.distinguished_name.push(DnType::CommonName, name);
        params.use_authority_key_identifier_extension = true;
        let certificate = params.signed_by(&self.leaf_key, &self.issuer).ok()?;
        let chain = vec![certificate.der().clone()];
        let leaf = Arc::new(CertifiedKey::new(chain, Arc::clone(&self.signing_key)));
        leaves.insert(name.to_owned(), Arc::clone(&leaf));
        Some(leaf)
    }
}

/// Picks the certificate by the name that the client says (SNI); without a name it is that of the machine itself.
struct Leaves<F> {
    authority: Arc<Authority>,
    known: F,
}

impl<F> std::fmt::Debug for Leaves<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Leaves")
    }
}

impl<F: Fn(&str) -> bool + Send + Sync> ResolvesServerCert for Leaves<F> {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let name = hello.server_name().unwrap_or(LOCAL).to_ascii_lowercase();
        if name != LOCAL && !(self.known)(&name) {
            return None;
        }
        self.authority.leaf(&name)
    }
}

/// TLS 1.2 and 1.3, with HTTP/2 preferred.
pub(super) fn config(authority: Arc<Authority>, web: Arc<Web>) -> Result<ServerConfig, String> {
    let known = move |name: &str| web.host_named(name).is_some();
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(Leaves { authority, known }));
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

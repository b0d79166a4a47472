//! Certificates of every kind, signed by an authority that the fetcher trusts, or by none.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, SupportedProtocolVersion, crypto::ring};
use serde_json::{Value, json};

use crate::asking::with;

const BOTH: &[&SupportedProtocolVersion] = &[&rustls::version::TLS12, &rustls::version::TLS13];

pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    /// Its certificate as a file; gone with it.
    file: PathBuf,
}

impl Drop for Authority {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.file));
    }
}

/// What a certificate says, if not what it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaf {
    Good,
    Expired,
    NotYetValid,
    WrongName,
    SelfSigned,
}

impl Authority {
    pub(crate) fn new() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        params
            .distinguished_name
            .push(DnType::CommonName, format!("authority {number} of the hostile suite"));
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let name = format!("helios-hostile-{}-{}.pem", std::process::id(), number);
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, issuer.as_ref().pem()).unwrap();
        Self { issuer, file }
    }

    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        self.issuer.as_ref().der().clone()
    }

    /// These settings, with this authority trusted.
    pub(crate) fn trusted(&self, settings: Value) -> Value {
        with(settings, "fetch", json!({"extra_ca": self.file}))
    }

    /// For 127.0.0.1 and localhost, with these protocols to choose from.
    pub(crate) fn config(&self, leaf: Leaf, protocols: &[&str]) -> ServerConfig {
        self.config_of(leaf, protocols, BOTH)
    }

    pub(crate) fn config_of(
        &self,
        leaf: Leaf,
        protocols: &[&str],
        versions: &[&'static SupportedProtocolVersion],
    ) -> ServerConfig {
        let (chain, key) = self.leaf(leaf);
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(versions)
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        config
    }

    pub(crate) fn leaf(&self, leaf: Leaf) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        let (certificate, key) = self.signed(leaf);
        (vec![certificate.der().clone()], PrivateKeyDer::try_from(key.serialize_der()).unwrap())
    }

    pub(crate) fn signed(&self, leaf: Leaf) -> (Certificate, KeyPair) {
        let names =
            if leaf == Leaf::WrongName { &["somebody.else.test"][..] } else { &["127.0.0.1", "localhost"] };
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        match leaf {
            Leaf::Expired => {
                (params.not_before, params.not_after) =
                    (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1));
            }
            Leaf::NotYetValid => {
                (params.not_before, params.not_after) =
                    (date_time_ymd(3001, 1, 1), date_time_ymd(3002, 1, 1));
            }
            Leaf::Good | Leaf::WrongName | Leaf::SelfSigned => {}
        }
        let key = KeyPair::generate().unwrap();
        let certificate = if leaf == Leaf::SelfSigned {
            params.self_signed(&key).unwrap()
        } else {
            params.signed_by(&key, &self.issuer).unwrap()
        };
        (certificate, key)
    }
}

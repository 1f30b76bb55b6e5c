//! The cryptography of TLS: ring's, except for P-256, which comes from the crate `p256`.
//!
//! ring's P-256 has a table of 0.15 MB that does not compress, a twentieth of the zip. Whatever names it links it, so the
//! lists below are written out and do not start from rustls's own.

use std::sync::Arc;

use rustls::{
    Error, SignatureScheme, SupportedCipherSuite,
    crypto::{
        CryptoProvider, GetRandomFailed, KeyProvider, SecureRandom, WebPkiSupportedAlgorithms,
        ring::{
            cipher_suite::{
                TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
                TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, TLS13_AES_128_GCM_SHA256,
                TLS13_AES_256_GCM_SHA384,
            },
            kx_group,
        },
    },
    pki_types::PrivateKeyDer,
    sign::SigningKey,
};
use webpki::ring::{
    ECDSA_P384_SHA256, ECDSA_P384_SHA384, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA256_ABSENT_PARAMS,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA384_ABSENT_PARAMS, RSA_PKCS1_2048_8192_SHA512,
    RSA_PKCS1_2048_8192_SHA512_ABSENT_PARAMS, RSA_PSS_2048_8192_SHA256_LEGACY_KEY, RSA_PSS_2048_8192_SHA384_LEGACY_KEY,
    RSA_PSS_2048_8192_SHA512_LEGACY_KEY,
};

use super::p256::{P256_SHA256, P256_SHA384, SECP256R1};

pub fn provider() -> CryptoProvider {
    CryptoProvider {
        cipher_suites: CIPHER_SUITES.to_vec(),
        kx_groups: vec![kx_group::X25519, SECP256R1, kx_group::SECP384R1],
        signature_verification_algorithms: SIGNATURES,
        secure_random: &Client,
        key_provider: &Client,
    }
}

/// Rustls's in its order, without ChaCha20. Every server of TLS 1.3 must have AES-GCM (RFC 8446, section 9.1), and all
/// processors of Lambda have instructions for it. ChaCha20 is 13 kB of the zip.
const CIPHER_SUITES: [SupportedCipherSuite; 6] = [
    TLS13_AES_256_GCM_SHA384,
    TLS13_AES_128_GCM_SHA256,
    TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
    TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
    TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
];

/// The order is rustls's. No public authority signs with Ed25519 (Baseline Requirements of the CA/Browser Forum, 7.1.3).
const SIGNATURES: WebPkiSupportedAlgorithms = WebPkiSupportedAlgorithms {
    all: &[
        P256_SHA256,
        P256_SHA384,
        ECDSA_P384_SHA256,
        ECDSA_P384_SHA384,
        RSA_PSS_2048_8192_SHA256_LEGACY_KEY,
        RSA_PSS_2048_8192_SHA384_LEGACY_KEY,
        RSA_PSS_2048_8192_SHA512_LEGACY_KEY,
        RSA_PKCS1_2048_8192_SHA256,
        RSA_PKCS1_2048_8192_SHA384,
        RSA_PKCS1_2048_8192_SHA512,
        RSA_PKCS1_2048_8192_SHA256_ABSENT_PARAMS,
        RSA_PKCS1_2048_8192_SHA384_ABSENT_PARAMS,
        RSA_PKCS1_2048_8192_SHA512_ABSENT_PARAMS,
    ],
    // TLS 1.3 fixes the curve of a scheme and takes the first; TLS 1.2 takes any.
    mapping: &[
        (SignatureScheme::ECDSA_NISTP384_SHA384, &[ECDSA_P384_SHA384, P256_SHA384]),
        (SignatureScheme::ECDSA_NISTP256_SHA256, &[P256_SHA256, ECDSA_P384_SHA256]),
        (SignatureScheme::RSA_PSS_SHA512, &[RSA_PSS_2048_8192_SHA512_LEGACY_KEY]),
        (SignatureScheme::RSA_PSS_SHA384, &[RSA_PSS_2048_8192_SHA384_LEGACY_KEY]),
        (SignatureScheme::RSA_PSS_SHA256, &[RSA_PSS_2048_8192_SHA256_LEGACY_KEY]),
        (SignatureScheme::RSA_PKCS1_SHA512, &[RSA_PKCS1_2048_8192_SHA512]),
        (SignatureScheme::RSA_PKCS1_SHA384, &[RSA_PKCS1_2048_8192_SHA384]),
        (SignatureScheme::RSA_PKCS1_SHA256, &[RSA_PKCS1_2048_8192_SHA256]),
    ],
};

/// In place of what rustls has with ring, which links ring's P-256 to load private keys.
#[derive(Debug)]
struct Client;

impl SecureRandom for Client {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), GetRandomFailed> {
        getrandom::fill(buffer).map_err(|_| GetRandomFailed)
    }
}

impl KeyProvider for Client {
    fn load_private_key(&self, _: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        Err(Error::General("this client has no key of its own".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use rustls::crypto::ring;

    use super::*;

    #[test]
    fn it_can_do_what_rustls_can_do_with_ring_but_for_chacha20_and_ed25519() {
        let names = |provider: CryptoProvider| {
            let signatures = provider.signature_verification_algorithms;
            let known: Vec<_> =
                signatures.all.iter().map(|known| (known.public_key_alg_id(), known.signature_alg_id())).collect();
            let schemes: Vec<_> = signatures
                .mapping
                .iter()
                .map(|(scheme, known)| {
                    (*scheme, known.iter().map(|known| known.public_key_alg_id()).collect::<Vec<_>>())
                })
                .collect();
            let groups: Vec<_> = provider.kx_groups.iter().map(|group| group.name()).collect();
            (provider.cipher_suites, groups, known, schemes)
        };
        let mut known = ring::default_provider();
        known.cipher_suites.retain(|suite| !format!("{:?}", suite.suite()).contains("CHACHA20"));
        let mut known = names(known);
        let ed25519 = webpki::ring::ED25519;
        known.2.retain(|(key, _)| *key != ed25519.public_key_alg_id());
        known.3.retain(|(scheme, _)| *scheme != SignatureScheme::ED25519);
        assert_eq!(names(provider()), known);
    }
}

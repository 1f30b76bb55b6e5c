//! P-256 for TLS: signatures of certificates and handshakes, and the key exchange.

use p256::{
    PublicKey,
    ecdh::EphemeralSecret,
    ecdsa::{Signature, VerifyingKey, signature::hazmat::PrehashVerifier},
    elliptic_curve::{Generate, sec1::ToSec1Point},
};
use ring::digest;
use rustls::{
    Error, NamedGroup, PeerMisbehaved,
    crypto::{ActiveKeyExchange, GetRandomFailed, SharedSecret, SupportedKxGroup},
    ffdhe_groups::FfdheGroup,
    pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm, alg_id},
};

pub static P256_SHA256: &dyn SignatureVerificationAlgorithm =
    &Ecdsa { id: alg_id::ECDSA_SHA256, hash: &digest::SHA256 };
pub static P256_SHA384: &dyn SignatureVerificationAlgorithm =
    &Ecdsa { id: alg_id::ECDSA_SHA384, hash: &digest::SHA384 };
pub static SECP256R1: &dyn SupportedKxGroup = &Group;

#[derive(Debug)]
struct Ecdsa {
    id: AlgorithmIdentifier,
    hash: &'static digest::Algorithm,
}

impl SignatureVerificationAlgorithm for Ecdsa {
    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        alg_id::ECDSA_P256
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.id
    }

    fn verify_signature(&self, key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), InvalidSignature> {
        let key = VerifyingKey::from_sec1_bytes(key).map_err(|_| InvalidSignature)?;
        let signature = Signature::from_der(signature).map_err(|_| InvalidSignature)?;
        let hash = digest::digest(self.hash, message);
        key.verify_prehash(hash.as_ref(), &signature).map_err(|_| InvalidSignature)
    }
}

#[derive(Debug)]
struct Group;

impl SupportedKxGroup for Group {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let secret = EphemeralSecret::try_generate().map_err(|_| GetRandomFailed)?;
        let share = secret.public_key().to_uncompressed_point();
        Ok(Box::new(Exchange { secret, share: share.to_vec() }))
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::secp256r1
    }
}

struct Exchange {
    secret: EphemeralSecret,
    share: Vec<u8>,
}

impl ActiveKeyExchange for Exchange {
    fn complete(self: Box<Self>, peer: &[u8]) -> Result<SharedSecret, Error> {
        const UNCOMPRESSED: u8 = 4;
        // TLS 1.3 forbids other forms (RFC 8446, 4.2.8.2), and this client offers no other for TLS 1.2.
        let point = peer.strip_prefix(&[UNCOMPRESSED]).and_then(|_| PublicKey::from_sec1_bytes(peer).ok());
        let peer = point.ok_or(PeerMisbehaved::InvalidKeyShare)?;
        Ok(SharedSecret::from(&self.secret.diffie_hellman(&peer).raw_secret_bytes()[..]))
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::secp256r1
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::{SigningKey, signature::hazmat::PrehashSigner};
    use rstest::rstest;
    use rustls::crypto::ring::kx_group;
    use webpki::ring::{ECDSA_P256_SHA256, ECDSA_P256_SHA384};

    use super::*;

    #[rstest]
    #[case(P256_SHA256, ECDSA_P256_SHA256, &digest::SHA256)]
    #[case(P256_SHA384, ECDSA_P256_SHA384, &digest::SHA384)]
    fn the_signature_of_this_message_by_this_key_is_right_as_for_ring(
        #[case] ours: &dyn SignatureVerificationAlgorithm,
        #[case] rings: &dyn SignatureVerificationAlgorithm,
        #[case] hash: &'static digest::Algorithm,
    ) {
        let (signing, other) = (SigningKey::generate(), SigningKey::generate());
        let signature: Signature = signing.sign_prehash(digest::digest(hash, b"hello").as_ref()).expect("a signature");
        let signature = signature.to_der();
        let key = |signing: &SigningKey| signing.verifying_key().to_sec1_point(false).as_bytes().to_vec();
        let (key, other, signature) = (key(&signing), key(&other), signature.as_bytes());
        let changed = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            *bytes.last_mut().expect("a byte") ^= 1;
            bytes
        };
        let is_right = |key: &[u8], message: &[u8], signature: &[u8]| {
            [ours, rings].map(|algorithm| algorithm.verify_signature(key, message, signature).is_ok())
        };
        let found = [
            is_right(&key, b"hello", signature),
            is_right(&key, b"hallo", signature),
            is_right(&key, b"hello", &changed(signature)),
            is_right(&key, b"hello", &signature[..signature.len() - 1]),
            is_right(&key, b"hello", &[]),
            is_right(&other, b"hello", signature),
            // Not on the curve.
            is_right(&changed(&key), b"hello", signature),
            is_right(&[], b"hello", signature),
        ];
        let wrong = [false; 2];
        assert_eq!(found, [[true; 2], wrong, wrong, wrong, wrong, wrong, wrong, wrong]);
    }

    #[test]
    fn both_sides_get_one_secret() {
        let (ours, rings) = (start(SECP256R1), start(kx_group::SECP256R1));
        let (our_share, their_share) = (ours.pub_key().to_vec(), rings.pub_key().to_vec());
        let (ours, theirs) = (ours.complete(&their_share), rings.complete(&our_share));
        assert_eq!(ours.expect("a secret").secret_bytes(), theirs.expect("a secret").secret_bytes());
    }

    #[test]
    fn a_share_that_is_no_uncompressed_point_of_the_curve_is_refused() {
        let share = start(kx_group::SECP256R1).pub_key().to_vec();
        let compressed = [&[2 + (share[64] & 1)], &share[1..33]].concat();
        let mut not_on_the_curve = share.clone();
        not_on_the_curve[64] ^= 1;
        for share in [&compressed[..], &not_on_the_curve, &share[..64], &[4], &[0], &[]] {
            let error = start(SECP256R1).complete(share).err();
            assert_eq!(error, Some(PeerMisbehaved::InvalidKeyShare.into()), "{share:02x?}");
        }
    }

    fn start(group: &dyn SupportedKxGroup) -> Box<dyn ActiveKeyExchange> {
        group.start().expect("a key")
    }
}

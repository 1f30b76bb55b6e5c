//! Hashes for approval and for recognising repeated content: SHA-256 of canonical JSON (RFC 8785).

use std::fmt;

use ring::digest::{Digest, SHA256};
use serde::{Deserialize, Serialize};

/// The hash of exactly what was shown. People approve by it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(extend("pattern" = "^[0-9a-f]{64}$")))]
#[serde(transparent)]
pub struct Fingerprint(pub String);

/// The hash of a chunk's content, which is also its key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChunkId(String);

/// 32 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "local", derive(schemars::JsonSchema), schemars(extend("pattern" = "^[0-9a-f]{32}$")))]
#[serde(transparent)]
pub struct ProposalId(String);

impl Fingerprint {
    /// Integers are exact in the canonical form up to 2⁵³. Amounts are limited to that where they are parsed.
    pub fn of(claim: &impl Serialize) -> Fingerprint {
        Fingerprint(hex::encode(digest(claim).as_ref()))
    }
}

impl ChunkId {
    pub fn of(chunk: &impl Serialize) -> ChunkId {
        ChunkId(hex::encode(digest(chunk).as_ref()))
    }

    /// None if the text cannot be the id of a chunk.
    pub fn parse(text: &str) -> Option<ChunkId> {
        (text.len() == 64 && is_hexadecimal(text)).then(|| ChunkId(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ProposalId {
    /// The same parts give the same id, so a repeated message finds the proposal it made.
    pub fn derived(parts: &[&str]) -> ProposalId {
        ProposalId(hex::encode(&digest(&parts).as_ref()[..16]))
    }

    pub fn random(nonce: [u8; 16]) -> ProposalId {
        ProposalId(hex::encode(nonce))
    }

    /// None if the text cannot be the id of a proposal.
    pub fn parse(text: &str) -> Option<ProposalId> {
        (text.len() == 32 && is_hexadecimal(text)).then(|| ProposalId(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A short hash that can be part of a key.
pub fn hash_text(text: &str) -> String {
    hex::encode(&ring::digest::digest(&SHA256, text.as_bytes()).as_ref()[..16])
}

/// Equal for equal JSON, whatever the order of its keys and the form of its numbers (`200`, `200.0`).
pub fn hash_json(value: &impl Serialize) -> String {
    hex::encode(&digest(value).as_ref()[..16])
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for ProposalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_hexadecimal(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn digest(value: &impl Serialize) -> Digest {
    let json = serde_json_canonicalizer::to_vec(value).expect("change sets and JSON values always serialise");
    ring::digest::digest(&SHA256, &json)
}

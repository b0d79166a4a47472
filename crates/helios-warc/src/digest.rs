//! Digests in the notation that archive tools expect: `sha1:` in base 32, `sha256:` in hexadecimal digits.

use sha1::Digest as _;

use crate::{Answer, http, many};

/// Which digests records carry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// What every tool and every existing index has.
    #[default]
    Sha1,
    Sha256,
}

/// The digest of a block or a payload.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Digest {
    Sha1([u8; 20]),
    Sha256([u8; 32]),
}

/// What the record of an answer tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digests {
    /// Of the body: by this an [`crate::Original`] is found.
    pub payload: Digest,
    /// Of head and body.
    pub(crate) block: Digest,
}

impl Digests {
    /// The more at once, the faster.
    pub fn of(algorithm: Algorithm, answers: &[Answer<'_>]) -> Vec<Self> {
        let heads: Vec<_> =
            answers.iter().map(|answer| http::answer(answer.head, answer.status, answer.protocol)).collect();
        let mut all: Vec<[&[u8]; 2]> = Vec::with_capacity(2 * answers.len());
        for (head, answer) in heads.iter().zip(answers) {
            all.extend([[&[], answer.body], [head, answer.body]]);
        }
        let mut digests = Digest::of_all(algorithm, &all).into_iter();
        std::iter::from_fn(|| Some(Self { payload: digests.next()?, block: digests.next()? })).collect()
    }
}

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

impl Digest {
    pub fn of(algorithm: Algorithm, parts: &[&[u8]]) -> Self {
        match algorithm {
            Algorithm::Sha1 => {
                let mut hash = sha1::Sha1::new();
                for part in parts {
                    hash.update(part);
                }
                Self::Sha1(hash.finalize().into())
            }
            Algorithm::Sha256 => {
                let mut hash = sha2::Sha256::new();
                for part in parts {
                    hash.update(part);
                }
                Self::Sha256(hash.finalize().into())
            }
        }
    }

    fn of_all(algorithm: Algorithm, all: &[[&[u8]; 2]]) -> Vec<Self> {
        match algorithm {
            Algorithm::Sha1 => many::sha1_of_all(all).into_iter().map(Self::Sha1).collect(),
            Algorithm::Sha256 => all.iter().map(|parts| Self::of(algorithm, parts)).collect(),
        }
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sha1(bytes) => write!(out, "sha1:{}", base32(bytes)),
            Self::Sha256(bytes) => {
                out.write_str("sha256:")?;
                bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
            }
        }
    }
}

/// RFC 4648 §6. Twenty bytes are four groups of five: no padding.
fn base32(bytes: &[u8; 20]) -> String {
    let group = |five: &[u8]| {
        let bits = five.iter().fold(0_u64, |bits, &byte| bits << 8 | u64::from(byte));
        (0..8).rev().map(move |at| (bits >> (5 * at) & 31) as usize)
    };
    bytes
        .chunks(5)
        .flat_map(group)
        .filter_map(|value| BASE32.get(value))
        .map(|&letter| char::from(letter))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_other_tools() {
        // The empty payload, as warcio and the Wayback Machine write it.
        assert_eq!(Digest::of(Algorithm::Sha1, &[]).to_string(), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(
            Digest::of(Algorithm::Sha256, &[b"a", b"bc"]).to_string(),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}

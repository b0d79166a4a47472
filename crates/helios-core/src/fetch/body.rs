//! Bodies: read from the wire and decoded, both under limits.

use std::io::Read;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::{FetchSettings, Outcome};

/// A body shorter than this is never called a bomb, whatever its ratio.
const BOMB_FLOOR: u64 = 1 << 20;

/// Reads a body to its end, or says why not.
pub(super) async fn read(mut body: Incoming, limit: u64) -> Result<Bytes, Outcome> {
    let mut whole = BytesMut::new();
    let mut single: Option<Bytes> = None;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Outcome::Broken(broken(&error)))?;
        let Ok(chunk) = frame.into_data() else { continue };
        let seen = (whole.len() + single.as_ref().map_or(0, Bytes::len) + chunk.len()) as u64;
        if seen > limit {
            return Err(Outcome::TooLarge { limit });
        }
        // Many bodies come as one chunk: keep it as it is.
        if whole.is_empty() && single.is_none() {
            single = Some(chunk);
        } else {
            if let Some(first) = single.take() {
                whole.extend_from_slice(&first);
            }
            whole.extend_from_slice(&chunk);
        }
    }
    Ok(single.unwrap_or_else(|| whole.freeze()))
}

/// Undoes the content codings (RFC 9110 §8.4), last applied first.
pub(super) fn decode(wire: Bytes, codings: &str, settings: &FetchSettings) -> Result<Bytes, Outcome> {
    // Servers name a coding on empty answers, too; no decoder takes nothing for something.
    if wire.is_empty() {
        return Ok(wire);
    }
    let limit = settings.max_body_bytes.min((wire.len() as u64 * settings.max_ratio).max(BOMB_FLOOR));
    let mut body = wire;
    for coding in codings.split(',').map(str::trim).rev() {
        body = match coding.to_ascii_lowercase().as_str() {
            "" | "identity" => body,
            "gzip" | "x-gzip" => drain(flate2::read::MultiGzDecoder::new(body.as_ref()), limit, coding)?,
            "deflate" => inflate(&body, limit)?,
            "br" => drain(brotli::Decompressor::new(body.as_ref(), 16 * 1024), limit, coding)?,
            "zstd" => match zstd::stream::read::Decoder::with_buffer(body.as_ref()) {
                Ok(decoder) => drain(decoder, limit, coding)?,
                Err(error) => return Err(Outcome::Broken(format!("zstd: {error}"))),
            },
            other => return Err(Outcome::Broken(format!("unknown content coding {other:?}"))),
        };
    }
    Ok(body)
}

/// "deflate" means zlib by the standard and raw deflate on many servers.
fn inflate(body: &Bytes, limit: u64) -> Result<Bytes, Outcome> {
    let as_zlib = drain(flate2::read::ZlibDecoder::new(body.as_ref()), limit, "deflate");
    if matches!(as_zlib, Err(Outcome::Broken(_))) {
        return drain(flate2::read::DeflateDecoder::new(body.as_ref()), limit, "deflate");
    }
    as_zlib
}

fn drain(decoder: impl Read, limit: u64, coding: &str) -> Result<Bytes, Outcome> {
    let mut out = Vec::new();
    let read = decoder.take(limit + 1).read_to_end(&mut out);
    if out.len() as u64 > limit {
        return Err(Outcome::TooLarge { limit });
    }
    read.map_err(|error| Outcome::Broken(format!("{coding}: {error}")))?;
    Ok(Bytes::from(out))
}

fn broken(error: &hyper::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), |source| format!("{error}: {source}"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn settings() -> FetchSettings {
        let json = r#"{"user_agent":"t","concurrency":1,"threads":1,"connect_timeout_ms":1,"first_byte_timeout_ms":1,
            "total_timeout_ms":1,"max_body_bytes":4000000,"max_ratio":100,"allow":[],"extra_ca":null}"#;
        serde_json::from_str(json).unwrap()
    }

    fn packed(coding: &str, text: &[u8]) -> Bytes {
        let mut out = Vec::new();
        match coding {
            "gzip" => {
                flate2::write::GzEncoder::new(&mut out, flate2::Compression::fast()).write_all(text).unwrap()
            }
            "deflate" => flate2::write::ZlibEncoder::new(&mut out, flate2::Compression::fast())
                .write_all(text)
                .unwrap(),
            "raw" => flate2::write::DeflateEncoder::new(&mut out, flate2::Compression::fast())
                .write_all(text)
                .unwrap(),
            "br" => brotli::CompressorWriter::new(&mut out, 4096, 1, 20).write_all(text).unwrap(),
            "zstd" => out = zstd::encode_all(text, 1).unwrap(),
            _ => out.extend(text),
        }
        Bytes::from(out)
    }

    #[test]
    fn every_coding_is_undone_and_an_empty_body_is_empty_in_each() {
        for (coding, header) in [
            ("gzip", "gzip"),
            ("gzip", "x-gzip"),
            ("deflate", "Deflate"),
            ("raw", "deflate"),
            ("br", "br"),
            ("zstd", "zstd"),
        ] {
            assert_eq!(decode(packed(coding, b"hello"), header, &settings()).unwrap(), "hello", "{header}");
            assert_eq!(decode(Bytes::new(), header, &settings()).unwrap(), "", "empty {header}");
        }
        let twice = packed("br", &packed("gzip", b"hello"));
        assert_eq!(decode(twice, "gzip, br", &settings()).unwrap(), "hello");
    }

    #[test]
    fn bombs_cut_off_bodies_and_unknown_codings_are_refused() {
        for coding in ["gzip", "deflate", "br", "zstd"] {
            let bomb = packed(coding, &vec![0; 3_000_000]);
            assert!(
                matches!(decode(bomb.clone(), coding, &settings()), Err(Outcome::TooLarge { .. })),
                "{coding}"
            );
            let cut = bomb.slice(..bomb.len() / 2);
            assert!(decode(cut, coding, &settings()).is_err(), "{coding}");
        }
        assert!(matches!(decode(Bytes::from_static(b"x"), "rot13", &settings()), Err(Outcome::Broken(_))));
    }
}

//! Bodies: read from the wire and decoded, both under limits.

use std::io::Read;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::{FetchSettings, Outcome};

/// A body shorter than this is never called a bomb, whatever its ratio.
const BOMB_FLOOR: u64 = 1 << 20;

/// More codings on one body than this are an attack, not a wish.
const MOST_CODINGS: usize = 3;

/// What to do with a body that is longer than its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overlong {
    Refuse,
    /// Its beginning will do (robots.txt, RFC 9309 §2.5).
    Cut,
}

/// Reads a body to its end or to its limit, or says why not; also whether the end was reached.
pub(super) async fn read(
    mut body: Incoming,
    limit: u64,
    overlong: Overlong,
) -> Result<(Bytes, bool), Outcome> {
    let mut whole = BytesMut::new();
    let mut single: Option<Bytes> = None;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Outcome::Broken(broken(&error)))?;
        let Ok(chunk) = frame.into_data() else { continue };
        let seen = (whole.len() + single.as_ref().map_or(0, Bytes::len) + chunk.len()) as u64;
        if seen > limit && overlong == Overlong::Refuse {
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
        if seen > limit {
            return Ok((single.unwrap_or_else(|| whole.freeze()), false));
        }
    }
    Ok((single.unwrap_or_else(|| whole.freeze()), true))
}

/// How much may come out of a decoder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    bytes: u64,
    overlong: Overlong,
}

impl Limits {
    /// For a page: by size, and by ratio to what was on the wire.
    pub(super) fn of_page(wire: &Bytes, settings: &FetchSettings) -> Self {
        let by_ratio = (wire.len() as u64 * settings.max_ratio).max(BOMB_FLOOR);
        Self { bytes: settings.max_body_bytes.min(by_ratio), overlong: Overlong::Refuse }
    }

    /// For a body whose beginning will do.
    pub(super) fn cut(bytes: u64) -> Self {
        Self { bytes, overlong: Overlong::Cut }
    }
}

/// Undoes the content codings (RFC 9110 §8.4), last applied first.
pub(super) fn decode(wire: Bytes, codings: &str, limits: &Limits) -> Result<Bytes, Outcome> {
    // Servers name a coding on empty answers, too; no decoder takes nothing for something.
    if wire.is_empty() {
        return Ok(wire);
    }
    let codings: Vec<&str> = codings.split(',').map(str::trim).collect();
    if codings.len() > MOST_CODINGS {
        return Err(Outcome::Broken(format!("{} content codings on one body", codings.len())));
    }
    let mut body = wire;
    for coding in codings.into_iter().rev() {
        body = match coding.to_ascii_lowercase().as_str() {
            "" | "identity" => body,
            "gzip" | "x-gzip" => drain(flate2::read::MultiGzDecoder::new(body.as_ref()), limits, coding)?,
            "deflate" => inflate(&body, limits)?,
            "br" => drain(brotli::Decompressor::new(body.as_ref(), 16 * 1024), limits, coding)?,
            "zstd" => match zstd::stream::read::Decoder::with_buffer(body.as_ref()) {
                Ok(decoder) => drain(decoder, limits, coding)?,
                Err(error) => return Err(Outcome::Broken(format!("zstd: {error}"))),
            },
            other => return Err(Outcome::Broken(format!("unknown content coding {other:?}"))),
        };
    }
    Ok(body)
}

/// "deflate" means zlib by the standard and raw deflate on many servers.
fn inflate(body: &Bytes, limits: &Limits) -> Result<Bytes, Outcome> {
    let as_zlib = drain(flate2::read::ZlibDecoder::new(body.as_ref()), limits, "deflate");
    if matches!(as_zlib, Err(Outcome::Broken(_))) {
        return drain(flate2::read::DeflateDecoder::new(body.as_ref()), limits, "deflate");
    }
    as_zlib
}

fn drain(decoder: impl Read, limits: &Limits, coding: &str) -> Result<Bytes, Outcome> {
    let mut out = Vec::new();
    let read = decoder.take(limits.bytes + 1).read_to_end(&mut out);
    let cut = limits.overlong == Overlong::Cut;
    if out.len() as u64 > limits.bytes && !cut {
        return Err(Outcome::TooLarge { limit: limits.bytes });
    }
    match read {
        // The end of a body that was cut cannot be right.
        Err(error) if !cut => Err(Outcome::Broken(format!("{coding}: {error}"))),
        _ => Ok(Bytes::from(out)),
    }
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
                flate2::write::GzEncoder::new(&mut out, flate2::Compression::fast()).write_all(text).unwrap();
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

    fn page(wire: Bytes, codings: &str) -> Result<Bytes, Outcome> {
        let limits = Limits::of_page(&wire, &settings());
        decode(wire, codings, &limits)
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
            assert_eq!(page(packed(coding, b"hello"), header).unwrap(), "hello", "{header}");
            assert_eq!(page(Bytes::new(), header).unwrap(), "", "empty {header}");
        }
        let twice = packed("br", &packed("gzip", b"hello"));
        assert_eq!(page(twice, "gzip, br").unwrap(), "hello");
    }

    #[test]
    fn bombs_cut_off_bodies_and_unknown_codings_are_refused() {
        for coding in ["gzip", "deflate", "br", "zstd"] {
            let bomb = packed(coding, &vec![0; 3_000_000]);
            assert!(matches!(page(bomb.clone(), coding), Err(Outcome::TooLarge { .. })), "{coding}");
            let cut = bomb.slice(..bomb.len() / 2);
            assert!(page(cut.clone(), coding).is_err(), "{coding}");
            let beginning = decode(cut, coding, &Limits::cut(1_000)).unwrap();
            assert!(
                (1..=1_001).contains(&beginning.len()),
                "{coding}: the beginning of a robots.txt will do"
            );
        }
        assert!(matches!(page(Bytes::from_static(b"x"), "gzip, gzip, gzip, gzip"), Err(Outcome::Broken(_))));
        assert!(matches!(page(Bytes::from_static(b"x"), "rot13"), Err(Outcome::Broken(_))));
    }
}

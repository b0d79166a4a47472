//! Files that are not HTML: small, with the right first bytes.

use bytes::Bytes;

use crate::chance::{Chance, positive};
use crate::reply::HostId;
use crate::web::{FileKind, Spot, Web};

/// Body and type of a file.
pub(crate) fn body(web: &Web, host: HostId, kind: FileKind, chance: Chance) -> (Bytes, &'static str) {
    let size = positive(chance.log_normal(20_000.0, 0.8)).min(500_000) as usize;
    match kind {
        FileKind::Pdf => {
            (padded(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", chance, size, b"\n%%EOF\n"), "application/pdf")
        }
        FileKind::Png => {
            (padded(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", chance, size, b"\0\0\0\0IEND\xaeB`\x82"), "image/png")
        }
        FileKind::Zip => {
            (padded(b"PK\x03\x04\x14\0\0\0\x08\0", chance, size, b"PK\x05\x06"), "application/zip")
        }
        FileKind::Json => (json(chance).into(), "application/json"),
        FileKind::Text => {
            (web.voice(host).phrase(chance.bits()).as_bytes().repeat(20).into(), "text/plain; charset=utf-8")
        }
        FileKind::Feed => (feed(web, host, chance).into(), "application/rss+xml; charset=utf-8"),
    }
}

fn padded(head: &[u8], chance: Chance, size: usize, tail: &[u8]) -> Bytes {
    let mut out = Vec::with_capacity(size + 64);
    out.extend_from_slice(head);
    let mut index = 0;
    while out.len() < size {
        out.extend_from_slice(&chance.at(index).bits().to_le_bytes());
        index += 1;
    }
    out.extend_from_slice(tail);
    out.into()
}

fn json(chance: Chance) -> String {
    let rows: Vec<String> =
        (0..40).map(|i| format!("{{\"id\":{i},\"value\":{}}}", chance.at(i).bits() % 1_000)).collect();
    format!("[{}]", rows.join(","))
}

/// A feed of pages that the tree of links holds, too.
fn feed(web: &Web, host: HostId, chance: Chance) -> Vec<u8> {
    let (plan, voice) = (web.plan(host), web.voice(host));
    let mut out =
        b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel><title>Feed</title>\n"
            .to_vec();
    for index in 0..plan.trunk.min(10) {
        out.extend_from_slice(b"<item><title>");
        out.extend_from_slice(voice.phrase(chance.at(u64::from(index)).bits()).as_bytes());
        out.extend_from_slice(b"</title><link>");
        out.extend_from_slice(plan.origin.as_bytes());
        web.write_path(&mut out, plan, Spot::Page(index));
        out.extend_from_slice(b"</link></item>\n");
    }
    out.extend_from_slice(b"</channel></rss>\n");
    out
}

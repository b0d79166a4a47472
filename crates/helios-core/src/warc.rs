//! WARC: finished fetches in, records of an archive and their index out.
//!
//! Always: of an answer that came, a response (or a revisit, if its payload is in the archive already) and the request are written; pages that
//! forbid an archive are left out; the same batch gives the same bytes. `helios-warc` knows the format; here is what of a fetch goes into it,
//! and which payloads are known (`originals`).

mod originals;

use std::io::{self, Write};

pub use helios_warc::{Algorithm, IndexLine, Limits, Packing, ReadError, Reader, Record, Settings, surt};
use helios_warc::{Answer, Digests, Exchange, Original, Protocol, Truncated, Writer};

use crate::fetch::{Cut, Finished, HttpVersion, Kept, OutcomeKind};
use originals::Originals;

/// Less than this is not worth a reference.
const LEAST: usize = 512;
/// Bodies that a thread packs before they are written out, into room that it uses again: new memory would cost as much as filling it.
const SHARE_BYTES: usize = 2 << 20;
/// Room that a thread keeps for them, heads and other records included.
const ROOM_BYTES: usize = 2 * SHARE_BYTES;

/// Writes batches of one crawl.
pub struct Archivist {
    settings: Settings,
    /// None: every payload is written, also one that was written before.
    originals: Option<Originals>,
    /// One for each thread.
    writers: Vec<Writer<Vec<u8>>>,
}

/// What becomes one exchange of the archive.
struct Work<'a> {
    finished: &'a Finished,
    kept: &'a Kept,
    digests: Digests,
    /// The payload is in the archive already.
    original: Option<Original>,
}

impl Archivist {
    /// `originals`: payloads that are remembered; 0 writes all of them again.
    pub fn new(settings: Settings, originals: usize) -> io::Result<Self> {
        drop(Writer::new(io::sink(), settings)?); // a level that does not exist is said now
        Ok(Self {
            settings,
            originals: (originals > 0).then(|| Originals::new(originals)),
            writers: Vec::new(),
        })
    }

    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Writes what was kept of the batch; a line for each answer. `allowed`: as `done`, which may be archived.
    pub fn write(
        &mut self,
        done: &[Finished],
        allowed: &[bool],
        threads: usize,
        out: &mut impl Write,
    ) -> io::Result<Vec<IndexLine>> {
        let chosen: Vec<(&Finished, &Kept)> = chosen(done, allowed).collect();
        let algorithm = self.settings.algorithm;
        let digests = shared_out(&chosen, threads, |share| {
            let answers: Vec<_> = share.iter().map(|(finished, kept)| answer(finished, kept)).collect();
            Digests::of(algorithm, &answers)
        });
        let known = self.recognise(&chosen, &digests);
        let work: Vec<Work<'_>> = chosen
            .into_iter()
            .zip(digests)
            .zip(known)
            .map(|(((finished, kept), digests), original)| Work { finished, kept, digests, original })
            .collect();
        while self.writers.len() < threads.max(1) {
            self.writers.push(Writer::new(Vec::new(), self.settings)?);
        }
        let (mut lines, mut written) = (Vec::with_capacity(work.len()), 0);
        for round in shares(&work).chunks(threads.max(1)) {
            let packed = side_by_side(&mut self.writers, round);
            for (writer, of_share) in self.writers.iter().zip(packed) {
                out.write_all(writer.bytes())?;
                lines.extend(
                    of_share?.into_iter().map(|line| IndexLine { offset: line.offset + written, ..line }),
                );
                written += writer.written();
            }
        }
        Ok(lines)
    }

    /// One after the other: of two that are the same, the first is the original.
    fn recognise(&mut self, chosen: &[(&Finished, &Kept)], digests: &[Digests]) -> Vec<Option<Original>> {
        let Some(originals) = &mut self.originals else { return chosen.iter().map(|_| None).collect() };
        let one = |((finished, kept), digests): (&(&Finished, &Kept), &Digests)| {
            let is_worth_it = kept.body.len() >= LEAST && kept.cut.is_none();
            if !is_worth_it {
                return None;
            }
            let known = originals.find(&digests.payload).cloned();
            if known.is_none() {
                originals
                    .add(with_exchange(finished, kept, |exchange| exchange.as_original(&digests.payload)));
            }
            known
        };
        chosen.iter().zip(digests).map(one).collect()
    }
}

/// When the first exchange of a batch began; None if the archive gets nothing of it. Who begins a file dates it so.
pub fn first_of(done: &[Finished], allowed: &[bool]) -> Option<u64> {
    chosen(done, allowed).next().map(|(finished, _)| finished.started)
}

fn chosen<'a>(
    done: &'a [Finished],
    allowed: &'a [bool],
) -> impl Iterator<Item = (&'a Finished, &'a Kept)> + 'a {
    let both = done.iter().zip(allowed).filter(|(_, allowed)| **allowed);
    both.filter_map(|(finished, _)| Some((finished, finished.kept.as_deref()?)))
}

/// Parts of the work with about as many bytes as a thread has room for.
fn shares<'w, 'a>(work: &'w [Work<'a>]) -> Vec<&'w [Work<'a>]> {
    let (mut shares, mut start, mut bytes) = (Vec::new(), 0, 0);
    for (index, one) in work.iter().enumerate() {
        bytes += one.kept.body.len();
        if bytes >= SHARE_BYTES || index + 1 == work.len() {
            shares.extend(work.get(start..=index));
            (start, bytes) = (index + 1, 0);
        }
    }
    shares
}

/// Each share by one writer; the lines of each.
fn side_by_side(writers: &mut [Writer<Vec<u8>>], round: &[&[Work<'_>]]) -> Vec<io::Result<Vec<IndexLine>>> {
    let mut pairs = writers.iter_mut().zip(round);
    let Some((mine, share)) = pairs.next() else { return Vec::new() };
    std::thread::scope(|scope| {
        let others: Vec<_> = pairs.map(|(writer, share)| scope.spawn(move || pack(writer, share))).collect();
        let mut packed = vec![pack(mine, share)];
        packed.extend(
            others.into_iter().map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
        );
        packed
    })
}

fn pack(writer: &mut Writer<Vec<u8>>, share: &[Work<'_>]) -> io::Result<Vec<IndexLine>> {
    writer.clear(ROOM_BYTES);
    let exchange = |one: &Work<'_>| {
        with_exchange(one.finished, one.kept, |exchange| {
            writer.exchange(exchange, &one.digests, one.original.as_ref())
        })
    };
    share.iter().map(exchange).collect()
}

/// What an archive keeps of one fetch.
fn with_exchange<T>(finished: &Finished, kept: &Kept, act: impl FnOnce(&Exchange<'_>) -> T) -> T {
    let task = &finished.task;
    let url = task.permit.url();
    let mut notes = vec![
        ("fetchTimeMs", finished.finished.saturating_sub(finished.started).to_string()),
        ("fetchNumber", task.fetch_number.to_string()),
        ("outcome", finished.outcome.kind().name().to_owned()),
        ("depth", task.depth.to_string()),
    ];
    notes.extend(task.known.via.as_ref().map(|via| ("via", via.as_str().to_owned())));
    act(&Exchange {
        url: url.as_str(),
        page: u128::from_be_bytes(url.fingerprint().to_be_bytes()),
        fetch_number: task.fetch_number,
        at: finished.started,
        address: finished.address,
        request: &kept.request,
        answer: answer(finished, kept),
        notes: &notes,
    })
}

fn answer<'a>(finished: &Finished, kept: &'a Kept) -> Answer<'a> {
    Answer {
        status: kept.status,
        protocol: match kept.version {
            HttpVersion::Http10 => Protocol::Http10,
            HttpVersion::Http11 => Protocol::Http11,
            HttpVersion::Http2 => Protocol::Http2,
        },
        head: &kept.head,
        body: &kept.body,
        truncated: kept.cut.map(|cut| match cut {
            Cut::Length => Truncated::Length,
            Cut::Time => Truncated::Time,
            Cut::Disconnect => Truncated::Disconnect,
            Cut::Unwanted => Truncated::Unspecified,
        }),
        content_type: &kept.content_type,
        not_modified: finished.outcome.kind() == OutcomeKind::NotModified,
        is_coded: kept.is_coded,
    }
}

/// Does work in shares, one for each thread; the results are in the order of the work.
fn shared_out<T: Sync, R: Send>(work: &[T], threads: usize, act: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let share = work.len().div_ceil(threads.max(1)).max(1);
    if work.len() <= share {
        return act(work);
    }
    let act = &act;
    std::thread::scope(|scope| {
        let running: Vec<_> = work.chunks(share).map(|share| scope.spawn(move || act(share))).collect();
        let joined = running
            .into_iter()
            .map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect()
    })
}

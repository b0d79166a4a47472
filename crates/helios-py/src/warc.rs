//! warc: batches become files of records with their index, and files become records.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use helios_core::error::{Error, Result};
use helios_core::url::CanonicalUrl;
use helios_core::warc::{Archivist, first_of};
use helios_warc::{
    Algorithm, Answer, Digest, Digests, Exchange, IndexLine, Limits, Packing, Protocol, Reader, Record,
    Settings, Writer,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

use crate::enter::enter;
use crate::errors::{SettingsError, raise};
use crate::extract::Pages;

/// One answer that was not fetched by this process: URL, fetch number, milliseconds since 1970, status, head, body, notes.
type Told = (String, u32, u64, u16, PyBackedBytes, PyBackedBytes, Vec<(String, String)>);

/// What the first record of a file says: names and values.
type Fields = Vec<(String, String)>;

/// Answers whose digests are made at once: enough of them, and few enough that they are near when they are packed.
const TOGETHER: usize = 32;

/// Writes records.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct WarcWriter {
    inner: Mutex<Archivist>,
}

#[pymethods]
#[allow(clippy::needless_pass_by_value, reason = "what Python hands over")]
impl WarcWriter {
    #[new]
    #[pyo3(signature = (packing="gzip", level=1, digest="sha1", originals=0))]
    fn new(packing: &str, level: u8, digest: &str, originals: usize) -> PyResult<Self> {
        let packing = match packing {
            "gzip" => Packing::Gzip(level),
            "zstd" => Packing::Zstd(level),
            "plain" => Packing::Plain,
            other => return Err(SettingsError::new_err(format!("there is no packing {other:?}"))),
        };
        let algorithm = if digest == "sha256" { Algorithm::Sha256 } else { Algorithm::Sha1 };
        let archivist = Archivist::new(Settings { packing, algorithm }, originals)
            .map_err(|error| SettingsError::new_err(format!("warc: {error}")))?;
        Ok(Self { inner: Mutex::new(archivist) })
    }

    #[getter]
    fn suffix(&self) -> &'static str {
        self.settings().packing.suffix()
    }

    /// Writes the exchanges of a batch from byte `at` of a file on, durably, and ends the file there; where that is, and the lines of their
    /// index. At 0 the file is new and begins with `about`, dated as its first exchange. The file is not touched if there are none.
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        at: u64,
        about: Fields,
        pages: &Pages,
    ) -> PyResult<(u64, Vec<String>)> {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        let done = pages.done.get();
        enter(py, || {
            let mut archivist = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let (done, settings) = (done.finished(), archivist.settings());
            let first = first_of(&done, &pages.archive);
            let act = |out: &mut File| archivist.write(&done, &pages.archive, threads, out);
            Growing { path, at, settings }.add(first, &about, act)
        })
    }

    /// As `write`, of answers that somebody else kept.
    fn write_told(
        &self,
        py: Python<'_>,
        path: PathBuf,
        at: u64,
        about: Fields,
        told: Vec<Told>,
    ) -> PyResult<(u64, Vec<String>)> {
        let settings = self.settings();
        enter(py, || {
            Growing { path, at, settings }.add(told.first().map(|one| one.2), &about, |out| {
                let mut writer = Writer::new(BufWriter::with_capacity(1 << 20, out), settings)?;
                let lines = tell(&mut writer, &told, settings.algorithm)?;
                writer.into_inner().flush()?;
                Ok(lines)
            })
        })
    }

    /// As `write_told`, in memory.
    fn told<'py>(&self, py: Python<'py>, told: Vec<Told>) -> PyResult<Bound<'py, PyBytes>> {
        let settings = self.settings();
        let bytes = enter(py, || {
            let write = || {
                let mut writer = Writer::new(Vec::new(), settings)?;
                tell(&mut writer, &told, settings.algorithm)?;
                Ok(writer.into_inner())
            };
            write().map_err(|error: io::Error| Error::Storage(format!("warc: {error}")))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The first record of a file.
    fn warcinfo<'py>(
        &self,
        py: Python<'py>,
        file: &str,
        at: u64,
        about: Fields,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = warcinfo(self.settings(), file, at, &about)
            .map_err(|error| raise(Error::Storage(format!("warc: {error}"))))?;
        Ok(PyBytes::new(py, &bytes))
    }
}

impl WarcWriter {
    fn settings(&self) -> Settings {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).settings()
    }
}

fn warcinfo(settings: Settings, file: &str, at: u64, about: &Fields) -> io::Result<Vec<u8>> {
    let about: Vec<_> = about.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut writer = Writer::new(Vec::new(), settings)?;
    writer.warcinfo(file, at, &about)?;
    Ok(writer.into_inner())
}

fn tell<W: Write>(writer: &mut Writer<W>, told: &[Told], algorithm: Algorithm) -> io::Result<Vec<IndexLine>> {
    let mut lines = Vec::with_capacity(told.len());
    for some in told.chunks(TOGETHER) {
        let types: Vec<_> = some.iter().map(|one| header(&one.4, "content-type")).collect();
        let answers: Vec<_> = some.iter().zip(&types).map(|(one, kind)| answer(one, kind)).collect();
        let digests = Digests::of(algorithm, &answers);
        for ((one, answer), digests) in some.iter().zip(answers).zip(digests) {
            lines.push(tell_one(writer, one, answer, &digests)?);
        }
    }
    Ok(lines)
}

fn tell_one<W: Write>(
    writer: &mut Writer<W>,
    told: &Told,
    answer: Answer<'_>,
    digests: &Digests,
) -> io::Result<IndexLine> {
    let (url, fetch_number, at, _, _, _, notes) = told;
    let notes: Vec<_> = notes.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let exchange = Exchange {
        url,
        page: page_of(url),
        fetch_number: *fetch_number,
        at: *at,
        address: None,
        request: &[],
        answer,
        notes: &notes,
    };
    writer.exchange(&exchange, digests, None)
}

fn answer<'a>(told: &'a Told, content_type: &'a str) -> Answer<'a> {
    let (_, _, _, status, head, body, _) = told;
    Answer {
        status: *status,
        protocol: Protocol::Http11,
        head,
        body,
        truncated: None,
        content_type,
        not_modified: false,
        is_coded: !header(head, "content-encoding").is_empty(),
    }
}

/// What records of it are named by; what is no URL to us has a name, too.
fn page_of(url: &str) -> u128 {
    let print = CanonicalUrl::parse(url).map(|url| u128::from_be_bytes(url.fingerprint().to_be_bytes()));
    print.unwrap_or_else(|_| match Digest::of(Algorithm::Sha1, &[url.as_bytes()]) {
        Digest::Sha1(bytes) => bytes.iter().fold(0, |all, byte| all << 8 | u128::from(*byte)),
        Digest::Sha256(_) => 0,
    })
}

/// The last header of this name; empty if there is none.
fn header(head: &[u8], name: &str) -> String {
    let text = String::from_utf8_lossy(head);
    let own =
        text.lines().filter_map(|line| line.split_once(':')).rfind(|(own, _)| own.eq_ignore_ascii_case(name));
    own.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
}

/// A file that records are added to, from a byte on.
struct Growing {
    path: PathBuf,
    at: u64,
    settings: Settings,
}

impl Growing {
    /// Durable when it returns. `act` gets the file itself: what it writes is packed in large pieces already.
    fn add(
        &self,
        first: Option<u64>,
        about: &Fields,
        act: impl FnOnce(&mut File) -> io::Result<Vec<IndexLine>>,
    ) -> Result<(u64, Vec<String>)> {
        let Some(first) = first else { return Ok((self.at, Vec::new())) };
        let write = || {
            let name = self.path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
            let mut file = self.opened()?;
            if self.at == 0 {
                let second = first - first % 1000; // as its index has it
                file.write_all(&warcinfo(self.settings, &name, second, about)?)?;
            }
            let start = file.stream_position()?;
            let lines = act(&mut file)?;
            file.sync_data()?;
            Ok((file.stream_position()?, lines.iter().map(|line| line.text(&name, start)).collect()))
        };
        let said = |error: io::Error| format!("{} cannot be written: {error}", self.path.display());
        write().map_err(|error| Error::Storage(said(error)))
    }

    /// Where records are to go. What is there already was left by an attempt that failed.
    fn opened(&self) -> io::Result<File> {
        let mut file = File::options().create(true).truncate(false).write(true).open(&self.path)?;
        let length = file.metadata()?.len();
        if length < self.at {
            return Err(io::Error::other(format!("it has {length} bytes of {}", self.at)));
        }
        if length > self.at {
            file.set_len(self.at)?;
        }
        file.seek(SeekFrom::Start(self.at))?;
        Ok(file)
    }
}

/// Reads the records of a file, one after the other.
#[pyclass(frozen, module = "helios._core")]
pub(crate) struct WarcReader {
    path: PathBuf,
    inner: Mutex<Reader<BufReader<File>>>,
}

#[pymethods]
impl WarcReader {
    #[new]
    #[pyo3(signature = (path, max_block_bytes=67_108_864))]
    fn new(path: PathBuf, max_block_bytes: u64) -> PyResult<Self> {
        let file = File::open(&path)
            .map_err(|error| raise(Error::Storage(format!("{} cannot be read: {error}", path.display()))))?;
        let limits = Limits { block: max_block_bytes, ..Limits::default() };
        let inner = Mutex::new(Reader::new(BufReader::with_capacity(1 << 18, file), limits));
        Ok(Self { path, inner })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// A dict: offset, version, fields (a list of pairs), kind, block, head (of HTTP, or None), payload.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let next = enter(py, || {
            let record = self.inner.lock().unwrap_or_else(PoisonError::into_inner).next().transpose();
            record.map_err(|error| Error::Storage(format!("{}: {error}", self.path.display())))
        })?;
        next.map(|record| shown(py, &record)).transpose()
    }
}

fn shown<'py>(py: Python<'py>, record: &Record) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("offset", record.offset)?;
    dict.set_item("version", &record.version)?;
    dict.set_item("kind", record.kind())?;
    dict.set_item("fields", &record.fields)?;
    let (head, payload) = match record.http() {
        Some((head, payload)) => (Some(PyBytes::new(py, head)), payload),
        None => (None, record.block.as_slice()),
    };
    dict.set_item("head", head)?;
    dict.set_item("payload", PyBytes::new(py, payload))?;
    Ok(dict)
}

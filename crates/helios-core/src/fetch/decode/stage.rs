//! One coding each, and the line of them that a body passes.

use brotli::enc::StandardAlloc;
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, InBuffer, Operation, OutBuffer};

use super::Refusal;
use super::gzip::Gzip;
use super::ring::Rings;
use crate::fetch::rooms::Room;

/// Room that a stage has each time it is called, at least, unless its limit is nearer.
const STEP_BYTES: usize = 32 * 1024;
/// Most pages fit into a ring of this size, which then need not grow while they are decoded.
const RING_BYTES: u32 = 1 << 20;
/// RFC 9659: 8 MB, as in browsers. More is an attempt at our memory.
const ZSTD_WINDOW_LOG: u32 = 23;

#[derive(Debug, Clone, Copy)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    pub(super) fn named(name: &str) -> Result<Self, Refusal> {
        match name.to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => Ok(Self::Gzip),
            "deflate" => Ok(Self::Deflate),
            "br" => Ok(Self::Brotli),
            "zstd" => Ok(Self::Zstd),
            _ => Err(Refusal::Broken(format!("unknown content coding {name:?}"))),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }
}

pub(super) trait Stage: Send {
    /// Takes of `input` and writes to the beginning of `out`; how much it took. It stops when either is used up, so: no
    /// input left and room left means that nothing is pending. What it `made` counts before damage, too.
    fn step(&mut self, input: &[u8], out: &mut [u8], made: &mut usize) -> Result<usize, String>;

    /// What was taken so far is a whole body.
    fn is_whole(&self) -> bool;
}

/// A stage in its place, with what it made so far.
pub(super) struct Line {
    coding: Coding,
    stage: Box<dyn Stage>,
    made: u64,
    /// What goes on to the next stage.
    between: Room,
}

impl Line {
    pub(super) fn new(coding: Coding) -> Result<Self, Refusal> {
        let stage: Box<dyn Stage> = match coding {
            Coding::Gzip => Box::new(Gzip::new()),
            Coding::Deflate => Box::new(Deflate::Unknown),
            Coding::Brotli => Box::new(Brotli::new()),
            Coding::Zstd => Box::new(Zstd::new().map_err(|error| Refusal::Broken(format!("zstd: {error}")))?),
        };
        Ok(Self { coding, stage, made: 0, between: Room::default() })
    }

    pub(super) fn name(&self) -> &'static str {
        self.coding.name()
    }

    pub(super) fn is_whole(&self) -> bool {
        self.stage.is_whole()
    }

    /// One step, which makes no more than a byte above `allowed`: what is too long is told before what is damaged behind it, in however many
    /// steps it is decoded.
    fn step(&mut self, input: &[u8], out: &mut Room, allowed: u64) -> Result<Step, Stop> {
        out.reserve(STEP_BYTES);
        let most = usize::try_from(allowed.saturating_sub(self.made)).unwrap_or(usize::MAX);
        let room = out.spare(most.saturating_add(1));
        let (mut made, size) = (0, room.len());
        let taken = self.stage.step(input, room, &mut made);
        out.add(made);
        self.made += made as u64;
        if self.made > allowed {
            return Err(Stop::Over);
        }
        let taken = taken.map_err(|why| Stop::Broken(format!("{}: {why}", self.coding.name())))?;
        Ok(Step { taken, made, is_full: made == size })
    }
}

/// Why a line stopped.
pub(super) enum Stop {
    Over,
    Broken(String),
}

/// Sends `input` through all stages.
pub(super) fn pass(lines: &mut [Line], mut input: &[u8], out: &mut Room, allowed: u64) -> Result<(), Stop> {
    let Some((line, rest)) = lines.split_first_mut() else {
        out.extend(input);
        return Ok(());
    };
    loop {
        let mut between = std::mem::take(&mut line.between);
        let target = if rest.is_empty() { &mut *out } else { &mut between };
        let Step { taken, made, is_full } = line.step(input, target, allowed)?;
        if !rest.is_empty() {
            pass(rest, between.filled(), out, allowed)?;
            between.truncate(0);
            line.between = between;
        }
        input = input.get(taken..).unwrap_or_default();
        if (taken == 0 && made == 0) || (input.is_empty() && !is_full) {
            return Ok(());
        }
    }
}

struct Step {
    taken: usize,
    made: usize,
    /// It used all its room, so more may be pending.
    is_full: bool,
}

/// What it took, and whether the stream is at its end.
pub(super) fn inflate(
    inflater: &mut Decompress,
    input: &[u8],
    out: &mut [u8],
    made: &mut usize,
) -> Result<(usize, bool), String> {
    let (taken_before, made_before) = (inflater.total_in(), inflater.total_out());
    let done = inflater.decompress(input, out, FlushDecompress::None);
    *made = (inflater.total_out() - made_before) as usize;
    // Its own words for the same damage depend on the step in which it is met.
    let status = done.map_err(|_| "damaged".to_owned())?;
    Ok(((inflater.total_in() - taken_before) as usize, status == Status::StreamEnd))
}

/// "deflate" means zlib by the standard and raw deflate on many servers.
enum Deflate {
    Unknown,
    Inside(Decompress),
    Over,
}

impl Stage for Deflate {
    fn step(&mut self, input: &[u8], out: &mut [u8], made: &mut usize) -> Result<usize, String> {
        let Some(first) = input.first() else { return Ok(0) };
        if let Self::Unknown = self {
            // Raw deflate never begins like this: it would be a stored block with bits set in its padding.
            let is_zlib = first & 0x0F == 8 && first >> 4 <= 7;
            *self = Self::Inside(Decompress::new(is_zlib));
        }
        let Self::Inside(inflater) = self else { return Ok(input.len()) };
        let (taken, is_end) = inflate(inflater, input, out, made)?;
        if is_end {
            *self = Self::Over;
        }
        Ok(taken)
    }

    fn is_whole(&self) -> bool {
        matches!(self, Self::Over)
    }
}

struct Brotli {
    state: Box<BrotliState<Rings, StandardAlloc, StandardAlloc>>,
    is_over: bool,
}

impl Brotli {
    fn new() -> Self {
        let alloc = StandardAlloc::default;
        // Strict: no windows above 16 MB, which only a private extension has.
        let mut state = BrotliState::new_strict(Rings, alloc(), alloc());
        state.set_initial_ring_buffer_size(RING_BYTES);
        Self { state: Box::new(state), is_over: false }
    }
}

impl Stage for Brotli {
    fn step(&mut self, input: &[u8], out: &mut [u8], made: &mut usize) -> Result<usize, String> {
        if self.is_over {
            return Ok(input.len());
        }
        let (mut left, mut taken, mut room, mut total) = (input.len(), 0, out.len(), 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut taken,
            input,
            &mut room,
            made,
            out,
            &mut total,
            &mut self.state,
        );
        match result {
            BrotliResult::NeedsMoreOutput | BrotliResult::NeedsMoreInput => {}
            BrotliResult::ResultSuccess => self.is_over = true,
            BrotliResult::ResultFailure => return Err(format!("{:?}", self.state.error_code)),
        }
        Ok(taken)
    }

    fn is_whole(&self) -> bool {
        self.is_over
    }
}

struct Zstd {
    decoder: zstd::stream::raw::Decoder<'static>,
    is_between_frames: bool,
}

impl Zstd {
    fn new() -> std::io::Result<Self> {
        let mut decoder = zstd::stream::raw::Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG))?;
        Ok(Self { decoder, is_between_frames: false })
    }
}

impl Stage for Zstd {
    fn step(&mut self, input: &[u8], out: &mut [u8], made: &mut usize) -> Result<usize, String> {
        let mut source = InBuffer::around(input);
        let mut target = OutBuffer::around(out);
        let hint = self.decoder.run(&mut source, &mut target).map_err(|error| error.to_string())?;
        let taken = source.pos();
        *made = target.pos();
        // Asked with nothing, it speaks of the next frame.
        if taken > 0 || *made > 0 {
            self.is_between_frames = hint == 0;
        }
        Ok(taken)
    }

    fn is_whole(&self) -> bool {
        self.is_between_frames
    }
}

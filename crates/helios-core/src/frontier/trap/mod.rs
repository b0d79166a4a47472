//! Traps: URLs that a site can make without end. One URL in; fine, refused, or counted with others of its shape out.
//!
//! Always: nothing is dropped silently (whoever refuses has a [`Trap`] to count and to explain); looking at an ordinary URL
//! allocates nothing. The limits of what is refused outright lie far from anything that people write (no URL of 53,000 on 577
//! real pages comes near); what merely looks endless is a suspect, and is refused only after many of the same shape.
//!
//! `path` and `query` read the two halves of a URL, `dates` and `sessions` know what those look like, `shapes` counts, and
//! `duplicates` slows a site down that answers the same thing again and again, whatever its URLs look like.

mod dates;
mod duplicates;
mod path;
mod query;
mod sessions;
mod shapes;

pub use duplicates::Duplicates;
pub use shapes::Shapes;

use serde::{Deserialize, Serialize};

use crate::url::CanonicalUrl;
use path::Segments;
use query::Parameters;

/// From so many parameters on, trackers not counted, URLs of one path and the same names are counted.
const MANY_PARAMETERS: usize = 3;
/// Combinations of parameters get so many times the room of other suspects: some sites name all their pages by them.
const PARAMETER_ROOM: u32 = 10;

/// The `[traps]` table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrapSettings {
    /// Bytes of a URL.
    pub max_url_length: usize,
    /// Segments of a path.
    pub max_depth_of_path: usize,
    /// A path in which the same run of segments stands this often in a row (/a/b/a/b/a/b), or one segment more often than this
    /// anywhere, is a trap. Numbers do not count. At least 2.
    pub max_repeats: usize,
    /// Parameters of a query.
    pub max_parameters: usize,
    /// Suspects of the same shape that are accepted of one site.
    pub urls_per_shape: u32,
}

impl Default for TrapSettings {
    /// The links of 577 real pages have at most 1,000 bytes, 9 segments, 2 repeats and 13 parameters.
    fn default() -> Self {
        Self {
            max_url_length: 2_000,
            max_depth_of_path: 32,
            max_repeats: 3,
            max_parameters: 32,
            urls_per_shape: 1_000,
        }
    }
}

impl TrapSettings {
    /// How many suspects of one shape [`Shapes::admit`] should accept of one site.
    pub fn allowance(&self, trap: Trap) -> u32 {
        match trap {
            Trap::ParameterExplosion => self.urls_per_shape.saturating_mul(PARAMETER_ROOM),
            Trap::Calendar | Trap::SessionId => self.urls_per_shape,
            Trap::TooLong | Trap::TooDeepPath | Trap::RepeatingSegments | Trap::TooManyParameters => 0,
        }
    }
}

/// Why a URL looks endless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trap {
    TooLong,
    TooDeepPath,
    RepeatingSegments,
    TooManyParameters,
    Calendar,
    SessionId,
    ParameterExplosion,
}

impl Trap {
    pub const ALL: [Self; 7] = [
        Self::TooLong,
        Self::TooDeepPath,
        Self::RepeatingSegments,
        Self::TooManyParameters,
        Self::Calendar,
        Self::SessionId,
        Self::ParameterExplosion,
    ];

    /// In metrics and statistics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::TooDeepPath => "too_deep_path",
            Self::RepeatingSegments => "repeating_segments",
            Self::TooManyParameters => "too_many_parameters",
            Self::Calendar => "calendar",
            Self::SessionId => "session_id",
            Self::ParameterExplosion => "parameter_explosion",
        }
    }

    /// The rest of a sentence that begins with the URL.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::TooLong => "is longer than max_url_length",
            Self::TooDeepPath => "has more path segments than max_depth_of_path",
            Self::RepeatingSegments => {
                "repeats segments of its path more than max_repeats allows, as relative links gone wrong do"
            }
            Self::TooManyParameters => "has more parameters than max_parameters",
            Self::Calendar => {
                "is one of more dated pages of this kind on its site than urls_per_shape allows"
            }
            Self::SessionId => "carries a session id, as more URLs of its site do than urls_per_shape allows",
            Self::ParameterExplosion => {
                "is one of more combinations of the same parameters than ten times urls_per_shape"
            }
        }
    }
}

/// What a URL looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Fine,
    /// Refuse it.
    Trap(Trap),
    /// Accept it while its site has few URLs of this shape: ask [`Shapes::admit`].
    Suspect(Trap, u64),
}

/// Whether to refuse it, as [`look`] would say. It is asked of every link, and few are long or deep enough for any of it.
pub fn is_trap(url: &CanonicalUrl, settings: &TrapSettings) -> bool {
    let target = url.target().as_bytes();
    let count = |sign| memchr::memchr_iter(sign, target).count();
    let segments = count(b'/'); // at most
    let is_flat = segments < settings.max_repeats.max(2) && segments <= settings.max_depth_of_path;
    let has_few = target.len() < settings.max_parameters || count(b'&') < settings.max_parameters;
    let is_short = url.as_str().len() <= settings.max_url_length && has_few;
    !(is_flat && is_short) && matches!(look(url, settings), Look::Trap(_))
}

pub fn look(url: &CanonicalUrl, settings: &TrapSettings) -> Look {
    if url.as_str().len() > settings.max_url_length {
        return Look::Trap(Trap::TooLong);
    }
    let target = url.target();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let segments = Segments::of(path);
    let parameters = Parameters::of(query);
    if segments.count() > settings.max_depth_of_path {
        Look::Trap(Trap::TooDeepPath)
    } else if segments.repeat(settings.max_repeats.max(2)) {
        Look::Trap(Trap::RepeatingSegments)
    } else if parameters.count > settings.max_parameters {
        Look::Trap(Trap::TooManyParameters)
    } else {
        suspect(path, query, &segments, &parameters)
    }
}

fn suspect(path: &str, query: &str, segments: &Segments<'_>, parameters: &Parameters<'_>) -> Look {
    // One shape for a site's whole session: page by page, an endless supply of the same pages would be let in.
    if let Some(holder) = sessions::in_path(path, segments).or(parameters.session) {
        return Look::Suspect(Trap::SessionId, shapes::of_session(holder));
    }
    if let Some(date) = dates::in_path(segments).or(parameters.date) {
        // Apart, so that years which nobody lives in do not use up the room of those that hold pages.
        return Look::Suspect(Trap::Calendar, shapes::of_names(path, query, date.plausible));
    }
    if parameters.telling >= MANY_PARAMETERS {
        return Look::Suspect(Trap::ParameterExplosion, shapes::of_names(path, query, true));
    }
    Look::Fine
}

//! The names of parameters that say who came from where, and how they are found fast.

use super::Normalise;
use crate::random::{is_hex, is_random};

/// Who sent the visitor. No server makes another page of these; the owners of the names say so.
pub(super) const TRACKING: &[&str] = &[
    "utm_*",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "gad_source",
    "gad_campaignid",
    "_ga",
    "_gl",
    "srsltid",
    "fbclid",
    "fb_action_ids",
    "fb_action_types",
    "fb_source",
    "fb_ref",
    "igshid",
    "igsh",
    "msclkid",
    "twclid",
    "ttclid",
    "li_fat_id",
    "epik",
    "rdt_cid",
    "sc_cid",
    "yclid",
    "ysclid",
    "_openstat",
    "vero_id",
    "vero_conv",
    "mc_cid",
    "mc_eid",
    "_hsenc",
    "_hsmi",
    "__hssc",
    "__hstc",
    "__hsfp",
    "hsctatracking",
    "mkt_tok",
    "pk_campaign",
    "pk_kwd",
    "pk_source",
    "pk_medium",
    "pk_content",
    "piwik_*",
    "mtm_*",
    "matomo_*",
    "_bta_tid",
    "_bta_c",
    "trk_contact",
    "trk_msg",
    "trk_module",
    "trk_sid",
    "oly_anon_id",
    "oly_enc_id",
    "wickedid",
    "s_cid",
    "_kx",
    "mibextid",
    "gps_tok",
    "dm_i",
    "ml_subscriber",
    "ml_subscriber_hash",
    "rb_clickid",
    "irclickid",
    "irgwc",
    "cjevent",
    "wt_mc",
    "wt.mc_id",
    "xtor",
    "at_campaign",
    "at_medium",
    "at_custom*",
    "_branch_match_id",
    "_branch_referrer",
    "guccounter",
    "guce_referrer",
    "guce_referrer_sig",
    "spm_id_from",
    "ga_source",
    "ga_medium",
    "ga_term",
    "ga_content",
    "ga_campaign",
    "yadclid",
    "yadordid",
    "action_object_map",
    "action_type_map",
    "action_ref_map",
];
/// Whatever these hold is a session.
pub(super) const SESSIONS: &[&str] = &[
    "jsessionid",
    "phpsessid",
    "phpsession",
    "sessionid",
    "session_id",
    "sessid",
    "oscsid",
    "xtcsid",
    "zenid",
    "cfid",
    "cftoken",
    "aspsessionid*",
    "asp.net_sessionid",
    "sid_hash",
    "jservsessionid*",
    "sessionkey",
    "pagesessionid",
];
/// These may also name a section, a story or a season. One letter alone must hold 32 hexadecimal digits (vBulletin).
pub(super) const DOUBTFUL: &[&str] = &["sid", "session", "sess", "s"];

/// Shorter values are numbers of things, not of visitors.
const LEAST: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tracking,
    Session,
    Doubtful,
}

#[derive(Debug)]
struct Name {
    letters: Box<str>,
    /// Also all that begin so.
    prefix: bool,
    kind: Kind,
}

/// The names by their first letter: most parameters of the web are let through at one look.
#[derive(Debug)]
pub(crate) struct Names {
    by_first: Vec<Vec<Name>>,
}

impl Names {
    pub(crate) fn new(rules: &Normalise) -> Self {
        let mut by_first: Vec<Vec<Name>> = std::iter::repeat_with(Vec::new).take(256).collect();
        let lists = [
            (&rules.tracking, Kind::Tracking),
            (&rules.sessions, Kind::Session),
            (&rules.doubtful_sessions, Kind::Doubtful),
        ];
        for (list, kind) in lists {
            for name in list {
                let letters = name.strip_suffix('*').unwrap_or(name).to_ascii_lowercase();
                let first = letters.bytes().next().and_then(|first| by_first.get_mut(usize::from(first)));
                if let Some(bucket) = first {
                    bucket.push(Name { prefix: name.ends_with('*'), letters: letters.into(), kind });
                }
            }
        }
        Self { by_first }
    }

    /// Says a parameter of a query anything about the page?
    pub(super) fn drops_from_query(&self, parameter: &str) -> bool {
        self.any(parameter, |kind, name, value| match kind {
            Kind::Tracking => true,
            Kind::Session | Kind::Doubtful => is_session(kind, name, value),
        })
    }

    /// The same of `;name=value` in a path. Tracking does not live there.
    pub(super) fn drops_from_path(&self, parameter: &str) -> bool {
        self.any(parameter, is_session)
    }

    #[inline]
    fn any(&self, parameter: &str, drops: impl Fn(Kind, &str, &str) -> bool) -> bool {
        let first = parameter.as_bytes().first().map_or(0, u8::to_ascii_lowercase);
        let Some(bucket) = self.by_first.get(usize::from(first)).filter(|bucket| !bucket.is_empty()) else {
            return false;
        };
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        bucket.iter().any(|known| known.is(name) && drops(known.kind, name, value))
    }
}

impl Name {
    fn is(&self, name: &str) -> bool {
        let long_enough =
            if self.prefix { name.len() > self.letters.len() } else { name.len() == self.letters.len() };
        long_enough
            && name
                .as_bytes()
                .get(..self.letters.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(self.letters.as_bytes()))
    }
}

fn is_session(kind: Kind, name: &str, value: &str) -> bool {
    match kind {
        Kind::Tracking => false,
        Kind::Session => value.len() >= LEAST,
        Kind::Doubtful if name.len() == 1 => value.len() == 32 && is_hex(value.as_bytes()),
        Kind::Doubtful => value.len() >= LEAST && is_random(value.as_bytes()),
    }
}

//! Links as they are written in a page: absolute, relative, or in another spelling.
//!
//! In: a link and the page it stands on. Out: the value of an href, escaped for HTML.

use super::Web;
use super::links::{Form, Link};
use super::paths::Spot;
use crate::chance::For;

/// Writes the links of one page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hrefs<'w> {
    pub(crate) web: &'w Web,
    /// Folders between the page and the root; `None` where relative paths cannot be used.
    pub(crate) depth: Option<u32>,
    /// The page hands on a session id in every path.
    pub(crate) session: Option<u32>,
}

impl Hrefs<'_> {
    pub(crate) fn write(&self, out: &mut Vec<u8>, link: &Link) {
        let plan = self.web.plan(link.host);
        let spot = match (link.spot, self.session) {
            (Spot::Page(page), Some(token)) if link.form != Form::Absolute => Spot::Session {
                token: plan.chance.of(For::Session).at(u64::from(token)).at(u64::from(page)).bits() as u32,
                page,
            },
            (spot, _) => spot,
        };
        match (link.form, self.depth) {
            (Form::PathRelative, Some(depth)) => {
                for _ in 0..depth {
                    out.extend_from_slice(b"../");
                }
                let begin = out.len();
                self.web.write_path(out, plan, spot);
                if out.len() == begin + 1 && depth == 0 {
                    out.splice(begin.., *b"./");
                } else {
                    out.remove(begin);
                }
            }
            (Form::RootRelative | Form::Fragment | Form::PathRelative, _) => {
                self.web.write_path(out, plan, spot);
            }
            (Form::UpperHost, _) => {
                let (scheme, rest) = plan.origin.split_once("://").unwrap_or_default();
                out.extend_from_slice(scheme.as_bytes());
                out.extend_from_slice(b"://");
                out.extend(rest.bytes().map(|byte| byte.to_ascii_uppercase()));
                self.web.write_path(out, plan, spot);
            }
            (Form::DotSegment, _) => {
                out.extend_from_slice(plan.origin.as_bytes());
                out.extend_from_slice(b"/./archive/..");
                self.web.write_path(out, plan, spot);
            }
            (Form::Absolute | Form::Tracking | Form::SessionId, _) => {
                plan.write_origin(out);
                let begin = out.len();
                self.web.write_path(out, plan, spot);
                self.parameter(out, begin, link.form);
            }
        }
        if link.form == Form::Fragment {
            out.extend_from_slice(b"#section-2");
        }
    }

    fn parameter(&self, out: &mut Vec<u8>, begin: usize, form: Form) {
        if !form.is_alias() {
            return;
        }
        let asked = out.get(begin..).is_some_and(|path| path.contains(&b'?'));
        out.extend_from_slice(if asked { b"&amp;" } else { b"?" });
        if form == Form::Tracking {
            out.extend_from_slice(b"utm_source=newsletter");
        } else {
            let id = self.web.root.of(For::Session).at(out.len() as u64).bits();
            out.extend(format!("sid={id:012x}").bytes());
        }
    }
}

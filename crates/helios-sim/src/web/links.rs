//! Links: where each page leads. The renderer writes these, and the list of what must be found is made from these.
//!
//! In: host and page. Out: links in order of appearance.
//! Always: every page but sitemap-only ones hangs in the tree below its home page by a plain link; other spellings and
//! nofollow anchors lead only to pages that hang there too.

use super::Web;
use super::hosts::{Plan, Trap};
use super::pages::{PageKind, page_chance, scaled};
use super::paths::Spot;
use crate::chance::{Chance, For, positive};
use crate::reply::HostId;

/// Pages right below a page in the tree.
const FAN_OUT: u32 = 8;
/// Home pages of other hosts that a home page leads to by plain links, so that every host can be reached from the seeds.
const HOST_FAN_OUT: u32 = 4;
/// Month that the calendar trap begins with: January 2026.
pub(crate) const FIRST_MONTH: u32 = 2026 * 12;

/// How a link is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Absolute,
    RootRelative,
    PathRelative,
    /// From here on: other spellings.
    Fragment,
    UpperHost,
    DotSegment,
    Tracking,
    SessionId,
}

impl Form {
    /// Another spelling of a page that is linked plainly elsewhere.
    pub const fn is_alias(self) -> bool {
        !matches!(self, Self::Absolute | Self::RootRelative | Self::PathRelative)
    }
}

/// Where on a page a link stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// In the navigation, above and again below.
    Nav,
    /// In a card: picture and title lead to the same page.
    Card,
    /// Once, in the text or in a list.
    Item,
}

/// One link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    pub host: HostId,
    pub spot: Spot,
    pub form: Form,
    pub role: Role,
    pub nofollow: bool,
}

impl Web {
    /// Where a page leads; nothing for pages that are not HTML.
    pub fn links(&self, host: HostId, page: u32) -> Vec<Link> {
        let mut links = Vec::with_capacity(128);
        self.links_into(host, page, &mut links);
        links
    }

    /// As [`Web::links`], into a list that is emptied first.
    pub(crate) fn links_into(&self, host: HostId, page: u32, links: &mut Vec<Link>) {
        links.clear();
        let plan = self.plan(host);
        if page >= plan.pages || !self.kind(plan, page).is_html() {
            return;
        }
        let settings = &self.settings;
        let chance = page_chance(plan, page).of(For::Links);
        let wanted = positive(chance.log_normal(settings.links, settings.links_sigma));
        let anchors = (wanted as u32).clamp(1, settings.max_links);
        let nav = (anchors / 8).clamp(1, 16).min(plan.trunk);
        for target in 0..nav {
            links.push(plain(host, Spot::Page(target), Role::Nav, chance.at(u64::from(target))));
        }
        self.tree_links(host, page, links);
        let external = positive((f64::from(anchors) * settings.external_links).round()) as u32;
        let external = if self.host_count() > 1 { external } else { 0 };
        let written: u32 = links.iter().map(|link| if link.role == Role::Item { 1 } else { 2 }).sum();
        self.random_links(host, anchors.saturating_sub(written + external), chance.at(1 << 32), links);
        for index in 0..external {
            let draw = chance.at((1 << 33) + u64::from(index));
            let (host, page) = self.far_page(draw);
            links.push(Link {
                host,
                spot: Spot::Page(page),
                form: Form::Absolute,
                role: Role::Item,
                nofollow: false,
            });
        }
    }

    /// The plain links that hold the web together.
    fn tree_links(&self, host: HostId, page: u32, links: &mut Vec<Link>) {
        let plan = self.plan(host);
        if page >= plan.trunk {
            return;
        }
        let chance = page_chance(plan, page).of(For::Links).at(1 << 34);
        let first = u64::from(page) * u64::from(FAN_OUT) + 1;
        for child in first..(first + u64::from(FAN_OUT)).min(u64::from(plan.trunk)) {
            links.push(plain(host, Spot::Page(child as u32), Role::Card, chance.at(child)));
        }
        for leaf in (plan.trunk + page..plan.pages).step_by(plan.trunk as usize) {
            if self.kind(plan, leaf) != PageKind::SitemapOnly {
                links.push(plain(host, Spot::Page(leaf), Role::Item, chance.at(u64::from(leaf))));
            }
        }
        if page == 0 {
            self.home_links(host, links);
        }
    }

    fn home_links(&self, host: HostId, links: &mut Vec<Link>) {
        let link = |host, spot| Link { host, spot, form: Form::Absolute, role: Role::Item, nofollow: false };
        let first = u64::from(self.settings.seeds) + u64::from(host) * u64::from(HOST_FAN_OUT);
        for child in first..(first + u64::from(HOST_FAN_OUT)).min(u64::from(self.host_count())) {
            links.push(link(child as HostId, Spot::Page(0)));
        }
        let plan = self.plan(host);
        match plan.trap {
            Some(Trap::Calendar) => links.push(link(host, Spot::Calendar(FIRST_MONTH))),
            Some(Trap::Session) => {
                let token = plan.chance.of(For::Session).bits() as u32;
                links.push(link(host, Spot::Session { token, page: 0 }));
            }
            None => {}
        }
    }

    fn random_links(&self, host: HostId, mut anchors: u32, chance: Chance, links: &mut Vec<Link>) {
        let plan = self.plan(host);
        let alias = positive(self.settings.alias_links * 65_536.0);
        let nofollow = alias + positive(self.settings.nofollow_links * 65_536.0);
        let mut index = 0;
        // One draw of 64 bits per link: 24 for the target, 16 for oddities, 16 for the form, 8 for the place.
        while anchors > 0 {
            let draw = chance.at(index);
            index += 1;
            let bits = draw.bits();
            let squared = ((bits >> 40) * (bits >> 40)) >> 24;
            let target = self.listed(plan, ((squared * u64::from(plan.pages)) >> 24) as u32);
            let role = if bits & 0xff < 150 && anchors > 1 { Role::Card } else { Role::Item };
            anchors -= if role == Role::Card { 2 } else { 1 };
            let odd = (bits >> 8) & 0xffff;
            let form = if odd < alias { alias_form(draw.at(1)) } else { plain_form(bits >> 24) };
            let nofollow = (alias..nofollow).contains(&odd);
            links.push(Link { host, spot: Spot::Page(target), form, role, nofollow });
        }
    }

    /// The page itself, or the home page where only a sitemap may name it.
    fn listed(&self, plan: &Plan, page: u32) -> u32 {
        if page >= plan.trunk && self.kind(plan, page) == PageKind::SitemapOnly { 0 } else { page }
    }

    /// A page of some host: large hosts are linked more often, and home pages most.
    pub(crate) fn far_page(&self, draw: Chance) -> (HostId, u32) {
        let rank = scaled(draw.unit().powi(2), self.host_count());
        let host = self.by_size.get(rank as usize).copied().unwrap_or(0);
        let other = draw.at(1);
        let page =
            if other.bits() & 1 == 0 { 0 } else { scaled(other.unit().powi(2), self.plan(host).trunk) };
        (host, page)
    }

    /// How many URLs a redirect runs through before its end; 0: the page is no redirect.
    pub(crate) fn redirect_stops(&self, plan: &Plan, page: u32) -> u8 {
        if page >= plan.pages || self.kind(plan, page) != PageKind::Redirect {
            return 0;
        }
        let draw = page_chance(plan, page).of(For::Redirect);
        match self.redirect_shape(draw) {
            0 => 2 + (draw.at(1).bits() % 3) as u8,
            1 => 1 + (draw.at(1).bits() % 2) as u8,
            _ => 1,
        }
    }

    /// 0: chain, 1: circle, 2: neither.
    fn redirect_shape(&self, draw: Chance) -> usize {
        draw.pick(&[self.settings.redirect_chains, self.settings.redirect_loops])
    }

    /// Where a stop of a redirect leads.
    pub(crate) fn redirect_target(&self, host: HostId, page: u32, hop: u8) -> (HostId, Spot) {
        let plan = self.plan(host);
        if hop + 1 < self.redirect_stops(plan, page) {
            return (host, Spot::Hop { page, hop: hop + 1 });
        }
        let draw = page_chance(plan, page).of(For::Redirect);
        if self.redirect_shape(draw) == 1 {
            return (host, Spot::Page(page));
        }
        if draw.at(2).happens(self.settings.redirect_away) {
            let (host, page) = self.far_page(draw.at(3));
            return (host, Spot::Page(page));
        }
        (host, Spot::Page(scaled(draw.at(4).unit().powi(2), plan.trunk)))
    }
}

fn plain(host: HostId, spot: Spot, role: Role, draw: Chance) -> Link {
    Link { host, spot, form: plain_form(draw.bits()), role, nofollow: false }
}

/// By the lowest 16 bits: 45 % absolute, 40 % from the root, 15 % from the page.
const fn plain_form(bits: u64) -> Form {
    match ((bits & 0xffff) * 20) >> 16 {
        0..9 => Form::Absolute,
        9..17 => Form::RootRelative,
        _ => Form::PathRelative,
    }
}

fn alias_form(draw: Chance) -> Form {
    match draw.below(5) {
        0 => Form::Fragment,
        1 => Form::UpperHost,
        2 => Form::DotSegment,
        3 => Form::Tracking,
        _ => Form::SessionId,
    }
}

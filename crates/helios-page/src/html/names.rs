//! Names to numbers: those of the standard by a table that the compiler makes, others by a map of the tree.

use std::collections::HashMap;

use super::tag::{KNOWN, NAMES, Tag};

const SLOTS: usize = 512;
const EMPTY: u16 = u16::MAX;
/// Open addressing over the known names.
static TABLE: [u16; SLOTS] = table();

/// One step of the hash; letters count in lower case. Also turns other characters, which the comparison sorts out.
pub(super) const fn mix(hash: u32, byte: u8) -> u32 {
    hash.rotate_left(5) ^ (byte | 0x20) as u32
}

const fn slot(hash: u32) -> usize {
    (hash.wrapping_mul(0x9E37_79B1) >> 20) as usize % SLOTS
}

#[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
const fn table() -> [u16; SLOTS] {
    let mut table = [EMPTY; SLOTS];
    let mut number = Tag::A.0 as usize;
    while number < KNOWN {
        let name = NAMES[number].as_bytes();
        let (mut hash, mut at) = (0, 0);
        while at < name.len() {
            hash = mix(hash, name[at]);
            at += 1;
        }
        let mut place = slot(hash);
        while table[place] != EMPTY {
            place = (place + 1) % SLOTS;
        }
        table[place] = number as u16;
        number += 1;
    }
    table
}

/// The tag of a known name in any case, given its hash.
pub(super) fn hashed(name: &[u8], hash: u32) -> Option<Tag> {
    let mut place = slot(hash);
    loop {
        let number = *TABLE.get(place)?;
        if number == EMPTY {
            return None;
        }
        if NAMES.get(number as usize)?.as_bytes().eq_ignore_ascii_case(name) {
            return Some(Tag(u32::from(number)));
        }
        place = (place + 1) % SLOTS;
    }
}

pub(super) fn known(name: &[u8]) -> Option<Tag> {
    hashed(name, name.iter().fold(0, |hash, &byte| mix(hash, byte)))
}

/// The names of one page that the standard does not know.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<Box<str>, u32>,
    names: Vec<Box<str>>,
}

impl Names {
    /// The number of an unknown name, which is in lower case.
    pub(super) fn intern(&mut self, name: &str) -> Tag {
        if let Some(&number) = self.numbers.get(name) {
            return Tag(number);
        }
        let number = (KNOWN + self.names.len()) as u32;
        self.numbers.insert(name.into(), number);
        self.names.push(name.into());
        Tag(number)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let names: usize = self.names.iter().map(|name| name.len()).sum();
        2 * names + self.names.capacity() * 16 + self.numbers.capacity() * 32
    }

    pub(super) fn name(&self, tag: Tag) -> &str {
        match NAMES.get(tag.number()) {
            Some(name) => name,
            None => self.names.get(tag.number() - KNOWN).map_or("", |name| name),
        }
    }
}

/// Names of SVG that have capitals (WHATWG HTML §13.2.6.5).
const SVG_NAMES: [&str; 37] = [
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
];

/// Attributes of SVG that have capitals.
const SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
];

/// The lengths of the names that begin with each letter, as bits: most names of a page are none of these, and this says so at once.
#[allow(clippy::indexing_slicing, reason = "runs at compile time, where a panic is a compile error")]
const fn lengths(names: &[&str]) -> [u32; 256] {
    let mut lengths = [0; 256];
    let mut at = 0;
    while at < names.len() {
        lengths[names[at].as_bytes()[0] as usize] |= 1 << names[at].len();
        at += 1;
    }
    lengths
}

fn with_capitals<'n>(names: &[&'static str], lengths: &[u32; 256], name: &'n str) -> &'n str {
    let first = name.bytes().next().unwrap_or_default();
    let known = lengths.get(usize::from(first)).is_some_and(|lengths| {
        lengths.checked_shr(name.len() as u32).is_some_and(|lengths| lengths & 1 == 1)
    });
    let found = if known { names.iter().find(|with| with.eq_ignore_ascii_case(name)) } else { None };
    found.copied().unwrap_or(name)
}

pub(super) fn svg_name(name: &str) -> &str {
    static LENGTHS: [u32; 256] = lengths(&SVG_NAMES);
    with_capitals(&SVG_NAMES, &LENGTHS, name)
}

pub(super) fn svg_attribute(name: &str) -> &str {
    static LENGTHS: [u32; 256] = lengths(&SVG_ATTRIBUTES);
    with_capitals(&SVG_ATTRIBUTES, &LENGTHS, name)
}

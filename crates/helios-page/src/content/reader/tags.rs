//! What the name of an element means to a reader view.

use super::draft::bits;
use crate::html::Tag;

/// Elements that stand in a line of text.
#[rustfmt::skip]
const IN_LINE: [Tag; 40] = [
    Tag::ABBR, Tag::AUDIO, Tag::B, Tag::BDO, Tag::BR, Tag::BUTTON, Tag::CITE, Tag::CODE, Tag::DATA, Tag::DATALIST, Tag::DFN,
    Tag::EM, Tag::EMBED, Tag::I, Tag::IMG, Tag::INPUT, Tag::KBD, Tag::LABEL, Tag::MARK, Tag::MATH, Tag::METER, Tag::NOSCRIPT,
    Tag::OBJECT, Tag::OUTPUT, Tag::PROGRESS, Tag::Q, Tag::RUBY, Tag::SAMP, Tag::SCRIPT, Tag::SELECT, Tag::SMALL, Tag::SPAN,
    Tag::STRONG, Tag::SUB, Tag::SUP, Tag::TEXTAREA, Tag::TIME, Tag::VAR, Tag::WBR, Tag::TEXT,
];

/// Is it part of a line of text? Links and marked changes are, if all in them is.
pub(super) fn is_in_line(tag: Tag, own: u32) -> bool {
    match tag {
        Tag::TEXT | Tag::SPAN => true,
        Tag::DIV | Tag::P | Tag::LI => false,
        Tag::A | Tag::DEL | Tag::INS => own & bits::BROKEN == 0,
        _ => IN_LINE.contains(&tag),
    }
}

/// A `div` with one of these inside is no paragraph.
#[rustfmt::skip]
pub(super) fn is_block(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::BLOCKQUOTE | Tag::DL | Tag::DIV | Tag::IMG | Tag::OL | Tag::P | Tag::PRE | Tag::TABLE | Tag::UL
    )
}

/// Elements whose text speaks for what is around them.
#[rustfmt::skip]
pub(super) fn speaks(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::SECTION | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::P | Tag::TD | Tag::PRE
    )
}

/// What an element is worth by its name, before anything speaks for it.
#[rustfmt::skip]
pub(super) fn worth(tag: Tag) -> f32 {
    match tag {
        Tag::DIV => 5.0,
        Tag::PRE | Tag::TD | Tag::BLOCKQUOTE => 3.0,
        Tag::ADDRESS | Tag::OL | Tag::UL | Tag::DL | Tag::DD | Tag::DT | Tag::LI | Tag::FORM => -3.0,
        Tag::TH => -5.0,
        _ if tag.is_heading() => -5.0,
        _ => 0.0,
    }
}

/// What the names on an element are worth.
pub(super) fn weight(own: u32) -> f32 {
    let one = |bit: u32| if own & bit == 0 { 0.0 } else { 25.0 };
    one(bits::GOOD_CLASS) - one(bits::BAD_CLASS) + one(bits::GOOD_ID) - one(bits::BAD_ID)
}

//! The names of elements as small numbers, and what the standard says of each.

use std::fmt;

/// The name of an element with its namespace, or the kind of a node that is none.
///
/// Names that the standard knows are constants here; others get a number from the tree that meets them, so such a number means
/// nothing in another tree. An `a` inside SVG is not `Tag::A`: see [`Tag::local`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(pub(super) u32);

const SVG_BIT: u32 = 1 << 30;
const MATH_BIT: u32 = 1 << 31;
const NAMESPACE: u32 = SVG_BIT | MATH_BIT;

/// Elements that end the search of an end tag (WHATWG HTML §13.2.4.2).
pub(super) const SPECIAL: u16 = 1;
/// Borders of the scopes (§13.2.4.2): for all, for list items, for `p`, for parts of tables.
pub(super) const SCOPE: u16 = 1 << 1;
pub(super) const LIST_SCOPE: u16 = 1 << 2;
pub(super) const BUTTON_SCOPE: u16 = 1 << 3;
pub(super) const TABLE_SCOPE: u16 = 1 << 4;
/// End tags that are implied, and those that are implied at the end of a template.
pub(super) const IMPLIED: u16 = 1 << 5;
pub(super) const IMPLIED_ALL: u16 = 1 << 6;
/// A start tag of these leaves SVG and MathML.
pub(super) const BREAKOUT: u16 = 1 << 7;
/// Text in these is put before the table.
pub(super) const FOSTERS: u16 = 1 << 8;

/// What "in body" does with a start tag, and with an end tag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Other,
    Html,
    HeadPart,
    Body,
    Frameset,
    Block,
    Heading,
    Pre,
    Form,
    Li,
    DdDt,
    Plaintext,
    Button,
    A,
    Formatting,
    Nobr,
    Applet,
    Table,
    Void,
    Input,
    Param,
    Hr,
    Image,
    Textarea,
    Xmp,
    Iframe,
    Noembed,
    Select,
    Option,
    Rb,
    Rt,
    Math,
    Svg,
    TablePart,
}

macro_rules! tags {
    ($($number:literal $constant:ident $name:literal $group:ident $flags:expr;)*) => {
        /// Names by number.
        pub(super) const NAMES: &[&str] = &[$($name),*];
        const GROUPS: &[Group] = &[$(Group::$group),*];
        const FLAGS: &[u16] = &[$($flags),*];
        #[allow(missing_docs)]
        impl Tag {
            $(pub const $constant: Tag = Tag($number);)*
        }
    };
}

const S: u16 = SPECIAL;
const B: u16 = BREAKOUT;
const SB: u16 = SPECIAL | BREAKOUT;
const I: u16 = IMPLIED | IMPLIED_ALL;
const T: u16 = SPECIAL | IMPLIED_ALL;
const TF: u16 = T | FOSTERS;
const LIST: u16 = SB | LIST_SCOPE;
const EDGE: u16 = S | SCOPE | LIST_SCOPE | BUTTON_SCOPE;
const ALL: u16 = EDGE | TABLE_SCOPE;

tags! {
    0 DOCUMENT "#document" Other 0; 1 TEXT "#text" Other 0; 2 COMMENT "#comment" Other 0; 3 DOCTYPE "#doctype" Other 0;
    4 A "a" A 0; 5 ABBR "abbr" Other 0; 6 ACRONYM "acronym" Other 0; 7 ADDRESS "address" Block S;
    8 APPLET "applet" Applet EDGE; 9 AREA "area" Void S; 10 ARTICLE "article" Block S; 11 ASIDE "aside" Block S;
    12 AUDIO "audio" Other 0; 13 B "b" Formatting B; 14 BASE "base" HeadPart S; 15 BASEFONT "basefont" HeadPart S;
    16 BDI "bdi" Other 0; 17 BDO "bdo" Other 0; 18 BGSOUND "bgsound" HeadPart S; 19 BIG "big" Formatting B;
    20 BLOCKQUOTE "blockquote" Block SB; 21 BODY "body" Body SB; 22 BR "br" Void SB; 23 BUTTON "button" Button S | BUTTON_SCOPE;
    24 CANVAS "canvas" Other 0; 25 CAPTION "caption" TablePart EDGE | IMPLIED_ALL; 26 CENTER "center" Block SB;
    27 CITE "cite" Other 0; 28 CODE "code" Formatting B; 29 COL "col" TablePart S; 30 COLGROUP "colgroup" TablePart T;
    31 DATA "data" Other 0; 32 DATALIST "datalist" Other 0; 33 DD "dd" DdDt SB | I; 34 DEL "del" Other 0;
    35 DETAILS "details" Block S; 36 DFN "dfn" Other 0; 37 DIALOG "dialog" Block 0; 38 DIR "dir" Block S;
    39 DIV "div" Block SB; 40 DL "dl" Block SB; 41 DT "dt" DdDt SB | I; 42 EM "em" Formatting B; 43 EMBED "embed" Void SB;
    44 FIELDSET "fieldset" Block S; 45 FIGCAPTION "figcaption" Block S; 46 FIGURE "figure" Block S;
    47 FONT "font" Formatting 0; 48 FOOTER "footer" Block S; 49 FORM "form" Form S; 50 FRAME "frame" TablePart S;
    51 FRAMESET "frameset" Frameset S; 52 H1 "h1" Heading SB; 53 H2 "h2" Heading SB; 54 H3 "h3" Heading SB;
    55 H4 "h4" Heading SB; 56 H5 "h5" Heading SB; 57 H6 "h6" Heading SB; 58 HEAD "head" TablePart SB;
    59 HEADER "header" Block S; 60 HGROUP "hgroup" Block S; 61 HR "hr" Hr SB; 62 HTML "html" Html ALL;
    63 I "i" Formatting B; 64 IFRAME "iframe" Iframe S; 65 IMAGE "image" Image 0; 66 IMG "img" Void SB;
    67 INPUT "input" Input S; 68 INS "ins" Other 0; 69 KBD "kbd" Other 0; 70 KEYGEN "keygen" Void S; 71 LABEL "label" Other 0;
    72 LEGEND "legend" Other 0; 73 LI "li" Li SB | I; 74 LINK "link" HeadPart S; 75 LISTING "listing" Pre SB;
    76 MAIN "main" Block S; 77 MAP "map" Other 0; 78 MARK "mark" Other 0; 79 MARQUEE "marquee" Applet EDGE;
    80 MATH_NAME "math" Math 0; 81 MENU "menu" Block SB; 82 MENUITEM "menuitem" Other 0; 83 META "meta" HeadPart SB;
    84 METER "meter" Other 0; 85 NAV "nav" Block S; 86 NOBR "nobr" Nobr B; 87 NOEMBED "noembed" Noembed S;
    88 NOFRAMES "noframes" HeadPart S; 89 NOSCRIPT "noscript" Other S; 90 OBJECT "object" Applet EDGE; 91 OL "ol" Block LIST;
    92 OPTGROUP "optgroup" Option I; 93 OPTION "option" Option I; 94 OUTPUT "output" Other 0; 95 P "p" Block SB | I;
    96 PARAM "param" Param S; 97 PICTURE "picture" Other 0; 98 PLAINTEXT "plaintext" Plaintext S; 99 PRE "pre" Pre SB;
    100 PROGRESS "progress" Other 0; 101 Q "q" Other 0; 102 RB "rb" Rb I; 103 RP "rp" Rt I; 104 RT "rt" Rt I;
    105 RTC "rtc" Rb I; 106 RUBY "ruby" Other B; 107 S "s" Formatting B; 108 SAMP "samp" Other 0;
    109 SCRIPT "script" HeadPart S; 110 SEARCH "search" Block S; 111 SECTION "section" Block S; 112 SELECT "select" Select EDGE;
    113 SLOT "slot" Other 0; 114 SMALL "small" Formatting B; 115 SOURCE "source" Param S; 116 SPAN "span" Other B;
    117 STRIKE "strike" Formatting B; 118 STRONG "strong" Formatting B; 119 STYLE "style" HeadPart S; 120 SUB "sub" Other B;
    121 SUMMARY "summary" Block S; 122 SUP "sup" Other B; 123 SVG_NAME "svg" Svg 0;
    124 TABLE "table" Table SB | SCOPE | LIST_SCOPE | BUTTON_SCOPE | TABLE_SCOPE | FOSTERS; 125 TBODY "tbody" TablePart TF;
    126 TD "td" TablePart EDGE | IMPLIED_ALL; 127 TEMPLATE "template" HeadPart ALL; 128 TEXTAREA "textarea" Textarea S;
    129 TFOOT "tfoot" TablePart TF; 130 TH "th" TablePart EDGE | IMPLIED_ALL; 131 THEAD "thead" TablePart TF;
    132 TIME "time" Other 0; 133 TITLE "title" HeadPart S; 134 TR "tr" TablePart TF; 135 TRACK "track" Param S;
    136 TT "tt" Formatting B; 137 U "u" Formatting B; 138 UL "ul" Block LIST; 139 VAR "var" Other B; 140 VIDEO "video" Other 0;
    141 WBR "wbr" Void S; 142 XMP "xmp" Xmp S; 143 ANNOTATION_XML "annotation-xml" Other 0; 144 DESC "desc" Other 0;
    145 FOREIGNOBJECT "foreignobject" Other 0; 146 MALIGNMARK "malignmark" Other 0; 147 MGLYPH "mglyph" Other 0;
    148 MI "mi" Other 0; 149 MN "mn" Other 0; 150 MO "mo" Other 0; 151 MS "ms" Other 0; 152 MTEXT "mtext" Other 0;
    153 PATH "path" Other 0; 154 G "g" Other 0; 155 USE "use" Other 0;
}

/// Names beyond these get their number from the tree.
pub(super) const KNOWN: usize = NAMES.len();

impl Tag {
    /// The `svg` element.
    pub const SVG: Tag = Tag::SVG_NAME.in_svg();
    /// The `math` element.
    pub const MATH: Tag = Tag::MATH_NAME.in_math();

    /// The same name in SVG.
    #[must_use]
    pub const fn in_svg(self) -> Tag {
        Tag(self.0 | SVG_BIT)
    }

    /// The same name in MathML.
    #[must_use]
    pub const fn in_math(self) -> Tag {
        Tag(self.0 | MATH_BIT)
    }

    pub const fn is_html(self) -> bool {
        self.0 & NAMESPACE == 0
    }

    pub const fn is_svg(self) -> bool {
        self.0 & SVG_BIT != 0
    }

    pub const fn is_math(self) -> bool {
        self.0 & MATH_BIT != 0
    }

    /// The name without its namespace: an `a` of SVG becomes `Tag::A`.
    #[must_use]
    pub const fn local(self) -> Tag {
        Tag(self.0 & !NAMESPACE)
    }

    /// The kinds of nodes and the names that the standard knows, each at its place in tables.
    pub(crate) fn all_known() -> impl Iterator<Item = Tag> {
        (0..).zip(NAMES).map(|(number, _)| Tag(number))
    }

    /// The name as a place in tables.
    pub(crate) const fn number(self) -> usize {
        self.local().0 as usize
    }

    /// Is this the kind of an element, not of a text, a comment, a doctype or a document?
    pub const fn is_element(self) -> bool {
        self.0 >= Tag::A.0
    }

    /// Is it one of `h1` to `h6`?
    pub const fn is_heading(self) -> bool {
        self.0 >= Tag::H1.0 && self.0 <= Tag::H6.0
    }

    /// The tag of a name that the standard knows, in any case.
    pub fn known(name: &str) -> Option<Tag> {
        super::names::known(name.as_bytes())
    }

    /// The name that the standard gives it; none for names that only one tree knows.
    pub fn known_name(self) -> Option<&'static str> {
        NAMES.get(self.number()).copied()
    }

    pub(super) fn group(self) -> Group {
        GROUPS.get(self.0 as usize).copied().unwrap_or(Group::Other)
    }

    pub(super) fn has(self, flags: u16) -> bool {
        self.flags() & flags != 0
    }

    fn flags(self) -> u16 {
        match FLAGS.get(self.0 as usize) {
            Some(&flags) => flags,
            None => self.foreign_flags(),
        }
    }

    /// The few foreign elements that the algorithms know by name.
    fn foreign_flags(self) -> u16 {
        let known = match self.local() {
            Tag::MI | Tag::MO | Tag::MN | Tag::MS | Tag::MTEXT | Tag::ANNOTATION_XML => self.is_math(),
            Tag::FOREIGNOBJECT | Tag::DESC | Tag::TITLE => self.is_svg(),
            _ => false,
        };
        if known { EDGE } else { 0 }
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.is_svg() {
            "svg "
        } else if self.is_math() {
            "math "
        } else {
            ""
        };
        write!(out, "{space}{}", self.known_name().unwrap_or("?"))
    }
}

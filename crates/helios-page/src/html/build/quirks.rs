//! Doctypes, and which of them mean the quirks of old (WHATWG HTML §13.2.6.4.1).

use super::super::tag::Tag;
use super::super::token::Doctype;
use super::super::tree::{Attr, NONE, Span};
use super::Builder;
use super::insert::Place;

const PUBLIC_PREFIXES: [&str; 55] = [
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];
/// These mean quirks only without a system identifier.
const HALF_PREFIXES: [&str; 2] = ["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"];

impl Builder<'_> {
    pub(super) fn insert_doctype(&mut self) {
        let doctype = self.tokenizer.doctype;
        self.quirks = self.is_quirky(doctype);
        let from = self.tokenizer.attrs.len();
        for (name, value) in [("name", doctype.name), ("public", doctype.public), ("system", doctype.system)]
        {
            if let Some(value) = value {
                let at = self.tokenizer.decoded.len();
                self.tokenizer.decoded.push_str(name);
                let name = Span::decoded(at, self.tokenizer.decoded.len());
                self.tokenizer.attrs.push(Attr { name, value });
            }
        }
        let attrs = Span { at: from as u32, len: (self.tokenizer.attrs.len() - from) as u32 };
        let node = self.create(Tag::DOCTYPE, attrs);
        self.attach(node, Place { parent: 0, before: NONE });
    }

    fn is_quirky(&self, doctype: Doctype) -> bool {
        let text = |span: Option<Span>| span.map(|span| self.tokenizer.str(span).to_ascii_lowercase());
        let public = text(doctype.public).unwrap_or_default();
        let system = text(doctype.system);
        let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| public.starts_with(prefix));
        doctype.quirks
            || text(doctype.name).as_deref() != Some("html")
            || matches!(
                &*public,
                "-//w3o//dtd w3 html strict 3.0//en//" | "-/w3c/dtd html 4.0 transitional/en" | "html"
            )
            || system.as_deref() == Some("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd")
            || begins(&PUBLIC_PREFIXES)
            || (system.is_none() && begins(&HALF_PREFIXES))
    }
}

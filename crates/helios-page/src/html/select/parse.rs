//! The grammar of selectors (Selectors Level 4, the parts that pages can answer).

use super::super::tag::Tag;
use super::nth::{Nth, formula};
use super::scan::Scan;
use super::{
    AttributeTest, Chain, Combinator, Compound, Operator, Output, Relative, Selector, SelectorError, Test,
};

/// Compounds of one chain: each has a bit in a mask.
const LONGEST_CHAIN: usize = 64;
/// Chains and nesting that a person may write; more is an attack.
const MOST_CHAINS: usize = 1_000;
const DEEPEST: usize = 16;
/// Selectors inside `:has`: each takes a mark per node.
const MOST_RELATIVES: usize = 32;

/// Attributes whose values are compared in any case (WHATWG HTML §4.17.1, case-sensitivity of selectors).
const ANY_CASE: &str = " accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer \
    dir direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize \
    noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink ";

struct Parser<'s> {
    scan: Scan<'s>,
    selector: Selector,
    depth: usize,
    in_has: bool,
    counters: usize,
}

type Parsed<T> = Result<T, SelectorError>;

pub(super) fn parse(text: &str) -> Parsed<Selector> {
    let selector = Selector { chains: Vec::new(), tops: Vec::new(), relatives: Vec::new() };
    let mut parser = Parser { scan: Scan::new(text), selector, depth: 0, in_has: false, counters: 0 };
    loop {
        let (chain, output) = parser.chain(true)?;
        parser.selector.tops.push((chain, output));
        match parser.scan.peek() {
            None => return Ok(parser.selector),
            Some(',') => parser.scan.at += 1,
            Some(_) => return parser.scan.error("this cannot stand here"),
        }
    }
}

impl Parser<'_> {
    /// Reads up to a comma, a closing bracket or the end.
    fn chain(&mut self, is_top: bool) -> Parsed<(usize, Output)> {
        let mut chain = Chain::default();
        let mut output = Output::Element;
        let mut combinator = Combinator::Descendant;
        self.scan.spaces();
        loop {
            let compound = self.compound(is_top, &mut output)?;
            chain.links.push((combinator, compound));
            if chain.links.len() > LONGEST_CHAIN {
                return self.scan.error("the selector is too long");
            }
            let spaces = self.scan.spaces();
            if matches!(self.scan.peek(), None | Some(',' | ')')) {
                break;
            }
            if output != Output::Element {
                return self.scan.error("nothing can follow ::text or ::attr()");
            }
            combinator = match self.combinator() {
                Some(combinator) => combinator,
                None if spaces => Combinator::Descendant,
                None => return self.scan.error("this cannot stand here"),
            };
        }
        if output == Output::Text
            && let Some((Combinator::Descendant, Compound { name: None, tests, .. })) = chain.links.last()
            && tests.is_empty()
        {
            output = Output::AllText;
        }
        Ok((self.add(chain)?, output))
    }

    fn add(&mut self, chain: Chain) -> Parsed<usize> {
        if self.selector.chains.len() >= MOST_CHAINS {
            return self.scan.error("the selector is too long");
        }
        self.selector.chains.push(chain);
        Ok(self.selector.chains.len() - 1)
    }

    fn combinator(&mut self) -> Option<Combinator> {
        let found = match self.scan.peek()? {
            '>' => Combinator::Child,
            '+' => Combinator::Next,
            '~' => Combinator::Later,
            _ => return None,
        };
        self.scan.at += 1;
        self.scan.spaces();
        Some(found)
    }

    fn compound(&mut self, is_top: bool, output: &mut Output) -> Parsed<Compound> {
        let start = self.scan.at;
        let mut compound = Compound::default();
        if !self.scan.eat("*") && self.scan.peek().is_some_and(starts_name) {
            let name = self.scan.name()?.to_ascii_lowercase();
            compound.tag = Tag::known(&name);
            compound.name = Some(name);
        }
        loop {
            match self.scan.peek() {
                Some('#') => {
                    self.scan.at += 1;
                    compound.tests.push(Test::Id(self.scan.name()?));
                }
                Some('.') => {
                    self.scan.at += 1;
                    compound.tests.push(Test::Class(self.scan.name()?));
                }
                Some('[') => compound.tests.push(self.attribute()?),
                Some(':') if self.scan.eat("::") => {
                    *output = self.pseudo_element(is_top)?;
                    return Ok(compound);
                }
                Some(':') => {
                    self.scan.at += 1;
                    let test = self.pseudo_class()?;
                    compound.tests.extend(test);
                }
                _ if self.scan.at == start => return self.scan.error("a selector is missing"),
                _ => return Ok(compound),
            }
        }
    }

    fn pseudo_element(&mut self, is_top: bool) -> Parsed<Output> {
        let name = self.scan.name()?.to_ascii_lowercase();
        match name.as_str() {
            _ if !is_top => self.scan.error("::text and ::attr() cannot be inside brackets"),
            "text" => Ok(Output::Text),
            "attr" if self.scan.eat("(") => {
                self.scan.spaces();
                let name = self.scan.name()?.to_ascii_lowercase();
                self.close()?;
                Ok(Output::Attribute(name))
            }
            _ => self.scan.error("only ::text and ::attr(name) are known"),
        }
    }

    fn close(&mut self) -> Parsed<()> {
        self.scan.spaces();
        if self.scan.eat(")") { Ok(()) } else { self.scan.error("a bracket is not closed") }
    }

    fn attribute(&mut self) -> Parsed<Test> {
        self.scan.at += 1;
        self.scan.spaces();
        let name = self.scan.name()?.to_ascii_lowercase();
        self.scan.spaces();
        let operators = [
            ("=", Operator::Equals),
            ("~=", Operator::Word),
            ("|=", Operator::Dash),
            ("^=", Operator::Begins),
            ("$=", Operator::Ends),
            ("*=", Operator::Contains),
        ];
        let found = operators.into_iter().find(|(sign, _)| self.scan.eat(sign));
        let mut test =
            AttributeTest { name, operator: Operator::Exists, value: String::new(), any_case: false };
        if let Some((_, operator)) = found {
            self.scan.spaces();
            test.operator = operator;
            test.value = self.scan.value()?;
            self.scan.spaces();
            let sensitive = self.scan.eat("s") || self.scan.eat("S");
            let any_case = self.scan.eat("i") || self.scan.eat("I");
            test.any_case = any_case || (!sensitive && ANY_CASE.contains(&format!(" {} ", test.name)));
            self.scan.spaces();
        }
        if self.scan.eat("]") { Ok(Test::Attribute(test)) } else { self.scan.error("] is missing") }
    }

    fn pseudo_class(&mut self) -> Parsed<Option<Test>> {
        let name = self.scan.name()?.to_ascii_lowercase();
        if self.scan.eat("(") {
            let test = self.function(&name)?;
            self.close()?;
            return Ok(Some(test));
        }
        Ok(Some(match name.as_str() {
            "first-child" => Test::Nth(Nth::fixed(1, false, false)),
            "last-child" => Test::LastChild,
            "first-of-type" => Test::Nth(Nth::fixed(1, false, true)),
            "last-of-type" => Test::Nth(Nth::fixed(1, true, true)),
            "only-child" => Test::OnlyChild,
            "only-of-type" => Test::OnlyOfType,
            "empty" => Test::Empty,
            "root" => Test::Root,
            "scope" => return self.scan.error(":scope means nothing for a whole page"),
            _ => return self.scan.error("this pseudo-class is not known"),
        }))
    }

    fn function(&mut self, name: &str) -> Parsed<Test> {
        if self.depth >= DEEPEST {
            return self.scan.error("brackets are nested too deeply");
        }
        self.depth += 1;
        let test = match name {
            "is" | "where" | "matches" => Test::Any(self.list()?),
            "not" => Test::Not(self.list()?),
            "has" => Test::Has(self.relatives()?),
            "nth-child" => Test::Nth(self.nth(false, false)?),
            "nth-last-child" => Test::Nth(self.nth(true, false)?),
            "nth-of-type" => Test::Nth(self.nth(false, true)?),
            "nth-last-of-type" => Test::Nth(self.nth(true, true)?),
            _ => return self.scan.error("this pseudo-class is not known"),
        };
        self.depth -= 1;
        Ok(test)
    }

    fn list(&mut self) -> Parsed<Vec<usize>> {
        let mut chains = Vec::new();
        loop {
            chains.push(self.chain(false)?.0);
            if !self.scan.eat(",") {
                return Ok(chains);
            }
        }
    }

    fn relatives(&mut self) -> Parsed<Vec<usize>> {
        if std::mem::replace(&mut self.in_has, true) {
            return self.scan.error(":has cannot be inside :has");
        }
        let mut relatives = Vec::new();
        loop {
            self.scan.spaces();
            let combinator = self.combinator().unwrap_or(Combinator::Descendant);
            let compound = self.compound(false, &mut Output::Element)?;
            self.scan.spaces();
            if !matches!(self.scan.peek(), Some(',' | ')')) {
                return self
                    .scan
                    .error(":has takes simple selectors, each with at most one combinator before it");
            }
            if self.selector.relatives.len() >= MOST_RELATIVES {
                return self.scan.error("too many selectors inside :has");
            }
            let chain = self.add(Chain { links: vec![(Combinator::Descendant, compound)] })?;
            self.selector.relatives.push(Relative { combinator, chain });
            relatives.push(self.selector.relatives.len() - 1);
            if !self.scan.eat(",") {
                self.in_has = false;
                return Ok(relatives);
            }
        }
    }

    fn nth(&mut self, from_end: bool, of_type: bool) -> Parsed<Nth> {
        let Some((step, offset)) = formula(self.scan.formula()) else {
            return self.scan.error("this is no formula like 2n+1");
        };
        let mut of = None;
        if self.scan.eat(" of ") {
            if from_end || of_type {
                return self.scan.error("only :nth-child knows `of`");
            }
            of = Some((self.counters, self.list()?));
            self.counters += 1;
        }
        Ok(Nth { step, offset, from_end, of_type, of })
    }
}

fn starts_name(char: char) -> bool {
    char.is_ascii_alphabetic() || matches!(char, '_' | '-' | '\\') || !char.is_ascii()
}

impl Selector {
    /// How many counters `of S` needs.
    pub(super) fn counters(&self) -> usize {
        self.tests().filter(|test| matches!(test, Test::Nth(Nth { of: Some(_), .. }))).count()
    }

    pub(super) fn tests(&self) -> impl Iterator<Item = &Test> {
        self.chains.iter().flat_map(|chain| &chain.links).flat_map(|(_, compound)| &compound.tests)
    }
}

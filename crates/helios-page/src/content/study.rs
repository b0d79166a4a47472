//! What the model learns from: the numbers of every block, and the names on elements. Only training reads it.

use super::features::{self, Row};
use super::hints::hints;
use super::model::model;
use super::names::{Lookup, Names, look, of_tag};
use super::outline::{Namer, Said, Worth};
use super::page::page;
use super::walk::outline;
use super::words::of_names;
use crate::html::{Tag, Tree};

#[derive(Default, Debug)]
pub struct Study {
    pub names: Vec<&'static str>,
    pub rows: Vec<f32>,
    pub texts: Vec<String>,
    /// Of each block: its element, its group of the same path, of the same look.
    pub blocks: Vec<[u32; 3]>,
    /// Of each element: parent, depth, where its name words end.
    pub elements: Vec<[u32; 3]>,
    pub words: Vec<u32>,
}

struct Notes {
    /// Without what was learned: a study needs no model.
    known: Names,
    words: Vec<u32>,
    ends: Vec<u32>,
}

impl Namer for Notes {
    fn begin(&mut self) {}

    fn tag(&mut self, _: Tag, name: &str) {
        self.words.push(of_tag(name));
    }

    fn class(&mut self, value: &str) -> Said {
        Said { inside: self.value(value), look: look(value) }
    }

    fn value(&mut self, value: &str) -> u32 {
        let mut inside = 0;
        of_names(value, |name| {
            inside |= self.known.inside(name);
            self.words.push(name);
        });
        inside
    }

    fn worth(&mut self) -> Worth {
        self.ends.push(self.words.len() as u32);
        Worth::default()
    }
}

struct Named<'s> {
    names: Option<&'s mut Vec<&'static str>>,
    rows: &'s mut Vec<f32>,
}

impl Row for Named<'_> {
    fn put(&mut self, name: &'static str, value: f32) {
        if let Some(names) = &mut self.names {
            names.push(name);
        }
        self.rows.push(value);
    }
}

/// What the model that is shipped thinks: probabilities of the first look, of the kinds, of the second look.
pub fn looks(tree: &Tree<'_>, address: Option<&str>) -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    let hints = hints(tree, address);
    let (outline, _) = outline(tree, None, Lookup::new(&model().names));
    let page = page(&outline, &hints);
    let look = super::look::look(&page);
    (look.first, look.kinds, look.second)
}

/// Reads a page for training.
pub fn study(tree: &Tree<'_>, address: Option<&str>) -> Study {
    let mut study = Study::default();
    let hints = hints(tree, address);
    let (outline, notes) =
        outline(tree, None, Notes { known: Names::new(&[]), words: Vec::new(), ends: Vec::new() });
    let page = page(&outline, &hints);
    for (at, block) in outline.blocks.iter().enumerate() {
        let names = (at == 0).then_some(&mut study.names);
        features::row(&page, at, &mut Named { names, rows: &mut study.rows });
        study.texts.push(outline.text_of(block).to_owned());
        study.blocks.push([block.element, page.paths.number(at) as u32, page.looks.number(at) as u32]);
    }
    let mut start = 0;
    for (element, end) in outline.elements.iter().zip(std::iter::once(0).chain(notes.ends)) {
        if !outline.is_wide(element) {
            study.words.extend(notes.words.get(start as usize..end as usize).unwrap_or_default());
        }
        start = end;
        study.elements.push([element.parent, u32::from(element.depth), study.words.len() as u32]);
    }
    study
}

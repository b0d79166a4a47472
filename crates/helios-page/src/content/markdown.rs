//! The kept blocks as markdown: headings, lists, quotes, fenced code, pipe tables, images.

use super::inline;
use super::kind::{self, inside};
use super::outline::{Block, Outline};
use super::shown::Shown;
use crate::html::{NodeId, Tag, Tree};

/// Lists and quotes deeper than this are written as if they were this deep.
const DEEPEST: usize = 12;

struct Writer<'o, 't> {
    tree: &'t Tree<'t>,
    only: Option<&'o Shown>,
    outline: &'o Outline,
    out: String,
    /// List items around the last block, outermost first: the element, and how far its text is set in.
    items: Vec<(u32, usize)>,
    /// The last block was an item of a list, with nothing between.
    in_list: bool,
    /// Blocks that were looked at as a table, and were none.
    in_vain: usize,
}

/// After so many blocks that were looked at in vain, none is looked at as a table any more: tables may stand in each other without end.
const IN_VAIN: usize = 1_000_000;

/// Writes the blocks whose numbers are given, in order, without what is not shown.
pub(super) fn markdown(tree: &Tree<'_>, only: Option<&Shown>, outline: &Outline, kept: &[u32]) -> String {
    let mut writer =
        Writer { tree, only, outline, out: String::new(), items: Vec::new(), in_list: false, in_vain: 0 };
    let mut rest = kept;
    let mut images = outline.images.iter().copied().peekable();
    let mut last = None;
    while let Some((&number, after)) = rest.split_first() {
        while let Some((next, image)) = images.next_if(|(next, _)| *next <= number) {
            // An image counts as kept when the blocks before and after it are.
            if next == number && last.is_none_or(|last| last + 1 == number) {
                writer.image(image);
            }
        }
        let used = writer.table(rest).or_else(|| writer.code(rest));
        let used = used.unwrap_or_else(|| {
            writer.block(number);
            1
        });
        last = rest.get(..used).and_then(<[u32]>::last).copied();
        rest = rest.get(used..).unwrap_or(after);
    }
    writer.out.push_str(if writer.out.is_empty() { "" } else { "\n" });
    writer.out
}

impl Writer<'_, '_> {
    fn find(&self, number: u32) -> Option<&Block> {
        self.outline.blocks.get(number as usize)
    }

    fn image(&mut self, node: NodeId) {
        let mut text = String::new();
        inline::image(self.tree, node, &mut text);
        if !text.is_empty() {
            self.paragraph("", "", &text);
        }
    }

    /// Begins a paragraph: a blank line, or only a new line between items of a list.
    fn begin(&mut self, close: bool) {
        if !self.out.is_empty() {
            self.out.push_str(if close { "\n" } else { "\n\n" });
        }
    }

    fn paragraph(&mut self, first: &str, other: &str, text: &str) {
        self.begin(false);
        self.lines(first, other, text);
        self.in_list = false;
    }

    fn lines(&mut self, first: &str, other: &str, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            let before = if number == 0 { first } else { other };
            if number > 0 {
                self.out.push('\n');
            }
            self.out.push_str(if line.is_empty() { before.trim_end() } else { before });
            self.out.push_str(line);
        }
    }

    fn block(&mut self, number: u32) {
        let Some(block) = self.find(number).cloned() else { return };
        let text = block
            .nodes
            .map(|(first, last)| inline::markdown(self.tree, self.only, first, last))
            .unwrap_or_default();
        if text.is_empty() {
            return;
        }
        let quotes = "> ".repeat(self.count(block.element, inside::QUOTE));
        let level = self.level(block.element);
        let text = match level {
            Some(level) => format!("{} {}", "#".repeat(level), text.replace("  \n", " ")),
            None => at_line_start(&text),
        };
        let (marker, indent, new) = self.item(block.element);
        let close = new && self.in_list;
        self.begin(close);
        self.lines(&format!("{quotes}{marker}"), &format!("{quotes}{indent}"), &text);
        self.in_list = !indent.is_empty();
    }

    fn count(&self, element: u32, bit: u32) -> usize {
        self.outline.upwards(element).filter(|(_, above)| above.own & bit != 0).take(DEEPEST).count()
    }

    fn level(&self, element: u32) -> Option<usize> {
        let mut above = self.outline.upwards(element).take(6).map(|(_, above)| above.kind);
        above.find(|kind| (kind::H1..=kind::H6).contains(kind)).map(|kind| usize::from(kind - kind::H1 + 1))
    }

    /// What stands before the first line of a block, before its other lines, and whether an item begins.
    fn item(&mut self, element: u32) -> (String, String, bool) {
        let outline = self.outline;
        let mut items: Vec<u32> = outline
            .upwards(element)
            .filter(|(_, above)| {
                above.own & inside::ITEM != 0 && outline.element(above.parent).own & inside::LIST != 0
            })
            .map(|(at, _)| at)
            .take(DEEPEST)
            .collect();
        items.reverse();
        let same = self.items.iter().zip(&items).take_while(|((old, _), new)| old == *new).count();
        self.items.truncate(same);
        let Some(&innermost) = items.last() else { return (String::new(), String::new(), false) };
        let mut indent = self.items.last().map_or(0, |&(_, indent)| indent);
        let outer = " ".repeat(indent);
        if same == items.len() {
            return (outer.clone(), outer, false);
        }
        // Items around it that wrote nothing get no marker of their own.
        let marker = self.marker(innermost);
        indent += marker.len();
        let before = self.items.last().map_or(0, |&(_, indent)| indent);
        for &item in items.get(same..items.len() - 1).unwrap_or_default() {
            self.items.push((item, before));
        }
        self.items.push((innermost, indent));
        (format!("{outer}{marker}"), " ".repeat(indent), true)
    }

    fn marker(&self, item: u32) -> String {
        let element = self.outline.element(item);
        let list = self.outline.element(element.parent).node;
        let ordered = list.filter(|&list| self.tree.tag(list) == Tag::OL);
        let Some(list) = ordered else { return "- ".to_owned() };
        let start =
            self.tree.attr(list, "start").and_then(|start| start.trim().parse::<u32>().ok()).unwrap_or(1);
        format!("{}. ", start.min(1_000_000) + element.index)
    }

    /// Consecutive blocks of one `pre` as one fence; how many they were.
    fn code(&mut self, kept: &[u32]) -> Option<usize> {
        let outline = self.outline;
        let pre_of = |number: &u32| {
            let block = outline.blocks.get(*number as usize)?;
            outline.upwards(block.element).find(|(_, above)| above.own & inside::PRE != 0).map(|(at, _)| at)
        };
        let pre = pre_of(kept.first()?)?;
        let blocks = kept.iter().take_while(|number| pre_of(number) == Some(pre)).count();
        let texts = kept
            .iter()
            .take(blocks)
            .filter_map(|&number| outline.blocks.get(number as usize))
            .map(|block| outline.text_of(block));
        let text = texts.collect::<Vec<_>>().join("\n");
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let language = self.language(pre).unwrap_or_default();
        let (marker, indent, _) = self.item(pre);
        let quotes = "> ".repeat(self.count(pre, inside::QUOTE));
        self.paragraph(
            &format!("{quotes}{marker}"),
            &format!("{quotes}{indent}"),
            &format!("{fence}{language}\n{text}\n{fence}"),
        );
        Some(blocks)
    }

    /// The language that highlighters write into a class of the `pre`, of the `code` in it or of an element around it.
    fn language(&self, pre: u32) -> Option<String> {
        let node = self.outline.element(pre).node?;
        let inner = self.tree.children(node).find(|&child| self.tree.tag(child) == Tag::CODE);
        let near = inner.into_iter().chain([node]).chain(self.tree.ancestors(node).take(2));
        let mut classes =
            near.filter_map(|node| self.tree.attr(node, "class")).flat_map(str::split_whitespace);
        classes.find_map(|class| {
            let name = ["language-", "lang-", "highlight-source-", "brush:"]
                .into_iter()
                .find_map(|start| class.strip_prefix(start))?;
            let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '.');
            (!name.is_empty() && name.len() < 24 && name.chars().all(fits) && name != "none")
                .then(|| name.to_owned())
        })
    }

    /// Consecutive blocks of one table of data as a pipe table; how many they were. Tables of layout are no tables.
    fn table(&mut self, kept: &[u32]) -> Option<usize> {
        let first = self.cell(*kept.first()?)?;
        if self.in_vain > IN_VAIN {
            return None;
        }
        let cells: Vec<[u32; 4]> = kept
            .iter()
            .map_while(|&number| self.cell(number))
            .take_while(|cell| cell[0] == first[0])
            .collect();
        let rows: Vec<&[[u32; 4]]> = cells.chunk_by(|one, other| one[1] == other[1]).collect();
        let columns = rows.iter().map(|row| row.chunk_by(|one, other| one[2] == other[2]).count()).max()?;
        let words: u32 = cells.iter().filter_map(|cell| self.find(cell[3])).map(|block| block.words).max()?;
        if columns < 2
            || rows.len() < 2
            || columns > 40
            || words > 60
            || cells.len() > rows.len() * columns * 3
        {
            self.in_vain += cells.len();
            return None;
        }
        self.begin(false);
        for (number, row) in rows.iter().enumerate() {
            let texts: Vec<String> =
                row.chunk_by(|one, other| one[2] == other[2]).map(|cell| self.cell_text(cell)).collect();
            self.out.push_str(if number == 0 { "|" } else { "\n|" });
            for column in 0..columns {
                let text = texts.get(column).map_or("", String::as_str);
                self.out.extend([" ", text, " |"]);
            }
            if number == 0 {
                self.out.push_str("\n|");
                self.out.push_str(&" --- |".repeat(columns));
            }
        }
        self.items.clear();
        self.in_list = false;
        Some(cells.len())
    }

    /// Table, row, cell and number of a block that is in a cell.
    fn cell(&self, number: u32) -> Option<[u32; 4]> {
        let block = self.find(number)?;
        let mut above = self.outline.upwards(block.element);
        let (cell, _) = above.find(|(_, element)| element.own & inside::CELL != 0)?;
        let (row, _) = above.next()?;
        let (table, _) = above.find(|(_, element)| element.own & inside::TABLE != 0)?;
        Some([table, row, cell, number])
    }

    fn cell_text(&self, cell: &[[u32; 4]]) -> String {
        let blocks = cell.iter().filter_map(|cell| self.find(cell[3])).filter_map(|block| block.nodes);
        let texts = blocks.map(|(first, last)| inline::markdown(self.tree, self.only, first, last));
        texts.collect::<Vec<_>>().join(" ").replace("  \n", " ").replace('\n', " ").replace('|', "\\|")
    }
}

/// Escapes what only at the start of a line is markup.
fn at_line_start(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let mut after = line.get(digits..).unwrap_or_default().chars();
        let mark = after.next().unwrap_or(' ');
        let blank = after.next().is_none_or(|c| c == ' ');
        let escapes = match mark {
            '#' | '>' => digits == 0,
            '+' | '-' => digits == 0 && (blank || line.starts_with("---")),
            '=' => digits == 0 && line.starts_with("=="),
            '.' | ')' => digits > 0 && digits < 10 && blank,
            _ => false,
        };
        out.push_str(line.get(..digits).unwrap_or_default());
        if escapes {
            out.push('\\');
        }
        out.push_str(line.get(digits..).unwrap_or_default());
    }
    out
}

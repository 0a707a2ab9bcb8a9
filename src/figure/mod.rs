//! Figures: one file per kind, one theme. Plotters draws into an SVG of our own, and PNG is rendered from that same SVG with the
//! bundled fonts, so both are one picture and the same bytes on any machine. Nothing is computed here.

mod axis;
pub mod bars;
mod canvas;
mod font;
pub mod forest;
mod labels;
mod png;
mod svg;
mod theme;

pub use theme::PNG_WIDTH;

use std::collections::BTreeSet;
use std::path::Path;

use crate::error::{Error, Result};
use crate::files;
use crate::model::Warning;

/// A finished figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    title: String,
    description: String,
    svg: String,
}

impl Figure {
    /// The title that stands in the figure.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What the figure shows, in words and numbers: its alternative text.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What to know of the picture: characters that no bundled font has.
    pub fn warnings(&self) -> Vec<Warning> {
        let missing: BTreeSet<char> = self.svg.chars().filter(|c| !c.is_control() && !font::covers(*c)).collect();
        let characters: String = missing.into_iter().collect();
        if characters.is_empty() { Vec::new() } else { vec![Warning::MissingGlyphs { characters }] }
    }

    /// The figure as SVG, with text as text.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// The same picture as PNG, `width` pixels wide.
    ///
    /// # Errors
    /// A width of nothing, or too large for memory.
    pub fn png(&self, width: u32) -> Result<Vec<u8>> {
        png::render(&self.svg, width)
    }

    /// Writes the figure as SVG or PNG, by the ending of the file's name; a PNG is `width` pixels wide.
    ///
    /// # Errors
    /// Another ending, a file that exists (unless `force`), or one that cannot be written.
    pub fn save(&self, path: &Path, width: u32, force: bool) -> Result<()> {
        match Self::check_target(path, force)? {
            Format::Svg => files::write(path, self.svg.as_bytes(), force),
            Format::Png => files::write(path, &self.png(width)?, force),
        }
    }

    /// Whether a figure could be written there, before any work is done for it.
    pub(crate) fn check_target(path: &Path, force: bool) -> Result<Format> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let format = match ending.as_str() {
            "svg" => Format::Svg,
            "png" => Format::Png,
            _ => {
                return Err(Error::input(
                    format!("{} names no figure format", path.display()),
                    "end the file's name in .svg or .png",
                ));
            }
        };
        if path.exists() && !force { Err(Error::exists(path)) } else { Ok(format) }
    }
}

/// The formats of a figure file.
pub(crate) enum Format {
    Svg,
    Png,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::comparison::{Comparing, compare};
    use crate::analysis::{Scope, summary::summarise};
    use crate::language::Lang;

    fn attribute(element: &str, name: &str) -> Option<f64> {
        let (_, rest) = element.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()?.parse().ok()
    }

    /// Every shape, and every text with the width that it has in the bundled fonts, must lie on the paper.
    fn assert_on_paper(figure: &Figure) {
        let mut lines = figure.svg().lines();
        let paper = lines.next().expect("an element");
        let (width, height) =
            (attribute(paper, "width").expect("a width"), attribute(paper, "height").expect("a height"));
        let inside = |x: f64, y: f64, what: &str| {
            let right = (-0.5..=width + 0.5).contains(&x) && (-0.5..=height + 0.5).contains(&y);
            assert!(right, "{x}, {y} is off the paper of {width} × {height}: {what}");
        };
        for element in lines.filter(|line| line.starts_with('<')) {
            let at = |x: &str, y: &str| Some((attribute(element, x)?, attribute(element, y)?));
            for (x, y) in [at("x", "y"), at("x1", "y1"), at("x2", "y2"), at("cx", "cy")].into_iter().flatten() {
                inside(x, y, element);
            }
            if let (Some((x, y)), Some((w, h))) = (at("x", "y"), at("width", "height")) {
                inside(x + w, y + h, element);
            }
            if let Some((_, points)) = element.split_once("points=\"") {
                for point in points.split('"').next().unwrap_or_default().split(' ') {
                    let (x, y) = point.split_once(',').expect("a pair");
                    inside(x.parse().expect("a number"), y.parse().expect("a number"), element);
                }
            }
            if element.starts_with("<text") {
                let (tag, content) = element.trim_end_matches("</text>").split_once('>').expect("a text");
                let content =
                    content.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
                let (x, y) = at("x", "y").expect("a place");
                let size = attribute(tag, "font-size").expect("a size");
                let length = font::width(&content, size, tag.contains("font-weight"));
                let start = if tag.contains("\"end\"") {
                    x - length
                } else if tag.contains("\"middle\"") {
                    x - length / 2.0
                } else {
                    x
                };
                inside(start, y - size * font::CAP_HEIGHT, element);
                inside(start + length, y, element);
            }
        }
    }

    #[test]
    fn nothing_leaves_the_paper_whatever_the_data() {
        let table = |rows: String| format!("cipher,accelerator,rps\n{rows}");
        let mut tables = vec![
            include_str!("../../data/examples/replicated.csv").to_owned(),
            "accelerator,rps\nnone,1e-12\nkae,1e15\n".to_owned(),
            "accelerator,rps\nnone,1e-12\nnone,1e15\nkae,1e15\nkae,1e-12\n".to_owned(),
            "accelerator,rps\nnone,5\nkae,5\n".to_owned(),
            "accelerator,rps\nnone,1\nnone,1000\nkae,1\nkae,1000\n".to_owned(),
            "accelerator,workers,rps\nnone,1,1\nnone,1,90\nkae,1,1\nkae,1,70\nnone,4,5\nnone,4,6\nkae,4,5\nkae,4,7\n"
                .to_owned(),
        ];
        for categories in [2, 8, 64] {
            let row = |index: usize| {
                let name = format!("a very long name of a configuration number {index}");
                format!("{name},none,{}\n{name},kae,{}\n", 100 + index, 300 + 7 * index)
            };
            tables.push(table((0..categories).map(row).collect()));
        }
        let word = "x".repeat(200);
        let chinese = "鲲鹏处理器的加密套件名称特别长".repeat(4);
        tables.push(table(format!("{word},none,1\n{word},kae,2\n{chinese},none,1\n{chinese},kae,3\n")));
        let factors: String = (0..16)
            .map(|n| {
                format!(
                    "Kunpeng 920 7280Z,{},{},name-{n},{}\n",
                    n % 4,
                    if n % 2 == 0 { "none" } else { "kae" },
                    100 + n
                )
            })
            .collect();
        tables.push(format!("cpu,workers_per_node,accelerator,rack,rps\n{factors}"));
        for table in &tables {
            let runs = crate::ingest::read_bytes(table.as_bytes(), "test").expect("the table is right");
            for lang in [Lang::En, Lang::Zh] {
                let summary = summarise(&runs, &Scope::default()).expect("cells");
                assert_on_paper(&bars::bars(&summary, lang));
                if let Ok(comparison) = compare(&runs, &Comparing::speedup()) {
                    assert_on_paper(&forest::forest(&comparison, lang));
                }
            }
        }
    }
}

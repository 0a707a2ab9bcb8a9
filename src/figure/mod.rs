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

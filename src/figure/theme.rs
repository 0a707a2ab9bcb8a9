//! Sizes and colours of every figure, in one place.
//!
//! A figure is 520 units wide. At 8 cm in a paper its text is 6.2 to 7.5 points high, at 1600 pixels 42 to 52 pixels.

use plotters::style::RGBColor;

/// Width of a figure, in units.
pub const WIDTH: f64 = 520.0;
/// Pixels that a PNG is wide unless asked otherwise: 508 dpi at 8 cm, 1:1 on a large screen.
pub const PNG_WIDTH: u32 = 1600;
/// Free space around a figure.
pub const MARGIN: f64 = 12.0;
/// Space between neighbouring things.
pub const GAP: f64 = 8.0;
/// Distance of two lines of text, as a multiple of its size.
pub const LEADING: f64 = 1.3;

/// Size of the title.
pub const TITLE: f64 = 17.0;
/// Size of labels and values.
pub const LABEL: f64 = 14.5;
/// Size of ticks, conditions and captions.
pub const SMALL: f64 = 13.5;

/// A colour and what it is for. Where the SVG is shown in a page, the page may restyle the classes `fill-NAME` and
/// `line-NAME`, for example for a dark background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ink {
    /// Name in the classes of the SVG.
    pub name: &'static str,
    /// The colour on white.
    pub colour: RGBColor,
}

/// Background.
pub const PAPER: Ink = Ink { name: "paper", colour: RGBColor(255, 255, 255) };
/// Text, whiskers, axis lines. 15:1 on white.
pub const TEXT: Ink = Ink { name: "text", colour: RGBColor(31, 35, 40) };
/// Captions and ticks. 6.4:1 on white.
pub const MUTED: Ink = Ink { name: "muted", colour: RGBColor(87, 96, 106) };
/// Grid.
pub const GRID: Ink = Ink { name: "grid", colour: RGBColor(221, 225, 230) };

/// Levels of the coloured factor: the first (no accelerator) is grey, the others are apart for colour-blind readers
/// (after Okabe and Ito) and differ in lightness, so that they survive greyscale.
pub const SERIES: [Ink; 6] = [
    Ink { name: "s0", colour: RGBColor(152, 160, 168) },
    Ink { name: "s1", colour: RGBColor(0, 92, 158) },
    Ink { name: "s2", colour: RGBColor(213, 94, 0) },
    Ink { name: "s3", colour: RGBColor(0, 140, 105) },
    Ink { name: "s4", colour: RGBColor(180, 95, 150) },
    Ink { name: "s5", colour: RGBColor(90, 60, 20) },
];

/// The ink of the n-th level. Levels beyond the palette share the last ink; every bar and point bears its own label.
pub fn series(index: usize) -> Ink {
    SERIES[index.min(SERIES.len() - 1)]
}

/// The ink that a colour belongs to.
pub fn ink(colour: (u8, u8, u8)) -> Option<Ink> {
    [PAPER, TEXT, MUTED, GRID]
        .into_iter()
        .chain(SERIES)
        .find(|ink| (ink.colour.0, ink.colour.1, ink.colour.2) == colour)
}

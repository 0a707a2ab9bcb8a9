//! Drawing in units of the theme, on top of plotters.

use std::convert::Infallible;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, Drawable, PathElement, PointCollection, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, RGBAColor, ShapeStyle, TextStyle};

use super::axis::Axis;
use super::svg::{SCALE, SvgBackend};
use super::theme::{self, Ink};
use super::{Figure, font};

/// A figure in the making. Everything is in units, from the top left corner.
pub struct Canvas<'a> {
    area: DrawingArea<SvgBackend<'a>, Shift>,
}

/// How a text stands at its point.
#[derive(Clone, Copy)]
pub struct Type {
    /// Size in units.
    pub size: f64,
    /// Colour.
    pub ink: Ink,
    /// Semi-bold.
    pub bold: bool,
    /// Which side of the text the point is at.
    pub side: HPos,
}

impl Type {
    pub const LABEL: Self = Self { size: theme::LABEL, ink: theme::TEXT, bold: false, side: HPos::Left };
    pub const TITLE: Self = Self { size: theme::TITLE, ink: theme::TEXT, bold: true, side: HPos::Left };
    pub const SMALL: Self = Self { size: theme::SMALL, ink: theme::MUTED, bold: false, side: HPos::Left };

    pub fn right(self) -> Self {
        Self { side: HPos::Right, ..self }
    }

    pub fn centred(self) -> Self {
        Self { side: HPos::Center, ..self }
    }

    pub fn width(self, text: &str) -> f64 {
        font::width(text, self.size, self.bold)
    }

    pub fn wrap(self, text: &str, limit: f64) -> Vec<String> {
        font::wrap(text, self.size, self.bold, limit)
    }

    pub fn line_height(self) -> f64 {
        self.size * theme::LEADING
    }
}

fn tenths(value: f64) -> i32 {
    (value * SCALE).round() as i32
}

fn point((x, y): (f64, f64)) -> (i32, i32) {
    (tenths(x), tenths(y))
}

impl<'a> Canvas<'a> {
    /// Draws a figure of that height on paper.
    pub fn figure(title: &str, description: &str, height: f64, draw: impl FnOnce(&Canvas)) -> Figure {
        let mut svg = String::new();
        {
            let size = (theme::WIDTH, height.ceil());
            let canvas = Canvas { area: SvgBackend::open(&mut svg, size, title, description).into_drawing_area() };
            canvas.rectangle((0.0, 0.0), size, theme::PAPER, 1.0);
            draw(&canvas);
            let presented: Result<(), _> = canvas.area.present();
            debug_assert!(presented.is_ok(), "writing to a string cannot fail");
        }
        Figure { title: title.to_owned(), description: description.to_owned(), svg }
    }

    fn draw<'e, E>(&self, element: &'e E)
    where
        E: Drawable<SvgBackend<'a>>,
        &'e E: PointCollection<'e, (i32, i32)>,
    {
        let drawn: Result<(), plotters::drawing::DrawingAreaErrorKind<Infallible>> = self.area.draw(element);
        debug_assert!(drawn.is_ok(), "writing to a string cannot fail");
    }

    /// A text whose capitals are centred on `y`.
    pub fn text(&self, at: (f64, f64), text: &str, style: Type) {
        let weight = if style.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = (font::FAMILY, style.size * SCALE, weight);
        let style = TextStyle::from(font).color(&style.ink.colour).pos(Pos::new(style.side, VPos::Center));
        self.draw(&Text::new(text.to_owned(), point(at), style));
    }

    /// Lines of text below `y`; gives the `y` below them.
    pub fn lines(&self, (x, y): (f64, f64), lines: &[String], style: Type) -> f64 {
        for (index, line) in lines.iter().enumerate() {
            self.text((x, y + style.line_height() * (index as f64 + 0.5)), line, style);
        }
        y + style.line_height() * lines.len() as f64
    }

    pub fn line(&self, from: (f64, f64), to: (f64, f64), ink: Ink, width: f64) {
        let style = ShapeStyle { color: ink.colour.to_rgba(), filled: false, stroke_width: tenths(width) as u32 };
        self.draw(&PathElement::new(vec![point(from), point(to)], style));
    }

    pub fn rectangle(&self, from: (f64, f64), to: (f64, f64), ink: Ink, opacity: f64) {
        let style = ShapeStyle { color: ink.colour.mix(opacity), filled: true, stroke_width: 0 };
        self.draw(&Rectangle::new([point(from), point(to)], style));
    }

    pub fn frame(&self, from: (f64, f64), to: (f64, f64), ink: Ink, width: f64) {
        let style = ShapeStyle { color: ink.colour.to_rgba(), filled: false, stroke_width: tenths(width) as u32 };
        self.draw(&Rectangle::new([point(from), point(to)], style));
    }

    pub fn disc(&self, centre: (f64, f64), radius: f64, ink: Ink) {
        let style = ShapeStyle { color: ink.colour.to_rgba(), filled: true, stroke_width: 0 };
        self.draw(&Circle::new(point(centre), tenths(radius), style));
    }

    pub fn ring(&self, centre: (f64, f64), radius: f64, ink: Ink, width: f64) {
        let style = ShapeStyle { color: ink.colour.to_rgba(), filled: false, stroke_width: tenths(width) as u32 };
        self.draw(&Circle::new(point(centre), tenths(radius), style));
    }

    pub fn polygon(&self, corners: &[(f64, f64)], ink: Ink) {
        let colour: RGBAColor = ink.colour.to_rgba();
        self.draw(&Polygon::new(corners.iter().copied().map(point).collect::<Vec<_>>(), colour));
    }

    /// A horizontal whisker with caps, or with an arrowhead where it goes on beyond the axis.
    pub fn whisker(&self, axis: &Axis, (low, high): (f64, f64), y: f64, cap: f64) {
        self.line((axis.at(low), y), (axis.at(high), y), theme::TEXT, 1.4);
        for (value, outward) in [(low, -1.0), (high, 1.0)] {
            let x = axis.at(value);
            if axis.is_beyond(value) {
                let back = x - outward * cap * 1.4;
                self.polygon(&[(x, y), (back, y - cap), (back, y + cap)], theme::TEXT);
            } else {
                self.line((x, y - cap), (x, y + cap), theme::TEXT, 1.4);
            }
        }
    }
}

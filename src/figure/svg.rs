//! The SVG that plotters draws into.
//!
//! Plotters' own SVG back end writes whole pixels, guesses baselines and rescales fonts. This one writes tenths of a unit (plotters
//! sees ten times the size), puts text where the measured font says, names colours by class so that a page can restyle
//! them, and carries title and description for screen readers.

use std::convert::Infallible;
use std::fmt::Write;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle,
};

use super::{font, theme};

/// Plotters' pixels in one unit.
pub const SCALE: f64 = 10.0;

/// An SVG in the making.
pub struct SvgBackend<'a> {
    out: &'a mut String,
    size: (u32, u32),
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Text that stands for itself in XML. Control characters, which XML cannot hold, are left out.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars().filter(|c| !c.is_control()) {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(character),
        }
    }
    out
}

impl<'a> SvgBackend<'a> {
    /// Opens an SVG of that size in units.
    pub fn open(out: &'a mut String, (width, height): (f64, f64), title: &str, description: &str) -> Self {
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" font-family=\"{}\">\n<title>{}</title>\n<desc>{}</desc>\n",
            font::STACK,
            escape(title),
            escape(description)
        );
        Self { out, size: ((width * SCALE) as u32, (height * SCALE) as u32) }
    }

    fn element(&mut self, text: std::fmt::Arguments) -> Drawn {
        // Writing into a String cannot fail.
        let _ = self.out.write_fmt(text);
        self.out.push('\n');
        Ok(())
    }
}

/// Tenths without needless zeros: `12`, `12.5`.
fn number(value: i32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let (whole, tenth) = (value.unsigned_abs() / 10, value.unsigned_abs() % 10);
    if tenth == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{tenth}") }
}

/// `class="fill-text" fill="#1f2328"`, with an opacity where it is not 1.
fn paint(property: &str, color: BackendColor) -> String {
    let (red, green, blue) = color.rgb;
    let class = theme::ink(color.rgb).map_or_else(String::new, |ink| {
        format!("class=\"{}-{}\" ", if property == "fill" { "fill" } else { "line" }, ink.name)
    });
    let opacity = if color.alpha < 1.0 { format!(" {property}-opacity=\"{}\"", color.alpha) } else { String::new() };
    format!("{class}{property}=\"#{red:02x}{green:02x}{blue:02x}\"{opacity}")
}

fn stroke<S: BackendStyle>(style: &S) -> String {
    format!("{} stroke-width=\"{}\" fill=\"none\"", paint("stroke", style.color()), number(style.stroke_width() as i32))
}

impl DrawingBackend for SvgBackend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        self.element(format_args!("</svg>"))
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        let paint = paint("fill", color);
        self.element(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"0.1\" height=\"0.1\" {paint}/>",
            number(x),
            number(y)
        ))
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
        self.element(format_args!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" {}/>", stroke(style)))
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S, fill: bool) -> Drawn {
        let [x, y, width, height] = [from.0, from.1, to.0 - from.0, to.1 - from.1].map(number);
        let paint = if fill { paint("fill", style.color()) } else { stroke(style) };
        self.element(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {paint}/>"))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        let points: Vec<String> = path.into_iter().map(|(x, y)| format!("{},{}", number(x), number(y))).collect();
        match points.as_slice() {
            // Two points are a line, which every viewer draws crisper.
            [] | [_] => Ok(()),
            points => self.element(format_args!("<polyline points=\"{}\" {}/>", points.join(" "), stroke(style))),
        }
    }

    fn draw_circle<S: BackendStyle>(&mut self, (x, y): BackendCoord, radius: u32, style: &S, fill: bool) -> Drawn {
        let paint = if fill { paint("fill", style.color()) } else { stroke(style) };
        self.element(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {paint}/>",
            number(x),
            number(y),
            number(radius as i32)
        ))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, corners: I, style: &S) -> Drawn {
        let points: Vec<String> = corners.into_iter().map(|(x, y)| format!("{},{}", number(x), number(y))).collect();
        self.element(format_args!("<polygon points=\"{}\" {}/>", points.join(" "), paint("fill", style.color())))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        let anchor = match style.anchor().h_pos {
            HPos::Left => "",
            HPos::Center => " text-anchor=\"middle\"",
            HPos::Right => " text-anchor=\"end\"",
        };
        // Text is placed by its capital letters, which is where the eye sees it.
        let cap = style.size() * font::CAP_HEIGHT;
        let baseline = y + match style.anchor().v_pos {
            VPos::Top => cap.round() as i32,
            VPos::Center => (cap / 2.0).round() as i32,
            VPos::Bottom => 0,
        };
        let weight = if matches!(style.style(), FontStyle::Bold) { " font-weight=\"600\"" } else { "" };
        self.element(format_args!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{weight}{anchor} {}>{}</text>",
            number(x),
            number(baseline),
            number(style.size().round() as i32),
            paint("fill", style.color()),
            escape(text)
        ))
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let bold = matches!(style.style(), FontStyle::Bold);
        Ok((font::width(text, style.size(), bold).ceil() as u32, (style.size() * font::CAP_HEIGHT).ceil() as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths() {
        assert_eq!([0, 5, -5, 10, 125, -120].map(number), ["0", "0.5", "-0.5", "1", "12.5", "-12"]);
    }

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(escape("</text><script>\"&\u{0}\n"), "&lt;/text&gt;&lt;script&gt;&quot;&amp;");
    }
}

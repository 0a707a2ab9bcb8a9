//! SVG to PNG with the bundled fonts and no others.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

use super::font;
use crate::error::{Error, Result};

/// The widest PNG; beyond it a slip of the keyboard is likelier than a poster.
const WIDEST: u32 = 20_000;

pub fn render(svg: &str, width: u32) -> Result<Vec<u8>> {
    static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
        let mut fonts = fontdb::Database::new();
        for file in font::FILES {
            fonts.load_font_source(fontdb::Source::Binary(Arc::new(file)));
        }
        Arc::new(fonts)
    });
    if width == 0 || width > WIDEST {
        return Err(Error::input(format!("a width of {width} pixels"), format!("ask for 1 to {WIDEST} pixels")));
    }
    let broken =
        |what: String| Error::input(format!("the figure could not be rendered: {what}"), "report this with the input");
    let options =
        usvg::Options { font_family: font::FAMILY.to_owned(), fontdb: Arc::clone(&FONTS), ..usvg::Options::default() };
    // What no font has would be left out without a trace.
    let svg: String = svg.chars().map(|c| if c.is_control() || font::covers(c) { c } else { '□' }).collect();
    let tree = usvg::Tree::from_str(&svg, &options).map_err(|error| broken(error.to_string()))?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    let mut pixels =
        Pixmap::new(width, height).ok_or_else(|| broken(format!("{width} × {height} pixels do not fit in memory")))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| broken(error.to_string()))
}

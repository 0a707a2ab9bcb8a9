//! The bundled fonts, and how wide a text is in them.

use std::sync::LazyLock;

use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider};

/// Inter for Latin, Noto Sans CJK SC (all of GB 2312) behind it.
pub const FILES: [&[u8]; 3] = [
    include_bytes!("fonts/Inter-Regular-Latin.otf"),
    include_bytes!("fonts/Inter-SemiBold-Latin.otf"),
    include_bytes!("fonts/NotoSansCJKsc-Regular-GB2312.otf"),
];

/// Family of the Latin font, as its name table has it.
pub const FAMILY: &str = "Inter";

/// Families for viewers that lack the bundled fonts.
pub const STACK: &str = "Inter, 'Noto Sans CJK SC', 'Noto Sans SC', 'PingFang SC', 'Microsoft YaHei', 'Segoe UI', Helvetica, Arial, sans-serif";

/// Height of a capital letter as a share of the font size.
pub const CAP_HEIGHT: f64 = 0.727;

struct Face {
    characters: Charmap<'static>,
    advances: GlyphMetrics<'static>,
    units: f64,
}

impl Face {
    fn load(file: &'static [u8]) -> Option<Self> {
        let font = FontRef::new(file).ok()?;
        let location = LocationRef::default();
        Some(Self {
            characters: font.charmap(),
            advances: font.glyph_metrics(Size::unscaled(), location),
            units: f64::from(font.metrics(Size::unscaled(), location).units_per_em),
        })
    }

    fn advance(&self, character: char) -> Option<f64> {
        let glyph = self.characters.map(character)?;
        Some(f64::from(self.advances.advance_width(glyph)?) / self.units)
    }
}

static FACES: LazyLock<[Option<Face>; 3]> = LazyLock::new(|| FILES.map(Face::load));

/// Whether a bundled font has the character.
pub fn covers(character: char) -> bool {
    FACES.iter().flatten().any(|face| face.characters.map(character).is_some())
}

/// Width of a text in units. A character that no bundled font has counts as a full square.
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let order = if bold { [1, 2] } else { [0, 2] };
    let advance = |character| order.iter().find_map(|&face| FACES[face].as_ref()?.advance(character)).unwrap_or(1.0);
    text.chars().map(advance).sum::<f64>() * size
}

/// Breaks a text into lines of at most `limit` units: after spaces and the joints of names, between Chinese characters, and inside a word only if
/// it is longer than a line.
pub fn wrap(text: &str, size: f64, bold: bool, limit: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for piece in pieces(text) {
        if width(&format!("{line}{}", piece.trim_end()), size, bold) <= limit {
            line.push_str(piece);
            continue;
        }
        if !line.trim().is_empty() {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
        line.clear();
        for character in piece.chars() {
            if !line.is_empty()
                && width(&line, size, bold) + width(&character.to_string(), size, bold) > limit
                && character != ' '
            {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    if !line.trim().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Words with the space or joint after them; a Chinese character is a word, and takes closing punctuation along.
pub fn pieces(text: &str) -> Vec<&str> {
    let wide = |c: char| c >= '\u{2e80}';
    let closing = |c: char| "，。；：、）》”！？…".contains(c);
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut previous: Option<char> = None;
    for (at, character) in text.char_indices() {
        let breakable = previous.is_some_and(|previous| {
            matches!(previous, ' ' | '_' | '-' | '/') && character != ' '
                || (wide(previous) || wide(character)) && !closing(character) && !"（《“".contains(previous)
        });
        if breakable {
            pieces.push(&text[start..at]);
            start = at;
        }
        previous = Some(character);
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_widths() {
        assert!((width("鲲鹏", 10.0, false) - 20.0).abs() < 1e-9);
        assert!(width("il", 10.0, false) < width("MW", 10.0, false));
        assert!(width("requests", 10.0, true) > width("requests", 10.0, false));
    }

    #[test]
    fn lines_break_at_spaces_and_between_chinese_characters() {
        assert_eq!(wrap("one two three", 10.0, false, 50.0), ["one two", "three"]);
        assert_eq!(wrap("每秒请求数。", 10.0, false, 30.0), ["每秒请", "求数。"].map(str::to_owned).to_vec());
    }

    proptest! {
        #[test]
        fn wrapping_loses_no_character(text in "[a-z 鲲鹏，。]{0,60}", limit in 20.0..200.0f64) {
            let joined: String = wrap(&text, 10.0, false, limit).concat();
            let bare = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            prop_assert_eq!(bare(&joined), bare(&text));
        }
    }
}

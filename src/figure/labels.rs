//! The parts that all figures share: title and conditions above, caption below, and columns of labels at the left, outer
//! levels written once.

use super::canvas::{Canvas, Type};
use super::theme::{GAP, GRID, MARGIN, MUTED, SMALL, WIDTH};
use crate::language::{Lang, text};

/// Space between two columns of labels.
const BETWEEN: f64 = 12.0;
/// Space between two rows.
const ROW_GAP: f64 = 6.0;

/// Wrapped text above and below a figure.
pub struct Frame {
    title: Vec<String>,
    conditions: Vec<String>,
    caption: Vec<String>,
    /// Where the space between them starts.
    pub top: f64,
}

impl Frame {
    pub fn new(lang: Lang, title: &str, conditions: &[String], caption: &[String]) -> Self {
        let inner = WIDTH - 2.0 * MARGIN;
        let title = title_type(title).wrap(title, inner);
        let conditions = wrap_items(conditions, &text(lang, "comma", &[]), inner);
        let caption = caption.iter().flat_map(|sentence| Type::SMALL.wrap(sentence, inner)).collect();
        let top = MARGIN
            + title.len() as f64 * Type::TITLE.line_height()
            + conditions.len() as f64 * Type::SMALL.line_height()
            + GAP;
        Self { title, conditions, caption, top }
    }

    /// The height of a figure whose middle ends at `bottom`.
    pub fn height(&self, bottom: f64) -> f64 {
        bottom + GAP + self.caption.len() as f64 * Type::SMALL.line_height() + MARGIN
    }

    pub fn draw(&self, canvas: &Canvas, bottom: f64) {
        let below_title = canvas.lines((MARGIN, MARGIN), &self.title, title_type(&self.title.concat()));
        canvas.lines((MARGIN, below_title), &self.conditions, Type::SMALL);
        canvas.lines((MARGIN, bottom + GAP), &self.caption, Type::SMALL);
    }
}

/// Semi-bold, unless it holds Chinese, of which only the regular weight is bundled: half a bold title looks like a slip.
fn title_type(title: &str) -> Type {
    Type { bold: title.chars().all(|c| c < '\u{2e80}'), ..Type::TITLE }
}

/// Lines of items that stay whole, unless one is longer than a line.
fn wrap_items(items: &[String], comma: &str, limit: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let item = if index + 1 < items.len() { format!("{item}{comma}") } else { item.clone() };
        match lines.last_mut() {
            Some(line) if Type::SMALL.width(&format!("{line}{}", item.trim_end())) <= limit => line.push_str(&item),
            _ => lines.extend(
                Type::SMALL
                    .wrap(&item, limit)
                    .into_iter()
                    .map(|line| line + if comma.ends_with(' ') { " " } else { "" }),
            ),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Rows of labels. A label that repeats the one above it, in a row whose outer labels repeat too, is not written again.
pub struct Labels {
    headings: Vec<Vec<String>>,
    /// For each row and column: the lines of the label, empty where it repeats.
    cells: Vec<Vec<Vec<String>>>,
    columns: Vec<f64>,
    /// Top of each row.
    tops: Vec<f64>,
    heights: Vec<f64>,
    /// First column that changes in each row.
    changes: Vec<usize>,
    /// Where the space right of the labels starts.
    pub right: f64,
    /// Below the last row.
    pub bottom: f64,
}

impl Labels {
    /// Lays out rows below `top`, headings first, on at most that share of the width.
    pub fn new(headings: &[String], rows: &[Vec<String>], top: f64, share: f64) -> Self {
        let widths = natural_widths(headings, rows, share);
        let mut columns = vec![MARGIN];
        for width in &widths {
            columns.push(columns[columns.len() - 1] + width + BETWEEN);
        }
        let headings: Vec<Vec<String>> =
            headings.iter().zip(&widths).map(|(heading, width)| Type::SMALL.wrap(heading, *width)).collect();
        let mut y = top + headings.iter().map(Vec::len).max().unwrap_or(0) as f64 * Type::SMALL.line_height() + 4.0;

        let (mut cells, mut tops, mut heights, mut changes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (index, row) in rows.iter().enumerate() {
            let above = index.checked_sub(1).map(|above| &rows[above]);
            let change = above.map_or(0, |above| row.iter().zip(above).take_while(|(a, b)| a == b).count());
            let lines: Vec<Vec<String>> = row
                .iter()
                .enumerate()
                .map(|(column, label)| {
                    let limit = columns[column + span(row, column)] - columns[column] - BETWEEN;
                    if column < change { Vec::new() } else { Type::LABEL.wrap(label, limit) }
                })
                .collect();
            let height = Type::LABEL.line_height() * lines.iter().map(Vec::len).max().unwrap_or(1).max(1) as f64;
            // The further out the change, the larger the space before the row.
            let steps = (row.len().saturating_sub(1)).saturating_sub(change) as f64;
            y += if index == 0 { 0.0 } else { ROW_GAP + steps * 5.0 };
            tops.push(y);
            heights.push(height);
            changes.push(change);
            cells.push(lines);
            y += height;
        }
        let right = columns.last().copied().unwrap_or(MARGIN);
        Self { headings, cells, columns, tops, heights, changes, right, bottom: y }
    }

    /// The vertical middle of a row.
    pub fn middle(&self, row: usize) -> f64 {
        // Bars and points stand beside the first line of a wrapped label.
        self.tops[row] + Type::LABEL.line_height().min(self.heights[row]) / 2.0
    }

    pub fn draw(&self, canvas: &Canvas, frame_top: f64) {
        for (heading, x) in self.headings.iter().zip(&self.columns) {
            canvas.lines((*x, frame_top), heading, Type::SMALL);
        }
        let outermost = self.columns.len().saturating_sub(2);
        for (row, cells) in self.cells.iter().enumerate() {
            if row > 0 && self.changes[row] == 0 && outermost > 0 {
                let above = self.tops[row - 1] + self.heights[row - 1];
                let y = f64::midpoint(above, self.tops[row]);
                canvas.line((MARGIN, y), (WIDTH - MARGIN, y), GRID, 1.0);
            }
            for (lines, x) in cells.iter().zip(&self.columns) {
                canvas.lines((*x, self.tops[row]), lines, Type::LABEL);
            }
        }
    }
}

/// How many columns a label may use: its own and the empty ones after it.
fn span(row: &[String], column: usize) -> usize {
    1 + row[column + 1..].iter().take_while(|label| label.is_empty()).count()
}

/// As wide as their longest label, but together at most their share; the widest give way first.
fn natural_widths(headings: &[String], rows: &[Vec<String>], share: f64) -> Vec<f64> {
    let widest = |column: usize| {
        rows.iter().filter(|row| span(row, column) == 1).map(|row| Type::LABEL.width(&row[column])).fold(0.0, f64::max)
    };
    // A heading may wrap at its spaces.
    let heading = |text: &String| text.split(' ').map(|word| Type::SMALL.width(word)).fold(0.0, f64::max);
    let mut widths: Vec<f64> =
        headings.iter().enumerate().map(|(column, text)| widest(column).max(heading(text)) + 1.0).collect();
    let budget = (WIDTH - 2.0 * MARGIN) * share - BETWEEN * widths.len() as f64;
    while widths.iter().sum::<f64>() > budget {
        let Some(index) = (0..widths.len())
            .max_by(|&a, &b| widths[a].total_cmp(&widths[b]))
            .filter(|&index| widths[index] > 3.0 * SMALL)
        else {
            break;
        };
        widths[index] *= 0.95;
    }
    widths
}

/// A vertical grid with the texts of the ticks below it.
pub fn grid(canvas: &Canvas, axis: &super::axis::Axis, (top, bottom): (f64, f64)) {
    for (value, text) in &axis.ticks {
        let x = axis.at(*value);
        canvas.line((x, top), (x, bottom), GRID, 1.0);
        canvas.text((x, bottom + Type::SMALL.line_height() * 0.6), text, Type { ink: MUTED, ..Type::SMALL.centred() });
    }
}

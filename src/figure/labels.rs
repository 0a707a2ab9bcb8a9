//! The parts that all figures share: title and conditions above, caption below, and columns of labels at the left, outer
//! levels written once.

use super::canvas::{Canvas, Type};
use super::font;
use super::theme::{GAP, GRID, MARGIN, MUTED, PAPER, SMALL, WIDTH};
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
/// Where the columns would not fit, the outer ones become headings of groups of rows, across the whole width.
pub struct Labels {
    headings: Vec<Vec<String>>,
    rows: Vec<Row>,
    columns: Vec<f64>,
    /// Where the space right of the labels starts.
    pub right: f64,
    /// Below the last row.
    pub bottom: f64,
}

struct Row {
    /// Lines of the heading of the group that starts here.
    group: Vec<String>,
    /// The lines of each label, empty where it repeats.
    cells: Vec<Vec<String>>,
    /// Whether an outermost group starts here.
    apart: bool,
    /// Top of the group's heading, and of the labels.
    top: f64,
    labels: f64,
    bottom: f64,
}

impl Labels {
    /// Lays out rows below `top`, headings first, on at most that share of the width.
    pub fn new(headings: &[String], rows: &[Vec<String>], top: f64, share: f64) -> Self {
        let budget = (WIDTH - 2.0 * MARGIN) * share;
        let outer = outer_columns(headings, rows, budget);
        let inner: Vec<Vec<String>> = rows.iter().map(|row| row[outer..].to_vec()).collect();
        let widths = widths(&headings[outer..], &inner, budget);
        let mut columns = vec![MARGIN];
        for width in &widths {
            columns.push(columns[columns.len() - 1] + width + BETWEEN);
        }
        let wrapped: Vec<Vec<String>> =
            headings[outer..].iter().zip(&widths).map(|(heading, width)| Type::SMALL.wrap(heading, *width)).collect();
        let mut y = top + wrapped.iter().map(Vec::len).max().unwrap_or(0) as f64 * Type::SMALL.line_height() + 4.0;

        let mut laid: Vec<Row> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let above = index.checked_sub(1).map(|above| &rows[above]);
            let change = above.map_or(0, |above| row.iter().zip(above).take_while(|(a, b)| a == b).count());
            let group = if change < outer { group_heading(&headings[..outer], row) } else { Vec::new() };
            let cells: Vec<Vec<String>> = inner[index]
                .iter()
                .enumerate()
                .map(|(column, label)| {
                    let limit = columns[column + span(&inner[index], column)] - columns[column] - BETWEEN;
                    if outer + column < change { Vec::new() } else { Type::LABEL.wrap(label, limit) }
                })
                .collect();
            // The further out the change, the larger the space before the row.
            let steps = (row.len().saturating_sub(1)).saturating_sub(change) as f64;
            y += if index == 0 { 0.0 } else { ROW_GAP + steps * 5.0 };
            let labels = y + group.len() as f64 * Type::SMALL.line_height();
            let lines = cells.iter().map(Vec::len).max().unwrap_or(1).max(1);
            let bottom = labels + Type::LABEL.line_height() * lines as f64;
            laid.push(Row { group, cells, apart: index > 0 && change == 0 && row.len() > 1, top: y, labels, bottom });
            y = bottom;
        }
        let right = columns.last().copied().unwrap_or(MARGIN);
        Self { headings: wrapped, rows: laid, columns, right, bottom: y }
    }

    /// The vertical middle of a row.
    pub fn middle(&self, row: usize) -> f64 {
        // Bars and points stand beside the first line of a wrapped label.
        self.rows[row].labels + Type::LABEL.line_height() / 2.0
    }

    pub fn draw(&self, canvas: &Canvas, frame_top: f64) {
        for (heading, x) in self.headings.iter().zip(&self.columns) {
            canvas.lines((*x, frame_top), heading, Type::SMALL);
        }
        let mut above = None;
        for row in &self.rows {
            if let Some(above) = above.filter(|_| row.apart) {
                let y = f64::midpoint(above, row.top);
                canvas.line((MARGIN, y), (WIDTH - MARGIN, y), GRID, 1.0);
            }
            if !row.group.is_empty() {
                // Across the grid, which must not run through its letters.
                canvas.rectangle((MARGIN, row.top), (WIDTH - MARGIN, row.labels), PAPER, 1.0);
                canvas.lines((MARGIN, row.top), &row.group, Type::SMALL);
            }
            for (lines, x) in row.cells.iter().zip(&self.columns) {
                canvas.lines((*x, row.labels), lines, Type::LABEL);
            }
            above = Some(row.bottom);
        }
    }
}

/// How many columns a label may use: its own and the empty ones after it.
fn span(row: &[String], column: usize) -> usize {
    1 + row[column + 1..].iter().take_while(|label| label.is_empty()).count()
}

/// "workers 4, mode sync"; a label that spans the columns stands for itself.
fn group_heading(headings: &[String], row: &[String]) -> Vec<String> {
    let named = headings.iter().zip(row).filter(|(_, label)| !label.is_empty());
    let text = if span(row, 0) > 1 {
        row[0].clone()
    } else {
        named.map(|(heading, label)| format!("{heading} {label}")).collect::<Vec<_>>().join(" · ")
    };
    Type::SMALL.wrap(&text, WIDTH - 2.0 * MARGIN)
}

/// The widest label of a column, its heading included, by a measure of a single text.
fn widest(headings: &[String], rows: &[Vec<String>], column: usize, measure: impl Fn(&str, Type) -> f64) -> f64 {
    let labels = rows.iter().filter(|row| span(row, column) == 1).map(|row| measure(&row[column], Type::LABEL));
    // A heading may always wrap at its spaces.
    labels.fold(least_width(&headings[column], Type::SMALL), f64::max) + 1.0
}

/// The narrowest column in which a text stands well: whole if it is short, otherwise on about two lines of whole words.
fn least_width(text: &str, style: Type) -> f64 {
    let whole = style.width(text);
    let pieces = font::pieces(text).into_iter().map(|piece| style.width(piece.trim_end()));
    pieces.fold(whole / 2.0, f64::max).max(whole.min(6.0 * style.size))
}

/// How many columns must become headings of groups so that the others fit without breaking words.
fn outer_columns(headings: &[String], rows: &[Vec<String>], budget: f64) -> usize {
    let least: Vec<f64> =
        (0..headings.len()).map(|column| widest(headings, rows, column, least_width) + BETWEEN).collect();
    (0..headings.len())
        .find(|&outer| least[outer..].iter().sum::<f64>() <= budget)
        .unwrap_or(headings.len().saturating_sub(1))
}

/// As wide as their longest label, but together at most the budget; the widest give way first, and break words last.
fn widths(headings: &[String], rows: &[Vec<String>], budget: f64) -> Vec<f64> {
    let columns = 0..headings.len();
    let least: Vec<f64> = columns.clone().map(|column| widest(headings, rows, column, least_width)).collect();
    let mut widths: Vec<f64> =
        columns.clone().map(|column| widest(headings, rows, column, |text, style| style.width(text))).collect();
    let budget = budget - BETWEEN * widths.len() as f64;
    while widths.iter().sum::<f64>() > budget {
        let wide = |wide: &dyn Fn(usize) -> bool| {
            columns.clone().filter(|&index| wide(index)).max_by(|&a, &b| widths[a].total_cmp(&widths[b]))
        };
        let index =
            wide(&|index| widths[index] * 0.95 >= least[index]).or_else(|| wide(&|index| widths[index] > 3.0 * SMALL));
        let Some(index) = index else { break };
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

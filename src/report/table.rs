//! The one table model. Whatever shows a result (terminal, Markdown, HTML, CSV, frame) shows this, so all show the same
//! numbers: people read the rounded text, machines the full values beside it.

use std::collections::HashSet;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, Width, presets};
use polars::prelude::{DataFrame, Float64Chunked, Int64Chunked, IntoColumn, IntoSeries, StringChunked};
use serde::Serialize;

use super::template;
use crate::error::{Error, Result};
use crate::language::{Lang, text};
use crate::model::{Level, Warning};

/// The widest a table gets on a terminal.
const TERMINAL_WIDTH: u16 = 100;

/// A table of a result.
#[derive(Debug, Clone)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What to know beside it; the marks stand in the rows.
    pub notes: Vec<Note>,
}

/// A column as people see it, and the fields that machines read in its place.
#[derive(Debug, Clone)]
pub struct Column {
    /// Heading; a column without one is for machines only.
    pub title: Option<String>,
    /// Whether it holds numbers, and so stands to the right.
    pub numeric: bool,
    /// Whether its cells stand on one line, whatever the width.
    pub unbroken: bool,
    /// Fields for machines.
    pub fields: Vec<Field>,
}

/// A field for machines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name in CSV and frames.
    pub name: String,
    /// Type.
    pub kind: FieldKind,
}

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Text, or numbers that are labels.
    Level,
    /// A whole number.
    Count,
    /// A number.
    Number,
}

/// A row.
#[derive(Debug, Clone)]
pub struct Row {
    /// One cell per column.
    pub cells: Vec<Cell>,
    /// Whether it sums up the others.
    pub total: bool,
}

/// What people see, and the values of the column's fields.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The text.
    pub shown: String,
    /// The values.
    pub values: Vec<Level>,
}

/// A footnote.
#[derive(Debug, Clone, Serialize)]
pub struct Note {
    /// The mark in the rows that it belongs to; absent if it belongs to the whole table.
    pub mark: Option<usize>,
    /// The stable code of a warning, or the name of what the message is about.
    pub code: String,
    /// The message.
    pub message: String,
}

/// The visible part of a table.
#[derive(Debug, Clone, Serialize)]
pub(super) struct TableView {
    heads: Vec<Head>,
    rows: Vec<RowView>,
    notes: Vec<Note>,
}

#[derive(Debug, Clone, Serialize)]
struct Head {
    title: String,
    numeric: bool,
}

#[derive(Debug, Clone, Serialize)]
struct RowView {
    cells: Vec<String>,
    total: bool,
}

impl Column {
    /// A column of which people and machines see the same.
    pub fn plain(title: String, name: &str, kind: FieldKind) -> Self {
        Self {
            title: Some(title),
            numeric: kind != FieldKind::Level,
            unbroken: kind != FieldKind::Level,
            fields: vec![Field { name: name.to_owned(), kind }],
        }
    }

    /// A column of numbers that stands for several fields.
    pub fn of_fields(title: String, names: &[(&str, FieldKind)]) -> Self {
        let fields = names.iter().map(|(name, kind)| Field { name: (*name).to_owned(), kind: *kind }).collect();
        Self { title: Some(title), numeric: true, unbroken: true, fields }
    }

    /// A column of texts that stands for several fields.
    pub fn of_texts(title: String, names: &[(&str, FieldKind)]) -> Self {
        Self { numeric: false, unbroken: false, ..Self::of_fields(title, names) }
    }

    /// A field that only machines see.
    pub fn hidden(name: &str, kind: FieldKind) -> Self {
        Self { title: None, numeric: false, unbroken: false, fields: vec![Field { name: name.to_owned(), kind }] }
    }
}

impl Cell {
    /// One text for both.
    pub fn text(shown: impl Into<String>) -> Self {
        let shown = shown.into();
        Self { values: vec![Level::Text(shown.clone())], shown }
    }

    /// A shown text that stands for one value.
    pub fn of(shown: impl Into<String>, value: Level) -> Self {
        Self { shown: shown.into(), values: vec![value] }
    }
}

/// The code and message of each warning, and which mark it has. Warnings of rows come first; one that every row has belongs to
/// the whole table, and needs no mark.
pub(crate) fn notes(lang: Lang, of_rows: &[&[Warning]], of_table: &[Warning]) -> Vec<(Option<usize>, Warning, Note)> {
    let everywhere = |warning: &Warning| of_rows.len() > 1 && of_rows.iter().all(|warnings| warnings.contains(warning));
    let mut notes: Vec<(Option<usize>, Warning, Note)> = Vec::new();
    let mut marks = 0;
    for warning in of_rows.iter().copied().flatten() {
        if notes.iter().all(|(_, known, _)| known != warning) {
            let mark = (!everywhere(warning)).then(|| {
                marks += 1;
                marks
            });
            notes.push((mark, warning.clone(), Note::of(lang, mark, warning)));
        }
    }
    notes.extend(of_table.iter().map(|warning| (None, warning.clone(), Note::of(lang, None, warning))));
    notes
}

impl Note {
    fn of(lang: Lang, mark: Option<usize>, warning: &Warning) -> Self {
        Self { mark, code: warning.code().to_owned(), message: warning.message(lang) }
    }
}

impl Table {
    /// A table whose fields all have names of their own: a factor that is called as a field of the result (`ratio`, `low`)
    /// becomes `ratio_factor`.
    pub fn new(title: String, mut columns: Vec<Column>, rows: Vec<Row>, notes: Vec<Note>) -> Self {
        let fits = |row: &Row| {
            let fields = columns.iter().map(|column| column.fields.len());
            row.cells.len() == columns.len() && row.cells.iter().map(|cell| cell.values.len()).eq(fields)
        };
        debug_assert!(rows.iter().all(fits), "every row has a cell for each column, with a value for each field");
        let mut taken = HashSet::new();
        for field in columns.iter_mut().rev().flat_map(|column| column.fields.iter_mut().rev()) {
            while !taken.insert(field.name.clone()) {
                field.name.push_str("_factor");
            }
        }
        Self { title, columns, rows, notes }
    }

    fn visible(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&index| self.columns[index].title.is_some()).collect()
    }

    /// What people see of it, for templates.
    pub(super) fn view(&self) -> TableView {
        let visible = self.visible();
        let head = |column: &Column| Some(Head { title: column.title.clone()?, numeric: column.numeric });
        let row = |row: &Row| RowView {
            cells: visible.iter().map(|&index| row.cells[index].shown.clone()).collect(),
            total: row.total,
        };
        TableView {
            heads: self.columns.iter().filter_map(head).collect(),
            rows: self.rows.iter().map(row).collect(),
            notes: self.notes.clone(),
        }
    }

    /// As a fragment of HTML.
    ///
    /// # Errors
    /// Never for a table that this crate made.
    pub fn to_html(&self, lang: Lang) -> Result<String> {
        template::render(
            lang,
            "fragment.html",
            include_str!("templates/fragment.html"),
            serde_json::json!({ "title": self.title, "table": self.view() }),
        )
    }

    fn titles(&self) -> Vec<String> {
        self.columns.iter().filter_map(|column| column.title.clone()).collect()
    }

    /// For a terminal, at most 100 columns wide.
    pub fn to_terminal(&self, lang: Lang) -> String {
        let visible = self.visible();
        let mut table = comfy_table::Table::new();
        // Lines above, below the header and at the end; the rows themselves stand close.
        let style = TableStyle::new()
            .top_border(LineStyle::none().fill('─').junction('─'))
            .header_separator(LineStyle::none().fill('─').junction('─'))
            .bottom_border(LineStyle::none().fill('─').junction('─'));
        table.load_style(style).set_content_arrangement(ContentArrangement::Dynamic).set_width(TERMINAL_WIDTH);
        table.set_header(self.titles());
        for row in &self.rows {
            table.add_row(visible.iter().map(|&index| &row.cells[index].shown));
        }
        // Two spaces between columns, or one where the width is short.
        let natural: u16 = table.column_max_content_widths().iter().map(|width| width + 3).sum();
        let padding = if natural <= TERMINAL_WIDTH { 2 } else { 1 };
        for (position, &index) in visible.iter().enumerate() {
            if let Some(column) = table.column_mut(position) {
                column.set_padding((0, padding));
                // A heading never breaks, nor does a word; only long texts do.
                let title: u16 = self.columns[index].title.iter().flat_map(|title| title.chars()).map(columns_of).sum();
                let words = self.rows.iter().map(|row| longest_word(&row.cells[index].shown));
                let least = words.fold(title, u16::max).min(LONGEST_WORD);
                column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least + padding)));
                if self.columns[index].numeric {
                    column.set_cell_alignment(CellAlignment::Right);
                }
                if self.columns[index].unbroken {
                    // Numbers never wrap; texts give way.
                    column.set_constraint(ColumnConstraint::ContentWidth);
                }
            }
        }
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
        let mut out = format!("{}\n\n{}\n", self.title, lines.join("\n"));
        for note in &self.notes {
            out.push_str(&wrapped(&note_text(lang, note), usize::from(TERMINAL_WIDTH)));
        }
        out
    }

    /// For GitHub and Gitee.
    pub fn to_markdown(&self, lang: Lang) -> String {
        let visible = self.visible();
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut out = line(self.titles().iter().map(|title| escape_markdown(title)).collect());
        out.push_str(&line(
            visible.iter().map(|&index| if self.columns[index].numeric { "---:" } else { "---" }.to_owned()).collect(),
        ));
        for row in &self.rows {
            let cell = |&index: &usize| {
                let shown = escape_markdown(&row.cells[index].shown);
                if row.total && !shown.is_empty() { format!("**{shown}**") } else { shown }
            };
            out.push_str(&line(visible.iter().map(cell).collect()));
        }
        if !self.notes.is_empty() {
            out.push('\n');
        }
        for note in &self.notes {
            out.push_str(&format!("- {}\n", escape_markdown(&note_text(lang, note))));
        }
        out
    }

    /// All fields with full precision; an absent value is empty.
    ///
    /// # Errors
    /// Never for a table that this crate made.
    pub fn to_csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let broken = |error: csv::Error| Error::input(error.to_string(), "report this");
        writer
            .write_record(self.columns.iter().flat_map(|column| &column.fields).map(|field| &field.name))
            .map_err(broken)?;
        for row in &self.rows {
            writer
                .write_record(row.cells.iter().flat_map(|cell| &cell.values).map(ToString::to_string))
                .map_err(broken)?;
        }
        let bytes = writer.into_inner().map_err(|error| Error::input(error.to_string(), "report this"))?;
        String::from_utf8(bytes).map_err(|error| Error::input(error.to_string(), "report this"))
    }

    /// Every field as a column: `String` or `Int64` for levels, `Int64` for counts, `Float64` for numbers.
    ///
    /// # Errors
    /// Never for a table that this crate made.
    pub fn to_frame(&self) -> Result<DataFrame> {
        let mut columns = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            for (position, field) in column.fields.iter().enumerate() {
                let values: Vec<Level> =
                    self.rows.iter().map(|row| row.cells[index].values[position].clone()).collect();
                let number = |value: &Level| value.as_number();
                let integers = values.iter().all(|value| matches!(value, Level::Integer(_) | Level::Unknown))
                    && values.iter().any(|value| !value.is_unknown());
                let whole = |value: &Level| if let Level::Integer(value) = value { Some(*value) } else { None };
                let series = match field.kind {
                    FieldKind::Number => values.iter().map(number).collect::<Float64Chunked>().into_series(),
                    FieldKind::Count => values.iter().map(whole).collect::<Int64Chunked>().into_series(),
                    FieldKind::Level if integers => values.iter().map(whole).collect::<Int64Chunked>().into_series(),
                    FieldKind::Level => values
                        .iter()
                        .map(|value| (!value.is_unknown()).then(|| value.to_string()))
                        .collect::<StringChunked>()
                        .into_series(),
                };
                columns.push(series.with_name(field.name.as_str().into()).into_column());
            }
        }
        DataFrame::new(self.rows.len(), columns).map_err(|error| Error::input(error.to_string(), "report this"))
    }

    /// Rows as pairs of field and value.
    pub fn records(&self) -> impl Iterator<Item = Vec<(&str, &Level)>> {
        let names: Vec<&str> =
            self.columns.iter().flat_map(|column| &column.fields).map(|field| field.name.as_str()).collect();
        self.rows
            .iter()
            .map(move |row| names.iter().copied().zip(row.cells.iter().flat_map(|cell| &cell.values)).collect())
    }
}

/// `[1] single-run: …`, or without a mark.
fn note_text(lang: Lang, note: &Note) -> String {
    let mark = note.mark.map_or_else(String::new, |mark| format!("[{mark}] "));
    let colon = text(lang, "colon", &[]);
    format!("{mark}{}{colon}{}", note.code, note.message)
}

/// A word longer than this, such as an address, may break.
const LONGEST_WORD: u16 = 30;

/// The widest part of a text that has no place to break: none of spaces, and none between Chinese characters.
fn longest_word(text: &str) -> u16 {
    let parts = text.split(|c: char| c.is_whitespace() || columns_of(c) > 1);
    parts.map(|part| part.chars().map(columns_of).sum()).max().unwrap_or(0)
}

/// How many columns of a terminal a character takes.
fn columns_of(character: char) -> u16 {
    if character >= '\u{2e80}' { 2 } else { 1 }
}

fn wrapped(line: &str, width: usize) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(width as u16);
    table.add_row([line]);
    if let Some(column) = table.column_mut(0) {
        column.set_padding((0, 0));
    }
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Text that Markdown shows as it is.
pub(crate) fn escape_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            _ => out.push(c),
        }
    }
    out
}

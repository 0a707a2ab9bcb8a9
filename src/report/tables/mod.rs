//! Results as tables.

mod audit;
mod check;
mod comparison;
mod effects;
mod import;
mod interaction;
mod plan;
mod quality;
mod runs;
mod summary;

use super::table::{Cell, Column, FieldKind, Row, Table, notes};
use crate::analysis::Estimate;
use crate::language::{self, Lang, column_label, measured, percent, signed_percent, text};
use crate::model::{Level, Settings, Warning};
use crate::stats::multiple::Adjustment;
use crate::wording;

pub use runs::runs_title;

use FieldKind::{Count, Number};

/// A result that can be shown as a table.
pub trait Tabular {
    /// The table, worded in `lang`; field names and values are the same in every language.
    fn table(&self, lang: Lang) -> Table;
}

fn interval_title(lang: Lang, confidence: f64) -> String {
    text(lang, "table-interval", &[("confidence", percent(confidence).into())])
}

type Notes = [(Option<usize>, Warning, super::table::Note)];

fn marks(notes: &Notes, warnings: &[Warning]) -> String {
    let marks: Vec<String> = notes
        .iter()
        .filter(|(mark, warning, _)| mark.is_some() && warnings.contains(warning))
        .filter_map(|(mark, _, _)| mark.map(|mark| format!(" [{mark}]")))
        .collect();
    marks.concat()
}

/// One column per factor that tells the rows apart.
fn label_columns(lang: Lang, factors: &[String]) -> Vec<Column> {
    factors.iter().map(|factor| Column::plain(column_label(lang, factor), factor, FieldKind::Level)).collect()
}

/// The levels of those factors.
fn label_cells(lang: Lang, settings: &Settings) -> Vec<Cell> {
    settings.iter().map(|(factor, level)| Cell::of(wording::level(lang, factor, level), level.clone())).collect()
}

/// "geo. mean of 4" in the place of the levels.
fn overall_cells(lang: Lang, strata: usize, columns: usize) -> Vec<Cell> {
    let label = text(lang, "table-overall", &[("strata", strata.into())]);
    (0..columns).map(|index| Cell::of(if index == 0 { label.as_str() } else { "" }, Level::Unknown)).collect()
}

/// Both ends, or a dash.
fn interval_cell(low: Option<f64>, high: Option<f64>) -> Cell {
    let shown = low.zip(high).map_or_else(|| "–".to_owned(), |(low, high)| language::interval(low, high));
    Cell { shown, values: vec![optional(low), optional(high)] }
}

/// One number if both sides have as many observations.
fn count_cell(ratio: &Estimate) -> Cell {
    let (baseline, contender) = (ratio.n_baseline, ratio.n_contender);
    let shown = if baseline == contender { baseline.to_string() } else { format!("{baseline}/{contender}") };
    Cell { shown, values: vec![whole(baseline), whole(contender)] }
}

fn basis_column(lang: Lang) -> Column {
    let fields = [("basis", FieldKind::Level), ("method", FieldKind::Level)];
    Column::of_texts(text(lang, "table-basis", &[]), &fields)
}

fn basis_cell(lang: Lang, estimate: &Estimate, notes: &Notes) -> Cell {
    let label = wording::basis(lang, estimate.basis, estimate.is_single());
    let method = estimate.method.map_or(Level::Unknown, |method| Level::Text(method.to_string()));
    Cell {
        shown: format!("{label}{}", marks(notes, &estimate.warnings)),
        values: vec![Level::Text(estimate.basis.to_string()), method],
    }
}

/// Shown where p-values are adjusted, and a field for machines in any case.
fn p_adjusted_column(lang: Lang, adjust: Adjustment) -> Column {
    match adjust {
        Adjustment::None => Column::hidden("p_adjusted", Number),
        adjust => {
            let title = text(lang, "table-p-adjusted", &[("adjust", adjust.to_string().into())]);
            Column::of_fields(title, &[("p_adjusted", Number)])
        }
    }
}

/// A field for machines that people do not see.
fn hidden(value: Level) -> Cell {
    Cell::of("", value)
}

/// Shown or not, a field for machines in any case.
fn shown_if(show: bool, column: Column) -> Column {
    Column { title: column.title.filter(|_| show), ..column }
}

/// What machines read of a text that may be absent.
fn text_or_unknown(text: Option<impl Into<String>>) -> Level {
    text.map_or(Level::Unknown, |text| Level::Text(text.into()))
}

fn codes(warnings: &[Warning]) -> Cell {
    let mut codes: Vec<&str> = warnings.iter().map(Warning::code).collect();
    codes.dedup();
    if codes.is_empty() { Cell::of("", Level::Unknown) } else { Cell::text(codes.join(";")) }
}

fn optional(value: Option<f64>) -> Level {
    value.map_or(Level::Unknown, Level::number)
}

fn whole(value: usize) -> Level {
    Level::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

//! Results as tables.

use super::table::{Cell, Column, Field, FieldKind, Row, Table, notes};
use crate::analysis::Estimate;
use crate::analysis::comparison::{Comparison, Stratum};
use crate::analysis::equivalence::{Equivalence, Verdict};
use crate::analysis::summary::Summary;
use crate::language::{self, Lang, column_label, measured, percent, signed_percent, text};
use crate::model::datasets::Dataset;
use crate::model::schema::{self, Better, Role};
use crate::model::{Factor, Level, Runs, Warning};
use crate::stats::multiple::Adjustment;
use crate::wording;

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

fn basis_column(lang: Lang) -> Column {
    let fields = [("basis", FieldKind::Level), ("method", FieldKind::Level)];
    Column { numeric: false, ..Column::of_fields(text(lang, "table-basis", &[]), &fields) }
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

/// Shown where equivalence was asked for.
fn equivalence_column(lang: Lang, asked: Option<&Equivalence>) -> Column {
    let title = asked.map(|asked| text(lang, "table-equivalence", &[("margin", percent(asked.margin).into())]));
    let field = |name: &str, kind| Field { name: name.to_owned(), kind };
    Column {
        title,
        numeric: false,
        fields: vec![field("equivalence", FieldKind::Level), field("equivalence_p", Number)],
    }
}

fn equivalence_cell(lang: Lang, equivalence: Option<&Equivalence>) -> Cell {
    let Some(equivalence) = equivalence else {
        return Cell { shown: String::new(), values: vec![Level::Unknown, Level::Unknown] };
    };
    let (name, key) = match equivalence.verdict {
        Verdict::Equivalent => ("equivalent", "verdict-equivalent"),
        Verdict::Different => ("different", "verdict-different"),
        Verdict::Inconclusive => ("inconclusive", "verdict-inconclusive"),
    };
    Cell { shown: text(lang, key, &[]), values: vec![Level::from(name), optional(equivalence.p_value)] }
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

impl Tabular for Comparison {
    fn table(&self, lang: Lang) -> Table {
        let ratios = || {
            self.strata.iter().map(|stratum| &stratum.ratio).chain(self.overall.iter().map(|overall| &overall.ratio))
        };
        let of_rows: Vec<&[Warning]> = ratios().map(|ratio| ratio.warnings.as_slice()).collect();
        let notes = notes(lang, &of_rows, &self.warnings);
        let baseline = wording::level(lang, &self.factor, &self.baseline);

        // Less latency is no gain in the word's sense.
        let gain = match self.better {
            Better::Higher => text(lang, "table-gain", &[]),
            Better::Lower | Better::Neither => text(lang, "table-change", &[]),
        };
        // A single contender is named by the heading of its means; several are named row by row.
        let (contender_column, contender_title) = match self.contenders().as_slice() {
            [only] => (Column::hidden("contender", FieldKind::Level), wording::level(lang, &self.factor, only)),
            _ => (
                Column::plain(column_label(lang, &self.factor), "contender", FieldKind::Level),
                text(lang, "table-contender", &[]),
            ),
        };

        let mut columns = label_columns(lang, &self.factors);
        columns.extend([
            Column::hidden("scope", FieldKind::Level),
            Column::hidden("factor", FieldKind::Level),
            Column::hidden("baseline", FieldKind::Level),
            contender_column,
            Column::hidden("metric", FieldKind::Level),
            Column::of_fields(baseline.clone(), &[("baseline_mean", Number)]),
            Column::of_fields(contender_title, &[("contender_mean", Number)]),
            Column::of_fields(text(lang, "table-ratio", &[]), &[("ratio", Number)]),
            Column::of_fields(interval_title(lang, self.confidence), &[("low", Number), ("high", Number)]),
            Column::of_fields(gain, &[("gain_percent", Number)]),
            Column::hidden("p_value", Number),
            p_adjusted_column(lang, self.adjust),
            Column::hidden("superiority", Number),
            equivalence_column(lang, self.strata.iter().find_map(|stratum| stratum.equivalence.as_ref())),
            basis_column(lang),
            Column::of_fields(text(lang, "table-n", &[]), &[("n_baseline", Count), ("n_contender", Count)]),
            Column::hidden("warnings", FieldKind::Level),
        ]);

        let row = |settings: Vec<Cell>, contender: &Level, stratum: Option<&Stratum>, ratio: &Estimate| {
            let scope = if stratum.is_some() { "stratum" } else { "overall" };
            let means = [stratum.map(|stratum| stratum.baseline_mean), stratum.map(|stratum| stratum.contender_mean)];
            let p_adjusted = stratum.and_then(|stratum| stratum.p_adjusted);
            let mean = |mean: Option<f64>| Cell::of(mean.map_or_else(String::new, measured), optional(mean));
            let (low, high) = (optional(ratio.low), optional(ratio.high));
            let shown = ratio.interval().map_or_else(|| "–".to_owned(), |(low, high)| language::interval(low, high));
            let n = if ratio.n_baseline == ratio.n_contender {
                ratio.n_baseline.to_string()
            } else {
                format!("{}/{}", ratio.n_baseline, ratio.n_contender)
            };
            let mut cells = settings;
            cells.extend([
                Cell::text(scope),
                Cell::text(self.factor.as_str()),
                Cell::of(baseline.as_str(), self.baseline.clone()),
                Cell::of(wording::level(lang, &self.factor, contender), contender.clone()),
                Cell::text(self.metric.as_str()),
                mean(means[0]),
                mean(means[1]),
                Cell::of(language::ratio(ratio.estimate), Level::number(ratio.estimate)),
                Cell { shown, values: vec![low, high] },
                Cell::of(signed_percent(ratio.gain_percent()), Level::number(ratio.gain_percent())),
                Cell::of("", optional(ratio.p_value)),
                Cell::of(p_adjusted.map_or_else(String::new, language::p_value), optional(p_adjusted)),
                Cell::of("", optional(stratum.and_then(|stratum| stratum.superiority))),
                equivalence_cell(lang, stratum.and_then(|stratum| stratum.equivalence.as_ref())),
                basis_cell(lang, ratio, &notes),
                Cell { shown: n, values: vec![whole(ratio.n_baseline), whole(ratio.n_contender)] },
                codes(&ratio.warnings),
            ]);
            Row { cells, total: scope == "overall" }
        };
        let mut rows: Vec<Row> = self
            .strata
            .iter()
            .map(|stratum| {
                let settings = stratum
                    .settings
                    .iter()
                    .map(|(factor, level)| Cell::of(wording::level(lang, factor, level), level.clone()))
                    .collect();
                row(settings, &stratum.contender, Some(stratum), &stratum.ratio)
            })
            .collect();
        rows.extend(self.overall.iter().map(|overall| {
            let label = text(lang, "table-overall", &[("strata", overall.strata.into())]);
            let settings = (0..self.factors.len())
                .map(|index| Cell::of(if index == 0 { label.as_str() } else { "" }, Level::Unknown))
                .collect();
            row(settings, &overall.contender, None, &overall.ratio)
        }));
        let notes = notes.into_iter().map(|(_, _, note)| note).collect();
        Table::new(wording::comparison_title(lang, self), columns, rows, notes)
    }
}

impl Tabular for Summary {
    fn table(&self, lang: Lang) -> Table {
        let of_rows: Vec<&[Warning]> = self.cells.iter().map(|cell| cell.mean.warnings.as_slice()).collect();
        let notes = notes(lang, &of_rows, &self.warnings);
        let confidence = self.cells.first().map_or(0.95, |cell| cell.mean.confidence);
        let mut columns = label_columns(lang, &self.factors);
        columns.extend([
            Column::hidden("metric", FieldKind::Level),
            Column::of_fields(column_label(lang, &self.metric), &[("mean", Number)]),
            Column::of_fields(interval_title(lang, confidence), &[("low", Number), ("high", Number)]),
            Column::of_fields(text(lang, "table-range", &[]), &[("minimum", Number), ("maximum", Number)]),
            Column::of_fields(text(lang, "table-runs", &[]), &[("runs", Count)]),
            basis_column(lang),
            Column::hidden("warnings", FieldKind::Level),
        ]);
        let rows = self.cells.iter().map(|cell| {
            let mean = &cell.mean;
            let pair = |pair: Option<(f64, f64)>| {
                pair.map_or_else(|| "–".to_owned(), |(low, high)| format!("{} – {}", measured(low), measured(high)))
            };
            let mut cells: Vec<Cell> = cell
                .settings
                .iter()
                .map(|(factor, level)| Cell::of(wording::level(lang, factor, level), level.clone()))
                .collect();
            cells.extend([
                Cell::text(self.metric.as_str()),
                Cell::of(measured(mean.estimate), Level::number(mean.estimate)),
                Cell { shown: pair(mean.interval()), values: vec![optional(mean.low), optional(mean.high)] },
                Cell {
                    shown: pair((cell.runs > 1).then_some((cell.minimum, cell.maximum))),
                    values: vec![Level::number(cell.minimum), Level::number(cell.maximum)],
                },
                Cell::of(cell.runs.to_string(), whole(cell.runs)),
                basis_cell(lang, mean, &notes),
                codes(&mean.warnings),
            ]);
            Row { cells, total: false }
        });
        let title =
            wording::capitalised(&text(lang, "title-summary", &[("metric", column_label(lang, &self.metric).into())]));
        Table::new(title, columns, rows.collect(), notes.into_iter().map(|(_, _, note)| note).collect())
    }
}

/// "90 runs from bench.csv", and how many of them are shown if not all are.
pub fn runs_title(lang: Lang, runs: &Runs, shown: usize) -> String {
    let title = text(lang, "title-runs", &[("runs", runs.len().into()), ("source", runs.source().into())]);
    if shown >= runs.len() {
        return title;
    }
    text(lang, "title-first", &[("title", title.into()), ("shown", shown.into())])
}

/// The runs as they are.
impl Tabular for Runs {
    fn table(&self, lang: Lang) -> Table {
        let names: Vec<String> = self.frame().get_column_names().into_iter().map(ToString::to_string).collect();
        let columns = names.iter().map(|name| {
            let kind = if schema::role(name) == Role::Metric { Number } else { FieldKind::Level };
            Column::plain(column_label(lang, name), name, kind)
        });
        let factors: Vec<Factor> = names.iter().map(|name| self.factor(name)).collect();
        let cell = |column: usize, row: usize| {
            let value = factors[column].level(row);
            let shown = match value {
                Level::Number(number) => measured(*number),
                _ => wording::level(lang, &names[column], value),
            };
            Cell::of(shown, value.clone())
        };
        let rows = (0..self.len())
            .map(|row| Row { cells: (0..names.len()).map(|column| cell(column, row)).collect(), total: false });
        let notes = notes(lang, &[], self.warnings()).into_iter().map(|(_, _, note)| note).collect();
        Table::new(runs_title(lang, self, self.len()), columns.collect(), rows.collect(), notes)
    }
}

/// The documented studies.
impl Tabular for [Dataset] {
    fn table(&self, lang: Lang) -> Table {
        let columns = ["name", "title", "measured"]
            .map(|name| Column::plain(text(lang, &format!("table-{name}"), &[]), name, FieldKind::Level))
            .to_vec();
        let row = |dataset: &Dataset| Row {
            cells: vec![
                Cell::text(dataset.name.as_str()),
                Cell::text(dataset.title.get(lang)),
                Cell::text(dataset.measured.get(lang)),
            ],
            total: false,
        };
        Table::new(text(lang, "title-datasets", &[]), columns, self.iter().map(row).collect(), Vec::new())
    }
}

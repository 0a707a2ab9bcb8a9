//! Runs as they are, and the documented studies.

use super::*;
use crate::model::datasets::Dataset;
use crate::model::schema::{self, Role};
use crate::model::{Factor, Runs};

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
        let rows = (0..self.height())
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

//! What was looked at to see whether runs are fit to be compared.

use super::*;
use crate::analysis::quality::{Outcome, Quality};

impl Tabular for Quality {
    fn table(&self, lang: Lang) -> Table {
        let of_rows: Vec<&[Warning]> = self.tests.iter().map(|test| test.findings.as_slice()).collect();
        let notes = notes(lang, &of_rows, &self.warnings);
        let columns = vec![
            Column::plain(text(lang, "table-property", &[]), "property", FieldKind::Level),
            Column::plain(text(lang, "table-result", &[]), "outcome", FieldKind::Level),
            Column::of_fields("p".to_owned(), &[("p_value", Number)]),
            Column::hidden("warnings", FieldKind::Level),
        ];
        let rows = self.tests.iter().map(|test| {
            let (outcome, key) = match test.outcome {
                Outcome::Fine => ("fine", "quality-fine"),
                Outcome::Found => ("found", "quality-found"),
                Outcome::TooFew => ("too_few", "quality-too-few"),
            };
            let property = test.property.to_string();
            let label = text(lang, &format!("quality-{property}"), &[]);
            let shown = format!("{}{}", text(lang, key, &[]), marks(&notes, &test.findings));
            Row {
                cells: vec![
                    Cell::of(label, Level::Text(property)),
                    Cell::of(shown, Level::from(outcome)),
                    Cell::of(test.p_value.map_or_else(String::new, language::p_value), optional(test.p_value)),
                    codes(&test.findings),
                ],
                total: false,
            }
        });
        let variables =
            [("metric", wording::capitalised(&column_label(lang, &self.metric)).into()), ("runs", self.runs.into())];
        let notes = notes.iter().map(|(_, _, note)| note.clone()).collect();
        Table::new(text(lang, "title-quality", &variables), columns, rows.collect(), notes)
    }
}

//! What was measured.

use super::*;
use crate::analysis::summary::Summary;

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
            let mut cells = label_cells(lang, &cell.settings);
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

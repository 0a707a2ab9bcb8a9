//! New runs against stored ones.

use super::*;
use crate::analysis::check::Check;
use crate::stats::multiple::Adjustment;

impl Tabular for Check {
    fn table(&self, lang: Lang) -> Table {
        let of_rows: Vec<&[Warning]> =
            self.cells.iter().filter_map(|cell| cell.ratio.as_ref()).map(|ratio| ratio.warnings.as_slice()).collect();
        let notes = notes(lang, &of_rows, &self.warnings);
        let title = |key: &str| text(lang, key, &[]);
        let mut columns = label_columns(lang, &self.factors);
        columns.extend([
            Column::hidden("metric", FieldKind::Level),
            Column::of_fields(title("table-stored"), &[("baseline_mean", Number)]),
            Column::of_fields(title("table-new"), &[("current_mean", Number)]),
            Column::of_fields(title("table-ratio"), &[("ratio", Number)]),
            Column::of_fields(
                interval_title(
                    lang,
                    self.cells
                        .iter()
                        .find_map(|cell| cell.ratio.as_ref())
                        .map_or(self.confidence, |ratio| ratio.confidence),
                ),
                &[("low", Number), ("high", Number)],
            ),
            // Where room is needed for the adjusted p-value, the ratio says it already.
            shown_if(
                self.adjust == Adjustment::None,
                Column::of_fields(title("table-change"), &[("change_percent", Number)]),
            ),
            Column::hidden("p_value", Number),
            p_adjusted_column(lang, self.adjust),
            Column::of_texts(title("table-verdict"), &[("verdict", FieldKind::Level), ("more_runs", Count)]),
            Column::hidden("basis", FieldKind::Level),
            Column::hidden("method", FieldKind::Level),
            Column::of_fields(title("table-n"), &[("n_baseline", Count), ("n_contender", Count)]),
            Column::hidden("confidence", Number),
            Column::hidden("warnings", FieldKind::Level),
        ]);
        let rows = self.cells.iter().map(|cell| {
            let mean = |mean: Option<f64>| Cell::of(mean.map_or_else(String::new, measured), optional(mean));
            let mut cells = label_cells(lang, &cell.settings);
            let verdict = wording::check_verdict(lang, cell);
            let more = cell.more_runs.map_or(Level::Unknown, whole);
            cells.extend([Cell::text(self.metric.as_str()), mean(cell.baseline_mean), mean(cell.current_mean)]);
            let marks = cell.ratio.as_ref().map_or_else(String::new, |ratio| marks(&notes, &ratio.warnings));
            let verdict =
                Cell { shown: format!("{verdict}{marks}"), values: vec![Level::Text(cell.verdict.to_string()), more] };
            let dash = |fields: usize| Cell { shown: String::new(), values: vec![Level::Unknown; fields] };
            match &cell.ratio {
                Some(ratio) => cells.extend([
                    Cell::of(language::ratio(ratio.estimate), Level::number(ratio.estimate)),
                    interval_cell(ratio.low, ratio.high),
                    Cell::of(signed_percent(ratio.gain_percent()), Level::number(ratio.gain_percent())),
                    hidden(optional(ratio.p_value)),
                    Cell::of(cell.p_adjusted.map_or_else(String::new, language::p_value), optional(cell.p_adjusted)),
                    verdict,
                    hidden(Level::Text(ratio.basis.to_string())),
                    hidden(text_or_unknown(ratio.method.map(|method| method.to_string()))),
                    count_cell(ratio),
                    hidden(Level::number(ratio.confidence)),
                    codes(&ratio.warnings),
                ]),
                None => cells.extend([
                    dash(1),
                    dash(2),
                    dash(1),
                    dash(1),
                    dash(1),
                    verdict,
                    dash(1),
                    dash(1),
                    dash(2),
                    dash(1),
                    dash(1),
                ]),
            }
            Row { cells, total: false }
        });
        let rows: Vec<Row> = rows.collect();
        let adjust = match self.adjust {
            Adjustment::None => String::new(),
            adjust => text(lang, "check-adjusted", &[("adjust", adjust.to_string().into())]),
        };
        let variables = [
            ("metric", wording::capitalised(&column_label(lang, &self.metric)).into()),
            ("loss", percent(self.max_regression).into()),
            ("verdict", wording::check_whole(lang, self).into()),
            ("adjust", adjust.into()),
        ];
        let notes = notes.into_iter().map(|(_, _, note)| note).collect();
        Table::new(text(lang, "title-check", &variables), columns, rows, notes)
    }
}

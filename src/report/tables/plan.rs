//! How many runs it takes.

use super::*;
use crate::analysis::planning::Plan;

impl Tabular for Plan {
    fn table(&self, lang: Lang) -> Table {
        let from_runs = self.spreads.iter().any(|spread| spread.runs.is_some());
        let width = [("width", percent(self.wanted_half_width).into())];
        let runs = if self.rounds { "table-rounds" } else { "table-runs" };
        let mut columns = label_columns(lang, &self.factors);
        let effect = self.effect.map(percent).unwrap_or_default();
        columns.extend([
            Column::hidden("scope", FieldKind::Level),
            shown_if(from_runs, Column::of_fields(text(lang, runs, &[]), &[("runs", Count)])),
            Column::of_fields(text(lang, "table-cv", &[]), &[("cv", Number)]),
            shown_if(from_runs, Column::of_fields(text(lang, "table-half-width", &[]), &[("half_width", Number)])),
            shown_if(from_runs, Column::of_fields(text(lang, "table-detectable", &[]), &[("detectable", Number)])),
            shown_if(
                self.effect.is_some(),
                Column::of_fields(
                    text(lang, "table-runs-for-effect", &[("effect", effect.into())]),
                    &[("runs_for_effect", Count), ("more_for_effect", Count)],
                ),
            ),
            Column::of_fields(
                text(lang, "table-runs-for-width", &width),
                &[("runs_for_half_width", Count), ("more_for_half_width", Count)],
            ),
        ]);
        let share = |value: Option<f64>, sign: &str| {
            let shown = match value {
                None => "–".to_owned(),
                Some(value) if value < 10.0 => format!("{sign}{:.2}%", 100.0 * value),
                Some(value) => format!("{sign}{}%", measured(100.0 * value)),
            };
            Cell::of(shown, optional(value))
        };
        let rows = self.spreads.iter().map(|spread| {
            let mut cells: Vec<Cell> = if spread.pooled {
                let label = text(lang, "table-all-settings", &[]);
                let blank = |index: usize| Cell::of(if index == 0 { label.as_str() } else { "" }, Level::Unknown);
                (0..self.factors.len()).map(blank).collect()
            } else {
                label_cells(lang, &spread.settings)
            };
            let count = |count: Option<usize>| {
                Cell::of(count.map_or_else(String::new, |n| n.to_string()), count.map_or(Level::Unknown, whole))
            };
            // "9 (+4)": so many, and so many more than there are.
            let needed = |needed: Option<usize>| {
                let more = needed.zip(spread.runs).map(|(needed, runs)| needed.saturating_sub(runs));
                let shown = match (needed, more) {
                    (Some(needed), Some(more)) => {
                        format!("{} (+{})", language::count(needed as u64), language::count(more as u64))
                    }
                    (Some(needed), None) => language::count(needed as u64),
                    (None, _) => "–".to_owned(),
                };
                Cell { shown, values: vec![needed.map_or(Level::Unknown, whole), more.map_or(Level::Unknown, whole)] }
            };
            cells.extend([
                hidden(Level::from(if spread.pooled { "all" } else { "setting" })),
                count(spread.runs),
                share(spread.cv, ""),
                share(spread.half_width, "±"),
                share(spread.detectable, "+"),
                needed(spread.runs_for_effect),
                needed(spread.runs_for_half_width),
            ]);
            Row { cells, total: spread.pooled }
        });
        let notes = notes(lang, &[], &self.warnings).into_iter().map(|(_, _, note)| note).collect();
        let variables = [("confidence", percent(self.confidence).into()), ("power", percent(self.power).into())];
        Table::new(
            text(lang, if self.rounds { "title-plan-rounds" } else { "title-plan" }, &variables),
            columns,
            rows.collect(),
            notes,
        )
    }
}

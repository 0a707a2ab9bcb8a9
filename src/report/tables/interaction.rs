//! Ratios of ratios.

use super::*;
use crate::analysis::interaction::Interaction;

impl Tabular for Interaction {
    fn table(&self, lang: Lang) -> Table {
        let strata = self.strata.iter().map(|stratum| &stratum.interaction);
        let overall = self.overall.iter().map(|overall| &overall.interaction);
        let of_rows: Vec<&[Warning]> = strata.chain(overall).map(|ratio| ratio.warnings.as_slice()).collect();
        let notes = notes(lang, &of_rows, &self.warnings);

        let mut columns = label_columns(lang, &self.factors);
        let level = |factor: &str, level: &Level| wording::level(lang, factor, level);
        let several = |levels: Vec<&Level>| levels.iter().any(|level| **level != *levels[0]);
        // What is the same in every row stands in the title.
        let shown = |many: bool, factor: &str, name: &str| {
            if many {
                Column::plain(column_label(lang, factor), name, FieldKind::Level)
            } else {
                Column::hidden(name, FieldKind::Level)
            }
        };
        columns.extend([
            Column::hidden("scope", FieldKind::Level),
            Column::hidden("factor", FieldKind::Level),
            Column::hidden("baseline", FieldKind::Level),
            shown(several(self.strata.iter().map(|stratum| &stratum.contender).collect()), &self.factor, "contender"),
            Column::hidden("by", FieldKind::Level),
            Column::hidden("by_baseline", FieldKind::Level),
            shown(several(self.strata.iter().map(|stratum| &stratum.by_contender).collect()), &self.by, "by_contender"),
            Column::hidden("metric", FieldKind::Level),
            Column::of_fields(level(&self.by, &self.by_baseline), &[("ratio_at_baseline", Number)]),
            Column::of_fields(text(lang, "table-other-ratio", &[]), &[("ratio_at_contender", Number)]),
            Column::of_fields(text(lang, "table-interaction", &[]), &[("interaction", Number)]),
            Column::of_fields(interval_title(lang, self.confidence), &[("low", Number), ("high", Number)]),
            Column::hidden("p_value", Number),
            basis_column(lang),
            Column::of_fields(text(lang, "table-n", &[]), &[("n_baseline", Count), ("n_contender", Count)]),
            Column::hidden("confidence", Number),
            Column::hidden("warnings", FieldKind::Level),
        ]);
        if let [.., first] = self.strata.as_slice()
            && !several(self.strata.iter().map(|stratum| &stratum.by_contender).collect())
            && let Some(column) = columns.iter_mut().find(|column| column.fields[0].name == "ratio_at_contender")
        {
            column.title = Some(level(&self.by, &first.by_contender));
        }
        let row = |labels: Vec<Cell>, contenders: (&Level, &Level), ratios: Option<(f64, f64)>, ratio: &Estimate| {
            let (contender, by_contender) = contenders;
            let shown = |ratio: Option<f64>| Cell::of(ratio.map_or_else(String::new, language::ratio), optional(ratio));
            let mut cells = labels;
            cells.extend([
                Cell::text(if ratios.is_some() { "stratum" } else { "overall" }),
                Cell::text(self.factor.as_str()),
                Cell::of(level(&self.factor, &self.baseline), self.baseline.clone()),
                Cell::of(level(&self.factor, contender), contender.clone()),
                Cell::text(self.by.as_str()),
                Cell::of(level(&self.by, &self.by_baseline), self.by_baseline.clone()),
                Cell::of(level(&self.by, by_contender), by_contender.clone()),
                Cell::text(self.metric.as_str()),
                shown(ratios.map(|(baseline, _)| baseline)),
                shown(ratios.map(|(_, contender)| contender)),
                Cell::of(language::ratio(ratio.estimate), Level::number(ratio.estimate)),
                interval_cell(ratio.low, ratio.high),
                Cell::of("", optional(ratio.p_value)),
                basis_cell(lang, ratio, &notes),
                count_cell(ratio),
                hidden(Level::number(ratio.confidence)),
                codes(&ratio.warnings),
            ]);
            Row { cells, total: ratios.is_none() }
        };
        let strata = self.strata.iter().map(|stratum| {
            row(
                label_cells(lang, &stratum.settings),
                (&stratum.contender, &stratum.by_contender),
                Some((stratum.ratio_at_baseline, stratum.ratio_at_contender)),
                &stratum.interaction,
            )
        });
        let overall = self.overall.iter().map(|overall| {
            let labels = overall_cells(lang, overall.strata, self.factors.len());
            row(labels, (&overall.contender, &overall.by_contender), None, &overall.interaction)
        });
        let rows = strata.chain(overall).collect();
        let notes = notes.into_iter().map(|(_, _, note)| note).collect();
        Table::new(wording::interaction_title(lang, self), columns, rows, notes)
    }
}

//! Ratios of a comparison.

use super::*;
use crate::analysis::comparison::{Comparison, Stratum};
use crate::analysis::equivalence::Equivalence;
use crate::model::schema::Better;

impl Tabular for Comparison {
    fn table(&self, lang: Lang) -> Table {
        let ratios = || {
            self.strata.iter().map(|stratum| &stratum.ratio).chain(self.overall.iter().map(|overall| &overall.ratio))
        };
        let of_rows: Vec<&[Warning]> = ratios().map(|ratio| ratio.warnings.as_slice()).collect();
        let notes = notes(lang, &of_rows, &self.warnings);
        let baseline = wording::level(lang, &self.factor, &self.baseline);

        // By Bonferroni the intervals of the strata are surer than that of their mean.
        let each = self.strata.first().map_or(self.confidence, |stratum| stratum.ratio.confidence);
        let asked = self.strata.iter().find_map(|stratum| stratum.equivalence.as_ref());
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
            Column::of_fields(interval_title(lang, each), &[("low", Number), ("high", Number)]),
            // Where room is needed for the answer on equivalence, the ratio says it already.
            shown_if(asked.is_none(), Column::of_fields(gain, &[("gain_percent", Number)])),
            Column::hidden("p_value", Number),
            p_adjusted_column(lang, self.adjust),
            Column::hidden("superiority", Number),
            equivalence_column(lang, asked),
            basis_column(lang),
            Column::of_fields(text(lang, "table-n", &[]), &[("n_baseline", Count), ("n_contender", Count)]),
            Column::hidden("confidence", Number),
            Column::hidden("warnings", FieldKind::Level),
        ]);

        let row = |settings: Vec<Cell>, contender: &Level, stratum: Option<&Stratum>, ratio: &Estimate| {
            let scope = if stratum.is_some() { "stratum" } else { "overall" };
            let means = [stratum.map(|stratum| stratum.baseline_mean), stratum.map(|stratum| stratum.contender_mean)];
            let p_adjusted = stratum.and_then(|stratum| stratum.p_adjusted);
            let mean = |mean: Option<f64>| Cell::of(mean.map_or_else(String::new, measured), optional(mean));
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
                interval_cell(ratio.low, ratio.high),
                Cell::of(signed_percent(ratio.gain_percent()), Level::number(ratio.gain_percent())),
                Cell::of("", optional(ratio.p_value)),
                Cell::of(p_adjusted.map_or_else(String::new, language::p_value), optional(p_adjusted)),
                Cell::of("", optional(stratum.and_then(|stratum| stratum.superiority))),
                equivalence_cell(lang, stratum.and_then(|stratum| stratum.equivalence.as_ref())),
                basis_cell(lang, ratio, &notes),
                count_cell(ratio),
                hidden(Level::number(ratio.confidence)),
                codes(&ratio.warnings),
            ]);
            Row { cells, total: scope == "overall" }
        };
        let strata = self.strata.iter().map(|stratum| {
            row(label_cells(lang, &stratum.settings), &stratum.contender, Some(stratum), &stratum.ratio)
        });
        let overall = self.overall.iter().map(|overall| {
            let labels = overall_cells(lang, overall.strata, self.factors.len());
            row(labels, &overall.contender, None, &overall.ratio)
        });
        let rows = strata.chain(overall).collect();
        let notes = notes.into_iter().map(|(_, _, note)| note).collect();
        Table::new(wording::comparison_title(lang, self), columns, rows, notes)
    }
}

/// Shown where equivalence was asked for.
fn equivalence_column(lang: Lang, asked: Option<&Equivalence>) -> Column {
    let title = asked.map(|asked| text(lang, "table-equivalence", &[("margin", percent(asked.margin).into())]));
    let fields = [("equivalence", FieldKind::Level), ("equivalence_p", Number)];
    Column { title, ..Column::of_texts(String::new(), &fields) }
}

fn equivalence_cell(lang: Lang, equivalence: Option<&Equivalence>) -> Cell {
    let Some(equivalence) = equivalence else {
        return Cell { shown: String::new(), values: vec![Level::Unknown, Level::Unknown] };
    };
    let name = equivalence.verdict.to_string();
    let shown = text(lang, &format!("verdict-{name}"), &[]);
    Cell { shown, values: vec![Level::Text(name), optional(equivalence.p_value)] }
}

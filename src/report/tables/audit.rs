//! Claims and what the runs say of them.

use super::*;
use crate::analysis::claims::{Audit, Judged, Stratum};
use crate::report::table::Note;

impl Tabular for Audit {
    fn table(&self, lang: Lang) -> Table {
        let claims: Vec<&Judged> = self.claims.iter().collect();
        table(lang, &claims, self.confidence)
    }
}

/// Claims of one study or of several.
pub(crate) fn table(lang: Lang, claims: &[&Judged], confidence: f64) -> Table {
    let strata = || claims.iter().flat_map(|judged| &judged.strata);
    let of_rows: Vec<&[Warning]> = strata().map(|stratum| stratum.ratio.warnings.as_slice()).collect();
    let mut of_whole: Vec<Warning> = Vec::new();
    for warning in claims.iter().flat_map(|judged| &judged.warnings) {
        Warning::add(&mut of_whole, warning.clone());
    }
    let notes = notes(lang, &of_rows, &of_whole);
    let with_interval = strata().any(|stratum| stratum.ratio.interval().is_some());
    let studies = claims.windows(2).any(|pair| pair[0].study != pair[1].study);
    let title = |key: &str| text(lang, key, &[]);
    let columns = vec![
        shown_if(studies, Column::plain(column_label(lang, "study"), "study", FieldKind::Level)),
        Column { unbroken: true, ..Column::plain(title("table-claim"), "claim", FieldKind::Level) },
        Column::hidden("statement", FieldKind::Level),
        Column::hidden("scope", FieldKind::Level),
        Column { unbroken: true, ..Column::plain(title("table-setting"), "setting", FieldKind::Level) },
        Column::of_fields(title("table-stated"), &[("stated_percent", Number)]),
        Column { numeric: false, ..Column::of_fields(title("table-recomputed"), &[("percent", Number)]) },
        Column::hidden("ratio", Number),
        shown_if(
            with_interval,
            Column::of_fields(interval_title(lang, confidence), &[("low", Number), ("high", Number)]),
        ),
        Column::of_texts(
            title("table-verdict"),
            &[("verdict", FieldKind::Level), ("agreement", FieldKind::Level), ("reason", FieldKind::Level)],
        ),
        Column::hidden("basis", FieldKind::Level),
        Column::hidden("warnings", FieldKind::Level),
    ];
    let mut rows = Vec::new();
    let mut said = Vec::new();
    let mut study = None;
    for judged in claims {
        let head = |first: bool, scope: &str, setting: String| {
            let new_study = first && study != Some(&judged.study);
            let name = judged.study.as_deref();
            let margin = judged.strata.iter().find_map(|stratum| Some(stratum.equivalence.as_ref()?.margin));
            let stated = if first { wording::stated(&judged.claim, margin) } else { String::new() };
            vec![
                Cell::of(name.filter(|_| new_study).unwrap_or_default(), text_or_unknown(name)),
                Cell::of(if first { judged.claim.id.as_str() } else { "" }, Level::from(judged.claim.id.as_str())),
                hidden(Level::Text(judged.claim.statement.to_string())),
                hidden(Level::from(scope)),
                Cell::of(setting, Level::Unknown),
                Cell::of(stated, optional(judged.claim.percent)),
            ]
        };
        for (index, stratum) in judged.strata.iter().enumerate() {
            let setting = wording::settings(lang, &stratum.settings).join(&title("comma"));
            let mut cells = head(index == 0, "stratum", setting);
            cells[4].values = vec![Level::Text(written(stratum))];
            let (low, high) = (stratum.ratio.low, stratum.ratio.high);
            let verdict = wording::claim_verdict(lang, stratum.verdict, stratum.agreement, stratum.reason);
            cells.extend([
                Cell::of(stratum.arithmetic.as_str(), Level::number(stratum.percent)),
                hidden(Level::number(stratum.ratio.estimate)),
                interval_cell(low, high),
                Cell {
                    shown: format!("{verdict}{}", marks(&notes, &stratum.ratio.warnings)),
                    values: vec![
                        Level::Text(stratum.verdict.to_string()),
                        text_or_unknown(stratum.agreement.map(|agreement| agreement.to_string())),
                        text_or_unknown(stratum.reason.map(|reason| reason.to_string())),
                    ],
                },
                hidden(Level::Text(stratum.ratio.basis.to_string())),
                codes(&stratum.ratio.warnings),
            ]);
            rows.push(Row { cells, total: false });
        }
        if judged.strata.len() != 1 {
            let count = judged.strata.len();
            let setting =
                if count == 0 { String::new() } else { text(lang, "claim-over", &[("strata", count.into())]) };
            let mut cells = head(count == 0, "overall", setting);
            let verdict = wording::claim_verdict(lang, judged.verdict, None, None);
            cells.extend([
                Cell::of("", Level::Unknown),
                hidden(Level::Unknown),
                Cell { shown: String::new(), values: vec![Level::Unknown; 2] },
                Cell {
                    shown: verdict,
                    values: vec![
                        Level::Text(judged.verdict.to_string()),
                        Level::Unknown,
                        text_or_unknown(judged.reason.as_deref()),
                    ],
                },
                hidden(Level::Unknown),
                codes(&judged.warnings),
            ]);
            rows.push(Row { cells, total: true });
        }
        study = Some(&judged.study);
        let sentence = judged.claim.text.get(lang);
        let message = match &judged.reason {
            Some(reason) => format!("{sentence} {}", text(lang, "claim-reason", &[("reason", reason.as_str().into())])),
            None => sentence.to_owned(),
        };
        said.push(Note { mark: None, code: judged.claim.id.clone(), message });
    }
    said.extend(notes.into_iter().map(|(_, _, note)| note));
    Table::new(title("title-audit"), columns, rows, said)
}

/// `workers=4, tls_mode=sync`
fn written(stratum: &Stratum) -> String {
    let settings = stratum.settings.iter().map(|(factor, level)| format!("{factor}={level}"));
    settings.collect::<Vec<_>>().join(", ")
}

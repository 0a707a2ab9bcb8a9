//! What came out of files of load tool outputs.

use super::*;
use crate::ingest::import::{Imported, RunImport};
use crate::model::schema::{self, Role};

impl Tabular for Imported {
    fn table(&self, lang: Lang) -> Table {
        let title = |key: &str| text(lang, key, &[]);
        let columns = vec![
            Column::plain(title("table-file"), "file", FieldKind::Level),
            Column::of_fields(title("table-line"), &[("line", Count)]),
            Column::plain(column_label(lang, "tool"), "tool", FieldKind::Level),
            Column::of_fields(title("table-rate"), &[("rate", Number)]),
            Column::of_texts(title("table-labels"), &[("labels", FieldKind::Level)]),
            Column::of_texts(title("table-reason"), &[("reason", FieldKind::Level)]),
        ];
        let mut rows = Vec::new();
        for file in &self.files {
            let path = file.path.display().to_string();
            let row = |run: Option<&RunImport>, rate: Option<f64>, labels: &str, reason: Option<&str>| Row {
                cells: vec![
                    Cell::text(path.as_str()),
                    Cell::of(
                        run.and_then(|run| run.line).map_or_else(String::new, |line| line.to_string()),
                        run.and_then(|run| run.line).map_or(Level::Unknown, whole),
                    ),
                    Cell::of(
                        run.and_then(|run| run.tool).map_or_else(String::new, |tool| tool.to_string()),
                        text_or_unknown(run.and_then(|run| run.tool).map(|tool| tool.to_string())),
                    ),
                    Cell::of(rate.map_or_else(String::new, measured), optional(rate)),
                    Cell::text(labels),
                    Cell::of(reason.unwrap_or_default(), text_or_unknown(reason)),
                ],
                total: false,
            };
            match &file.runs {
                Err(reason) => rows.push(row(None, None, "", Some(reason))),
                Ok(runs) => rows.extend(runs.iter().map(|one| match &one.run {
                    Err(reason) => row(Some(one), None, "", Some(reason)),
                    Ok(run) => {
                        let rate = ["rps", "sign_per_s"].iter().find_map(|metric| run.get(metric).as_number());
                        let shown = |(column, level): (&str, &Level)| format!("{column}={level}");
                        let told = run
                            .values()
                            .filter(|(column, _)| schema::role(column) != Role::Metric && *column != "tool");
                        row(Some(one), rate, &told.map(shown).collect::<Vec<_>>().join(" "), None)
                    }
                })),
            }
        }
        Table::new(title("title-import"), columns, rows, Vec::new())
    }
}

//! Newline-delimited JSON: one object per run, with the names of the columns as keys.

use std::collections::BTreeMap;

use super::table::{Renamed, column_of, unused};
use crate::error::{InputError, Result};
use crate::model::{Level, Run, Runs, vocabulary};

/// Reads runs; empty lines are passed over.
///
/// # Errors
/// A line that is no object of texts and numbers, or a value that its column does not allow.
pub(super) fn read(text: &str, renamed: Renamed, source: &str) -> Result<Runs> {
    let mut rows = Vec::new();
    let mut columns: BTreeMap<String, String> = BTreeMap::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let placed = |error: InputError| error.in_source(source).on_line(index as u64 + 1);
        let run: Run = serde_json::from_str(line).map_err(|error| {
            placed(InputError::new(
                error.to_string(),
                "give one object per line, with a text or a number for each column",
            ))
        })?;
        let mut canonical = Run::new();
        for (key, level) in run.values() {
            let column = match columns.get(key) {
                Some(column) => column,
                None => columns.entry(key.to_owned()).or_insert(column_of(renamed, key)),
            };
            let level = match level {
                Level::Text(text) => {
                    Level::from(vocabulary::value(key, column, text).map_err(|error| placed(error.in_column(key)))?)
                }
                other => other.clone(),
            };
            if !canonical.get(column).is_unknown() {
                let problem = format!("{key:?} gives the {column} of this run once more");
                return Err(placed(InputError::new(problem, "give every column one key")).into());
            }
            canonical = canonical.with(column, level);
        }
        rows.push(canonical);
    }
    let unused = unused(renamed, columns.keys().map(String::as_str), source);
    Ok(Runs::from_rows(rows, source)?.with_warnings(unused))
}

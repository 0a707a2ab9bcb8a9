//! Newline-delimited JSON: one object per run, with the names of the columns as keys.

use std::collections::BTreeMap;

use super::header::{Renamed, column_of, left_out, refuse_unclear, says_nothing, unused};
use crate::error::{Error, InputError, Result};
use crate::model::{Level, Run, Runs, vocabulary};

/// Reads runs; empty lines are passed over.
///
/// # Errors
/// A line that is no object of texts and numbers, or a value that its column does not allow.
pub(super) fn read(text: &str, renamed: Renamed, source: &str) -> Result<Runs> {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    let mut columns: BTreeMap<String, String> = BTreeMap::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let placed = |error: InputError| error.in_source(source).on_line(index as u64 + 1);
        let run: Run = serde_json::from_str(line).map_err(|error| {
            let problem = error.to_string();
            let problem =
                if problem.contains("untagged enum") { "a value is neither a text nor a number" } else { &problem };
            let problem = problem.split(" at line ").next().unwrap_or_default();
            placed(InputError::new(problem, "give one object per line, with a text or a number for each column"))
        })?;
        let mut canonical = Run::new();
        for (key, level) in run.values() {
            let column = match columns.get(key) {
                Some(column) => column,
                None => {
                    refuse_unclear(renamed, std::iter::once(key)).map_err(placed)?;
                    let column = if says_nothing(renamed, key) { String::new() } else { column_of(renamed, key) };
                    columns.entry(key.to_owned()).or_insert(column)
                }
            };
            if column.is_empty() {
                continue;
            }
            // A number answers no question, but its text may.
            let text = level.to_string();
            let meant = vocabulary::value(key, column, &text).map_err(|error| placed(error.in_column(key)))?;
            let level = if meant == text { level.clone() } else { Level::from(meant) };
            if !canonical.get(column).is_unknown() {
                let problem = format!("{key:?} gives the {column} of this run once more");
                return Err(placed(InputError::new(problem, "give every column one key")).into());
            }
            canonical = canonical.with(column, level);
        }
        rows.push(canonical);
        lines.push(index as u64 + 1);
    }
    let unused = unused(renamed, columns.keys().map(String::as_str), source);
    let runs = Runs::from_rows(rows, source).map_err(|error| match error {
        Error::Input(mut error) => {
            let line = error.place.row.take().and_then(|row| lines.get(row - 1).copied());
            line.map_or(error.clone(), |line| error.on_line(line)).into()
        }
        other => other,
    })?;
    let left_out = left_out(renamed, columns.keys().map(String::as_str), source);
    Ok(runs.with_warnings(unused.into_iter().chain(left_out)))
}

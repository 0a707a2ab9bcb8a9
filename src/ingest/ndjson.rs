//! Newline-delimited JSON: one object per run, with the names of the columns as keys. It is read as the table that it is.

use super::header::Renamed;
use super::table::Table;
use crate::error::{InputError, Result};
use crate::model::{Run, Runs};

/// More keys than these are slips of a program that writes them.
const MOST_KEYS: usize = 1_000;

/// Reads runs; empty lines are passed over.
///
/// # Errors
/// A line that is no object of texts and numbers, or a value that its column does not allow.
pub(super) fn read(text: &str, renamed: Renamed, source: &str) -> Result<Runs> {
    let mut keys: Vec<String> = Vec::new();
    let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let placed =
            |problem: &str, remedy: &str| InputError::new(problem, remedy).in_source(source).on_line(index as u64 + 1);
        let run: Run = serde_json::from_str(line).map_err(|error| {
            let problem = error.to_string();
            let problem =
                if problem.contains("untagged enum") { "a value is neither a text nor a number" } else { &problem };
            let problem = problem.split(" at line ").next().unwrap_or_default();
            placed(problem, "give one object per line, with a text or a number for each column")
        })?;
        let mut row = vec![String::new(); keys.len()];
        for (key, level) in run.values() {
            let at = keys.iter().position(|known| known == key).unwrap_or_else(|| {
                keys.push(key.to_owned());
                row.push(String::new());
                keys.len() - 1
            });
            row[at] = level.to_string();
        }
        if keys.len() > MOST_KEYS {
            let problem = format!("the runs have more than {MOST_KEYS} different keys");
            return Err(placed(&problem, "give all runs the same keys").into());
        }
        rows.push((index + 1, row));
    }
    rows.iter_mut().for_each(|(_, row)| row.resize(keys.len(), String::new()));
    let header: Vec<Vec<String>> = keys.into_iter().map(|key| vec![key]).collect();
    let table = Table::of(&header, "", renamed, source).map_err(|error| error.in_source(source))?;
    let none = || InputError::new("there are no runs", "give one object per run").in_source(source);
    Ok(table.of_rows(&rows, InputError::on_line)?.ok_or_else(none)?)
}

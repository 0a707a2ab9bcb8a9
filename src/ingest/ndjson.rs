//! Newline-delimited JSON: one object per run, with the names of the columns as keys.

use crate::error::{InputError, Result};
use crate::model::{Run, Runs};

/// Reads runs; empty lines are passed over.
///
/// # Errors
/// A line that is no object of texts and numbers, or a value that its column does not allow.
pub fn read(text: &str, source: &str) -> Result<Runs> {
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let run: Run = serde_json::from_str(line).map_err(|error| {
            InputError::new(error.to_string(), "give one object per line, with a text or a number for each column")
                .in_source(source)
                .on_line(index as u64 + 1)
        })?;
        rows.push(run);
    }
    Runs::from_rows(rows, source)
}

/// Writes runs; what is unknown of a run has no key.
///
/// # Errors
/// Never for runs of this crate.
pub fn write(runs: &Runs) -> Result<String> {
    let mut text = String::new();
    for run in runs.rows() {
        text += &serde_json::to_string(&run).map_err(|error| InputError::new(error.to_string(), "report this"))?;
        text.push('\n');
    }
    Ok(text)
}

//! Runs as the bytes of a file that is read back without loss.

use polars::prelude::ParquetWriter;

use super::Format;
use crate::error::{Error, InputError, Result};
use crate::model::{Factor, Runs};

/// Runs as CSV, newline-delimited JSON or Parquet; what is unknown is empty, has no key, or is null.
///
/// # Errors
/// Another format, or runs that were summed up while they were read.
///
/// ```
/// use kaeanalysis::ingest::{self, Format, Reading};
///
/// let runs = ingest::documented("docker")?;
/// let bytes = ingest::write(&runs, Format::Parquet)?;
/// assert!(runs.rows().eq(Reading::default().bytes(&bytes, Format::Parquet, "docker.parquet")?.rows()));
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn write(runs: &Runs, format: Format) -> Result<Vec<u8>> {
    let runs = runs.singly()?;
    let report = |error: String| Error::from(InputError::new(error, "report this"));
    match format {
        Format::Csv => csv(runs).map_err(|error| report(error.to_string())),
        Format::Ndjson => {
            let mut bytes = Vec::new();
            for run in runs.rows() {
                serde_json::to_writer(&mut bytes, &run).map_err(|error| report(error.to_string()))?;
                bytes.push(b'\n');
            }
            Ok(bytes)
        }
        Format::Parquet => {
            let mut bytes = Vec::new();
            let written = ParquetWriter::new(&mut bytes).finish(&mut runs.frame().clone());
            written.map(|_| bytes).map_err(|error| report(error.to_string()))
        }
        other => Err(Error::input(format!("runs are not written as {other}"), "write CSV, NDJSON or Parquet")),
    }
}

fn csv(runs: &Runs) -> csv::Result<Vec<u8>> {
    let columns: Vec<Factor> = runs.frame().get_column_names().into_iter().map(|name| runs.factor(name)).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|column| &column.name))?;
    for row in 0..runs.height() {
        writer.write_record(columns.iter().map(|column| column.level(row).to_string()))?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

//! The formats in which runs are kept, told apart by the ending of a file.

use std::ffi::OsStr;
use std::path::Path;

use crate::error::{Error, Result};
use crate::named::named;

/// A format of files of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Text with commas or tabs between the columns: `.csv`, `.tsv`, and what has another ending.
    Csv,
    /// Newline-delimited JSON, one object per run: `.ndjson`, `.jsonl`.
    Ndjson,
    /// Apache Parquet: `.parquet`.
    Parquet,
    /// A spreadsheet with one filled sheet: `.xlsx`, `.xlsb`, `.xls`, `.ods`.
    Workbook,
    /// A text with one table in Markdown: `.md`.
    Markdown,
    /// A page with one table of runs: `.html`, `.htm`.
    Html,
}

named!(Format, "a format", {
    Csv => "csv",
    Ndjson => "ndjson",
    Parquet => "parquet",
    Workbook => "workbook",
    Markdown => "markdown",
    Html => "html",
});

impl Format {
    /// The format that the ending of a file tells; what has no known ending is CSV.
    pub fn of(path: &Path) -> Self {
        match ending(path).as_str() {
            "ndjson" | "jsonl" => Self::Ndjson,
            "parquet" => Self::Parquet,
            "xlsx" | "xlsb" | "xls" | "ods" => Self::Workbook,
            "md" | "markdown" => Self::Markdown,
            "html" | "htm" => Self::Html,
            _ => Self::Csv,
        }
    }

    /// The format of a file whose ending says that it is a table, whether or not it is packed.
    pub(super) fn of_table(path: &Path) -> Option<Self> {
        let unpacked =
            if ["gz", "zst"].contains(&ending(path).as_str()) { path.with_extension("") } else { path.to_owned() };
        let format = Self::of(&unpacked);
        (format != Self::Csv || ["csv", "tsv"].contains(&ending(&unpacked).as_str())).then_some(format)
    }

    /// The format to write a file in.
    ///
    /// # Errors
    /// An ending that names no format in which runs are kept without loss.
    pub fn to_write(path: &Path) -> Result<Self> {
        match (Self::of(path), ending(path).as_str()) {
            (Self::Csv, "csv") => Ok(Self::Csv),
            (format @ (Self::Ndjson | Self::Parquet), _) => Ok(format),
            _ => Err(Error::File {
                path: path.to_owned(),
                reason: "has no ending that says what to write".to_owned(),
                remedy: "name a file that ends in .csv, .parquet or .ndjson".to_owned(),
            }),
        }
    }
}

fn ending(path: &Path) -> String {
    path.extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase()
}

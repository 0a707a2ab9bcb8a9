//! Reading files of runs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::Path;
use std::sync::Arc;

use polars::io::mmap::MmapBytesReader;
use rayon::prelude::*;

use super::grid::Grid;
use super::lines::{Lines, Part};
use super::table::{Head, Table, in_row};
use super::{Format, html, ndjson, parquet, read_frame, sha256, sheet, text};
use crate::error::{Error, InputError, Result};
use crate::model::reduction::Reduction;
use crate::model::{Runs, datasets};

/// More runs than these are summed up by setting where the question allows it: so many take about 2 GB.
pub const MOST_RUNS: usize = 5_000_000;

/// More settings than these are as good as runs.
const MOST_SETTINGS: usize = 1_000_000;

/// How runs are read.
///
/// ```
/// use kaeanalysis::ingest::{Format, Reading};
///
/// let reading = Reading { columns: vec![("Instances".to_owned(), "workers".to_owned())], ..Reading::default() };
/// let runs = reading.bytes(b"Instances,rps\n1,587\n4,2255\n", Format::Csv, "example")?;
/// assert_eq!(runs.factor("workers").levels.len(), 2);
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Headers and the columns that they stand for, beside the words that are known, or the
    /// levels (`accelerator=qat`); an empty one leaves the column out.
    pub columns: Vec<(String, String)>,
    /// More runs of a CSV or Parquet file than these are summed up by setting: count, mean and spread are kept, the runs are
    /// not. All are kept by default.
    pub most_runs: Option<usize>,
}

impl Reading {
    /// Reads an input as the command line names it: a file, `-` for standard input, or `documented:NAME`.
    ///
    /// # Errors
    /// A file that cannot be read, or anything wrong in it.
    pub fn input(&self, name: &str) -> Result<Runs> {
        if let Some(study) = name.strip_prefix("documented:") {
            return self.bytes(datasets::csv(study)?.as_bytes(), Format::Csv, name);
        }
        if name != "-" {
            return self.file(Path::new(name));
        }
        let source = "standard input";
        self.csv(Lines::of(io::stdin().lock()), source, &|error| Error::unreadable(Path::new(source), &error))
    }

    /// Reads a file as its ending says ([`Format::of`]).
    ///
    /// # Errors
    /// As [`Reading::bytes`], and a file that cannot be read.
    pub fn file(&self, path: &Path) -> Result<Runs> {
        let unreadable = |error: io::Error| Error::unreadable(path, &error);
        let source = path.display().to_string();
        match Format::of(path) {
            Format::Csv => {
                self.csv(Lines::of(BufReader::new(File::open(path).map_err(unreadable)?)), &source, &unreadable)
            }
            Format::Parquet => {
                let mut file = File::open(path).map_err(unreadable)?;
                let hash = sha256(&mut file).map_err(unreadable)?;
                let opened = path.to_owned();
                Ok(self.parquet(move || File::open(&opened), &source)?.with_source(&source, hash))
            }
            format => self.bytes(&std::fs::read(path).map_err(unreadable)?, format, &source),
        }
    }

    /// Reads bytes. `source` names them in messages.
    ///
    /// # Errors
    /// Anything that is not a table of runs; the message names line or row, column and value.
    pub fn bytes(&self, bytes: &[u8], format: Format, source: &str) -> Result<Runs> {
        let in_source = |error: InputError| error.in_source(source);
        let text = || text::decode(bytes).map_err(in_source);
        let runs = match format {
            Format::Csv => {
                return self.csv(Lines::of(bytes), source, &|error| Error::unreadable(Path::new(source), &error));
            }
            Format::Ndjson => ndjson::read(text()?, &self.columns, source)?,
            Format::Parquet => {
                let bytes: Arc<[u8]> = bytes.into();
                self.parquet(move || Ok(Cursor::new(Arc::clone(&bytes))), source)?
            }
            Format::Workbook => {
                let sheets = sheet::workbook(bytes).map_err(in_source)?;
                self.only(sheets.into_iter().map(|(name, grid)| (format!("sheet {name}"), grid)).collect(), source)?
            }
            Format::Markdown => self.only(numbered(sheet::markdown(text()?).map_err(in_source)?), source)?,
            Format::Html => {
                let page = text::html(bytes).map_err(in_source)?;
                self.only(numbered(html::tables(&page).map_err(in_source)?), source)?
            }
        };
        let hash = sha256(&mut &*bytes).map_err(|error| Error::unreadable(Path::new(source), &error))?;
        Ok(runs.with_source(source, hash))
    }

    /// The only table of several that holds runs.
    fn only(&self, tables: Vec<(String, Grid)>, source: &str) -> Result<Runs> {
        let alone = tables.len() == 1;
        let (mut found, mut reasons) = (Vec::new(), Vec::new());
        for (name, grid) in tables {
            match self.table(&grid, source) {
                Ok(runs) => found.push((name, runs)),
                Err(error) if alone => return Err(error),
                Err(Error::Input(mut error)) => {
                    error.place.source = Some(name);
                    reasons.push(error.to_string());
                }
                Err(other) => return Err(other),
            }
        }
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        let problem = match names.as_slice() {
            [_] => None,
            [] => Some(format!("none of its tables holds runs: {}", reasons.join("; "))),
            several => Some(format!("several of its tables hold runs: {}", several.join(", "))),
        };
        if let Some(problem) = problem {
            return Err(InputError::new(problem, "save the one that is meant as a file of its own")
                .in_source(source)
                .into());
        }
        found.pop().map(|(_, runs)| runs).ok_or_else(|| no_runs(source))
    }

    fn table(&self, grid: &Grid, source: &str) -> Result<Runs> {
        let table = Table::of(&grid.header, &grid.title, &self.columns, source);
        let table = table.map_err(|error| error.in_row(1).in_source(source))?;
        table.of_rows(&grid.rows, in_row)?.ok_or_else(|| no_runs(source))
    }

    /// Reads lines in parts, several at once. The result is the same on any number of threads.
    fn csv(
        &self,
        mut lines: Lines<impl BufRead>,
        source: &str,
        unreadable: &dyn Fn(io::Error) -> Error,
    ) -> Result<Runs> {
        let begin = lines.next().map_err(unreadable)?;
        let begin = begin.unwrap_or(Part { bytes: Vec::new(), first: 1 });
        let beginning = text::decode(&begin.bytes).map_err(|error| error.in_source(source))?;
        let head = Head::of(beginning).map_err(|error| error.in_source(source))?;
        let table = Table::of(&head.header, "", &self.columns, source)
            .map_err(|error| error.on_line(head.line).in_source(source))?;
        let mut gathered = Gathered { most: self.most_runs, ..Gathered::default() };
        let begin = table.of_lines(&beginning[head.end..], head.delimiter, head.next)?;
        gathered.add(begin.map(Piece::Kept))?;
        loop {
            let mut parts = Vec::new();
            while parts.len() < (2 * rayon::current_num_threads()).min(32)
                && let Some(part) = lines.next().map_err(unreadable)?
            {
                parts.push(part);
            }
            if parts.is_empty() {
                break;
            }
            let sum_up = gathered.is_summing_up();
            let read = |part: Part| -> Result<Option<Piece>> {
                let text = text::decode(&part.bytes);
                // A line of a part is so many lines further down in the file.
                let text = text.map_err(|mut error| {
                    error.place.line = error.place.line.map(|line| line + part.first - 1);
                    error.in_source(source)
                })?;
                let runs = table.of_lines(text, head.delimiter, part.first)?;
                Ok(runs.map(|runs| if sum_up { Piece::Summed(Reduction::of(&runs)) } else { Piece::Kept(runs) }))
            };
            // All parts before the first fault, which is the one that is told.
            let pieces: Vec<Result<Option<Piece>>> = parts.into_par_iter().map(read).collect();
            pieces.into_iter().try_for_each(|piece| gathered.add(piece?))?;
        }
        let runs = gathered.runs()?.ok_or_else(|| no_runs(source))?;
        Ok(runs.with_source(source, lines.sha256()))
    }

    fn parquet<R: MmapBytesReader + 'static>(
        &self,
        open: impl Fn() -> io::Result<R> + 'static,
        source: &str,
    ) -> Result<Runs> {
        let mut gathered = Gathered { most: self.most_runs, ..Gathered::default() };
        let mut before = 0;
        for part in parquet::parts(open).map_err(|error| error.in_source(source))? {
            let part = part.map_err(|error| error.in_source(source))?;
            let height = part.height();
            // A row of a part is so many rows further down in the file.
            let runs = read_frame(part, &self.columns, source).map_err(|error| match error {
                Error::Input(mut error) => {
                    error.place.row = error.place.row.map(|row| row + before);
                    Error::Input(error)
                }
                other => other,
            })?;
            before += height;
            gathered.add(Some(Piece::Kept(runs)))?;
        }
        gathered.runs()?.ok_or_else(|| no_runs(source))
    }
}

fn numbered(grids: Vec<Grid>) -> Vec<(String, Grid)> {
    grids.into_iter().zip(1..).map(|(grid, number): (_, usize)| (format!("table {number}"), grid)).collect()
}

fn no_runs(source: &str) -> Error {
    InputError::new("there are no runs", "give one row per run below the header").in_source(source).into()
}

/// Some of the runs.
enum Piece {
    Kept(Runs),
    Summed(Reduction),
}

/// Runs in parts: kept, or summed up once there are too many.
#[derive(Default)]
struct Gathered {
    most: Option<usize>,
    kept: Vec<Runs>,
    runs: usize,
    summed: Option<Reduction>,
}

impl Gathered {
    fn is_summing_up(&self) -> bool {
        self.summed.is_some()
    }

    fn add(&mut self, piece: Option<Piece>) -> Result<()> {
        match piece {
            None => {}
            Some(Piece::Summed(part)) => self.summed.get_or_insert_default().merge(part),
            Some(Piece::Kept(part)) => {
                self.runs += part.len();
                self.kept.push(part);
                if self.is_summing_up() || self.most.is_some_and(|most| self.runs > most) {
                    let summed = self.summed.get_or_insert_default();
                    self.kept.drain(..).for_each(|part| summed.merge(Reduction::of(&part)));
                }
            }
        }
        self.summed.as_ref().map_or(Ok(()), |summed| summed.check(MOST_SETTINGS))
    }

    fn runs(self) -> Result<Option<Runs>> {
        match self.summed {
            Some(summed) => summed.into_runs().map(Some),
            None if self.kept.is_empty() => Ok(None),
            None => Runs::below_each_other(self.kept).map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str, part: u64, most_runs: Option<usize>) -> Result<Runs, String> {
        let reading = Reading { columns: Vec::new(), most_runs };
        let unreadable = |error| Error::unreadable(Path::new("text"), &error);
        reading.csv(Lines::in_parts(text.as_bytes(), part), "text", &unreadable).map_err(|error| error.to_string())
    }

    proptest! {
        /// Wherever a text is cut into parts, it says the same, and its first fault stands on the same line.
        #[test]
        fn parts_say_what_the_whole_says(
            rows in prop::collection::vec("(1|4|b|\"4\"|),(sync|异步|),(587|\"1,367\"|5102\\.5|x|)", 1..20),
            ends in prop::collection::vec("\n|\r\n|\n\n|\r\n \r\n", 20),
            part in 1..60u64,
        ) {
            let lines: Vec<String> = rows.iter().zip(&ends).map(|(row, end)| format!("{row}{end}")).collect();
            let text = format!("node,tls_mode,rps\n{}", lines.concat());
            match (read(&text, 1 << 20, None), read(&text, part, None)) {
                (Ok(whole), Ok(parts)) => {
                    prop_assert!(whole.rows().eq(parts.rows()));
                    prop_assert_eq!(whole.sources(), parts.sources());
                    let summed = read(&text, part, Some(2)).map_err(TestCaseError::fail)?;
                    prop_assert_eq!(summed.len(), whole.len());
                    if whole.len() > 2 {
                        let settings: std::collections::BTreeSet<String> =
                            whole.rows().map(|run| format!("{} {}", run.get("node"), run.get("tls_mode"))).collect();
                        prop_assert_eq!(summed.height(), settings.len());
                    }
                }
                // Runs are checked once the values of their part are.
                (Err(whole), Err(parts)) => {
                    prop_assert!(whole == parts || parts.contains("no measured value"), "{} {}", whole, parts);
                }
                (whole, parts) => prop_assert!(false, "{:?} {:?}", whole.map(|runs| runs.len()), parts.map(|runs| runs.len())),
            }
        }
    }
}

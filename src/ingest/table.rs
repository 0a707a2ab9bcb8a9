//! A table of text to runs: canonical CSV, or wide, with one factor spread over columns (`workers=1`, `workers=4`).

use std::collections::HashSet;

use polars::prelude::{DataFrame, IntoColumn};

use super::vocabulary;
use crate::error::{Error, InputError, Result, one_of};
use crate::model::column::encode;
use crate::model::schema::{self, Role};
use crate::model::{Level, Runs, Warning};

/// The metric that a wide table holds, since its headers name none.
const WIDE_METRIC: &str = "rps";

/// What a header stands for.
struct Heading {
    /// As written.
    text: String,
    /// The column it fills.
    column: String,
    /// In a wide table: the level of that column for the values below, which are the metric.
    level: Option<Level>,
}

/// Reads a table. `source` names it in messages.
pub fn read(text: &str, source: &str) -> Result<Runs> {
    let mut lines = Vec::new();
    let result = columns(text, &mut lines).and_then(|(columns, warnings)| {
        let height = lines.len();
        let columns = columns.into_iter().map(|(name, levels)| encode(&name, &levels).into_column()).collect();
        let frame =
            DataFrame::new(height, columns).map_err(|error| InputError::new(error.to_string(), "report this"))?;
        match Runs::from_frame(frame, source) {
            Ok(runs) => Ok(runs.with_warnings(warnings)),
            Err(Error::Input(error)) => Err(error),
            Err(other) => Err(InputError::new(other.to_string(), "report this")),
        }
    });
    result.map_err(|mut error| {
        // The runs know rows; a file has lines.
        if let Some(row) = error.place.row.take() {
            error.place.line = lines.get(row - 1).copied();
        }
        error.in_source(source).into()
    })
}

type Columns = Vec<(String, Vec<Level>)>;

fn columns(text: &str, lines: &mut Vec<u64>) -> Result<(Columns, Vec<Warning>), InputError> {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    // A tab in a header is there on purpose; commas may stand inside its names.
    let delimiter = if first.contains('\t') { b'\t' } else { b',' };
    if delimiter == b',' && first.contains(';') && !first.contains(',') {
        return Err(
            InputError::new("the columns are separated by semicolons", "separate them by commas or tabs").on_line(1)
        );
    }
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut records = reader.records();
    let mut counter = LineCounter { text: text.as_bytes(), position: 0, line: 1 };
    let headings = match records.next() {
        None => return Err(InputError::new("the file is empty", "give a header and one row per run")),
        Some(record) => {
            let record = record.map_err(malformed)?;
            let line = counter.line_of(record.position().map_or(0, csv::Position::byte));
            headings(&record).map_err(|error| error.on_line(line))?
        }
    };
    let wide: Vec<usize> = (0..headings.len()).filter(|&index| headings[index].level.is_some()).collect();
    let warnings =
        if wide.is_empty() { Vec::new() } else { vec![Warning::AssumedMetric { metric: WIDE_METRIC.to_owned() }] };

    let mut names: Vec<&str> = Vec::new();
    for heading in &headings {
        if !names.contains(&heading.column.as_str()) {
            names.push(&heading.column);
        }
    }
    if !wide.is_empty() {
        names.push(WIDE_METRIC);
    }
    let mut columns: Columns = names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
    let mut push = |values: &[(&str, Level)]| {
        for (name, levels) in &mut columns {
            levels.push(
                values.iter().find(|(column, _)| column == name).map_or(Level::Unknown, |(_, level)| level.clone()),
            );
        }
    };

    for record in records {
        let record = record.map_err(malformed)?;
        let line = counter.line_of(record.position().map_or(0, csv::Position::byte));
        if record.iter().all(|field| field.trim().is_empty()) {
            continue;
        }
        check_shape(&record, headings.len()).map_err(|error| error.on_line(line))?;
        let field = |index: usize| -> Result<Level, InputError> {
            let heading = &headings[index];
            let metric = heading.level.is_some();
            let text = record[index].trim();
            let placed = |error: InputError| error.on_line(line).in_column(&heading.text);
            let (kind, text) = if metric {
                (schema::kind(WIDE_METRIC), text)
            } else {
                (
                    schema::kind(&heading.column),
                    vocabulary::value(&heading.text, &heading.column, text).map_err(placed)?,
                )
            };
            kind.parse(text).map_err(placed)
        };
        let shared = (0..headings.len())
            .filter(|index| headings[*index].level.is_none())
            .map(|index| Ok((headings[index].column.as_str(), field(index)?)))
            .collect::<Result<Vec<_>, InputError>>()?;
        if wide.is_empty() {
            push(&shared);
            lines.push(line);
        }
        let before = lines.len();
        for &index in &wide {
            let value = field(index)?;
            if let (false, Some(level)) = (value.is_unknown(), &headings[index].level) {
                let mut run = shared.clone();
                run.push((&headings[index].column, level.clone()));
                run.push((WIDE_METRIC, value));
                push(&run);
                lines.push(line);
            }
        }
        if !wide.is_empty() && lines.len() == before {
            return Err(
                InputError::new("the row holds no measured value", "fill one in, or remove the row").on_line(line)
            );
        }
    }
    Ok((columns, warnings))
}

fn check_shape(record: &csv::StringRecord, columns: usize) -> Result<(), InputError> {
    // Nothing that belongs here spans lines; an unclosed quote swallows the rest of the file.
    if record.iter().any(|field| field.contains(['\n', '\r'])) {
        return Err(InputError::new(
            "a quoted value spans several lines",
            "close the quote, and keep each run on one line",
        ));
    }
    if record.len() != columns {
        return Err(InputError::new(
            format!("the row has {} of {columns} columns", record.len()),
            "give every row one field per column; put quotes around values with commas, such as \"5,102\"",
        ));
    }
    Ok(())
}

fn headings(record: &csv::StringRecord) -> Result<Vec<Heading>, InputError> {
    let mut headings = Vec::new();
    let mut seen = HashSet::new();
    for (index, text) in record.iter().enumerate() {
        let text = text.trim();
        if text.is_empty() {
            return Err(InputError::new(
                format!("column {} has no name", index + 1),
                "name every column in the header",
            ));
        }
        if text.chars().any(char::is_control) {
            return Err(InputError::new(
                format!("the column name {text:?} spans lines or holds control characters"),
                "close the quote",
            ));
        }
        let heading = match text.split_once(['=', '＝']) {
            None => Heading { text: text.to_owned(), column: vocabulary::column(text), level: None },
            Some((name, level)) => {
                let (name, level) = (name.trim(), level.trim());
                let column = vocabulary::column(name);
                if column.is_empty() || level.is_empty() || schema::role(&column) != Role::Factor {
                    let factors =
                        schema::COLUMNS.iter().filter(|column| column.role == Role::Factor).map(|column| column.name);
                    return Err(InputError::new(
                        format!("{text:?} is not a factor and a level"),
                        format!(
                            "write a factor and one of its levels, such as workers=4; factors are {}",
                            one_of(factors)
                        ),
                    ));
                }
                let level = vocabulary::value(name, &column, level)
                    .and_then(|level| schema::kind(&column).parse(level))
                    .map_err(|error| error.in_column(text))?;
                Heading { text: text.to_owned(), column, level: Some(level) }
            }
        };
        if !seen.insert((heading.column.clone(), heading.level.clone())) {
            return Err(InputError::new(
                format!("{text:?} stands twice in the header"),
                "give every column its own name",
            ));
        }
        headings.push(heading);
    }
    let mut spread: Vec<&str> =
        headings.iter().filter(|heading| heading.level.is_some()).map(|heading| heading.column.as_str()).collect();
    spread.dedup();
    if let Some(clash) =
        headings.iter().find(|heading| heading.level.is_none() && spread.contains(&heading.column.as_str()))
    {
        return Err(InputError::new(
            format!("{:?} is a column of its own and spread over others", clash.text),
            "keep one of the two",
        ));
    }
    if spread.len() > 1 {
        return Err(InputError::new(
            format!("the factors {} are spread over columns", spread.join(" and ")),
            "spread one factor only",
        ));
    }
    if !spread.is_empty() && headings.iter().any(|heading| schema::role(&heading.column) == Role::Metric) {
        return Err(InputError::new(
            "the table spreads a factor over columns and has a metric as well",
            "give one run per row, or only the spread columns",
        ));
    }
    Ok(headings)
}

/// Line numbers by position. The reader's own are one behind after CRLF, and it skips blank lines uncounted.
struct LineCounter<'a> {
    text: &'a [u8],
    position: usize,
    line: u64,
}

impl LineCounter<'_> {
    /// The line on which the record stands that starts at `byte` or, after line ends, soon behind it. Positions must
    /// not decrease.
    fn line_of(&mut self, byte: u64) -> u64 {
        let byte = usize::try_from(byte).unwrap_or(usize::MAX).min(self.text.len());
        let start = byte + self.text[byte..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let passed = &self.text[self.position..start];
        let ends = |index: usize| match passed[index] {
            b'\n' => true,
            b'\r' => self.text.get(self.position + index + 1) != Some(&b'\n'),
            _ => false,
        };
        self.line += (0..passed.len()).filter(|index| ends(*index)).count() as u64;
        self.position = start;
        self.line
    }
}

fn malformed(error: csv::Error) -> InputError {
    let line = error.position().map(csv::Position::line);
    let placed = InputError::new(error.to_string(), "give a CSV table: a header and one row per run");
    match line {
        Some(line) => placed.on_line(line),
        None => placed,
    }
}

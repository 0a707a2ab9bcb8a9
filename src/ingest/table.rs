//! A table of texts to runs. Its rows may come in several parts.

use std::collections::HashMap;

use csv::StringRecord;
use polars::prelude::{DataFrame, IdxCa, IntoColumn, NewChunkedArray, PolarsError, PolarsResult, Series};

use super::header::{Heading, Meaning, Renamed, headings};
use super::number;
use crate::error::{Error, InputError, Result};
use crate::model::column::encode;
use crate::model::schema::{self, Role};
use crate::model::{Level, Runs, Warning, vocabulary};

/// Where a row of a table is.
pub(super) fn in_row(error: InputError, row: u64) -> InputError {
    error.in_row(row as usize)
}

/// A table by its header.
pub(super) struct Table {
    source: String,
    headings: Vec<Heading>,
    warnings: Vec<Warning>,
}

impl Table {
    /// Of a header in which each column has a text, or several that stand above each other, and what stands above the table.
    pub fn of(header: &[Vec<String>], title: &str, renamed: Renamed, source: &str) -> Result<Self, InputError> {
        let (headings, warnings) = headings(header, title, renamed, source)?;
        Ok(Self { source: source.to_owned(), headings, warnings })
    }

    /// The runs of rows with their numbers, which are those of rows of a table or of lines of a file.
    pub fn of_rows(
        &self,
        rows: &[(usize, Vec<String>)],
        at: fn(InputError, u64) -> InputError,
    ) -> Result<Option<Runs>> {
        let mut rows = rows.iter();
        let next = |record: &mut StringRecord| {
            let Some((number, row)) = rows.next() else { return Ok(None) };
            *record = StringRecord::from(row.as_slice());
            Ok(Some(*number as u64))
        };
        self.runs(next, at)
    }

    /// The runs of lines separated by commas or tabs, the first of which has this number.
    pub fn of_lines(&self, text: &str, delimiter: u8, first: u64) -> Result<Option<Runs>> {
        let mut reader = reader(text, delimiter);
        let mut counter = LineCounter { text: text.as_bytes(), position: 0, line: first };
        let next = |record: &mut StringRecord| {
            let more = reader.read_record(record).map_err(|error| malformed(&error, first))?;
            Ok(more.then(|| counter.line_of(record.position().map_or(0, csv::Position::byte))))
        };
        self.runs(next, InputError::on_line)
    }

    /// The runs of records; none without any. A record comes with the number of its line or row.
    fn runs(
        &self,
        mut next: impl FnMut(&mut StringRecord) -> Result<Option<u64>, InputError>,
        at: fn(InputError, u64) -> InputError,
    ) -> Result<Option<Runs>> {
        let mut filled = Filled::of(self);
        let mut record = StringRecord::new();
        let mut read = || -> Result<(), InputError> {
            while let Some(place) = next(&mut record)? {
                if record.iter().any(|field| !field.trim().is_empty()) {
                    filled.add(self, &record, place).map_err(|error| at(error, place))?;
                }
            }
            Ok(())
        };
        read().map_err(|error| error.in_source(&self.source))?;
        let noticed = filled.numbers_beside_levels(&self.headings);
        let places = std::mem::take(&mut filled.places);
        if places.is_empty() {
            return Ok(None);
        }
        let runs = Runs::from_frame(filled.frame()?, &self.source).map_err(|error| match error {
            // The runs know rows of their own.
            Error::Input(mut error) => {
                let row = error.place.row.take();
                row.and_then(|row| places.get(row - 1)).map_or(error.clone(), |place| at(error, *place)).into()
            }
            other => other,
        })?;
        Ok(Some(runs.with_warnings(self.warnings.iter().cloned().chain(noticed))))
    }
}

/// The beginning of a text.
pub(super) struct Head {
    pub header: Vec<Vec<String>>,
    pub delimiter: u8,
    /// The line on which the header stands.
    pub line: u64,
    /// Where the rows begin, and on which line.
    pub end: usize,
    pub next: u64,
}

impl Head {
    pub fn of(text: &str) -> Result<Self, InputError> {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        // A tab in a header is there on purpose; commas may stand inside its names.
        let delimiter = if first.contains('\t') { b'\t' } else { b',' };
        if delimiter == b',' && first.contains(';') && !first.contains(',') {
            return Err(InputError::new("the columns are separated by semicolons", "separate them by commas or tabs")
                .on_line(1));
        }
        let (mut reader, mut record) = (reader(text, delimiter), StringRecord::new());
        if !reader.read_record(&mut record).map_err(|error| malformed(&error, 1))? {
            return Err(InputError::new("the file is empty", "give a header and one row per run"));
        }
        let mut counter = LineCounter { text: text.as_bytes(), position: 0, line: 1 };
        let line = counter.line_of(record.position().map_or(0, csv::Position::byte));
        let next = counter.line_of(reader.position().byte());
        let header = record.iter().map(|field| vec![field.to_owned()]).collect();
        Ok(Self { header, delimiter, line, end: counter.position, next })
    }
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes())
}

/// Columns as they are filled, and where each run was found.
#[derive(Default)]
struct Filled {
    columns: Vec<Filling>,
    /// The columns that every run of a row shares: the position of their field and their own.
    shared: Vec<(usize, usize)>,
    /// Runs that stand side by side in a row.
    beside: Vec<Beside>,
    /// The fields that number rows, by their headers, and are left out.
    row_numbers: Vec<usize>,
    places: Vec<u64>,
}

/// One of several runs in a row.
#[derive(Default)]
struct Beside {
    /// Columns, and what stands there.
    settings: Vec<(usize, Value)>,
    /// The position of a field and its column.
    metrics: Vec<(usize, usize)>,
}

/// A column: a metric with its values, or levels with the number of each run's.
struct Filling {
    name: String,
    metric: bool,
    known: HashMap<String, usize>,
    levels: Vec<Level>,
    codes: Vec<usize>,
}

/// A value of a metric, or the number of a level.
#[derive(Clone)]
enum Value {
    Measured(Level),
    Coded(usize),
}

impl Filled {
    fn of(table: &Table) -> Self {
        let mut filled = Self::default();
        let mut beside: Vec<(&[(String, Level)], Beside)> = Vec::new();
        for (field, heading) in table.headings.iter().enumerate() {
            match &heading.meaning {
                Meaning::LeftOut => {
                    if vocabulary::is_row_number(&heading.text) && !heading.explained {
                        filled.row_numbers.push(field);
                    }
                }
                Meaning::Column(column) => {
                    let at = filled.position(column);
                    filled.shared.push((field, at));
                }
                Meaning::Spread(settings, metric) => {
                    let at = filled.position(metric);
                    match beside.iter_mut().find(|(known, _)| known == settings) {
                        Some((_, one)) => one.metrics.push((field, at)),
                        None => beside.push((settings, Beside { metrics: vec![(field, at)], ..Beside::default() })),
                    }
                }
            }
        }
        for (settings, mut one) in beside {
            for (factor, level) in settings {
                let at = filled.position(factor);
                one.settings.push((at, filled.columns[at].coded(&level.to_string(), level.clone())));
            }
            filled.beside.push(one);
        }
        filled
    }

    fn position(&mut self, name: &str) -> usize {
        self.columns.iter().position(|column| column.name == name).unwrap_or_else(|| {
            let metric = schema::role(name) == Role::Metric;
            let (known, levels, codes) = Default::default();
            self.columns.push(Filling { name: name.to_owned(), metric, known, levels, codes });
            self.columns.len() - 1
        })
    }

    /// Adds the run or the runs of a record.
    fn add(&mut self, table: &Table, record: &StringRecord, place: u64) -> Result<(), InputError> {
        check_shape(record, table.headings.len())?;
        for &at in &self.row_numbers {
            let field = record.get(at).unwrap_or_default();
            if !field.trim().is_empty() && field.trim().parse::<i64>().is_err() {
                let text = &table.headings[at].text;
                return Err(InputError::new(
                    format!("{field:?} is no number of a row"),
                    format!("say what the column is, such as --map '{text}=node', or leave it out: --map '{text}='"),
                )
                .in_column(text));
            }
        }
        let columns = &mut self.columns;
        let mut read = |(field, column): (usize, usize)| {
            let text = record.get(field).unwrap_or_default().trim();
            let heading = &table.headings[field];
            let value = columns[column].read(heading, text);
            value.map_err(|error| error.in_column(&heading.text)).map(|value| (column, value))
        };
        let shared = self.shared.iter().map(|at| read(*at)).collect::<Result<Vec<_>, _>>()?;
        let mut runs = Vec::new();
        for one in &self.beside {
            let metrics = one.metrics.iter().map(|at| read(*at)).collect::<Result<Vec<_>, _>>()?;
            let stated = |(_, value): &(usize, Value)| !matches!(value, Value::Measured(Level::Unknown));
            if metrics.iter().any(stated) {
                runs.push(one.settings.iter().cloned().chain(metrics).collect::<Vec<_>>());
            }
        }
        if self.beside.is_empty() {
            runs.push(Vec::new());
        }
        if runs.is_empty() {
            return Err(InputError::new("the row holds no measured value", "fill one in, or remove the row"));
        }
        for run in runs {
            self.places.push(place);
            let height = self.places.len();
            for (column, value) in shared.iter().cloned().chain(run) {
                self.columns[column].push(value);
            }
            self.columns.iter_mut().for_each(|column| column.fill(height));
        }
        Ok(())
    }

    /// Unknown columns of numbers in a table over which a factor is spread: they may be levels that nobody knows.
    fn numbers_beside_levels(&self, headings: &[Heading]) -> Vec<Warning> {
        let explained = |name: &str| headings.iter().any(|heading| heading.text == *name && heading.explained);
        let is_number = |level: &Level| level.is_unknown() || level.as_number().is_some();
        let unclear = |&(_, column): &(usize, usize)| {
            let Filling { name, metric, levels, .. } = &self.columns[column];
            let unknown = !metric && schema::column(name).is_none() && !explained(name);
            (unknown && levels.len() > 1 && levels.iter().all(is_number))
                .then(|| Warning::NumbersBesideLevels { column: name.clone() })
        };
        if self.beside.is_empty() { Vec::new() } else { self.shared.iter().filter_map(unclear).collect() }
    }

    fn frame(self) -> Result<DataFrame> {
        let report = |error: PolarsError| InputError::new(error.to_string(), "report this");
        let height = self.columns.first().map_or(0, Filling::len);
        let columns = self.columns.into_iter().map(|column| Ok(column.into_series()?.into_column()));
        let columns = columns.collect::<PolarsResult<_>>().map_err(report)?;
        Ok(DataFrame::new(height, columns).map_err(report)?)
    }
}

impl Filling {
    fn read(&mut self, heading: &Heading, text: &str) -> Result<Value, InputError> {
        let kind = schema::kind(&self.name);
        if self.metric {
            let text = if vocabulary::is_missing(text) { "" } else { text };
            return number::metric(kind, text, heading.scale).map(Value::Measured);
        }
        if let Some(&code) = self.known.get(text) {
            return Ok(Value::Coded(code));
        }
        if vocabulary::is_summary(text) {
            return Err(InputError::new(
                format!("{text:?} sums up other runs, so that the row is no run"),
                "leave the row out",
            ));
        }
        let meant = if vocabulary::is_missing(text) { "" } else { text };
        let meant = if heading.explained {
            vocabulary::level(&self.name, meant)
        } else {
            vocabulary::value(&heading.text, &self.name, meant)?
        };
        let level = kind.parse(meant)?;
        Ok(self.coded(text, level))
    }

    fn coded(&mut self, text: &str, level: Level) -> Value {
        if let Some(&code) = self.known.get(text) {
            return Value::Coded(code);
        }
        self.levels.push(level);
        self.known.insert(text.to_owned(), self.levels.len() - 1);
        Value::Coded(self.levels.len() - 1)
    }

    fn push(&mut self, value: Value) {
        match value {
            Value::Measured(level) => self.levels.push(level),
            Value::Coded(code) => self.codes.push(code),
        }
    }

    fn len(&self) -> usize {
        if self.metric { self.levels.len() } else { self.codes.len() }
    }

    /// Unknown where a run says nothing: a metric that stands beside some settings only.
    fn fill(&mut self, height: usize) {
        while self.len() < height {
            let unknown = if self.metric { Value::Measured(Level::Unknown) } else { self.coded("", Level::Unknown) };
            self.push(unknown);
        }
    }

    fn into_series(self) -> PolarsResult<Series> {
        if self.metric {
            return Ok(encode(&self.name, &self.levels));
        }
        let codes = self.codes.into_iter().map(|code| code as u32);
        encode(&self.name, &self.levels).take(&IdxCa::from_iter_values("codes".into(), codes))
    }
}

fn check_shape(record: &StringRecord, columns: usize) -> Result<(), InputError> {
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

/// How many lines end in a text: LF, CRLF, or CR alone.
pub(super) fn line_ends(text: &[u8]) -> usize {
    let alone = |index: &usize| text[*index] == b'\r' && text.get(index + 1) != Some(&b'\n');
    (0..text.len()).filter(|index| text[*index] == b'\n' || alone(index)).count()
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
        self.line += line_ends(&self.text[self.position..start]) as u64;
        self.position = start;
        self.line
    }
}

/// What the reader refuses in a text whose first line has this number.
fn malformed(error: &csv::Error, first: u64) -> InputError {
    let placed = InputError::new(error.to_string(), "give a CSV table: a header and one row per run");
    match error.position() {
        Some(position) => placed.on_line(first - 1 + position.line()),
        None => placed,
    }
}

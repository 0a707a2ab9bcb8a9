//! A table of texts to runs: canonical columns, or wide, with factors spread over columns (`workers=1`, `4 workers`, `async`).
//! The rows may come in several parts.

use std::collections::{BTreeMap, HashMap, HashSet};

use csv::StringRecord;
use polars::prelude::{DataFrame, IdxCa, IntoColumn, NewChunkedArray, PolarsError, PolarsResult, Series};

use super::number;
use crate::error::{Error, InputError, Result, one_of};
use crate::model::column::encode;
use crate::model::schema::{self, Kind, Role};
use crate::model::{Level, Runs, Warning, vocabulary};

/// The metric that a wide table holds where its headers name none.
const WIDE_METRIC: &str = "rps";

/// What the columns of a table stand for.
pub(super) struct Table {
    source: String,
    headings: Vec<Heading>,
    /// What the values of each column are to be multiplied by.
    scales: Vec<f64>,
    warnings: Vec<Warning>,
}

struct Heading {
    /// As written.
    text: String,
    meaning: Meaning,
    /// Whether its meaning was explained, so that its values are no answers to a question.
    explained: bool,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Meaning {
    /// The values of a column.
    Column(String),
    /// A metric of runs that have these levels.
    Spread(Vec<(String, Level)>, String),
    /// Nothing that belongs to a run.
    LeftOut,
}

/// The headers that the user explains, and the columns that they stand for; an empty one leaves the column out.
pub type Renamed<'a> = &'a [(String, String)];

/// Explained headers that stand in none of the headers there are.
pub(super) fn unused<'a>(renamed: Renamed, headers: impl Iterator<Item = &'a str>, source: &str) -> Vec<Warning> {
    let headers: Vec<&str> = headers.collect();
    let unused = renamed.iter().filter(|(written, _)| !headers.iter().any(|header| header.contains(written)));
    unused.map(|(header, _)| Warning::NoSuchHeader { header: header.clone(), source: source.to_owned() }).collect()
}

/// The columns that say nothing of a run, by their names alone.
pub(super) fn left_out(renamed: Renamed, names: &[String], source: &str) -> Vec<Warning> {
    let says_nothing = |name: &&String| {
        vocabulary::is_computed(name) && schema::column(name).is_none() && explained(renamed, name).is_none()
    };
    let warning = |name: &String| Warning::LeftOut { column: name.clone(), source: source.to_owned() };
    names.iter().filter(says_nothing).map(warning).collect()
}

/// What the user says of a header.
fn explained<'a>(renamed: Renamed<'a>, header: &str) -> Option<&'a str> {
    let header = header.trim();
    renamed.iter().find(|(written, _)| written == header).map(|(_, column)| column.as_str())
}

/// The column that a header stands for: as the user says, or by the words that are known.
pub(super) fn column_of(renamed: Renamed, header: &str) -> String {
    vocabulary::column(explained(renamed, header).unwrap_or(header))
}

/// What the values under a header are to be multiplied by.
fn scale_of(renamed: Renamed, header: &str) -> f64 {
    match explained(renamed, header) {
        None => vocabulary::quantity(header).map_or(1.0, |(_, scale)| scale),
        Some(column) => {
            let (column, unit) = (vocabulary::column(column), vocabulary::unit(header));
            unit.and_then(|(_, unit)| vocabulary::scale(&column, unit)).unwrap_or(1.0)
        }
    }
}

impl Table {
    /// Of a header in which each column has a text, or several that stand above each other, and what stands above the table.
    pub fn of(header: &[Vec<String>], title: &str, renamed: Renamed, source: &str) -> Result<Self, InputError> {
        let mut headings = Vec::new();
        for (index, parts) in header.iter().enumerate() {
            headings.push(heading(parts, index, renamed)?);
        }
        spread_over_columns(&mut headings, renamed)?;
        let unclear = |heading: &&Heading| match &heading.meaning {
            Meaning::Column(column) => {
                schema::column(column).is_none() && !heading.explained && vocabulary::is_measured(&heading.text)
            }
            Meaning::Spread(..) | Meaning::LeftOut => false,
        };
        if let Some(heading) = headings.iter().find(unclear) {
            return Err(unknown_metric(&heading.text, &heading.text));
        }
        let mut seen: Vec<&Heading> = Vec::new();
        for heading in headings.iter().filter(|heading| heading.meaning != Meaning::LeftOut) {
            if let Some(before) = seen.iter().find(|before| before.meaning == heading.meaning) {
                return Err(if before.text == heading.text {
                    InputError::new(
                        format!("{:?} stands twice in the header", heading.text),
                        "give every column its own name",
                    )
                } else {
                    InputError::new(
                        format!("{:?} and {:?} stand for the same", before.text, heading.text),
                        format!(
                            "leave one of them out: --map '{}=' (Python: columns={{{:?}: \"\"}})",
                            heading.text, heading.text
                        ),
                    )
                });
            }
            seen.push(heading);
        }
        check_spread(&headings)?;
        let mut warnings = unused(renamed, header.iter().flatten().map(String::as_str), source);
        if headings.iter().any(|heading| matches!(&heading.meaning, Meaning::Spread(_, metric) if metric.is_empty())) {
            if vocabulary::is_measured(title) && !vocabulary::quantity(title).is_some_and(|(of, _)| of == WIDE_METRIC) {
                return Err(InputError::new(
                    format!("the table names no metric, and {title:?} stands above it"),
                    "name the metric in the header of each column, such as rps above workers=4",
                ));
            }
            warnings.push(Warning::AssumedMetric { metric: WIDE_METRIC.to_owned() });
        }
        let mut scales = Vec::new();
        for (heading, parts) in headings.iter_mut().zip(header) {
            if let Meaning::Spread(_, metric) = &mut heading.meaning
                && metric.is_empty()
            {
                WIDE_METRIC.clone_into(metric);
            }
            let of_parts = parts.iter().map(|part| scale_of(renamed, part)).find(|scale| *scale != 1.0);
            scales
                .push(of_parts.or_else(|| (parts.len() > 1).then(|| scale_of(renamed, &heading.text))).unwrap_or(1.0));
        }
        for heading in &headings {
            match &heading.meaning {
                Meaning::LeftOut if !heading.explained => {
                    warnings.push(Warning::LeftOut { column: heading.text.clone(), source: source.to_owned() });
                }
                _ => {}
            }
        }
        let mut seen = HashSet::new();
        if let Some(again) =
            headings.iter().find(|heading| heading.meaning != Meaning::LeftOut && !seen.insert(&heading.meaning))
        {
            return Err(InputError::new(
                format!("{:?} gives {WIDE_METRIC} once more", again.text),
                "name the metric of each column",
            ));
        }
        Ok(Self { source: source.to_owned(), headings, scales, warnings })
    }

    /// The runs of rows with their numbers.
    pub fn of_rows(&self, rows: &[(usize, Vec<String>)]) -> Result<Option<Runs>> {
        let mut rows = rows.iter();
        let next = |record: &mut StringRecord| {
            let Some((number, row)) = rows.next() else { return Ok(None) };
            *record = StringRecord::from(row.as_slice());
            Ok(Some(*number as u64))
        };
        self.runs(next, |error, row| error.in_row(row as usize))
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
        Ok(Some(runs.with_warnings(self.warnings.clone())))
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

/// What the texts that stand above each other in a header mean together.
fn heading(parts: &[String], index: usize, renamed: Renamed) -> Result<Heading, InputError> {
    let mut own: Vec<&str> = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
    own.dedup();
    let text = own.join(" / ");
    if text.is_empty() {
        return Err(InputError::new(format!("column {} has no name", index + 1), "name every column in the header"));
    }
    if text.chars().any(char::is_control) {
        return Err(InputError::new(
            format!("the column name {text:?} spans lines or holds control characters"),
            "close the quote",
        ));
    }
    let by_user = [text.as_str()].into_iter().chain(own.iter().copied()).find_map(|part| explained(renamed, part));
    let heading = |meaning| Ok(Heading { text: text.clone(), meaning, explained: by_user.is_some() });
    if by_user.is_some_and(str::is_empty) {
        return heading(Meaning::LeftOut);
    }
    let column_of = |part: &str| column_of(renamed, part);
    let known = |part: &str| schema::column(&column_of(part));
    let says_level = |part: &str| part.contains(['=', '＝']) || vocabulary::setting(part, &column_of).is_some();
    // Any text could be a level of a factor that takes any text.
    let pairs = |part: &str| {
        known(part).is_some_and(|known| known.role == Role::Factor && !matches!(known.kind, Kind::Text | Kind::Label))
    };
    let (mut settings, mut metric, mut names) = (Vec::new(), None, Vec::new());
    let mut rest = own.iter().peekable();
    while let Some(part) = rest.next() {
        if explained(renamed, part).is_some() {
            names.push(*part);
        } else if let Some((name, level)) = part.split_once(['=', '＝']) {
            settings.push(setting(part, name, level, &column_of)?);
        } else if own.len() > 1
            && let Some((column, level, of)) = vocabulary::setting(part, &column_of)
        {
            metric = metric.or(of.map(ToOwned::to_owned));
            settings.push(setting(part, &column, &level, &column_of)?);
        } else if pairs(part)
            && let Some(level) = rest.next_if(|next| !says_level(next) && known(next).is_none())
        {
            settings.push(setting(&text, part, level, &column_of)?);
        } else {
            names.push(*part);
        }
    }
    if settings.is_empty() {
        let column = named(&own, &column_of);
        if schema::column(&column).is_some() || by_user.is_some() {
            return heading(Meaning::Column(column));
        }
        if own.iter().any(|part| vocabulary::is_computed(part)) {
            return heading(Meaning::LeftOut);
        }
        return heading(Meaning::Column(column));
    }
    for name in names {
        match known(name) {
            Some(known) if known.role == Role::Metric && metric.is_none() => metric = Some(known.name.to_owned()),
            _ if vocabulary::is_computed(name) => return heading(Meaning::LeftOut),
            _ => return Err(unknown_metric(&text, name)),
        }
    }
    settings.sort();
    heading(Meaning::Spread(settings, metric.unwrap_or_default()))
}

fn unknown_metric(text: &str, name: &str) -> InputError {
    InputError::new(
        format!("it is not known what is measured in {name:?}"),
        format!(
            "say which metric it is, such as --map '{name}=rps' or '{name}=latency_mean_ms', or leave the column out: \
             --map '{text}=' (Python: columns={{{name:?}: \"rps\"}})"
        ),
    )
}

/// The column that one name stands for, or several above each other, such as "latency (ms)" above "P99".
fn named(parts: &[&str], column_of: &dyn Fn(&str) -> String) -> String {
    let reversed: Vec<&str> = parts.iter().rev().copied().collect();
    let names = [parts.join(" "), reversed.join(" "), reversed[0].to_owned()];
    let known = names.iter().map(|name| column_of(name)).find(|column| schema::column(column).is_some());
    known.unwrap_or_else(|| column_of(&names[0]))
}

/// A factor and one of its levels, as a header says it.
fn setting(
    text: &str,
    name: &str,
    level: &str,
    column_of: &dyn Fn(&str) -> String,
) -> Result<(String, Level), InputError> {
    let (name, level) = (name.trim(), level.trim());
    let column = column_of(name);
    if column.is_empty() || level.is_empty() || schema::role(&column) == Role::Metric {
        let factors = schema::COLUMNS.iter().filter(|column| column.role == Role::Factor).map(|column| column.name);
        return Err(InputError::new(
            format!("{text:?} is not a factor and a level"),
            format!("write a factor and one of its levels, such as workers=4; factors are {}", one_of(factors)),
        ));
    }
    let level = vocabulary::value(name, &column, level).and_then(|level| schema::kind(&column).parse(level));
    Ok((column, level.map_err(|error| error.in_column(text))?))
}

/// Headers such as `4 workers` or `async` are levels if several of one factor stand side by side and nothing else is measured.
fn spread_over_columns(headings: &mut [Heading], renamed: Renamed) -> Result<(), InputError> {
    let column_of = |part: &str| column_of(renamed, part);
    let mut found: BTreeMap<String, Vec<(usize, Level, Option<&'static str>)>> = BTreeMap::new();
    for (index, heading) in headings.iter().enumerate() {
        if let Meaning::Column(_) = heading.meaning
            && !heading.explained
            && let Some((factor, level, metric)) = vocabulary::setting(&heading.text, &column_of)
            && let Ok(level) = schema::kind(&factor).parse(&level)
        {
            found.entry(factor).or_default().push((index, level, metric));
        }
    }
    found.retain(|_, levels| levels.len() > 1);
    let of_levels: Vec<usize> = found.values().flatten().map(|(index, ..)| *index).collect();
    let others = headings.iter().enumerate().filter(|(index, _)| !of_levels.contains(index));
    let others: Vec<&str> = others
        .filter_map(
            |(_, heading)| if let Meaning::Column(column) = &heading.meaning { Some(column.as_str()) } else { None },
        )
        .collect();
    found.retain(|factor, _| !others.contains(&factor.as_str()));
    if let (Some((factor, _)), Some(metric)) = (
        found.iter().find(|(factor, _)| matches!(schema::kind(factor), Kind::Whole { .. })),
        others.iter().find(|column| schema::role(column) == Role::Metric),
    ) {
        return Err(InputError::new(
            format!("the table spreads {factor} over columns and has {metric} as well"),
            "give one run per row, or only the spread columns",
        ));
    }
    if others.iter().any(|column| schema::role(column) == Role::Metric) {
        return Ok(());
    }
    for (factor, levels) in found {
        for (index, level, metric) in levels {
            let metric = metric.map_or_else(String::new, ToOwned::to_owned);
            headings[index].meaning = Meaning::Spread(vec![(factor.clone(), level)], metric);
        }
    }
    Ok(())
}

/// Refuses what is spread in a way that says nothing.
fn check_spread(headings: &[Heading]) -> Result<(), InputError> {
    let mut spread: Vec<Vec<&str>> = Vec::new();
    for heading in headings {
        let Meaning::Spread(settings, _) = &heading.meaning else { continue };
        let factors: Vec<&str> = settings.iter().map(|(factor, _)| factor.as_str()).collect();
        if factors.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(InputError::new(
                format!("{:?} gives two levels of {}", heading.text, factors[0]),
                "give every column one level of a factor",
            ));
        }
        if !spread.contains(&factors) {
            spread.push(factors);
        }
    }
    let column = |heading: &Heading| match &heading.meaning {
        Meaning::Column(column) => Some(column.clone()),
        Meaning::Spread(..) | Meaning::LeftOut => None,
    };
    let is_spread = |column: String| spread.iter().flatten().any(|factor| *factor == column);
    if let Some(clash) = headings.iter().find(|heading| column(heading).is_some_and(is_spread)) {
        return Err(InputError::new(
            format!("{:?} is a column of its own and spread over others", clash.text),
            "keep one of the two",
        ));
    }
    if spread.len() > 1 {
        let factors: Vec<&str> = spread.into_iter().flatten().collect();
        return Err(InputError::new(
            format!("the factors {} are spread over columns", factors.join(" and ")),
            "spread the same factors over all of them",
        ));
    }
    let is_metric = |column: String| schema::role(&column) == Role::Metric;
    if !spread.is_empty() && headings.iter().any(|heading| column(heading).is_some_and(is_metric)) {
        return Err(InputError::new(
            "the table spreads a factor over columns and has a metric as well",
            "give one run per row, or only the spread columns",
        ));
    }
    Ok(())
}

/// Columns as they are filled, and where each run was found.
struct Filled {
    columns: Vec<Filling>,
    /// The columns that every run of a row shares: the position of their field and their own.
    shared: Vec<(usize, usize)>,
    /// Runs that stand side by side in a row.
    beside: Vec<Beside>,
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
        let mut filled = Self { columns: Vec::new(), shared: Vec::new(), beside: Vec::new(), places: Vec::new() };
        let mut beside: Vec<(&[(String, Level)], Beside)> = Vec::new();
        for (field, heading) in table.headings.iter().enumerate() {
            match &heading.meaning {
                Meaning::LeftOut => {}
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
        let columns = &mut self.columns;
        let mut read = |(field, column): (usize, usize)| {
            let text = record.get(field).unwrap_or_default().trim();
            let heading = &table.headings[field];
            let value = columns[column].read(heading, text, table.scales[field]);
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

    fn frame(self) -> Result<DataFrame> {
        let report = |error: PolarsError| InputError::new(error.to_string(), "report this");
        let height = self.columns.first().map_or(0, Filling::len);
        let columns = self.columns.into_iter().map(|column| Ok(column.into_series()?.into_column()));
        let columns = columns.collect::<PolarsResult<_>>().map_err(report)?;
        Ok(DataFrame::new(height, columns).map_err(report)?)
    }
}

impl Filling {
    fn read(&mut self, heading: &Heading, text: &str, scale: f64) -> Result<Value, InputError> {
        let kind = schema::kind(&self.name);
        if self.metric {
            let text = if vocabulary::is_missing(text) { "" } else { text };
            let level = number::metric(kind, text)?;
            return Ok(Value::Measured(match level.as_number().filter(|_| scale != 1.0) {
                Some(value) => number::scaled(kind, value * scale)?,
                None => level,
            }));
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
        let meant = if text == "-" { "" } else { text };
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

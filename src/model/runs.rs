//! Runs: a validated frame.

use std::collections::HashSet;

use polars::prelude::*;
use serde::Serialize;

use super::column::{checked, encode};
use super::reduction::{Reduction, Summed};
use super::{Factor, Level, Run, Warning, schema, vocabulary};
use crate::error::{Error, InputError, Result, instead, one_of};
use crate::language::{Lang, column_label};
use schema::Role;

/// Runs, one per row. Columns are those of [`schema::COLUMNS`] in canonical order, then further factors; every value has
/// been checked, and an absent value is null.
///
/// Whole-number columns are `Int64`, other numeric columns `Float64`, texts `String`; design columns and further
/// factors keep `Int64`, `Float64`, `Boolean` or `String` as they came.
#[derive(Debug, Clone)]
pub struct Runs {
    frame: DataFrame,
    sources: Vec<Source>,
    warnings: Vec<Warning>,
    /// Where a row stands for several runs: what is kept of them.
    summed: Option<Summed>,
}

/// Where runs come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// File name, `-`, `documented:NAME`, or what the caller called it.
    pub name: String,
    /// SHA-256 of the bytes read, in hexadecimal; absent for frames.
    pub sha256: Option<String>,
    /// How many runs.
    pub runs: usize,
}

/// A frame operation that can only fail by a fault of this crate still gives an error, not a panic.
pub(super) fn internal(error: PolarsError) -> Error {
    Error::input(format!("the frame could not be built: {error}"), "report this with the input")
}

/// More columns than these are slips of a program that writes them.
const MOST_COLUMNS: usize = 1_000;

fn unmeasured_run(row: usize) -> InputError {
    InputError::new("the run has no measured value", "fill one in, or remove the run").in_row(row)
}

impl Runs {
    /// Checks a frame and takes it as runs. Numeric columns that already have the right type are not copied.
    ///
    /// # Errors
    /// No row, no metric, a row without any measured value, a column of a type that holds no levels, or a value that
    /// its column does not allow: the message names column, row and value.
    pub fn from_frame(frame: DataFrame, source: &str) -> Result<Self> {
        Self::validate(frame, source).map_err(|error| error.in_source(source).into())
    }

    fn validate(frame: DataFrame, source: &str) -> Result<Self, InputError> {
        let height = frame.height();
        if height == 0 {
            return Err(InputError::new("there are no runs", "give one row per run below the header"));
        }
        let mut columns = Vec::new();
        let mut warnings = Vec::new();
        let mut unmeasured = false;
        for column in frame.into_columns() {
            let name = schema::canonical_name(column.name()).to_owned();
            if name.is_empty() {
                return Err(InputError::new("a column has no name", "name every column in the header"));
            }
            if name.chars().any(char::is_control) {
                return Err(InputError::new(
                    format!("the column name {name:?} holds control characters"),
                    "write it as plain text on one line",
                ));
            }
            if schema::column(&name).is_none()
                && let Some(known) = schema::similar(&name)
            {
                warnings.push(Warning::SimilarColumn { column: name.clone(), known: known.to_owned() });
            }
            let series = column.take_materialized_series();
            // A column of type null, or one that is empty throughout, says nothing.
            let column = if series.null_count() < height { checked(&name, series)? } else { series };
            if column.null_count() < height {
                columns.push(column.into_column());
            } else if schema::role(&name) == Role::Metric {
                unmeasured = true;
            }
        }
        if unmeasured && columns.iter().all(|column| schema::role(column.name()) != Role::Metric) {
            return Err(unmeasured_run(1));
        }
        columns.sort_by_key(|column| canonical(column.name()));
        let frame = DataFrame::new(height, columns)
            .map_err(|error| InputError::new(error.to_string(), "give every column its own name"))?;
        let sources = vec![Source { name: source.to_owned(), sha256: None, runs: height }];
        let runs = Self { frame, sources, warnings, summed: None };
        runs.require_metrics()?;
        runs.with_vm_size()
    }

    fn require_metrics(&self) -> Result<(), InputError> {
        let metrics: Vec<&Column> =
            self.frame.columns().iter().filter(|column| schema::role(column.name()) == Role::Metric).collect();
        if metrics.is_empty() {
            let names: Vec<&str> = self.frame.columns().iter().map(|column| column.name().as_str()).collect();
            return Err(InputError::new(
                format!("no column holds a metric (found {})", names.join(", ")),
                "name the column of requests per second rps",
            ));
        }
        if metrics.iter().any(|column| column.null_count() == 0) {
            return Ok(());
        }
        for row in 0..self.height() {
            if metrics.iter().all(|column| column.get(row).is_ok_and(|value| value.is_null())) {
                return Err(unmeasured_run(row + 1));
            }
        }
        Ok(())
    }

    /// Adds `vcpus` and `memory_gib` where `vm_size` gives them, and refuses a contradiction.
    fn with_vm_size(mut self) -> Result<Self, InputError> {
        let Ok(sizes) = self.frame.column("vm_size").and_then(|column| column.str()) else { return Ok(self) };
        let sizes: Vec<Option<(i64, f64)>> = sizes.iter().map(|size| schema::vm_size(size?)).collect();
        let vcpus: Int64Chunked = sizes.iter().map(|size| size.map(|(cpus, _)| cpus)).collect();
        let memory: Float64Chunked = sizes.iter().map(|size| size.map(|(_, memory)| memory)).collect();
        for (name, derived) in schema::DERIVED.iter().zip([vcpus.into_series(), memory.into_series()]) {
            let derived = derived.with_name((*name).into());
            if self.has_column(name) {
                let (stated, derived) = (self.factor(name), Factor::of(&derived));
                for (row, (stated, derived)) in stated.iter().zip(derived.iter()).enumerate() {
                    if !stated.is_unknown() && !derived.is_unknown() && stated != derived {
                        return Err(InputError::new(
                            format!("{stated} contradicts vm_size, which gives {derived}"),
                            "correct one of them, or leave this column out",
                        )
                        .in_row(row + 1)
                        .in_column(name));
                    }
                }
            } else {
                let at =
                    self.frame.columns().iter().take_while(|column| canonical(column.name()) < canonical(name)).count();
                self.frame
                    .insert_column(at, derived.into_column())
                    .map_err(|error| InputError::new(error.to_string(), "report this"))?;
            }
        }
        Ok(self)
    }

    /// Takes rows as runs.
    ///
    /// # Errors
    /// As [`Runs::from_frame`].
    pub fn from_rows(rows: impl IntoIterator<Item = Run>, source: &str) -> Result<Self> {
        let mut columns: Vec<(String, Vec<Level>)> = Vec::new();
        let mut height = 0;
        for run in rows {
            for (name, level) in run.values() {
                if columns.len() > MOST_COLUMNS {
                    return Err(InputError::new(
                        format!("the runs have more than {MOST_COLUMNS} columns, {name:?} among them"),
                        "give all runs the same columns",
                    )
                    .in_row(height + 1)
                    .in_source(source)
                    .into());
                }
                let index = columns.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                    columns.push((name.to_owned(), Vec::new()));
                    columns.len() - 1
                });
                columns[index].1.resize(height, Level::Unknown);
                columns[index].1.push(level.clone());
            }
            height += 1;
        }
        let series = columns.into_iter().map(|(name, mut levels)| {
            levels.resize(height, Level::Unknown);
            encode(&name, &levels).into_column()
        });
        Self::from_frame(DataFrame::new(height, series.collect()).map_err(internal)?, source)
    }

    /// Puts several sets of runs below each other; columns that one lacks are unknown there.
    ///
    /// # Errors
    /// An empty list, or the same contents twice.
    pub fn concat(parts: Vec<Self>) -> Result<Self> {
        // The same runs twice would pass for twice the evidence.
        for (index, part) in parts.iter().enumerate() {
            if parts[..index].iter().any(|earlier| earlier.frame.equals_missing(&part.frame)) {
                return Err(Error::input(
                    format!("the contents of {} were read already", part.source()),
                    "name every input once",
                ));
            }
        }
        Self::below_each_other(parts)
    }

    /// The same without looking for repetitions.
    ///
    /// # Errors
    /// An empty list.
    pub(crate) fn below_each_other(parts: Vec<Self>) -> Result<Self> {
        if parts.iter().any(|part| part.summed.is_some()) {
            let mut all = Reduction::default();
            parts.iter().for_each(|part| all.merge(Reduction::of(part)));
            return all.into_runs();
        }
        let mut parts = parts.into_iter();
        let Some(mut all) = parts.next() else {
            return Err(Error::input("no input is given", "name a file, - or documented:NAME"));
        };
        for part in parts {
            let (left, right) = (all.frame.height(), part.frame.height());
            let mut names: Vec<PlSmallStr> = all.frame.get_column_names_owned();
            names.extend(part.frame.get_column_names_owned().into_iter().filter(|name| !all.has_column(name)));
            names.sort_by_key(|name| canonical(name));
            let columns = names.iter().map(|name| -> PolarsResult<Column> {
                let dtype = |runs: &Self| runs.frame.column(name).map(|column| column.dtype().clone()).ok();
                if let (Some(a), Some(b)) = (dtype(&all), dtype(&part))
                    && a != b
                {
                    // Labels may be whole numbers in one part and text in another.
                    let levels: Vec<Level> = all.factor(name).iter().chain(part.factor(name).iter()).cloned().collect();
                    return Ok(encode(name, &levels).into_column());
                }
                let dtype = dtype(&all).or_else(|| dtype(&part)).unwrap_or(DataType::Null);
                let take = |runs: &Self, height| {
                    let absent = |_| Series::full_null(name.clone(), height, &dtype);
                    runs.frame.column(name).map_or_else(absent, |column| column.as_materialized_series().clone())
                };
                let mut series = take(&all, left);
                series.append(&take(&part, right))?;
                Ok(series.into_column())
            });
            let columns: Vec<Column> = columns.collect::<PolarsResult<_>>().map_err(internal)?;
            all.frame = DataFrame::new(left + right, columns).map_err(internal)?;
            all.sources.extend(part.sources);
            for warning in part.warnings {
                Warning::add(&mut all.warnings, warning);
            }
        }
        Ok(all)
    }

    /// Two sets of runs below each other, told apart by a further factor. Rounds and server starts of different sets are
    /// different ones, whatever their numbers are.
    ///
    /// # Errors
    /// Runs that have a column of that name, or the same contents twice.
    pub(crate) fn labelled(sets: [(&Self, &str); 2], factor: &str) -> Result<Self> {
        let label = |(runs, label): (&Self, &str)| {
            if runs.has_column(factor) {
                return Err(Error::input(format!("the runs have a column {factor:?}"), "give it another name"));
            }
            let mut labelled = runs.clone();
            for column in ["block", "start"].into_iter().filter(|column| runs.has_column(column)) {
                let own = runs.factor(column);
                let levels = own.iter().map(|level| (!level.is_unknown()).then(|| format!("{label} {level}")));
                let series = levels.collect::<StringChunked>().into_series().with_name(column.into());
                labelled.frame.with_column(series.into_column()).map_err(internal)?;
            }
            let series = StringChunked::full(factor.into(), label, runs.height()).into_series();
            labelled.frame.with_column(series.into_column()).map_err(internal)?;
            Ok(labelled)
        };
        let [(one, _), (other, _)] = sets;
        if one.frame.equals_missing(&other.frame) {
            return Err(Error::input(
                format!("{} and {} hold the same runs", one.source(), other.source()),
                "name the stored runs and the new ones",
            ));
        }
        Self::below_each_other(sets.into_iter().map(label).collect::<Result<_>>()?)
    }

    /// Adds what was noticed while reading.
    #[must_use]
    pub fn with_warnings(mut self, warnings: impl IntoIterator<Item = Warning>) -> Self {
        self.warnings.extend(warnings);
        self
    }

    /// Notes that all runs come from one source, and the hash of its bytes.
    pub(crate) fn with_source(mut self, name: &str, sha256: String) -> Self {
        self.sources = vec![Source { name: name.to_owned(), sha256: Some(sha256), runs: self.len() }];
        self
    }

    /// Runs that were summed up by setting: rows that were checked before.
    pub(super) fn summed_up(
        columns: Vec<Column>,
        summed: Summed,
        sources: Vec<Source>,
        warnings: Vec<Warning>,
    ) -> Result<Self> {
        let mut columns = columns;
        columns.sort_by_key(|column| canonical(column.name()));
        let frame = DataFrame::new(summed.runs.len(), columns).map_err(internal)?;
        Ok(Self { frame, sources, warnings, summed: Some(summed) })
    }

    /// What is kept of the runs where a row stands for several.
    pub(crate) fn summed(&self) -> Option<&Summed> {
        self.summed.as_ref()
    }

    /// The runs themselves, where each is needed.
    ///
    /// # Errors
    /// Runs that were summed up.
    pub(crate) fn singly(&self) -> Result<&Self> {
        if self.summed.is_some() {
            return Err(Error::input(
                "this needs every run, and the runs were summed up while they were read",
                "read all of them (Python: leave most_runs out)",
            ));
        }
        Ok(self)
    }

    /// How many rows the frame has: one for each run, unless they were summed up.
    pub(crate) fn height(&self) -> usize {
        self.frame.height()
    }

    /// How many runs.
    pub fn len(&self) -> usize {
        self.summed.as_ref().map_or(self.frame.height(), |summed| summed.runs.iter().sum())
    }

    /// Never true: a set of runs without a run is refused.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The runs that hold a metric, and a warning if that is not all of them.
    ///
    /// # Errors
    /// A metric that no run holds.
    pub(crate) fn measured(&self, metric: &str) -> Result<(Self, Option<Warning>)> {
        let values = self.metric(metric);
        let of = self.summed.as_ref().and_then(|summed| Some((&summed.runs, summed.metrics.get(metric)?)));
        let missing: usize = match of {
            Some((runs, of)) => runs.iter().zip(of).map(|(runs, of)| runs - of.values.count as usize).sum(),
            None => values.iter().filter(|value| value.is_none()).count(),
        };
        if values.iter().all(Option::is_none) {
            let metrics = self.columns_of(Role::Metric);
            return Err(Error::input(format!("the runs have no {metric:?}"), format!("use {}", one_of(metrics))));
        }
        if missing == 0 {
            return Ok((self.clone(), None));
        }
        let mut runs = self.keep(values.iter().map(Option::is_some).collect())?;
        if let Some(summed) = &mut runs.summed {
            summed.count_only(metric);
        }
        Ok((runs, Some(Warning::MetricMissing { metric: metric.to_owned(), runs: missing })))
    }

    /// The first runs, at most that many.
    #[must_use]
    pub fn head(&self, runs: usize) -> Self {
        let keep: Vec<bool> = (0..self.height()).map(|row| row < runs).collect();
        Self {
            frame: self.frame.head(Some(runs)),
            summed: self.summed.as_ref().map(|summed| summed.keep(&keep)),
            ..self.clone()
        }
    }

    /// The frame itself.
    pub fn frame(&self) -> &DataFrame {
        &self.frame
    }

    /// Where the runs come from.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The names of the sources on one line.
    pub fn source(&self) -> String {
        self.sources.iter().map(|source| source.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// What was noticed while reading.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether the column exists (a column without any value does not).
    pub fn has_column(&self, name: &str) -> bool {
        self.frame.schema().contains(name)
    }

    /// Names of the columns with that role, in canonical order.
    pub fn columns_of(&self, role: Role) -> Vec<&str> {
        self.frame
            .columns()
            .iter()
            .map(|column| column.name().as_str())
            .filter(|name| schema::role(name) == role)
            .collect()
    }

    /// The metric to speak of when none is named: `rps`, otherwise the first there is.
    pub fn main_metric(&self) -> &str {
        let metrics = self.columns_of(Role::Metric);
        metrics.iter().find(|name| **name == "rps").or(metrics.first()).copied().unwrap_or("rps")
    }

    /// A column as levels; one that does not exist is unknown throughout.
    pub fn factor(&self, column: &str) -> Factor {
        self.frame.column(column).map_or_else(
            |_| Factor::unknown(column, self.height()),
            |column| Factor::of(column.as_materialized_series()),
        )
    }

    /// A metric in each run; the mean where a row stands for several.
    pub fn metric(&self, name: &str) -> Vec<Option<f64>> {
        let cast = self.frame.column(name).and_then(|column| column.cast(&DataType::Float64));
        cast.as_ref().map_or_else(
            |_| vec![None; self.height()],
            |column| column.f64().map_or_else(|_| Vec::new(), |values| values.iter().collect()),
        )
    }

    /// The studies there are, in order of appearance.
    pub fn studies(&self) -> Vec<String> {
        self.factor("study").known().map(ToString::to_string).collect()
    }

    /// The runs that satisfy every condition; several levels of one factor are alternatives.
    ///
    /// # Errors
    /// A factor or level that no run has.
    pub fn filter(&self, conditions: &[(String, String)]) -> Result<Self> {
        let mut keep = vec![true; self.height()];
        let mut wanted: Vec<(&str, Vec<&str>)> = Vec::new();
        for (factor, level) in conditions {
            match wanted.iter_mut().find(|(known, _)| known == factor) {
                Some((_, alternatives)) => alternatives.push(level),
                None => wanted.push((factor, vec![level])),
            }
        }
        for (name, alternatives) in wanted {
            let factor = self.known_factor(name)?;
            let mut allowed = vec![false; factor.levels.len()];
            for alternative in alternatives {
                allowed[find_level(&factor, alternative)?] = true;
            }
            for (keep, &code) in keep.iter_mut().zip(&factor.codes) {
                *keep &= allowed[code];
            }
        }
        if !keep.contains(&true) {
            let wanted: Vec<String> = conditions.iter().map(|(factor, level)| format!("{factor}={level}")).collect();
            return Err(Error::input(
                format!("no run has {} together", wanted.join(" and ")),
                "ask for a combination that was measured",
            ));
        }
        self.keep(keep)
    }

    /// The runs of one study, or those that name none.
    pub(crate) fn of_study(&self, study: Option<&str>) -> Result<Self> {
        let wanted = study.map_or(Level::Unknown, Level::from);
        self.keep(self.factor("study").iter().map(|level| *level == wanted).collect())
    }

    fn keep(&self, keep: Vec<bool>) -> Result<Self> {
        let summed = self.summed.as_ref().map(|summed| summed.keep(&keep));
        let mask: BooleanChunked = keep.into_iter().map(Some).collect();
        let frame = self.frame.filter(&mask).map_err(internal)?;
        // A column that is empty throughout says nothing, as in `validate`.
        let height = frame.height();
        let columns = frame.into_columns().into_iter().filter(|column| column.null_count() < height).collect();
        Ok(Self {
            frame: DataFrame::new(height, columns).map_err(internal)?,
            sources: self.sources.clone(),
            warnings: self.warnings.clone(),
            summed,
        })
    }

    /// A factor or design column, or an error that lists the factors there are.
    pub(crate) fn known_factor(&self, name: &str) -> Result<Factor> {
        if name == "replicate" {
            self.singly()?;
        }
        if schema::role(name) == Role::Metric || !self.has_column(name) {
            let factors = self.columns_of(Role::Factor);
            let problem = format!("the runs have no factor {name:?}");
            if factors.is_empty() {
                return Err(Error::input(problem, "give each property that was varied a column of its own"));
            }
            // Tables call the columns by their labels.
            let labelled = |column: &&&str| [Lang::En, Lang::Zh].iter().any(|&lang| column_label(lang, column) == name);
            return Err(match factors.iter().find(labelled) {
                Some(column) => Error::input(problem, format!("did you mean {column}?")),
                None => Error::input(problem, instead(name, factors)),
            });
        }
        Ok(self.factor(name))
    }

    /// A run that states the block, start and replicate number of another run of the same settings was probably read twice. Runs
    /// that are replicates only because a factor is ignored may share their numbers.
    pub fn repeated_replicates(&self) -> Option<Warning> {
        let number = self.factor("replicate");
        let design: Vec<Factor> = self.columns_of(Role::Design).into_iter().map(|column| self.factor(column)).collect();
        let factors: Vec<Factor> = self.columns_of(Role::Factor).into_iter().map(|name| self.factor(name)).collect();
        let mut seen = HashSet::new();
        let mut repeats = |row: &usize| {
            let place: Vec<usize> = design.iter().chain(&factors).map(|column| column.codes[*row]).collect();
            !number.level(*row).is_unknown() && !seen.insert(place)
        };
        let repeated = (0..self.height()).filter(|row| repeats(row)).count();
        (repeated > 0).then_some(Warning::SameReplicate { runs: repeated })
    }

    /// The runs one by one.
    pub fn rows(&self) -> impl Iterator<Item = Run> + '_ {
        let columns: Vec<Factor> =
            self.frame.columns().iter().map(|column| Factor::of(column.as_materialized_series())).collect();
        (0..self.height()).map(move |row| {
            let stated = columns.iter().filter(|column| !column.level(row).is_unknown());
            stated.fold(Run::new(), |run, column| run.with(&column.name, column.level(row).clone()))
        })
    }
}

/// Position of a column in canonical order; further factors stand last and keep their order.
fn canonical(name: &str) -> usize {
    schema::COLUMNS.iter().position(|known| known.name == name).unwrap_or(usize::MAX)
}

/// The index of the level that a text names: `4` finds 4.
pub(crate) fn find_level(factor: &Factor, wanted: &str) -> Result<usize> {
    let wanted = wanted.trim();
    let number = schema::parse_number(wanted).map(Level::number);
    // `KAE` as tables show it finds `kae`, and 异步 async.
    let folded = schema::kind(&factor.name).parse(vocabulary::level(&factor.name, wanted)).ok();
    factor
        .levels
        .iter()
        .position(|level| {
            !level.is_unknown()
                && (level.to_string() == wanted || number.as_ref() == Some(level) || folded.as_ref() == Some(level))
        })
        .ok_or_else(|| Error::input(format!("no run has {}={wanted}", factor.name), instead(wanted, factor.known())))
}

//! A column as levels: the distinct values in order, and which of them each run has.

use std::collections::HashMap;
use std::hash::Hash;

use polars::prelude::{DataType, PolarsResult, Series};

use super::{Level, schema};

/// A factor (or a design column) of a set of runs.
#[derive(Debug, Clone)]
pub struct Factor {
    /// Name of the column.
    pub name: String,
    /// Its distinct levels, in the order in which they are shown; unknown is one of them where it occurs.
    pub levels: Vec<Level>,
    /// For each run, the index of its level.
    pub codes: Vec<usize>,
}

impl Factor {
    /// The levels of a column. A column of a type that holds no levels, which [`super::Runs`] refuses, is unknown
    /// throughout.
    pub(crate) fn of(series: &Series) -> Self {
        let name = series.name().to_string();
        let read = || -> PolarsResult<(Vec<Level>, Vec<usize>)> {
            Ok(match series.dtype() {
                DataType::Int64 => distinct(series.i64()?.iter(), Level::Integer),
                // Equal numbers have equal bits once -0 is 0.
                DataType::Float64 => {
                    distinct(series.f64()?.iter().map(|value| Some((value? + 0.0).to_bits())), |bits| {
                        Level::number(f64::from_bits(bits))
                    })
                }
                DataType::Boolean => distinct(series.bool()?.iter(), |value| Level::Text(value.to_string())),
                _ => distinct(series.str()?.iter(), Level::from),
            })
        };
        let (levels, codes) = read().unwrap_or_else(|_| (vec![Level::Unknown], vec![0; series.len()]));
        Self::ordered(name, levels, codes)
    }

    /// A factor of which nothing is known.
    pub(super) fn unknown(name: &str, runs: usize) -> Self {
        Self { name: name.to_owned(), levels: vec![Level::Unknown], codes: vec![0; runs] }
    }

    fn ordered(name: String, levels: Vec<Level>, codes: Vec<usize>) -> Self {
        let mut order: Vec<usize> = (0..levels.len()).collect();
        order.sort_by(|&a, &b| schema::Column::order(&name, &levels[a], &levels[b]));
        let mut rank = vec![0; levels.len()];
        for (position, &index) in order.iter().enumerate() {
            rank[index] = position;
        }
        let levels = order.into_iter().map(|index| levels[index].clone()).collect();
        Self { name, levels, codes: codes.into_iter().map(|code| rank[code]).collect() }
    }

    /// The levels that are stated.
    pub fn known(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().filter(|level| !level.is_unknown())
    }

    /// The level of a run.
    pub fn level(&self, run: usize) -> &Level {
        &self.levels[self.codes[run]]
    }

    /// The level of each run.
    pub fn iter(&self) -> impl Iterator<Item = &Level> {
        self.codes.iter().map(|&code| &self.levels[code])
    }
}

/// Distinct values in order of appearance, and the index of each value.
fn distinct<T: Copy + Eq + Hash>(
    values: impl Iterator<Item = Option<T>>,
    level: impl Fn(T) -> Level,
) -> (Vec<Level>, Vec<usize>) {
    let mut seen: HashMap<Option<T>, usize> = HashMap::new();
    let mut levels = Vec::new();
    let codes = values
        .map(|value| {
            *seen.entry(value).or_insert_with(|| {
                levels.push(value.map_or(Level::Unknown, &level));
                levels.len() - 1
            })
        })
        .collect();
    (levels, codes)
}

//! The independent observations of one cell.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{InputError, Result};
use crate::model::cells::Cell;
use crate::model::{Factor, Runs};
use crate::stats::bootstrap::Center;
use crate::stats::contrast::{Term, mean};

/// The values of a metric in every run, with what tells which runs belong together.
pub(crate) struct Observations {
    values: Vec<f64>,
    blocks: Factor,
    starts: Factor,
    metric: String,
    source: String,
}

/// One cell: the logarithm of each independent observation, and the block it stands in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Units {
    pub logs: Vec<f64>,
    /// The observations themselves, in the metric's unit.
    pub values: Vec<f64>,
    pub blocks: Vec<Option<usize>>,
    /// The smallest and largest run.
    pub range: (f64, f64),
    /// The standard deviation of one log where it is stated instead of measured.
    pub sigma: Option<f64>,
    /// The server starts that the units are.
    pub starts: BTreeSet<usize>,
}

impl Observations {
    /// Of runs that all hold the metric.
    pub fn of(runs: &Runs, metric: &str) -> Self {
        Self {
            values: runs.metric(metric).into_iter().flatten().collect(),
            blocks: runs.factor("block"),
            starts: runs.factor("start"),
            metric: metric.to_owned(),
            source: runs.source(),
        }
    }

    /// The values of a cell's runs and their logarithms, in the order in which the runs stand.
    pub fn in_order(&self, cell: &Cell) -> Result<(Vec<f64>, Vec<f64>)> {
        let values = cell.rows.iter().map(|&row| self.value(row)).collect::<Result<Vec<f64>>>()?;
        let logs = values.iter().map(|value| value.ln()).collect();
        Ok((values, logs))
    }

    /// The value of a run, which must have a logarithm.
    fn value(&self, row: usize) -> Result<f64> {
        let value = self.values[row];
        if value > 0.0 {
            return Ok(value);
        }
        Err(InputError::new(
            format!("{value} has no ratio to another value"),
            "compare a metric that is above zero in every run",
        )
        .in_column(&self.metric)
        .in_source(&self.source)
        .into())
    }

    /// The units of a cell. Several runs of one server start are one unit, their geometric mean: what differs between
    /// starts (memory layout, queue assignment) is the same in all of them.
    pub fn units(&self, cell: &Cell) -> Result<Units> {
        let mut units = Units { range: (f64::INFINITY, f64::NEG_INFINITY), ..Units::default() };
        let mut starts: BTreeMap<usize, Vec<(f64, Option<usize>)>> = BTreeMap::new();
        for &row in &cell.rows {
            let value = self.value(row)?;
            units.range = (units.range.0.min(value), units.range.1.max(value));
            let block = (!self.blocks.level(row).is_unknown()).then(|| self.blocks.codes[row]);
            if self.starts.level(row).is_unknown() {
                units.push(value, value.ln(), block);
            } else {
                starts.entry(self.starts.codes[row]).or_default().push((value.ln(), block));
            }
        }
        units.starts = starts.keys().copied().collect();
        for runs in starts.into_values() {
            let logs: Vec<f64> = runs.iter().map(|(log, _)| *log).collect();
            let log = mean(&logs);
            // A start that outlives its block stands in none.
            let block = runs[0].1.filter(|block| runs.iter().all(|(_, other)| *other == Some(*block)));
            units.push(log.exp(), log, block);
        }
        Ok(units)
    }
}

impl Units {
    fn push(&mut self, value: f64, log: f64, block: Option<usize>) {
        self.values.push(value);
        self.logs.push(log);
        self.blocks.push(block);
    }

    /// What the observations are summed up by, in the metric's unit.
    pub fn center(&self, center: Center) -> f64 {
        center.of(&self.values)
    }

    /// The mean of the logs as a term of a contrast.
    pub fn term(&self, weight: f64) -> Term<'_> {
        Term { weight, sample: &self.logs, sigma: self.sigma }
    }

    /// The blocks there are; `None` if a unit stands in none.
    pub fn all_blocks(&self) -> Option<BTreeSet<usize>> {
        self.blocks.iter().copied().collect()
    }

    /// One observation per block of `blocks`: the mean of its units there.
    pub fn within(&self, blocks: &BTreeSet<usize>) -> Self {
        let mut inside: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
        for ((block, value), log) in self.blocks.iter().zip(&self.values).zip(&self.logs) {
            if let Some(block) = block.filter(|block| blocks.contains(block)) {
                inside.entry(block).or_default().push((*value, *log));
            }
        }
        let mut units = Self { range: self.range, sigma: self.sigma, starts: self.starts.clone(), ..Self::default() };
        for (block, observations) in inside {
            match observations.as_slice() {
                [(value, log)] => units.push(*value, *log, Some(block)),
                several => {
                    let log = mean(&several.iter().map(|(_, log)| *log).collect::<Vec<_>>());
                    units.push(log.exp(), log, Some(block));
                }
            }
        }
        units
    }
}

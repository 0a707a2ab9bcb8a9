//! The independent observations of one cell.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{InputError, Result};
use crate::model::cells::Cell;
use crate::model::{Factor, Runs};
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
    pub blocks: Vec<Option<usize>>,
    /// The geometric mean in the metric's unit.
    pub geometric_mean: f64,
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

    /// The units of a cell. Several runs of one server start are one unit, their geometric mean: what differs between
    /// starts (memory layout, queue assignment) is the same in all of them.
    pub fn units(&self, cell: &Cell) -> Result<Units> {
        let mut units = Units { range: (f64::INFINITY, f64::NEG_INFINITY), ..Units::default() };
        let mut starts: BTreeMap<usize, Vec<(f64, Option<usize>)>> = BTreeMap::new();
        let mut values = Vec::new();
        for &row in &cell.rows {
            let value = self.values[row];
            if value <= 0.0 {
                return Err(InputError::new(
                    format!("{value} has no ratio to another value"),
                    "compare a metric that is above zero in every run",
                )
                .in_column(&self.metric)
                .in_source(&self.source)
                .into());
            }
            values.push(value);
            units.range = (units.range.0.min(value), units.range.1.max(value));
            let block = (!self.blocks.level(row).is_unknown()).then(|| self.blocks.codes[row]);
            if self.starts.level(row).is_unknown() {
                units.logs.push(value.ln());
                units.blocks.push(block);
            } else {
                starts.entry(self.starts.codes[row]).or_default().push((value.ln(), block));
            }
        }
        units.starts = starts.keys().copied().collect();
        for runs in starts.into_values() {
            let logs: Vec<f64> = runs.iter().map(|(log, _)| *log).collect();
            units.logs.push(mean(&logs));
            // A start that outlives its block stands in none.
            units.blocks.push(runs[0].1.filter(|block| runs.iter().all(|(_, other)| *other == Some(*block))));
        }
        // Equal values are their own mean; the logarithm would bring a rounding.
        units.geometric_mean = match values.first() {
            Some(first) if values.iter().all(|value| value == first) => *first,
            _ => mean(&units.logs).exp(),
        };
        Ok(units)
    }
}

impl Units {
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
        let mut logs: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (block, log) in self.blocks.iter().zip(&self.logs) {
            if let Some(block) = block.filter(|block| blocks.contains(block)) {
                logs.entry(block).or_default().push(*log);
            }
        }
        let whole = logs.len() == self.logs.len();
        let means: Vec<f64> = logs.values().map(|logs| mean(logs)).collect();
        Self {
            // The same units in another order have the same mean to the last digit.
            geometric_mean: if whole { self.geometric_mean } else { mean(&means).exp() },
            blocks: logs.into_keys().map(Some).collect(),
            logs: means,
            range: self.range,
            sigma: self.sigma,
            starts: self.starts.clone(),
        }
    }
}

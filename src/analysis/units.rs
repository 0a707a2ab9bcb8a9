//! The independent observations of one cell.

use std::collections::BTreeMap;

use crate::error::{Error, InputError, Result};
use crate::model::cells::Cell;
use crate::model::{Level, Runs};
use crate::stats::contrast::mean;

/// The values of a metric in every run, with what tells which runs belong together.
pub(crate) struct Observations {
    values: Vec<Option<f64>>,
    blocks: Vec<Level>,
    starts: Vec<Level>,
    metric: String,
    source: String,
}

/// One cell: the logarithm of each independent observation, and the block it stands in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Units {
    pub logs: Vec<f64>,
    pub blocks: Vec<Level>,
    /// Runs in which the metric is missing.
    pub missing: usize,
    /// The geometric mean in the metric's unit.
    pub geometric_mean: f64,
    /// The smallest and largest run.
    pub range: (f64, f64),
}

impl Observations {
    pub fn of(runs: &Runs, metric: &str) -> Result<Self> {
        let known = crate::model::schema::metric_named(metric)?;
        if !runs.has_column(metric) {
            let metrics = runs.columns_of(crate::model::schema::Role::Metric);
            return Err(Error::input(
                format!("the runs have no {metric:?}"),
                format!("use {}", crate::error::one_of(metrics)),
            ));
        }
        Ok(Self {
            values: runs.metric(metric),
            blocks: runs.levels("block"),
            starts: runs.levels("start"),
            metric: known.name.to_owned(),
            source: runs.source(),
        })
    }

    /// The units of a cell. Several runs of one server start are one unit, their geometric mean: what differs between
    /// starts (memory layout, queue assignment) is the same in all of them.
    pub fn units(&self, cell: &Cell) -> Result<Units> {
        let mut units = Units { range: (f64::INFINITY, f64::NEG_INFINITY), ..Units::default() };
        let mut starts: BTreeMap<(&Level, &Level), Vec<f64>> = BTreeMap::new();
        let mut values = Vec::new();
        for &row in &cell.rows {
            let Some(value) = self.values[row] else {
                units.missing += 1;
                continue;
            };
            if value <= 0.0 {
                return Err(InputError::new(
                    format!("{value} has no ratio to another value"),
                    "compare a metric that is above zero in every run",
                )
                .in_row(row + 1)
                .in_column(&self.metric)
                .in_source(&self.source)
                .into());
            }
            values.push(value);
            units.range = (units.range.0.min(value), units.range.1.max(value));
            if self.starts[row].is_unknown() {
                units.logs.push(value.ln());
                units.blocks.push(self.blocks[row].clone());
            } else {
                starts.entry((&self.blocks[row], &self.starts[row])).or_default().push(value.ln());
            }
        }
        for ((block, _), logs) in starts {
            units.logs.push(mean(&logs));
            units.blocks.push(block.clone());
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
    /// The mean of the logs in each block.
    pub fn by_block(&self) -> BTreeMap<&Level, f64> {
        let mut logs: BTreeMap<&Level, Vec<f64>> = BTreeMap::new();
        for (block, log) in self.blocks.iter().zip(&self.logs).filter(|(block, _)| !block.is_unknown()) {
            logs.entry(block).or_default().push(*log);
        }
        logs.into_iter().map(|(block, logs)| (block, mean(&logs))).collect()
    }
}

//! What was measured? Every cell with its runs, their geometric mean and its interval.

use serde::Serialize;

use super::estimate::{Estimate, Method, Precision};
use super::outcome::{How, estimate};
use super::pooling::Pools;
use super::scope::{Scope, Selected};
use super::units::Units;
use crate::error::Result;
use crate::model::cells::Cells;
use crate::model::schema::Better;
use crate::model::{Level, Runs, Settings, Warning};

/// Every cell of a set of runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its better direction.
    pub better: Better,
    /// What is the same in all runs.
    pub conditions: Settings,
    /// The factors that tell the cells apart, in order.
    pub factors: Vec<String>,
    /// Factors whose level follows from the others, as the number of requests may follow from the workers.
    pub following: Vec<Following>,
    /// The cells, sorted by their levels.
    pub cells: Vec<CellSummary>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

/// A factor that varies exactly as another does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Following {
    /// The factor.
    pub factor: String,
    /// Its levels, in order.
    pub levels: Vec<Level>,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellSummary {
    /// Its levels of the varying factors.
    pub settings: Settings,
    /// How many runs hold the metric.
    pub runs: usize,
    /// Smallest run.
    pub minimum: f64,
    /// Largest run.
    pub maximum: f64,
    /// The geometric mean, and its interval.
    pub mean: Estimate,
}

/// Summarises the cells of `runs`.
///
/// # Errors
/// A metric that the runs do not have, or a value that is not above zero.
///
/// ```
/// use kaeanalysis::{analysis::{Scope, summary}, ingest};
///
/// let summary = summary::summarise(&ingest::documented("docker")?, &Scope::default())?;
/// assert_eq!(summary.factors, ["accelerator"]);
/// assert_eq!(summary.cells[1].mean.estimate, 4368.0);
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn summarise(runs: &Runs, scope: &Scope) -> Result<Summary> {
    within(&scope.select(runs)?, scope)
}

/// Summarises runs that were selected before.
pub(super) fn within(selected: &Selected, scope: &Scope) -> Result<Summary> {
    let Selected { runs, metric, observations, .. } = selected;
    let cells = Cells::of(runs, &scope.ignore);
    let varying = cells.varying();
    let telling = cells.telling(&varying, &cells.rows());
    let following = varying
        .iter()
        .filter(|factor| !telling.contains(factor))
        .map(|&factor| Following {
            factor: cells.factors[factor].name.clone(),
            levels: cells.factors[factor].levels.clone(),
        })
        .collect();

    let mut warnings = selected.warnings.clone();
    warnings.extend(cells.every_run_apart());
    // A cell by itself has nothing to be paired or ranked with.
    let precision = scope.precision;
    let method = match precision.method {
        Method::LogPaired | Method::HodgesLehmann | Method::Fieller => Method::Auto,
        method => method,
    };
    let alone = Precision { method, ..precision };
    let mut summaries = Vec::new();
    let units: Vec<Units> = cells.cells.iter().map(|cell| observations.units(cell)).collect::<Result<_>>()?;
    let pools = Pools::of(selected, scope, None, &units);
    for (index, (cell, units)) in cells.cells.iter().zip(&units).enumerate() {
        let mut unpaired = units.clone();
        unpaired.blocks.fill(None);
        let pool = pools.as_ref().and_then(|pools| pools.spread(&cells, &[index]).0);
        let mut mean = estimate(&[(1.0, &unpaired)], &How::new(&alone, pool)).estimate;
        // Whether a mean differs from 1 request per second is nobody's question.
        mean.p_value = None;
        summaries.push(CellSummary {
            settings: telling
                .iter()
                .map(|&factor| (cells.factors[factor].name.clone(), cells.level(cell, factor).clone()))
                .collect(),
            runs: cell.runs,
            minimum: units.range.0,
            maximum: units.range.1,
            mean,
        });
    }
    Ok(Summary {
        metric: metric.name.to_owned(),
        unit: metric.unit,
        better: metric.better,
        conditions: cells.conditions(),
        factors: telling.iter().map(|&factor| cells.factors[factor].name.clone()).collect(),
        following,
        cells: summaries,
        warnings,
    })
}

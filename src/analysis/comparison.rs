//! What does changing one factor do, all others held equal?
//!
//! Runs are grouped into cells (one combination of factor levels each), cells of the baseline are matched with those of
//! the contender, and each pair gives a ratio with its interval.

use serde::Serialize;

use super::estimate::{Estimate, Precision};
use super::matching::{Matching, Pair};
use super::outcome::{Outcome, estimate};
use super::strata::{self, over_strata};
use super::units::{Observations, Units};
use crate::error::{Error, Result, one_of};
use crate::model::cells::Cells;
use crate::model::runs::find_level;
use crate::model::schema::{self, Better};
use crate::model::{Level, Runs, Settings, Warning};

/// What is compared, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparing {
    /// The factor.
    pub factor: String,
    /// The level that is 1; by default the first in order (`none`, `sync`, the smallest number, the first that appears).
    pub baseline: Option<String>,
    /// The level compared with it; by default every other.
    pub contender: Option<String>,
    /// The metric; by default `rps`, or the first there is.
    pub metric: Option<String>,
    /// Conditions on the runs, factor and level; several levels of one factor are alternatives.
    pub conditions: Vec<(String, String)>,
    /// Factors left out of the matching: runs that differ only in these become replicates.
    pub ignore: Vec<String>,
    /// How intervals are computed.
    pub precision: Precision,
}

impl Comparing {
    /// Compares every level of `factor` with its first.
    pub fn new(factor: &str) -> Self {
        Self {
            factor: factor.to_owned(),
            baseline: None,
            contender: None,
            metric: None,
            conditions: Vec::new(),
            ignore: Vec::new(),
            precision: Precision::default(),
        }
    }

    /// Every accelerator against none: the hard/soft ratio.
    pub fn speedup() -> Self {
        Self { baseline: Some("none".to_owned()), ..Self::new("accelerator") }
    }

    /// Async against sync mode.
    pub fn async_gain() -> Self {
        Self { baseline: Some("sync".to_owned()), contender: Some("async".to_owned()), ..Self::new("tls_mode") }
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The factor compared.
    pub factor: String,
    /// The level that is 1.
    pub baseline: Level,
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its better direction.
    pub better: Better,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// What is the same in everything compared.
    pub conditions: Settings,
    /// The factors that tell the strata apart.
    pub factors: Vec<String>,
    /// One ratio per stratum and contender.
    pub strata: Vec<Stratum>,
    /// The geometric mean over the strata of each contender that has several.
    pub overall: Vec<Overall>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

/// One pair of cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stratum {
    /// Its levels of [`Comparison::factors`].
    pub settings: Settings,
    /// The level compared.
    pub contender: Level,
    /// Geometric mean of the baseline, in the metric's unit.
    pub baseline_mean: f64,
    /// Geometric mean of the contender.
    pub contender_mean: f64,
    /// Contender over baseline.
    pub ratio: Estimate,
}

/// The ratio over all strata of a contender.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overall {
    /// The level compared.
    pub contender: Level,
    /// How many strata.
    pub strata: usize,
    /// The geometric mean of their ratios.
    pub ratio: Estimate,
}

impl Comparison {
    /// Every warning, of the strata and of the whole, once.
    pub fn all_warnings(&self) -> Vec<Warning> {
        let ratios =
            self.strata.iter().map(|stratum| &stratum.ratio).chain(self.overall.iter().map(|overall| &overall.ratio));
        let mut warnings = Vec::new();
        for warning in ratios.flat_map(|ratio| &ratio.warnings).chain(&self.warnings) {
            Warning::add(&mut warnings, warning.clone());
        }
        warnings
    }

    /// The levels that are compared with the baseline.
    pub fn contenders(&self) -> Vec<&Level> {
        let mut contenders: Vec<&Level> = Vec::new();
        for stratum in &self.strata {
            if !contenders.contains(&&stratum.contender) {
                contenders.push(&stratum.contender);
            }
        }
        contenders
    }
}

/// Compares the levels of a factor.
///
/// # Errors
/// A factor, level or metric that the runs do not have; a factor with one level only; no two cells that match; a
/// confidence out of range.
///
/// ```
/// use kaeanalysis::analysis::comparison::{Comparing, compare};
/// use kaeanalysis::ingest;
///
/// let gain = compare(&ingest::documented("vkae_vm")?, &Comparing::async_gain())?;
/// let with_vkae_1_worker = &gain.strata[1];
/// assert_eq!(format!("{:.4}", with_vkae_1_worker.ratio.estimate), "1.6430");
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn compare(runs: &Runs, comparing: &Comparing) -> Result<Comparison> {
    comparing.precision.check()?;
    let runs = &if comparing.conditions.is_empty() { runs.clone() } else { runs.filter(&comparing.conditions)? };
    let metric = &comparing.metric.clone().unwrap_or_else(|| runs.main_metric().to_owned());
    let known = schema::metric_named(metric)?;
    let (runs, missing) = &runs.measured(metric)?;
    let observations = Observations::of(runs, metric);
    for ignored in &comparing.ignore {
        runs.known_factor(ignored)?;
        if *ignored == comparing.factor {
            return Err(Error::input(format!("{ignored:?} is compared and ignored at once"), "ignore another factor"));
        }
    }
    let (baseline, contenders) = levels(runs, comparing)?;
    let cells = Cells::comparing(runs, &comparing.ignore, &comparing.factor);
    let factor = cells.factor(&comparing.factor).ok_or_else(|| {
        Error::input(format!("{:?} says where a run stands in the design", comparing.factor), "compare a factor")
    })?;

    let mut warnings = runs.warnings().to_vec();
    warnings.extend(missing.clone());
    warnings.extend(runs.repeated_replicates());
    warnings.extend(cells.every_run_apart());
    let matching = Matching { cells: &cells, factor, baseline: &baseline, contenders: &contenders };
    let pairs = matching.pairs(&mut warnings)?;
    let units: Vec<Units> = cells.cells.iter().map(|cell| observations.units(cell)).collect::<Result<_>>()?;
    if pairs.is_empty() {
        return Err(matching.no_match());
    }
    warnings.extend(matching.unmatched(&pairs));
    warnings.extend(ignored_that_vary(runs, &cells, &comparing.ignore, &pairs));

    let (conditions, factors) = describe(&cells, factor, &pairs);
    let outcomes: Vec<Outcome> = pairs
        .iter()
        .map(|pair| estimate(&[(-1.0, &units[pair.baseline]), (1.0, &units[pair.contender])], &comparing.precision))
        .collect();
    let level = |pair: &Pair, factor: usize| cells.factors[factor].levels[pair.levels[factor]].clone();
    let rows: Vec<Stratum> = pairs
        .iter()
        .zip(&outcomes)
        .map(|(pair, outcome)| Stratum {
            settings: factors.iter().map(|&other| (cells.factors[other].name.clone(), level(pair, other))).collect(),
            contender: level(pair, factor),
            baseline_mean: outcome.sides[0].1.geometric_mean,
            contender_mean: outcome.sides[1].1.geometric_mean,
            ratio: outcome.estimate.clone(),
        })
        .collect();
    let study = cells.factor("study");
    let overall = contenders
        .iter()
        .filter_map(|contender| {
            let own = pairs.iter().zip(&outcomes).filter(|(pair, _)| level(pair, factor) == *contender);
            let own = own.map(|(pair, outcome)| strata::Stratum {
                outcome,
                cells: [pair.baseline, pair.contender],
                study: study.map(|study| pair.levels[study]),
            });
            let own: Vec<strata::Stratum> = own.collect();
            (own.len() > 1).then(|| Overall {
                contender: contender.clone(),
                strata: own.len(),
                ratio: over_strata(&own, comparing.precision.confidence),
            })
        })
        .collect();
    Ok(Comparison {
        factor: comparing.factor.clone(),
        baseline,
        metric: metric.to_owned(),
        unit: known.unit,
        better: known.better,
        confidence: comparing.precision.confidence,
        conditions,
        factors: factors.iter().map(|&factor| cells.factors[factor].name.clone()).collect(),
        strata: rows,
        overall,
        warnings,
    })
}

/// The level that is 1 and those compared with it.
fn levels(runs: &Runs, comparing: &Comparing) -> Result<(Level, Vec<Level>)> {
    let factor = runs.known_factor(&comparing.factor)?;
    let known: Vec<Level> = factor.known().cloned().collect();
    let find = |wanted: &String| Ok::<_, Error>(factor.levels[find_level(&factor, wanted)?].clone());
    let named = |wanted: &Option<String>| wanted.as_ref().map(find).transpose();
    let contender = named(&comparing.contender)?;
    let baseline = match named(&comparing.baseline)? {
        Some(level) => level,
        None => known.iter().find(|level| Some(*level) != contender.as_ref()).cloned().unwrap_or(Level::Unknown),
    };
    let contenders: Vec<Level> = match contender {
        Some(level) => vec![level],
        None => known.iter().filter(|level| **level != baseline).cloned().collect(),
    };
    if contenders.contains(&baseline) {
        return Err(Error::input(
            format!("{}={baseline} is compared with itself", comparing.factor),
            format!("compare two different levels of {}", one_of(known)),
        ));
    }
    if baseline.is_unknown() || contenders.is_empty() {
        return Err(Error::input(
            format!("{} has only the level {} to compare", comparing.factor, one_of(known)),
            "add runs with another level, or choose another factor",
        ));
    }
    Ok((baseline, contenders))
}

/// What all strata share, and which factors tell them apart.
fn describe(cells: &Cells, factor: usize, pairs: &[Pair]) -> (Settings, Vec<usize>) {
    let mut conditions = Vec::new();
    let mut factors = Vec::new();
    for other in (0..cells.factors.len()).filter(|other| *other != factor) {
        let Some(first) = pairs.first().map(|pair| pair.levels[other]) else { continue };
        let level = &cells.factors[other].levels[first];
        if pairs.iter().any(|pair| pair.levels[other] != first) {
            factors.push(other);
        } else if !level.is_unknown()
            && pairs.iter().all(|pair| {
                [pair.baseline, pair.contender].iter().all(|&cell| cells.cells[cell].levels[other] == first)
            })
        {
            conditions.push((cells.factors[other].name.clone(), level.clone()));
        }
    }
    let rows: Vec<&[usize]> = pairs.iter().map(|pair| pair.levels.as_slice()).collect();
    let factors = cells.telling(&factors, &rows);
    (conditions.into_iter().collect(), factors)
}

/// Ignored factors that differ inside a compared cell.
fn ignored_that_vary(runs: &Runs, cells: &Cells, ignore: &[String], pairs: &[Pair]) -> Vec<Warning> {
    let varies = |name: &&String| {
        let codes = runs.factor(name).codes;
        pairs.iter().any(|pair| {
            let rows = cells.cells[pair.baseline].rows.iter().chain(&cells.cells[pair.contender].rows);
            let mut seen = rows.map(|&row| codes[row]);
            let first = seen.next();
            seen.any(|code| Some(code) != first)
        })
    };
    ignore.iter().filter(varies).map(|name| Warning::IgnoredVaries { factor: name.clone() }).collect()
}

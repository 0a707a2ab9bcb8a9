//! What does changing one factor do, all others held equal?
//!
//! Runs are grouped into cells (one combination of factor levels each), cells of the baseline are matched with those of
//! the contender, and each pair gives a ratio with its interval.

use serde::Serialize;

use super::equivalence::{Equivalence, check_margin, equivalence};
use super::estimate::{Estimate, Precision};
use super::matching::{Matching, Pair};
use super::outcome::{How, Outcome, estimate};
use super::pooling::Pools;
use super::scope::{Scope, Selected};
use super::strata::{self, over_strata};
use super::units::Units;
use crate::error::{Error, Result, one_of};
use crate::model::cells::Cells;
use crate::model::runs::find_level;
use crate::model::schema::Better;
use crate::model::{Level, Runs, Settings, Warning};
use crate::stats::multiple::{Adjustment, adjust};
use crate::stats::rank;

/// What is compared, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparing {
    /// The factor.
    pub factor: String,
    /// The level that is 1; by default the first in order (`none`, `sync`, the smallest number, the first that appears).
    pub baseline: Option<String>,
    /// The level compared with it; by default every other.
    pub contender: Option<String>,
    /// A ratio that differs from 1 by less than this share does not matter: asks whether the two are equivalent.
    pub margin: Option<f64>,
    /// How the strata are adjusted for being several.
    pub adjust: Adjustment,
    /// Which runs, in which metric, and how sure.
    pub scope: Scope,
}

impl Comparing {
    /// Compares every level of `factor` with its first.
    pub fn new(factor: &str) -> Self {
        Self {
            factor: factor.to_owned(),
            baseline: None,
            contender: None,
            margin: None,
            adjust: Adjustment::None,
            scope: Scope::default(),
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
    /// How the p-values of the strata (by Bonferroni also their intervals) are adjusted for being several.
    pub adjust: Adjustment,
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
    /// The p-value adjusted for the number of strata, if that was asked for.
    pub p_adjusted: Option<f64>,
    /// The probability that one run of the contender beats one of the baseline, ties by half; `None` for single runs.
    pub superiority: Option<f64>,
    /// Whether the two are equivalent, if that was asked.
    pub equivalence: Option<Equivalence>,
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
    within(&comparing.scope.select(runs)?, comparing)
}

/// Compares within runs that were selected before.
pub(super) fn within(selected: &Selected, comparing: &Comparing) -> Result<Comparison> {
    let Selected { runs, metric, observations, .. } = selected;
    let Scope { ignore, precision, .. } = &comparing.scope;
    comparing.margin.map_or(Ok(()), check_margin)?;
    runs.known_factor(&comparing.factor)?;
    if ignore.contains(&comparing.factor) {
        return Err(Error::input(
            format!("{:?} is compared and ignored at once", comparing.factor),
            "ignore another factor",
        ));
    }
    let (baseline, contenders) = levels(runs, comparing)?;
    let cells = Cells::comparing(runs, ignore, &comparing.factor);
    let factor = cells.factor(&comparing.factor).ok_or_else(|| {
        Error::input(format!("{:?} says where a run stands in the design", comparing.factor), "compare a factor")
    })?;

    let mut warnings = selected.warnings.clone();
    warnings.extend(cells.every_run_apart());
    let matching = Matching { cells: &cells, factor, baseline: &baseline, contenders: &contenders };
    let pairs = matching.pairs(&mut warnings)?;
    let units: Vec<Units> = cells.cells.iter().map(|cell| observations.units(cell)).collect::<Result<_>>()?;
    if pairs.is_empty() {
        return Err(matching.no_match());
    }
    warnings.extend(matching.unmatched(&pairs));
    warnings.extend(ignored_that_vary(runs, &cells, ignore, &pairs));

    let (conditions, factors) = describe(&cells, factor, &pairs);
    let sides = |pair: &Pair| [(-1.0, &units[pair.baseline]), (1.0, &units[pair.contender])];
    let pools = Pools::of(selected, &comparing.scope, Some(&comparing.factor), &units);
    let spread = |pair: &Pair| {
        pools.as_ref().map_or((None, None), |pools| pools.spread(&cells, &[pair.baseline, pair.contender]))
    };
    let outcome = |pair: &Pair, precision: &Precision| {
        let (pool, under_test) = spread(pair);
        let mut outcome = estimate(&sides(pair), &How::new(precision, pool));
        outcome.estimate.rests_not_on(under_test);
        outcome
    };
    let mut outcomes: Vec<Outcome> = pairs.iter().map(|pair| outcome(pair, precision)).collect();
    if comparing.adjust == Adjustment::Bonferroni {
        // The family are the strata that are tested: those with a p-value.
        let family = outcomes.iter().filter(|outcome| outcome.estimate.p_value.is_some()).count().max(1);
        let each = Precision { confidence: 1.0 - (1.0 - precision.confidence) / family as f64, ..*precision };
        outcomes = pairs.iter().map(|pair| outcome(pair, &each)).collect();
    }
    let adjusted = adjusted(outcomes.iter().map(|outcome| outcome.estimate.p_value), comparing.adjust);
    let level = |pair: &Pair, factor: usize| cells.factors[factor].levels[pair.levels[factor]].clone();
    let center = precision.center();
    let rows: Vec<Stratum> = pairs
        .iter()
        .zip(&outcomes)
        .zip(adjusted)
        .map(|((pair, outcome), p_adjusted)| Stratum {
            settings: factors.iter().map(|&other| (cells.factors[other].name.clone(), level(pair, other))).collect(),
            contender: level(pair, factor),
            baseline_mean: outcome.sides[0].1.center(center),
            contender_mean: outcome.sides[1].1.center(center),
            ratio: outcome.estimate.clone(),
            p_adjusted,
            superiority: superiority(&units[pair.baseline], &units[pair.contender], metric.better),
            equivalence: comparing
                .margin
                .map(|margin| equivalence(&sides(pair), &How::new(precision, spread(pair).0), margin)),
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
                ratio: over_strata(&own, precision),
            })
        })
        .collect();
    Ok(Comparison {
        factor: comparing.factor.clone(),
        baseline,
        metric: metric.name.to_owned(),
        unit: metric.unit,
        better: metric.better,
        confidence: precision.confidence,
        adjust: comparing.adjust,
        conditions,
        factors: factors.iter().map(|&factor| cells.factors[factor].name.clone()).collect(),
        strata: rows,
        overall,
        warnings,
    })
}

/// Adjusts the p-values there are.
pub(super) fn adjusted(p_values: impl Iterator<Item = Option<f64>> + Clone, how: Adjustment) -> Vec<Option<f64>> {
    let known: Vec<f64> = p_values.clone().flatten().collect();
    let mut adjusted = adjust(&known, how).into_iter();
    p_values.map(|p| p.and_then(|_| adjusted.next()).filter(|_| how != Adjustment::None)).collect()
}

fn superiority(baseline: &Units, contender: &Units, better: Better) -> Option<f64> {
    if baseline.logs.len() < 2 || contender.logs.len() < 2 {
        return None;
    }
    let higher = rank::superiority(&baseline.logs, &contender.logs);
    Some(if better == Better::Lower { 1.0 - higher } else { higher })
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

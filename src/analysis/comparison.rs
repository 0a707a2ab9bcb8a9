//! What does changing one factor do, all others held equal?
//!
//! Runs are grouped into cells (one combination of factor levels each), cells of the baseline are matched with those of
//! the contender, and each pair gives a ratio with its interval.

use serde::Serialize;

use super::equivalence::{Equivalence, check_margin};
use super::estimate::{Estimate, Precision};
use super::matched::{Levels, Matched};
use super::matching::Pair;
use super::outcome::Outcome;
use super::scope::{Scope, Selected};
use super::strata::{self, over_strata};
use super::units::Units;
use crate::error::{Error, Result};
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
    let (precision, metric) = (&comparing.scope.precision, selected.metric);
    comparing.margin.map_or(Ok(()), |margin| check_margin(margin, precision.confidence))?;
    let wanted = Levels {
        factor: &comparing.factor,
        baseline: comparing.baseline.as_deref(),
        contender: comparing.contender.as_deref(),
    };
    let matched = Matched::of(selected, &comparing.scope, &wanted)?;
    let sides = |pair: &Pair| [(-1.0, pair.baseline), (1.0, pair.contender)];
    let outcomes = |precision: &Precision| -> Vec<Outcome> {
        matched.pairs.iter().map(|pair| matched.estimate(&sides(pair), precision)).collect()
    };
    let outcomes = adjusted_intervals(outcomes, precision, comparing.adjust)?;
    let p_values = outcomes.iter().map(|outcome| outcome.estimate.p_value);
    let family = p_values.clone().flatten().count().max(1);
    let adjusted = adjusted(p_values, comparing.adjust);
    // The tests of equivalence are adjusted by Bonferroni, whichever way the others are.
    let equivalent = match comparing.adjust {
        Adjustment::None => *precision,
        _ => precision.among(family),
    };
    let (conditions, factors) = matched.describe(&[matched.factor]);
    let center = precision.center();
    let strata: Vec<Stratum> = matched
        .pairs
        .iter()
        .zip(&outcomes)
        .zip(adjusted)
        .map(|((pair, outcome), p_adjusted)| Stratum {
            settings: matched.settings(pair, &factors),
            contender: matched.level(pair, matched.factor).clone(),
            baseline_mean: outcome.sides[0].1.center(center),
            contender_mean: outcome.sides[1].1.center(center),
            ratio: outcome.estimate.clone(),
            p_adjusted,
            superiority: superiority(&matched.units[pair.baseline], &matched.units[pair.contender], metric.better),
            equivalence: comparing.margin.map(|margin| matched.equivalence(&sides(pair), &equivalent, margin)),
        })
        .collect();
    let overall = |contender: &Level| {
        let own = matched.pairs.iter().zip(&outcomes);
        let own = own.filter(|(pair, _)| matched.level(pair, matched.factor) == contender);
        let own = own.map(|(pair, outcome)| strata::Stratum {
            outcome,
            cells: vec![pair.baseline, pair.contender],
            study: matched.study(pair),
        });
        let own: Vec<strata::Stratum> = own.collect();
        (own.len() > 1).then(|| Overall {
            contender: contender.clone(),
            strata: own.len(),
            ratio: over_strata(&own, precision),
        })
    };
    Ok(Comparison {
        factor: comparing.factor.clone(),
        baseline: matched.baseline.clone(),
        metric: metric.name.to_owned(),
        unit: metric.unit,
        better: metric.better,
        confidence: precision.confidence,
        adjust: comparing.adjust,
        conditions,
        factors: matched.names(&factors),
        strata,
        overall: matched.contenders.iter().filter_map(overall).collect(),
        warnings: matched.warnings,
    })
}

/// The outcomes of a family; by Bonferroni with the confidence of each raised so that all hold together. The family are those
/// that are tested: those with a p-value.
///
/// # Errors
/// A bootstrap with too few resamples to tell anything at the level that each of so many has.
pub(super) fn adjusted_intervals(
    outcomes: impl Fn(&Precision) -> Vec<Outcome>,
    precision: &Precision,
    adjust: Adjustment,
) -> Result<Vec<Outcome>> {
    let alone = outcomes(precision);
    if adjust == Adjustment::None {
        return Ok(alone);
    }
    let family = alone.iter().filter(|outcome| outcome.estimate.p_value.is_some()).count().max(1);
    let level = (1.0 - precision.confidence) / family as f64;
    // A tail of a handful of resamples is needed at the least.
    let needed = (10.0 / level).ceil();
    if precision.method.is_bootstrap() && (precision.resamples as f64) < needed {
        return Err(Error::input(
            format!("{} resamples are too few for a family of {family}", precision.resamples),
            format!("draw at least {needed} with --resamples (Python: resamples=), or use another method"),
        ));
    }
    if adjust != Adjustment::Bonferroni {
        return Ok(alone);
    }
    let mut together = outcomes(&precision.among(family));
    // Where the raised confidence leaves no interval, the test is made all the same, and the family stays as large.
    for (outcome, alone) in together.iter_mut().zip(&alone) {
        outcome.estimate.p_value = alone.estimate.p_value;
    }
    Ok(together)
}

/// Adjusts the p-values there are.
pub(super) fn adjusted(p_values: impl Iterator<Item = Option<f64>> + Clone, how: Adjustment) -> Vec<Option<f64>> {
    let known: Vec<f64> = p_values.clone().flatten().collect();
    let mut adjusted = adjust(&known, how).into_iter();
    p_values.map(|p| p.and_then(|_| adjusted.next()).filter(|_| how != Adjustment::None)).collect()
}

fn superiority(baseline: &Units, contender: &Units, better: Better) -> Option<f64> {
    if [baseline, contender].iter().any(|units| units.logs.len() < 2 || !units.is_complete()) {
        return None;
    }
    let higher = rank::superiority(&baseline.logs, &contender.logs);
    Some(if better == Better::Lower { 1.0 - higher } else { higher })
}

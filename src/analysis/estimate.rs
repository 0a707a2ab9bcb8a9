//! An estimate on the log scale, its interval, and on what basis the interval stands.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::units::Units;
use crate::error::{Error, Result, one_of};
use crate::language;
use crate::model::Warning;
use crate::stats::contrast::{self, Contrast, Term};

/// Where the knowledge of the spread comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Repeated runs in every cell.
    Replicates,
    /// Complete blocks, compared within each.
    Blocks,
    /// A stated coefficient of variation.
    Assumed,
    /// Nothing: single runs. There is no interval.
    None,
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Replicates => "replicates",
            Self::Blocks => "blocks",
            Self::Assumed => "assumed",
            Self::None => "none",
        })
    }
}

/// How an interval is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Method {
    /// Paired if there are complete blocks, Welch if there are replicates, assumed if a coefficient of variation is
    /// given, otherwise no interval.
    #[default]
    Auto,
    /// Welch's t on logarithms.
    LogWelch,
    /// Paired t on logarithms, by block.
    LogPaired,
    /// Normal on logarithms with the stated coefficient of variation.
    LogAssumed,
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let all = [Self::Auto, Self::LogWelch, Self::LogPaired, Self::LogAssumed];
        all.into_iter()
            .find(|method| method.to_string() == text)
            .ok_or_else(|| Error::input(format!("{text:?} is not a method"), format!("use {}", one_of(all))))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::LogWelch => "log-welch",
            Self::LogPaired => "log-paired",
            Self::LogAssumed => "log-assumed",
        })
    }
}

/// How intervals are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Precision {
    /// Confidence between 0 and 1.
    pub confidence: f64,
    /// The method.
    pub method: Method,
    /// The coefficient of variation of one run (0.02 for 2 %), for cells whose spread was not measured.
    pub assume_cv: Option<f64>,
}

impl Default for Precision {
    fn default() -> Self {
        Self { confidence: 0.95, method: Method::Auto, assume_cv: None }
    }
}

impl Precision {
    /// # Errors
    /// A confidence or a coefficient of variation out of range, or a method that lacks what it needs.
    pub(crate) fn check(&self) -> Result<()> {
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(Error::input(
                format!("a confidence of {} is none", self.confidence),
                "give it between 0 and 1 (0.95), or in percent on the command line (95%)",
            ));
        }
        if let Some(cv) = self.assume_cv.filter(|cv| !(*cv > 0.0 && *cv < 1.0)) {
            return Err(Error::input(
                format!("a coefficient of variation of {cv} is not usable"),
                "give it between 0 and 1 (0.02), or in percent on the command line (2%)",
            ));
        }
        if self.method == Method::LogAssumed && self.assume_cv.is_none() {
            return Err(Error::input(
                "the method log-assumed needs a spread",
                "state the coefficient of variation, for example --assume-cv 2%",
            ));
        }
        Ok(())
    }
}

/// A ratio (or, of one cell, a mean) with its interval. `low` and `high` are absent where nothing is known of the
/// spread.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The point estimate.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Confidence of the interval.
    pub confidence: f64,
    /// What the interval rests on.
    pub basis: Basis,
    /// How it was computed; absent without an interval.
    pub method: Option<Method>,
    /// Independent observations of the baseline (runs, or server starts where these are given).
    pub n_baseline: usize,
    /// Independent observations of the contender.
    pub n_contender: usize,
    /// Two-sided p-value of the ratio being 1.
    pub p_value: Option<f64>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

impl Estimate {
    /// Both ends, if there is an interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }

    /// The gain in percent: ratio − 1.
    pub fn gain_percent(&self) -> f64 {
        gain_percent(self.estimate)
    }
}

/// Ratio − 1 in percent.
pub fn gain_percent(ratio: f64) -> f64 {
    (ratio - 1.0) * 100.0
}

/// What is known of a contrast of cells, and the observations that it was computed from.
pub(crate) struct Outcome {
    pub estimate: Estimate,
    pub contrast: Option<Contrast>,
    /// The units of each side as they were used: all of them, or one per complete block.
    pub sides: Vec<(f64, Units)>,
}

/// Interval ends beyond this say nothing, and cannot be drawn.
const WRITABLE: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// The estimate of a product of powers of geometric means: a ratio is `[(-1, baseline), (1, contender)]`.
pub(crate) fn estimate(sides: &[(f64, &Units)], precision: &Precision) -> Outcome {
    let mut warnings = Vec::new();
    let auto = precision.method == Method::Auto;
    if (auto || precision.method == Method::LogPaired)
        && let Some(sides) = complete_blocks(sides, auto, &mut warnings)
    {
        let ratios = by_block(&sides);
        let contrast = contrast::contrast(&[Term { weight: 1.0, sample: &ratios, sigma: None }]);
        if contrast.is_none() {
            warnings.push(Warning::IdenticalRatios);
        }
        return outcome(sides, contrast, (Basis::Blocks, Method::LogPaired), precision.confidence, warnings);
    }
    let sides: Vec<(f64, Units)> = sides.iter().map(|(weight, units)| (*weight, (*units).clone())).collect();
    if precision.method == Method::LogPaired {
        return outcome(sides, None, (Basis::None, Method::LogPaired), precision.confidence, warnings);
    }
    let single = sides.iter().any(|(_, units)| units.logs.len() < 2);
    let stated = precision.assume_cv.filter(|_| precision.method == Method::LogAssumed || (auto && single));
    // The standard deviation of logarithms that a log-normal variable of this coefficient of variation has.
    let sigma = stated.map(|cv| (cv * cv).ln_1p().sqrt());
    // A measured spread goes before a stated one.
    let measured = |units: &Units| precision.method != Method::LogAssumed && units.logs.len() > 1;
    let terms: Vec<Term> = sides
        .iter()
        .map(|(weight, units)| Term { weight: *weight, sample: &units.logs, sigma: sigma.filter(|_| !measured(units)) })
        .collect();
    let contrast = contrast::contrast(&terms);
    let how = match stated {
        Some(cv) => {
            warnings.push(Warning::AssumedSpread { cv: language::percent(cv) });
            (Basis::Assumed, Method::LogAssumed)
        }
        None => {
            if single {
                warnings.push(Warning::SingleRun);
            } else if contrast.is_none() {
                warnings.push(Warning::IdenticalValues);
            }
            (Basis::Replicates, Method::LogWelch)
        }
    };
    outcome(sides, contrast, how, precision.confidence, warnings)
}

/// One observation per block that holds every side; `None` if the blocks are of no use, with the reason as a warning.
fn complete_blocks(sides: &[(f64, &Units)], auto: bool, warnings: &mut Vec<Warning>) -> Option<Vec<(f64, Units)>> {
    if sides.iter().all(|(_, units)| units.blocks.iter().all(Option::is_none)) {
        if !auto {
            warnings.push(Warning::NoBlocks);
        }
        return None;
    }
    let blocks: Option<Vec<BTreeSet<usize>>> = sides.iter().map(|(_, units)| units.all_blocks()).collect();
    let complete =
        blocks.and_then(|blocks| blocks.into_iter().reduce(|a, b| &a & &b)).filter(|blocks| blocks.len() > 1);
    let Some(complete) = complete else {
        warnings.push(Warning::UnusedBlocks);
        return None;
    };
    let inside = |units: &Units| units.blocks.iter().flatten().filter(|block| complete.contains(block)).count();
    let left_out: usize = sides.iter().map(|(_, units)| units.logs.len() - inside(units)).sum();
    if left_out > 0 {
        warnings.push(Warning::IncompleteBlocks { runs: left_out });
    }
    if sides.iter().any(|(_, units)| inside(units) > complete.len()) {
        warnings.push(Warning::RepeatedBlock);
    }
    Some(sides.iter().map(|(weight, units)| (*weight, units.within(&complete))).collect())
}

/// The contrast within each block; every side has one observation in each, in the same order.
fn by_block(sides: &[(f64, Units)]) -> Vec<f64> {
    let blocks = sides.first().map_or(0, |(_, units)| units.logs.len());
    (0..blocks).map(|block| sides.iter().map(|(weight, units)| weight * units.logs[block]).sum()).collect()
}

fn outcome(
    sides: Vec<(f64, Units)>,
    contrast: Option<Contrast>,
    (basis, method): (Basis, Method),
    confidence: f64,
    warnings: Vec<Warning>,
) -> Outcome {
    let count =
        |sign: f64| sides.iter().filter(|(weight, _)| weight * sign > 0.0).map(|(_, units)| units.logs.len()).sum();
    let power = |sign: f64| -> f64 {
        let side = sides.iter().filter(|(weight, _)| weight * sign > 0.0);
        side.map(|(weight, units)| units.geometric_mean.powf(weight.abs())).product()
    };
    let estimate = Estimate {
        // Divided, not subtracted on the log scale: 20 over 10 is 2 to the last digit.
        estimate: power(1.0) / power(-1.0),
        low: None,
        high: None,
        confidence,
        basis: Basis::None,
        method: None,
        n_baseline: count(-1.0),
        n_contender: count(1.0),
        p_value: None,
        warnings,
    };
    Outcome { estimate: estimate.with_interval(contrast, basis, method), contrast, sides }
}

/// The geometric mean of the ratios of several strata, each with the cells it compares (baseline, contender).
///
/// Strata that share a cell or a block are not independent. Where all rest on blocks, and on the same ones, the mean is
/// taken within each block; where none rests on blocks, a shared cell counts once with its whole weight.
pub(crate) fn over_strata(strata: &[(&Outcome, [usize; 2])], one_study: bool, confidence: f64) -> Estimate {
    let share = 1.0 / strata.len() as f64;
    let bases: BTreeSet<Basis> = strata.iter().map(|(outcome, _)| outcome.estimate.basis).collect();
    let mut warnings: Vec<Warning> = Vec::new();
    for warning in strata.iter().flat_map(|(outcome, _)| &outcome.estimate.warnings) {
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }
    let logs: Vec<f64> = strata.iter().map(|(outcome, _)| outcome.estimate.estimate.ln()).collect();
    let blocks = |outcome: &Outcome| outcome.sides.first().map(|(_, units)| units.blocks.clone());
    let same_blocks = one_study && strata.windows(2).all(|pair| blocks(pair[0].0) == blocks(pair[1].0));
    let independent = || -> Option<Contrast> {
        let contrasts: Option<Vec<Contrast>> = strata.iter().map(|(outcome, _)| outcome.contrast).collect();
        contrast::average(&contrasts?)
    };
    let (contrast, basis, method, n) = if bases.contains(&Basis::None) {
        (None, Basis::None, Method::Auto, None)
    } else if bases.iter().eq([&Basis::Blocks]) && same_blocks {
        let ratios: Vec<Vec<f64>> = strata.iter().map(|(outcome, _)| by_block(&outcome.sides)).collect();
        let rounds = ratios.first().map_or(0, Vec::len);
        let means: Vec<f64> = (0..rounds).map(|block| ratios.iter().map(|own| own[block] * share).sum()).collect();
        let contrast = contrast::contrast(&[Term { weight: 1.0, sample: &means, sigma: None }]);
        (contrast, Basis::Blocks, Method::LogPaired, Some(rounds))
    } else if bases.iter().eq([&Basis::Replicates]) {
        (shared_cells(strata, share), Basis::Replicates, Method::LogWelch, None)
    } else if bases.contains(&Basis::Assumed) {
        (independent(), Basis::Assumed, Method::LogAssumed, None)
    } else if bases.contains(&Basis::Replicates) {
        (independent(), Basis::Replicates, Method::LogWelch, None)
    } else {
        (independent(), Basis::Blocks, Method::LogPaired, None)
    };
    let total = |side: fn(&Estimate) -> usize| {
        n.unwrap_or_else(|| strata.iter().map(|(outcome, _)| side(&outcome.estimate)).sum())
    };
    let estimate = Estimate {
        estimate: contrast::mean(&logs).exp(),
        low: None,
        high: None,
        confidence,
        basis: Basis::None,
        method: None,
        n_baseline: total(|estimate| estimate.n_baseline),
        n_contender: total(|estimate| estimate.n_contender),
        p_value: None,
        warnings,
    };
    estimate.with_interval(contrast, basis, method)
}

/// The mean over strata as one contrast of cells, each with its whole weight.
fn shared_cells(strata: &[(&Outcome, [usize; 2])], share: f64) -> Option<Contrast> {
    let mut cells: BTreeMap<usize, (f64, &Units)> = BTreeMap::new();
    for (outcome, indices) in strata {
        for ((weight, units), index) in outcome.sides.iter().zip(indices) {
            cells.entry(*index).or_insert((0.0, units)).0 += weight * share;
        }
    }
    let terms: Vec<Term> =
        cells.values().map(|(weight, units)| Term { weight: *weight, sample: &units.logs, sigma: None }).collect();
    contrast::contrast(&terms)
}

impl Estimate {
    fn with_interval(mut self, contrast: Option<Contrast>, basis: Basis, method: Method) -> Self {
        let Some(contrast) = contrast else { return self };
        let (low, high) = contrast.interval(self.confidence);
        let (low, high) = (low.exp(), high.exp());
        if WRITABLE.contains(&low) && WRITABLE.contains(&high) {
            (self.low, self.high) = (Some(low), Some(high));
            self.p_value = Some(contrast.p_value());
            (self.basis, self.method) = (basis, Some(method));
        } else {
            self.warnings.push(Warning::UnboundedInterval);
        }
        self
    }

    /// Whether it compares one run with one run.
    pub fn is_single(&self) -> bool {
        self.basis == Basis::None && self.n_baseline <= 1 && self.n_contender <= 1
    }
}

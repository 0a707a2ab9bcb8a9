//! From the observations of cells to an estimate: which of them are used, and what its interval rests on.

use super::estimate::{Basis, Estimate, Method, Precision};
use super::units::{Units, common_blocks};
use crate::language;
use crate::model::Warning;
use crate::stats::Interval;
use crate::stats::bootstrap::{self, Kind, Resampling};
use crate::stats::contrast::{self, Contrast, Spread, Term};
use crate::stats::fieller::{Fieller, fieller};
use crate::stats::log_normal;
use crate::stats::moments::Moments;
use crate::stats::rank::{self, Shift};

/// An estimate, and the observations that it was computed from.
pub(crate) struct Outcome {
    pub estimate: Estimate,
    /// The units of each side as they were used: all of them, or one per complete block.
    pub sides: Vec<(f64, Units)>,
    /// The spread that it rests on, if that is a pooled one.
    pub pool: Option<Spread>,
}

/// How an estimate is to be made.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    pub precision: &'a Precision,
    /// The ratio that the p-value is about.
    pub null: f64,
    /// What the study as a whole says of the spread of a run.
    pub pool: Option<Spread>,
}

impl<'a> How<'a> {
    /// The question whether the ratio is 1.
    pub fn new(precision: &'a Precision, pool: Option<Spread>) -> Self {
        Self { precision, null: 1.0, pool }
    }

    fn of_contrast(&self, contrast: Contrast) -> Interval {
        contrast.interval(self.precision.confidence, self.null.ln())
    }
}

/// The estimate of a product of powers of geometric means (or other centres): a ratio is `[(-1, baseline), (1, contender)]`.
pub(crate) fn estimate(sides: &[(f64, &Units)], how: &How) -> Outcome {
    let precision = how.precision;
    let mut warnings = Vec::new();
    let auto = precision.method == Method::Auto;
    if sides.iter().any(|(_, units)| units.repeated_block) {
        warnings.push(Warning::RepeatedBlock);
    }
    if (auto || precision.method == Method::LogPaired)
        && let Some(sides) = complete_blocks(sides, auto, &mut warnings)
    {
        let ratios = by_block(&sides);
        let contrast = contrast::contrast(&[Term { weight: 1.0, sample: Moments::of(&ratios), sigma: None }]);
        if contrast.is_none() {
            warnings.push(Warning::IdenticalRatios);
        }
        let interval = contrast.map(|contrast| how.of_contrast(contrast));
        return outcome(sides, (interval, Basis::Blocks, Method::LogPaired), how, warnings);
    }
    let mut sides: Vec<(f64, Units)> = sides.iter().map(|(weight, units)| (*weight, (*units).clone())).collect();
    if !auto && precision.method != Method::LogPaired && could_be_paired(&sides) {
        warnings.push(Warning::BlocksIgnored { method: precision.method.to_string() });
    }
    match precision.method {
        Method::LogPaired => outcome(sides, (None, Basis::None, Method::LogPaired), how, warnings),
        Method::Auto | Method::LogWelch | Method::LogPooled | Method::LogAssumed => {
            let found = on_logs(&mut sides, how, &mut warnings);
            outcome(sides, found, how, warnings)
        }
        Method::HodgesLehmann => {
            let found = ranks(&sides, how, &mut warnings);
            let interval = found.and_then(|shift| shift.interval.map(|(low, high)| (low, high, shift.p_value)));
            let interval = interval.map(|(low, high, p_value)| Interval { low, high, p_value });
            let mut outcome = outcome(sides, (interval, Basis::Replicates, Method::HodgesLehmann), how, warnings);
            if let Some(shift) = found {
                outcome.estimate.estimate = shift.estimate.exp();
            }
            outcome
        }
        method => {
            let refs: Vec<(f64, &Units)> = sides.iter().map(|(weight, units)| (*weight, units)).collect();
            let interval = without_t(&refs, how, &mut warnings);
            outcome(sides, (interval, Basis::Replicates, method), how, warnings)
        }
    }
}

/// The t interval on logarithms, from the spread of each side, a stated one, or that of the study.
fn on_logs(sides: &mut [(f64, Units)], how: &How, warnings: &mut Vec<Warning>) -> (Option<Interval>, Basis, Method) {
    let Precision { method, assume_cv, .. } = *how.precision;
    let auto = method == Method::Auto;
    let single = sides.iter().any(|(_, units)| units.count() < 2);
    // Runs that agree to the last digit show no spread, not a spread of nothing.
    let spread = |units: &Units| units.of_logs().variance().is_some_and(|variance| variance > 0.0);
    let identical = sides.iter().any(|(_, units)| units.count() > 1 && !spread(units));
    if identical {
        warnings.push(Warning::IdenticalValues);
    }
    let lacking = single || identical;
    let stated = assume_cv.filter(|_| method == Method::LogAssumed || (auto && lacking));
    if let Some(pool) = how.pool.filter(|_| method == Method::LogPooled || (auto && single && stated.is_none())) {
        if single {
            warnings.push(Warning::PooledSpread { degrees_of_freedom: pool.degrees_of_freedom as usize });
        }
        let terms: Vec<Term> = sides.iter().map(|(weight, units)| units.term(*weight)).collect();
        let contrast = contrast::pooled(&terms, pool);
        return (contrast.map(|contrast| how.of_contrast(contrast)), Basis::Pooled, Method::LogPooled);
    }
    if method == Method::LogPooled {
        warnings.push(Warning::NothingToPool);
        return (None, Basis::None, method);
    }
    let sigma = stated.map(log_normal::sigma);
    // A measured spread goes before a stated one.
    let measured = |units: &Units| method != Method::LogAssumed && spread(units);
    for (_, units) in &mut *sides {
        units.sigma = sigma.filter(|_| !measured(units));
    }
    let terms: Vec<Term> = sides.iter().map(|(weight, units)| units.term(*weight)).collect();
    let interval = contrast::contrast(&terms).map(|contrast| how.of_contrast(contrast));
    match stated {
        Some(cv) => {
            warnings.push(Warning::AssumedSpread { cv: language::percent(cv) });
            (interval, Basis::Assumed, Method::LogAssumed)
        }
        None => {
            if single {
                warnings.push(Warning::SingleRun);
            }
            (interval, Basis::Replicates, Method::LogWelch)
        }
    }
}

/// Ratios of two runs that are held at once; more say nothing that other methods do not.
const MOST_PAIRS: usize = 10_000_000;

/// The median of all log ratios of two runs, with the p-value of the ratio asked about.
fn ranks(sides: &[(f64, Units)], how: &How, warnings: &mut Vec<Warning>) -> Option<Shift> {
    let confidence = how.precision.confidence;
    let [(-1.0, baseline), (1.0, contender)] = sides else {
        warnings.push(Warning::TwoSettingsOnly { method: Method::HodgesLehmann.to_string() });
        return None;
    };
    if baseline.logs.len().saturating_mul(contender.logs.len()) > MOST_PAIRS {
        warnings.push(Warning::TooManyForRanks);
        return None;
    }
    let null = how.null.ln();
    let shifted: Vec<f64> = contender.logs.iter().map(|log| log - null).collect();
    let shift = rank::hodges_lehmann(&baseline.logs, &shifted, confidence)?;
    if shift.interval.is_none() {
        warnings.push(Warning::TooFewForRanks { runs: rank::runs_needed(confidence) });
    }
    let back = |(low, high): (f64, f64)| (low + null, high + null);
    Some(Shift { estimate: shift.estimate + null, interval: shift.interval.map(back), ..shift })
}

/// With fewer observations of a side the simple bootstraps are clearly too short (`docs/statistics.md`).
const FEW: usize = 10;

/// The interval by a bootstrap or by Fieller, on the logarithmic scale.
pub(super) fn without_t(sides: &[(f64, &Units)], how: &How, warnings: &mut Vec<Warning>) -> Option<Interval> {
    let Precision { method, confidence, resamples, seed, .. } = *how.precision;
    if sides.iter().any(|(_, units)| units.count() < 2) {
        warnings.push(Warning::SingleRun);
        return None;
    }
    let null = how.null.ln();
    if sides.iter().any(|(_, units)| units.of_logs().variance() == Some(0.0)) {
        warnings.push(Warning::IdenticalValues);
    }
    if let Some(kind) = method.bootstrap() {
        if kind != Kind::Studentized && sides.iter().any(|(_, units)| units.logs.len() < FEW) {
            warnings.push(Warning::FewForBootstrap { method: method.to_string() });
        }
        let samples: Vec<(f64, &[f64])> =
            sides.iter().map(|(weight, units)| (*weight, units.values.as_slice())).collect();
        let resampling = Resampling { resamples, seed };
        return bootstrap::interval(&samples, kind, how.precision.center(), resampling, confidence, null);
    }
    let [(-1.0, baseline), (1.0, contender)] = sides else {
        warnings.push(Warning::TwoSettingsOnly { method: method.to_string() });
        return None;
    };
    match fieller(baseline.of_values(), contender.of_values(), confidence, how.null) {
        // The logarithm of an end at or below zero is none, which `with_interval` reports as unbounded.
        Some(Fieller::Bounded(interval)) => {
            Some(Interval { low: interval.low.ln(), high: interval.high.ln(), ..interval })
        }
        Some(Fieller::Unbounded) => Some(Interval { low: f64::NEG_INFINITY, high: f64::INFINITY, p_value: 1.0 }),
        None => None,
    }
}

/// Whether two blocks or more hold every side.
fn could_be_paired(sides: &[(f64, Units)]) -> bool {
    sides.len() > 1 && common_blocks(sides.iter().map(|(_, units)| units)).len() > 1
}

/// One observation per block that holds every side; `None` if the blocks are of no use, with the reason as a warning.
fn complete_blocks(sides: &[(f64, &Units)], auto: bool, warnings: &mut Vec<Warning>) -> Option<Vec<(f64, Units)>> {
    if sides.iter().all(|(_, units)| units.blocks.iter().all(Option::is_none)) {
        if !auto {
            warnings.push(Warning::NoBlocks);
        }
        return None;
    }
    let complete = common_blocks(sides.iter().map(|(_, units)| *units));
    let everywhere = sides.iter().all(|(_, units)| units.all_in_blocks());
    if !everywhere || complete.len() < 2 {
        warnings.push(Warning::UnusedBlocks);
        return None;
    }
    let inside = |units: &Units| units.blocks.iter().flatten().filter(|block| complete.contains(block)).count();
    let left_out: usize = sides.iter().map(|(_, units)| units.count() - inside(units)).sum();
    if left_out > 0 {
        warnings.push(Warning::IncompleteBlocks { runs: left_out });
    }
    Some(sides.iter().map(|(weight, units)| (*weight, units.within(&complete))).collect())
}

/// The contrast within each block; every side has one observation in each, in the same order.
pub(super) fn by_block(sides: &[(f64, Units)]) -> Vec<f64> {
    let blocks = sides.first().map_or(0, |(_, units)| units.logs.len());
    (0..blocks).map(|block| sides.iter().map(|(weight, units)| weight * units.logs[block]).sum()).collect()
}

fn outcome(
    sides: Vec<(f64, Units)>,
    (interval, basis, method): (Option<Interval>, Basis, Method),
    how: &How,
    warnings: Vec<Warning>,
) -> Outcome {
    // Of more than two settings, that with the fewest observations tells how much is known.
    let count = |sign: f64| {
        let side = sides.iter().filter(|(weight, _)| sides.len() > 2 || weight * sign > 0.0);
        side.map(|(_, units)| units.count()).min().unwrap_or(0)
    };
    let center = how.precision.center();
    let power = |sign: f64| -> f64 {
        let side = sides.iter().filter(|(weight, _)| weight * sign > 0.0);
        side.map(|(weight, units)| units.center(center).powf(weight.abs())).product()
    };
    let estimate = Estimate {
        // Divided, not subtracted on the log scale: 20 over 10 is 2 to the last digit.
        estimate: power(1.0) / power(-1.0),
        low: None,
        high: None,
        confidence: how.precision.confidence,
        basis: Basis::None,
        method: None,
        n_baseline: count(-1.0),
        n_contender: count(1.0),
        p_value: None,
        warnings,
    };
    let estimate = estimate.with_interval(interval, basis, method);
    let pool = how.pool.filter(|_| estimate.basis == Basis::Pooled);
    Outcome { estimate, sides, pool }
}

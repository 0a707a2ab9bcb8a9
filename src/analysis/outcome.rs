//! From the observations of cells to an estimate: which of them are used, and what its interval rests on.

use std::collections::BTreeSet;

use super::estimate::{Basis, Estimate, Method, Precision};
use super::units::Units;
use crate::language;
use crate::model::Warning;
use crate::stats::contrast::{self, Contrast, Term};

/// An estimate, and the observations that it was computed from.
pub(crate) struct Outcome {
    pub estimate: Estimate,
    /// The units of each side as they were used: all of them, or one per complete block.
    pub sides: Vec<(f64, Units)>,
}

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
    let mut sides: Vec<(f64, Units)> = sides.iter().map(|(weight, units)| (*weight, (*units).clone())).collect();
    if precision.method == Method::LogPaired {
        return outcome(sides, None, (Basis::None, Method::LogPaired), precision.confidence, warnings);
    }
    let single = sides.iter().any(|(_, units)| units.logs.len() < 2);
    // Runs that agree to the last digit show no spread, not a spread of nothing.
    let spread = |units: &Units| contrast::variance(&units.logs).is_some_and(|variance| variance > 0.0);
    let identical = sides.iter().any(|(_, units)| units.logs.len() > 1 && !spread(units));
    let lacking = single || identical;
    let stated = precision.assume_cv.filter(|_| precision.method == Method::LogAssumed || (auto && lacking));
    // The standard deviation of logarithms that a log-normal variable of this coefficient of variation has.
    let sigma = stated.map(|cv| (cv * cv).ln_1p().sqrt());
    // A measured spread goes before a stated one.
    let measured = |units: &Units| precision.method != Method::LogAssumed && spread(units);
    for (_, units) in &mut sides {
        units.sigma = sigma.filter(|_| !measured(units));
    }
    if identical {
        warnings.push(Warning::IdenticalValues);
    }
    let terms: Vec<Term> = sides.iter().map(|(weight, units)| units.term(*weight)).collect();
    let contrast = contrast::contrast(&terms);
    let how = match stated {
        Some(cv) => {
            warnings.push(Warning::AssumedSpread { cv: language::percent(cv) });
            (Basis::Assumed, Method::LogAssumed)
        }
        None => {
            if single {
                warnings.push(Warning::SingleRun);
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
pub(super) fn by_block(sides: &[(f64, Units)]) -> Vec<f64> {
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
    Outcome { estimate: estimate.with_interval(contrast, basis, method), sides }
}

//! The geometric mean of the ratios of several strata. Strata that share runs, blocks or server starts are not
//! independent, and an interval that took them for it would be far too narrow.

use std::collections::{BTreeMap, BTreeSet};

use super::estimate::{Basis, Estimate, Method, Precision};
use super::outcome::{How, Outcome, by_block, without_t};
use super::units::{Units, share_starts};
use crate::model::Warning;
use crate::stats::contrast::{self, Contrast, Term};

/// One stratum: what it gave, the cells that it compares in the order of its sides, and the study it belongs to.
pub(crate) struct Stratum<'a> {
    pub outcome: &'a Outcome,
    pub cells: Vec<usize>,
    pub study: Option<usize>,
}

/// The geometric mean of the ratios. Its interval is put together within each study, from blocks or from cells, and then
/// over studies, which share nothing. Where some strata of a study rest on blocks and others do not, or where settings
/// share server starts, there is none.
pub(crate) fn over_strata(strata: &[Stratum], precision: &Precision) -> Estimate {
    let estimates = || strata.iter().map(|stratum| &stratum.outcome.estimate);
    let mut warnings: Vec<Warning> = Vec::new();
    for warning in estimates().flat_map(|estimate| &estimate.warnings) {
        Warning::add(&mut warnings, warning.clone());
    }
    let bases: BTreeSet<Basis> = estimates().map(|estimate| estimate.basis).collect();
    let mut studies: BTreeMap<Option<usize>, Vec<&Stratum>> = BTreeMap::new();
    for stratum in strata {
        studies.entry(stratum.study).or_default().push(stratum);
    }
    let how = How::new(precision, None);
    // The method of the strata is known by what they were given, unless none could be given.
    let by_t = estimates().all(|estimate| estimate.method.is_none_or(Method::is_t));
    let interval = if bases.contains(&Basis::None) {
        None
    } else if by_t {
        let share = |own: &[&Stratum]| own.len() as f64 / strata.len() as f64;
        let parts: Result<Vec<(f64, Contrast)>, Warning> =
            studies.values().map(|own| Ok((share(own), over_study(own)?))).collect();
        parts
            .map_err(|warning| Warning::add(&mut warnings, warning))
            .ok()
            .and_then(|parts| contrast::independent(&parts))
            .map(|whole| whole.interval(precision.confidence, 0.0))
    } else {
        let all: Vec<&Stratum> = strata.iter().collect();
        let cells = cells(&all);
        if share_starts(cells.values().map(|(_, units)| *units)) {
            Warning::add(&mut warnings, Warning::SharedStarts);
            None
        } else {
            without_t(&cells.into_values().collect::<Vec<_>>(), &how, &mut warnings)
        }
    };
    let (basis, method) = match bases.iter().next_back() {
        Some(&Basis::Assumed) => (Basis::Assumed, Method::LogAssumed),
        Some(&Basis::Pooled) => (Basis::Pooled, Method::LogPooled),
        Some(&Basis::Blocks) if bases.len() == 1 => (Basis::Blocks, Method::LogPaired),
        _ if by_t => (Basis::Replicates, Method::LogWelch),
        _ => (Basis::Replicates, precision.method),
    };
    let logs: Vec<f64> = estimates().map(|estimate| estimate.estimate.ln()).collect();
    let estimate = Estimate {
        estimate: contrast::mean(&logs).exp(),
        low: None,
        high: None,
        confidence: precision.confidence,
        basis: Basis::None,
        method: None,
        n_baseline: studies.values().map(|own| independent(own, -1.0)).sum(),
        n_contender: studies.values().map(|own| independent(own, 1.0)).sum(),
        p_value: None,
        warnings,
    };
    estimate.with_interval(interval, basis, method)
}

/// How many strata of a study rest on blocks.
fn on_blocks(strata: &[&Stratum]) -> usize {
    strata.iter().filter(|stratum| stratum.outcome.estimate.basis == Basis::Blocks).count()
}

/// The mean over the strata of one study, or the reason why nothing can be said of its spread.
fn over_study(strata: &[&Stratum]) -> Result<Contrast, Warning> {
    let blocks = on_blocks(strata);
    let contrast = if blocks == strata.len() {
        let ratios: Vec<Vec<(usize, f64)>> = strata.iter().map(|stratum| rounds(stratum.outcome)).collect();
        contrast::clustered(&ratios)
    } else if blocks > 0 {
        return Err(Warning::MixedBases);
    } else {
        let cells = cells(strata);
        if share_starts(cells.values().map(|(_, units)| *units)) {
            return Err(Warning::SharedStarts);
        }
        let terms: Vec<Term> = cells.values().map(|(weight, units)| units.term(*weight)).collect();
        // A control that one of the strata may not rest on is no ground for their mean either.
        let pools = strata.iter().filter_map(|stratum| stratum.outcome.pool);
        match pools.min_by(|a, b| a.degrees_of_freedom.total_cmp(&b.degrees_of_freedom)) {
            Some(pool) => contrast::pooled(&terms, pool),
            None => contrast::contrast(&terms),
        }
    };
    contrast.ok_or(Warning::IdenticalRatios)
}

/// How many independent observations a study has on one side: rounds, or the units of each cell once.
fn independent(strata: &[&Stratum], sign: f64) -> usize {
    if on_blocks(strata) == strata.len() {
        let rounds = strata.iter().flat_map(|stratum| rounds(stratum.outcome));
        return rounds.map(|(block, _)| block).collect::<BTreeSet<usize>>().len();
    }
    let side = cells(strata).into_values().filter(|(weight, _)| weight * sign > 0.0);
    side.map(|(_, units)| units.count()).sum()
}

/// The log ratio within each block of a stratum that rests on blocks.
fn rounds(outcome: &Outcome) -> Vec<(usize, f64)> {
    let blocks = outcome.sides.first().map_or(&[][..], |(_, units)| &units.blocks);
    blocks.iter().copied().flatten().zip(by_block(&outcome.sides)).collect()
}

/// Every cell of a study once, with its whole weight in the mean over the study's strata.
fn cells<'a>(strata: &[&'a Stratum]) -> BTreeMap<usize, (f64, &'a Units)> {
    let share = 1.0 / strata.len() as f64;
    let mut cells: BTreeMap<usize, (f64, &Units)> = BTreeMap::new();
    for stratum in strata {
        for ((weight, units), index) in stratum.outcome.sides.iter().zip(&stratum.cells) {
            cells.entry(*index).or_insert((0.0, units)).0 += weight * share;
        }
    }
    cells
}

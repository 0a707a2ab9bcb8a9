//! The geometric mean of the ratios of several strata. Strata that share runs, blocks or server starts are not
//! independent, and an interval that took them for it would be far too narrow.

use std::collections::{BTreeMap, BTreeSet};

use super::estimate::{Basis, Estimate, Method};
use super::outcome::{Outcome, by_block};
use super::units::Units;
use crate::model::Warning;
use crate::stats::contrast::{self, Contrast, Term};

/// One stratum: what it gave, the cells it compares (baseline, contender), and the study it belongs to.
pub(crate) struct Stratum<'a> {
    pub outcome: &'a Outcome,
    pub cells: [usize; 2],
    pub study: Option<usize>,
}

/// The geometric mean of the ratios. Its interval is put together within each study, from blocks or from cells, and then
/// over studies, which share nothing. Where some strata of a study rest on blocks and others do not, or where settings
/// share server starts, there is none.
pub(crate) fn over_strata(strata: &[Stratum], confidence: f64) -> Estimate {
    let mut warnings: Vec<Warning> = Vec::new();
    let mut warn = |warning: Warning| {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    };
    let estimates = || strata.iter().map(|stratum| &stratum.outcome.estimate);
    estimates().flat_map(|estimate| &estimate.warnings).cloned().for_each(&mut warn);
    let bases: BTreeSet<Basis> = estimates().map(|estimate| estimate.basis).collect();
    let mut studies: BTreeMap<Option<usize>, Vec<&Stratum>> = BTreeMap::new();
    for stratum in strata {
        studies.entry(stratum.study).or_default().push(stratum);
    }
    let mut parts: Vec<(f64, Contrast)> = Vec::new();
    let (mut n_baseline, mut n_contender, mut complete) = (0, 0, !bases.contains(&Basis::None));
    for own in studies.values() {
        let blocks = own.iter().filter(|stratum| stratum.outcome.estimate.basis == Basis::Blocks).count();
        let cells = cells(own);
        let size = |sign: f64| {
            cells.values().filter(|(weight, _)| weight * sign > 0.0).map(|(_, units)| units.logs.len()).sum::<usize>()
        };
        let part = if blocks == own.len() {
            let ratios: Vec<Vec<(usize, f64)>> = own.iter().map(|stratum| rounds(stratum.outcome)).collect();
            let all: BTreeSet<usize> = ratios.iter().flatten().map(|(block, _)| *block).collect();
            (n_baseline, n_contender) = (n_baseline + all.len(), n_contender + all.len());
            contrast::clustered(&ratios)
        } else {
            (n_baseline, n_contender) = (n_baseline + size(-1.0), n_contender + size(1.0));
            if !complete {
                None
            } else if blocks > 0 {
                warn(Warning::MixedBases);
                complete = false;
                None
            } else if share_starts(&cells) {
                warn(Warning::SharedStarts);
                complete = false;
                None
            } else {
                let terms: Vec<Term> = cells.values().map(|(weight, units)| units.term(*weight)).collect();
                contrast::contrast(&terms)
            }
        };
        match part {
            Some(part) => parts.push((own.len() as f64 / strata.len() as f64, part)),
            None if complete => {
                warn(Warning::IdenticalRatios);
                complete = false;
            }
            None => {}
        }
    }
    let basis = match bases.iter().next_back() {
        Some(&Basis::Assumed) => (Basis::Assumed, Method::LogAssumed),
        Some(&Basis::Blocks) if bases.len() == 1 => (Basis::Blocks, Method::LogPaired),
        _ => (Basis::Replicates, Method::LogWelch),
    };
    let logs: Vec<f64> = estimates().map(|estimate| estimate.estimate.ln()).collect();
    let estimate = Estimate {
        estimate: contrast::mean(&logs).exp(),
        low: None,
        high: None,
        confidence,
        basis: Basis::None,
        method: None,
        n_baseline,
        n_contender,
        p_value: None,
        warnings,
    };
    let whole = if complete { contrast::independent(&parts) } else { None };
    estimate.with_interval(whole, basis.0, basis.1)
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
        for ((weight, units), index) in stratum.outcome.sides.iter().zip(stratum.cells) {
            cells.entry(index).or_insert((0.0, units)).0 += weight * share;
        }
    }
    cells
}

/// Whether two cells name the same server start.
fn share_starts(cells: &BTreeMap<usize, (f64, &Units)>) -> bool {
    let mut seen = BTreeSet::new();
    cells.values().flat_map(|(_, units)| &units.starts).any(|start| !seen.insert(start))
}

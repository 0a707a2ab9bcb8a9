//! Does the effect of one factor depend on another? The ratio of two ratios: the async gain with the accelerator over the async
//! gain without.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use super::estimate::{Estimate, Precision};
use super::matched::{Levels, Matched};
use super::matching::Pair;
use super::outcome::Outcome;
use super::scope::{Scope, Selected};
use super::strata::{self, over_strata};
use crate::error::{Error, Result, one_of};
use crate::model::runs::find_level;
use crate::model::schema::Better;
use crate::model::{Level, Runs, Settings, Warning};
use crate::stats::bootstrap::Center;

/// Whose effect is asked for, and by what it may change.
#[derive(Debug, Clone, PartialEq)]
pub struct Interacting {
    /// The factor whose effect it is.
    pub factor: String,
    /// The level that is 1; by default the first.
    pub baseline: Option<String>,
    /// The level compared with it; by default every other.
    pub contender: Option<String>,
    /// The factor that the effect may depend on.
    pub by: String,
    /// The level of `by` whose ratio is divided by; by default the first.
    pub by_baseline: Option<String>,
    /// The level of `by` whose ratio is divided; by default every other.
    pub by_contender: Option<String>,
    /// Which runs, in which metric, and how sure.
    pub scope: Scope,
}

impl Interacting {
    /// The effect of `factor`, by `by`.
    pub fn new(factor: &str, by: &str) -> Self {
        Self {
            factor: factor.to_owned(),
            baseline: None,
            contender: None,
            by: by.to_owned(),
            by_baseline: None,
            by_contender: None,
            scope: Scope::default(),
        }
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interaction {
    /// The factor whose effect it is.
    pub factor: String,
    /// The level that is 1.
    pub baseline: Level,
    /// The factor that the effect may depend on.
    pub by: String,
    /// The level of `by` whose ratio is divided by.
    pub by_baseline: Level,
    /// The metric.
    pub metric: String,
    /// Its better direction.
    pub better: Better,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// What is the same in everything compared.
    pub conditions: Settings,
    /// The factors that tell the strata apart.
    pub factors: Vec<String>,
    /// One ratio of ratios per stratum.
    pub strata: Vec<Stratum>,
    /// The geometric mean over the strata, for each pair of contenders that has several.
    pub overall: Vec<Overall>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

/// Four cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stratum {
    /// Its levels of [`Interaction::factors`].
    pub settings: Settings,
    /// The level compared with the baseline.
    pub contender: Level,
    /// The level of `by` compared with its baseline.
    pub by_contender: Level,
    /// The ratio of the factor at the baseline of `by`.
    pub ratio_at_baseline: f64,
    /// The ratio of the factor at the other level of `by`.
    pub ratio_at_contender: f64,
    /// The second ratio over the first; 1 where the factor does the same at both levels.
    pub interaction: Estimate,
}

/// The interaction over all strata.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overall {
    /// The level compared with the baseline.
    pub contender: Level,
    /// The level of `by` compared with its baseline.
    pub by_contender: Level,
    /// How many strata.
    pub strata: usize,
    /// The geometric mean of their interactions.
    pub interaction: Estimate,
}

/// Four cells, as two pairs of one contender that differ in `by`.
struct Square<'a> {
    at_baseline: &'a Pair,
    at_contender: &'a Pair,
}

/// Computes ratios of ratios.
///
/// # Errors
/// As [`super::comparison::compare`]; `by` as the factor itself, or with one level only.
///
/// ```
/// use kaeanalysis::analysis::interaction::{Interacting, interact};
/// use kaeanalysis::ingest;
///
/// let interaction = interact(&ingest::documented("vkae_vm")?, &Interacting::new("tls_mode", "accelerator"))?;
/// let at_4_workers = &interaction.strata[1];
/// assert_eq!(format!("{:.4}", at_4_workers.interaction.estimate), "1.4555");
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn interact(runs: &Runs, interacting: &Interacting) -> Result<Interaction> {
    within(&interacting.scope.select(runs)?, interacting)
}

/// Computes them within runs that were selected before.
pub(super) fn within(selected: &Selected, interacting: &Interacting) -> Result<Interaction> {
    let precision = &interacting.scope.precision;
    if interacting.by == interacting.factor {
        return Err(Error::input(
            format!("{:?} cannot depend on itself", interacting.factor),
            "name another factor that its effect may depend on",
        ));
    }
    let wanted = Levels {
        factor: &interacting.factor,
        baseline: interacting.baseline.as_deref(),
        contender: interacting.contender.as_deref(),
    };
    let matched = Matched::of(selected, &interacting.scope, &wanted)?;
    let (by, by_baseline) = by_levels(&selected.runs, &matched, interacting)?;
    let mut warnings = matched.warnings.clone();
    let squares = squares(&matched, by, &by_baseline, interacting, &mut warnings)?;
    let outcomes: Vec<Outcome> = squares.iter().map(|square| matched.estimate(&square.sides(), precision)).collect();

    let (conditions, factors) = matched.describe(&[matched.factor, by]);
    let center = precision.center();
    let strata: Vec<Stratum> = squares
        .iter()
        .zip(&outcomes)
        .map(|(square, outcome)| Stratum {
            settings: matched.settings(square.at_contender, &factors),
            contender: matched.level(square.at_contender, matched.factor).clone(),
            by_contender: matched.level(square.at_contender, by).clone(),
            ratio_at_baseline: square.ratio(square.at_baseline, outcome, &matched, center),
            ratio_at_contender: square.ratio(square.at_contender, outcome, &matched, center),
            interaction: outcome.estimate.clone(),
        })
        .collect();
    let overall = overall(&matched, &squares, &outcomes, &strata, precision);
    let names = matched.names(&factors);
    Ok(Interaction {
        factor: interacting.factor.clone(),
        baseline: matched.baseline,
        by: interacting.by.clone(),
        by_baseline,
        metric: selected.metric.name.to_owned(),
        better: selected.metric.better,
        confidence: precision.confidence,
        conditions,
        factors: names,
        strata,
        overall,
        warnings,
    })
}

/// The position of `by`, and its level that is divided by.
fn by_levels(runs: &Runs, matched: &Matched, interacting: &Interacting) -> Result<(usize, Level)> {
    let name = &interacting.by;
    let factor = runs.known_factor(name)?;
    let by = matched.cells.factor(name).ok_or_else(|| {
        Error::input(format!("{name:?} is no factor that tells the settings apart"), "name one that varies")
    })?;
    for wanted in interacting.by_contender.iter().chain(&interacting.by_baseline) {
        find_level(&factor, wanted)?;
    }
    if let (Some(baseline), Some(contender)) = (&interacting.by_baseline, &interacting.by_contender)
        && find_level(&factor, baseline)? == find_level(&factor, contender)?
    {
        return Err(Error::input(
            format!("{name}={baseline} is compared with itself"),
            format!("name two different levels of {}", one_of(factor.known())),
        ));
    }
    let known: Vec<&Level> = factor.known().collect();
    let baseline = match &interacting.by_baseline {
        Some(wanted) => factor.levels[find_level(&factor, wanted)?].clone(),
        None => known.first().map_or(Level::Unknown, |level| (*level).clone()),
    };
    if known.len() < 2 {
        return Err(Error::input(
            format!("{name} has only the level {}", one_of(known)),
            "add runs with another level, or choose another factor",
        ));
    }
    Ok((by, baseline))
}

/// The pairs that agree in everything but `by`.
fn squares<'a>(
    matched: &'a Matched,
    by: usize,
    by_baseline: &Level,
    interacting: &Interacting,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Square<'a>>> {
    let contender = match &interacting.by_contender {
        Some(wanted) => Some(find_level(&matched.cells.factors[by], wanted)?),
        None => None,
    };
    let at = |wanted: &dyn Fn(&Pair) -> bool| matched.pairs.iter().filter(|pair| wanted(pair)).collect::<Vec<&Pair>>();
    let bases = at(&|pair| matched.level(pair, by) == by_baseline);
    let others = at(&|pair| {
        let level = matched.level(pair, by);
        level != by_baseline && !level.is_unknown() && contender.is_none_or(|wanted| pair.levels[by] == wanted)
    });
    // A factor that has no level in common on the two sides of `by` changes with it, as requests may with workers.
    let mut apart = vec![by];
    for factor in (0..matched.cells.factors.len()).filter(|&factor| factor != by && factor != matched.factor) {
        let levels = |side: &[&Pair]| side.iter().map(|pair| pair.levels[factor]).collect::<BTreeSet<usize>>();
        let (left, right) = (levels(&bases), levels(&others));
        if !left.is_empty() && !right.is_empty() && left.is_disjoint(&right) {
            apart.push(factor);
            let factor = &matched.cells.factors[factor];
            let [left, right] = [&left, &right].map(|side| side.iter().map(|&level| &factor.levels[level]));
            Warning::add(warnings, Warning::varies_together(&factor.name, left, right));
        }
    }
    let rest = |pair: &Pair| -> Vec<usize> {
        let held = (0..pair.levels.len()).filter(|factor| !apart.contains(factor));
        held.map(|factor| pair.levels[factor]).collect()
    };
    let bases: HashMap<Vec<usize>, &Pair> = bases.into_iter().map(|pair| (rest(pair), pair)).collect();
    let square = |pair: &'a Pair| Some(Square { at_baseline: bases.get(&rest(pair))?, at_contender: pair });
    let squares: Vec<Square> = others.into_iter().filter_map(square).collect();
    if squares.is_empty() {
        return Err(Error::input(
            format!("no runs compare {} at two levels of {} and agree otherwise", interacting.factor, interacting.by),
            "measure both levels of both factors under the same conditions",
        ));
    }
    Ok(squares)
}

impl Square<'_> {
    /// The ratio of one of its pairs, from the observations that the outcome rests on.
    fn ratio(&self, pair: &Pair, outcome: &Outcome, matched: &Matched, center: Center) -> f64 {
        let used = self.sides().into_iter().zip(&outcome.sides);
        let used: Vec<(usize, f64)> = used.map(|((_, cell), (_, units))| (cell, units.center(center))).collect();
        let of = |cell: usize| {
            let found = used.iter().find(|(other, _)| *other == cell);
            found.map_or_else(|| matched.units[cell].center(center), |(_, center)| *center)
        };
        of(pair.contender) / of(pair.baseline)
    }

    /// Each cell with its power; a cell that stands in both pairs cancels.
    fn sides(&self) -> Vec<(f64, usize)> {
        let all = [
            (-1.0, self.at_contender.baseline),
            (1.0, self.at_contender.contender),
            (1.0, self.at_baseline.baseline),
            (-1.0, self.at_baseline.contender),
        ];
        let power = |cell: usize| all.iter().filter(|(_, other)| *other == cell).map(|(power, _)| power).sum::<f64>();
        let mut sides: Vec<(f64, usize)> = Vec::new();
        for (_, cell) in all {
            if power(cell) != 0.0 && sides.iter().all(|(_, other)| *other != cell) {
                sides.push((power(cell), cell));
            }
        }
        sides
    }
}

fn overall(
    matched: &Matched,
    squares: &[Square],
    outcomes: &[Outcome],
    strata: &[Stratum],
    precision: &Precision,
) -> Vec<Overall> {
    let mut contenders: Vec<(&Level, &Level)> = Vec::new();
    for stratum in strata {
        let pair = (&stratum.contender, &stratum.by_contender);
        if !contenders.contains(&pair) {
            contenders.push(pair);
        }
    }
    let of = |(contender, by_contender): (&Level, &Level)| {
        let own = squares.iter().zip(outcomes).zip(strata);
        let own = own.filter(|(_, stratum)| stratum.contender == *contender && stratum.by_contender == *by_contender);
        let own: Vec<strata::Stratum> = own
            .map(|((square, outcome), _)| strata::Stratum {
                outcome,
                cells: square.sides().into_iter().map(|(_, cell)| cell).collect(),
                study: matched.study(square.at_contender),
            })
            .collect();
        (own.len() > 1).then(|| Overall {
            contender: contender.clone(),
            by_contender: by_contender.clone(),
            strata: own.len(),
            interaction: over_strata(&own, precision),
        })
    };
    contenders.into_iter().filter_map(of).collect()
}

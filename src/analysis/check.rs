//! Did it get worse? New runs against stored ones, cell by cell.

use std::collections::BTreeSet;

use serde::Serialize;

use super::comparison::{adjusted, adjusted_intervals};
use super::estimate::{Estimate, Method, Precision};
use super::matched::{Levels, Matched};
use super::matching::Pair;
use super::outcome::Outcome;
use super::scope::Scope;
use super::units::Units;
use crate::error::{Error, Result, one_of};
use crate::model::schema::{self, Better, Role};
use crate::model::{Level, Runs, Settings, Warning};
use crate::named::named;
use crate::stats::contrast::Spread;
use crate::stats::multiple::Adjustment;
use crate::stats::power;

/// The factor that tells the two sets of runs apart.
const SET: &str = "runs_of";
const BASELINE: &str = "baseline";
const CURRENT: &str = "current";

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Checking {
    /// The loss that is accepted, as a share: 0.03 for 3 %.
    pub max_regression: f64,
    /// How the cells are adjusted for being several.
    pub adjust: Adjustment,
    /// Which runs, in which metric, and how sure.
    pub scope: Scope,
}

impl Checking {
    /// Accepts a loss of at most this share.
    pub fn new(max_regression: f64) -> Self {
        Self { max_regression, adjust: Adjustment::None, scope: Scope::default() }
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its better direction.
    pub better: Better,
    /// The loss that is accepted, as a share.
    pub max_regression: f64,
    /// The ratio that this loss is: beyond it lies a regression.
    pub limit: f64,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// How p-values are adjusted for the number of cells.
    pub adjust: Adjustment,
    /// The verdict over all cells: the worst of them.
    pub verdict: Verdict,
    /// How many cells were not measured again.
    pub gone: usize,
    /// The factors that tell the cells apart.
    pub factors: Vec<String>,
    /// One per cell of either set.
    pub cells: Vec<Cell>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// Its levels of [`Check::factors`].
    pub settings: Settings,
    /// The verdict.
    pub verdict: Verdict,
    /// Geometric mean of the stored runs.
    pub baseline_mean: Option<f64>,
    /// Geometric mean of the new runs.
    pub current_mean: Option<f64>,
    /// New over stored; its p-value is that of the ratio being the limit.
    pub ratio: Option<Estimate>,
    /// That p-value, adjusted for the number of cells.
    pub p_adjusted: Option<f64>,
    /// Of an inconclusive cell: how many runs more on each side would decide it if its mean and spread stay as they are.
    pub more_runs: Option<usize>,
}

/// What is said of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It was not measured before.
    New,
    /// It was not measured again.
    Gone,
    /// A loss beyond the limit is excluded.
    Pass,
    /// The interval allows both.
    Inconclusive,
    /// The loss lies beyond the limit.
    Regression,
}

named!(Verdict, "a verdict", {
    New => "new",
    Gone => "gone",
    Pass => "pass",
    Inconclusive => "inconclusive",
    Regression => "regression",
});

/// Compares new runs with stored ones.
///
/// # Errors
/// A loss out of range, a metric without a better direction, no cell that both sets have, and what a comparison refuses.
///
/// ```
/// use kaeanalysis::analysis::check::{Checking, Verdict, check};
/// use kaeanalysis::ingest::read_bytes;
///
/// let stored = read_bytes(b"workers,rps\n4,7393\n4,7401\n4,7380\n", "stored.csv")?;
/// let new = read_bytes(b"workers,rps\n4,6890\n4,6875\n4,6902\n", "new.csv")?;
/// assert_eq!(check(&stored, &new, &Checking::new(0.03))?.verdict, Verdict::Regression);
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn check(baseline: &Runs, current: &Runs, checking: &Checking) -> Result<Check> {
    let loss = checking.max_regression;
    if !(0.0..1.0).contains(&loss) {
        return Err(Error::input(
            format!("a regression of {loss} is no limit"),
            "give it from 0 up to 1 (0.03), or in percent on the command line (3%)",
        ));
    }
    let precision = &checking.scope.precision;
    if precision.method == Method::LogPaired {
        return Err(Error::input(
            "the rounds of two sets are different rounds, so that they make no pairs",
            "use auto or log-welch; if the sets were measured in turns, put them in one file and compare them",
        ));
    }
    // Each by itself first: what one of them lacks is to be said of that one.
    for set in [baseline, current] {
        checking.scope.select(set).map_err(|error| error.in_source(&set.source()))?;
    }
    let sets = Runs::labelled([(baseline, BASELINE), (current, CURRENT)], SET)?;
    let (scope, apart) = same_settings(baseline, current, &checking.scope)?;
    let selected = scope.select(&sets)?;
    let limit = match selected.metric.better {
        Better::Higher => 1.0 - loss,
        Better::Lower => 1.0 + loss,
        Better::Neither => {
            return Err(Error::input(
                format!("{} is neither better nor worse when it rises", selected.metric.name),
                "check a metric that has a better direction, such as rps or latency_p99_ms",
            ));
        }
    };
    let levels = Levels { factor: SET, baseline: Some(BASELINE), contender: Some(CURRENT) };
    let matched = Matched::of(&selected, &scope, &levels)?;
    let factors = telling(&matched);
    let outcomes = |precision: &Precision| -> Vec<Outcome> {
        let sides = |pair: &Pair| [(-1.0, pair.baseline), (1.0, pair.contender)];
        matched.pairs.iter().map(|pair| matched.estimate_against(limit, &sides(pair), precision)).collect()
    };
    let outcomes: Vec<Outcome> = adjusted_intervals(outcomes, precision, checking.adjust)?;
    let p_values = outcomes.iter().map(|outcome| outcome.estimate.p_value);
    let family = p_values.clone().flatten().count().max(1);
    let adjusted = adjusted(p_values, checking.adjust);
    // An adjusted verdict needs an interval that is as sure as all of them together.
    let each = match checking.adjust {
        Adjustment::None => precision.confidence,
        _ => precision.among(family).confidence,
    };
    let center = precision.center();
    let mut cells: Vec<Cell> = matched
        .pairs
        .iter()
        .zip(outcomes)
        .zip(adjusted)
        .map(|((pair, outcome), p_adjusted)| {
            let mut ratio = outcome.estimate;
            // That no round holds both sets goes without saying.
            ratio.warnings.retain(|warning| *warning != Warning::UnusedBlocks);
            let verdict = verdict(&ratio, p_adjusted, limit, selected.metric.better, precision);
            let units = [&matched.units[pair.baseline], &matched.units[pair.contender]];
            Cell {
                settings: settings(&matched, pair.contender, &factors),
                verdict,
                baseline_mean: Some(units[0].center(center)),
                current_mean: Some(units[1].center(center)),
                more_runs: (verdict == Verdict::Inconclusive)
                    .then(|| more_runs(units, outcome.pool, ratio.estimate / limit, each))
                    .flatten(),
                ratio: Some(ratio),
                p_adjusted,
            }
        })
        .collect();
    cells.extend(alone(&matched, &factors, precision));
    let noticed = matched
        .warnings
        .iter()
        .filter(|warning| !matches!(warning, Warning::Unmatched { .. } | Warning::IgnoredVaries { .. }));
    let warnings = apart.iter().chain(noticed);
    Ok(Check {
        metric: selected.metric.name.to_owned(),
        unit: selected.metric.unit,
        better: selected.metric.better,
        max_regression: loss,
        limit,
        confidence: precision.confidence,
        adjust: checking.adjust,
        verdict: cells.iter().map(|cell| cell.verdict).max().unwrap_or(Verdict::Inconclusive),
        gone: cells.iter().filter(|cell| cell.verdict == Verdict::Gone).count(),
        factors: matched.names(&factors),
        cells,
        warnings: warnings.cloned().collect(),
    })
}

/// The interval lies on one side of the limit if the p-value of the limit is at most what the confidence leaves.
fn verdict(ratio: &Estimate, adjusted: Option<f64>, limit: f64, better: Better, precision: &Precision) -> Verdict {
    let Some(p_value) = adjusted.or(ratio.p_value) else { return Verdict::Inconclusive };
    if p_value > 1.0 - precision.confidence {
        return Verdict::Inconclusive;
    }
    let above = ratio.estimate > limit;
    if above == (better == Better::Higher) { Verdict::Pass } else { Verdict::Regression }
}

/// Runs to add on each side until an interval of this confidence around this ratio to the limit would end at the limit. None
/// beyond what anybody runs.
fn more_runs(units: [&Units; 2], pool: Option<Spread>, ratio: f64, confidence: f64) -> Option<usize> {
    let measured = |units: &Units| units.of_logs().variance().or(pool.map(|pool| pool.variance));
    let sigma = [measured(units[0])?.sqrt(), measured(units[1])?.sqrt()];
    let fewer = units.iter().map(|units| units.count()).min()?;
    let needed = power::replicates_for_half_width(ratio.ln().abs(), sigma, confidence)?;
    Some(needed.saturating_sub(fewer).max(1)).filter(|more| *more <= MOST_RUNS)
}

/// More runs than these are no advice.
const MOST_RUNS: usize = 1_000;

/// Whether the two sets measured the same. A further column that has no level in common, such as a date or a revision, tells
/// the sets apart and is left out of the matching; a known factor that has none, such as the workers, makes them different
/// settings.
fn same_settings(baseline: &Runs, current: &Runs, scope: &Scope) -> Result<(Scope, Vec<Warning>)> {
    let (stored, new) = (scope.filter(baseline)?, scope.filter(current)?);
    let (mut scope, mut apart) = (scope.clone(), Vec::new());
    for name in stored.columns_of(Role::Factor).into_iter().filter(|name| new.has_column(name)) {
        let (left, right) = (stored.factor(name), new.factor(name));
        if scope.ignore.iter().any(|ignored| ignored == name)
            || left.levels.iter().any(|level| right.levels.contains(level))
        {
            continue;
        }
        if schema::column(name).is_some() && name != "study" {
            return Err(Error::input(
                format!(
                    "the stored runs have {name} {} and the new ones {}",
                    one_of(left.known()),
                    one_of(right.known())
                ),
                format!(
                    "check runs of the same settings, or leave it out with --ignore {name} (Python: ignore=\"{name}\")"
                ),
            ));
        }
        scope.ignore.push(name.to_owned());
        apart.push(Warning::varies_together(name, left.known(), right.known()));
    }
    Ok((scope, apart))
}

/// The factors that vary within a set; one that only differs between the sets, such as a date, tells nothing apart.
fn telling(matched: &Matched) -> Vec<usize> {
    let cells = &matched.cells;
    let sides = [&matched.baseline, &matched.contenders[0]];
    let varies = |factor: usize| {
        sides.iter().any(|side| {
            let own = cells.cells.iter().filter(|cell| cells.level(cell, matched.factor) == *side);
            let mut levels = own.map(|cell| cell.levels[factor]);
            let first = levels.next();
            levels.any(|level| Some(level) != first)
        })
    };
    let varying: Vec<usize> =
        (0..cells.factors.len()).filter(|&factor| factor != matched.factor && varies(factor)).collect();
    cells.telling(&varying, &cells.rows())
}

fn settings(matched: &Matched, cell: usize, factors: &[usize]) -> Settings {
    let cells = &matched.cells;
    let level = |&factor: &usize| (cells.factors[factor].name.clone(), cells.level(&cells.cells[cell], factor).clone());
    factors.iter().map(level).collect()
}

/// The cells that one of the sets lacks.
fn alone(matched: &Matched, factors: &[usize], precision: &Precision) -> Vec<Cell> {
    let paired: BTreeSet<usize> = matched.pairs.iter().flat_map(|pair| [pair.baseline, pair.contender]).collect();
    (0..matched.cells.cells.len())
        .filter(|cell| !paired.contains(cell))
        .map(|cell| {
            let stored = *matched.cells.level(&matched.cells.cells[cell], matched.factor) == Level::from(BASELINE);
            let mean = matched.units[cell].center(precision.center());
            Cell {
                settings: settings(matched, cell, factors),
                verdict: if stored { Verdict::Gone } else { Verdict::New },
                baseline_mean: stored.then_some(mean),
                current_mean: (!stored).then_some(mean),
                ratio: None,
                p_adjusted: None,
                more_runs: None,
            }
        })
        .collect()
}

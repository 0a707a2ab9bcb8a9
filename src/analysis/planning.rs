//! How many runs does it take? Before measuring from an assumed spread, afterwards from the measured one.

use serde::Serialize;

use super::scope::Scope;
use super::units::{Units, common_blocks};
use crate::error::{Error, Result};
use crate::model::cells::Cells;
use crate::model::{Runs, Settings, Warning};
use crate::stats::{contrast, log_normal, power};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Planning {
    /// The smallest gain that is not to be missed, as a share: 0.03 for 3 %.
    pub effect: Option<f64>,
    /// The coefficient of variation of one run, where no runs tell it.
    pub cv: Option<f64>,
    /// The chance of finding that gain.
    pub power: f64,
    /// The wanted half width of the interval of a ratio, as a share: 0.01 for ±1 %.
    pub half_width: f64,
}

impl Default for Planning {
    fn default() -> Self {
        Self { effect: None, cv: None, power: 0.8, half_width: 0.01 }
    }
}

/// The answer: for two settings with this spread that are compared with each other on logarithms, by the paired t test where
/// the runs stand in rounds, otherwise by Welch's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// Confidence of the intervals.
    pub confidence: f64,
    /// The chance of finding an effect.
    pub power: f64,
    /// The gain that is not to be missed.
    pub effect: Option<f64>,
    /// The half width that is wanted.
    pub wanted_half_width: f64,
    /// Whether the runs stand in rounds: each setting ran once in each.
    pub rounds: bool,
    /// The factors that tell the settings apart.
    pub factors: Vec<String>,
    /// One per setting with several runs, then all of them together; or the one that was assumed.
    pub spreads: Vec<Needed>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

/// A spread and what it asks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Needed {
    /// The setting; empty for an assumed spread and for all settings together.
    pub settings: Settings,
    /// Whether it is the spread of all settings together.
    pub pooled: bool,
    /// Independent observations of the setting: runs, or server starts, or rounds; of all together the fewest that a setting
    /// has. None for an assumed spread.
    pub runs: Option<usize>,
    /// The coefficient of variation of one run; within a round where runs stand in rounds. None of a single run.
    pub cv: Option<f64>,
    /// The smallest gain that so many runs of each setting find with the wanted chance.
    pub detectable: Option<f64>,
    /// The half width that the interval of a ratio has with so many runs.
    pub half_width: Option<f64>,
    /// Runs of each setting that find the wanted effect with the wanted chance.
    pub runs_for_effect: Option<usize>,
    /// Runs of each setting that make the interval of a ratio as narrow as wanted.
    pub runs_for_half_width: Option<usize>,
}

/// Plans from an assumed spread.
///
/// # Errors
/// No effect or spread, or one out of range.
///
/// ```
/// use kaeanalysis::analysis::planning::{Planning, plan};
///
/// let plan = plan(&Planning { effect: Some(0.03), cv: Some(0.015), ..Planning::default() }, 0.95)?;
/// assert_eq!(plan.spreads[0].runs_for_effect, Some(6));
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn plan(planning: &Planning, confidence: f64) -> Result<Plan> {
    planning.check(confidence)?;
    let cv = planning.cv.ok_or_else(|| {
        Error::input("nothing is known of the spread", "give runs, or state it: --cv 1.5% (Python: cv=0.015)")
    })?;
    let spread = planning.needed(Place::default(), Some([log_normal::sigma(cv); 2].into()), confidence);
    Ok(planning.answer(confidence, false, Vec::new(), vec![spread], Vec::new()))
}

/// Plans from the spread of runs.
///
/// # Errors
/// What [`Scope`] refuses, runs of which none is repeated, or an effect out of range.
pub fn plan_from(runs: &Runs, planning: &Planning, scope: &Scope) -> Result<Plan> {
    let confidence = scope.precision.confidence;
    planning.check(confidence)?;
    if planning.cv.is_some() {
        return Err(Error::input("the runs tell the spread, and one is stated", "give runs or --cv, not both"));
    }
    scope.without_method("planning")?;
    let selected = scope.select(runs)?;
    let cells = Cells::of(&selected.runs, &scope.ignore);
    let units: Vec<Units> = cells.cells.iter().map(|cell| selected.observations.units(cell)).collect::<Result<_>>()?;
    let telling = cells.telling(&cells.varying(), &cells.rows());
    let factors = telling.iter().map(|&at| cells.factors[at].name.clone()).collect();
    let mut warnings = selected.warnings.clone();
    if let Some((rounds, sigma)) = within_rounds(&units, &mut warnings) {
        let place = Place { pooled: true, runs: Some(rounds), ..Place::default() };
        let spread = planning.needed(place, Some(power::Spread::within_rounds([sigma; 2])), confidence);
        return Ok(planning.answer(confidence, true, factors, vec![spread], warnings));
    }
    let Some(pooled) = contrast::pooled_spread(units.iter().map(Units::of_logs)) else {
        let problem = if units.iter().any(|units| units.count() > 1) {
            "all runs of a setting agree to the last digit, so the runs show no spread"
        } else {
            "no setting has two runs (or server starts), so the runs show no spread"
        };
        return Err(Error::input(
            problem,
            "repeat a setting, or state the spread: --cv 1.5% without runs (Python: cv=0.015)",
        ));
    };
    let mut spreads = Vec::new();
    for (cell, units) in cells.cells.iter().zip(&units) {
        let settings = telling.iter().map(|&at| (cells.factors[at].name.clone(), cells.level(cell, at).clone()));
        let place = Place { settings: settings.collect(), pooled: false, runs: Some(units.count()) };
        let variance = units.of_logs().variance().filter(|variance| *variance > 0.0);
        spreads.push(planning.needed(place, variance.map(|variance| [variance.sqrt(); 2].into()), confidence));
    }
    if spreads.len() > 1 {
        let fewest = units.iter().map(Units::count).filter(|runs| *runs > 1).min();
        let place = Place { pooled: true, runs: fewest, ..Place::default() };
        spreads.push(planning.needed(place, Some([pooled.variance.sqrt(); 2].into()), confidence));
    }
    Ok(planning.answer(confidence, false, factors, spreads, warnings))
}

/// How many rounds hold every setting, and the standard deviation of a run within a round: the residual of the two-way layout of
/// settings and rounds. None without such rounds.
fn within_rounds(units: &[Units], warnings: &mut Vec<Warning>) -> Option<(usize, f64)> {
    if units.len() < 2 || units.iter().all(|units| units.blocks.iter().all(Option::is_none)) {
        return None;
    }
    let complete = common_blocks(units);
    if complete.len() < 2 {
        warnings.push(Warning::UnusedBlocks);
        return None;
    }
    let rounds: Vec<Vec<f64>> = units.iter().map(|units| units.within(&complete).logs).collect();
    let cell_means: Vec<f64> = rounds.iter().map(|logs| contrast::mean(logs)).collect();
    let grand = contrast::mean(&cell_means);
    let mut squares = 0.0;
    for round in 0..complete.len() {
        let own: Vec<f64> = rounds.iter().map(|logs| logs[round]).collect();
        let mean = contrast::mean(&own);
        squares += own.iter().zip(&cell_means).map(|(log, cell)| (log - cell - mean + grand).powi(2)).sum::<f64>();
    }
    let variance = squares / ((units.len() - 1) * (complete.len() - 1)) as f64;
    (variance.sqrt() > 1e-12).then(|| (complete.len(), variance.sqrt()))
}

/// Where a spread comes from.
#[derive(Default)]
struct Place {
    settings: Settings,
    pooled: bool,
    runs: Option<usize>,
}

impl Planning {
    fn check(&self, confidence: f64) -> Result<()> {
        let share = |what: &str, value: f64, right: &str| {
            if value > 0.0 && value < 1.0 {
                return Ok(());
            }
            Err(Error::input(format!("{what} of {value} is not usable"), format!("give it between 0 and 1 ({right})")))
        };
        share("a confidence", confidence, "0.95")?;
        share("a power", self.power, "0.8")?;
        share("a half width", self.half_width, "0.01")?;
        self.effect.map_or(Ok(()), |effect| share("an effect", effect, "0.03"))?;
        self.cv.map_or(Ok(()), |cv| share("a coefficient of variation", cv, "0.015"))
    }

    fn needed(&self, place: Place, spread: Option<power::Spread>, confidence: f64) -> Needed {
        let gain = |log: f64| log.exp_m1();
        let Place { settings, pooled, runs } = place;
        let repeated = runs.filter(|runs| *runs > 1).zip(spread);
        Needed {
            settings,
            pooled,
            runs,
            cv: spread.map(|spread| log_normal::cv(spread.sigma())),
            detectable: repeated
                .and_then(|(n, spread)| power::detectable(spread, [n; 2], confidence, self.power))
                .map(gain),
            half_width: repeated.map(|(n, spread)| gain(power::half_width(spread, [n; 2], confidence))),
            runs_for_effect: spread
                .zip(self.effect)
                .and_then(|(spread, effect)| power::replicates(effect.ln_1p(), spread, confidence, self.power)),
            runs_for_half_width: spread
                .and_then(|spread| power::replicates_for_half_width(self.half_width.ln_1p(), spread, confidence)),
        }
    }

    fn answer(
        &self,
        confidence: f64,
        rounds: bool,
        factors: Vec<String>,
        spreads: Vec<Needed>,
        warnings: Vec<Warning>,
    ) -> Plan {
        Plan {
            confidence,
            power: self.power,
            effect: self.effect,
            wanted_half_width: self.half_width,
            rounds,
            factors,
            spreads,
            warnings,
        }
    }
}

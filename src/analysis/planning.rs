//! How many runs does it take? Before measuring from an assumed spread, afterwards from the measured one.

use serde::Serialize;

use super::scope::Scope;
use super::units::Units;
use crate::error::{Error, Result};
use crate::model::cells::Cells;
use crate::model::{Runs, Settings, Warning};
use crate::stats::{contrast, power};

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

/// The answer: for two settings with this spread that are compared with each other, by Welch's t test on logarithms.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Plan {
    /// Confidence of the intervals.
    pub confidence: f64,
    /// The chance of finding an effect.
    pub power: f64,
    /// The gain that is not to be missed.
    pub effect: Option<f64>,
    /// The wanted half width.
    pub half_width: f64,
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
    /// Whether it is the pooled spread of all settings.
    pub pooled: bool,
    /// Independent observations of the setting; of all together the fewest that a setting has. None for an assumed spread.
    pub runs: Option<usize>,
    /// The coefficient of variation of one run.
    pub cv: f64,
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
    let spread = planning.needed(Settings::default(), false, None, sigma(cv), confidence);
    Ok(planning.answer(confidence, Vec::new(), vec![spread], Vec::new()))
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
    let selected = scope.select(runs)?;
    let cells = Cells::of(&selected.runs, &scope.ignore);
    let units: Vec<Units> = cells.cells.iter().map(|cell| selected.observations.units(cell)).collect::<Result<_>>()?;
    let varying: Vec<usize> = (0..cells.factors.len()).filter(|&at| cells.factors[at].levels.len() > 1).collect();
    let rows: Vec<&[usize]> = cells.cells.iter().map(|cell| cell.levels.as_slice()).collect();
    let telling = cells.telling(&varying, &rows);
    let mut spreads = Vec::new();
    for (cell, units) in cells.cells.iter().zip(&units) {
        let settings =
            telling.iter().map(|&at| (cells.factors[at].name.clone(), cells.level(cell, at).clone())).collect();
        if let Some(variance) = contrast::variance(&units.logs).filter(|variance| *variance > 0.0) {
            spreads.push(planning.needed(settings, false, Some(units.logs.len()), variance.sqrt(), confidence));
        }
    }
    let logs: Vec<&[f64]> = units.iter().map(|units| units.logs.as_slice()).collect();
    let Some(pooled) = contrast::pooled_spread(&logs) else {
        return Err(Error::input(
            "no setting was run twice, so the runs show no spread",
            "repeat a setting, or state the spread: --cv 1.5% without runs (Python: cv=0.015)",
        ));
    };
    if spreads.len() > 1 {
        let fewest = units.iter().map(|units| units.logs.len()).filter(|runs| *runs > 1).min();
        spreads.push(planning.needed(Settings::default(), true, fewest, pooled.variance.sqrt(), confidence));
    }
    let factors = telling.iter().map(|&at| cells.factors[at].name.clone()).collect();
    Ok(planning.answer(confidence, factors, spreads, selected.warnings))
}

/// The standard deviation of logarithms that a log-normal variable of this coefficient of variation has.
fn sigma(cv: f64) -> f64 {
    (cv * cv).ln_1p().sqrt()
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

    fn needed(&self, settings: Settings, pooled: bool, runs: Option<usize>, sigma: f64, confidence: f64) -> Needed {
        let both = [sigma; 2];
        let gain = |log: f64| log.exp_m1();
        Needed {
            settings,
            pooled,
            runs,
            cv: (sigma * sigma).exp_m1().sqrt(),
            detectable: runs.and_then(|n| power::detectable(both, [n; 2], confidence, self.power)).map(gain),
            half_width: runs.map(|n| gain(power::half_width(both, [n; 2], confidence))),
            runs_for_effect: self
                .effect
                .and_then(|effect| power::replicates(effect.ln_1p(), both, confidence, self.power)),
            runs_for_half_width: power::replicates_for_half_width(self.half_width.ln_1p(), both, confidence),
        }
    }

    fn answer(&self, confidence: f64, factors: Vec<String>, spreads: Vec<Needed>, warnings: Vec<Warning>) -> Plan {
        Plan {
            confidence,
            power: self.power,
            effect: self.effect,
            half_width: self.half_width,
            factors,
            spreads,
            warnings,
        }
    }
}

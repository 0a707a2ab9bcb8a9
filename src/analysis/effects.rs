//! How much does each factor of a two-level design do, and how much do they do together? Effects by least squares on logarithms.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::scope::{Scope, Selected};
use super::units::{Units, common_blocks, share_starts};
use crate::error::{Error, Result, one_of};
use crate::model::cells::Cells;
use crate::model::schema::Better;
use crate::model::{Factor, Level, Runs, Settings, Warning};
use crate::named::named;
use crate::stats::contrast::{self, Contrast, mean};
use crate::stats::factorial::{self, Factorial, Lenth};

/// What tells effects from noise where no setting was repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Unreplicated {
    /// Nothing: effects without intervals.
    #[default]
    None,
    /// Lenth's pseudo standard error: most effects are taken to be noise.
    Lenth,
}

named!(Unreplicated, "a way to judge an unreplicated design", { None => "none", Lenth => "lenth" });

/// What is asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Factors {
    /// The factors; by default all that have two levels.
    pub factors: Vec<String>,
    /// What to do without replicates.
    pub unreplicated: Unreplicated,
    /// Which runs, in which metric, and how sure.
    pub scope: Scope,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effects {
    /// The metric.
    pub metric: String,
    /// Its better direction.
    pub better: Better,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// What is the same in all runs.
    pub conditions: Settings,
    /// The factors with their low and high level.
    pub factors: Vec<TwoLevels>,
    /// Main effects first, then interactions of two, and so on.
    pub effects: Vec<Effect>,
    /// Terms that the design cannot tell from the others.
    pub confounded: Vec<Vec<String>>,
    /// The standard deviation of the logarithm of one run around the model.
    pub residual_sigma: Option<f64>,
    /// Its degrees of freedom.
    pub residual_degrees_of_freedom: Option<f64>,
    /// The share of the variation of the logarithms around their mean that the effects account for; blocks are taken out first.
    pub r_squared: Option<f64>,
    /// Lenth's margins on logarithms, if they were asked for.
    pub lenth: Option<Lenth>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

/// A factor with two levels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwoLevels {
    /// The factor.
    pub factor: String,
    /// The level that comes first.
    pub low: Level,
    /// The other.
    pub high: Level,
}

/// The effect of a factor, or of several together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Effect {
    /// One factor, or those that act together.
    pub factors: Vec<String>,
    /// Mean of the logarithms at high minus that at low.
    pub effect: f64,
    /// The factor by which the metric changes from low to high; of two factors the ratio of two ratios, and so on, in the
    /// geometric mean over the others.
    pub ratio: f64,
    /// Lower end of the interval of that ratio.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// Two-sided p-value of there being no effect.
    pub p_value: Option<f64>,
    /// What Lenth's margins say.
    pub lenth: Option<Standing>,
    /// Effects that this design cannot tell from this one.
    pub aliases: Vec<Vec<String>>,
}

/// Where an effect stands beside Lenth's margins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Within the margin of error: not told from noise.
    Within,
    /// Beyond the margin of one effect, not beyond that of all.
    BeyondMargin,
    /// Beyond the margin that holds for all effects at once.
    BeyondSimultaneous,
}

/// More factors than any such design has, and far more effects than anybody reads.
const MOST_FACTORS: usize = 7;

/// Computes the effects of a two-level design: full, fractional, with settings missing, or unequally repeated.
///
/// # Errors
/// A factor that the runs do not have or that has more than two levels, no factor with two levels, or more than seven.
///
/// ```
/// use kaeanalysis::analysis::effects::{Factors, effects};
/// use kaeanalysis::ingest;
///
/// let vkae = effects(&ingest::documented("vkae_vm")?, &Factors::default())?;
/// assert_eq!(vkae.effects[0].factors, ["workers"]);
/// assert_eq!(format!("{:.4}", vkae.effects[0].effect), "1.3002");
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn effects(runs: &Runs, asked: &Factors) -> Result<Effects> {
    asked.scope.without_method("least squares")?;
    let selected = asked.scope.select(runs)?;
    let confidence = asked.scope.precision.confidence;
    selected.runs.singly()?;
    let cells = Cells::of(&selected.runs, &asked.scope.ignore);
    let positions = positions(&selected, &cells, asked)?;
    let factors: Vec<TwoLevels> = positions.iter().map(|&at| TwoLevels::of(&cells.factors[at])).collect();
    let observed = Observed::of(&selected, &cells, &positions, &factors)?;
    let fit = observed.fit()?;
    let values: Vec<f64> = fit.found.effects.iter().map(|effect| effect.value).collect();
    let lenth = match (asked.unreplicated, fit.residual) {
        (Unreplicated::Lenth, None) => factorial::lenth(&values, confidence),
        _ => None,
    };
    let mut warnings = selected.warnings.clone();
    warnings.extend(observed.warnings.clone());
    if fit.residual.is_none() && !observed.warnings.contains(&Warning::SharedStarts) {
        warnings.extend(match (observed.logs.len() > cells.cells.len(), asked.unreplicated, &lenth) {
            (true, _, _) => Some(Warning::IdenticalValues),
            (false, Unreplicated::None, _) => Some(Warning::Unreplicated),
            (false, Unreplicated::Lenth, None) => Some(Warning::FewEffects),
            (false, Unreplicated::Lenth, Some(_)) => None,
        });
    }
    let named = |term: &[usize]| -> Vec<String> { term.iter().map(|&at| factors[at].factor.clone()).collect() };
    warnings.extend(fit.found.confounded.iter().map(|term| Warning::Confounded { term: named(term).join(" × ") }));
    let effects = fit.found.effects.iter();
    Ok(Effects {
        metric: selected.metric.name.to_owned(),
        better: selected.metric.better,
        confidence,
        conditions: cells.conditions(),
        effects: effects.map(|effect| fit.judged(effect, lenth.as_ref(), named, confidence)).collect(),
        confounded: fit.found.confounded.iter().map(|term| named(term)).collect(),
        residual_sigma: fit.residual.map(|(variance, _)| variance.sqrt()),
        residual_degrees_of_freedom: fit.residual.map(|(_, df)| df),
        r_squared: fit.r_squared,
        factors,
        lenth,
        warnings,
    })
}

impl TwoLevels {
    fn of(factor: &Factor) -> Self {
        let mut known = factor.known().cloned();
        let mut next = || known.next().unwrap_or(Level::Unknown);
        Self { factor: factor.name.clone(), low: next(), high: next() }
    }
}

/// The observations, one per row of the design.
struct Observed {
    /// Whether each factor is at its high level.
    design: Vec<Vec<bool>>,
    logs: Vec<f64>,
    /// How many blocks were taken out of the logs; 0 if there are none, or if they are not complete.
    blocks: usize,
    warnings: Vec<Warning>,
}

/// The model, and how well it is known.
struct Fit {
    found: Factorial,
    /// The variance around the model, and its degrees of freedom.
    residual: Option<(f64, f64)>,
    /// By how much standard errors grow because the blocks took degrees of freedom.
    inflation: f64,
    r_squared: Option<f64>,
}

impl Observed {
    fn of(selected: &Selected, cells: &Cells, positions: &[usize], factors: &[TwoLevels]) -> Result<Self> {
        let units: Vec<Units> =
            cells.cells.iter().map(|cell| selected.observations.units(cell)).collect::<Result<_>>()?;
        let mut warnings = Vec::new();
        // Cells that share server starts are no independent observations, and least squares would take them for it.
        if share_starts(&units) {
            warnings.push(Warning::SharedStarts);
        }
        let complete = complete_blocks(&units, &mut warnings);
        let (mut design, mut logs, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for (cell, units) in cells.cells.iter().zip(&units) {
            let levels = positions.iter().zip(factors);
            let high: Vec<bool> = levels.map(|(&at, two)| *cells.level(cell, at) == two.high).collect();
            let used = if complete.is_empty() { units.clone() } else { units.within(&complete) };
            design.extend(std::iter::repeat_n(high, used.logs.len()));
            logs.extend(used.logs);
            blocks.extend(used.blocks);
        }
        if !complete.is_empty() {
            without_blocks(&mut logs, &blocks);
        }
        Ok(Self { design, logs, blocks: complete.len(), warnings })
    }

    fn fit(&self) -> Result<Fit> {
        let found = factorial::effects(&self.design, &self.logs).ok_or_else(|| {
            Error::input("the design has no effect that can be estimated", "measure both levels of a factor")
        })?;
        let total = contrast::variance(&self.logs).map(|variance| variance * (self.logs.len() - 1) as f64);
        let r_squared = found.residual.zip(total).map(|((variance, df), total)| 1.0 - variance * df / total);
        // Each block's mean but one took a degree of freedom.
        let independent = !self.warnings.contains(&Warning::SharedStarts);
        let residual = found.residual.filter(|_| independent).and_then(|(variance, df)| {
            let left = df - self.blocks.saturating_sub(1) as f64;
            (left > 0.0).then(|| (variance * df / left, left))
        });
        let inflation = found.residual.zip(residual).map_or(1.0, |((all, _), (left, _))| (left / all).sqrt());
        Ok(Fit { found, residual, inflation, r_squared })
    }
}

impl Fit {
    fn judged(
        &self,
        effect: &factorial::Effect,
        lenth: Option<&Lenth>,
        named: impl Fn(&[usize]) -> Vec<String>,
        confidence: f64,
    ) -> Effect {
        // Of k factors the ratio of ratios is 2^(k−1) times the effect on logarithms: half of two differences each.
        let fold = f64::from(1 << (effect.factors.len() - 1));
        let judged = effect.standard_error.zip(self.residual).map(|(error, (_, degrees_of_freedom))| {
            Contrast { value: effect.value, standard_error: error * self.inflation, degrees_of_freedom }
                .interval(confidence, 0.0)
        });
        Effect {
            factors: named(&effect.factors),
            effect: effect.value,
            ratio: (fold * effect.value).exp(),
            low: judged.map(|interval| (fold * interval.low).exp()),
            high: judged.map(|interval| (fold * interval.high).exp()),
            p_value: judged.map(|interval| interval.p_value),
            lenth: lenth.map(|lenth| match effect.value.abs() {
                size if size > lenth.sme => Standing::BeyondSimultaneous,
                size if size > lenth.me => Standing::BeyondMargin,
                _ => Standing::Within,
            }),
            aliases: effect.aliases.iter().map(|alias| named(alias)).collect(),
        }
    }
}

/// The positions of the factors, checked.
fn positions(selected: &Selected, cells: &Cells, asked: &Factors) -> Result<Vec<usize>> {
    for wanted in &asked.factors {
        selected.runs.known_factor(wanted)?;
    }
    let varying: Vec<usize> = (0..cells.factors.len()).filter(|&at| cells.factors[at].known().count() > 1).collect();
    let telling = cells.telling(&varying, &cells.rows());
    let wanted = |at: &usize| asked.factors.is_empty() || asked.factors.contains(&cells.factors[*at].name);
    let positions: Vec<usize> = telling.iter().copied().filter(wanted).collect();
    if let Some(missing) =
        asked.factors.iter().find(|name| positions.iter().all(|&at| cells.factors[at].name != **name))
    {
        return Err(Error::input(
            format!("{missing} does not vary by itself in these runs"),
            format!("use {}", one_of(telling.iter().map(|&at| &cells.factors[at].name))),
        ));
    }
    for &at in &telling {
        let factor = &cells.factors[at];
        let levels: Vec<&Level> = factor.known().collect();
        if levels.len() > 2 || factor.levels.len() > levels.len() {
            let example: Vec<String> =
                levels.iter().take(2).map(|level| format!("--where {}={level}", factor.name)).collect();
            return Err(Error::input(
                format!("{} has the levels {}, and a two-level design has two", factor.name, one_of(&factor.levels)),
                format!("choose two of them, such as {}", example.join(" ")),
            ));
        }
        if !positions.contains(&at) {
            return Err(Error::input(
                format!("{} varies as well", factor.name),
                format!("name it too, hold it with --where, or leave it out with --ignore {}", factor.name),
            ));
        }
    }
    if positions.is_empty() {
        return Err(Error::input("no factor has two levels", "give runs with two levels of a factor"));
    }
    if positions.len() > MOST_FACTORS {
        return Err(Error::input(
            format!("{} factors are too many", positions.len()),
            format!("hold some of them with --where; {MOST_FACTORS} have {} effects", (1 << MOST_FACTORS) - 1),
        ));
    }
    Ok(positions)
}

/// The blocks that hold every cell, if there are two or more of them; what is left out for them is a warning.
fn complete_blocks(units: &[Units], warnings: &mut Vec<Warning>) -> BTreeSet<usize> {
    if units.iter().any(|units| units.repeated_block) {
        warnings.push(Warning::RepeatedBlock);
    }
    if units.iter().all(|units| units.blocks.iter().all(Option::is_none)) {
        return BTreeSet::new();
    }
    let complete = common_blocks(units);
    if complete.len() < 2 {
        warnings.push(Warning::UnusedBlocks);
        return BTreeSet::new();
    }
    let left_out = units.iter().map(|units| units.logs.len() - complete.len()).sum();
    if left_out > 0 {
        warnings.push(Warning::IncompleteBlocks { runs: left_out });
    }
    complete
}

/// Takes the difference of each block's mean from the mean of all out of the observations.
fn without_blocks(logs: &mut [f64], blocks: &[Option<usize>]) {
    let grand = mean(logs);
    let of = |block: &Option<usize>, logs: &[f64]| {
        let own: Vec<f64> = blocks.iter().zip(logs).filter(|(other, _)| *other == block).map(|(_, log)| *log).collect();
        mean(&own)
    };
    let shifts: Vec<f64> = blocks.iter().map(|block| of(block, logs) - grand).collect();
    logs.iter_mut().zip(shifts).for_each(|(log, shift)| *log -= shift);
}

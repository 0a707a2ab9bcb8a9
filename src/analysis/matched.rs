//! The levels of a factor in selected runs: their cells matched with each other, the observations of each cell, and the spread
//! that a comparison of some of them may rest on.

use super::equivalence::{Equivalence, equivalence};
use super::estimate::Precision;
use super::matching::{Matching, Pair};
use super::outcome::{How, Outcome, estimate};
use super::pooling::Pools;
use super::scope::{Scope, Selected};
use super::units::Units;
use crate::error::{Error, Result, one_of};
use crate::model::cells::Cells;
use crate::model::runs::find_level;
use crate::model::{Level, Runs, Settings, Warning};

/// Matched cells.
pub(super) struct Matched<'a> {
    pub cells: Cells,
    /// The position of the factor.
    pub factor: usize,
    pub baseline: Level,
    pub contenders: Vec<Level>,
    pub pairs: Vec<Pair>,
    /// The observations of each cell.
    pub units: Vec<Units>,
    pub warnings: Vec<Warning>,
    pools: Option<Pools<'a>>,
}

/// The factor, the level that is 1, and the one compared with it; by default the first, and every other.
pub(super) struct Levels<'a> {
    pub factor: &'a str,
    pub baseline: Option<&'a str>,
    pub contender: Option<&'a str>,
}

impl<'a> Matched<'a> {
    /// # Errors
    /// A factor or level that the runs do not have, a factor with one level, or no two cells that match.
    pub fn of(selected: &'a Selected, scope: &Scope, wanted: &Levels) -> Result<Self> {
        let runs = &selected.runs;
        let name = wanted.factor;
        runs.known_factor(name)?;
        if scope.ignore.iter().any(|ignored| ignored == name) {
            return Err(Error::input(format!("{name:?} is compared and ignored at once"), "ignore another factor"));
        }
        let (baseline, contenders) = levels(runs, wanted)?;
        let cells = Cells::comparing(runs, &scope.ignore, name);
        let factor = cells.factor(name).ok_or_else(|| {
            Error::input(format!("{name:?} says where a run stands in the design"), "compare a factor")
        })?;
        let mut warnings = selected.warnings.clone();
        warnings.extend(cells.every_run_apart());
        let matching = Matching { cells: &cells, factor, baseline: &baseline, contenders: &contenders };
        let pairs = matching.pairs(&mut warnings)?;
        let units: Vec<Units> =
            cells.cells.iter().map(|cell| selected.observations.units(cell)).collect::<Result<_>>()?;
        if pairs.is_empty() {
            return Err(matching.no_match());
        }
        warnings.extend(matching.not_stated(&pairs));
        warnings.extend(matching.unmatched(&pairs));
        warnings.extend(ignored_that_vary(runs, &cells, &scope.ignore, &pairs));
        let pools = Pools::of(selected, scope, Some(name), &units);
        Ok(Self { cells, factor, baseline, contenders, pairs, units, warnings, pools })
    }

    /// The estimate of a product of powers of cells.
    pub fn estimate(&self, sides: &[(f64, usize)], precision: &Precision) -> Outcome {
        self.estimate_against(1.0, sides, precision)
    }

    /// The same, with the p-value of another ratio than 1.
    pub fn estimate_against(&self, null: f64, sides: &[(f64, usize)], precision: &Precision) -> Outcome {
        let (how, reason) = self.how(sides, precision);
        let mut outcome = estimate(&self.sides(sides), &How { null, ..how });
        outcome.estimate.note_pool(reason);
        outcome
    }

    /// Whether two cells are equivalent.
    pub fn equivalence(&self, sides: &[(f64, usize)], precision: &Precision, margin: f64) -> Equivalence {
        equivalence(&self.sides(sides), &self.how(sides, precision).0, margin)
    }

    fn sides(&self, sides: &[(f64, usize)]) -> Vec<(f64, &Units)> {
        sides.iter().map(|&(weight, cell)| (weight, &self.units[cell])).collect()
    }

    fn how<'b>(&self, sides: &[(f64, usize)], precision: &'b Precision) -> (How<'b>, Option<Warning>) {
        let compared: Vec<usize> = sides.iter().map(|(_, cell)| *cell).collect();
        let (pool, reason) = self.pools.as_ref().map_or((None, None), |pools| pools.spread(&self.cells, &compared));
        (How::new(precision, pool), reason)
    }

    /// The level that a pair has of a factor.
    pub fn level(&self, pair: &Pair, factor: usize) -> &Level {
        &self.cells.factors[factor].levels[pair.levels[factor]]
    }

    /// The index of a pair's study, if there are studies.
    pub fn study(&self, pair: &Pair) -> Option<usize> {
        self.cells.factor("study").map(|study| pair.levels[study])
    }

    /// The levels that a pair has of some factors.
    pub fn settings(&self, pair: &Pair, factors: &[usize]) -> Settings {
        factors
            .iter()
            .map(|&factor| (self.cells.factors[factor].name.clone(), self.level(pair, factor).clone()))
            .collect()
    }

    /// The names of factors by position.
    pub fn names(&self, factors: &[usize]) -> Vec<String> {
        factors.iter().map(|&factor| self.cells.factors[factor].name.clone()).collect()
    }

    /// What all pairs share, and which factors but those in `but` tell them apart.
    pub fn describe(&self, but: &[usize]) -> (Settings, Vec<usize>) {
        let Self { cells, pairs, .. } = self;
        let mut conditions = Vec::new();
        let mut factors = Vec::new();
        for other in (0..cells.factors.len()).filter(|other| !but.contains(other)) {
            let Some(first) = pairs.first().map(|pair| pair.levels[other]) else { continue };
            let level = &cells.factors[other].levels[first];
            if pairs.iter().any(|pair| pair.levels[other] != first) {
                factors.push(other);
            } else if !level.is_unknown()
                && pairs.iter().all(|pair| {
                    [pair.baseline, pair.contender].iter().all(|&cell| cells.cells[cell].levels[other] == first)
                })
            {
                conditions.push((cells.factors[other].name.clone(), level.clone()));
            }
        }
        let rows: Vec<&[usize]> = pairs.iter().map(|pair| pair.levels.as_slice()).collect();
        let factors = cells.telling(&factors, &rows);
        (conditions.into_iter().collect(), factors)
    }
}

/// The level that is 1 and those compared with it.
fn levels(runs: &Runs, wanted: &Levels) -> Result<(Level, Vec<Level>)> {
    let factor = runs.known_factor(wanted.factor)?;
    let known: Vec<Level> = factor.known().cloned().collect();
    let find = |wanted: &str| Ok::<_, Error>(factor.levels[find_level(&factor, wanted)?].clone());
    let contender = wanted.contender.map(find).transpose()?;
    let baseline = match wanted.baseline.map(find).transpose()? {
        Some(level) => level,
        None => known.iter().find(|level| Some(*level) != contender.as_ref()).cloned().unwrap_or(Level::Unknown),
    };
    let contenders: Vec<Level> = match contender {
        Some(level) => vec![level],
        None => known.iter().filter(|level| **level != baseline).cloned().collect(),
    };
    if contenders.contains(&baseline) {
        return Err(Error::input(
            format!("{}={baseline} is compared with itself", wanted.factor),
            format!("compare two different levels of {}", one_of(known)),
        ));
    }
    if baseline.is_unknown() || contenders.is_empty() {
        return Err(Error::input(
            format!("{} has only the level {} to compare", wanted.factor, one_of(known)),
            "add runs with another level, or choose another factor",
        ));
    }
    Ok((baseline, contenders))
}

/// Ignored factors that differ inside a compared cell.
fn ignored_that_vary(runs: &Runs, cells: &Cells, ignore: &[String], pairs: &[Pair]) -> Vec<Warning> {
    let varies = |name: &&String| {
        let codes = runs.factor(name).codes;
        pairs.iter().any(|pair| {
            let rows = cells.cells[pair.baseline].rows.iter().chain(&cells.cells[pair.contender].rows);
            let mut seen = rows.map(|&row| codes[row]);
            let first = seen.next();
            seen.any(|code| Some(code) != first)
        })
    };
    ignore.iter().filter(varies).map(|name| Warning::IgnoredVaries { factor: name.clone() }).collect()
}

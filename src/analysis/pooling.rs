//! The spread of a run, from all that a study repeated: cells with several runs, and declared controls.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::control::Inert;
use super::estimate::Method;
use super::scope::{Scope, Selected};
use super::study;
use super::units::{Observations, Units, share_starts};
use crate::error::Result;
use crate::model::cells::{Cell, Cells};
use crate::model::{Level, Runs, Warning};
use crate::stats::contrast::{self, Spread};
use crate::stats::moments::Moments;

/// A control, and the study that it belongs to; none for all.
type Declared = (Option<Level>, Inert);

/// The controls that the user names, and with the method `log-pooled` those of the documented studies.
///
/// # Errors
/// A control that names a factor or level which the runs do not have.
pub(super) fn declared(runs: &Runs, scope: &Scope) -> Result<Vec<Declared>> {
    let mut controls = Vec::new();
    for control in &scope.controls {
        controls.push((None, control.resolve(runs)?));
    }
    // A control that nobody named is used where a pooled interval is asked for, not behind the user's back.
    let documented = if scope.precision.method == Method::LogPooled { runs.studies() } else { Vec::new() };
    for name in documented {
        let Some(dataset) = study::documented_as(&name, runs)? else { continue };
        for control in dataset.negative_controls {
            let inert = Inert { factor: control.factor, conditions: control.conditions.into_iter().collect() };
            controls.push((Some(Level::from(name.as_str())), inert));
        }
    }
    Ok(controls)
}

/// What the studies of some runs say of the spread of a run.
pub(crate) struct Pools<'a> {
    controls: &'a [Declared],
    cells: Cells,
    /// The observations of each cell; none where a value has no logarithm.
    units: Vec<Units>,
    /// What was computed, by study and usable controls: comparisons of many cells ask for few different pools.
    known: RefCell<HashMap<(Level, Vec<usize>), Known>>,
}

/// A pooled spread, or the reason why there is none.
type Known = (Option<Spread>, Option<Warning>);

impl<'a> Pools<'a> {
    /// Of all runs that the selected ones are a part of: conditions narrow the answer, not what is known of the noise. `None`
    /// where the method does not pool, or every cell has its own spread.
    pub fn of(selected: &'a Selected, scope: &Scope, compared: Option<&str>, units: &[Units]) -> Option<Self> {
        let needed = match scope.precision.method {
            Method::LogPooled => true,
            Method::Auto => units.iter().any(|units| units.count() < 2),
            _ => false,
        };
        let (runs, _) = selected.all.measured(selected.metric.name).ok().filter(|_| needed)?;
        let cells = match compared {
            Some(factor) => Cells::comparing(&runs, &scope.ignore, factor),
            None => Cells::of(&runs, &scope.ignore),
        };
        let observations = Observations::of(&runs, selected.metric.name);
        let units = cells.cells.iter().map(|cell| observations.units(cell).unwrap_or_default()).collect();
        Some(Self { controls: &selected.controls, cells, units, known: RefCell::default() })
    }

    /// The spread that a comparison of some cells of one study may rest on, and what to know of it. A control that makes two of
    /// the cells one treatment is left out: the comparison asks whether that is so.
    pub fn spread(&self, cells: &Cells, compared: &[usize]) -> Known {
        let study = match (cells.factor("study"), compared.first()) {
            (Some(study), Some(&cell)) => cells.level(&cells.cells[cell], study).clone(),
            _ => Level::Unknown,
        };
        let pairs = || compared.iter().flat_map(|a| compared.iter().map(move |b| (*a, *b))).filter(|(a, b)| a < b);
        let own = |&index: &usize| self.controls[index].0.as_ref().is_none_or(|of| *of == study);
        let asked = |&index: &usize| pairs().any(|(a, b)| self.controls[index].1.equates(cells, a, b));
        let (asked, usable): (Vec<usize>, Vec<usize>) = (0..self.controls.len()).filter(own).partition(asked);
        let key = (study, usable);
        let (spread, reason) = match self.known.borrow().get(&key) {
            Some(known) => known.clone(),
            None => self.pooled(&key.0, &key.1),
        };
        self.known.borrow_mut().insert(key, (spread, reason.clone()));
        let under_test =
            asked.first().map(|&index| Warning::ControlUnderTest { factor: self.controls[index].1.factor.clone() });
        (spread, under_test.or(reason))
    }

    /// The pooled variance of the logs of a study, each cell around its own mean; cells that a control equates are one.
    fn pooled(&self, study: &Level, controls: &[usize]) -> Known {
        let Self { cells, units, .. } = self;
        let position = cells.factor("study");
        let of_study = |cell: &Cell| position.map_or(&Level::Unknown, |position| cells.level(cell, position)) == study;
        let own = || cells.cells.iter().zip(units).filter(|(cell, _)| of_study(cell));
        if share_starts(own().map(|(_, units)| units)) {
            return (None, Some(Warning::SharedStarts));
        }
        let mut groups: BTreeMap<Vec<usize>, Moments> = BTreeMap::new();
        let mut blocks: BTreeSet<usize> = BTreeSet::new();
        let mut shared = false;
        for (cell, units) in own() {
            let mut key = cell.levels.clone();
            let holding = controls.iter().map(|&index| &self.controls[index].1);
            for control in holding.filter(|control| control.holds(cells, &cell.levels)) {
                if let Some(factor) = cells.factor(&control.factor) {
                    key[factor] = 0;
                }
            }
            let group = groups.entry(key).or_default();
            *group = group.merge(units.of_logs());
            for block in units.blocks.iter().flatten() {
                shared |= !blocks.insert(*block);
            }
        }
        let spread = contrast::pooled_spread(groups.into_values());
        // What a round adds to all its runs is one observation, in however many cells it stands.
        let most = if shared { blocks.len() as f64 - 1.0 } else { f64::INFINITY };
        let limited = |spread: Spread| Spread { degrees_of_freedom: spread.degrees_of_freedom.min(most), ..spread };
        (spread.map(limited).filter(|spread| spread.degrees_of_freedom >= 1.0), None)
    }
}

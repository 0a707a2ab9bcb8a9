//! The spread of a run, from all that a study repeated: cells with several runs, and declared controls.

use std::collections::BTreeMap;

use super::control::Inert;
use super::estimate::Method;
use super::scope::{Scope, Selected};
use super::study;
use super::units::{Observations, Units};
use crate::error::Result;
use crate::model::cells::Cells;
use crate::model::{Level, Runs};
use crate::stats::contrast::{self, Spread};

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
    logs: Vec<Vec<f64>>,
}

impl<'a> Pools<'a> {
    /// Of all runs that the selected ones are a part of: conditions narrow the answer, not what is known of the noise. `None`
    /// where the method does not pool, or every cell has its own spread.
    pub fn of(selected: &'a Selected, scope: &Scope, compared: Option<&str>, units: &[Units]) -> Option<Self> {
        let needed = match scope.precision.method {
            Method::LogPooled => true,
            Method::Auto => units.iter().any(|units| units.logs.len() < 2),
            _ => false,
        };
        let (runs, _) = selected.all.measured(selected.metric.name).ok().filter(|_| needed)?;
        let cells = match compared {
            Some(factor) => Cells::comparing(&runs, &scope.ignore, factor),
            None => Cells::of(&runs, &scope.ignore),
        };
        let observations = Observations::of(&runs, selected.metric.name);
        let logs =
            cells.cells.iter().map(|cell| observations.units(cell).map_or_else(|_| Vec::new(), |units| units.logs));
        Some(Self { controls: &selected.controls, logs: logs.collect(), cells })
    }

    /// The spread that a comparison of some cells of one study may rest on, and the inert factor of a control that it may not
    /// rest on: if the control makes two of the cells one treatment, the comparison asks whether that is so.
    pub fn spread(&self, cells: &Cells, compared: &[usize]) -> (Option<Spread>, Option<String>) {
        let study = match (cells.factor("study"), compared.first()) {
            (Some(study), Some(&cell)) => cells.level(&cells.cells[cell], study).clone(),
            _ => Level::Unknown,
        };
        let pairs = || compared.iter().flat_map(|a| compared.iter().map(move |b| (*a, *b))).filter(|(a, b)| a < b);
        let under_test = |control: &Inert| pairs().any(|(a, b)| control.equates(cells, a, b));
        let own = self.controls.iter().filter(|(of, _)| of.as_ref().is_none_or(|of| *of == study));
        let (asked, usable): (Vec<&Inert>, Vec<&Inert>) =
            own.map(|(_, control)| control).partition(|control| under_test(control));
        (self.pooled(&study, &usable), asked.first().map(|control| control.factor.clone()))
    }

    /// The pooled variance of the logs of a study, each cell around its own mean; cells that a control equates are one.
    fn pooled(&self, study: &Level, controls: &[&Inert]) -> Option<Spread> {
        let Self { cells, logs, .. } = self;
        let position = cells.factor("study");
        let mut groups: BTreeMap<Vec<usize>, Vec<f64>> = BTreeMap::new();
        for (cell, logs) in cells.cells.iter().zip(logs) {
            if position.map_or(&Level::Unknown, |position| cells.level(cell, position)) != study {
                continue;
            }
            let mut key = cell.levels.clone();
            for control in controls.iter().filter(|control| control.holds(cells, &cell.levels)) {
                if let Some(factor) = cells.factor(&control.factor) {
                    key[factor] = 0;
                }
            }
            groups.entry(key).or_default().extend(logs);
        }
        contrast::pooled_spread(&groups.values().map(Vec::as_slice).collect::<Vec<_>>())
    }
}

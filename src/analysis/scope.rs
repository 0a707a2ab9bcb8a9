//! Which runs a question is asked of, in which metric, and how sure the answer is to be: what all questions share.

use serde::Serialize;

use super::control::{Control, Inert};
use super::estimate::Precision;
use super::pooling;
use super::units::Observations;
use crate::error::{Error, Result};
use crate::model::schema::{self, Column};
use crate::model::{Level, Runs, Warning};

/// What all questions share.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Scope {
    /// The metric; by default `rps`, or the first there is.
    pub metric: Option<String>,
    /// Conditions on the runs, factor and level; several levels of one factor are alternatives.
    #[serde(rename = "where")]
    pub conditions: Vec<(String, String)>,
    /// Factors left out of the matching: runs that differ only in these are replicates.
    pub ignore: Vec<String>,
    /// Factors that cannot act under a condition, so that their levels show the spread of a run there. The method
    /// `log-pooled` knows those of the documented studies.
    pub controls: Vec<Control>,
    /// How intervals are computed.
    pub precision: Precision,
}

/// The runs of a scope, with what every answer needs of them.
pub(crate) struct Selected {
    /// The runs that meet the conditions and hold the metric.
    pub runs: Runs,
    /// All that they are a part of.
    pub all: Runs,
    pub metric: &'static Column,
    /// What was noticed of the runs.
    pub warnings: Vec<Warning>,
    pub observations: Observations,
    /// Each with the study that it belongs to; none for all.
    pub controls: Vec<(Option<Level>, Inert)>,
}

impl Scope {
    /// # Errors
    /// A factor, level or metric that the runs do not have; a confidence, spread or number of resamples out of range.
    pub(crate) fn select(&self, runs: &Runs) -> Result<Selected> {
        self.select_from(&self.filter(runs)?, runs)
    }

    /// For questions that have a method of their own.
    ///
    /// # Errors
    /// A method, a spread or a control that would be left out of account.
    pub(super) fn without_method(&self, question: &str) -> Result<()> {
        let own = Precision { confidence: self.precision.confidence, ..Precision::default() };
        if self.precision == own && self.controls.is_empty() {
            return Ok(());
        }
        Err(Error::input(
            format!("{question} has a method of its own"),
            "leave out the method, the assumed spread, the controls, and what belongs to a bootstrap",
        ))
    }

    /// The runs that meet the conditions.
    pub(crate) fn filter(&self, runs: &Runs) -> Result<Runs> {
        self.precision.check()?;
        let chosen = if self.conditions.is_empty() { runs.clone() } else { runs.filter(&self.conditions)? };
        for ignored in &self.ignore {
            chosen.known_factor(ignored)?;
        }
        Ok(chosen)
    }

    /// Of runs that were filtered before, and of all that there were.
    pub(super) fn select_from(&self, chosen: &Runs, all: &Runs) -> Result<Selected> {
        if self.precision.method.needs_every_run() {
            chosen.singly()?;
        }
        let metric = schema::metric_named(self.metric.as_deref().unwrap_or_else(|| chosen.main_metric()))?;
        let (runs, missing) = chosen.measured(metric.name)?;
        let mut warnings = runs.warnings().to_vec();
        warnings.extend(missing);
        warnings.extend(runs.repeated_replicates());
        let observations = Observations::of(&runs, metric.name);
        let controls = pooling::declared(all, self)?;
        Ok(Selected { runs, all: all.clone(), metric, warnings, observations, controls })
    }
}

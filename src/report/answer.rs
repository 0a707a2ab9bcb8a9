//! What every answer to a question can do, whichever surface shows it.

use super::json;
use super::tables::Tabular;
use crate::analysis::Estimate;
use crate::analysis::check::Check;
use crate::analysis::claims::Audit;
use crate::analysis::comparison::Comparison;
use crate::analysis::effects::Effects;
use crate::analysis::interaction::Interaction;
use crate::analysis::planning::Plan;
use crate::analysis::quality::Quality;
use crate::error::Result;
use crate::model::Warning;

/// An answer to a question: a table for people, JSON for machines, and what to know beside it.
pub trait Answer: Tabular + Send + Sync {
    /// `{"schema": "kaeanalysis.NAME", "version": 1, …}`
    ///
    /// # Errors
    /// Never for a result of this crate.
    fn to_json(&self) -> Result<String>;

    /// Every warning, once.
    fn warnings(&self) -> Vec<Warning>;
}

impl Answer for Comparison {
    fn to_json(&self) -> Result<String> {
        json::to_json("comparison", self)
    }

    fn warnings(&self) -> Vec<Warning> {
        let strata = self.strata.iter().map(|stratum| &stratum.ratio);
        once(strata.chain(self.overall.iter().map(|overall| &overall.ratio)), &self.warnings)
    }
}

impl Answer for Interaction {
    fn to_json(&self) -> Result<String> {
        json::to_json("interaction", self)
    }

    fn warnings(&self) -> Vec<Warning> {
        let strata = self.strata.iter().map(|stratum| &stratum.interaction);
        once(strata.chain(self.overall.iter().map(|overall| &overall.interaction)), &self.warnings)
    }
}

impl Answer for Effects {
    fn to_json(&self) -> Result<String> {
        json::to_json("effects", self)
    }

    fn warnings(&self) -> Vec<Warning> {
        self.warnings.clone()
    }
}

impl Answer for Audit {
    fn to_json(&self) -> Result<String> {
        json::to_json("audit", self)
    }

    fn warnings(&self) -> Vec<Warning> {
        let strata = self.claims.iter().flat_map(|judged| &judged.strata).map(|stratum| &stratum.ratio);
        let of_claims: Vec<Warning> = self.claims.iter().flat_map(|judged| judged.warnings.clone()).collect();
        once(strata, &of_claims)
    }
}

impl Answer for Check {
    fn to_json(&self) -> Result<String> {
        json::to_json("check", self)
    }

    fn warnings(&self) -> Vec<Warning> {
        once(self.cells.iter().filter_map(|cell| cell.ratio.as_ref()), &self.warnings)
    }
}

impl Answer for Plan {
    fn to_json(&self) -> Result<String> {
        json::to_json("plan", self)
    }

    fn warnings(&self) -> Vec<Warning> {
        self.warnings.clone()
    }
}

impl Answer for Quality {
    fn to_json(&self) -> Result<String> {
        json::to_json("quality", self)
    }

    fn warnings(&self) -> Vec<Warning> {
        self.findings().chain(&self.warnings).cloned().collect()
    }
}

/// The warnings of rows and of the whole, once each.
fn once<'a>(rows: impl Iterator<Item = &'a Estimate>, of_whole: &[Warning]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for warning in rows.flat_map(|row| &row.warnings).chain(of_whole) {
        Warning::add(&mut warnings, warning.clone());
    }
    warnings
}

//! What every answer to a question can do, whichever surface shows it.

use super::json;
use super::tables::Tabular;
use crate::analysis::comparison::Comparison;
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
        self.all_warnings()
    }
}

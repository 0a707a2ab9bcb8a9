//! A published sentence as data, so that it can be held against the runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Level;
use super::datasets::Localised;

/// What a sentence states of two levels of a factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statement {
    /// The contender has this many percent of the baseline ("226 %").
    Ratio,
    /// The contender has this many percent more ("+40 %").
    Gain,
    /// The two do not differ.
    Equivalence,
}

/// A sentence from a publication.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Unique within its study.
    pub id: String,
    /// The sentence in the source's sense.
    pub text: Localised,
    /// The metric it speaks of.
    pub metric: String,
    /// What it states.
    pub statement: Statement,
    /// The factor whose levels it compares.
    pub factor: String,
    /// The level it starts from.
    pub baseline: Level,
    /// The level it speaks of.
    pub contender: Level,
    /// The conditions it is limited to.
    #[serde(default, rename = "where")]
    pub conditions: BTreeMap<String, Level>,
    /// The stated value in percent; absent for an equivalence.
    #[serde(default)]
    pub percent: Option<f64>,
    /// The step to which the value is stated, in percent points: 1 for "226 %" and for "about 94 %", which stands for all that
    /// rounds or is cut off to it.
    #[serde(default)]
    pub precision: Option<f64>,
}

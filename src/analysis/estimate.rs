//! An estimate, its interval, on what basis the interval stands, and how it is asked for.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, one_of};
use crate::model::Warning;
use crate::stats::contrast::Contrast;

/// Where the knowledge of the spread comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Repeated runs in every cell.
    Replicates,
    /// Complete blocks, compared within each.
    Blocks,
    /// A stated coefficient of variation.
    Assumed,
    /// Nothing: single runs. There is no interval.
    None,
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Replicates => "replicates",
            Self::Blocks => "blocks",
            Self::Assumed => "assumed",
            Self::None => "none",
        })
    }
}

/// How an interval is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Method {
    /// Within blocks if every run names one and two or more are complete; otherwise from replicates, and where a setting
    /// was run once from the stated coefficient of variation; otherwise no interval.
    #[default]
    Auto,
    /// Welch's t on logarithms.
    LogWelch,
    /// Paired t on logarithms, by block.
    LogPaired,
    /// Normal on logarithms with the stated coefficient of variation.
    LogAssumed,
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let all = [Self::Auto, Self::LogWelch, Self::LogPaired, Self::LogAssumed];
        all.into_iter()
            .find(|method| method.to_string() == text)
            .ok_or_else(|| Error::input(format!("{text:?} is not a method"), format!("use {}", one_of(all))))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::LogWelch => "log-welch",
            Self::LogPaired => "log-paired",
            Self::LogAssumed => "log-assumed",
        })
    }
}

/// How intervals are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Precision {
    /// Confidence between 0 and 1.
    pub confidence: f64,
    /// The method.
    pub method: Method,
    /// The coefficient of variation of one run (0.02 for 2 %), for cells whose spread was not measured.
    pub assume_cv: Option<f64>,
}

impl Default for Precision {
    fn default() -> Self {
        Self { confidence: 0.95, method: Method::Auto, assume_cv: None }
    }
}

impl Precision {
    /// # Errors
    /// A confidence or a coefficient of variation out of range, or a method that lacks what it needs.
    pub(crate) fn check(&self) -> Result<()> {
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(Error::input(
                format!("a confidence of {} is none", self.confidence),
                "give it between 0 and 1 (0.95), or in percent on the command line (95%)",
            ));
        }
        if let Some(cv) = self.assume_cv.filter(|cv| !(*cv > 0.0 && *cv < 1.0)) {
            return Err(Error::input(
                format!("a coefficient of variation of {cv} is not usable"),
                "give it between 0 and 1 (0.02), or in percent on the command line (2%)",
            ));
        }
        if self.method == Method::LogAssumed && self.assume_cv.is_none() {
            return Err(Error::input(
                "the method log-assumed needs a spread",
                "state the coefficient of variation, for example --assume-cv 2%",
            ));
        }
        Ok(())
    }
}

/// A ratio (or, of one cell, a mean) with its interval. `low` and `high` are absent where nothing is known of the
/// spread.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The point estimate.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Confidence of the interval.
    pub confidence: f64,
    /// What the interval rests on.
    pub basis: Basis,
    /// How it was computed; absent without an interval.
    pub method: Option<Method>,
    /// Independent observations of the baseline (runs, or server starts where these are given).
    pub n_baseline: usize,
    /// Independent observations of the contender.
    pub n_contender: usize,
    /// Two-sided p-value of the ratio being 1.
    pub p_value: Option<f64>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

impl Estimate {
    /// Both ends, if there is an interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }

    /// The gain in percent: ratio − 1.
    pub fn gain_percent(&self) -> f64 {
        gain_percent(self.estimate)
    }
}

/// Ratio − 1 in percent.
pub fn gain_percent(ratio: f64) -> f64 {
    (ratio - 1.0) * 100.0
}

/// Interval ends beyond this say nothing, and cannot be drawn.
const WRITABLE: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

impl Estimate {
    /// With the interval of a contrast of logarithms, if there is one that can be written.
    pub(super) fn with_interval(mut self, contrast: Option<Contrast>, basis: Basis, method: Method) -> Self {
        let Some(contrast) = contrast else { return self };
        let (low, high) = contrast.interval(self.confidence);
        let (low, high) = (low.exp(), high.exp());
        if WRITABLE.contains(&low) && WRITABLE.contains(&high) {
            (self.low, self.high) = (Some(low), Some(high));
            self.p_value = Some(contrast.p_value());
            (self.basis, self.method) = (basis, Some(method));
        } else {
            self.warnings.push(Warning::UnboundedInterval);
        }
        self
    }

    /// Whether it compares one run with one run.
    pub fn is_single(&self) -> bool {
        self.basis == Basis::None && self.n_baseline <= 1 && self.n_contender <= 1
    }
}

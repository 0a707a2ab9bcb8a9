//! An estimate, its interval, on what basis the interval stands, and how it is asked for.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::model::Warning;
use crate::named::named;
use crate::stats::Interval;
use crate::stats::bootstrap::{Center, Kind};

/// Where the knowledge of the spread comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Repeated runs in every cell.
    Replicates,
    /// Complete blocks, compared within each.
    Blocks,
    /// The spread of all that the study repeated.
    Pooled,
    /// A stated coefficient of variation.
    Assumed,
    /// Nothing: single runs. There is no interval.
    None,
}

named!(Basis, "a basis", {
    Replicates => "replicates",
    Blocks => "blocks",
    Pooled => "pooled",
    Assumed => "assumed",
    None => "none",
});

/// How an interval is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Method {
    /// Within blocks if every run names one and two or more are complete; otherwise from replicates. Where a setting was run
    /// once: from the stated coefficient of variation, or from what else the study repeated; otherwise no interval.
    #[default]
    Auto,
    /// Welch's t on logarithms.
    LogWelch,
    /// Student's t on logarithms with the spread of all that the study repeated.
    LogPooled,
    /// Paired t on logarithms, by block.
    LogPaired,
    /// Normal on logarithms with the stated coefficient of variation.
    LogAssumed,
    /// Fieller's interval for the ratio of arithmetic means.
    Fieller,
    /// Bootstrap: quantiles.
    Percentile,
    /// Bootstrap: quantiles mirrored at the estimate.
    Basic,
    /// Bootstrap: quantiles corrected for bias and skewness.
    Bca,
    /// Bootstrap: quantiles in standard errors.
    Studentized,
    /// Median of all ratios of two runs, with the exact distribution of ranks.
    HodgesLehmann,
}

named!(Method, "a method", {
    Auto => "auto",
    LogWelch => "log-welch",
    LogPooled => "log-pooled",
    LogPaired => "log-paired",
    LogAssumed => "log-assumed",
    Fieller => "fieller",
    Percentile => "percentile",
    Basic => "basic",
    Bca => "bca",
    Studentized => "studentized",
    HodgesLehmann => "hodges-lehmann",
});

impl Method {
    /// Whether count, mean and spread of a setting are not enough for it.
    pub fn needs_every_run(self) -> bool {
        self.is_bootstrap() || self == Self::HodgesLehmann
    }

    /// Whether it rests on the t distribution of a contrast of logarithms.
    pub(crate) fn is_t(self) -> bool {
        matches!(self, Self::Auto | Self::LogWelch | Self::LogPooled | Self::LogPaired | Self::LogAssumed)
    }

    /// Whether it draws random numbers.
    pub fn is_bootstrap(self) -> bool {
        self.bootstrap().is_some()
    }

    /// Which bootstrap it is, if it is one.
    pub(crate) fn bootstrap(self) -> Option<Kind> {
        match self {
            Self::Percentile => Some(Kind::Percentile),
            Self::Basic => Some(Kind::Basic),
            Self::Bca => Some(Kind::Bca),
            Self::Studentized => Some(Kind::Studentized),
            _ => None,
        }
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
    /// What a bootstrap sums up a setting by; other methods have their own.
    pub center: Option<Center>,
    /// How many resamples a bootstrap draws.
    pub resamples: usize,
    /// The seed of a bootstrap: the same seed gives the same interval, on any number of threads.
    pub seed: u64,
}

impl Default for Precision {
    fn default() -> Self {
        Self { confidence: 0.95, method: Method::Auto, assume_cv: None, center: None, resamples: 9_999, seed: 1 }
    }
}

/// Fewer cannot show the tails of a 95 % interval; more need more memory than they are worth.
const RESAMPLES: std::ops::RangeInclusive<usize> = 100..=10_000_000;

impl Precision {
    /// The same, as sure as each of a family must be for all to hold together (Bonferroni).
    pub(super) fn among(&self, family: usize) -> Self {
        Self { confidence: 1.0 - (1.0 - self.confidence) / family as f64, ..*self }
    }

    /// What settings are summed up by.
    pub fn center(&self) -> Center {
        match self.method {
            Method::Fieller => Center::Mean,
            _ => self.center.unwrap_or_default(),
        }
    }

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
        if let Some(center) = self.center.filter(|_| self.method.bootstrap().is_none()) {
            return Err(Error::input(
                format!("the center {center} needs a bootstrap, and the method is {}", self.method),
                "choose the method bca, studentized, basic or percentile, or name no center",
            ));
        }
        if !RESAMPLES.contains(&self.resamples) {
            return Err(Error::input(
                format!("{} resamples are too few or too many", self.resamples),
                format!("use {} to {}; 9999 is usual", RESAMPLES.start(), RESAMPLES.end()),
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
    /// With an interval given on the logarithmic scale, if there is one that can be written.
    pub(super) fn with_interval(mut self, logs: Option<Interval>, basis: Basis, method: Method) -> Self {
        let Some(Interval { low, high, p_value }) = logs else { return self };
        let (low, high) = (low.exp(), high.exp());
        if WRITABLE.contains(&low) && WRITABLE.contains(&high) {
            (self.low, self.high) = (Some(low), Some(high));
            self.p_value = Some(p_value);
            (self.basis, self.method) = (basis, Some(method));
        } else {
            self.warnings.push(Warning::UnboundedInterval);
        }
        self
    }

    /// Notes what is to be known of the pooled spread; more to the point than that there is none.
    pub(super) fn note_pool(&mut self, reason: Option<Warning>) {
        let Some(reason) = reason else { return };
        self.warnings.retain(|warning| *warning != Warning::NothingToPool);
        Warning::add(&mut self.warnings, reason);
    }

    /// Whether it compares one run with one run.
    pub fn is_single(&self) -> bool {
        self.basis == Basis::None && self.n_baseline <= 1 && self.n_contender <= 1
    }
}

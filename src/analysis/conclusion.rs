//! What does a comparison come to? The facts that a sentence needs; the catalogue words it.

use serde::Serialize;

use super::comparison::{Comparison, Stratum};
use super::estimate::Estimate;
use crate::model::schema::Better;
use crate::model::{Level, Settings};
use crate::stats::contrast::mean;

/// What the intervals of a contender's strata say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Every stratum compares one run with one run.
    SingleRuns,
    /// No stratum has an interval, for several or other reasons.
    NoInterval,
    /// Every interval lies above 1.
    Above,
    /// Every interval lies below 1.
    Below,
    /// There is an interval in every stratum, and none excludes 1.
    NotShown,
    /// Some lie above 1 and some below: the effect turns around.
    Reversed,
    /// Anything else: some exclude 1, others don't or are missing.
    Mixed,
}

/// What a comparison comes to for one contender.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conclusion {
    /// The factor compared.
    pub factor: String,
    /// The level that is 1.
    pub baseline: Level,
    /// The level compared.
    pub contender: Level,
    /// The one setting it holds for: mode and accelerator act through each other, so the effect of one is concluded for
    /// each level of the other.
    pub within: Settings,
    /// The metric.
    pub metric: String,
    /// Its better direction.
    pub better: Better,
    /// How many strata.
    pub strata: usize,
    /// The smallest ratio.
    pub least: f64,
    /// The largest ratio.
    pub most: f64,
    /// The geometric mean of the ratios.
    pub typical: f64,
    /// What the intervals say.
    pub certainty: Certainty,
    /// Strata whose interval lies above 1.
    pub above: usize,
    /// Strata whose interval lies below 1.
    pub below: usize,
    /// Strata without an interval.
    pub without: usize,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// Strata whose interval rests on a stated spread.
    pub assumed: usize,
    /// The smallest and largest probability, over the strata, that one run of the contender beats one of the baseline; absent
    /// where a stratum has single runs.
    pub superiority: Option<(f64, f64)>,
}

/// Concludes for each contender, and for each level of the factor that acts together with the one compared.
pub fn conclude(comparison: &Comparison) -> Vec<Conclusion> {
    let partner = match comparison.factor.as_str() {
        "accelerator" => "tls_mode",
        "tls_mode" => "accelerator",
        _ => "",
    };
    let mut groups: Vec<(_, Vec<&Stratum>)> = Vec::new();
    for stratum in &comparison.strata {
        let key = (&stratum.contender, stratum.settings.get(partner));
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, strata)) => strata.push(stratum),
            None => groups.push((key, vec![stratum])),
        }
    }
    groups
        .into_iter()
        .map(|((contender, within), strata)| {
            of(
                comparison,
                contender,
                within.map(|level| (partner.to_owned(), level.clone())).into_iter().collect(),
                &strata,
            )
        })
        .collect()
}

fn of(comparison: &Comparison, contender: &Level, within: Settings, strata: &[&Stratum]) -> Conclusion {
    let ratios: Vec<&Estimate> = strata.iter().map(|stratum| &stratum.ratio).collect();
    let superiority: Option<Vec<f64>> = strata.iter().map(|stratum| stratum.superiority).collect();
    let points = || ratios.iter().map(|ratio| ratio.estimate);
    let above = ratios.iter().filter(|ratio| ratio.low.is_some_and(|low| low > 1.0)).count();
    let below = ratios.iter().filter(|ratio| ratio.high.is_some_and(|high| high < 1.0)).count();
    let with_interval = ratios.iter().filter(|ratio| ratio.interval().is_some()).count();
    let without = ratios.len() - with_interval;
    let certainty = if ratios.iter().all(|ratio| ratio.is_single()) {
        Certainty::SingleRuns
    } else if with_interval == 0 {
        Certainty::NoInterval
    } else if above == ratios.len() {
        Certainty::Above
    } else if below == ratios.len() {
        Certainty::Below
    } else if above > 0 && below > 0 {
        Certainty::Reversed
    } else if above + below == 0 && without == 0 {
        Certainty::NotShown
    } else {
        Certainty::Mixed
    };
    let logs: Vec<f64> = points().map(f64::ln).collect();
    Conclusion {
        factor: comparison.factor.clone(),
        baseline: comparison.baseline.clone(),
        contender: contender.clone(),
        within,
        metric: comparison.metric.clone(),
        better: comparison.better,
        strata: ratios.len(),
        least: points().fold(f64::INFINITY, f64::min),
        most: points().fold(0.0, f64::max),
        typical: mean(&logs).exp(),
        certainty,
        above,
        below,
        without,
        confidence: comparison.confidence,
        superiority: superiority
            .map(|shares| (shares.iter().copied().fold(1.0, f64::min), shares.iter().copied().fold(0.0, f64::max))),
        assumed: ratios.iter().filter(|ratio| ratio.basis == super::Basis::Assumed).count(),
    }
}

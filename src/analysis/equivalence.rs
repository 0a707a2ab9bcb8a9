//! Is there no difference that matters? Shown by two one-sided tests, not by a large p-value.

use serde::Serialize;

use super::estimate::Precision;
use super::outcome::{How, estimate};
use super::units::Units;
use crate::error::{Error, Result};
use crate::named::named;

/// What two one-sided tests (Schuirmann 1987) say of a ratio and a margin. The margin is the same either way on the log scale:
/// 3 % allows ratios from 1/1.03 to 1.03.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Equivalence {
    /// The margin, as a share: 0.03 for 3 %.
    pub margin: f64,
    /// Confidence of the interval that belongs to the two tests: 90 % where each is at 5 %.
    pub confidence: f64,
    /// Lower end of that interval.
    pub low: Option<f64>,
    /// Upper end of that interval.
    pub high: Option<f64>,
    /// The larger of the two p-values: that of the difference being as large as the margin, or larger.
    pub p_value: Option<f64>,
    /// The answer.
    pub verdict: Verdict,
}

/// Whether two levels are equivalent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The difference is smaller than the margin.
    Equivalent,
    /// The difference is larger than the margin.
    Different,
    /// Neither is shown.
    Inconclusive,
}

named!(Verdict, "a verdict", {
    Equivalent => "equivalent",
    Different => "different",
    Inconclusive => "inconclusive",
});

/// # Errors
/// A margin that is not between 0 and 1, or a confidence that leaves each of the two tests no level below one half.
pub(super) fn check_margin(margin: f64, confidence: f64) -> Result<()> {
    if confidence <= 0.5 {
        return Err(Error::input(
            format!("a confidence of {confidence} shows no equivalence"),
            "give more than 0.5; 0.95 is usual",
        ));
    }
    if margin > 0.0 && margin < 1.0 {
        return Ok(());
    }
    Err(Error::input(
        format!("a margin of {margin} is not usable"),
        "give it between 0 and 1 (0.03), or in percent on the command line (3%)",
    ))
}

/// Tests a ratio against a margin; each of the two tests has the level that the confidence leaves.
pub(super) fn equivalence(sides: &[(f64, &Units)], how: &How, margin: f64) -> Equivalence {
    let confidence = 2.0 * how.precision.confidence - 1.0;
    let bound = 1.0 + margin;
    let precision = Precision { confidence, ..*how.precision };
    // The one-sided p-value of the ratio lying on the far side of an end of the margin.
    let beyond = |end: f64| {
        let tested = estimate(sides, &How { precision: &precision, null: end, ..*how }).estimate;
        let inside = if end > 1.0 { tested.estimate < end } else { tested.estimate > end };
        let p_value = tested.p_value.map(|p| if inside { p / 2.0 } else { 1.0 - p / 2.0 });
        (tested.interval(), p_value)
    };
    let ((interval, above), (_, below)) = (beyond(bound), beyond(bound.recip()));
    let verdict = match interval {
        Some((low, high)) if low >= bound.recip() && high <= bound => Verdict::Equivalent,
        Some((low, high)) if low > bound || high < bound.recip() => Verdict::Different,
        _ => Verdict::Inconclusive,
    };
    Equivalence {
        margin,
        confidence,
        low: interval.map(|(low, _)| low),
        high: interval.map(|(_, high)| high),
        p_value: above.zip(below).map(|(above, below)| above.max(below)),
        verdict,
    }
}

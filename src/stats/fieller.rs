//! Fieller's interval for the ratio of two arithmetic means (Fieller 1954), for samples of unequal size and spread.

use super::Interval;
use super::moments::Moments;
use super::student_t;

/// What the data say of the ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fieller {
    /// An interval.
    Bounded(Interval),
    /// The baseline's mean cannot be told from zero at this confidence, so ratios of any size are possible.
    Unbounded,
}

/// The interval of mean(contender) / mean(baseline) at a confidence between 0 and 1; its p-value is that of the ratio being
/// `null`, the t test of mean(contender) − null · mean(baseline). Degrees of freedom are Satterthwaite's at the estimated ratio,
/// so that unequal spreads are respected.
///
/// `None` if a sample has fewer than two observations, if nothing varies, or if the baseline's mean is 0.
///
/// ```
/// use kaeanalysis::stats::{fieller::{Fieller, fieller}, moments::Moments};
///
/// let (baseline, contender) = (Moments::of(&[99.0, 100.0, 101.0]), Moments::of(&[199.0, 200.0, 201.0]));
/// let Some(Fieller::Bounded(ratio)) = fieller(baseline, contender, 0.95, 1.0) else { panic!() };
/// assert!(1.9 < ratio.low && ratio.low < 2.0 && 2.0 < ratio.high && ratio.high < 2.1);
/// ```
pub fn fieller(baseline: Moments, contender: Moments, confidence: f64, null: f64) -> Option<Fieller> {
    let part = |sample: Moments| {
        let n = sample.count as f64;
        Some((sample.mean, sample.variance()? / n, n - 1.0))
    };
    let ((a, va, dfa), (b, vb, dfb)) = (part(baseline)?, part(contender)?);
    let ratio = b / a;
    let scaled = ratio * ratio * va;
    let total = scaled + vb;
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
    let degrees_of_freedom = ((scaled / total).powi(2) / dfa + (vb / total).powi(2) / dfb).recip();
    let t = student_t::two_sided_quantile(confidence, degrees_of_freedom);
    // The ratios r for which |b − r·a| ≤ t·√(vb + r²·va): the roots of a quadratic in r.
    let leading = a * a - t * t * va;
    if leading <= 0.0 {
        return Some(Fieller::Unbounded);
    }
    let half = t * (va * b * b + vb * leading).sqrt();
    let statistic = (b - null * a).abs() / (vb + null * null * va).sqrt();
    Some(Fieller::Bounded(Interval {
        low: (a * b - half) / leading,
        high: (a * b + half) / leading,
        p_value: 2.0 * student_t::upper_tail(statistic, degrees_of_freedom),
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fieller(baseline: &[f64], contender: &[f64], confidence: f64, null: f64) -> Option<Fieller> {
        super::fieller(Moments::of(baseline), Moments::of(contender), confidence, null)
    }

    fn bounded(baseline: &[f64], contender: &[f64], confidence: f64) -> Interval {
        match fieller(baseline, contender, confidence, 1.0) {
            Some(Fieller::Bounded(interval)) => interval,
            other => panic!("{other:?}"),
        }
    }

    /// At an end of the interval the t statistic is the quantile: the definition itself.
    #[test]
    fn ends_are_where_the_test_turns() {
        let (a, b) = ([9.0, 10.0, 12.0], [22.0, 25.0, 21.0, 24.0]);
        let interval = bounded(&a, &b, 0.95);
        for end in [interval.low, interval.high] {
            let Some(Fieller::Bounded(at)) = fieller(&a, &b, 0.95, end) else { panic!() };
            assert!((at.p_value - 0.05).abs() < 1e-9, "{at:?}");
        }
    }

    #[test]
    fn a_baseline_near_zero_has_no_bounds() {
        assert_eq!(fieller(&[0.1, 9.0], &[5.0, 6.0], 0.95, 1.0), Some(Fieller::Unbounded));
    }

    #[test]
    fn nothing_from_nothing() {
        assert_eq!(fieller(&[1.0], &[1.0, 2.0], 0.95, 1.0), None);
        assert_eq!(fieller(&[1.0, 1.0], &[2.0, 2.0], 0.95, 1.0), None);
        assert_eq!(fieller(&[0.0, 0.0], &[0.0, 0.0], 0.95, 1.0), None);
    }

    proptest! {
        #[test]
        fn other_units_change_nothing(
            a in prop::collection::vec(90.0..110.0f64, 2..8),
            b in prop::collection::vec(190.0..220.0f64, 2..8),
            unit in 0.001..1000.0f64,
        ) {
            let scaled = |sample: &[f64]| sample.iter().map(|value| value * unit).collect::<Vec<_>>();
            if let (Some(Fieller::Bounded(one)), Some(Fieller::Bounded(other))) =
                (fieller(&a, &b, 0.9, 1.0), fieller(&scaled(&a), &scaled(&b), 0.9, 1.0))
            {
                prop_assert!((one.low / other.low - 1.0).abs() < 1e-9 && (one.high / other.high - 1.0).abs() < 1e-9);
            }
        }
    }
}

//! Student's t distribution for any positive degrees of freedom, infinity included (the normal distribution).
//!
//! `statrs` gives the distribution function to full accuracy, but its quantile loses digits in far tails and for many
//! degrees of freedom, where it also takes minutes. Here the quantile is the root of the distribution function, by
//! Newton's method held inside a shrinking bracket.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};

/// Beyond this the t distribution differs from the normal one by the first two terms of its expansion only.
const NEARLY_NORMAL: f64 = 1e6;

/// P(T > t).
///
/// ```
/// let upper = kaeanalysis::stats::student_t::upper_tail(2.0, 1.0);
/// assert!((upper - 0.147_583_617_650_433_3).abs() < 1e-14);
/// ```
pub fn upper_tail(t: f64, degrees_of_freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, degrees_of_freedom) {
        Ok(student) if degrees_of_freedom < NEARLY_NORMAL => student.cdf(-t),
        _ => {
            // The inverse of the expansion in `two_sided_quantile`, to the same order.
            let z = t - (t.powi(3) + t) / (4.0 * degrees_of_freedom);
            Normal::standard().cdf(-z)
        }
    }
}

/// The t with P(|T| ≤ t) = `confidence`: the factor of a two-sided interval.
///
/// ```
/// use kaeanalysis::stats::student_t::two_sided_quantile;
/// assert!((two_sided_quantile(0.95, 4.0) - 2.776_445_105_198_054).abs() < 1e-13);
/// assert!((two_sided_quantile(0.95, f64::INFINITY) - 1.959_963_984_540_054).abs() < 1e-13);
/// ```
pub fn two_sided_quantile(confidence: f64, degrees_of_freedom: f64) -> f64 {
    let tail = (1.0 - confidence) / 2.0;
    let z = -Normal::standard().inverse_cdf(tail);
    let student = match StudentsT::new(0.0, 1.0, degrees_of_freedom) {
        Ok(student) if degrees_of_freedom < NEARLY_NORMAL => student,
        // Abramowitz and Stegun 26.7.5, first term; the next is of the order 1/ν².
        _ => return z + (z.powi(3) + z) / (4.0 * degrees_of_freedom),
    };
    // t quantiles exceed normal ones; the upper end is found by doubling.
    let (mut low, mut high) = (0.0, z.max(1.0));
    while student.cdf(-high) > tail && high.is_finite() {
        low = high;
        high *= 2.0;
    }
    let mut t = f64::midpoint(low, high);
    for _ in 0..200 {
        let excess = student.cdf(-t) - tail;
        if excess > 0.0 {
            low = t
        } else {
            high = t
        }
        let newton = t + excess / student.pdf(t);
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - t).abs() <= 4.0 * f64::EPSILON * next {
            return next;
        }
        t = next;
    }
    t
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn closed_forms_for_one_and_two_degrees_of_freedom() {
        for confidence in [0.5, 0.9, 0.95, 0.99, 0.999_999] {
            let cauchy = (std::f64::consts::FRAC_PI_2 * confidence).tan();
            assert!((two_sided_quantile(confidence, 1.0) / cauchy - 1.0).abs() < 1e-9, "{confidence}");
            let two = confidence * (2.0 / (1.0 - confidence * confidence)).sqrt();
            assert!((two_sided_quantile(confidence, 2.0) / two - 1.0).abs() < 1e-9, "{confidence}");
        }
    }

    #[test]
    fn joins_the_normal_distribution_without_a_step() {
        let below = two_sided_quantile(0.95, NEARLY_NORMAL * (1.0 - 1e-9));
        let above = two_sided_quantile(0.95, NEARLY_NORMAL);
        assert!((below - above).abs() < 1e-9, "{below} {above}");
        assert!((upper_tail(2.0, NEARLY_NORMAL * (1.0 - 1e-9)) - upper_tail(2.0, NEARLY_NORMAL)).abs() < 1e-10);
    }

    proptest! {
        #[test]
        fn quantile_and_tail_are_inverse(confidence in 0.01..0.9999f64, df in 0.6..1e5f64) {
            let t = two_sided_quantile(confidence, df);
            prop_assert!((2.0 * upper_tail(t, df) - (1.0 - confidence)).abs() < 1e-11);
        }
    }
}

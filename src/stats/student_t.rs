//! Student's t distribution for any positive degrees of freedom, infinity included (the normal distribution).
//!
//! `statrs` gives the distribution function to twelve digits below 10,000 degrees of freedom, but its quantile loses all
//! of them in far tails and for many degrees of freedom, where it also takes minutes. Here the quantile is the root of
//! the distribution function, by Newton's method held inside a shrinking bracket, and beyond 10,000 degrees of freedom an
//! expansion around the normal distribution.

use statrs::distribution::{Continuous, ContinuousCDF, Normal, StudentsT};

/// Beyond this the expansion below is exact to the last digits, and the distribution function is not.
const NEARLY_NORMAL: f64 = 1e4;

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
            // Inverts the expansion. Beyond 35 standard errors the tail is nothing in double precision.
            let t = t.clamp(-35.0, 35.0);
            let z = (0..20).fold(t, |z, _| z - (from_normal(z, degrees_of_freedom) - t));
            Normal::standard().cdf(-z)
        }
    }
}

/// The quantile of t at which the normal distribution has z: Abramowitz and Stegun 26.7.5.
fn from_normal(z: f64, degrees_of_freedom: f64) -> f64 {
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    let v = degrees_of_freedom.recip();
    z + v * (terms[0] + v * (terms[1] + v * terms[2]))
}

/// The t with P(|T| ≤ t) = `confidence`: the factor of a two-sided interval.
///
/// ```
/// use kaeanalysis::stats::student_t::two_sided_quantile;
/// assert!((two_sided_quantile(0.95, 4.0) - 2.776_445_105_197_793_4).abs() < 1e-13);
/// assert!((two_sided_quantile(0.95, f64::INFINITY) - 1.959_963_984_540_054).abs() < 1e-13);
/// ```
pub fn two_sided_quantile(confidence: f64, degrees_of_freedom: f64) -> f64 {
    let tail = (1.0 - confidence) / 2.0;
    let z = -Normal::standard().inverse_cdf(tail);
    let student = match StudentsT::new(0.0, 1.0, degrees_of_freedom) {
        Ok(student) if degrees_of_freedom < NEARLY_NORMAL => student,
        _ => return from_normal(z, degrees_of_freedom),
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
        for confidence in [0.5, 0.95, 0.999] {
            let below = two_sided_quantile(confidence, NEARLY_NORMAL * (1.0 - 1e-12));
            let above = two_sided_quantile(confidence, NEARLY_NORMAL);
            assert!((below / above - 1.0).abs() < 1e-9, "{below} {above}");
            assert!((2.0 * upper_tail(above, NEARLY_NORMAL) / (1.0 - confidence) - 1.0).abs() < 1e-9);
        }
    }

    /// From scipy.stats.t: ppf((1 + confidence) / 2, df).
    #[test]
    fn scipy_values() {
        for (confidence, df, quantile) in [
            (0.95, 0.6, 67.844_395_329_571_97),
            (0.99, 1.3, 26.057_551_633_213_905),
            (0.95, 17.25, 2.107_488_737_428_334_4),
            (0.999, 50_000.0, 3.290_721_336_558_825),
        ] {
            assert!((two_sided_quantile(confidence, df) / quantile - 1.0).abs() < 1e-10, "{confidence} {df}");
        }
    }

    proptest! {
        #[test]
        fn quantile_and_tail_are_inverse(confidence in 0.01..0.9999f64, df in 0.6..1e6f64) {
            let t = two_sided_quantile(confidence, df);
            prop_assert!((2.0 * upper_tail(t, df) - (1.0 - confidence)).abs() < 1e-10);
        }
    }
}

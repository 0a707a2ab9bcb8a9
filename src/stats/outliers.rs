//! Outliers among values that are otherwise normal: the generalised extreme studentised deviate test of Rosner (1983,
//! Technometrics 25, 165–172), which finds several without one hiding another.

use super::{
    contrast::{mean, variance},
    student_t,
};

/// From here on the critical values come close enough to the level when several outliers are sought (very close from
/// 25: Rosner's simulations, NIST handbook 1.3.5.17.3). Below, only the most extreme value is tested, for which they
/// are exact (Grubbs 1950): seeking two among five would double the level.
const SEVERAL: usize = 15;

/// More outliers than this are a second kind of runs, and each takes a pass over all values.
const MOST: usize = 50;

/// The indexes of the outliers, ascending, by a two-sided test at the level `alpha` between 0 and 1.
///
/// At most a quarter of the values, rounded up, and 50 can be outliers, and one below 15 values. Empty below five values or
/// without spread.
///
/// ```
/// use kaeanalysis::stats::outliers::outliers;
/// assert_eq!(outliers(&[5.1, 5.0, 7.9, 5.2, 5.1, 4.9], 0.05), [2]);
/// ```
pub fn outliers(values: &[f64], alpha: f64) -> Vec<usize> {
    let most = match values.len() {
        0..5 => 0,
        5..SEVERAL => 1,
        n => n.div_ceil(4).min(MOST),
    };
    let mut left: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
    let mut taken = Vec::new();
    let mut found = 0;
    for _ in 0..most {
        let rest: Vec<f64> = left.iter().map(|(_, value)| *value).collect();
        let (mean, spread) = (mean(&rest), variance(&rest).unwrap_or_default().sqrt());
        let deviations = rest.iter().map(|value| (value - mean).abs() / spread).enumerate();
        let Some((at, deviation)) = deviations.max_by(|(_, a), (_, b)| a.total_cmp(b)).filter(|_| spread > 0.0) else {
            break;
        };
        taken.push(left.remove(at).0);
        if deviation > critical(rest.len() as f64, alpha) {
            // A later deviation counts even if those before it hid each other.
            found = taken.len();
        }
    }
    taken.truncate(found);
    taken.sort_unstable();
    taken
}

/// The deviation, in standard deviations, that the most extreme of n normal values exceeds with probability α.
fn critical(n: f64, alpha: f64) -> f64 {
    let t = student_t::two_sided_quantile(1.0 - alpha / n, n - 2.0);
    (n - 1.0) * t / (n * (n - 2.0 + t * t)).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.17.3, Rosner's data: three outliers at 0.05.
    #[test]
    fn rosner_data() {
        let values = [
            -0.25, 0.68, 0.94, 1.15, 1.20, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56, 1.58, 1.65, 1.69,
            1.70, 1.76, 1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.10, 2.14, 2.15, 2.23, 2.24, 2.26, 2.35, 2.37,
            2.40, 2.47, 2.54, 2.62, 2.64, 2.90, 2.92, 2.92, 2.93, 3.21, 3.26, 3.30, 3.59, 3.68, 4.30, 4.64, 5.34, 5.42,
            6.01,
        ];
        assert_eq!(outliers(&values, 0.05), [51, 52, 53]);
        // The handbook's λ₁ and λ₁₀.
        assert!((critical(54.0, 0.05) - 3.158).abs() < 1e-3 && (critical(45.0, 0.05) - 3.085).abs() < 1e-3);
    }

    #[test]
    fn none_without_values_or_spread() {
        assert!(outliers(&[], 0.05).is_empty());
        assert!(outliers(&[1.0, 1.0, 1.0, 99.0], 0.05).is_empty());
        assert!(outliers(&[0.1; 30], 0.05).is_empty());
        assert_eq!(outliers(&[1.0, 1.0, 9.0, 1.0, 1.0], 0.05), [2]);
    }

    proptest! {
        #[test]
        fn the_order_does_not_matter(values in prop::collection::vec(-9.0..9.0f64, 0..40), alpha in 0.001..0.999f64) {
            let reversed: Vec<f64> = values.iter().rev().copied().collect();
            let mut back: Vec<usize> = outliers(&reversed, alpha).iter().map(|at| values.len() - 1 - at).collect();
            back.reverse();
            prop_assert!(back.len() <= values.len().div_ceil(4));
            prop_assert_eq!(outliers(&values, alpha), back);
        }

        #[test]
        fn one_far_value_is_found(mut values in prop::collection::vec(-1.0..1.0f64, 8..40), at in 0usize..8) {
            values[at] = 1e3;
            prop_assert!(outliers(&values, 0.05).contains(&at));
        }
    }
}

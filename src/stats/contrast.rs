//! A linear contrast of means: the weighted sum of the means of independent samples, with its standard error.
//!
//! A difference is the contrast with weights −1 and +1; an average over strata, or a difference of differences, has
//! more terms. On logarithms a difference is a log ratio. All of them are one formula.

use super::student_t;

/// One sample and its weight.
#[derive(Debug, Clone, Copy)]
pub struct Term<'a> {
    /// The weight of its mean.
    pub weight: f64,
    /// The observations.
    pub sample: &'a [f64],
}

/// The value of a contrast and how far it may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// The weighted sum of the means.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Degrees of freedom; infinite where the spread is taken as known.
    pub degrees_of_freedom: f64,
}

/// The arithmetic mean; NaN for an empty sample.
pub fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

/// The sample variance, with n − 1 in the denominator; `None` below two observations.
pub fn variance(sample: &[f64]) -> Option<f64> {
    // Summing squares of deviations cannot cancel as sum(x²) − n·mean² does. Where all observations are equal, their
    // computed mean may still miss them by a rounding.
    let (first, rest) = sample.split_first()?;
    if rest.iter().all(|value| value == first) {
        return (!rest.is_empty()).then_some(0.0);
    }
    let mean = mean(sample);
    Some(sample.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (sample.len() - 1) as f64)
}

/// The weighted sum of the means.
pub fn value(terms: &[Term]) -> f64 {
    terms.iter().map(|term| term.weight * mean(term.sample)).sum()
}

/// Standard error from the spread of each sample by itself; degrees of freedom by Welch (1938) and Satterthwaite (1946). With
/// one sample and weight 1 this is the ordinary t interval of a mean.
///
/// `None` if a sample has fewer than two observations, or if no sample varies at all.
pub fn unequal_variances(terms: &[Term]) -> Option<Contrast> {
    let (mut total, mut denominator) = (0.0, 0.0);
    for term in terms {
        let n = term.sample.len() as f64;
        let part = term.weight.powi(2) * variance(term.sample)? / n;
        total += part;
        denominator += part.powi(2) / (n - 1.0);
    }
    // Dividing before squaring keeps tiny variances from underflowing.
    let degrees_of_freedom = total / (denominator / total);
    (total > 0.0 && degrees_of_freedom.is_finite()).then(|| Contrast {
        value: value(terms),
        standard_error: total.sqrt(),
        degrees_of_freedom,
    })
}

/// Standard error from a spread that is stated instead of measured.
pub fn known_spread(terms: &[Term], sigma: f64) -> Contrast {
    let variance: f64 = terms.iter().map(|term| (term.weight * sigma).powi(2) / term.sample.len() as f64).sum();
    Contrast { value: value(terms), standard_error: variance.sqrt(), degrees_of_freedom: f64::INFINITY }
}

impl Contrast {
    /// The two-sided interval at a confidence between 0 and 1.
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        let half = self.standard_error * student_t::two_sided_quantile(confidence, self.degrees_of_freedom);
        (self.value - half, self.value + half)
    }

    /// The two-sided p-value of the value being zero.
    pub fn p_value(&self) -> f64 {
        2.0 * student_t::upper_tail((self.value / self.standard_error).abs(), self.degrees_of_freedom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn difference<'a>(a: &'a [f64], b: &'a [f64]) -> [Term<'a>; 2] {
        [Term { weight: -1.0, sample: a }, Term { weight: 1.0, sample: b }]
    }

    #[test]
    fn sample_variance_divides_by_n_minus_one() {
        assert_eq!(variance(&[1.0, 2.0, 3.0]), Some(1.0));
        assert_eq!(variance(&[1.0]), None);
        assert_eq!(variance(&[0.1, 0.1, 0.1]), Some(0.0));
    }

    /// R: t.test(c(12, 14, 13, 15), c(10, 11, 9)), whose degrees of freedom are 4.9412.
    #[test]
    fn welch_with_unequal_sizes() {
        let contrast =
            unequal_variances(&difference(&[10.0, 11.0, 9.0], &[12.0, 14.0, 13.0, 15.0])).expect("both vary");
        assert!((contrast.value - 3.5).abs() < 1e-12);
        assert!((contrast.standard_error - (1.0f64 / 3.0 + 5.0 / 12.0).sqrt()).abs() < 1e-12);
        let expected = 0.75f64.powi(2) / ((1.0f64 / 3.0).powi(2) / 2.0 + (5.0f64 / 12.0).powi(2) / 3.0);
        assert!((contrast.degrees_of_freedom - expected).abs() < 1e-9);
    }

    #[test]
    fn no_interval_from_nothing() {
        assert_eq!(unequal_variances(&difference(&[1.0], &[1.0, 2.0])), None);
        assert_eq!(unequal_variances(&difference(&[1.0, 1.0], &[2.0, 2.0])), None);
    }

    proptest! {
        #[test]
        fn swapping_the_sides_mirrors_the_interval(
            a in prop::collection::vec(-5.0..5.0f64, 2..8),
            b in prop::collection::vec(-5.0..5.0f64, 2..8),
        ) {
            if let (Some(ab), Some(ba)) = (unequal_variances(&difference(&a, &b)), unequal_variances(&difference(&b, &a))) {
                let ((low, high), (mirrored_low, mirrored_high)) = (ab.interval(0.95), ba.interval(0.95));
                prop_assert!((low + mirrored_high).abs() < 1e-9 * (1.0 + low.abs()));
                prop_assert!((high + mirrored_low).abs() < 1e-9 * (1.0 + high.abs()));
                prop_assert!((ab.p_value() - ba.p_value()).abs() < 1e-12);
            }
        }

        #[test]
        fn more_confidence_is_wider(sample in prop::collection::vec(-5.0..5.0f64, 2..8)) {
            if let Some(contrast) = unequal_variances(&[Term { weight: 1.0, sample: &sample }]) {
                let ((low, high), (lower, higher)) = (contrast.interval(0.9), contrast.interval(0.99));
                prop_assert!(lower < low && low <= high && high < higher);
            }
        }
    }
}

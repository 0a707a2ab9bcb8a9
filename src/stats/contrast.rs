//! A linear contrast of means: the weighted sum of the means of independent samples, with its standard error.
//!
//! A difference is the contrast with weights −1 and +1; an average over strata, or a difference of differences, has
//! more terms. On logarithms a difference is a log ratio. All of them are one formula.

use std::collections::BTreeMap;

use super::moments::{Moments, ROUNDING};
use super::{Interval, student_t};

/// One sample, its weight, and where its spread comes from.
#[derive(Debug, Clone, Copy)]
pub struct Term {
    /// The weight of its mean.
    pub weight: f64,
    /// What is known of its observations.
    pub sample: Moments,
    /// The standard deviation of one observation where it is stated; otherwise it is measured on the sample.
    pub sigma: Option<f64>,
}

/// A variance that several samples share, and how well it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The variance of one observation.
    pub variance: f64,
    /// Its degrees of freedom.
    pub degrees_of_freedom: f64,
}

/// The value of a contrast and how far it may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// The weighted sum of the means.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Degrees of freedom; infinite where every spread is stated.
    pub degrees_of_freedom: f64,
}

/// The arithmetic mean; NaN for an empty sample.
pub fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

/// The sample variance, with n − 1 in the denominator, as [`Moments::variance`] tells it.
pub fn variance(sample: &[f64]) -> Option<f64> {
    Moments::of(sample).variance()
}

/// The weighted sum of the means, its standard error from the spread of each sample by itself, and degrees of freedom
/// by Welch (1938) and Satterthwaite (1946). With one sample and weight 1 this is the ordinary t interval of a mean.
///
/// `None` if a sample whose spread is to be measured has fewer than two observations, or if nothing varies at all.
pub fn contrast(terms: &[Term]) -> Option<Contrast> {
    let mut parts = Vec::new();
    let mut value = 0.0;
    for term in terms {
        let n = term.sample.count as f64;
        let (variance, degrees_of_freedom) = match term.sigma {
            Some(sigma) => (sigma * sigma, f64::INFINITY),
            None => (term.sample.variance()?, n - 1.0),
        };
        value += term.weight * term.sample.mean;
        parts.push((term.weight.powi(2) * variance / n, degrees_of_freedom));
    }
    satterthwaite(value, &parts)
}

/// The pooled variance of several samples, each around its own mean: the residual mean square of a one-way layout. `None` if
/// no sample has two observations, or if nothing varies.
pub fn pooled_spread(samples: impl IntoIterator<Item = Moments>) -> Option<Spread> {
    let of = |sample: Moments| Some((sample.variance()?, (sample.count - 1) as f64));
    let parts: Vec<(f64, f64)> = samples.into_iter().filter_map(of).collect();
    let degrees_of_freedom: f64 = parts.iter().map(|(_, df)| df).sum();
    let variance = parts.iter().map(|(variance, df)| variance * df).sum::<f64>() / degrees_of_freedom;
    (variance > 0.0).then_some(Spread { variance, degrees_of_freedom })
}

/// The weighted sum of the means of samples that share a variance: Student's t with the degrees of freedom of that variance.
/// A sample may hold a single observation. `None` without any observation.
pub fn pooled(terms: &[Term], spread: Spread) -> Option<Contrast> {
    let value = terms.iter().map(|term| term.weight * term.sample.mean).sum::<f64>();
    let per_variance = terms.iter().map(|term| term.weight.powi(2) / term.sample.count as f64).sum::<f64>();
    (value.is_finite() && per_variance > 0.0).then(|| Contrast {
        value,
        standard_error: (spread.variance * per_variance).sqrt(),
        degrees_of_freedom: spread.degrees_of_freedom,
    })
}

/// The weighted sum of independent contrasts.
pub fn independent(contrasts: &[(f64, Contrast)]) -> Option<Contrast> {
    let parts: Vec<(f64, f64)> =
        contrasts.iter().map(|(weight, one)| ((one.standard_error * weight).powi(2), one.degrees_of_freedom)).collect();
    satterthwaite(contrasts.iter().map(|(weight, one)| one.value * weight).sum(), &parts)
}

/// The mean of the means of several samples whose observations belong to clusters (blocks) that the samples share, by the
/// cluster-robust variance of Liang and Zeger (1986) with the factor G/(G − 1) for G clusters, and G − 1 degrees of freedom.
/// Where every sample has one observation in every cluster, this is the t interval of the clusters' means.
///
/// An observation is its cluster and its value. `None` below two clusters, or if nothing varies.
pub fn clustered(samples: &[Vec<(usize, f64)>]) -> Option<Contrast> {
    let share = 1.0 / samples.len() as f64;
    let mut value = 0.0;
    let mut clusters: BTreeMap<usize, f64> = BTreeMap::new();
    for sample in samples {
        let values: Vec<f64> = sample.iter().map(|(_, value)| *value).collect();
        let mean = mean(&values);
        value += mean * share;
        for (cluster, value) in sample {
            *clusters.entry(*cluster).or_default() += (value - mean) * share / sample.len() as f64;
        }
    }
    let count = clusters.len() as f64;
    let variance = clusters.values().map(|deviation| deviation * deviation).sum::<f64>() * count / (count - 1.0);
    (count > 1.0 && variance.sqrt() > ROUNDING).then(|| Contrast {
        value,
        standard_error: variance.sqrt(),
        degrees_of_freedom: count - 1.0,
    })
}

/// Puts independent parts of a variance together, each with its degrees of freedom.
fn satterthwaite(value: f64, parts: &[(f64, f64)]) -> Option<Contrast> {
    let total: f64 = parts.iter().map(|(variance, _)| variance).sum();
    // Shares instead of variances: the squares of tiny variances would underflow.
    let inverse: f64 = parts.iter().map(|(variance, df)| (variance / total).powi(2) / df).sum();
    (total > 0.0).then(|| Contrast { value, standard_error: total.sqrt(), degrees_of_freedom: inverse.recip() })
}

impl Contrast {
    /// The two-sided interval at a confidence between 0 and 1, with the p-value of the true value being `null`.
    pub fn interval(&self, confidence: f64, null: f64) -> Interval {
        let half = self.standard_error * student_t::two_sided_quantile(confidence, self.degrees_of_freedom);
        let statistic = ((self.value - null) / self.standard_error).abs();
        Interval {
            low: self.value - half,
            high: self.value + half,
            p_value: 2.0 * student_t::upper_tail(statistic, self.degrees_of_freedom),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn term(weight: f64, sample: &[f64]) -> Term {
        Term { weight, sample: Moments::of(sample), sigma: None }
    }

    fn difference(a: &[f64], b: &[f64]) -> [Term; 2] {
        [term(-1.0, a), term(1.0, b)]
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
        let contrast = contrast(&difference(&[10.0, 11.0, 9.0], &[12.0, 14.0, 13.0, 15.0])).expect("both vary");
        assert!((contrast.value - 3.5).abs() < 1e-12);
        assert!((contrast.standard_error - (1.0f64 / 3.0 + 5.0 / 12.0).sqrt()).abs() < 1e-12);
        let expected = 0.75f64.powi(2) / ((1.0f64 / 3.0).powi(2) / 2.0 + (5.0f64 / 12.0).powi(2) / 3.0);
        assert!((contrast.degrees_of_freedom - expected).abs() < 1e-9);
    }

    #[test]
    fn a_stated_spread_stands_in_for_one_sample_only() {
        let terms = [Term { sigma: Some(0.5), ..term(-1.0, &[1.0]) }, term(1.0, &[2.0, 4.0])];
        let mixed = contrast(&terms).expect("both have a spread");
        assert!((mixed.standard_error - (0.25f64 + 1.0).sqrt()).abs() < 1e-12);
        assert!((mixed.degrees_of_freedom - 1.25f64.powi(2)).abs() < 1e-12);
    }

    #[test]
    fn the_average_of_equal_contrasts_has_more_degrees_of_freedom() {
        let one = Contrast { value: 1.0, standard_error: 0.2, degrees_of_freedom: 4.0 };
        let four = independent(&[(0.25, one); 4]).expect("they vary");
        assert!((four.standard_error - 0.1).abs() < 1e-12 && (four.degrees_of_freedom - 16.0).abs() < 1e-9);
    }

    #[test]
    fn full_clusters_give_the_t_interval_of_their_means() {
        let samples = [vec![(0, 1.0), (1, 2.0), (2, 4.0)], vec![(2, 5.0), (0, 2.0), (1, 2.0)]];
        let by_cluster = [1.5, 2.0, 4.5];
        let expected = super::contrast(&[term(1.0, &by_cluster)]).expect("varies");
        let got = clustered(&samples).expect("varies");
        assert!((got.value - expected.value).abs() < 1e-12);
        assert!((got.standard_error - expected.standard_error).abs() < 1e-12);
        assert_eq!(got.degrees_of_freedom, 2.0);
        assert_eq!(clustered(&[vec![(0, 1.0)], vec![(0, 2.0)]]), None);
    }

    #[test]
    fn rounding_is_no_spread() {
        let ratios = [(100.0f64, 200.0f64), (130.0, 260.0), (170.0, 340.0)].map(|(a, b)| b.ln() - a.ln());
        assert_eq!(variance(&ratios), Some(0.0));
        assert!(variance(&[1.0, 1.0 + 1e-12]).expect("two") > 0.0);
    }

    #[test]
    fn no_interval_from_nothing() {
        assert_eq!(contrast(&difference(&[1.0], &[1.0, 2.0])), None);
        assert_eq!(contrast(&difference(&[1.0, 1.0], &[2.0, 2.0])), None);
    }

    proptest! {
        #[test]
        fn swapping_the_sides_mirrors_the_interval(
            a in prop::collection::vec(-5.0..5.0f64, 2..8),
            b in prop::collection::vec(-5.0..5.0f64, 2..8),
        ) {
            if let (Some(ab), Some(ba)) = (contrast(&difference(&a, &b)), contrast(&difference(&b, &a))) {
                let (one, mirrored) = (ab.interval(0.95, 0.0), ba.interval(0.95, 0.0));
                prop_assert!((one.low + mirrored.high).abs() < 1e-9 * (1.0 + one.low.abs()));
                prop_assert!((one.high + mirrored.low).abs() < 1e-9 * (1.0 + one.high.abs()));
                prop_assert!((one.p_value - mirrored.p_value).abs() < 1e-12);
            }
        }

        #[test]
        fn more_confidence_is_wider(sample in prop::collection::vec(-5.0..5.0f64, 2..8)) {
            if let Some(contrast) = contrast(&[term(1.0, &sample)]) {
                let (narrow, wide) = (contrast.interval(0.9, 0.0), contrast.interval(0.99, 0.0));
                prop_assert!(wide.low < narrow.low && narrow.low <= narrow.high && narrow.high < wide.high);
            }
        }
    }
}

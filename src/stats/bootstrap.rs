//! Bootstrap intervals of a product of powers of centres: the ratio of two means, of two medians, or a ratio of ratios.
//!
//! Everything happens on the logarithmic scale: the statistic is the weighted sum of the logarithms of the samples' centres.
//! Samples are resampled each by itself. Resamples are drawn in chunks, each from a stretch of its own of the sequence of random
//! numbers, so the result does not depend on the number of threads.
//!
//! With few observations all but the studentised one are too short: at 3 to 5 they cover some 75 to 90 % instead of 95 % (the
//! study in `docs/statistics.md` shows by how much).

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Beta, ContinuousCDF, Normal};
use statrs::statistics::{Data, Median};

use super::Interval;
use super::contrast::{mean, variance};
use crate::named::named;

/// How the interval is made of the resamples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The quantiles of the resampled statistic (Efron 1979).
    Percentile,
    /// These quantiles mirrored at the estimate (Davison and Hinkley 1997, 5.2).
    Basic,
    /// Quantiles corrected for bias and skewness (Efron 1987), with the acceleration of several samples by the jackknife.
    Bca,
    /// Quantiles of the statistic divided by its standard error (Efron 1982), the latter by the delta method; for medians by
    /// Maritz and Jarrett (1978).
    Studentized,
}

/// What a sample is summed up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Center {
    /// The geometric mean.
    #[default]
    GeometricMean,
    /// The arithmetic mean.
    Mean,
    /// The median.
    Median,
}

named!(Center, "a center", { GeometricMean => "geometric-mean", Mean => "mean", Median => "median" });

impl Center {
    /// The centre of positive values; NaN for none.
    pub fn of(self, sample: &[f64]) -> f64 {
        match sample.first() {
            // Equal values are their own mean; a logarithm would bring a rounding.
            Some(first) if sample.iter().all(|value| value == first) => *first,
            _ => match self {
                Self::GeometricMean => mean(&sample.iter().map(|value| value.ln()).collect::<Vec<_>>()).exp(),
                Self::Mean => mean(sample),
                Self::Median => Data::new(sample.to_vec()).median(),
            },
        }
    }
}

/// How often, and by which random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resampling {
    /// How many resamples.
    pub resamples: usize,
    /// The seed.
    pub seed: u64,
}

/// Resamples that share a random number generator.
const CHUNK: usize = 512;

/// The interval of the logarithm of the product of the centres, each to the power of its weight; all values above zero. Its
/// p-value is that of this logarithm being `null`: the smallest level at which the interval excludes it.
///
/// An end may be infinite where the studentised bootstrap meets resamples without any spread. `None` if a sample has fewer than
/// two observations, if nothing varies, or without resamples.
///
/// ```
/// use kaeanalysis::stats::bootstrap::{Center, Kind, Resampling, interval};
///
/// let samples = [(-1.0, &[98.0, 100.0, 103.0, 101.0][..]), (1.0, &[201.0, 195.0, 204.0, 199.0][..])];
/// let resampling = Resampling { resamples: 9_999, seed: 1 };
/// let log_ratio = interval(&samples, Kind::Bca, Center::Mean, resampling, 0.95, 0.0).expect("the samples vary");
/// assert!(log_ratio.low.exp() > 1.9 && log_ratio.high.exp() < 2.1);
/// ```
pub fn interval(
    samples: &[(f64, &[f64])],
    kind: Kind,
    center: Center,
    resampling: Resampling,
    confidence: f64,
    null: f64,
) -> Option<Interval> {
    if samples.iter().any(|(_, sample)| sample.len() < 2)
        || samples.iter().all(|(_, sample)| variance(sample) == Some(0.0))
    {
        return None;
    }
    let samples: Vec<Sample> = samples.iter().map(|(weight, values)| Sample::new(*weight, values, center)).collect();
    let whole = statistic(&samples, |sample| (sample.center, sample.error));
    let studentized = kind == Kind::Studentized;
    let mut resampled = resample(&samples, center, resampling, studentized.then_some(whole.0));
    if resampled.is_empty() {
        return None;
    }
    resampled.sort_unstable_by(f64::total_cmp);
    let (estimate, error) = whole;
    let tail = (1.0 - confidence) / 2.0;
    let quantile = |share: f64| quantile(&resampled, share);
    let below = |value: f64| share_below(&resampled, value);
    let (low, high, p_value) = match kind {
        Kind::Percentile => (quantile(tail), quantile(1.0 - tail), two_sided(below(null))),
        Kind::Basic => (
            2.0 * estimate - quantile(1.0 - tail),
            2.0 * estimate - quantile(tail),
            two_sided(below(2.0 * estimate - null)),
        ),
        Kind::Studentized => (
            estimate - error * quantile(1.0 - tail),
            estimate - error * quantile(tail),
            two_sided(below((estimate - null) / error)),
        ),
        Kind::Bca => {
            let normal = Normal::standard();
            // Beyond the pole of the correction everything lies in the tail.
            let positive = |denominator: f64| denominator.max(f64::MIN_POSITIVE);
            let (bias, acceleration) = (normal.inverse_cdf(below(estimate)), acceleration(&samples, center));
            let corrected = |z: f64| normal.cdf(bias + (bias + z) / positive(1.0 - acceleration * (bias + z)));
            let z = normal.inverse_cdf(1.0 - tail);
            // The inverse of the correction: at which z it gives the share of resamples below the value asked about.
            let shifted = normal.inverse_cdf(below(null)) - bias;
            let at = normal.cdf(shifted / positive(1.0 + acceleration * shifted) - bias);
            (quantile(corrected(-z)), quantile(corrected(z)), two_sided(at))
        }
    };
    Some(Interval { low, high, p_value })
}

/// A sample, and what is needed of it again and again.
struct Sample {
    weight: f64,
    values: Vec<f64>,
    logs: Vec<f64>,
    /// The weights of the sorted logs in the standard error of a median; empty for other centres.
    maritz_jarrett: Vec<f64>,
    center: f64,
    error: f64,
}

impl Sample {
    fn new(weight: f64, values: &[f64], center: Center) -> Self {
        // Sorted, so that the same observations in another order give the same resamples.
        let mut values = values.to_vec();
        values.sort_unstable_by(f64::total_cmp);
        let maritz_jarrett = if center == Center::Median { maritz_jarrett(values.len()) } else { Vec::new() };
        let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let mut sample = Self { weight, values, logs, maritz_jarrett, center: 0.0, error: 0.0 };
        let all: Vec<usize> = (0..sample.values.len()).collect();
        (sample.center, sample.error) = sample.log_center(&all, center, true);
        sample
    }

    /// The logarithm of the centre of the observations of these (sorted) indexes, and its squared standard error if asked for.
    fn log_center(&self, indexes: &[usize], center: Center, with_error: bool) -> (f64, f64) {
        let n = indexes.len() as f64;
        let moments = |values: &[f64]| {
            let mean = indexes.iter().map(|&index| values[index]).sum::<f64>() / n;
            let spread = if with_error {
                indexes.iter().map(|&index| (values[index] - mean).powi(2)).sum::<f64>() / (n - 1.0) / n
            } else {
                0.0
            };
            (mean, spread)
        };
        match center {
            Center::GeometricMean => moments(&self.logs),
            Center::Mean => {
                let (mean, squared_error) = moments(&self.values);
                (mean.ln(), squared_error / (mean * mean))
            }
            Center::Median => {
                let at = |position: usize| self.values[indexes[position]];
                let middle = indexes.len() / 2;
                let median =
                    if indexes.len() % 2 == 1 { at(middle) } else { f64::midpoint(at(middle - 1), at(middle)) };
                let squared_error = if with_error {
                    let logs =
                        || self.maritz_jarrett.iter().zip(indexes).map(|(weight, &index)| (weight, self.logs[index]));
                    let mean = logs().map(|(weight, log)| weight * log).sum::<f64>();
                    logs().map(|(weight, log)| weight * (log - mean).powi(2)).sum()
                } else {
                    0.0
                };
                (median.ln(), squared_error)
            }
        }
    }
}

impl Sample {
    /// The logarithm of the centre of all observations but one.
    fn log_center_without(&self, left_out: usize, center: Center) -> f64 {
        let n = self.values.len() as f64;
        match center {
            Center::GeometricMean => (self.center * n - self.logs[left_out]) / (n - 1.0),
            Center::Mean => ((self.center.exp() * n - self.values[left_out]) / (n - 1.0)).ln(),
            Center::Median => {
                // The values are sorted: those behind the one left out move up by one.
                let at = |position: usize| self.values[position + usize::from(position >= left_out)];
                let rest = self.values.len() - 1;
                let middle = rest / 2;
                if rest % 2 == 1 { at(middle).ln() } else { f64::midpoint(at(middle - 1), at(middle)).ln() }
            }
        }
    }
}

/// The probability that the median of n is each of the order statistics, by the beta distribution.
fn maritz_jarrett(n: usize) -> Vec<f64> {
    let shape = (n as f64 + 1.0) / 2.0;
    let Ok(beta) = Beta::new(shape, shape) else { return vec![1.0 / n as f64; n] };
    let cumulative = |i: usize| beta.cdf(i as f64 / n as f64);
    (0..n).map(|i| cumulative(i + 1) - cumulative(i)).collect()
}

/// The weighted sum of the log centres, and its standard error.
fn statistic(samples: &[Sample], mut of: impl FnMut(&Sample) -> (f64, f64)) -> (f64, f64) {
    let (mut value, mut squared_error) = (0.0, 0.0);
    for sample in samples {
        let (center, error) = of(sample);
        value += sample.weight * center;
        squared_error += sample.weight.powi(2) * error;
    }
    (value, squared_error.sqrt())
}

/// The statistic of every resample; with the estimate given, its distance from it in standard errors of the resample.
fn resample(samples: &[Sample], center: Center, resampling: Resampling, studentize: Option<f64>) -> Vec<f64> {
    let sorted = center == Center::Median;
    let chunk = |(number, mut random): (usize, Xoshiro256PlusPlus)| {
        let mut indexes = Vec::new();
        let length = CHUNK.min(resampling.resamples - number * CHUNK);
        let one = |_| {
            let (value, error) = statistic(samples, |sample| {
                draw(&mut random, sample.values.len(), &mut indexes);
                if sorted {
                    indexes.sort_unstable();
                }
                sample.log_center(&indexes, center, studentize.is_some())
            });
            match studentize {
                None => value,
                Some(estimate) if value == estimate => 0.0,
                // Without any spread in the resample this is infinite, and so is the end of an interval that needs it.
                Some(estimate) => (value - estimate) / error,
            }
        };
        (0..length).map(one).collect::<Vec<f64>>()
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(resampling.seed);
    let stretch = |number| {
        let own = random.clone();
        random.jump();
        (number, own)
    };
    let chunks: Vec<_> = (0..resampling.resamples.div_ceil(CHUNK)).map(stretch).collect();
    chunks.into_par_iter().flat_map_iter(chunk).collect()
}

/// As many indexes below `n`, with replacement: a product of 32 random bits and `n`, of which the upper half is kept.
fn draw(random: &mut Xoshiro256PlusPlus, n: usize, indexes: &mut Vec<usize>) {
    indexes.clear();
    let scaled = |bits: u64| ((bits * n as u64) >> 32) as usize;
    while indexes.len() < n {
        let bits = random.next_u64();
        indexes.push(scaled(bits >> 32));
        if indexes.len() < n {
            indexes.push(scaled(bits & 0xffff_ffff));
        }
    }
}

/// The acceleration of several samples, from the influence of each observation by the jackknife (Efron and Tibshirani 1993,
/// 14.3, with a sum over samples).
fn acceleration(samples: &[Sample], center: Center) -> f64 {
    let (mut cubes, mut squares) = (0.0, 0.0);
    for sample in samples {
        let n = sample.values.len();
        let values: Vec<f64> =
            (0..n).map(|left_out| sample.weight * sample.log_center_without(left_out, center)).collect();
        let middle = mean(&values);
        for value in values {
            let influence = (n - 1) as f64 * (middle - value) / n as f64;
            cubes += influence.powi(3);
            squares += influence.powi(2);
        }
    }
    if squares > 0.0 { cubes / (6.0 * squares.powf(1.5)) } else { 0.0 }
}

/// The quantile with linear interpolation between order statistics (type 7 of Hyndman and Fan 1996).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (lower, upper) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
    // Equal ends first: between two infinities there is nothing to interpolate.
    if lower == upper { lower } else { lower + (upper - lower) * position.fract() }
}

/// The share of resamples below a value, equal ones by half; never quite 0 or 1, since finitely many resamples cannot tell.
fn share_below(sorted: &[f64], value: f64) -> f64 {
    // What differs by rounding alone is equal: sums of the same numbers in another order.
    let rounding = 1e-12 * value.abs().max(1.0);
    let below = sorted.partition_point(|other| *other < value - rounding);
    let up_to = sorted.partition_point(|other| *other <= value + rounding);
    let n = sorted.len() as f64;
    ((below + up_to) as f64 / 2.0 / n).clamp(1.0 / (n + 1.0), n / (n + 1.0))
}

fn two_sided(share: f64) -> f64 {
    (2.0 * share.min(1.0 - share)).min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KINDS: [Kind; 4] = [Kind::Percentile, Kind::Basic, Kind::Bca, Kind::Studentized];
    const CENTERS: [Center; 3] = [Center::GeometricMean, Center::Mean, Center::Median];
    const A: [f64; 7] = [98.0, 100.0, 103.0, 101.0, 97.0, 99.5, 104.0];
    const B: [f64; 5] = [201.0, 195.0, 204.0, 199.0, 207.0];

    fn of(kind: Kind, center: Center, resamples: usize) -> Interval {
        let samples = [(-1.0, &A[..]), (1.0, &B[..])];
        interval(&samples, kind, center, Resampling { resamples, seed: 7 }, 0.95, 0.7).expect("both vary")
    }

    #[test]
    fn one_thread_and_many_give_the_same_bytes() {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        for kind in KINDS {
            for center in CENTERS {
                let on = |threads| pool(threads).install(|| of(kind, center, 5_000));
                let (one, many) = (on(1), on(5));
                assert_eq!(one.low.to_bits(), many.low.to_bits(), "{kind:?} {center:?}");
                assert_eq!(one.high.to_bits(), many.high.to_bits());
                assert_eq!(one.p_value.to_bits(), many.p_value.to_bits());
            }
        }
    }

    /// The p-value at an end of the interval is the interval's level: both come from the same resamples.
    #[test]
    fn ends_have_the_p_value_of_the_level() {
        let samples = [(-1.0, &A[..]), (1.0, &B[..])];
        for kind in KINDS {
            for center in [Center::GeometricMean, Center::Mean] {
                let at = |null: f64| {
                    interval(&samples, kind, center, Resampling { resamples: 20_000, seed: 3 }, 0.9, null)
                        .expect("vary")
                };
                let whole = at(0.0);
                for end in [whole.low, whole.high] {
                    assert!((at(end).p_value - 0.1).abs() < 0.003, "{kind:?} {center:?}: {}", at(end).p_value);
                }
            }
        }
    }

    #[test]
    fn the_median_of_an_even_count_is_the_mean_of_the_two_in_the_middle() {
        assert_eq!(Center::Median.of(&[5.0, 1.0, 3.0]), 3.0);
        assert_eq!(Center::Median.of(&[10.0, 40.0, 20.0, 30.0]), 25.0);
    }

    #[test]
    fn no_interval_from_nothing() {
        let resampling = Resampling { resamples: 100, seed: 1 };
        for samples in [[(-1.0, &[1.0][..]), (1.0, &[1.0, 2.0])], [(-1.0, &[3.0, 3.0]), (1.0, &[2.0, 2.0])]] {
            assert_eq!(interval(&samples, Kind::Bca, Center::Mean, resampling, 0.95, 0.0), None);
        }
        let none = Resampling { resamples: 0, seed: 1 };
        assert_eq!(interval(&[(1.0, &A)], Kind::Basic, Center::Mean, none, 0.95, 0.0), None);
    }

    #[test]
    fn studentised_resamples_without_spread_have_no_end() {
        let few = [(1.0, &[10.0, 20.0][..])];
        let resampling = Resampling { resamples: 1_000, seed: 1 };
        let got = interval(&few, Kind::Studentized, Center::Mean, resampling, 0.95, 0.0).expect("varies");
        assert!(got.low.is_infinite() && got.high.is_infinite() && got.p_value.is_finite());
    }

    proptest! {
        #[test]
        fn never_nan_and_in_order(
            a in prop::collection::vec(1.0..1e6f64, 2..6),
            b in prop::collection::vec(1.0..1e6f64, 2..6),
            kind in prop::sample::select(KINDS.to_vec()),
            center in prop::sample::select(CENTERS.to_vec()),
        ) {
            let samples = [(-1.0, &a[..]), (1.0, &b[..])];
            if let Some(got) = interval(&samples, kind, center, Resampling { resamples: 600, seed: 5 }, 0.95, 0.0) {
                prop_assert!(got.low <= got.high && (0.0..=1.0).contains(&got.p_value), "{:?}", got);
            }
        }

        #[test]
        fn the_order_of_observations_does_not_matter(a in prop::collection::vec(1.0..1e3f64, 2..8)) {
            let reversed: Vec<f64> = a.iter().rev().copied().collect();
            let of = |sample: &[f64]| {
                interval(&[(1.0, sample)], Kind::Bca, Center::Median, Resampling { resamples: 600, seed: 5 }, 0.9, 0.0)
            };
            prop_assert_eq!(of(&a), of(&reversed));
        }
    }
}

//! Comparing two independent samples by ranks: how often one exceeds the other, by how much it is shifted, and whether
//! chance explains it. Nothing is assumed about the shape of the distributions, and outliers count as any other value.
//!
//! U is the number of pairs in which the contender exceeds the baseline, ties counting one half (Mann and Whitney 1947,
//! *Annals of Mathematical Statistics* 18). Differences are contender − baseline; on logarithms a shift is a log ratio.

use statrs::distribution::{ContinuousCDF, Normal};

/// Up to so many observations per side, distributions are exact.
const EXACT: usize = 50;

/// How far the contender is shifted against the baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// The median of all differences between a contender and a baseline observation.
    pub estimate: f64,
    /// Its confidence interval, where so few observations allow one.
    pub interval: Option<(f64, f64)>,
    /// The two-sided p-value of no shift.
    pub p_value: f64,
}

/// The probability of superiority: the share of pairs in which the contender exceeds the baseline, ties counting one
/// half; 0.5 where neither tends to be larger (the measure A of Vargha and Delaney 2000, *Journal of Educational and
/// Behavioral Statistics* 25). NaN only if a side is empty.
///
/// ```
/// // Of six pairs the contender exceeds the baseline in four and ties in one.
/// let superiority = kaeanalysis::stats::rank::superiority(&[1.0, 2.0, 3.0], &[2.0, 4.0]);
/// assert_eq!(superiority, 4.5 / 6.0);
/// ```
pub fn superiority(baseline: &[f64], contender: &[f64]) -> f64 {
    let sorted = sorted(baseline.to_vec());
    // The two counts differ by the ties, so that their sum counts a tie once and a pair exceeded twice.
    let twice: usize = contender.iter().map(|value| count_below(&sorted, value) + count_up_to(&sorted, value)).sum();
    twice as f64 / (2.0 * baseline.len() as f64 * contender.len() as f64)
}

/// The shift between two samples by Hodges and Lehmann (1963, *Annals of Mathematical Statistics* 34), its interval and
/// the p-value of the Mann–Whitney test. `None` if a side is empty. Values are finite, the confidence is between 0
/// and 1. All m·n differences are held at once.
///
/// The interval is \[D₍ₖ₎, D₍ₘₙ₋ₖ₊₁₎\] of the sorted differences D, with k the largest integer for which P(U < k) is at
/// most (1 − `confidence`) / 2 without a shift and without ties (Hollander, Wolfe and Chicken 2014, *Nonparametric
/// Statistical Methods*, section 4.3). It covers the shift with at least that confidence, with ties too; it is `None`
/// where k is 0, as for three observations per side at 95 % (see [`runs_needed`]). R's `wilcox.test` takes the same k,
/// except where P(U < k) is just (1 − `confidence`) / 2 and it takes the next wider interval.
///
/// The p-value is the chance, over all ways to assign the observed values to the sides, of a U at least as far from its
/// mean m·n/2. Ties are taken as they are, by the algorithm of Streitberg and Röhmel (1986, *Statistical Software
/// Newsletter* 12) on doubled midranks; without ties this is the exact Mann–Whitney test.
///
/// With more than 50 observations on a side both are the normal approximation with corrections for continuity and for
/// ties, as in `wilcox.test`, and so is the coverage. A shift dissolves ties between the samples, so that the interval
/// corrects for those within them only.
///
/// If all values are identical, the shift is 0 with a p-value of 1 and, where one exists, an interval \[0, 0\]: all
/// differences are 0, and the confidence of an interval by ranks does not rest on an estimated spread.
///
/// ```
/// use kaeanalysis::stats::rank::hodges_lehmann;
/// let shift = hodges_lehmann(&[1.0, 2.0, 4.0, 7.0], &[8.0, 9.5, 11.0, 14.0], 0.95).expect("two samples");
/// assert_eq!(shift.estimate, 7.0);
/// assert_eq!(shift.interval, Some((1.0, 13.0)));
/// // scipy.stats.mannwhitneyu(contender, baseline, method="exact")
/// assert!((shift.p_value - 2.0 / 70.0).abs() < 1e-12);
/// ```
pub fn hodges_lehmann(baseline: &[f64], contender: &[f64], confidence: f64) -> Option<Shift> {
    if baseline.is_empty() || contender.is_empty() {
        return None;
    }
    let differences = sorted(contender.iter().flat_map(|new| baseline.iter().map(move |old| new - old)).collect());
    let pairs = differences.len();
    let k = order_statistic(baseline, contender, confidence);
    Some(Shift {
        estimate: f64::midpoint(differences[(pairs - 1) / 2], differences[pairs / 2]),
        interval: (k > 0).then(|| (differences[k - 1], differences[pairs - k])),
        p_value: p_value(baseline, contender),
    })
}

/// The least number of observations per side for which [`hodges_lehmann`] has an interval: of the C(2n, n) ways to
/// assign the values to the sides, the two most extreme together may not exceed 1 − `confidence`.
///
/// ```
/// use kaeanalysis::stats::rank::runs_needed;
/// assert_eq!(runs_needed(0.95), 4);
/// assert_eq!(runs_needed(0.99), 5);
/// ```
pub fn runs_needed(confidence: f64) -> usize {
    let mut n = 1;
    let mut ways = 2.0;
    while 1.0 / ways > tail(confidence) {
        n += 1;
        // C(2n, n) from C(2n − 2, n − 1).
        ways *= (4 * n - 2) as f64 / n as f64;
    }
    n
}

/// What each tail of a two-sided interval may hold. The allowance is for rounding: 1 − 0.9 is less than 0.1.
fn tail(confidence: f64) -> f64 {
    (1.0 - confidence).max(0.0) / 2.0 * (1.0 + 1e-12) + f64::EPSILON
}

/// The k of the interval; 0 if there is none.
fn order_statistic(baseline: &[f64], contender: &[f64], confidence: f64) -> usize {
    let (m, n) = (baseline.len(), contender.len());
    if m.max(n) <= EXACT {
        // With ranks from 0, the smallest possible sum is that of U = 0.
        let ranks: Vec<usize> = (0..m + n).collect();
        let mut below = 0.0;
        let within = |chance: &f64| {
            below += chance;
            below <= tail(confidence)
        };
        return sum_distribution(&ranks, n).into_iter().skip(n * (n - 1) / 2).take_while(within).count();
    }
    let ties = ties(&sorted(baseline.to_vec())) + ties(&sorted(contender.to_vec()));
    let z = -Normal::standard().inverse_cdf((1.0 - confidence) / 2.0);
    // Where this is negative, the conversion gives 0.
    ((m * n) as f64 / 2.0 + 0.5 - z * deviation(m, n, ties)).floor() as usize
}

/// The two-sided p-value of the Mann–Whitney test.
fn p_value(baseline: &[f64], contender: &[f64]) -> f64 {
    let (m, n) = (baseline.len(), contender.len());
    let pooled = sorted([baseline, contender].concat());
    let doubled_midrank = |value: &f64| count_below(&pooled, value) + count_up_to(&pooled, value) + 1;
    let sum: usize = contender.iter().map(doubled_midrank).sum();
    // The mean of the sum of doubled midranks, and how far from it the sum is: twice as far as U from m·n/2.
    let mean = n * (m + n + 1);
    let distance = sum.abs_diff(mean);
    if m.max(n) <= EXACT {
        let scores: Vec<usize> = pooled.iter().map(doubled_midrank).collect();
        let chances = sum_distribution(&scores, n);
        let far = chances.iter().enumerate().filter(|(sum, _)| sum.abs_diff(mean) >= distance);
        return far.map(|(_, chance)| chance).sum::<f64>().min(1.0);
    }
    if distance == 0 {
        // Among identical values there is no deviation to divide by.
        return 1.0;
    }
    let z = (distance - 1) as f64 / 2.0 / deviation(m, n, ties(&pooled));
    2.0 * Normal::standard().cdf(-z)
}

/// The distribution of the sum of `n` of the scores, each choice being equally likely: at index s the chance of sum s.
/// The scores ascend. Adding them one by one, the ways to choose j of them with sum s are counted (Streitberg and
/// Röhmel 1986). Counts go up to C(100, 50) ≈ 10²⁹; being sums of positive numbers, they lose only their last digits.
fn sum_distribution(scores: &[usize], n: usize) -> Vec<f64> {
    let largest: usize = scores.iter().rev().take(n).sum();
    let mut ways = vec![vec![0.0; largest + 1]; n + 1];
    ways[0][0] = 1.0;
    for (seen, score) in scores.iter().enumerate() {
        // Downwards, so that no score is chosen twice.
        for chosen in (1..=n.min(seen + 1)).rev() {
            let (fewer, rest) = ways.split_at_mut(chosen);
            for (count, without) in rest[0].iter_mut().skip(*score).zip(&fewer[chosen - 1]) {
                *count += without;
            }
        }
    }
    let counts = ways.swap_remove(n);
    let total: f64 = counts.iter().sum();
    counts.into_iter().map(|count| count / total).collect()
}

/// The standard deviation of U without a shift, given the sum of t³ − t over all groups of t tied values.
fn deviation(m: usize, n: usize, ties: f64) -> f64 {
    let [m, n] = [m, n].map(|count| count as f64);
    (m * n / 12.0 * (m + n + 1.0 - ties / ((m + n) * (m + n - 1.0)))).sqrt()
}

/// The sum of t³ − t over the groups of t tied values.
fn ties(sorted: &[f64]) -> f64 {
    sorted.chunk_by(|a, b| a == b).map(|group| group.len() as f64).map(|count| count.powi(3) - count).sum()
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values
}

fn count_below(sorted: &[f64], value: &f64) -> usize {
    sorted.partition_point(|other| other < value)
}

fn count_up_to(sorted: &[f64], value: &f64) -> usize {
    sorted.partition_point(|other| other <= value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every way to put `n` of the values on the contender's side.
    fn assignments(values: &[f64], n: usize) -> impl Iterator<Item = (Vec<f64>, Vec<f64>)> {
        (0..1u32 << values.len()).filter(move |chosen| chosen.count_ones() as usize == n).map(move |chosen| {
            let (contender, baseline): (Vec<_>, Vec<_>) =
                values.iter().enumerate().partition(|(place, _)| chosen >> place & 1 == 1);
            let strip = |side: Vec<(usize, &f64)>| side.into_iter().map(|(_, value)| *value).collect();
            (strip(baseline), strip(contender))
        })
    }

    fn shift(baseline: &[f64], contender: &[f64], confidence: f64) -> Shift {
        hodges_lehmann(baseline, contender, confidence).expect("no side is empty")
    }

    /// From scipy.stats.mannwhitneyu(contender, baseline, method="exact").
    #[test]
    fn scipy_exact_p_values() {
        let baseline = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let contender = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06001, 3.24, 1.295];
        assert!((shift(&baseline, &contender, 0.95).p_value - 0.135_911_147_675_853_55).abs() < 1e-12);
        let baseline: Vec<f64> = (0..50).map(|i| f64::from(i * i % 97) + f64::from(i) / 100.0).collect();
        let contender: Vec<f64> = (0..50).map(|i| f64::from(i * i % 89) + 20.003 + f64::from(i) / 100.0).collect();
        assert!((shift(&baseline, &contender, 0.95).p_value / 0.003_011_940_450_396_651_2 - 1.0).abs() < 1e-12);
    }

    /// The p-value from scipy.stats.mannwhitneyu(contender, baseline, method="asymptotic"), the interval from the root
    /// that R's wilcox.test looks for, by scipy.optimize.brentq.
    #[test]
    fn many_observations_with_ties() {
        let baseline: Vec<f64> = (0..60).map(|i| f64::from(i * i % 61)).collect();
        let contender: Vec<f64> = (0..55).map(|i| f64::from(i * 7 % 59 + 5)).collect();
        let shift = shift(&baseline, &contender, 0.95);
        assert!((shift.p_value - 0.431_392_854_595_194).abs() < 1e-9);
        assert_eq!(shift.interval, Some((-4.0, 10.0)));
    }

    /// Critical values of U for a two-sided test at 5 %, as tables print them (Hollander, Wolfe and Chicken 2014), are
    /// k − 1.
    #[test]
    fn tabled_order_statistics() {
        for (m, n, k) in [(3, 3, 0), (3, 5, 1), (4, 4, 1), (5, 5, 3), (6, 4, 3), (10, 10, 24), (20, 20, 128)] {
            assert_eq!(order_statistic(&vec![0.0; m], &vec![0.0; n], 0.95), k, "{m} {n}");
        }
        // P(U < 1) is just a tail of 5 %.
        assert_eq!(order_statistic(&[0.0; 3], &[0.0; 3], 0.9), 1);
    }

    /// The approximation takes over without a jump.
    #[test]
    fn exact_and_approximate_order_statistics_agree() {
        let side = [0.5; EXACT];
        let exact = order_statistic(&side, &side, 0.95);
        let approximate = 1250.5 - 1.959_963_984_540_054 * deviation(EXACT, EXACT, 0.0);
        assert!(exact.abs_diff(approximate as usize) <= 1, "{exact} {approximate}");
    }

    /// Over all assignments of the same values, the interval covers no shift with the stated confidence, with ties too,
    /// and without ties one order statistic further inside it would not.
    #[test]
    fn coverage_by_enumeration() {
        let distinct = [0.3, 1.1, 2.9, 3.0, 4.7, 7.7, 8.0, 9.6, 12.5];
        let tied = [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 5.0, 5.0, 5.0];
        for (n, confidence) in [(4, 0.9), (4, 0.8), (3, 0.9), (5, 0.95), (2, 0.9)] {
            for values in [distinct, tied] {
                let mut covered = [0.0; 2];
                let mut all = 0.0;
                for (baseline, contender) in assignments(&values, n) {
                    let k = order_statistic(&baseline, &contender, confidence);
                    let pairs = (n * (9 - n)) as f64;
                    let u = superiority(&baseline, &contender) * pairs;
                    let (low, high) = shift(&baseline, &contender, confidence).interval.expect("enough observations");
                    all += 1.0;
                    covered[0] += f64::from(u8::from(low <= 0.0 && 0.0 <= high));
                    covered[1] += f64::from(u8::from(u.min(pairs - u).round() > k as f64));
                }
                assert!(covered[0] / all >= confidence - 1e-12, "{n} {confidence}");
                assert!(values == tied || covered[1] / all < confidence, "{n} {confidence}");
            }
        }
    }

    #[test]
    fn runs_needed_are_the_fewest_with_an_interval() {
        for confidence in [0.5, 0.8, 0.9, 0.95, 0.99, 0.999] {
            let n = runs_needed(confidence);
            let with = |n: usize| shift(&vec![1.0; n], &vec![2.0; n], confidence).interval.is_some();
            assert!(with(n) && (n == 1 || !with(n - 1)), "{confidence}");
        }
    }

    #[test]
    fn identical_values_are_not_shifted() {
        for n in [4, 60] {
            let none = Shift { estimate: 0.0, interval: Some((0.0, 0.0)), p_value: 1.0 };
            assert_eq!(shift(&vec![7.0; n], &vec![7.0; n], 0.95), none);
            assert_eq!(superiority(&vec![7.0; n], &vec![7.0; n]), 0.5);
        }
        assert_eq!(shift(&[7.0; 3], &[7.0; 3], 0.95).interval, None);
    }

    #[test]
    fn nothing_from_an_empty_side() {
        assert_eq!(hodges_lehmann(&[], &[1.0], 0.95), None);
        assert_eq!(hodges_lehmann(&[1.0], &[], 0.95), None);
        assert!(superiority(&[], &[1.0]).is_nan() && superiority(&[1.0], &[]).is_nan());
    }

    /// Whole numbers, so that ties are frequent and differences exact.
    fn side(most: usize) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec((0..20i32).prop_map(f64::from), 1..=most)
    }

    /// On either side of where the approximation begins.
    fn few_or_many() -> impl Strategy<Value = Vec<f64>> {
        prop_oneof![side(12), prop::collection::vec((0..20i32).prop_map(f64::from), EXACT + 1..EXACT + 9)]
    }

    proptest! {
        #[test]
        fn superiority_counts_pairs(baseline in side(30), contender in side(30)) {
            let pairs = baseline.iter().flat_map(|old| contender.iter().map(move |new| new - old));
            let share = |difference: f64| if difference == 0.0 { 0.5 } else { difference.clamp(0.0, 1.0) };
            let expected = pairs.map(share).sum::<f64>() / (baseline.len() * contender.len()) as f64;
            prop_assert!((superiority(&baseline, &contender) - expected).abs() < 1e-12);
        }

        /// The conditional distribution with ties, by counting all assignments.
        #[test]
        fn p_value_by_enumeration(baseline in side(5), contender in side(5)) {
            let distance = |(old, new): (Vec<f64>, Vec<f64>)| (superiority(&old, &new) - 0.5).abs();
            let observed = distance((baseline.clone(), contender.clone()));
            let all: Vec<f64> =
                assignments(&[&baseline[..], &contender[..]].concat(), contender.len()).map(distance).collect();
            let far = all.iter().filter(|one| **one >= observed - 1e-12).count();
            let p_value = shift(&baseline, &contender, 0.95).p_value;
            prop_assert!((p_value - far as f64 / all.len() as f64).abs() < 1e-12);
        }

        #[test]
        fn swapping_the_sides_mirrors(baseline in few_or_many(), contender in few_or_many()) {
            let (forward, back) = (shift(&baseline, &contender, 0.9), shift(&contender, &baseline, 0.9));
            prop_assert_eq!(forward.estimate, -back.estimate);
            prop_assert_eq!(forward.interval, back.interval.map(|(low, high)| (-high, -low)));
            prop_assert!((forward.p_value - back.p_value).abs() < 1e-12);
            prop_assert!((superiority(&baseline, &contender) + superiority(&contender, &baseline) - 1.0).abs() < 1e-12);
        }

        #[test]
        fn a_shift_moves_estimate_and_interval(
            baseline in few_or_many(),
            contender in few_or_many(),
            by in -30..30i32,
        ) {
            let by = f64::from(by);
            let moved: Vec<f64> = contender.iter().map(|value| value + by).collect();
            let (before, after) = (shift(&baseline, &contender, 0.9), shift(&baseline, &moved, 0.9));
            prop_assert_eq!(before.estimate + by, after.estimate);
            prop_assert_eq!(before.interval.map(|(low, high)| (low + by, high + by)), after.interval);
        }

        #[test]
        fn the_interval_contains_the_estimate(
            baseline in few_or_many(),
            contender in few_or_many(),
            confidence in 0.01..0.999f64,
        ) {
            let shift = shift(&baseline, &contender, confidence);
            prop_assert!((0.0..=1.0).contains(&shift.p_value));
            if let Some((low, high)) = shift.interval {
                prop_assert!(low <= shift.estimate && shift.estimate <= high);
            }
        }

        /// Without ties the interval excludes no shift just where the test rejects it.
        #[test]
        fn interval_and_p_value_agree(
            baseline in prop::collection::hash_set(0..10_000i32, 1..12),
            contender in prop::collection::hash_set(0..10_000i32, 1..12),
        ) {
            prop_assume!(baseline.is_disjoint(&contender));
            let [baseline, contender] =
                [baseline, contender].map(|side| side.into_iter().map(f64::from).collect::<Vec<f64>>());
            let shift = shift(&baseline, &contender, 0.95);
            let excluded = shift.interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0);
            prop_assert_eq!(excluded, shift.p_value <= 0.05 + 1e-9);
        }
    }
}

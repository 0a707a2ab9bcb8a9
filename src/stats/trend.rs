//! The Mann–Kendall test of a trend and the Theil–Sen slope, for one series or several that share a clock.
//!
//! Only the order of the values enters the test, so that neither outliers nor a change of unit matter. Several series
//! (runs of different settings on one machine) are compared within themselves only and their statistics added: the
//! seasonal Kendall test of Hirsch, Slack and Smith (1982, Water Resources Research 18, 107–121).

use statrs::{
    distribution::{ContinuousCDF, Normal},
    statistics::{Data, Median},
};

/// How values move with time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Kendall's τ_b between time and value, from −1 to 1.
    pub tau: f64,
    /// The median slope between two values, in the unit of the values per unit of time: Theil (1950), Sen (1968).
    pub slope: f64,
    /// The two-sided p-value of no trend.
    pub p_value: f64,
}

/// The pairs of 50 values: beyond them the exact distribution takes long, and the normal approximation is within 5 % at
/// p = 0.01 and errs on the safe side further out.
const EXACT_PAIRS: usize = 50 * 49 / 2;

/// The trend of values in the order given; the slope is per step. See [`grouped_trend`].
///
/// ```
/// let trend = kaeanalysis::stats::trend::trend(&[1.0, 2.0, 4.0, 3.0, 5.0]).expect("five values");
/// assert!((trend.tau - 0.8).abs() < 1e-12 && (trend.slope - 1.0).abs() < 1e-12);
/// assert!((trend.p_value - 1.0 / 12.0).abs() < 1e-12);
/// ```
pub fn trend(values: &[f64]) -> Option<Trend> {
    grouped_trend(&[values.iter().enumerate().map(|(step, value)| (step as f64, *value)).collect()])
}

/// The common trend of several groups of (time, value), in any order; only values of one group are compared.
///
/// The p-value is exact where nothing is tied in any group and there are no more pairs than 50 values have: the null
/// distribution of a sum of independent groups is the convolution of theirs. Otherwise it is the normal approximation
/// with the variance for ties in time and value (Kendall 1970, chapter 4) and a continuity correction of 1.
///
/// `None` if no group has three values, if no two values of a group differ in both time and value, or on overflow.
///
/// ```
/// use kaeanalysis::stats::trend::grouped_trend;
/// let groups = [vec![(0.0, 1.0), (2.0, 2.0), (4.0, 3.0)], vec![(1.0, 70.0), (3.0, 71.0), (5.0, 72.0)]];
/// let trend = grouped_trend(&groups).expect("three values");
/// assert_eq!((trend.tau, trend.slope), (1.0, 0.5));
/// assert!((trend.p_value - 2.0 / 36.0).abs() < 1e-12);
/// ```
pub fn grouped_trend(groups: &[Vec<(f64, f64)>]) -> Option<Trend> {
    if groups.iter().all(|group| group.len() < 3) {
        return None;
    }
    let (mut score, mut variance, mut comparable, mut tied) = (0.0, 0.0, 0.0, false);
    let mut pairs = 0;
    let mut slopes = Vec::new();
    for group in groups {
        for (at, (time, value)) in group.iter().enumerate() {
            for (other_time, other_value) in &group[..at] {
                score += sign(*time, *other_time) * sign(*value, *other_value);
                if time != other_time {
                    slopes.push((value - other_value) / (time - other_time));
                }
            }
        }
        let times = Ties::of(group.iter().map(|(time, _)| *time).collect());
        let values = Ties::of(group.iter().map(|(_, value)| *value).collect());
        comparable += (times.untied_pairs() * values.untied_pairs()).sqrt();
        variance += score_variance(&times, &values);
        tied |= times.pairs + values.pairs > 0.0;
        pairs += group.len() * group.len().saturating_sub(1) / 2;
    }
    let p_value = if tied || pairs > EXACT_PAIRS {
        let z = (score.abs() - 1.0).max(0.0) / variance.sqrt();
        2.0 * Normal::standard().cdf(-z)
    } else {
        exact_p_value(groups.iter().map(Vec::len), (pairs as f64 - score.abs()) as usize / 2)
    };
    let trend = Trend { tau: score / comparable, slope: Data::new(slopes).median(), p_value };
    (comparable > 0.0 && trend.slope.is_finite()).then_some(trend)
}

/// Which of two numbers is larger: 1 for the first, −1 for the second, 0 for neither.
fn sign(a: f64, b: f64) -> f64 {
    f64::from(i8::from(a > b) - i8::from(a < b))
}

/// Sums over the sets of t equal values among n.
struct Ties {
    n: f64,
    /// Σ t(t − 1), twice the tied pairs.
    pairs: f64,
    /// Σ t(t − 1)(t − 2).
    triples: f64,
    /// Σ t(t − 1)(2t + 5).
    weighted: f64,
}

impl Ties {
    fn of(mut values: Vec<f64>) -> Ties {
        values.sort_by(f64::total_cmp);
        let mut ties = Ties { n: values.len() as f64, pairs: 0.0, triples: 0.0, weighted: 0.0 };
        for equal in values.chunk_by(|a, b| a == b) {
            let t = equal.len() as f64;
            ties.pairs += t * (t - 1.0);
            ties.triples += t * (t - 1.0) * (t - 2.0);
            ties.weighted += t * (t - 1.0) * (2.0 * t + 5.0);
        }
        ties
    }

    fn untied_pairs(&self) -> f64 {
        (self.n * (self.n - 1.0) - self.pairs) / 2.0
    }
}

/// The variance of Kendall's score when every order is as likely: Kendall (1970), equation 4.3.
fn score_variance(times: &Ties, values: &Ties) -> f64 {
    let n = times.n;
    let pairs = n * (n - 1.0);
    // Without pairs or triples there are no tied ones either.
    (pairs * (2.0 * n + 5.0) - times.weighted - values.weighted) / 18.0
        + times.pairs * values.pairs / (2.0 * pairs).max(1.0)
        + times.triples * values.triples / (9.0 * pairs * (n - 2.0)).max(1.0)
}

/// The two-sided probability of so few discordant pairs, or fewer, when every order of each group is as likely.
fn exact_p_value(sizes: impl Iterator<Item = usize>, discordant: usize) -> f64 {
    // Each value is discordant with 0 to i of the i before it in its group, all as likely (Kendall 1970, chapter 5).
    let mut distribution = vec![1.0];
    for before in sizes.flat_map(|size| 1..size) {
        let mut next = vec![0.0; distribution.len() + before];
        for (at, probability) in distribution.iter().enumerate() {
            // Sums only: differences of cumulated sums would lose the digits of the far tail.
            next[at..=at + before].iter_mut().for_each(|cell| *cell += probability / (before + 1) as f64);
        }
        distribution = next;
    }
    (2.0 * distribution[..=discordant].iter().sum::<f64>()).min(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NILE: [f64; 12] =
        [1120.0, 1160.0, 963.0, 1210.0, 1161.0, 1159.0, 813.0, 1230.0, 1370.0, 1140.0, 995.0, 935.0];

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-10 * b.abs()
    }

    /// scipy.stats.kendalltau(range(12), NILE, method="exact"), scipy.stats.theilslopes(NILE).
    #[test]
    fn scipy_values() {
        let trend = trend(&NILE).expect("twelve values");
        assert!(
            close(trend.tau, -1.0 / 11.0)
                && close(trend.p_value, 0.737_305_524_657_955_2)
                && close(trend.slope, -2.805_555_555_555_555_4)
        );
        let rising: Vec<f64> = (0..50).map(f64::from).collect();
        assert!(close(
            super::trend(&rising).expect("fifty values").p_value,
            2.0 / (1..=50).map(f64::from).product::<f64>()
        ));
    }

    /// scipy.stats.kendalltau(range(9), values); pymannkendall.original_test(values): s = 21, var_s = 251/3.
    #[test]
    fn ties_and_a_continuity_correction() {
        let trend = trend(&[1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 3.0, 4.0, 3.0]).expect("nine values");
        assert!(
            close(trend.tau, 0.649_933_683_619_681_5) && close(trend.p_value, 0.028_777_469_732_290_843),
            "{trend:?}"
        );
    }

    /// pymannkendall.seasonal_test(values, period=4): s = 43, var_s = 325/3, slope = 0.5.
    #[test]
    fn the_seasonal_kendall_test() {
        let years = [
            [9.0, 4.0, 7.0, 1.0],
            [8.0, 5.0, 7.0, 2.0],
            [9.5, 6.0, 8.0, 2.0],
            [9.0, 5.5, 9.0, 3.0],
            [10.0, 6.5, 8.5, 2.5],
            [11.0, 6.0, 9.0, 4.0],
        ];
        let season = |at: usize| years.iter().enumerate().map(|(year, row)| (year as f64, row[at])).collect();
        let trend = grouped_trend(&[0, 1, 2, 3].map(season)).expect("six values");
        assert!(close(trend.p_value, 5.454895758169527e-05) && trend.slope == 0.5, "{trend:?}");
    }

    /// scipy: S = 549 by kendalltau(range(51), values), p = 2·norm.sf((S − 1) / sqrt(n(n − 1)(2n + 5) / 18)).
    #[test]
    fn many_values_have_the_normal_approximation() {
        let values: Vec<f64> = (0..51).map(|at| f64::from(at * 37 % 51 + at)).collect();
        let trend = trend(&values).expect("varies");
        assert!(close(trend.tau, 549.0 / 1275.0) && close(trend.p_value, 8.548_261_174_842_741e-6), "{trend:?}");
    }

    #[test]
    fn no_trend_in_nothing() {
        assert_eq!(trend(&[]), None);
        assert_eq!(trend(&[1.0, 2.0]), None);
        assert_eq!(trend(&[1.0; 5]), None);
        assert_eq!(grouped_trend(&[]), None);
        assert_eq!(grouped_trend(&[vec![(0.0, 1.0), (1.0, 2.0)], vec![]]), None);
        assert_eq!(grouped_trend(&[vec![(0.0, 1.0), (0.0, 2.0), (0.0, 3.0)]]), None);
    }

    proptest! {
        #[test]
        fn the_sign_of_the_values_mirrors_the_trend(values in prop::collection::vec(-9i8..9, 3..30)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let negated: Vec<f64> = values.iter().map(|value| -value).collect();
            if let (Some(one), Some(other)) = (trend(&values), trend(&negated)) {
                prop_assert_eq!((one.tau, one.slope, one.p_value), (-other.tau, -other.slope, other.p_value));
                prop_assert!(one.tau.abs() <= 1.0 + 1e-12 && (0.0..=1.0).contains(&one.p_value));
            }
        }

        #[test]
        fn neither_the_order_of_a_group_nor_of_the_groups_matters(
            groups in prop::collection::vec(prop::collection::vec((-9i8..9, -9i8..9), 0..8), 0..5),
        ) {
            let mut groups: Vec<Vec<(f64, f64)>> = groups
                .into_iter()
                .map(|group| group.into_iter().map(|(time, value)| (f64::from(time), f64::from(value))).collect())
                .collect();
            let one = grouped_trend(&groups);
            groups.reverse();
            groups.iter_mut().for_each(|group| group.reverse());
            let other = grouped_trend(&groups);
            prop_assert_eq!(one.is_some(), other.is_some());
            if let (Some(one), Some(other)) = (one, other) {
                prop_assert!((one.p_value - other.p_value).abs() < 1e-12 && (one.tau - other.tau).abs() < 1e-12);
                prop_assert_eq!(one.slope, other.slope);
            }
        }
    }
}

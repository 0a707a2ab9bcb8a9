//! Does each run resemble the one before? Von Neumann's ratio on ranks (Bartels 1982, Journal of the American
//! Statistical Association 77, 40–46), pooled over groups.
//!
//! A lag-one coefficient of a short series is biased by about −1/n, and its normal approximation does not hold the
//! level. Von Neumann's ratio treats the ends so that the bias vanishes, and its first two moments over all orders of
//! given scores are known exactly (Young 1941, Annals of Mathematical Statistics 12, 293–300), so that groups of any
//! size, with ties too, can be pooled. Ranks keep one odd run from deciding.

use statrs::function::beta::beta_reg;

/// How much values resemble the one before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Autocorrelation {
    /// The lag-one coefficient of the ranks, 1 − (von Neumann's ratio)/2, from −1 to 1: the mean over the groups
    /// weighted by their sizes. On average 0 for independent values, whatever their number.
    pub lag_one: f64,
    /// The one-sided p-value of independence: small for positive dependence.
    pub p_value: f64,
}

/// The dependence of each value on the one before it in its group; values of a group are in order of time.
///
/// The p-value is that of the symmetric beta distribution with the exact variance, as Bartels proposes for one series,
/// but not below the probability that every group is in ascending or descending order. At 0.01 its level, counted over
/// all orders of up to four small groups, is at most 0.0131 if all have at least five values and 0.0167 otherwise.
///
/// Groups below three values or of equal ones are left out; `None` if no group is left.
///
/// ```
/// use kaeanalysis::stats::autocorrelation::autocorrelation;
/// let drifting: [&[f64]; 2] = [&[5.0, 5.1, 5.3, 5.2, 5.6, 5.9], &[7.4, 7.1, 7.2, 6.8, 6.7, 6.9]];
/// let found = autocorrelation(&drifting).expect("two groups");
/// assert!(found.lag_one > 0.5 && found.p_value < 0.05);
/// ```
pub fn autocorrelation(groups: &[&[f64]]) -> Option<Autocorrelation> {
    let (mut lag_one, mut variance, mut count, mut least) = (0.0, 0.0, 0.0, 1.0);
    for group in groups.iter().filter(|group| group.len() >= 3) {
        let n = group.len() as f64;
        let ranks = ranks(group);
        let squares: f64 = ranks.iter().map(|rank| rank.powi(2)).sum();
        if squares == 0.0 {
            continue;
        }
        let steps: f64 = ranks.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
        let kurtosis = n * ranks.iter().map(|rank| rank.powi(4)).sum::<f64>() / squares.powi(2);
        lag_one += n * (1.0 - steps / squares / 2.0);
        variance += n * n * (2.0 * n - 3.0 - kurtosis) / (2.0 * n * (n - 1.0));
        count += n;
        least *= (1..=group.len()).fold(2.0, |product, place| product / place as f64);
    }
    if count == 0.0 {
        return None;
    }
    lag_one /= count;
    variance /= count * count;
    // On −1 to 1 a symmetric beta distribution with both parameters a has the variance 1/(2a + 1).
    let parameter = (variance.recip() - 1.0) / 2.0;
    let p_value = beta_reg(parameter, parameter, (1.0 - lag_one) / 2.0).max(least);
    Some(Autocorrelation { lag_one, p_value })
}

/// Twice the rank of each value, counted from the middle one: how many are smaller, less how many are larger.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let rank = |value: &f64| {
        let smaller = sorted.partition_point(|other| other < value);
        let larger = values.len() - sorted.partition_point(|other| other <= value);
        smaller as f64 - larger as f64
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Independent standard normal numbers: a linear congruential generator (Knuth's MMIX) and Box and Muller.
    struct Normals(u64);

    impl Normals {
        fn uniform(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64
        }
    }

    impl Iterator for Normals {
        type Item = f64;

        fn next(&mut self) -> Option<f64> {
            let radius = (-2.0 * self.uniform().ln()).sqrt();
            Some(radius * (std::f64::consts::TAU * self.uniform()).cos())
        }
    }

    /// The share of p-values at most 0.01 in series of x = coefficient · previous + normal.
    fn rejected(sizes: &[usize], coefficient: f64, repetitions: u32) -> f64 {
        let mut normals = Normals(20_240_607);
        let hits = (0..repetitions).filter(|_| {
            let groups: Vec<Vec<f64>> = sizes
                .iter()
                .map(|size| {
                    let next = |state: &mut f64, normal: f64| {
                        *state = coefficient * *state + normal;
                        Some(*state)
                    };
                    normals.by_ref().take(*size).scan(0.0, next).collect()
                })
                .collect();
            let slices: Vec<&[f64]> = groups.iter().map(Vec::as_slice).collect();
            autocorrelation(&slices).expect("values differ").p_value <= 0.01
        });
        hits.count() as f64 / f64::from(repetitions)
    }

    #[test]
    fn holds_its_level_and_finds_dependence() {
        for sizes in [&[5][..], &[6], &[8], &[12], &[30], &[5, 5], &[5, 6, 7], &[5; 12], &[10, 30]] {
            let level = rejected(sizes, 0.0, 10_000);
            assert!(level <= 0.015, "{sizes:?}: {level}");
        }
        assert!(rejected(&[30; 4], 0.6, 1_000) > 0.9);
    }

    /// By hand: ranks 1 2 3 5 4 6 7 8 have a sum of squared steps of 1 + 1 + 4 + 1 + 4 + 1 + 1 and of squares of 42.
    /// scipy.stats.beta.cdf(13 / 42 / 4, p, p) with Bartels's p = 5n(n+1)(n−1)²/(2(n−2)(5n²−2n−9)) − 1/2 for n = 8.
    #[test]
    fn one_series_without_ties_is_bartels_test() {
        let found = autocorrelation(&[&[0.1, 0.2, 0.3, 0.5, 0.4, 0.6, 0.7, 7.0]]).expect("values differ");
        assert!((found.lag_one - (1.0 - 13.0 / 84.0)).abs() < 1e-14);
        assert!((found.p_value / 0.0005379110515212622 - 1.0).abs() < 1e-10, "{found:?}");
    }

    #[test]
    fn too_little_to_tell() {
        assert_eq!(autocorrelation(&[]), None);
        assert_eq!(autocorrelation(&[&[], &[1.0, 2.0], &[3.0; 7]]), None);
        let one: [&[f64]; 1] = [&[1.0, 2.0, 3.0, 4.0, 5.0]];
        assert!((autocorrelation(&one).expect("values differ").p_value - 2.0 / 120.0).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn bounded_and_blind_to_monotone_scales(
            groups in prop::collection::vec(prop::collection::vec(-9i8..9, 0..9), 0..5),
        ) {
            let by = |scale: &dyn Fn(i8) -> f64| {
                let groups: Vec<Vec<f64>> =
                    groups.iter().map(|group| group.iter().map(|value| scale(*value)).collect()).collect();
                autocorrelation(&groups.iter().map(Vec::as_slice).collect::<Vec<_>>())
            };
            let plain = by(&|value| f64::from(value));
            prop_assert_eq!(plain, by(&|value| f64::from(value).exp()));
            // A series read backwards, or upside down, is as dependent.
            prop_assert_eq!(plain, by(&|value| -f64::from(value)));
            if let Some(found) = plain {
                prop_assert!(found.lag_one.abs() <= 1.0 && (0.0..=1.0).contains(&found.p_value));
            }
        }
    }
}

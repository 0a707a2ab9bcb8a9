//! Planning a comparison of two means by Welch's t test: how likely a difference is found, how many observations it
//! takes, and which difference a given number of observations finds.
//!
//! Every difference and every standard deviation is on one scale, the one that is tested: on logarithms an effect is a
//! log ratio (0.05 is about 5 %) and a standard deviation is about a coefficient of variation. Sides come as pairs.
//!
//! Under an effect the statistic is taken as noncentral t (Cohen 1988, *Statistical Power Analysis for the Behavioral
//! Sciences*, chapter 2), with the degrees of freedom of Welch (1938) and Satterthwaite (1946) at the population
//! variances. This is exact for equal variances and equal numbers of observations, and an approximation otherwise.

use super::{noncentral_t, student_t};

/// The standard deviations of single observations, and whether the sides are measured in rounds. A pair of numbers are those of
/// independent sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    sigma: [f64; 2],
    rounds: bool,
}

impl From<[f64; 2]> for Spread {
    fn from(sigma: [f64; 2]) -> Self {
        Self { sigma, rounds: false }
    }
}

impl Spread {
    /// Observations in rounds of one of each side, compared within each by the paired t test: the standard deviations are those
    /// within a round, and n rounds have n − 1 degrees of freedom.
    ///
    /// ```
    /// use kaeanalysis::stats::power::{Spread, replicates};
    /// // statsmodels: TTestPower().solve_power(effect_size=0.05/(0.1*2**0.5), alpha=0.05, power=0.8) gives 64.7.
    /// assert_eq!(replicates(0.05, Spread::within_rounds([0.1, 0.1]), 0.95, 0.8), Some(65));
    /// ```
    pub fn within_rounds(sigma: [f64; 2]) -> Self {
        Self { sigma, rounds: true }
    }

    /// The standard deviation of one observation, in the square mean of the sides.
    pub fn sigma(&self) -> f64 {
        self.sigma[0].hypot(self.sigma[1]) / 2f64.sqrt()
    }
}

/// The searches for a number of observations end here.
const MOST: usize = 1_000_000;

/// The chance that the two-sided test at level 1 − `confidence` rejects, in either direction, when the means differ by
/// `effect` and single observations have the standard deviations `sigma`.
///
/// NaN below two observations on a side or if a standard deviation is not positive: there is no test then.
///
/// ```
/// use kaeanalysis::stats::power::power;
/// // statsmodels: TTestIndPower().power(effect_size=0.5, nobs1=20, alpha=0.05)
/// assert!((power(0.05, [0.1, 0.1], [20, 20], 0.95) - 0.337_939_028_925_041_1).abs() < 1e-9);
/// ```
pub fn power(effect: f64, spread: impl Into<Spread>, n: [usize; 2], confidence: f64) -> f64 {
    let Some((standard_error, degrees_of_freedom)) = design(spread.into(), n) else { return f64::NAN };
    let critical = student_t::two_sided_quantile(confidence, degrees_of_freedom);
    let noncentrality = effect / standard_error;
    noncentral_t::upper_tail(critical, degrees_of_freedom, noncentrality)
        + noncentral_t::upper_tail(critical, degrees_of_freedom, -noncentrality)
}

/// The least number of observations per side, two or more, with which an effect is found with at least this power.
/// `None` beyond a million, without an effect, for a power of one, and if a standard deviation is not positive.
///
/// ```
/// use kaeanalysis::stats::power::replicates;
/// // statsmodels: TTestIndPower().solve_power(effect_size=0.5, alpha=0.05, power=0.8) gives 63.77.
/// assert_eq!(replicates(0.05, [0.1, 0.1], 0.95, 0.8), Some(64));
/// ```
pub fn replicates(effect: f64, spread: impl Into<Spread>, confidence: f64, power: f64) -> Option<usize> {
    if effect == 0.0 || power >= 1.0 {
        return None;
    }
    let spread = spread.into();
    least(|n| self::power(effect, spread, [n, n], confidence) >= power)
}

/// The smallest positive effect that is found with this power, to ten digits.
///
/// `None` below two observations on a side, if a standard deviation is not positive, and unless the power is between
/// 1 − `confidence`, which no effect at all has, and one, which no effect reaches.
///
/// ```
/// use kaeanalysis::stats::power::detectable;
/// // The root of statsmodels' TTestIndPower().power(effect, 5, 0.05) - 0.8 by scipy.optimize.brentq is 2.024.
/// let effect = detectable([0.1, 0.1], [5, 5], 0.95, 0.8).expect("two or more observations");
/// assert!((effect - 0.202_443_933_938_456_7).abs() < 1e-9);
/// ```
pub fn detectable(spread: impl Into<Spread>, n: [usize; 2], confidence: f64, power: f64) -> Option<f64> {
    let spread = spread.into();
    let (standard_error, _) = design(spread, n)?;
    if !(power > 1.0 - confidence && power < 1.0) {
        return None;
    }
    let enough = |effect: f64| self::power(effect, spread, n, confidence) >= power;
    let (mut low, mut high) = (0.0, standard_error);
    while !enough(high) {
        low = high;
        high *= 2.0;
        if high.is_infinite() {
            return None;
        }
    }
    while high - low > 1e-10 * high {
        let middle = f64::midpoint(low, high);
        if enough(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// Half the width of the interval of the difference that Welch's t gives where the samples have just the standard
/// deviations `sigma`. NaN below two observations on a side or if a standard deviation is not positive.
///
/// ```
/// use kaeanalysis::stats::power::half_width;
/// // scipy: t.ppf(0.975, 8) * 0.1 * sqrt(2 / 5)
/// assert!((half_width([0.1, 0.1], [5, 5], 0.95) - 0.145_844_507_220_240_75).abs() < 1e-9);
/// ```
pub fn half_width(spread: impl Into<Spread>, n: [usize; 2], confidence: f64) -> f64 {
    design(spread.into(), n).map_or(f64::NAN, |(standard_error, degrees_of_freedom)| {
        standard_error * student_t::two_sided_quantile(confidence, degrees_of_freedom)
    })
}

/// The least number of observations per side, two or more, whose [`half_width`] is at most `half`. `None` beyond a
/// million and if a standard deviation is not positive.
///
/// ```
/// use kaeanalysis::stats::power::replicates_for_half_width;
/// assert_eq!(replicates_for_half_width(0.146, [0.1, 0.1], 0.95), Some(5));
/// ```
pub fn replicates_for_half_width(half: f64, spread: impl Into<Spread>, confidence: f64) -> Option<usize> {
    let spread = spread.into();
    least(|n| half_width(spread, [n, n], confidence) <= half)
}

/// The standard error of the difference of means and its degrees of freedom.
fn design(Spread { sigma, rounds }: Spread, n: [usize; 2]) -> Option<(f64, f64)> {
    if n.iter().any(|n| *n < 2) || !sigma.iter().all(|sigma| *sigma > 0.0) {
        return None;
    }
    // The norm and the shares do not underflow where squares of tiny deviations do.
    let [a, b] = [0, 1].map(|side| sigma[side] / (n[side] as f64).sqrt());
    let standard_error = a.hypot(b);
    if rounds {
        return Some((standard_error, (n[0].min(n[1]) - 1) as f64));
    }
    let inverse = (a / standard_error).powi(4) / (n[0] - 1) as f64 + (b / standard_error).powi(4) / (n[1] - 1) as f64;
    Some((standard_error, inverse.recip()))
}

/// The least n from two to [`MOST`] that is enough, given that more than enough is enough as well. More observations
/// raise both the noncentrality and the degrees of freedom, and each of them raises the power and narrows the interval.
fn least(enough: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut too_few, mut n) = (1, 2);
    while !enough(n) {
        if n == MOST {
            return None;
        }
        too_few = n;
        n = MOST.min(2 * n);
    }
    while n - too_few > 1 {
        let middle = usize::midpoint(too_few, n);
        if enough(middle) { n = middle } else { too_few = middle }
    }
    Some(n)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// From statsmodels: TTestIndPower().power(effect, n, 1 - confidence).
    #[test]
    fn statsmodels_power() {
        for (effect, n, confidence, expected) in [
            (1.0, 2, 0.95, 0.095_201_755_497_883_96),
            (3.0, 4, 0.99, 0.687_526_877_784_552_5),
            (0.1, 1000, 0.9, 0.722_610_126_265_747_4),
            (-1.2, 7, 0.95, 0.541_429_333_833_644_1),
        ] {
            let got = power(effect * 0.3, [0.3, 0.3], [n, n], confidence);
            assert!((got - expected).abs() < 1e-9, "{effect} {n} {confidence}: {got}");
        }
    }

    /// From statsmodels: TTestIndPower().solve_power(effect, None, 1 - confidence, power), which gives 6.387 and
    /// 14252.990; at the last effect its solver fails, and two observations have a power of 0.993.
    #[test]
    fn statsmodels_replicates() {
        for (effect, confidence, power, expected) in
            [(2.0, 0.95, 0.9, 7), (0.05, 0.99, 0.95, 14_253), (10.0, 0.95, 0.8, 2)]
        {
            assert_eq!(replicates(effect, [1.0, 1.0], confidence, power), Some(expected));
        }
    }

    /// Roots of statsmodels' TTestIndPower().power(effect, n, 1 - confidence) - power by scipy.optimize.brentq;
    /// solve_power itself stops after seven digits.
    #[test]
    fn statsmodels_effects() {
        for (n, confidence, power, expected) in
            [(3, 0.99, 0.9, 5.526_655_873_008_899), (50, 0.9, 0.95, 0.662_540_851_744_429_4)]
        {
            let got = detectable([1.0, 1.0], [n, n], confidence, power).expect("valid");
            assert!((got / expected - 1.0).abs() < 1e-8, "{n}: {got}");
        }
    }

    /// Six against three observations with variances in the ratio 1 to 4: Welch's degrees of freedom by hand.
    #[test]
    fn unequal_sides() {
        let (standard_error, degrees_of_freedom) = design([1.0, 2.0].into(), [6, 3]).expect("valid");
        assert!((standard_error - 1.5f64.sqrt()).abs() < 1e-15);
        assert!((degrees_of_freedom - 1.5f64.powi(2) / (1.0 / 180.0 + 8.0 / 9.0)).abs() < 1e-12);
        let (tiny, same) = design([1e-200, 2e-200].into(), [6, 3]).expect("valid");
        assert!((tiny / standard_error - 1e-200).abs() < 1e-214 && (same - degrees_of_freedom).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_planned() {
        assert_eq!(replicates(0.0, [1.0, 1.0], 0.95, 0.8), None);
        assert_eq!(replicates(1e-6, [1.0, 1.0], 0.95, 0.8), None);
        assert_eq!(replicates(1.0, [1.0, 1.0], 0.95, 1.0), None);
        assert_eq!(replicates(1.0, [0.0, 1.0], 0.95, 0.8), None);
        assert_eq!(replicates_for_half_width(0.0, [1.0, 1.0], 0.95), None);
        assert_eq!(detectable([1.0, 1.0], [1, 9], 0.95, 0.8), None);
        assert_eq!(detectable([1.0, 0.0], [9, 9], 0.95, 0.8), None);
        assert_eq!(detectable([1.0, f64::NAN], [9, 9], 0.95, 0.8), None);
        assert_eq!(detectable([1.0, 1.0], [9, 9], 0.95, 0.05), None);
        assert_eq!(detectable([1.0, 1.0], [9, 9], 0.95, 1.0), None);
        assert!(power(1.0, [1.0, 1.0], [1, 9], 0.95).is_nan() && half_width([1.0, 1.0], [9, 1], 0.95).is_nan());
    }

    #[test]
    fn the_search_finds_every_threshold() {
        for threshold in (2..200).chain([MOST - 1, MOST]) {
            assert_eq!(least(|n| n >= threshold), Some(threshold));
        }
        assert_eq!(least(|n| n > MOST), None);
    }

    /// The searches rest on it, down to the fewest observations.
    #[test]
    fn power_rises_with_every_observation() {
        for confidence in [0.5, 0.9, 0.95, 0.999] {
            for (effect, sigma) in [(0.01, [1.0, 1.0]), (1.0, [1.0, 1.0]), (5.0, [0.1, 3.0]), (4.0, [1.0, 1.0])] {
                let powers: Vec<f64> = (2..30).map(|n| power(effect, sigma, [n, n], confidence)).collect();
                assert!(powers.is_sorted_by(|few, many| many - few > -1e-9), "{effect} {confidence} {powers:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_effect_is_found_at_the_level_of_the_test(
            sigma in prop::array::uniform2(0.01..1.0f64),
            n in prop::array::uniform2(2usize..40),
            confidence in 0.5..0.999f64,
        ) {
            prop_assert!((power(0.0, sigma, n, confidence) / (1.0 - confidence) - 1.0).abs() < 1e-8);
        }

        #[test]
        fn symmetric_in_direction_and_sides(
            effect in 0.01..1.0f64,
            [a, b] in prop::array::uniform2(0.01..1.0f64),
            [n, m] in prop::array::uniform2(2usize..40),
        ) {
            let forward = power(effect, [a, b], [n, m], 0.95);
            prop_assert!((forward - power(-effect, [a, b], [n, m], 0.95)).abs() < 1e-9);
            prop_assert!((forward - power(effect, [b, a], [m, n], 0.95)).abs() < 1e-9);
        }

        #[test]
        fn one_observation_fewer_is_not_enough(
            effect in 0.05..1.0f64,
            sigma in prop::array::uniform2(0.01..1.0f64),
            wanted in 0.2..0.99f64,
        ) {
            let n = replicates(effect, sigma, 0.95, wanted).expect("below a million");
            prop_assert!(power(effect, sigma, [n, n], 0.95) >= wanted);
            prop_assert!(n == 2 || power(effect, sigma, [n - 1, n - 1], 0.95) < wanted);
            let n = replicates_for_half_width(effect, sigma, 0.95).expect("below a million");
            prop_assert!(half_width(sigma, [n, n], 0.95) <= effect);
            prop_assert!(n == 2 || half_width(sigma, [n - 1, n - 1], 0.95) > effect);
        }

        #[test]
        fn the_detectable_effect_has_the_power(
            sigma in prop::array::uniform2(0.01..1.0f64),
            n in prop::array::uniform2(2usize..40),
            wanted in 0.1..0.99f64,
        ) {
            let effect = detectable(sigma, n, 0.95, wanted).expect("valid");
            prop_assert!((power(effect, sigma, n, 0.95) - wanted).abs() < 1e-8);
        }
    }
}

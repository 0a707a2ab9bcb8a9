//! The upper tail of the noncentral t distribution, which the power of a t test needs and `statrs` lacks.
//!
//! T = (Z + δ) / S with Z standard normal and S² a chi-squared variable divided by its degrees of freedom. Hence
//! P(T > t) is the mean of Φ(δ − t·S) over S (Johnson, Kotz and Balakrishnan 1995, *Continuous Univariate
//! Distributions* 2, chapter 31). As an integral over ln S the integrand is analytic, has one peak and vanishes at both
//! ends, so that the trapezoidal rule converges exponentially (Trefethen and Weideman 2014, *SIAM Review* 56).

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// P(T > t) for T noncentral t, relatively to within 10⁻⁹ wherever it exceeds 10⁻¹², for degrees of freedom from 1 to
/// 10⁶ and noncentralities up to ±60; the ten digits of the normal distribution in `statrs` are the limit. Infinite
/// degrees of freedom give the normal distribution around the noncentrality.
///
/// ```
/// use kaeanalysis::stats::noncentral_t::upper_tail;
/// // Without noncentrality and with one degree of freedom this is the Cauchy distribution.
/// assert!((upper_tail(1.0, 1.0, 0.0) - 0.25).abs() < 1e-9);
/// // scipy.stats.nct.sf(2, 10, 1.5)
/// assert!((upper_tail(2.0, 10.0, 1.5) - 0.340_845_927_557_809).abs() < 1e-9);
/// ```
pub fn upper_tail(t: f64, degrees_of_freedom: f64, noncentrality: f64) -> f64 {
    let normal = Normal::standard();
    if degrees_of_freedom == f64::INFINITY {
        return normal.cdf(noncentrality - t);
    }
    // Squares of t must stay finite.
    let t = t.clamp(-1e150, 1e150);
    // The density of ln S but for a constant factor. No peak, of it or of the integrand below, is much narrower than
    // `width`.
    let density = |u: f64| (-degrees_of_freedom * ((2.0 * u).exp_m1() / 2.0 - u)).exp();
    let width = (2.0 * degrees_of_freedom + noncentrality * noncentrality).sqrt().recip();
    let peak = peak(t, degrees_of_freedom, noncentrality);
    let tail = integral(|u| normal.cdf(noncentrality - t * u.exp()) * density(u), peak, width);
    // The constant by the same rule: a logarithm of the gamma function loses digits for many degrees of freedom.
    (tail / integral(density, 0.0, width)).clamp(0.0, 1.0)
}

/// Where Φ(δ − t·s) times the density of u = ln s is highest: its logarithmic derivative changes sign just once.
fn peak(t: f64, degrees_of_freedom: f64, noncentrality: f64) -> f64 {
    let normal = Normal::standard();
    // Φ′/Φ, by its asymptote where both underflow.
    let inverse_mills = |x: f64| if x < -30.0 { -x } else { normal.pdf(x) / normal.cdf(x) };
    let slope = |u: f64| {
        let threshold = t * u.exp();
        -degrees_of_freedom * (2.0 * u).exp_m1() - threshold * inverse_mills(noncentrality - threshold)
    };
    let (mut low, mut high) = (-1.0, 1.0);
    while slope(low) < 0.0 {
        low *= 2.0;
    }
    while slope(high) > 0.0 {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The integral of a function with one peak, by the trapezoidal rule with ever more points until it settles. The range
/// is found by stepping away from the peak, in steps doubled from `width`, until nothing is left of the function.
fn integral(function: impl Fn(f64) -> f64, peak: f64, width: f64) -> f64 {
    let negligible = function(peak) * 1e-17;
    let end = |mut reach: f64| {
        while function(peak + reach) > negligible {
            reach *= 2.0;
        }
        peak + reach
    };
    let (low, high) = (end(-width), end(width));
    let mut intervals = 32;
    let mut step = (high - low) / 32.0;
    let mut sum: f64 = (0..=intervals).map(|i| function(low + f64::from(i) * step)).sum();
    loop {
        let refined = sum + (0..intervals).map(|i| function(low + (f64::from(i) + 0.5) * step)).sum::<f64>();
        intervals *= 2;
        step /= 2.0;
        // Each doubling squares the error: the next one would change nothing in double precision.
        if (refined - 2.0 * sum).abs() <= 1e-10 * refined || refined.is_nan() || intervals >= 1 << 20 {
            return refined * step;
        }
        sum = refined;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::student_t;
    use super::*;

    /// From scipy.stats.nct.sf(t, df, nc), and equal to mpmath's integral at 30 digits.
    #[test]
    fn scipy_values() {
        for (t, df, noncentrality, tail) in [
            (2.5, 1.0, 3.0, 0.734_915_296_414_202_1),
            (30.0, 3.5, 25.0, 0.423_215_878_105_935_03),
            (-1.0, 8.0, -4.0, 0.001_649_604_423_234_070_2),
            (-12.0, 40.0, -10.0, 0.876_148_781_779_460_8),
            (62.0, 1e6, 60.0, 0.022_854_789_955_764_836),
            (20.0, 2.0, -1.0, 0.000_187_929_583_428_156_68),
        ] {
            let got = upper_tail(t, df, noncentrality);
            assert!((got / tail - 1.0).abs() < 1e-9, "{t} {df} {noncentrality}: {got}");
        }
    }

    #[test]
    fn extremes_are_certain() {
        for df in [1.0, 30.0, 1e6, f64::INFINITY] {
            for noncentrality in [-60.0, 0.0, 60.0] {
                assert!(upper_tail(f64::INFINITY, df, noncentrality) < 1e-12);
                assert!(upper_tail(f64::NEG_INFINITY, df, noncentrality) > 1.0 - 1e-9);
            }
        }
    }

    #[test]
    fn not_a_number_stays_one() {
        for df in [5.0, f64::INFINITY] {
            assert!(upper_tail(f64::NAN, df, 1.0).is_nan() && upper_tail(1.0, df, f64::NAN).is_nan());
        }
        assert!(upper_tail(1.0, f64::NAN, 1.0).is_nan());
    }

    proptest! {
        #[test]
        fn without_noncentrality_it_is_students(t in -50.0..50.0f64, df in 1.0..1e4f64) {
            let (got, expected) = (upper_tail(t, df, 0.0), student_t::upper_tail(t, df));
            prop_assert!((got - expected).abs() < 1e-9 * expected + 1e-12);
        }

        #[test]
        fn mirrored(t in -80.0..80.0f64, df in 1.0..1e6f64, noncentrality in -60.0..60.0f64) {
            let both = upper_tail(t, df, noncentrality) + upper_tail(-t, df, -noncentrality);
            prop_assert!((both - 1.0).abs() < 1e-9);
        }

        /// P(T > 0) = P(Z > −δ), whatever the degrees of freedom.
        #[test]
        fn at_zero_it_is_normal(df in 1.0..1e6f64, noncentrality in -7.0..60.0f64) {
            let expected = upper_tail(0.0, f64::INFINITY, noncentrality);
            prop_assert!((upper_tail(0.0, df, noncentrality) / expected - 1.0).abs() < 1e-9);
        }

        #[test]
        fn falls_with_t_and_rises_with_noncentrality(
            t in -60.0..60.0f64,
            df in 1.0..1e6f64,
            noncentrality in -60.0..60.0f64,
        ) {
            let tail = upper_tail(t, df, noncentrality);
            prop_assert!(upper_tail(t + 0.5, df, noncentrality) <= tail + 1e-9);
            prop_assert!(upper_tail(t, df, noncentrality + 0.5) >= tail - 1e-9);
        }
    }
}

//! The log-normal distribution: its coefficient of variation, and the standard deviation of its logarithm.

/// The standard deviation of the logarithm, of a coefficient of variation.
///
/// ```
/// use kaeanalysis::stats::log_normal::{cv, sigma};
/// assert!((cv(sigma(0.5)) - 0.5).abs() < 1e-15);
/// ```
pub fn sigma(cv: f64) -> f64 {
    (cv * cv).ln_1p().sqrt()
}

/// The coefficient of variation, of a standard deviation of the logarithm.
pub fn cv(sigma: f64) -> f64 {
    (sigma * sigma).exp_m1().sqrt()
}

//! Pure functions on slices of numbers. They know neither runs nor workers; each names the source of its method.

pub mod autocorrelation;
pub mod bootstrap;
pub mod contrast;
pub mod factorial;
pub mod fieller;
pub mod homogeneity;
pub mod log_normal;
pub mod moments;
pub mod multiple;
pub mod noncentral_t;
pub mod outliers;
pub mod power;
pub mod rank;
pub mod student_t;
pub mod trend;

/// A two-sided confidence interval, and the test that belongs to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Two-sided p-value of the value that was asked about.
    pub p_value: f64,
}

//! Count, mean and spread of a sample: all that a t interval needs of it, in however many parts it comes.

/// A standard deviation that rounding alone can make: logarithms of measured values are about 8, and their differences
/// inherit the rounding.
pub(super) const ROUNDING: f64 = 128.0 * f64::EPSILON;

/// The sufficient statistics of a normal sample.
///
/// ```
/// use kaeanalysis::stats::moments::Moments;
///
/// let whole = Moments::of(&[1.0, 2.0, 4.0, 8.0]);
/// let parts = Moments::of(&[1.0, 2.0]).merge(Moments::of(&[4.0, 8.0]));
/// assert_eq!((whole.count, whole.mean, whole.variance()), (parts.count, parts.mean, parts.variance()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    /// How many observations.
    pub count: u64,
    /// Their arithmetic mean; 0 without any.
    pub mean: f64,
    /// The sum of the squares of their deviations from the mean.
    pub squares: f64,
    /// The largest absolute value.
    pub largest: f64,
}

impl Moments {
    /// Of no observation.
    pub const NONE: Self = Self { count: 0, mean: 0.0, squares: 0.0, largest: 0.0 };

    /// Of all observations at once. Summing squares of deviations cannot cancel as sum(x²) − n·mean² does.
    pub fn of(sample: &[f64]) -> Self {
        if sample.is_empty() {
            return Self::NONE;
        }
        let mean = sample.iter().sum::<f64>() / sample.len() as f64;
        Self {
            count: sample.len() as u64,
            mean,
            squares: sample.iter().map(|value| (value - mean).powi(2)).sum(),
            largest: sample.iter().fold(0.0, |most: f64, value| most.max(value.abs())),
        }
    }

    /// With one more observation (Welford 1962).
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let deviation = value - self.mean;
        self.mean += deviation / self.count as f64;
        self.squares += deviation * (value - self.mean);
        self.largest = self.largest.max(value.abs());
    }

    /// Of two samples together (Chan, Golub and LeVeque 1983).
    #[must_use]
    pub fn merge(self, other: Self) -> Self {
        if self.count == 0 || other.count == 0 {
            return if self.count == 0 { other } else { self };
        }
        let (n, m) = (self.count as f64, other.count as f64);
        let deviation = other.mean - self.mean;
        Self {
            count: self.count + other.count,
            mean: self.mean + deviation * m / (n + m),
            squares: self.squares + other.squares + deviation.powi(2) * n * m / (n + m),
            largest: self.largest.max(other.largest),
        }
    }

    /// The sample variance, with n − 1 in the denominator; `None` below two observations. A spread that rounding alone can
    /// make is none: the logarithms of 200/100 and 260/130 differ in their last digit.
    pub fn variance(self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let variance = self.squares / (self.count - 1) as f64;
        let rounding = (self.largest / 8.0).max(1.0) * ROUNDING;
        Some(if variance.sqrt() <= rounding { 0.0 } else { variance })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_of_large_values_do_not_cancel() {
        let offset = 1e9;
        let sample: Vec<f64> = (0..1000).map(|i| offset + f64::from(i % 7)).collect();
        let mut pushed = Moments::default();
        sample.iter().for_each(|value| pushed.push(*value));
        let merged = sample.chunks(13).map(Moments::of).fold(Moments::default(), Moments::merge);
        let whole = Moments::of(&sample).variance().expect("varies");
        for other in [pushed, merged] {
            assert!((other.variance().expect("varies") / whole - 1.0).abs() < 1e-6);
        }
    }

    proptest! {
        #[test]
        fn parts_say_what_the_whole_says(sample in prop::collection::vec(1.0..1e6f64, 0..60), cut in 0usize..61) {
            let cut = cut.min(sample.len());
            let whole = Moments::of(&sample);
            let merged = Moments::of(&sample[..cut]).merge(Moments::of(&sample[cut..]));
            let mut pushed = Moments::default();
            sample.iter().for_each(|value| pushed.push(*value));
            for other in [merged, pushed] {
                prop_assert_eq!(other.count, whole.count);
                prop_assert_eq!(other.largest, whole.largest);
                prop_assert!((other.mean - whole.mean).abs() <= 1e-9 * whole.largest);
                prop_assert!((other.squares - whole.squares).abs() <= 1e-9 * whole.largest.powi(2) * 60.0);
            }
        }
    }
}

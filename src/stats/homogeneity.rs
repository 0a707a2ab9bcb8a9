//! Do samples spread equally? The test of Brown and Forsythe (1974, Journal of the American Statistical Association 69,
//! 364–367): Levene's analysis of variance on the distances from the medians, which holds its level for skewed and
//! heavy-tailed values.

use statrs::{
    function::beta::beta_reg,
    statistics::{Data, Median},
};

use super::contrast::{mean, variance};

/// The p-value of equal spread by the F distribution.
///
/// Groups below three values are left out: the two distances of a pair from its median are equal, which would pass as a
/// group measured without error. `None` if fewer than two groups are left, if the distances vary in no group, or on
/// overflow.
///
/// ```
/// use kaeanalysis::stats::homogeneity::brown_forsythe;
/// let p_value = brown_forsythe(&[&[1.0, 2.0, 3.0, 4.0], &[10.0, 40.0, 20.0, 70.0]]).expect("two groups");
/// assert!((p_value - 0.036_304_703_067_648_5).abs() < 1e-12);
/// ```
pub fn brown_forsythe(groups: &[&[f64]]) -> Option<f64> {
    let distances: Vec<Vec<f64>> = groups
        .iter()
        .filter(|group| group.len() >= 3)
        .map(|group| {
            let median = Data::new(group.to_vec()).median();
            group.iter().map(|value| (value - median).abs()).collect()
        })
        .collect();
    let all = mean(&distances.concat());
    let (mut between, mut within, mut count) = (0.0, 0.0, 0.0);
    for group in &distances {
        let size = group.len() as f64;
        between += size * (mean(group) - all).powi(2);
        within += (size - 1.0) * variance(group)?;
        count += size;
    }
    let free = distances.len() as f64 - 1.0;
    let rest = count - distances.len() as f64;
    // NaN without groups. The upper tail of F, directly: one minus its distribution function would lose the digits of
    // small p-values.
    let share = within / (within + between);
    (free > 0.0 && within > 0.0 && share.is_finite()).then(|| beta_reg(rest / 2.0, free / 2.0, share))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// scipy.stats.levene(*groups, center="median").
    #[test]
    fn scipy_values() {
        let (a, b, c) = ([8.88, 9.12, 9.04, 8.98, 9.0], [8.88, 8.95, 9.29, 9.44, 9.15, 9.58], [8.95, 9.12, 8.95]);
        for (groups, expected) in
            [(&[&a[..], &b, &c][..], 0.039_253_816_079_458_37), (&[&a, &b], 0.028_341_023_288_438_467)]
        {
            let p_value = brown_forsythe(groups).expect("varies");
            assert!((p_value / expected - 1.0).abs() < 1e-10, "{p_value} {expected}");
        }
        assert_eq!(brown_forsythe(&[&a, &b]), brown_forsythe(&[&a, &[1.0, 9.0], &b, &[]]));
    }

    #[test]
    fn no_p_value_without_spread() {
        assert_eq!(brown_forsythe(&[]), None);
        assert_eq!(brown_forsythe(&[&[1.0, 2.0, 3.0]]), None);
        assert_eq!(brown_forsythe(&[&[1.0, 2.0, 3.0], &[1.0, 2.0]]), None);
        assert_eq!(brown_forsythe(&[&[1.0; 3], &[2.0; 4]]), None);
        assert_eq!(brown_forsythe(&[&[0.0, 0.0, 1.0, 1.0], &[0.0, 0.0, 9.0, 9.0]]), None);
    }

    proptest! {
        #[test]
        fn neither_order_nor_location_matters(
            groups in prop::collection::vec(prop::collection::vec(-9.0..9.0f64, 0..8), 0..5),
            shift in -9.0..9.0f64,
        ) {
            let moved: Vec<Vec<f64>> = groups
                .iter()
                .rev()
                .map(|group| group.iter().rev().map(|value| value + shift).collect())
                .collect();
            let slices = |groups: &[Vec<f64>]| -> Option<f64> {
                brown_forsythe(&groups.iter().map(Vec::as_slice).collect::<Vec<_>>())
            };
            if let (Some(one), Some(other)) = (slices(&groups), slices(&moved)) {
                prop_assert!((one - other).abs() < 1e-9 && (0.0..=1.0).contains(&one));
            }
        }
    }
}

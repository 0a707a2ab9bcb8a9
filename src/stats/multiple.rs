//! Several tests at once: p-values adjusted so that each can be compared with the one level of all of them.
//!
//! Holm and Bonferroni bound the probability of any false rejection, however the tests depend on each other; Holm is
//! never less powerful. Benjamini and Hochberg bound the expected share of false ones among the rejections, for
//! independent or positively dependent tests.

use serde::{Deserialize, Serialize};

use crate::named::named;

/// What is held at the level when several hypotheses are tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Adjustment {
    /// The error of each test by itself.
    #[default]
    None,
    /// The probability of any false rejection, step-down: Holm (1979).
    Holm,
    /// The probability of any false rejection, by the union bound: Dunn (1961).
    Bonferroni,
    /// The false discovery rate, step-up: Benjamini and Hochberg (1995).
    Bh,
}

named!(Adjustment, "an adjustment", { None => "none", Holm => "holm", Bonferroni => "bonferroni", Bh => "bh" });

/// The adjusted p-values, in the order of the given ones: a hypothesis is rejected at the level α if its adjusted
/// p-value is at most α. They keep the order of size of the p-values and do not exceed 1.
///
/// ```
/// use kaeanalysis::stats::multiple::{Adjustment, adjust};
/// assert_eq!(adjust(&[0.5, 0.125, 0.25], Adjustment::Holm), [0.5, 0.375, 0.5]);
/// ```
pub fn adjust(p_values: &[f64], how: Adjustment) -> Vec<f64> {
    let count = p_values.len();
    let mut ascending: Vec<usize> = (0..count).collect();
    ascending.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = p_values.to_vec();
    match how {
        Adjustment::None => {}
        Adjustment::Bonferroni => adjusted.iter_mut().for_each(|p| *p = (*p * count as f64).min(1.0)),
        Adjustment::Holm => {
            let mut running: f64 = 0.0;
            for (smaller, &at) in ascending.iter().enumerate() {
                running = running.max(p_values[at] * (count - smaller) as f64).min(1.0);
                adjusted[at] = running;
            }
        }
        Adjustment::Bh => {
            let mut running: f64 = 1.0;
            for (smaller, &at) in ascending.iter().enumerate().rev() {
                running = running.min(p_values[at] / ((smaller + 1) as f64 / count as f64));
                adjusted[at] = running;
            }
        }
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// From statsmodels.stats.multitest.multipletests(p, method=...)[1] with "holm", "bonferroni" and "fdr_bh".
    #[test]
    fn statsmodels_values() {
        let p = [0.013, 0.8, 0.0004, 0.04, 0.013, 0.21];
        for (how, expected) in [
            (Adjustment::None, p),
            (Adjustment::Holm, [0.065, 0.8, 0.002_4, 0.12, 0.065, 0.42]),
            (Adjustment::Bonferroni, [0.078, 1.0, 0.002_4, 0.24, 0.078, 1.0]),
            (Adjustment::Bh, [0.026, 0.8, 0.002_4, 0.06, 0.026, 0.252]),
        ] {
            for (got, expected) in adjust(&p, how).iter().zip(expected) {
                assert!((got / expected - 1.0).abs() <= 1e-15, "{how:?}: {got} {expected}");
            }
        }
    }

    proptest! {
        #[test]
        fn each_method_is_at_least_as_strict_as_the_next(p in prop::collection::vec(0.0..=1.0f64, 0..12)) {
            let [bonferroni, holm, bh] =
                [Adjustment::Bonferroni, Adjustment::Holm, Adjustment::Bh].map(|how| adjust(&p, how));
            for at in 0..p.len() {
                prop_assert!(bonferroni[at] <= 1.0 && bonferroni[at] >= holm[at]);
                prop_assert!(holm[at] >= bh[at] * (1.0 - 1e-15) && bh[at] >= p[at]);
            }
        }

        #[test]
        fn the_order_of_the_tests_does_not_matter(p in prop::collection::vec(0.0..=1.0f64, 0..12)) {
            let reversed: Vec<f64> = p.iter().rev().copied().collect();
            for how in [Adjustment::Holm, Adjustment::Bonferroni, Adjustment::Bh] {
                let mut back = adjust(&reversed, how);
                back.reverse();
                prop_assert_eq!(adjust(&p, how), back);
            }
        }
    }
}

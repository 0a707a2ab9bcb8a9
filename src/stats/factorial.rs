//! Effects of a two-level factorial design by least squares, and Lenth's yardstick for effects without replicates.
//!
//! An effect is the average at the high level minus the average at the low one: twice the coefficient of its term in
//! the coding −1 and +1 (Box, Hunter and Hunter 2005, chapter 5). Least squares gives the same for a full balanced
//! design and goes on where cells are missing, replicated unequally or left out on purpose. On logarithms an effect is
//! a log ratio.

use std::{collections::BTreeSet, iter};

use statrs::statistics::{Data, Median};

use serde::Serialize;

use super::student_t;

/// A main effect or an interaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The indexes of its factors, ascending: one for a main effect, several for an interaction.
    pub factors: Vec<usize>,
    /// How much more the values are at the high level than at the low one, in their unit.
    pub value: f64,
    /// Its standard error by the residual variance, in the unit of the values; `None` without a residual.
    pub standard_error: Option<f64>,
    /// The other terms whose column is plus or minus its own: what is measured is the sum or difference of all of them.
    pub aliases: Vec<Vec<usize>>,
}

/// What a two-level design can tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Factorial {
    /// The effects that can be estimated, main effects first, then interactions of two, of three and so on, each in the
    /// order of the factors.
    pub effects: Vec<Effect>,
    /// The terms that are neither an effect nor the alias of one: their column is the mean's or a combination of
    /// several.
    pub confounded: Vec<Vec<usize>>,
    /// The variance of one observation around the model and its degrees of freedom: replicates, and lack of fit where
    /// the model has fewer terms than there are cells. `None` where nothing is left beyond rounding.
    pub residual: Option<(f64, f64)>,
}

/// A residual standard deviation that rounding alone can make, per unit of the values; logarithms of measured values
/// are about 8, and values near 0 are differences of such.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The effects of the factors and their interactions.
///
/// `design` has one row per observation that says which factors are at their high level; `values` are the observations
/// in any unit. Replicates are equal rows. Terms enter the model by order of interaction as long as the rows can tell
/// them from those before. A term enters only if all terms within it have, so that no order is above log₂ of the number
/// of distinct rows; aliases are listed up to one order beyond. For many factors *and* many distinct rows there are
/// nearly 2ᵏ terms, each compared with all before: ten factors take seconds.
///
/// `None` without rows or factors, if the shapes differ, if a factor has one level only, or if the values overflow.
///
/// ```
/// use kaeanalysis::stats::factorial::effects;
/// let design = [vec![false, false], vec![true, false], vec![false, true], vec![true, true]];
/// let found = effects(&design, &[1.0, 3.0, 2.0, 8.0]).expect("both factors have two levels");
/// let values: Vec<f64> = found.effects.iter().map(|effect| effect.value).collect();
/// assert!((values[0] - 4.0).abs() < 1e-12 && (values[1] - 3.0).abs() < 1e-12 && (values[2] - 2.0).abs() < 1e-12);
/// assert_eq!(found.effects[2].factors, [0, 1]);
/// assert_eq!(found.residual, None);
/// ```
pub fn effects(design: &[Vec<bool>], values: &[f64]) -> Option<Factorial> {
    let factors = design.first()?.len();
    let same_shape = values.len() == design.len() && design.iter().all(|row| row.len() == factors);
    let two_levels = |factor: usize| design.iter().any(|row| row[factor] != design[0][factor]);
    if !same_shape || factors == 0 || !(0..factors).all(two_levels) {
        return None;
    }
    let cells = design.iter().collect::<BTreeSet<_>>().len();
    let mut qr = Qr::default();
    // The mean is the first term and no effect.
    let mut model: Vec<Term> = Vec::new();
    let mut confounded = Vec::new();
    for order in 0..=factors {
        let complete = model.len() == cells;
        for factors in combinations(order, factors) {
            let column = column(design, &factors);
            // Whole numbers, so that the comparison is exact.
            let same = model.iter().position(|term| dot(&term.column, &column).abs() == design.len() as f64);
            match same {
                Some(at) if at > 0 => model[at].aliases.push(factors),
                None if model.len() < cells && qr.append(&column) => {
                    model.push(Term { factors, column, aliases: Vec::new() });
                }
                _ => confounded.push(factors),
            }
        }
        if complete {
            break;
        }
    }

    let (coefficients, rest) = qr.solve(values);
    let degrees_of_freedom = (design.len() - model.len()) as f64;
    let variance = dot(&rest, &rest) / degrees_of_freedom;
    let rounding = values.iter().fold(8.0, |most: f64, value| most.max(value.abs())) * ROUNDING;
    let residual = (degrees_of_freedom > 0.0 && variance.sqrt() > rounding).then_some((variance, degrees_of_freedom));
    let effect = |(at, term): (usize, Term)| Effect {
        factors: term.factors,
        value: 2.0 * coefficients[at],
        standard_error: residual.map(|(variance, _)| 2.0 * (variance * qr.unscaled_variance(at)).sqrt()),
        aliases: term.aliases,
    };
    let effects: Vec<Effect> = model.into_iter().enumerate().skip(1).map(effect).collect();
    effects.iter().all(|effect| effect.value.is_finite()).then_some(Factorial { effects, confounded, residual })
}

/// A term of the model.
struct Term {
    factors: Vec<usize>,
    /// Its level in each row, −1 or 1.
    column: Vec<f64>,
    aliases: Vec<Vec<usize>>,
}

/// The sets of so many of the factors, in lexicographic order.
fn combinations(order: usize, factors: usize) -> impl Iterator<Item = Vec<usize>> {
    iter::successors(Some((0..order).collect()), move |set: &Vec<usize>| {
        let at = (0..order).rev().find(|at| set[*at] < factors - order + at)?;
        Some(set[..at].iter().copied().chain((set[at] + 1..).take(order - at)).collect())
    })
}

/// The product of the factors in the coding −1 and +1, per observation.
fn column(design: &[Vec<bool>], factors: &[usize]) -> Vec<f64> {
    design.iter().map(|row| factors.iter().map(|factor| if row[*factor] { 1.0 } else { -1.0 }).product()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A QR decomposition that grows by columns, by modified Gram–Schmidt.
#[derive(Default)]
struct Qr {
    /// The orthonormal columns.
    q: Vec<Vec<f64>>,
    /// The upper triangle, column by column down to its diagonal.
    r: Vec<Vec<f64>>,
}

impl Qr {
    /// Takes the projections on the columns out of a vector and returns them.
    fn project(&self, vector: &mut [f64]) -> Vec<f64> {
        let mut projections = vec![0.0; self.q.len()];
        // Once more than exact arithmetic needs: twice is enough for orthogonality (Giraud, Langou and Rozložník 2005).
        for _ in 0..2 {
            for (q, projection) in self.q.iter().zip(&mut projections) {
                let along = dot(q, vector);
                *projection += along;
                vector.iter_mut().zip(q).for_each(|(value, q)| *value -= along * q);
            }
        }
        projections
    }

    /// Appends a column of −1 and +1 unless it is a linear combination of those before.
    fn append(&mut self, column: &[f64]) -> bool {
        let mut q = column.to_vec();
        let mut r = self.project(&mut q);
        let norm = dot(&q, &q).sqrt();
        // Columns of whole numbers are either dependent, up to rounding, or far from it.
        let independent = norm > 1e-8 * (column.len() as f64).sqrt();
        if independent {
            q.iter_mut().for_each(|value| *value /= norm);
            r.push(norm);
            self.q.push(q);
            self.r.push(r);
        }
        independent
    }

    /// The least-squares coefficients and the residuals.
    fn solve(&self, values: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut residuals = values.to_vec();
        let mut coefficients = self.project(&mut residuals);
        for (at, r) in self.r.iter().enumerate().rev() {
            coefficients[at] /= r[at];
            let solved = coefficients[at];
            coefficients[..at].iter_mut().zip(r).for_each(|(left, r)| *left -= r * solved);
        }
        (coefficients, residuals)
    }

    /// The variance of a coefficient per unit of residual variance: the diagonal of (XᵀX)⁻¹ is the squared length of
    /// the solution of Rᵀw = e.
    fn unscaled_variance(&self, at: usize) -> f64 {
        let mut w = vec![0.0; self.r.len()];
        w[at] = self.r[at][at].recip();
        for later in at + 1..w.len() {
            w[later] = -dot(&self.r[later][at..later], &w[at..later]) / self.r[later][later];
        }
        dot(&w, &w)
    }
}

/// How large effects must be to stand out from those that are noise, judged by the effects themselves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Lenth {
    /// The pseudo standard error of an effect.
    pub pse: f64,
    /// The margin of error: a given effect beyond it is unlikely to be noise.
    pub me: f64,
    /// The simultaneous margin of error: any effect beyond it is unlikely to be noise.
    pub sme: f64,
}

/// The margins of Lenth (1989, Technometrics 31, 469–473) for the contrasts of a design without replicates, most of
/// which are taken to be noise; in the unit of the effects, at a confidence between 0 and 1.
///
/// `None` for fewer than three effects, or if more than half of them are zero.
///
/// ```
/// let effects = [1.3002, 0.2145, 1.0502, -0.0312, -0.0460, 0.2193, -0.0316];
/// let lenth = kaeanalysis::stats::factorial::lenth(&effects, 0.95).expect("seven effects");
/// assert!((lenth.pse - 0.0690).abs() < 1e-4 && (lenth.me - 0.2597).abs() < 1e-4);
/// ```
pub fn lenth(effects: &[f64], confidence: f64) -> Option<Lenth> {
    let mut sizes: Vec<f64> = effects.iter().map(|effect| effect.abs()).collect();
    let first = 1.5 * Data::new(sizes.clone()).median();
    if sizes.len() < 3 || first <= 0.0 {
        return None;
    }
    // At least half of the effects are left.
    sizes.retain(|size| *size < 2.5 * first);
    let pse = 1.5 * Data::new(sizes).median();
    let count = effects.len() as f64;
    let margin = |confidence| pse * student_t::two_sided_quantile(confidence, count / 3.0);
    Some(Lenth { pse, me: margin(confidence), sme: margin(confidence.powf(count.recip())) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every combination of levels in standard order: the first factor changes fastest.
    fn full(factors: usize) -> Vec<Vec<bool>> {
        (0..1usize << factors).map(|cell| (0..factors).map(|factor| cell >> factor & 1 == 1).collect()).collect()
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-10 * (1.0 + b.abs())
    }

    #[test]
    fn a_full_design_in_order() {
        // Workers 1 or 4, synchronous or asynchronous, without or with accelerator.
        let values = [587.0f64, 2255.0, 584.0, 2245.0, 1367.0, 5102.0, 2246.0, 7393.0].map(f64::ln);
        let found = effects(&full(3), &values).expect("two levels");
        let factors: Vec<Vec<usize>> = found.effects.iter().map(|effect| effect.factors.clone()).collect();
        assert_eq!(factors, [vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 2], vec![0, 1, 2]]);
        let got: Vec<f64> = found.effects.iter().map(|effect| effect.value).collect();
        for (got, expected) in got.iter().zip([1.3002, 0.2145, 1.0502, -0.0312, -0.0460, 0.2193, -0.0316]) {
            assert!((got - expected).abs() < 5e-5, "{got} {expected}");
        }
        assert_eq!((found.residual, found.confounded), (None, vec![]));
        let lenth = lenth(&got, 0.95).expect("seven effects");
        for (got, expected) in [(lenth.pse, 0.0690), (lenth.me, 0.2598), (lenth.sme, 0.6217)] {
            assert!((got - expected).abs() < 5e-5, "{got} {expected}");
        }
    }

    /// statsmodels.api.OLS(y, [1, A, B, AB]).fit(): 2·params, 2·bse, mse_resid, df_resid.
    #[test]
    fn unequal_replicates() {
        let rows =
            [[false, false], [true, false], [false, true], [true, true], [true, true], [false, false], [true, true]];
        let design = rows.map(Vec::from);
        let found = effects(&design, &[1.0, 3.0, 2.5, 7.0, 8.0, 1.5, 6.0]).expect("two levels");
        for (effect, value) in found.effects.iter().zip([3.125, 2.625, 1.375]) {
            assert!(close(effect.value, value));
            assert!(close(effect.standard_error.expect("replicates"), 0.708_333_333_333_333_3));
        }
        let (variance, degrees_of_freedom) = found.residual.expect("replicates");
        assert!(close(variance, 0.708_333_333_333_333_4) && degrees_of_freedom == 3.0);
    }

    #[test]
    fn a_half_fraction_lists_its_aliases() {
        // D = ABC: effects of one factor are mixed with those of three, those of two with each other.
        let design: Vec<Vec<bool>> =
            full(3).into_iter().map(|row| [row.clone(), vec![row[0] ^ row[1] ^ row[2]]].concat()).collect();
        let found = effects(&design, &[1.0, 2.0, 4.0, 3.0, 7.0, 5.0, 6.0, 9.0]).expect("two levels");
        let aliases: Vec<(Vec<usize>, Vec<Vec<usize>>)> =
            found.effects.into_iter().map(|effect| (effect.factors, effect.aliases)).collect();
        let expected = [
            (vec![0], vec![vec![1, 2, 3]]),
            (vec![1], vec![vec![0, 2, 3]]),
            (vec![2], vec![vec![0, 1, 3]]),
            (vec![3], vec![vec![0, 1, 2]]),
            (vec![0, 1], vec![vec![2, 3]]),
            (vec![0, 2], vec![vec![1, 3]]),
            (vec![0, 3], vec![vec![1, 2]]),
        ];
        assert_eq!(aliases, expected);
        assert!(found.confounded.is_empty());
    }

    #[test]
    fn a_term_equal_to_the_mean_or_to_a_mixture_is_left_out() {
        let opposed = effects(&[vec![false, true], vec![true, false]], &[1.0, 2.0]).expect("two levels");
        assert_eq!((opposed.effects[0].value, &opposed.effects[0].aliases[..]), (1.0, &[vec![1]][..]));
        assert_eq!(opposed.confounded, [[0, 1]]);

        // Three cells of four: AB = A + B − 1 where both are not at their low level at once.
        let three = effects(&full(2)[1..], &[1.0, 2.0, 4.0]).expect("two levels");
        assert!(close(three.effects[0].value, 2.0) && close(three.effects[1].value, 3.0));
        assert_eq!(three.confounded, [[0, 1]]);
    }

    #[test]
    fn equal_replicates_leave_no_residual() {
        let design = [full(1), full(1)].concat();
        let found = effects(&design, &[0.1, 0.3, 0.1, 0.3]).expect("two levels");
        assert_eq!((found.residual, found.effects[0].standard_error), (None, None));
    }

    #[test]
    fn many_factors_in_few_cells_end_soon() {
        // Every factor is one of the three of a full design.
        let design: Vec<Vec<bool>> = full(3).into_iter().map(|row| row.repeat(10)).collect();
        let found = effects(&design, &[1.0; 8]).expect("two levels");
        let orders: Vec<usize> = found.effects.iter().map(|effect| effect.factors.len()).collect();
        assert_eq!(orders, [1, 1, 1, 2, 2, 2, 3]);
    }

    #[test]
    fn nothing_to_tell() {
        assert_eq!(effects(&[], &[]), None);
        assert_eq!(effects(&[vec![], vec![]], &[1.0, 2.0]), None);
        assert_eq!(effects(&[vec![true, false], vec![true, true]], &[1.0, 2.0]), None);
        assert_eq!(effects(&full(1), &[1.0]), None);
        assert_eq!(effects(&[vec![true], vec![]], &[1.0, 2.0]), None);
        assert_eq!(lenth(&[], 0.95), None);
        assert_eq!(lenth(&[1.0, 2.0], 0.95), None);
        assert_eq!(lenth(&[0.0, 0.0, 0.0, 2.0], 0.95), None);
    }

    proptest! {
        #[test]
        fn the_order_of_the_rows_does_not_matter(
            rows in prop::collection::vec((prop::collection::vec(any::<bool>(), 3), -9.0..9.0f64), 1..20),
        ) {
            let (design, values): (Vec<Vec<bool>>, Vec<f64>) = rows.iter().cloned().unzip();
            let (reversed, other_values): (Vec<Vec<bool>>, Vec<f64>) = rows.into_iter().rev().unzip();
            let (one, other) = (effects(&design, &values), effects(&reversed, &other_values));
            prop_assert_eq!(one.is_some(), other.is_some());
            if let (Some(one), Some(other)) = (one, other) {
                prop_assert_eq!(one.effects.len(), other.effects.len());
                for (one, other) in one.effects.iter().zip(&other.effects) {
                    prop_assert!(close(one.value, other.value) && one.factors == other.factors);
                }
            }
        }

        #[test]
        fn the_model_is_hierarchical_and_gives_back_the_cells(
            rows in prop::collection::btree_map(prop::collection::vec(any::<bool>(), 4), -9.0..9.0f64, 1..16),
        ) {
            let (design, values): (Vec<Vec<bool>>, Vec<f64>) = rows.into_iter().unzip();
            if let Some(found) = effects(&design, &values) {
                prop_assert_eq!(found.effects.len() + 1, values.len());
                for effect in found.effects.iter().filter(|effect| effect.factors.len() > 1) {
                    for without in 0..effect.factors.len() {
                        let within = [&effect.factors[..without], &effect.factors[without + 1..]].concat();
                        prop_assert!(found.effects.iter().any(|effect| effect.factors == within));
                    }
                }
                let fitted = |row: usize| -> f64 {
                    found.effects.iter().map(|effect| effect.value / 2.0 * column(&design, &effect.factors)[row]).sum()
                };
                for row in 1..values.len() {
                    prop_assert!((values[row] - values[0] - fitted(row) + fitted(0)).abs() < 1e-9);
                }
            }
        }

        #[test]
        fn margins_grow_with_the_effects(
            effects in prop::collection::vec(-9.0..9.0f64, 3..20),
            factor in 0.1..10.0f64,
        ) {
            let scaled: Vec<f64> = effects.iter().map(|effect| effect * factor).collect();
            if let (Some(one), Some(other)) = (lenth(&effects, 0.95), lenth(&scaled, 0.95)) {
                prop_assert!(one.pse < one.me && one.me < one.sme);
                prop_assert!(close(one.sme * factor, other.sme));
            }
        }
    }
}

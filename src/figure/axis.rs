//! Ticks: where they stand and how they are written.

use plotters::coord::combinators::IntoLogRange;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;

use super::canvas::Type;
use super::svg::SCALE;
use crate::language::count;

/// A horizontal axis: a range of values on a range of units.
pub struct Axis {
    range: (f64, f64),
    units: (f64, f64),
    log: bool,
    /// Value and text of each tick.
    pub ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From zero to at least `most`.
    pub fn from_zero(most: f64, units: (f64, f64)) -> Self {
        let mut axis = Self { range: (0.0, most * 1.02), units, log: false, ticks: Vec::new() };
        axis.ticks = axis.densest(steps(0.0, most));
        axis
    }

    /// Ratios from `least` to `most` on a logarithmic scale; 1 always stands on it.
    pub fn of_ratios(least: f64, most: f64, units: (f64, f64)) -> Self {
        let (least, most) = (least.min(1.0), most.max(1.0));
        // A margin, and some width even if all ratios are 1.
        let margin = (most.ln() - least.ln()).max(0.02) * 0.08;
        let range = ((least.ln() - margin).exp(), (most.ln() + margin).exp());
        let mut axis = Self { range, units, log: true, ticks: Vec::new() };
        let candidates = if range.1 / range.0 < 3.0 { steps(range.0, range.1) } else { decades(range) };
        axis.ticks = axis.densest(candidates);
        axis
    }

    /// Where a value stands, in units; one beyond the end stands at the end.
    pub fn at(&self, value: f64) -> f64 {
        let value = value.clamp(self.range.0, self.range.1);
        let pixels = ((self.units.0 * SCALE) as i32, (self.units.1 * SCALE) as i32);
        let pixel = if self.log {
            plotters::coord::combinators::LogCoord::<f64>::from((self.range.0..self.range.1).log_scale())
                .map(&value, pixels)
        } else {
            <RangedCoordf64 as From<_>>::from(self.range.0..self.range.1).map(&value, pixels)
        };
        f64::from(pixel) / SCALE
    }

    /// Whether a value lies beyond the end of the axis.
    pub fn is_beyond(&self, value: f64) -> bool {
        value < self.range.0 || value > self.range.1
    }

    /// The densest set of ticks whose texts stand clear of each other.
    fn densest(&self, candidates: Vec<Vec<f64>>) -> Vec<(f64, String)> {
        let style = Type::SMALL;
        let labelled = candidates.into_iter().map(|values| {
            let inside = values.into_iter().filter(|value| *value >= self.range.0 && *value <= self.range.1);
            inside.map(|value| (value, written(value))).collect::<Vec<_>>()
        });
        let clear = |ticks: &Vec<(f64, String)>| {
            ticks.windows(2).all(|pair| {
                let between = self.at(pair[1].0) - self.at(pair[0].0);
                between >= (style.width(&pair[0].1) + style.width(&pair[1].1)) / 2.0 + style.size * 0.6
            })
        };
        labelled.filter(clear).max_by_key(Vec::len).unwrap_or_default()
    }
}

/// Multiples of 1, 2, 2.5 and 5 times powers of ten that cover a range, from few to many.
fn steps(from: f64, to: f64) -> Vec<Vec<f64>> {
    let base = 10f64.powf((to - from).log10().floor() - 1.0);
    [50.0, 25.0, 20.0, 10.0, 5.0, 2.5, 2.0, 1.0]
        .iter()
        .map(|factor| {
            let step = base * factor;
            let first = (from / step).ceil() as i64;
            let last = (to / step).floor() as i64;
            (first..=last).map(|multiple| multiple as f64 * step).collect()
        })
        .collect()
}

/// Round numbers over decades, from few to many; 1 is always among them.
fn decades((from, to): (f64, f64)) -> Vec<Vec<f64>> {
    let (first, last) = (from.log10().floor() as i32, to.log10().ceil() as i32);
    let powers =
        |step: i32| (first..=last).filter(move |exponent| exponent % step == 0).map(|exponent| 10f64.powi(exponent));
    let sets: [&[f64]; 3] = [&[1.0, 3.0], &[1.0, 2.0, 5.0], &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0]];
    let sparse = [100, 12, 6, 4, 3, 2, 1].map(|step| powers(step).collect());
    let dense = sets.map(|set| powers(1).flat_map(|power| set.iter().map(move |digit| digit * power)).collect());
    sparse.into_iter().chain(dense).collect()
}

/// A tick with just the decimals that it needs, thousands separated.
fn written(value: f64) -> String {
    // Ticks are round; what they miss a round number by is binary.
    let text = format!("{value:.9}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map_or_else(|_| whole.to_owned(), count);
    match fraction.trim_end_matches('0') {
        "" => whole,
        fraction => format!("{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_separated() {
        assert_eq!(texts(&Axis::from_zero(7393.0, (0.0, 250.0))), ["0", "2,000", "4,000", "6,000"]);
        assert_eq!(texts(&Axis::from_zero(0.8, (0.0, 250.0))).first(), Some(&"0"));
        assert_eq!(texts(&Axis::of_ratios(0.99, 1.01, (0.0, 250.0))), ["0.99", "0.995", "1", "1.005", "1.01"]);
        assert!(texts(&Axis::of_ratios(1.2, 3.9, (0.0, 250.0))).contains(&"2"));
        assert!(texts(&Axis::of_ratios(0.001, 900.0, (0.0, 250.0))).contains(&"1"));
    }

    #[test]
    fn one_stands_on_every_axis_of_ratios() {
        let axis = Axis::of_ratios(2.0, 4.0, (100.0, 300.0));
        assert!(axis.at(1.0) >= 100.0 && axis.at(1.0) < axis.at(2.0) && axis.at(4.0) <= 300.0);
    }
}

//! Are the runs fit to be compared? Drift, outliers, unequal spread, dependence, copies and rounding: each a warning with what to
//! do. Nothing is removed.

use std::collections::{BTreeMap, HashMap};
use std::f64::consts::PI;

use serde::Serialize;

use super::scope::{Scope, Selected};
use crate::error::Result;
use crate::language;
use crate::model::cells::{Cell, Cells};
use crate::model::{Runs, Warning};
use crate::named::named;
use crate::stats::autocorrelation::autocorrelation;
use crate::stats::contrast;
use crate::stats::homogeneity::brown_forsythe;
use crate::stats::log_normal;
use crate::stats::outliers::outliers;
use crate::stats::trend::grouped_trend;

/// The level of every test here: what is good is called bad in one study of a hundred per test.
const LEVEL: f64 = 0.01;
/// Rounding that moves a value by more than this share is worth a word.
const COARSE: f64 = 0.005;
/// Pairs of runs that the test for drift looks at.
const MOST_PAIRS: usize = 1_000_000;
/// So often the same value in one setting is looked at.
const SUSPICIOUS: usize = 3;
/// What chance brings about less often than this is suspicious.
const CHANCE: f64 = 0.05;

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quality {
    /// The metric.
    pub metric: String,
    /// How many runs.
    pub runs: usize,
    /// What was looked for, in order.
    pub tests: Vec<Test>,
    /// What was noticed while reading.
    pub warnings: Vec<Warning>,
}

/// One property that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// What was looked at.
    pub property: Property,
    /// What came out.
    pub outcome: Outcome,
    /// The p-value, of what is a test.
    pub p_value: Option<f64>,
    /// What was found.
    pub findings: Vec<Warning>,
}

/// A property of a set of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Property {
    /// Values rise or fall from run to run.
    Drift,
    /// A run resembles the one before it.
    Autocorrelation,
    /// Values far from the others of their setting.
    Outliers,
    /// Settings differ in their spread.
    Spread,
    /// Values that are equal beyond chance.
    Copies,
    /// Values given with few digits.
    Rounding,
}

named!(Property, "a property", {
    Drift => "drift",
    Autocorrelation => "autocorrelation",
    Outliers => "outliers",
    Spread => "spread",
    Copies => "copies",
    Rounding => "rounding",
});

/// What came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Nothing was found.
    Fine,
    /// Something was found.
    Found,
    /// There are too few runs to tell.
    TooFew,
}

/// Looks at the runs of each setting in the order in which they stand.
///
/// # Errors
/// What [`Scope`] refuses, or a value that is not above zero.
///
/// ```
/// use kaeanalysis::analysis::{Scope, quality::{Outcome, inspect}};
/// use kaeanalysis::ingest::read_bytes;
///
/// let rounded = inspect(&read_bytes(b"workers,rps\n1,8\n1,9\n", "few.csv")?, &Scope::default())?;
/// assert_eq!(rounded.tests[5].outcome, Outcome::Found);
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn inspect(runs: &Runs, scope: &Scope) -> Result<Quality> {
    scope.without_method("the look at the quality of runs")?;
    within(&scope.select(runs)?, scope)
}

/// One setting: what it is called, and its runs in order.
struct Series {
    setting: String,
    values: Vec<f64>,
    logs: Vec<f64>,
}

/// Looks at runs that were selected before.
pub(super) fn within(selected: &Selected, scope: &Scope) -> Result<Quality> {
    let answer = |tests| Quality {
        metric: selected.metric.name.to_owned(),
        runs: selected.runs.len(),
        tests,
        warnings: selected.warnings.clone(),
    };
    // Of sums there is no order, no outlier and no copy to be seen; a warning says so.
    if !selected.observations.is_complete() {
        return Ok(answer(Vec::new()));
    }
    let cells = Cells::of(&selected.runs, &scope.ignore);
    let mut series = Vec::new();
    for cell in &cells.cells {
        let values = selected.observations.in_order(cell)?;
        let logs = values.iter().map(|value| value.ln()).collect();
        series.push(Series { setting: cells.written(cell), values, logs });
    }
    let course = Course::of(selected, &cells, &series);
    let tests =
        vec![drift(&course), dependence(&course), strays(&series), spread(&series), copies(&series), rounding(&series)];
    Ok(answer(tests))
}

impl Quality {
    /// Everything that was found.
    pub fn findings(&self) -> impl Iterator<Item = &Warning> {
        self.tests.iter().flat_map(|test| &test.findings)
    }
}

/// A test with a p-value; `None` where it cannot be made.
fn tested(property: Property, p_value: Option<f64>, finding: impl FnOnce(f64) -> Warning) -> Test {
    let findings: Vec<Warning> = p_value.filter(|p| *p <= LEVEL).map(finding).into_iter().collect();
    let outcome = match p_value {
        None => Outcome::TooFew,
        Some(_) if findings.is_empty() => Outcome::Fine,
        Some(_) => Outcome::Found,
    };
    Test { property, outcome, p_value, findings }
}

/// What is seen without a test.
fn seen(property: Property, findings: Vec<Warning>) -> Test {
    let outcome = if findings.is_empty() { Outcome::Fine } else { Outcome::Found };
    Test { property, outcome, p_value: None, findings }
}

/// What happened over time: independent series in order. Runs of one round share what the round adds, so that rounds are one
/// series, of what they add on average; runs of one server start are one value.
struct Course {
    series: Vec<Vec<f64>>,
    blocks: bool,
}

impl Course {
    fn of(selected: &Selected, cells: &Cells, series: &[Series]) -> Self {
        let places = |cell: &Cell| cell.rows.iter().map(|&row| selected.observations.place(row)).collect::<Vec<_>>();
        let blocks =
            cells.cells.iter().flat_map(|cell| &cell.rows).all(|&row| selected.observations.place(row).0.is_some());
        if blocks {
            let mut rounds: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
            for (cell, one) in cells.cells.iter().zip(series) {
                let own = contrast::mean(&one.logs);
                for (&row, log) in cell.rows.iter().zip(&one.logs) {
                    if let (Some(block), _) = selected.observations.place(row) {
                        rounds.entry(block).or_default().push(log - own);
                    }
                }
            }
            return Self { series: vec![rounds.values().map(|inside| contrast::mean(inside)).collect()], blocks };
        }
        let by_start = |(cell, one): (&Cell, &Series)| -> Vec<f64> {
            let mut starts: Vec<(Option<usize>, Vec<f64>)> = Vec::new();
            for ((_, start), log) in places(cell).into_iter().zip(&one.logs) {
                match starts.iter_mut().rev().take(1).find(|(known, _)| start.is_some() && *known == start) {
                    Some((_, logs)) => logs.push(*log),
                    None => starts.push((start, vec![*log])),
                }
            }
            starts.iter().map(|(_, logs)| contrast::mean(logs)).collect()
        };
        Self { series: cells.cells.iter().zip(series).map(by_start).collect(), blocks }
    }
}

fn drift(course: &Course) -> Test {
    // The test looks at all pairs of a series; long ones are told in means of consecutive runs.
    let most = ((MOST_PAIRS as f64 / course.series.len() as f64).sqrt() as usize).max(3);
    let groups: Vec<Vec<(f64, f64)>> = course.series.iter().map(|one| thinned(one, most)).collect();
    let trend = grouped_trend(&groups);
    let longest = course.series.iter().map(Vec::len).max().unwrap_or(0);
    tested(Property::Drift, trend.map(|trend| trend.p_value), |_| {
        let per_run = trend.map_or(0.0, |trend| trend.slope);
        let change = (per_run * longest.saturating_sub(1) as f64).exp_m1();
        Warning::Drift { blocks: course.blocks, change: language::signed_percent(100.0 * change), runs: longest }
    })
}

/// Places in the order and values; at most so many, as means of stretches of equal length.
fn thinned(logs: &[f64], most: usize) -> Vec<(f64, f64)> {
    let stretch = logs.len().div_ceil(most).max(1);
    let middle = |number: usize, part: &[f64]| (number * stretch) as f64 + (part.len() as f64 - 1.0) / 2.0;
    logs.chunks(stretch).enumerate().map(|(number, part)| (middle(number, part), contrast::mean(part))).collect()
}

fn dependence(course: &Course) -> Test {
    let groups: Vec<&[f64]> = course.series.iter().map(Vec::as_slice).collect();
    let found = autocorrelation(&groups);
    tested(Property::Autocorrelation, found.map(|found| found.p_value), |_| Warning::Autocorrelation)
}

fn strays(series: &[Series]) -> Test {
    if series.iter().all(|one| one.logs.len() < 5) {
        return Test { property: Property::Outliers, outcome: Outcome::TooFew, p_value: None, findings: Vec::new() };
    }
    let of = |one: &Series| -> Vec<Warning> {
        let value = |index: usize| language::measured(one.values[index]);
        let found = outliers(&one.logs, LEVEL / series.len() as f64);
        found.into_iter().map(|index| Warning::Outlier { setting: one.setting.clone(), value: value(index) }).collect()
    };
    seen(Property::Outliers, series.iter().flat_map(of).collect())
}

fn spread(series: &[Series]) -> Test {
    let groups: Vec<&[f64]> = series.iter().map(|one| one.logs.as_slice()).collect();
    tested(Property::Spread, brown_forsythe(&groups), |_| {
        let repeated = series.iter().filter(|one| one.logs.len() > 2);
        let cvs: Vec<f64> = repeated
            .filter_map(|one| contrast::variance(&one.logs))
            .map(|variance| log_normal::cv(variance.sqrt()))
            .collect();
        let shown = |cv: f64| language::percent((cv * 1e4).round() / 1e4);
        Warning::UnequalSpread {
            least: shown(cvs.iter().copied().fold(f64::INFINITY, f64::min)),
            most: shown(cvs.iter().copied().fold(0.0, f64::max)),
        }
    })
}

/// The most decimals that any value has; negative where all are whole tens or hundreds, of which a few may be chance.
fn decimals(series: &[Series]) -> i32 {
    let values = || series.iter().flat_map(|one| &one.values);
    let of = |value: &f64| value.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len() as i32);
    match values().map(of).max().unwrap_or(0) {
        0 if values().count() >= 4 => {
            let round = |zeros: &i32| values().all(|value| value % 10f64.powi(*zeros) == 0.0);
            -(1..9).take_while(round).last().unwrap_or(0)
        }
        decimals => decimals,
    }
}

/// One unit of the last digit.
fn unit(decimals: i32) -> f64 {
    10f64.powi(-decimals)
}

impl Series {
    /// One unit of the last digit in standard deviations of the values; infinite where all are equal.
    fn coarseness(&self, decimals: i32) -> f64 {
        unit(decimals) / contrast::variance(&self.values).unwrap_or(0.0).sqrt()
    }

    /// How many sets of three equal values rounding brings about, of normal noise. Values that are all equal show no noise.
    fn triples(&self, decimals: i32) -> f64 {
        let n = self.values.len() as f64;
        let coarseness = self.coarseness(decimals);
        if coarseness.is_infinite() {
            return 0.0;
        }
        n * (n - 1.0) * (n - 2.0) / 6.0 * coarseness.powi(2) / (2.0 * PI * 3f64.sqrt())
    }

    /// The chance that another setting has the same values in the same order.
    fn coincidence(&self, decimals: i32) -> f64 {
        (self.coarseness(decimals) / (2.0 * PI.sqrt())).powi(self.values.len() as i32)
    }
}

fn copies(series: &[Series]) -> Test {
    let mut findings = Vec::new();
    let digits = decimals(series);
    let mut known: HashMap<Vec<u64>, &str> = HashMap::new();
    for one in series {
        let bits: Vec<u64> = one.values.iter().map(|value| value.to_bits()).collect();
        let mut times: HashMap<u64, usize> = HashMap::new();
        let repeated = bits.iter().find(|&&value| {
            let times = times.entry(value).or_default();
            *times += 1;
            *times == SUSPICIOUS
        });
        if let Some(value) = repeated.filter(|_| one.triples(digits) < CHANCE) {
            findings.push(Warning::RepeatedValue {
                setting: one.setting.clone(),
                value: language::measured(f64::from_bits(*value)),
                times: bits.iter().filter(|other| *other == value).count(),
            });
        }
        if bits.len() > 1 && one.coincidence(digits) < CHANCE {
            match known.get(&bits) {
                Some(original) => findings
                    .push(Warning::CopiedRuns { setting: one.setting.clone(), original: (*original).to_owned() }),
                None => drop(known.insert(bits, &one.setting)),
            }
        }
    }
    seen(Property::Copies, findings)
}

/// Half a unit of the last digit that any value has, against the smallest value.
fn rounding(series: &[Series]) -> Test {
    let smallest = series.iter().flat_map(|one| &one.values).copied().fold(f64::INFINITY, f64::min);
    let share = 0.5 * unit(decimals(series)) / smallest;
    let coarse = share > COARSE;
    let finding = coarse.then(|| Warning::CoarseRounding {
        value: language::measured(smallest),
        share: language::percent((share * 1e3).round() / 1e3),
    });
    seen(Property::Rounding, finding.into_iter().collect())
}

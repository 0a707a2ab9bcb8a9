//! Are the runs fit to be compared? Drift, outliers, unequal spread, dependence, copies and rounding: each a warning with what to
//! do. Nothing is removed.

use serde::Serialize;

use super::scope::{Scope, Selected};
use crate::error::Result;
use crate::language;
use crate::model::cells::Cells;
use crate::model::{Runs, Warning};
use crate::named::named;
use crate::stats::autocorrelation::autocorrelation;
use crate::stats::contrast;
use crate::stats::homogeneity::brown_forsythe;
use crate::stats::outliers::outliers;
use crate::stats::trend::grouped_trend;

/// The level of every test here: what is good is called bad in one study of a hundred per test.
const LEVEL: f64 = 0.01;
/// Rounding that moves a value by more than this share is worth a word.
const COARSE: f64 = 0.005;
/// So often the same value in one setting is no chance.
const SUSPICIOUS: usize = 3;

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
    let cells = Cells::of(&selected.runs, &scope.ignore);
    let mut series = Vec::new();
    for cell in &cells.cells {
        let (values, logs) = selected.observations.in_order(cell)?;
        series.push(Series { setting: cells.written(cell), values, logs });
    }
    let tests =
        vec![drift(&series), dependence(&series), strays(&series), spread(&series), copies(&series), rounding(&series)];
    Ok(Quality {
        metric: selected.metric.name.to_owned(),
        runs: selected.runs.len(),
        tests,
        warnings: selected.warnings.clone(),
    })
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

fn drift(series: &[Series]) -> Test {
    let groups: Vec<Vec<(f64, f64)>> = series
        .iter()
        .map(|one| one.logs.iter().enumerate().map(|(index, log)| (index as f64, *log)).collect())
        .collect();
    let trend = grouped_trend(&groups);
    let longest = series.iter().map(|one| one.logs.len()).max().unwrap_or(0);
    tested(Property::Drift, trend.map(|trend| trend.p_value), |_| {
        let per_run = trend.map_or(0.0, |trend| trend.slope);
        let change = (per_run * longest.saturating_sub(1) as f64).exp_m1();
        Warning::Drift { change: language::signed_percent(100.0 * change), runs: longest }
    })
}

fn dependence(series: &[Series]) -> Test {
    let groups: Vec<&[f64]> = series.iter().map(|one| one.logs.as_slice()).collect();
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
        let cvs: Vec<f64> =
            repeated.filter_map(|one| contrast::variance(&one.logs)).map(|variance| variance.exp_m1().sqrt()).collect();
        let shown = |cv: f64| language::percent((cv * 1e4).round() / 1e4);
        Warning::UnequalSpread {
            least: shown(cvs.iter().copied().fold(f64::INFINITY, f64::min)),
            most: shown(cvs.iter().copied().fold(0.0, f64::max)),
        }
    })
}

fn copies(series: &[Series]) -> Test {
    let mut findings = Vec::new();
    for (index, one) in series.iter().enumerate() {
        let repeats = |value: &f64| one.values.iter().filter(|other| *other == value).count();
        if let Some(value) = one.values.iter().find(|value| repeats(value) >= SUSPICIOUS) {
            findings.push(Warning::RepeatedValue {
                setting: one.setting.clone(),
                value: language::measured(*value),
                times: repeats(value),
            });
        }
        let copied = |other: &&Series| other.values.len() > 1 && other.values == one.values;
        if let Some(original) = series[..index].iter().find(copied) {
            findings.push(Warning::CopiedRuns { setting: one.setting.clone(), original: original.setting.clone() });
        }
    }
    seen(Property::Copies, findings)
}

/// Half a unit of the last digit that any value has, against the smallest value.
fn rounding(series: &[Series]) -> Test {
    let values = || series.iter().flat_map(|one| &one.values);
    let decimals = |value: &f64| value.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let digits = values().map(decimals).max().unwrap_or(0);
    let smallest = values().copied().fold(f64::INFINITY, f64::min);
    let share = 0.5 * 10f64.powi(-(digits as i32)) / smallest;
    let coarse = share > COARSE;
    let finding = coarse.then(|| Warning::CoarseRounding {
        value: language::measured(smallest),
        share: language::percent((share * 1e3).round() / 1e3),
    });
    seen(Property::Rounding, finding.into_iter().collect())
}

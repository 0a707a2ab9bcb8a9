//! What does one study say? Its summary, the comparisons that its factors allow, and what these come to.

use serde::Serialize;

use super::comparison::{Comparing, Comparison, compare};
use super::conclusion::{Conclusion, conclude};
use super::estimate::Precision;
use super::summary::{Summary, summarise};
use crate::error::{Error, Result};
use crate::ingest;
use crate::model::cells::Cells;
use crate::model::datasets::{self, Dataset};
use crate::model::{Factor, Level, Run, Runs, Warning};

/// Everything that is said of one study.
#[derive(Debug, Clone, Serialize)]
pub struct Study {
    /// The level of the column `study`, if there is one.
    pub name: Option<String>,
    /// What is known of it if it is a documented one.
    pub dataset: Option<Dataset>,
    /// How many runs.
    pub runs: usize,
    /// Every cell.
    pub summary: Summary,
    /// One comparison for each factor that answers a question.
    pub comparisons: Vec<Comparison>,
    /// What the comparisons come to.
    pub conclusions: Vec<Conclusion>,
    /// What could not be compared.
    pub warnings: Vec<Warning>,
}

/// Takes runs apart by study and analyses each. Runs that name no study are one by themselves.
///
/// # Errors
/// As [`summarise`] and [`compare`].
pub fn analyse(runs: &Runs, metric: Option<&str>, ignore: &[String], precision: &Precision) -> Result<Vec<Study>> {
    let mut names: Vec<Option<String>> = runs.studies().into_iter().map(Some).collect();
    if runs.factor("study").levels.contains(&Level::Unknown) {
        names.push(None);
    }
    names
        .into_iter()
        .map(|name| {
            let part = runs.of_study(name.as_deref())?;
            let ignore: Vec<String> = ignore.iter().filter(|factor| part.has_column(factor)).cloned().collect();
            let summary = summarise(&part, metric, &ignore, precision)?;
            let mut comparisons = Vec::new();
            let mut warnings = Vec::new();
            for question in questions(&part, &ignore) {
                let factor = question.factor.clone();
                let metric = metric.map(ToOwned::to_owned);
                let question = Comparing { metric, ignore: ignore.clone(), precision: *precision, ..question };
                // A question that the runs cannot answer must not cost the answers to the others.
                match compare(&part, &question) {
                    Ok(comparison) => comparisons.push(comparison),
                    Err(error) => warnings.push(Warning::NotCompared { factor, reason: error.to_string() }),
                }
            }
            let dataset = match &name {
                Some(name) => documented_as(name, &part)?,
                None => None,
            };
            let conclusions = comparisons.iter().flat_map(conclude).collect();
            Ok(Study { name, dataset, runs: part.len(), summary, comparisons, conclusions, warnings })
        })
        .collect()
}

/// The first comparison that a report on the runs would hold.
///
/// # Errors
/// Runs in which no factor varies.
pub fn first_question(runs: &Runs, ignore: &[String]) -> Result<Comparing> {
    questions(runs, ignore)
        .into_iter()
        .next()
        .ok_or_else(|| Error::input("no factor varies", "give runs with at least two levels of a factor"))
}

/// The description of a documented study, if these runs are its runs: a study of the same name may be anybody's.
fn documented_as(name: &str, runs: &Runs) -> Result<Option<Dataset>> {
    if !datasets::names().any(|known| known == name) {
        return Ok(None);
    }
    let documented: Vec<Run> = ingest::documented(name)?.rows().collect();
    if !runs.rows().all(|run| documented.contains(&run)) {
        return Ok(None);
    }
    datasets::describe(name).map(Some)
}

/// The comparisons that a study allows: accelerators against none, async against sync, and every other named factor
/// that varies. Numbers (workers, connections) are conditions of those; they are compared only if nothing else varies.
fn questions(runs: &Runs, ignore: &[String]) -> Vec<Comparing> {
    let cells = Cells::of(runs, ignore);
    let known = |factor: &Factor| (factor.name.clone(), factor.known().cloned().collect::<Vec<_>>());
    let varying: Vec<(String, Vec<Level>)> =
        cells.factors.iter().map(known).filter(|(_, levels)| levels.len() > 1).collect();
    let question = |(name, levels): &(String, Vec<Level>)| match name.as_str() {
        "accelerator" if levels.contains(&Level::from("none")) => Comparing::speedup(),
        "tls_mode" => Comparing::async_gain(),
        _ => Comparing::new(name),
    };
    let mut named: Vec<Comparing> = varying
        .iter()
        .filter(|(_, levels)| levels.iter().all(|level| matches!(level, Level::Text(_))))
        .map(question)
        .collect();
    named.sort_by_key(|comparing| match comparing.factor.as_str() {
        "accelerator" => 0,
        "tls_mode" => 1,
        _ => 2,
    });
    if named.is_empty() { varying.iter().take(1).map(question).collect() } else { named }
}

//! What does one study say? Its summary, the comparisons that its factors allow, and what these come to.

use serde::Serialize;

use super::comparison::{Comparing, Comparison, compare};
use super::conclusion::{Conclusion, conclude};
use super::estimate::Precision;
use super::summary::{Summary, summarise};
use crate::error::Result;
use crate::model::cells::Cells;
use crate::model::datasets::{self, Dataset};
use crate::model::{Factor, Level, Runs};

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
            let comparisons = questions(&part, &ignore)
                .into_iter()
                .map(|question| {
                    compare(
                        &part,
                        &Comparing {
                            metric: metric.map(ToOwned::to_owned),
                            ignore: ignore.clone(),
                            precision: *precision,
                            ..question
                        },
                    )
                })
                .collect::<Result<Vec<_>>>()?;
            let dataset = match &name {
                Some(name) => datasets::describe(name)?,
                None => None,
            };
            let conclusions = comparisons.iter().flat_map(conclude).collect();
            Ok(Study { name, dataset, runs: part.len(), summary, comparisons, conclusions })
        })
        .collect()
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

//! What does one study say? Its summary, the comparisons that its factors allow, and what these come to.

use serde::Serialize;

use super::claims::{self, Audit};
use super::comparison::{self, Comparing, Comparison};
use super::conclusion::{Conclusion, conclude};
use super::quality::{self, Quality};
use super::scope::Scope;
use super::summary::{self, Summary};
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
    /// What the runs say of the claims of a documented study.
    pub audit: Option<Audit>,
    /// Whether the runs are fit to be compared.
    pub quality: Quality,
    /// What could not be compared.
    pub warnings: Vec<Warning>,
}

/// Takes runs apart by study and analyses each. Runs that name no study are one by themselves.
///
/// # Errors
/// As [`summary::summarise`] and [`comparison::compare`].
pub fn analyse(runs: &Runs, scope: &Scope) -> Result<Vec<Study>> {
    let chosen = scope.filter(runs)?;
    let mut names: Vec<Option<String>> = chosen.studies().into_iter().map(Some).collect();
    if chosen.factor("study").levels.contains(&Level::Unknown) {
        names.push(None);
    }
    names
        .into_iter()
        .map(|name| {
            let (part, all) = (chosen.of_study(name.as_deref())?, runs.of_study(name.as_deref())?);
            let named = name.as_deref();
            let dataset = named.map_or(Ok(None), |name| documented_as(name, &part))?;
            let claims = dataset.as_ref().map(|dataset| dataset.claims.as_slice()).filter(|claims| !claims.is_empty());
            let audit = claims.map(|claims| claims::of_study(named, claims, &part, &all, scope));
            let part = scope.select_from(&part, &all)?;
            let summary = summary::within(&part, scope)?;
            let mut comparisons = Vec::new();
            let mut warnings = Vec::new();
            for question in questions(&part.runs, &scope.ignore) {
                let factor = question.factor.clone();
                // A question that the runs cannot answer must not cost the answers to the others.
                match comparison::within(&part, &Comparing { scope: scope.clone(), ..question }) {
                    Ok(comparison) => comparisons.push(comparison),
                    Err(error) => warnings.push(Warning::NotCompared { factor, reason: error.to_string() }),
                }
            }
            let quality = quality::within(&part, scope)?;
            let conclusions = comparisons.iter().flat_map(conclude).collect();
            Ok(Study {
                name,
                dataset,
                runs: part.runs.len(),
                summary,
                comparisons,
                conclusions,
                audit,
                quality,
                warnings,
            })
        })
        .collect()
}

/// The first comparison that a report on the runs would hold.
///
/// # Errors
/// Runs in which no factor varies, and what [`Scope`] refuses.
pub fn first_question(runs: &Runs, scope: &Scope) -> Result<Comparing> {
    questions(&scope.filter(runs)?, &scope.ignore)
        .into_iter()
        .next()
        .ok_or_else(|| Error::input("no factor varies", "give runs with at least two levels of a factor"))
}

/// The description of a documented study, if the runs that name it are its runs: a study of the same name may be anybody's.
pub(super) fn documented_as(name: &str, runs: &Runs) -> Result<Option<Dataset>> {
    if !datasets::names().any(|known| known == name) {
        return Ok(None);
    }
    let documented: Vec<Run> = ingest::documented(name)?.rows().collect();
    if !runs.of_study(Some(name))?.rows().all(|run| documented.contains(&run)) {
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

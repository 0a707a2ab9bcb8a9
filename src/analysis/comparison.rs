//! What does changing one factor do, all others held equal?
//!
//! Runs are grouped into cells (one combination of factor levels each). A cell of the baseline is compared with the cell of
//! the contender that has the same level of every other factor: such a pair is a stratum. Matching happens within a
//! study. A factor that has no level in common on the two sides cannot be held equal; the ratio is then that of both
//! changes together, and a warning names the factor.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::estimate::{Estimate, Precision, estimate};
use super::units::{Observations, Units};
use crate::error::{Error, Result, one_of};
use crate::model::cells::{Cell, Cells};
use crate::model::runs::find_level;
use crate::model::schema::{self, Better};
use crate::model::{Level, Runs, Settings, Warning};

/// What is compared, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparing {
    /// The factor.
    pub factor: String,
    /// The level that is 1; by default the first in order (`none`, `sync`, the smallest number, the first that appears).
    pub baseline: Option<String>,
    /// The level compared with it; by default every other.
    pub contender: Option<String>,
    /// The metric; by default `rps`, or the first there is.
    pub metric: Option<String>,
    /// Conditions on the runs, factor and level; several levels of one factor are alternatives.
    pub conditions: Vec<(String, String)>,
    /// Factors left out of the matching: runs that differ only in these become replicates.
    pub ignore: Vec<String>,
    /// How intervals are computed.
    pub precision: Precision,
}

impl Comparing {
    /// Compares every level of `factor` with its first.
    pub fn new(factor: &str) -> Self {
        Self {
            factor: factor.to_owned(),
            baseline: None,
            contender: None,
            metric: None,
            conditions: Vec::new(),
            ignore: Vec::new(),
            precision: Precision::default(),
        }
    }

    /// Every accelerator against none: the hard/soft ratio.
    pub fn speedup() -> Self {
        Self { baseline: Some("none".to_owned()), ..Self::new("accelerator") }
    }

    /// Async against sync mode.
    pub fn async_gain() -> Self {
        Self { baseline: Some("sync".to_owned()), contender: Some("async".to_owned()), ..Self::new("tls_mode") }
    }
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The factor compared.
    pub factor: String,
    /// The level that is 1.
    pub baseline: Level,
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its better direction.
    pub better: Better,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// What is the same in everything compared.
    pub conditions: Settings,
    /// The factors that tell the strata apart.
    pub factors: Vec<String>,
    /// One ratio per stratum and contender.
    pub strata: Vec<Stratum>,
    /// The geometric mean over the strata of each contender that has several.
    pub overall: Vec<Overall>,
    /// What to know beside it.
    pub warnings: Vec<Warning>,
}

/// One pair of cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stratum {
    /// Its levels of [`Comparison::factors`].
    pub settings: Settings,
    /// The level compared.
    pub contender: Level,
    /// Geometric mean of the baseline, in the metric's unit.
    pub baseline_mean: f64,
    /// Geometric mean of the contender.
    pub contender_mean: f64,
    /// Contender over baseline.
    pub ratio: Estimate,
}

/// The ratio over all strata of a contender.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overall {
    /// The level compared.
    pub contender: Level,
    /// How many strata.
    pub strata: usize,
    /// The geometric mean of their ratios.
    pub ratio: Estimate,
}

impl Comparison {
    /// Every warning, of the strata and of the whole, once.
    pub fn all_warnings(&self) -> Vec<Warning> {
        let ratios =
            self.strata.iter().map(|stratum| &stratum.ratio).chain(self.overall.iter().map(|overall| &overall.ratio));
        let mut warnings = Vec::new();
        for warning in ratios.flat_map(|ratio| &ratio.warnings).chain(&self.warnings) {
            push_new(&mut warnings, warning.clone());
        }
        warnings
    }

    /// The levels that are compared with the baseline.
    pub fn contenders(&self) -> Vec<&Level> {
        let mut contenders: Vec<&Level> = Vec::new();
        for stratum in &self.strata {
            if !contenders.contains(&&stratum.contender) {
                contenders.push(&stratum.contender);
            }
        }
        contenders
    }
}

/// Two matched cells, by index, and the stratum that they make up.
struct Pair {
    baseline: usize,
    contender: usize,
    /// For each factor, the index of the level that the stratum has. Where the factor could not be held equal, it is
    /// the level on the side that has several.
    levels: Vec<usize>,
}

/// Compares the levels of a factor.
///
/// # Errors
/// A factor, level or metric that the runs do not have; a factor with one level only; no two cells that match; a
/// confidence out of range.
///
/// ```
/// use kaeanalysis::analysis::comparison::{Comparing, compare};
/// use kaeanalysis::model::datasets;
///
/// let gain = compare(&datasets::load("vkae_vm")?, &Comparing::async_gain())?;
/// let with_vkae_1_worker = &gain.strata[1];
/// assert_eq!(format!("{:.4}", with_vkae_1_worker.ratio.estimate), "1.6430");
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
pub fn compare(runs: &Runs, comparing: &Comparing) -> Result<Comparison> {
    comparing.precision.check()?;
    let runs = &if comparing.conditions.is_empty() { runs.clone() } else { runs.filter(&comparing.conditions)? };
    let metric = comparing.metric.as_deref().unwrap_or_else(|| runs.main_metric());
    let known = schema::metric_named(metric)?;
    let observations = Observations::of(runs, metric)?;
    for ignored in &comparing.ignore {
        runs.known_factor(ignored)?;
        if *ignored == comparing.factor {
            return Err(Error::input(format!("{ignored:?} is compared and ignored at once"), "ignore another factor"));
        }
    }
    let (baseline, contenders) = levels(runs, comparing)?;
    let cells = cells(runs, comparing);
    let factor = cells.factor(&comparing.factor).ok_or_else(|| {
        Error::input(format!("{:?} says where a run stands in the design", comparing.factor), "compare a factor")
    })?;

    let mut warnings = runs.warnings().to_vec();
    let mut pairs = Vec::new();
    for contender in &contenders {
        pairs.extend(matches(&cells, factor, (&baseline, contender), &mut warnings)?);
    }
    let units: Vec<Units> = cells.cells.iter().map(|cell| observations.units(cell)).collect::<Result<_>>()?;
    let missing: usize = units.iter().map(|units| units.missing).sum();
    if missing > 0 {
        warnings.push(Warning::MetricMissing { metric: metric.to_owned(), runs: missing });
    }
    // A cell in which no run holds the metric has nothing to compare.
    pairs.retain(|pair| !units[pair.baseline].logs.is_empty() && !units[pair.contender].logs.is_empty());
    if pairs.is_empty() {
        return Err(no_match(&cells, factor, &baseline, &contenders));
    }
    // By the other factors first, then by contender.
    pairs.sort_by_cached_key(|pair| {
        let mut key = pair.levels.clone();
        let contender = key.remove(factor);
        (key, contender)
    });
    warnings.extend(ignored_that_vary(runs, &cells, &comparing.ignore, &pairs));

    let (conditions, factors) = describe(&cells, factor, &pairs);
    let cell = |index: usize| &cells.cells[index];
    let strata: Vec<Stratum> = pairs
        .iter()
        .map(|pair| {
            let (base, cont) = (&units[pair.baseline], &units[pair.contender]);
            Stratum {
                settings: factors
                    .iter()
                    .map(|&factor| {
                        (cells.factors[factor].name.clone(), cells.factors[factor].levels[pair.levels[factor]].clone())
                    })
                    .collect(),
                contender: cells.level(cell(pair.contender), factor).clone(),
                baseline_mean: base.geometric_mean,
                contender_mean: cont.geometric_mean,
                ratio: estimate(&[(-1.0, base), (1.0, cont)], &comparing.precision),
            }
        })
        .collect();
    let overall = contenders
        .iter()
        .filter_map(|contender| {
            let own: Vec<&Pair> =
                pairs.iter().filter(|pair| cells.level(cell(pair.contender), factor) == contender).collect();
            (own.len() > 1).then(|| Overall {
                contender: contender.clone(),
                strata: own.len(),
                ratio: over_strata(&own, &units, &comparing.precision),
            })
        })
        .collect();
    Ok(Comparison {
        factor: comparing.factor.clone(),
        baseline,
        metric: metric.to_owned(),
        unit: known.unit,
        better: known.better,
        confidence: comparing.precision.confidence,
        conditions,
        factors: factors.iter().map(|&factor| cells.factors[factor].name.clone()).collect(),
        strata,
        overall,
        warnings,
    })
}

/// The level that is 1 and those compared with it.
fn levels(runs: &Runs, comparing: &Comparing) -> Result<(Level, Vec<Level>)> {
    let factor = runs.known_factor(&comparing.factor)?;
    let known: Vec<Level> = factor.known().cloned().collect();
    let find = |wanted: &String| Ok::<_, Error>(factor.levels[find_level(&factor, wanted)?].clone());
    let named = |wanted: &Option<String>| wanted.as_ref().map(find).transpose();
    let contender = named(&comparing.contender)?;
    let baseline = match named(&comparing.baseline)? {
        Some(level) => level,
        None => known.iter().find(|level| Some(*level) != contender.as_ref()).cloned().unwrap_or(Level::Unknown),
    };
    let contenders: Vec<Level> = match contender {
        Some(level) => vec![level],
        None => known.iter().filter(|level| **level != baseline).cloned().collect(),
    };
    if contenders.contains(&baseline) {
        return Err(Error::input(
            format!("{}={baseline} is compared with itself", comparing.factor),
            format!("compare two different levels of {}", one_of(known)),
        ));
    }
    if baseline.is_unknown() || contenders.is_empty() {
        return Err(Error::input(
            format!("{} has only the level {} to compare", comparing.factor, one_of(known)),
            "add runs with another level, or choose another factor",
        ));
    }
    Ok((baseline, contenders))
}

/// The cells, with the compared factor even where it only restates another (`vcpus`).
fn cells(runs: &Runs, comparing: &Comparing) -> Cells {
    let mut ignore = comparing.ignore.clone();
    if schema::DERIVED.contains(&comparing.factor.as_str()) {
        ignore.push("vm_size".to_owned());
    }
    let restated = |name: &str| {
        ignore.iter().any(|ignored| ignored == "vm_size") && schema::DERIVED.contains(&name) && name != comparing.factor
    };
    let also: Vec<String> =
        schema::DERIVED.iter().filter(|name| restated(name)).map(|name| (*name).to_owned()).collect();
    ignore.extend(also);
    Cells::of(runs, &ignore)
}

/// Pairs the cells of the baseline with those of one contender, study by study.
fn matches(
    cells: &Cells,
    factor: usize,
    (baseline, contender): (&Level, &Level),
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Pair>> {
    let study = cells.factor("study").filter(|study| *study != factor);
    let mut studies: BTreeMap<Option<usize>, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (index, cell) in cells.cells.iter().enumerate() {
        let sides = studies.entry(study.map(|study| cell.levels[study])).or_default();
        if cells.level(cell, factor) == baseline {
            sides.0.push(index);
        } else if cells.level(cell, factor) == contender {
            sides.1.push(index);
        }
    }
    let mut pairs = Vec::new();
    let mut unmatched = Vec::new();
    for (base, cont) in studies.values().filter(|(base, cont)| !base.is_empty() && !cont.is_empty()) {
        let mut held = Vec::new();
        let mut from_baseline = Vec::new();
        for other in (0..cells.factors.len()).filter(|other| *other != factor) {
            let on = |side: &[usize]| {
                side.iter().map(|&index| cells.cells[index].levels[other]).collect::<BTreeSet<usize>>()
            };
            let (left, right) = (on(base), on(cont));
            if !left.is_disjoint(&right) {
                held.push(other);
                continue;
            }
            let name = &cells.factors[other].name;
            if left.len() > 1 && right.len() > 1 {
                return Err(Error::input(
                    format!(
                        "{name} has no level in common for {}={baseline} and {contender}, so it cannot be held equal",
                        cells.factors[factor].name
                    ),
                    format!(
                        "leave it out of the matching with --ignore {name} (Python: ignore={name:?}), so that runs that differ only in it are replicates, or hold one level of it with --where"
                    ),
                ));
            }
            if left.len() > 1 {
                from_baseline.push(other);
            }
            let shown = |levels: &BTreeSet<usize>| {
                levels.iter().map(|&level| cells.factors[other].levels[level].to_string()).collect::<Vec<_>>().join("/")
            };
            push_new(
                warnings,
                Warning::VariesTogether { factor: name.clone(), baseline: shown(&left), contender: shown(&right) },
            );
        }
        let key = |index: usize| -> Vec<usize> { held.iter().map(|&other| cells.cells[index].levels[other]).collect() };
        let mut bases: HashMap<Vec<usize>, Vec<usize>> = HashMap::new();
        for &index in base {
            bases.entry(key(index)).or_default().push(index);
        }
        let mut used = BTreeSet::new();
        for &contender in cont {
            for &baseline in bases.get(&key(contender)).into_iter().flatten() {
                let mut levels = cells.cells[contender].levels.clone();
                for &other in &from_baseline {
                    levels[other] = cells.cells[baseline].levels[other];
                }
                used.extend([baseline, contender]);
                pairs.push(Pair { baseline, contender, levels });
            }
        }
        unmatched.extend(base.iter().chain(cont).copied().filter(|index| !used.contains(index)));
    }
    if let Some(&example) = unmatched.first() {
        push_new(
            warnings,
            Warning::Unmatched { cells: unmatched.len(), example: written(cells, &cells.cells[example]) },
        );
    }
    Ok(pairs)
}

/// `workers=4, tls_mode=sync`: the levels of a cell that vary between cells.
fn written(cells: &Cells, cell: &Cell) -> String {
    let varying = (0..cells.factors.len())
        .filter(|&factor| cells.factors[factor].levels.len() > 1 && !cells.level(cell, factor).is_unknown());
    varying
        .map(|factor| format!("{}={}", cells.factors[factor].name, cells.level(cell, factor)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn no_match(cells: &Cells, factor: usize, baseline: &Level, contenders: &[Level]) -> Error {
    let name = &cells.factors[factor].name;
    let others: Vec<&str> = cells
        .factors
        .iter()
        .filter(|other| other.name != *name && other.levels.len() > 1)
        .map(|other| other.name.as_str())
        .collect();
    Error::input(
        format!("no runs with {name}={} and with {name}={baseline} agree in all other factors", one_of(contenders)),
        if others.is_empty() {
            "measure both levels".to_owned()
        } else {
            format!(
                "measure both levels under the same conditions, or leave out of the matching what may differ: {}",
                others.iter().map(|name| format!("--ignore {name}")).collect::<Vec<_>>().join(" ")
            )
        },
    )
}

fn push_new(warnings: &mut Vec<Warning>, warning: Warning) {
    if !warnings.contains(&warning) {
        warnings.push(warning);
    }
}

/// What all strata share, and which factors tell them apart.
fn describe(cells: &Cells, factor: usize, pairs: &[Pair]) -> (Settings, Vec<usize>) {
    let mut conditions = Vec::new();
    let mut factors = Vec::new();
    for other in (0..cells.factors.len()).filter(|other| *other != factor) {
        let Some(first) = pairs.first().map(|pair| pair.levels[other]) else { continue };
        let level = &cells.factors[other].levels[first];
        if pairs.iter().any(|pair| pair.levels[other] != first) {
            factors.push(other);
        } else if !level.is_unknown()
            && pairs.iter().all(|pair| {
                [pair.baseline, pair.contender].iter().all(|&cell| cells.cells[cell].levels[other] == first)
            })
        {
            conditions.push((cells.factors[other].name.clone(), level.clone()));
        }
    }
    let rows: Vec<&[usize]> = pairs.iter().map(|pair| pair.levels.as_slice()).collect();
    let factors = cells.telling(&factors, &rows);
    (conditions.into_iter().collect(), factors)
}

/// Ignored factors that differ inside a compared cell.
fn ignored_that_vary(runs: &Runs, cells: &Cells, ignore: &[String], pairs: &[Pair]) -> Vec<Warning> {
    let varies = |name: &&String| {
        let codes = runs.factor(name).codes;
        pairs.iter().any(|pair| {
            let rows = cells.cells[pair.baseline].rows.iter().chain(&cells.cells[pair.contender].rows);
            let mut seen = rows.map(|&row| codes[row]);
            let first = seen.next();
            seen.any(|code| Some(code) != first)
        })
    };
    ignore.iter().filter(varies).map(|name| Warning::IgnoredVaries { factor: name.clone() }).collect()
}

/// The geometric mean of the ratios. A cell that serves in several strata counts once, with its whole weight.
fn over_strata(pairs: &[&Pair], units: &[Units], precision: &Precision) -> Estimate {
    let share = 1.0 / pairs.len() as f64;
    let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
    for pair in pairs {
        *weights.entry(pair.baseline).or_default() -= share;
        *weights.entry(pair.contender).or_default() += share;
    }
    let sides: Vec<(f64, &Units)> = weights.into_iter().map(|(index, weight)| (weight, &units[index])).collect();
    estimate(&sides, precision)
}

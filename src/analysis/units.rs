//! The independent observations of one cell.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::error::{InputError, Result};
use crate::model::cells::Cell;
use crate::model::{Factor, Runs};
use crate::stats::bootstrap::Center;
use crate::stats::contrast::{Term, mean};

/// The values of a metric in every run, with what tells which runs belong together.
pub(crate) struct Observations {
    values: Vec<f64>,
    blocks: Factor,
    starts: Factor,
    metric: String,
    source: String,
}

/// One cell: the logarithm of each independent observation, and the block it stands in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Units {
    pub logs: Vec<f64>,
    /// The observations themselves, in the metric's unit.
    pub values: Vec<f64>,
    pub blocks: Vec<Option<usize>>,
    /// The smallest and largest run.
    pub range: (f64, f64),
    /// The standard deviation of one log where it is stated instead of measured.
    pub sigma: Option<f64>,
    /// The server starts that the units are.
    pub starts: BTreeSet<usize>,
    /// Whether several observations of one block were taken together.
    pub repeated_block: bool,
}

impl Observations {
    /// Of runs that all hold the metric.
    pub fn of(runs: &Runs, metric: &str) -> Self {
        Self {
            values: runs.metric(metric).into_iter().flatten().collect(),
            blocks: within_study(runs, "block"),
            starts: within_study(runs, "start"),
            metric: metric.to_owned(),
            source: runs.source(),
        }
    }

    /// The values of a cell's runs, in the order in which the runs stand.
    pub fn in_order(&self, cell: &Cell) -> Result<Vec<f64>> {
        cell.rows.iter().map(|&row| self.value(row)).collect()
    }

    /// The block and the server start of a run, as far as they are stated.
    pub fn place(&self, row: usize) -> (Option<usize>, Option<usize>) {
        let stated = |column: &Factor| (!column.level(row).is_unknown()).then(|| column.codes[row]);
        (stated(&self.blocks), stated(&self.starts))
    }

    /// The value of a run, which must have a logarithm.
    fn value(&self, row: usize) -> Result<f64> {
        let value = self.values[row];
        if value > 0.0 {
            return Ok(value);
        }
        Err(InputError::new(
            format!("{value} has no ratio to another value"),
            "compare a metric that is above zero in every run",
        )
        .in_column(&self.metric)
        .in_source(&self.source)
        .into())
    }

    /// The units of a cell. Several runs of one server start are one unit, their geometric mean: what differs between
    /// starts (memory layout, queue assignment) is the same in all of them. So are several units of one block, which share what
    /// differs between rounds.
    pub fn units(&self, cell: &Cell) -> Result<Units> {
        let mut units = Units { range: (f64::INFINITY, f64::NEG_INFINITY), ..Units::default() };
        let mut starts: BTreeMap<usize, Vec<Unit>> = BTreeMap::new();
        let mut all: Vec<Unit> = Vec::new();
        for &row in &cell.rows {
            let value = self.value(row)?;
            units.range = (units.range.0.min(value), units.range.1.max(value));
            let block = (!self.blocks.level(row).is_unknown()).then(|| self.blocks.codes[row]);
            let unit = Unit { value, log: value.ln(), block };
            if self.starts.level(row).is_unknown() {
                all.push(unit);
            } else {
                starts.entry(self.starts.codes[row]).or_default().push(unit);
            }
        }
        units.starts = starts.keys().copied().collect();
        all.extend(starts.values().map(|runs| Unit::mean(runs)));
        let mut blocks: BTreeMap<usize, Vec<Unit>> = BTreeMap::new();
        for unit in all {
            match unit.block {
                None => units.push(unit),
                Some(block) => blocks.entry(block).or_default().push(unit),
            }
        }
        units.repeated_block = blocks.values().any(|inside| inside.len() > 1);
        blocks.values().for_each(|inside| units.push(Unit::mean(inside)));
        Ok(units)
    }
}

/// One observation.
#[derive(Clone, Copy)]
struct Unit {
    value: f64,
    log: f64,
    block: Option<usize>,
}

impl Unit {
    /// Several observations as one; what outlives its block stands in none.
    fn mean(several: &[Self]) -> Self {
        let first = several[0];
        if several.len() == 1 {
            return first;
        }
        let log = mean(&several.iter().map(|unit| unit.log).collect::<Vec<_>>());
        let block = first.block.filter(|_| several.iter().all(|unit| unit.block == first.block));
        Self { value: log.exp(), log, block }
    }
}

/// A design column whose labels are those of its study: round 1 of another study is another round.
fn within_study(runs: &Runs, column: &str) -> Factor {
    let (design, study) = (runs.factor(column), runs.factor("study"));
    if study.levels.len() < 2 {
        return design;
    }
    let mut known: HashMap<(usize, usize), usize> = HashMap::new();
    let mut levels = Vec::new();
    let codes = design.codes.iter().zip(&study.codes).map(|(&code, &study)| {
        let level = &design.levels[code];
        let key = if level.is_unknown() { (code, 0) } else { (code, study) };
        *known.entry(key).or_insert_with(|| {
            levels.push(level.clone());
            levels.len() - 1
        })
    });
    let codes = codes.collect();
    Factor { name: design.name, levels, codes }
}

impl Units {
    fn push(&mut self, unit: Unit) {
        self.values.push(unit.value);
        self.logs.push(unit.log);
        self.blocks.push(unit.block);
    }

    /// What the observations are summed up by, in the metric's unit.
    pub fn center(&self, center: Center) -> f64 {
        center.of(&self.values)
    }

    /// The mean of the logs as a term of a contrast.
    pub fn term(&self, weight: f64) -> Term<'_> {
        Term { weight, sample: &self.logs, sigma: self.sigma }
    }

    /// The observations in these blocks, one each, in their order.
    pub fn within(&self, blocks: &BTreeSet<usize>) -> Self {
        let mut units = Self { range: self.range, sigma: self.sigma, starts: self.starts.clone(), ..Self::default() };
        for ((&block, &value), &log) in self.blocks.iter().zip(&self.values).zip(&self.logs) {
            if block.is_some_and(|block| blocks.contains(&block)) {
                units.push(Unit { value, log, block });
            }
        }
        units
    }
}

/// The blocks that hold every cell.
pub(super) fn common_blocks<'a>(cells: impl IntoIterator<Item = &'a Units>) -> BTreeSet<usize> {
    let blocks = cells.into_iter().map(|units| units.blocks.iter().copied().flatten().collect::<BTreeSet<usize>>());
    blocks.reduce(|a, b| &a & &b).unwrap_or_default()
}

/// Whether two cells name the same server start.
pub(super) fn share_starts<'a>(cells: impl IntoIterator<Item = &'a Units>) -> bool {
    let mut seen = BTreeSet::new();
    cells.into_iter().flat_map(|units| &units.starts).any(|start| !seen.insert(*start))
}

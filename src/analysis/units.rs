//! The independent observations of one cell.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::error::{InputError, Result};
use crate::model::cells::Cell;
use crate::model::reduction::Summary;
use crate::model::{Factor, Runs};
use crate::stats::bootstrap::Center;
use crate::stats::contrast::{Term, mean};
use crate::stats::moments::Moments;

/// The values of a metric in every run, with what tells which runs belong together.
pub(crate) struct Observations {
    values: Vec<f64>,
    /// Where a row stands for several runs: what is kept of them.
    summed: Option<Vec<Summary>>,
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
    /// Observations that are not among the others, since they were summed up while they were read: their logarithms, and
    /// themselves.
    pub summed: Option<(Moments, Moments)>,
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
            summed: runs.summed().and_then(|summed| summed.metrics.get(metric).cloned()),
            blocks: within_study(runs, "block"),
            starts: within_study(runs, "start"),
            metric: metric.to_owned(),
            source: runs.source(),
        }
    }

    /// Whether every run is known by itself.
    pub fn is_complete(&self) -> bool {
        self.summed.is_none()
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
        let value = self.summed.as_ref().map_or(self.values[row], |summed| summed[row].least);
        if value > 0.0 {
            return Ok(self.values[row]);
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
            let kept = self.summed.as_ref().map(|summed| summed[row]);
            let (least, most) = kept.map_or((value, value), |kept| (kept.least, kept.most));
            units.range = (units.range.0.min(least), units.range.1.max(most));
            let (block, start) = self.place(row);
            let unit = match kept {
                Some(kept) if kept.values.count > 1 => {
                    Unit { value: kept.logs.mean.exp(), log: kept.logs.mean, block, runs: kept.values.count }
                }
                _ => Unit { value, log: value.ln(), block, runs: 1 },
            };
            match (start, kept) {
                (Some(start), _) => starts.entry(start).or_default().push(unit),
                (None, Some(kept)) if block.is_none() && unit.runs > 1 => units.add(kept),
                (None, _) => all.push(unit),
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
        units.repeated_block = blocks.values().any(|inside| inside.len() > 1 || inside[0].runs > 1);
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
    /// How many runs it is the geometric mean of; those of a server start are one.
    runs: u64,
}

impl Unit {
    /// Several observations as one; what outlives its block stands in none.
    fn mean(several: &[Self]) -> Self {
        let first = several[0];
        if several.len() == 1 {
            return Self { runs: 1, ..first };
        }
        let log = if several.iter().all(|unit| unit.runs == 1) {
            mean(&several.iter().map(|unit| unit.log).collect::<Vec<_>>())
        } else {
            let runs: u64 = several.iter().map(|unit| unit.runs).sum();
            several.iter().map(|unit| unit.log * unit.runs as f64).sum::<f64>() / runs as f64
        };
        let block = first.block.filter(|_| several.iter().all(|unit| unit.block == first.block));
        Self { value: log.exp(), log, block, runs: 1 }
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

    fn add(&mut self, kept: Summary) {
        let (logs, values) = self.summed.unwrap_or_default();
        self.summed = Some((logs.merge(kept.logs), values.merge(kept.values)));
    }

    /// How many observations there are.
    pub fn count(&self) -> usize {
        self.logs.len() + self.summed.map_or(0, |(logs, _)| logs.count as usize)
    }

    /// Whether every observation is known by itself.
    pub fn is_complete(&self) -> bool {
        self.summed.is_none()
    }

    /// Whether every observation names its block; those that were summed up by themselves name none.
    pub fn all_in_blocks(&self) -> bool {
        self.is_complete() && self.blocks.iter().all(Option::is_some)
    }

    /// Count, mean and spread of the logarithms.
    pub fn of_logs(&self) -> Moments {
        Moments::of(&self.logs).merge(self.summed.unwrap_or_default().0)
    }

    /// Count, mean and spread in the metric's unit.
    pub fn of_values(&self) -> Moments {
        Moments::of(&self.values).merge(self.summed.unwrap_or_default().1)
    }

    /// What the observations are summed up by, in the metric's unit; a median needs every one of them.
    pub fn center(&self, center: Center) -> f64 {
        match (center, self.is_complete()) {
            (center, true) => center.of(&self.values),
            (Center::Mean, false) => self.of_values().mean,
            (Center::GeometricMean | Center::Median, false) => self.of_logs().mean.exp(),
        }
    }

    /// The mean of the logs as a term of a contrast.
    pub fn term(&self, weight: f64) -> Term {
        Term { weight, sample: self.of_logs(), sigma: self.sigma }
    }

    /// The observations in these blocks, one each, in their order.
    pub fn within(&self, blocks: &BTreeSet<usize>) -> Self {
        let mut units = Self { range: self.range, sigma: self.sigma, starts: self.starts.clone(), ..Self::default() };
        for ((&block, &value), &log) in self.blocks.iter().zip(&self.values).zip(&self.logs) {
            if block.is_some_and(|block| blocks.contains(&block)) {
                units.push(Unit { value, log, block, runs: 1 });
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

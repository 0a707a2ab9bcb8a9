//! Runs grouped by their settings. A cell is one combination of factor levels that was measured; its runs are
//! replicates of each other.

use std::collections::{HashMap, HashSet};

use super::schema::{self, Role};
use super::{Factor, Level, Runs, Settings, Warning};

/// One combination of levels.
#[derive(Debug, Clone)]
pub struct Cell {
    /// For each factor, the index of its level.
    pub levels: Vec<usize>,
    /// The rows.
    pub rows: Vec<usize>,
    /// How many runs these are.
    pub runs: usize,
}

/// All combinations that were measured, sorted by their levels.
#[derive(Debug, Clone)]
pub struct Cells {
    /// The factors that make up a combination.
    pub factors: Vec<Factor>,
    /// The combinations.
    pub cells: Vec<Cell>,
}

impl Cells {
    /// Groups runs by all their factors but those in `ignore` and those that only restate another.
    pub fn of(runs: &Runs, ignore: &[String]) -> Self {
        Self::group(runs, ignore, None)
    }

    /// The same, where a factor is to be compared: a part of the VM size then stands in its place.
    pub fn comparing(runs: &Runs, ignore: &[String], factor: &str) -> Self {
        Self::group(runs, ignore, Some(factor))
    }

    fn group(runs: &Runs, ignore: &[String], compared: Option<&str>) -> Self {
        let part = |name: &str| schema::DERIVED.contains(&name);
        let ignored = |name: &str| ignore.iter().any(|ignored| ignored == name);
        // Where some runs state their VM size and others only its parts, the parts tell these apart.
        let sized = runs.has_column("vm_size") && !runs.factor("vm_size").levels.contains(&Level::Unknown);
        let by_part = compared.is_some_and(part);
        let restates = |name: &str| {
            (name == "vm_size" && by_part)
                || (part(name) && compared != Some(name) && (ignored("vm_size") || (sized && !by_part)))
        };
        let names = runs.columns_of(Role::Factor).into_iter().filter(|name| !ignored(name) && !restates(name));
        let factors: Vec<Factor> = names.map(|name| runs.factor(name)).collect();
        let mut index: HashMap<Vec<usize>, usize> = HashMap::new();
        let mut cells: Vec<Cell> = Vec::new();
        let summed = runs.summed();
        for row in 0..runs.height() {
            let levels: Vec<usize> = factors.iter().map(|factor| factor.codes[row]).collect();
            let cell = *index.entry(levels.clone()).or_insert_with(|| {
                cells.push(Cell { levels, rows: Vec::new(), runs: 0 });
                cells.len() - 1
            });
            cells[cell].rows.push(row);
            cells[cell].runs += summed.map_or(1, |summed| summed.runs[row]);
        }
        cells.sort_by(|a, b| a.levels.cmp(&b.levels));
        Self { factors, cells }
    }

    /// A column that is not known and without which runs would repeat each other, where none does: a date, a file name.
    pub fn every_run_apart(&self) -> Option<Warning> {
        if self.cells.iter().any(|cell| cell.runs > 1) {
            return None;
        }
        let merges = |factor: &usize| {
            let without: HashSet<Vec<usize>> = self
                .cells
                .iter()
                .map(|cell| {
                    let mut levels = cell.levels.clone();
                    levels.remove(*factor);
                    levels
                })
                .collect();
            without.len() * 2 <= self.cells.len()
        };
        let unknown = |factor: &usize| schema::column(&self.factors[*factor].name).is_none();
        let factor = (0..self.factors.len()).filter(unknown).find(merges)?;
        Some(Warning::EveryRunApart { column: self.factors[factor].name.clone() })
    }

    /// The positions of the factors that have several levels.
    pub fn varying(&self) -> Vec<usize> {
        (0..self.factors.len()).filter(|&factor| self.factors[factor].levels.len() > 1).collect()
    }

    /// The levels of each combination.
    pub fn rows(&self) -> Vec<&[usize]> {
        self.cells.iter().map(|cell| cell.levels.as_slice()).collect()
    }

    /// The factors that have one level throughout.
    pub fn conditions(&self) -> Settings {
        let constant = |factor: &&Factor| factor.levels.len() == 1 && !factor.levels[0].is_unknown();
        self.factors.iter().filter(constant).map(|factor| (factor.name.clone(), factor.levels[0].clone())).collect()
    }

    /// `workers=4, tls_mode=sync`: the levels of a cell that vary between cells.
    pub fn written(&self, cell: &Cell) -> String {
        let factors = (0..self.factors.len()).filter(|&factor| self.factors[factor].levels.len() > 1);
        factors
            .map(|factor| (&self.factors[factor].name, self.level(cell, factor)))
            .filter(|(_, level)| !level.is_unknown())
            .map(|(name, level)| format!("{name}={level}"))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The position of a factor.
    pub fn factor(&self, name: &str) -> Option<usize> {
        self.factors.iter().position(|factor| factor.name == name)
    }

    /// Of these factors, those that tell rows apart: one that varies exactly as an earlier one does (requests with
    /// workers) is left out. A row holds the index of the level of every factor.
    pub fn telling(&self, factors: &[usize], rows: &[&[usize]]) -> Vec<usize> {
        let mut patterns = HashSet::new();
        let mut tells = |factor: &usize| {
            let mut seen: HashMap<usize, usize> = HashMap::new();
            let pattern: Vec<usize> = rows
                .iter()
                .map(|levels| {
                    let next = seen.len();
                    *seen.entry(levels[*factor]).or_insert(next)
                })
                .collect();
            patterns.insert(pattern)
        };
        factors.iter().copied().filter(|factor| tells(factor)).collect()
    }

    /// The level of a factor in a cell.
    pub fn level(&self, cell: &Cell, factor: usize) -> &Level {
        &self.factors[factor].levels[cell.levels[factor]]
    }
}

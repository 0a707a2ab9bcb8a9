//! Which cells are compared with which.
//!
//! A cell of the baseline is compared with the cell of the contender that has the same level of every other factor: such
//! a pair is a stratum. Matching happens within a study. A factor that has no level in common on the two sides cannot be
//! held equal; the ratio is then that of both changes together, and a warning names the factor.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::error::{Error, Result, one_of};
use crate::model::cells::{Cell, Cells};
use crate::model::{Level, Warning};

/// Two matched cells, by index, and the stratum that they make up.
pub(super) struct Pair {
    pub baseline: usize,
    pub contender: usize,
    /// For each factor, the index of the level that the stratum has. Where the factor could not be held equal, it is
    /// the level on the side that has several.
    pub levels: Vec<usize>,
}

/// What is matched: a factor, by position, the level that is 1, and those compared with it.
pub(super) struct Matching<'a> {
    pub cells: &'a Cells,
    pub factor: usize,
    pub baseline: &'a Level,
    pub contenders: &'a [Level],
}

/// The cells of one study on the two sides of a comparison.
struct Sides {
    baseline: Vec<usize>,
    contender: Vec<usize>,
}

impl Matching<'_> {
    /// All pairs, sorted by the other factors first, then by contender; what to know of them is added to `warnings`.
    ///
    /// # Errors
    /// A factor that differs throughout on both sides.
    pub fn pairs(&self, warnings: &mut Vec<Warning>) -> Result<Vec<Pair>> {
        let mut pairs = Vec::new();
        for contender in self.contenders {
            for sides in self.sides(contender) {
                pairs.extend(self.pairs_of(&sides, contender, warnings)?);
            }
        }
        pairs.sort_by_cached_key(|pair| {
            let mut key = pair.levels.clone();
            let contender = key.remove(self.factor);
            (key, contender)
        });
        Ok(pairs)
    }

    /// The cells on the two sides, for each study that has both.
    fn sides(&self, contender: &Level) -> Vec<Sides> {
        let study = self.cells.factor("study").filter(|study| *study != self.factor);
        let mut studies: BTreeMap<Option<usize>, Sides> = BTreeMap::new();
        for (index, cell) in self.cells.cells.iter().enumerate() {
            let sides = studies
                .entry(study.map(|study| cell.levels[study]))
                .or_insert_with(|| Sides { baseline: Vec::new(), contender: Vec::new() });
            let level = self.cells.level(cell, self.factor);
            if level == self.baseline {
                sides.baseline.push(index);
            } else if level == contender {
                sides.contender.push(index);
            }
        }
        studies.into_values().filter(|sides| !sides.baseline.is_empty() && !sides.contender.is_empty()).collect()
    }

    fn pairs_of(&self, sides: &Sides, contender: &Level, warnings: &mut Vec<Warning>) -> Result<Vec<Pair>> {
        let levels_on = |side: &[usize], factor: usize| -> BTreeSet<usize> {
            side.iter().map(|&index| self.cells.cells[index].levels[factor]).collect()
        };
        let (mut held, mut from_baseline, mut apart) = (Vec::new(), Vec::new(), Vec::new());
        for other in (0..self.cells.factors.len()).filter(|other| *other != self.factor) {
            let (left, right) = (levels_on(&sides.baseline, other), levels_on(&sides.contender, other));
            let factor = &self.cells.factors[other];
            if !left.is_disjoint(&right) {
                held.push(other);
                let unknown = |level: &&usize| factor.levels[**level].is_unknown();
                if (&left & &right).iter().any(|level| unknown(&level)) && (&left | &right).len() > 1 {
                    Warning::add(warnings, Warning::UnknownLevel { factor: factor.name.clone() });
                }
                continue;
            }
            if left.len() > 1 && right.len() > 1 {
                apart.push(factor.name.as_str());
                continue;
            }
            if left.len() > 1 {
                from_baseline.push(other);
            }
            let [left, right] = [&left, &right].map(|side| side.iter().map(|&level| &factor.levels[level]));
            Warning::add(warnings, Warning::varies_together(&factor.name, left, right));
        }
        if !apart.is_empty() {
            let name = &self.cells.factors[self.factor].name;
            let flags: Vec<String> = apart.iter().map(|factor| format!("--ignore {factor}")).collect();
            return Err(Error::input(
                format!(
                    "{name}={} and {name}={contender} have no level of {} in common, so it cannot be held equal",
                    self.baseline,
                    apart.join(" and ")
                ),
                format!(
                    "leave it out of the matching with {} (Python: ignore={apart:?}), so that runs that differ only in it \
                     are replicates, or hold one level of it with --where",
                    flags.join(" ")
                ),
            ));
        }
        let key =
            |index: usize| -> Vec<usize> { held.iter().map(|&other| self.cells.cells[index].levels[other]).collect() };
        let mut bases: HashMap<Vec<usize>, Vec<usize>> = HashMap::new();
        for &index in &sides.baseline {
            bases.entry(key(index)).or_default().push(index);
        }
        let mut pairs = Vec::new();
        for &contender in &sides.contender {
            for &baseline in bases.get(&key(contender)).into_iter().flatten() {
                let mut levels = self.cells.cells[contender].levels.clone();
                for &other in &from_baseline {
                    levels[other] = self.cells.cells[baseline].levels[other];
                }
                pairs.push(Pair { baseline, contender, levels });
            }
        }
        Ok(pairs)
    }

    /// The runs that do not state the factor, in studies that have both sides.
    pub fn not_stated(&self, pairs: &[Pair]) -> Option<Warning> {
        let study = |cell: &Cell| self.cells.factor("study").map(|study| cell.levels[study]);
        let compared: BTreeSet<Option<usize>> =
            pairs.iter().map(|pair| study(&self.cells.cells[pair.baseline])).collect();
        let silent = |cell: &&Cell| self.cells.level(cell, self.factor).is_unknown() && compared.contains(&study(cell));
        let runs: usize = self.cells.cells.iter().filter(silent).map(|cell| cell.runs).sum();
        (runs > 0).then(|| Warning::NotStated { factor: self.cells.factors[self.factor].name.clone(), runs })
    }

    /// The cells that stand in no pair, in studies that have both sides.
    pub fn unmatched(&self, pairs: &[Pair]) -> Option<Warning> {
        let used: BTreeSet<usize> = pairs.iter().flat_map(|pair| [pair.baseline, pair.contender]).collect();
        let sides = self.contenders.iter().flat_map(|contender| self.sides(contender));
        let all: BTreeSet<usize> = sides.flat_map(|sides| sides.baseline.into_iter().chain(sides.contender)).collect();
        let unmatched: Vec<usize> = all.difference(&used).copied().collect();
        let example = self.cells.written(&self.cells.cells[*unmatched.first()?]);
        Some(Warning::Unmatched { cells: unmatched.len(), example })
    }

    /// The error where nothing matches.
    pub fn no_match(&self) -> Error {
        let name = &self.cells.factors[self.factor].name;
        let varying = self.cells.factors.iter().filter(|other| other.name != *name && other.levels.len() > 1);
        let flags: Vec<String> = varying.map(|other| format!("--ignore {}", other.name)).collect();
        Error::input(
            format!(
                "no runs with {name}={} and with {name}={} agree in all other factors",
                one_of(self.contenders),
                self.baseline
            ),
            if flags.is_empty() {
                "measure both levels".to_owned()
            } else {
                format!(
                    "measure both levels under the same conditions, or leave out of the matching what may differ: {}",
                    flags.join(" ")
                )
            },
        )
    }
}

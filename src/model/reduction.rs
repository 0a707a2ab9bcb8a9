//! Runs summed up by setting while they are read, so that any number of them fits into memory: for each metric count, mean and
//! spread of its values and of their logarithms, which is all that t intervals and Fieller's need.

use std::collections::HashMap;

use polars::prelude::{Float64Chunked, IntoColumn, IntoSeries};

use super::column::encode;
use super::runs::Source;
use super::schema::{self, Role};
use super::{Factor, Level, Runs, Warning};
use crate::error::{Error, Result};
use crate::stats::moments::Moments;

/// What is kept of one metric in several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Summary {
    pub values: Moments,
    /// Meaningless unless all values are above zero.
    pub logs: Moments,
    pub least: f64,
    pub most: f64,
}

/// What is kept of the runs that a row of a frame stands for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Summed {
    /// How many runs, by row.
    pub runs: Vec<usize>,
    /// By metric and row.
    pub metrics: HashMap<String, Vec<Summary>>,
}

impl Summary {
    const NOTHING: Self =
        Self { values: Moments::NONE, logs: Moments::NONE, least: f64::INFINITY, most: f64::NEG_INFINITY };

    fn push(&mut self, value: f64) {
        self.values.push(value);
        self.logs.push(value.ln());
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    fn merge(self, other: Self) -> Self {
        Self {
            values: self.values.merge(other.values),
            logs: self.logs.merge(other.logs),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }
}

impl Summed {
    /// Counts the runs that hold a metric, and no others.
    pub fn count_only(&mut self, metric: &str) {
        if let Some(of) = self.metrics.get(metric) {
            self.runs = of.iter().map(|of| of.values.count as usize).collect();
        }
    }

    /// The rows that are kept.
    pub fn keep(&self, keep: &[bool]) -> Self {
        fn kept<T: Copy>(all: &[T], keep: &[bool]) -> Vec<T> {
            all.iter().zip(keep).filter(|(_, keep)| **keep).map(|(one, _)| *one).collect()
        }
        let metrics = self.metrics.iter().map(|(name, of)| (name.clone(), kept(of, keep)));
        Self { runs: kept(&self.runs, keep), metrics: metrics.collect() }
    }
}

/// Settings and what their runs come to.
#[derive(Debug, Default)]
pub(crate) struct Reduction {
    /// Factors, blocks and server starts: what tells runs apart that are no mere repetitions.
    columns: Vec<String>,
    metrics: Vec<String>,
    /// The levels of each setting; of columns that appeared later it has none.
    settings: Vec<Vec<Level>>,
    /// The row of each setting, by its levels without unknown ones at the end.
    known: HashMap<Vec<Level>, usize>,
    runs: Vec<usize>,
    /// By metric and row.
    summaries: Vec<Vec<Summary>>,
    sources: Vec<Source>,
    warnings: Vec<Warning>,
}

impl Reduction {
    /// Of runs, whether or not they were summed up before.
    pub fn of(runs: &Runs) -> Self {
        let tells = |name: &&str| schema::role(name) == Role::Factor || ["block", "start"].contains(name);
        let columns: Vec<&str> =
            [Role::Factor, Role::Design].into_iter().flat_map(|role| runs.columns_of(role)).filter(tells).collect();
        let factors: Vec<Factor> = columns.iter().map(|name| runs.factor(name)).collect();
        // Settings refined by one factor after the other.
        let mut groups = vec![0usize; runs.height()];
        let mut count = usize::from(runs.height() > 0);
        for factor in factors.iter().filter(|factor| factor.levels.len() > 1) {
            let mut refined: HashMap<(usize, usize), usize> = HashMap::new();
            for (group, code) in groups.iter_mut().zip(&factor.codes) {
                let next = refined.len();
                *group = *refined.entry((*group, *code)).or_insert(next);
            }
            count = refined.len();
        }
        let mut reduction = Self {
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            metrics: runs.columns_of(Role::Metric).into_iter().map(ToOwned::to_owned).collect(),
            runs: vec![0; count],
            sources: runs.sources().to_vec(),
            warnings: runs.warnings().iter().filter(|one| !matches!(one, Warning::SummedUp { .. })).cloned().collect(),
            ..Self::default()
        };
        // Groups are numbered in the order in which they appear.
        for (row, &group) in groups.iter().enumerate() {
            reduction.runs[group] += runs.summed().map_or(1, |summed| summed.runs[row]);
            if group == reduction.settings.len() {
                reduction.settings.push(factors.iter().map(|factor| canonical(factor, row)).collect());
            }
        }
        for metric in &reduction.metrics {
            let mut summaries = vec![Summary::NOTHING; count];
            match runs.summed().and_then(|summed| summed.metrics.get(metric)) {
                Some(before) => {
                    for (&group, one) in groups.iter().zip(before) {
                        summaries[group] = summaries[group].merge(*one);
                    }
                }
                None => {
                    for (&group, value) in groups.iter().zip(runs.metric(metric)) {
                        value.into_iter().for_each(|value| summaries[group].push(value));
                    }
                }
            }
            reduction.summaries.push(summaries);
        }
        reduction
    }

    /// Adds what other runs come to. Sums depend on the order in the last digits, so it must be the same every time.
    pub fn merge(&mut self, other: Self) {
        let places: Vec<usize> = other.columns.iter().map(|name| position(&mut self.columns, name)).collect();
        let metrics: Vec<usize> = other.metrics.iter().map(|name| position(&mut self.metrics, name)).collect();
        self.summaries.resize(self.metrics.len(), vec![Summary::NOTHING; self.runs.len()]);
        for (row, levels) in other.settings.into_iter().enumerate() {
            let mut setting = vec![Level::Unknown; self.columns.len()];
            for (place, level) in places.iter().zip(levels) {
                setting[*place] = level;
            }
            // What was known before a column appeared is the setting in which that column is unknown.
            let stated = setting.iter().rposition(|level| !level.is_unknown()).map_or(0, |last| last + 1);
            setting.truncate(stated);
            let group = match self.known.get(&setting) {
                Some(&group) => group,
                None => {
                    self.known.insert(setting.clone(), self.settings.len());
                    self.settings.push(setting);
                    self.runs.push(0);
                    self.summaries.iter_mut().for_each(|of| of.push(Summary::NOTHING));
                    self.settings.len() - 1
                }
            };
            self.runs[group] += other.runs[row];
            for (&metric, theirs) in metrics.iter().zip(&other.summaries) {
                self.summaries[metric][group] = self.summaries[metric][group].merge(theirs[row]);
            }
        }
        self.sources.extend(other.sources);
        other.warnings.into_iter().for_each(|warning| Warning::add(&mut self.warnings, warning));
    }

    /// Refuses settings that are as good as runs, of which no amount fits into memory.
    ///
    /// # Errors
    /// More settings than these, with the column that has the most levels.
    pub fn check(&self, most: usize) -> Result<()> {
        if self.settings.len() <= most {
            return Ok(());
        }
        let levels = |place: usize| {
            self.settings.iter().filter_map(|levels| levels.get(place)).collect::<std::collections::HashSet<_>>().len()
        };
        let most = (0..self.columns.len()).max_by_key(|place| levels(*place));
        let column = most.map_or("", |place| self.columns[place].as_str());
        Err(Error::input(
            format!(
                "the runs have {} different settings; the column {column:?} alone has {} levels",
                self.settings.len(),
                most.map_or(0, levels)
            ),
            format!("leave it out: --map '{column}=' (Python: columns={{{column:?}: \"\"}})"),
        ))
    }

    /// The settings as runs: one row for each, its metrics the means of its runs, with all that is kept of them beside it.
    pub fn into_runs(mut self) -> Result<Runs> {
        let (runs, settings) = (self.runs.iter().sum(), self.settings.len());
        Warning::add(&mut self.warnings, Warning::SummedUp { runs, settings });
        let mut columns = Vec::new();
        for (place, name) in self.columns.iter().enumerate() {
            let levels: Vec<Level> =
                self.settings.iter().map(|levels| levels.get(place).cloned().unwrap_or(Level::Unknown)).collect();
            columns.push(encode(name, &levels).into_column());
        }
        let mean = |one: &Summary| (one.values.count > 0).then_some(one.values.mean);
        for (name, of) in self.metrics.iter().zip(&self.summaries) {
            let means: Float64Chunked = of.iter().map(mean).collect();
            columns.push(means.into_series().with_name(name.as_str().into()).into_column());
        }
        let summed = Summed { runs: self.runs, metrics: self.metrics.into_iter().zip(self.summaries).collect() };
        Runs::summed_up(columns, summed, self.sources, self.warnings)
    }
}

/// Where a name stands; at the end if it is new.
fn position(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// The level of a run, the same whether or not its column holds texts elsewhere.
fn canonical(factor: &Factor, row: usize) -> Level {
    match factor.level(row) {
        Level::Text(text) => schema::kind(&factor.name).parse(text).unwrap_or_else(|_| Level::from(text.as_str())),
        level => level.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::read_bytes;

    fn reduced(parts: &[&str]) -> Runs {
        let mut reduction = Reduction::default();
        for part in parts {
            reduction.merge(Reduction::of(&read_bytes(part.as_bytes(), "part.csv").expect("runs")));
        }
        reduction.into_runs().expect("settings")
    }

    fn shown(runs: &Runs) -> Vec<String> {
        let summed = runs.summed().expect("summed up");
        let row = |(index, run): (usize, crate::model::Run)| {
            let values: Vec<String> = run.values().map(|(name, level)| format!("{name}={level}")).collect();
            format!("{} x {}", summed.runs[index], values.join(" "))
        };
        runs.rows().enumerate().map(row).collect()
    }

    #[test]
    fn settings_are_the_same_in_whichever_part_they_stand() {
        let runs = reduced(&[
            "workers,rps\n1,10\n1,30\n4,100\n",
            // A column that appears later, another order, a column of labels that holds a text further down.
            "rps,node,workers\n50,,1\n200,7,4\n",
            "workers,node,rps\n4,7,400\n4,b,1\n",
        ]);
        assert_eq!(runs.len(), 7);
        let expected = [
            "3 x rps=30 workers=1",
            "1 x rps=100 workers=4",
            "2 x node=7 rps=300 workers=4",
            "1 x node=b rps=1 workers=4",
        ];
        assert_eq!(shown(&runs), expected);
    }

    #[test]
    fn runs_without_a_metric_do_not_count_for_it() {
        let runs = reduced(&["workers,rps,errors\n1,10,0\n1,,2\n"]);
        assert_eq!(shown(&runs), ["2 x errors=1 rps=10 workers=1"]);
        let (measured, warning) = runs.measured("rps").expect("there is one");
        assert_eq!(measured.len(), 1);
        assert_eq!(warning.map(|warning| warning.code()), Some("metric-missing"));
    }
}

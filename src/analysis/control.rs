//! Negative controls: a factor that cannot act under a condition. There its levels are one treatment, and what they differ by
//! is the spread of a run.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::model::cells::Cells;
use crate::model::runs::find_level;
use crate::model::{Runs, Settings};

/// A factor that is known to be inert under a condition: `tls_mode` where there is no accelerator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Control {
    /// The inert factor.
    pub factor: String,
    /// Where it is inert.
    #[serde(rename = "where")]
    pub conditions: Vec<(String, String)>,
}

/// As on the command line: `tls_mode@accelerator=none`, further conditions behind commas.
impl FromStr for Control {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            Error::input(
                format!("{text:?} is not a control"),
                "write the inert factor and where it is inert, such as tls_mode@accelerator=none",
            )
        };
        let (factor, conditions) = text.split_once('@').ok_or_else(wrong)?;
        let condition = |text: &str| {
            let (factor, level) = text.split_once('=').ok_or_else(wrong)?;
            let (factor, level) = (factor.trim(), level.trim());
            if factor.is_empty() || level.is_empty() { Err(wrong()) } else { Ok((factor.to_owned(), level.to_owned())) }
        };
        let conditions = conditions.split(',').map(condition).collect::<Result<Vec<_>>>()?;
        if factor.trim().is_empty() {
            return Err(wrong());
        }
        Ok(Self { factor: factor.trim().to_owned(), conditions })
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let conditions: Vec<String> =
            self.conditions.iter().map(|(factor, level)| format!("{factor}={level}")).collect();
        write!(f, "{}@{}", self.factor, conditions.join(","))
    }
}

/// A control whose levels were found in the runs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inert {
    pub factor: String,
    pub conditions: Settings,
}

impl Control {
    /// # Errors
    /// A factor or level that the runs do not have, or a condition on the factor itself.
    pub(crate) fn resolve(&self, runs: &Runs) -> Result<Inert> {
        runs.known_factor(&self.factor)?;
        let condition = |(name, level): &(String, String)| {
            if *name == self.factor {
                return Err(Error::input(
                    format!("the control says of {name:?} that it is inert at one of its own levels"),
                    "name the level of another factor under which it is inert",
                ));
            }
            let factor = runs.known_factor(name)?;
            Ok((name.clone(), factor.levels[find_level(&factor, level)?].clone()))
        };
        Ok(Inert {
            factor: self.factor.clone(),
            conditions: self.conditions.iter().map(condition).collect::<Result<_>>()?,
        })
    }
}

impl Inert {
    /// Whether the control holds for a combination of levels.
    pub fn holds(&self, cells: &Cells, levels: &[usize]) -> bool {
        self.conditions.iter().all(|(name, level)| {
            cells.factor(name).is_some_and(|factor| cells.factors[factor].levels[levels[factor]] == *level)
        })
    }

    /// Whether two cells are one treatment by this control: it holds for both, and they differ in nothing but its factor.
    pub fn equates(&self, cells: &Cells, a: usize, b: usize) -> bool {
        let (a, b) = (&cells.cells[a].levels, &cells.cells[b].levels);
        let differ: Vec<usize> = (0..cells.factors.len()).filter(|&factor| a[factor] != b[factor]).collect();
        differ.len() == 1
            && cells.factors[differ[0]].name == self.factor
            && self.holds(cells, a)
            && self.holds(cells, b)
    }
}

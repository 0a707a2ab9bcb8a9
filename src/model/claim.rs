//! A published sentence as data, so that it can be held against the runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Level;
use super::datasets::Localised;
use crate::error::{Error, InputError, Result};
use crate::named::named;

/// What a sentence states of two levels of a factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statement {
    /// The contender has this many percent of the baseline ("226 %").
    Ratio,
    /// The contender has this many percent more ("+40 %").
    Gain,
    /// The ratio at one level of another factor is this many percent of that at the other.
    Interaction,
    /// The two do not differ by more than this many percent.
    Equivalence,
    /// The contender is better by at least this many percent: more of a metric of which more is better, less of one of which
    /// less is.
    AtLeast,
    /// The contender is better, by whatever.
    Greater,
}

named!(Statement, "a statement", {
    Ratio => "ratio",
    Gain => "gain",
    Interaction => "interaction",
    Equivalence => "equivalence",
    AtLeast => "at_least",
    Greater => "greater",
});

/// A sentence from a publication.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Unique within its study.
    pub id: String,
    /// The sentence in the source's sense.
    pub text: Localised,
    /// The metric it speaks of; by default that which is asked about, or `rps`, or the first there is.
    #[serde(default)]
    pub metric: Option<String>,
    /// What it states.
    pub statement: Statement,
    /// The factor whose levels it compares.
    pub factor: String,
    /// The level it starts from.
    pub baseline: Level,
    /// The level it speaks of.
    pub contender: Level,
    /// Of an interaction: the factor that the ratio depends on, and its two levels.
    #[serde(default)]
    pub by: Option<By>,
    /// The conditions it is limited to.
    #[serde(default, rename = "where")]
    pub conditions: BTreeMap<String, Level>,
    /// The stated value in percent; of an equivalence the margin, of `greater` absent.
    #[serde(default)]
    pub percent: Option<f64>,
    /// The step to which the value is stated, in percent points: 1 for "226 %" and for "about 94 %", which stands for all that
    /// rounds or is cut off to it. By default the last digit of the value that is not 0 behind the point: `40.0` is `40` to TOML, so of a
    /// value that is stated as "40.0 %", say `precision = 0.1`.
    #[serde(default)]
    pub precision: Option<f64>,
}

/// The factor that an interaction is by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct By {
    /// The factor.
    pub factor: String,
    /// The level whose ratio is divided by.
    pub baseline: Level,
    /// The level whose ratio is divided.
    pub contender: Level,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    claim: Vec<Claim>,
}

impl Claim {
    /// Reads claims from TOML, one table `[[claim]]` each.
    ///
    /// # Errors
    /// What is not such a file, or a claim that says too much or too little, with the line.
    ///
    /// ```
    /// use kaeanalysis::model::claim::Claim;
    ///
    /// let claims = Claim::from_toml(
    ///     r#"
    ///     [[claim]]
    ///     id = "kae"
    ///     text = "KAE doubles the throughput."
    ///     statement = "ratio"
    ///     factor = "accelerator"
    ///     baseline = "none"
    ///     contender = "kae"
    ///     percent = 200
    ///     "#,
    ///     "claims.toml",
    /// )?;
    /// assert_eq!(claims[0].step(), 1.0);
    /// # Ok::<(), kaeanalysis::Error>(())
    /// ```
    pub fn from_toml(text: &str, source: &str) -> Result<Vec<Self>> {
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count() as u64);
            let remedy = "give one table [[claim]] each, with id, text, statement, factor, baseline and contender";
            let problem = InputError::new(error.message().to_owned(), remedy).in_source(source);
            match line {
                Some(line) => problem.on_line(line),
                None => problem,
            }
        })?;
        Self::checked(file.claim, source)
    }

    /// Reads a file of claims in TOML.
    ///
    /// # Errors
    /// A file that cannot be read, and as [`Claim::from_toml`].
    pub fn from_file(path: &Path) -> Result<Vec<Self>> {
        let text = fs::read_to_string(path).map_err(|error| Error::unreadable(path, &error))?;
        Self::from_toml(&text, &path.display().to_string())
    }

    /// Reads a list of claims in JSON, with the keys that they have in TOML.
    ///
    /// # Errors
    /// As [`Claim::from_toml`].
    pub fn from_json(text: &str, source: &str) -> Result<Vec<Self>> {
        let claims = serde_json::from_str(text).map_err(|error| {
            InputError::new(
                error.to_string(),
                "give a list of claims, each with id, text, statement, factor, baseline and contender",
            )
            .in_source(source)
        })?;
        Self::checked(claims, source)
    }

    fn checked(claims: Vec<Self>, source: &str) -> Result<Vec<Self>> {
        for (index, claim) in claims.iter().enumerate() {
            claim.check().map_err(|error| error.in_source(source))?;
            if claims[..index].iter().any(|earlier| earlier.id == claim.id) {
                let problem = format!("the claim {:?} stands twice", claim.id);
                return Err(InputError::new(problem, "give each an id of its own").in_source(source).into());
            }
        }
        Ok(claims)
    }

    /// Whether what is stated goes with the statement.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        let wrong =
            |problem: &str, remedy: &str| Err(InputError::new(format!("claim {:?} {problem}", self.id), remedy));
        let value =
            matches!(self.statement, Statement::Ratio | Statement::Gain | Statement::Interaction | Statement::AtLeast);
        match self.percent {
            None if value => return wrong("states no value", "add percent, such as percent = 40"),
            Some(_) if self.statement == Statement::Greater => {
                return wrong("states a value and only that one is greater", "use at_least, or leave percent out");
            }
            Some(percent) if !(percent.is_finite() && percent.abs() < 1e9) => {
                return wrong("states a value beyond all measure", "give percent as a number below 1e9");
            }
            Some(percent) if percent <= 0.0 && self.statement != Statement::Gain => {
                return wrong("states a value that is not above zero", "give percent as a number above zero");
            }
            Some(percent) if percent >= 100.0 && self.statement == Statement::Equivalence => {
                return wrong("has a margin of 100 % or more", "give percent as the margin, such as percent = 3");
            }
            _ => {}
        }
        if self.precision.is_some_and(|step| !(step > 0.0 && step.is_finite())) {
            return wrong(
                "has a precision that is not above zero",
                "give the step in percent points, such as precision = 1",
            );
        }
        match (self.statement, &self.by) {
            (Statement::Interaction, None) => {
                wrong("names no second factor", "add by = { factor = …, baseline = …, contender = … }")
            }
            (Statement::Interaction, Some(_)) | (_, None) => Ok(()),
            (_, Some(_)) => wrong("names a second factor", "use the statement interaction, or leave by out"),
        }
    }

    /// The step to which the value is stated, in percent points.
    pub fn step(&self) -> f64 {
        let digits = |percent: f64| percent.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len());
        self.precision.unwrap_or_else(|| 10f64.powi(-(self.percent.map_or(0, digits).min(12) as i32)))
    }
}

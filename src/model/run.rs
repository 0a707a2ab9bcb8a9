//! One execution of a load tool against one configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Level;

/// One run: a value for each column that is known of it. Serialises as one flat object.
///
/// ```
/// use kaeanalysis::model::{Run, Runs};
///
/// let runs = Runs::from_rows(
///     [("none", 587.0), ("vkae", 1367.0)].map(|(accelerator, rps)| Run::new().with("accelerator", accelerator).with("workers", 1).measured("rps", rps)),
///     "example",
/// )?;
/// assert_eq!(runs.len(), 2);
/// # Ok::<(), kaeanalysis::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Run {
    values: BTreeMap<String, Level>,
}

impl Run {
    /// A run of which nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a factor or a design column.
    #[must_use]
    pub fn with(mut self, column: &str, level: impl Into<Level>) -> Self {
        self.values.insert(column.to_owned(), level.into());
        self
    }

    /// Sets a metric.
    #[must_use]
    pub fn measured(mut self, metric: &str, value: f64) -> Self {
        self.values.insert(metric.to_owned(), Level::number(value));
        self
    }

    /// The value of a column.
    pub fn get(&self, column: &str) -> &Level {
        self.values.get(column).unwrap_or(&Level::Unknown)
    }

    /// The columns that have a value, and the values.
    pub fn values(&self) -> impl Iterator<Item = (&str, &Level)> {
        self.values.iter().map(|(column, value)| (column.as_str(), value))
    }
}

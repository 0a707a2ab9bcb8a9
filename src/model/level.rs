//! One value of a factor.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

/// A value of a factor: a number or a text, or unknown.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Level {
    /// Not stated.
    Unknown,
    /// A whole number.
    Integer(i64),
    /// A number with a fraction; always finite.
    Number(f64),
    /// A text.
    Text(String),
}

impl Level {
    /// A finite number; whole ones print without a point, and `-0` is `0`.
    pub fn number(value: f64) -> Self {
        Self::Number(value + 0.0)
    }

    /// Whether the level is not stated.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    fn key(&self) -> (u8, f64, &str) {
        match self {
            Self::Unknown => (0, 0.0, ""),
            Self::Integer(value) => (1, *value as f64, ""),
            Self::Number(value) => (1, *value, ""),
            Self::Text(text) => (2, 0.0, text),
        }
    }
}

impl PartialEq for Level {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Level {}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Unknown first, then numbers by size (4 and 4.0 are the same level), then texts.
impl Ord for Level {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.key(), other.key());
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(b.2))
    }
}

impl Hash for Level {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (class, number, text) = self.key();
        (class, number.to_bits(), text).hash(state);
    }
}

/// As it is written in arguments and files; unknown is empty.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => Ok(()),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl From<&str> for Level {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<i64> for Level {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

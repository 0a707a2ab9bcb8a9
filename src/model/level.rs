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

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            Self::Unknown | Self::Text(_) => None,
        }
    }

    /// Whole numbers compare exactly, whichever way they are kept: 4 and 4.0 are one level, 2^53 and 2^53 + 1 are two.
    fn canonical(&self) -> Self {
        match self {
            Self::Number(value) if value.fract() == 0.0 && value.abs() < 9e15 => Self::Integer(*value as i64),
            other => other.clone(),
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

/// Unknown first, then numbers by size, then texts.
impl Ord for Level {
    fn cmp(&self, other: &Self) -> Ordering {
        let class = |level: &Self| match level {
            Self::Unknown => 0,
            Self::Integer(_) | Self::Number(_) => 1,
            Self::Text(_) => 2,
        };
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => match (self.as_number(), other.as_number()) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                _ => class(self).cmp(&class(other)),
            },
        }
    }
}

impl Hash for Level {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.canonical() {
            Self::Unknown => 0u8.hash(state),
            Self::Integer(value) => (1u8, value).hash(state),
            Self::Number(value) => (2u8, value.to_bits()).hash(state),
            Self::Text(text) => (3u8, text).hash(state),
        }
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

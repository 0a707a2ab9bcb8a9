//! Factors and the levels they have, in order.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Level;

/// Some factors, each with a level. Serialises as an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings(Vec<(String, Level)>);

impl Settings {
    /// The level of a factor.
    pub fn get(&self, factor: &str) -> Option<&Level> {
        self.0.iter().find(|(name, _)| name == factor).map(|(_, level)| level)
    }

    /// Factors and levels, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Level)> {
        self.0.iter().map(|(name, level)| (name.as_str(), level))
    }

    /// The levels alone, in order.
    pub fn levels(&self) -> impl Iterator<Item = &Level> {
        self.0.iter().map(|(_, level)| level)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, Level)> for Settings {
    fn from_iter<T: IntoIterator<Item = (String, Level)>>(settings: T) -> Self {
        Self(settings.into_iter().collect())
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (factor, level) in self.iter() {
            map.serialize_entry(factor, level)?;
        }
        map.end()
    }
}

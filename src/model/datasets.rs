//! The documented studies, embedded: `data/documented/*.csv` and the `datasets.toml` beside them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Level;
use super::claim::Claim;
use crate::error::{Error, Result, instead};
use crate::language::Lang;

/// What a documented study is, from `datasets.toml`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dataset {
    /// Name, also the level of the column `study`.
    pub name: String,
    /// Title.
    pub title: Localised,
    /// Address of the publication.
    pub source: String,
    /// What was measured.
    pub measured: Localised,
    /// The command on the client.
    pub client: Localised,
    /// The settings of the server that matter.
    pub server: Localised,
    /// What the document leaves out or gets wrong.
    pub notes: Vec<Localised>,
    /// Levels known to be the same treatment under a condition.
    #[serde(default)]
    pub negative_controls: Vec<NegativeControl>,
    /// What the document concludes.
    #[serde(default)]
    pub claims: Vec<Claim>,
}

/// A text in both languages, or one for both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct Localised {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

/// As it is written in TOML.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Both(String),
    Each { en: String, zh: String },
}

impl From<Written> for Localised {
    fn from(written: Written) -> Self {
        match written {
            Written::Both(text) => Self { en: text.clone(), zh: text },
            Written::Each { en, zh } => Self { en, zh },
        }
    }
}

impl Localised {
    /// The text in `lang`.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Zh => &self.zh,
        }
    }
}

/// A factor that cannot act under a condition, so that its levels are replicates there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NegativeControl {
    /// The inert factor.
    pub factor: String,
    /// Where it is inert.
    #[serde(rename = "where")]
    pub conditions: BTreeMap<String, Level>,
    /// Why.
    pub reason: Localised,
}

#[derive(Deserialize)]
struct File {
    dataset: Vec<Dataset>,
}

const TABLES: [(&str, &str); 3] = [
    ("vkae_vm", include_str!("../../data/documented/vkae_vm.csv")),
    ("docker", include_str!("../../data/documented/docker.csv")),
    ("soft_ratio", include_str!("../../data/documented/soft_ratio.csv")),
];

/// The names, in the order in which they are reported.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

/// The descriptions of all documented studies.
pub fn all() -> Result<Vec<Dataset>> {
    let file: File = toml::from_str(include_str!("../../data/documented/datasets.toml")).map_err(|error| {
        Error::input(format!("datasets.toml: {error}"), "this is a fault of the package, report it")
    })?;
    Ok(file.dataset)
}

fn unknown(name: &str) -> Error {
    Error::input(format!("{name:?} is not a documented study"), instead(name, names()))
}

/// The description of a documented study.
///
/// # Errors
/// A name that is not a documented study.
pub fn describe(name: &str) -> Result<Dataset> {
    all()?.into_iter().find(|dataset| dataset.name == name).ok_or_else(|| unknown(name))
}

/// The canonical CSV of a documented study.
///
/// # Errors
/// A name that is not a documented study.
pub fn csv(name: &str) -> Result<&'static str> {
    TABLES.iter().find(|(known, _)| *known == name).map(|(_, csv)| *csv).ok_or_else(|| unknown(name))
}

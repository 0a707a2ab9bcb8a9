//! Every sentence and label that a person reads, in English and Chinese, from one catalogue in Fluent's format.
//!
//! The catalogue is `en.ftl` and `zh.ftl` beside this file. A test holds the two to the same keys and variables, and
//! another to the keys that the code asks for.

mod number;

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use serde::{Deserialize, Serialize};
use unic_langid::langid;

pub use number::{count, interval, measured, p_value, percent, ratio, signed_percent};

use crate::named::named;

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

named!(Lang, "a language", { En => "en", Zh => "zh" });

type Bundle = FluentBundle<FluentResource>;

fn bundle(lang: Lang) -> &'static Bundle {
    static EN: LazyLock<Bundle> = LazyLock::new(|| parse(include_str!("en.ftl"), langid!("en")));
    static ZH: LazyLock<Bundle> = LazyLock::new(|| parse(include_str!("zh.ftl"), langid!("zh")));
    match lang {
        Lang::En => &EN,
        Lang::Zh => &ZH,
    }
}

fn parse(source: &str, id: unic_langid::LanguageIdentifier) -> Bundle {
    // What does not parse is left out here and found by the tests, which read both files strictly.
    let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(partial, _)| partial);
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // Direction marks around every variable would end up in CSV headers and figures.
    bundle.set_use_isolating(false);
    bundle.add_resource_overriding(resource);
    bundle
}

/// The text of `key` in `lang`, with its variables filled in. A number given as an integer also chooses the plural.
pub fn text<'a>(lang: Lang, key: &str, variables: &[(&'a str, FluentValue<'a>)]) -> String {
    lookup(lang, key, variables).unwrap_or_else(|| key.to_owned())
}

fn lookup<'a>(lang: Lang, key: &str, variables: &[(&'a str, FluentValue<'a>)]) -> Option<String> {
    let pattern = bundle(lang).get_message(key)?.value()?;
    let arguments: FluentArgs = variables.iter().cloned().collect();
    Some(bundle(lang).format_pattern(pattern, Some(&arguments), &mut Vec::new()).into_owned())
}

/// The label of a column (`tls_mode` → "TLS mode"); a column nobody knows keeps its name.
pub fn column_label(lang: Lang, column: &str) -> String {
    lookup(lang, &format!("column-{column}"), &[]).unwrap_or_else(|| column.to_owned())
}

/// The label of a level (`none` of `accelerator` → "no accelerator"); other levels keep their text.
pub fn level_label(lang: Lang, column: &str, level: &str) -> String {
    lookup(lang, &format!("level-{column}-{level}"), &[]).unwrap_or_else(|| level.to_owned())
}

/// `a, b and c` in `lang`.
pub fn list(lang: Lang, items: &[String]) -> String {
    match (lang, items) {
        (_, []) => String::new(),
        (_, [only]) => only.clone(),
        (Lang::En, [first @ .., last]) => format!("{} and {last}", first.join(", ")),
        (Lang::Zh, _) => items.join("、"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use fluent_bundle::FluentResource;

    /// Keys and the variables of each, as they stand in a catalogue file.
    fn keys(source: &str) -> BTreeMap<String, BTreeSet<String>> {
        FluentResource::try_new(source.to_owned()).map_err(|(_, errors)| errors).expect("the catalogue parses");
        let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut current = None;
        for line in source.lines() {
            if let Some((key, _)) = line.split_once(" =").filter(|_| line.starts_with(|c: char| c.is_ascii_lowercase()))
            {
                assert!(keys.insert(key.to_owned(), BTreeSet::new()).is_none(), "{key} stands twice");
                current = Some(key.to_owned());
            }
            let variables = line.match_indices('$').map(|(at, _)| {
                line[at + 1..]
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
                    .collect::<String>()
            });
            if let Some(key) = &current {
                keys.get_mut(key).expect("inserted above").extend(variables);
            }
        }
        keys
    }

    #[test]
    fn both_languages_have_the_same_keys_and_variables() {
        let (en, zh) = (keys(include_str!("en.ftl")), keys(include_str!("zh.ftl")));
        assert_eq!(en.keys().collect::<Vec<_>>(), zh.keys().collect::<Vec<_>>());
        for (key, variables) in &en {
            assert_eq!(variables, &zh[key], "variables of {key}");
        }
    }

    /// Collects the keys that sources and templates ask for by name.
    fn used(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                used(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs" || e == "html" || e == "md") {
                let source = std::fs::read_to_string(&path).expect("UTF-8 source");
                for opening in ["text(lang, \"", " t(\"", "{t(\""] {
                    for (at, _) in source.match_indices(opening) {
                        let key = source[at + opening.len()..].split('"').next().unwrap_or_default();
                        if !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '-') {
                            found.insert(key.to_owned());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_key_the_code_asks_for_exists() {
        let mut found = BTreeSet::new();
        used(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        let known = keys(include_str!("en.ftl"));
        let missing: Vec<_> = found.iter().filter(|key| !known.contains_key(*key)).collect();
        assert!(found.len() > 20, "the scan finds the keys: {found:?}");
        assert!(missing.is_empty(), "not in the catalogue: {missing:?}");
    }
}

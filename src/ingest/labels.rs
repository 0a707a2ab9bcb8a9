//! What is known of runs beside what their files say: labels, the names of files, and tables of labels.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use regex::Regex;

use super::header::{refuse_unclear, says_nothing};
use crate::error::{Error, InputError, Result};
use crate::model::schema::Role;
use crate::model::{Level, schema, vocabulary};

/// What the name of a file says: `{accelerator}_{tls_mode}_{workers}w_r{replicate}.log`.
#[derive(Debug, Clone)]
pub struct Pattern {
    written: String,
    regex: Regex,
}

impl FromStr for Pattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = |why: &str| {
            Error::input(
                format!("{text:?} is no pattern: {why}"),
                "write columns in braces, such as {accelerator}_{workers}w_r{replicate}.log",
            )
        };
        let mut expression = "^".to_owned();
        let mut rest = text;
        let mut columns: Vec<&str> = Vec::new();
        while let Some((literal, behind)) = rest.split_once('{') {
            let (column, after) = behind.split_once('}').ok_or_else(|| wrong("a brace is not closed"))?;
            let plain = |c: char| c.is_alphanumeric() || c == '_';
            if column.is_empty() || !column.chars().all(plain) || column.starts_with(char::is_numeric) {
                return Err(wrong("a column has a name of letters, digits and underscores"));
            }
            if columns.contains(&column) {
                return Err(wrong("a column stands twice"));
            }
            columns.push(column);
            expression += &regex::escape(literal);
            expression += &format!("(?P<{column}>[^/]+?)");
            rest = after;
        }
        if columns.is_empty() {
            return Err(wrong("it names no column"));
        }
        expression += &regex::escape(rest);
        expression.push('$');
        let regex = Regex::new(&expression).map_err(|error| wrong(&error.to_string()))?;
        Ok(Self { written: text.to_owned(), regex })
    }
}

impl Pattern {
    /// The columns and their texts, by the end of the path that has as many folders as the pattern.
    pub(super) fn labels(&self, path: &Path) -> Result<Vec<(String, String)>> {
        let depth = self.written.matches('/').count() + 1;
        let names: Vec<String> = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let end = names[names.len().saturating_sub(depth)..].join("/");
        let end = end.strip_suffix(".gz").or(end.strip_suffix(".zst")).unwrap_or(&end);
        let found = self.regex.captures(end).ok_or_else(|| Error::File {
            path: path.to_owned(),
            reason: format!("does not match the pattern {}", self.written),
            remedy: "change the pattern, or name only files that match it".to_owned(),
        })?;
        let columns = self.regex.capture_names().flatten();
        Ok(columns.filter_map(|name| Some((name.to_owned(), found.name(name)?.as_str().to_owned()))).collect())
    }
}

/// Labels as the values of their columns.
///
/// # Errors
/// What a column does not take, a metric, which is measured and no label, or two labels that contradict each other.
pub(super) fn checked(labels: &[(String, String)], path: &Path) -> Result<Vec<(String, Level)>> {
    let mut checked: Vec<(String, Level)> = Vec::new();
    for (header, text) in labels {
        let placed = |error: InputError| error.in_column(header).in_source(&path.display().to_string());
        let column = vocabulary::column(header);
        if schema::role(&column) == Role::Metric {
            return Err(placed(InputError::new(
                format!("{text:?} is given as a label, but {column} is measured"),
                "give labels that say how it was measured, such as workers=4",
            ))
            .into());
        }
        refuse_unclear(&[], std::iter::once(column.as_str())).map_err(placed)?;
        if says_nothing(&[], &column) {
            let problem = format!("{column} is a number of a row or computed from other columns");
            return Err(placed(InputError::new(problem, "give the label another name")).into());
        }
        let level = vocabulary::value(header, &column, text).and_then(|text| schema::kind(&column).parse(text));
        let level = level.map_err(placed)?;
        match checked.iter().find(|(known, _)| *known == column) {
            Some((_, known)) if *known != level => {
                let problem = format!("{known} and {level} are given for the same runs");
                return Err(placed(InputError::new(problem, "correct one of the labels")).into());
            }
            Some(_) => {}
            None => checked.push((column, level)),
        }
    }
    Ok(checked)
}

/// A table of labels, by the name of the file.
pub(super) struct Manifest {
    path: PathBuf,
    files: HashMap<String, Vec<(String, String)>>,
}

pub(super) fn manifest(path: &Path) -> Result<Manifest> {
    let wrong = |problem: String| {
        let remedy = "give a CSV table with a column file, and a column for each label";
        Error::from(InputError::new(problem, remedy).in_source(&path.display().to_string()))
    };
    let bytes = fs::read(path).map_err(|error| Error::unreadable(path, &error))?;
    let text = super::text::decode(&bytes).map_err(|error| error.in_source(&path.display().to_string()))?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
    let at = header
        .iter()
        .position(|name| ["file", "文件"].contains(&name))
        .ok_or_else(|| wrong("there is no column file".to_owned()))?;
    let mut files = HashMap::new();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let name = record.get(at).unwrap_or_default().to_owned();
        let labels = header.iter().zip(&record).enumerate();
        let labels = labels.filter(|(index, (_, text))| *index != at && !text.is_empty());
        let labels = labels.map(|(_, (column, text))| (column.to_owned(), text.to_owned())).collect();
        if files.insert(name.clone(), labels).is_some() {
            return Err(wrong(format!("{name} stands twice")));
        }
    }
    Ok(Manifest { path: path.to_owned(), files })
}

impl Manifest {
    /// The labels of a file, by the end of its path, whether or not it is packed.
    pub(super) fn labels(&self, path: &Path) -> Result<Vec<(String, String)>> {
        let stated = self.files.iter().filter(|(name, _)| names(name, path));
        // The longest one says the most of where the file lies.
        let stated = stated.max_by_key(|(name, _)| name.len()).map(|(_, labels)| labels.clone());
        stated.ok_or_else(|| Error::File {
            path: path.to_owned(),
            reason: format!("does not stand in {}", self.path.display()),
            remedy: "add a row for it, or name only files that have one".to_owned(),
        })
    }

    /// The names of files that are none of these, in order.
    pub(super) fn missing(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let missing = self.files.keys().filter(|name| !paths.iter().any(|path| names(name, path)));
        let mut missing: Vec<PathBuf> = missing.map(PathBuf::from).collect();
        missing.sort();
        missing
    }
}

/// Whether a name is the end of a path.
fn names(name: &str, path: &Path) -> bool {
    let packed = path.extension().is_some_and(|ending| ending == "gz" || ending == "zst");
    path.ends_with(name) || (packed && path.with_extension("").ends_with(name))
}

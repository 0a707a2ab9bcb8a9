//! Python values to the core's, and the core's errors to Python's.

use std::path::PathBuf;
use std::str::FromStr;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::analysis::{Control, Scope};
use crate::error::{Error, instead};
use crate::language::Lang;
use crate::model::claim::Claim;
use crate::model::vocabulary;

mod exceptions {
    pyo3::import_exception!(kaeanalysis._errors, InputError);
    pyo3::import_exception!(kaeanalysis._errors, FileError);
}

/// The Python exception of an error, with the same text.
pub fn raise(error: Error) -> PyErr {
    match error {
        Error::Input(_) => exceptions::InputError::new_err(error.to_string()),
        Error::File { .. } => exceptions::FileError::new_err(error.to_string()),
    }
}

/// An [`exceptions::InputError`] for a value of the wrong kind.
pub fn bad_input(problem: impl Into<String>, remedy: impl Into<String>) -> PyErr {
    raise(Error::input(problem, remedy))
}

pub fn language(lang: &str) -> PyResult<Lang> {
    Lang::from_str(lang).map_err(raise)
}

/// A level as people write it: a text, a number or a truth value.
pub struct Text(pub String);

impl<'a, 'py> FromPyObject<'a, 'py> for Text {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyBool>() {
            return Ok(Self(value.extract::<bool>()?.to_string()));
        }
        if value.is_instance_of::<PyString>() || value.extract::<f64>().is_ok() {
            return Ok(Self(value.str()?.to_string()));
        }
        let kind = value.get_type().name()?.to_string();
        Err(bad_input(format!("a level of type {kind}"), "give a text or a number"))
    }
}

/// `where={"workers": 4, "tls_mode": ["sync", "async"]}`
pub struct Conditions(pub Vec<(String, String)>);

impl<'a, 'py> FromPyObject<'a, 'py> for Conditions {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wanted =
            || bad_input("where is not a dictionary", "give factors and levels, such as where={\"workers\": 4}");
        let mut conditions = Vec::new();
        for (factor, levels) in value.cast::<PyDict>().map_err(|_| wanted())?.iter() {
            let factor: String = factor.extract().map_err(|_| wanted())?;
            match levels.extract::<Text>() {
                Ok(level) => conditions.push((factor, level.0)),
                Err(_) => {
                    let before = conditions.len();
                    for level in levels.try_iter().map_err(|_| wanted())? {
                        conditions.push((factor.clone(), level?.extract::<Text>()?.0));
                    }
                    if conditions.len() == before {
                        return Err(bad_input(format!("where names no level of {factor}"), "give at least one"));
                    }
                }
            }
        }
        Ok(Self(conditions))
    }
}

impl Conditions {
    /// Factors and levels by the names that they have in runs.
    fn in_known_words(self) -> Vec<(String, String)> {
        self.0.iter().map(|(factor, level)| vocabulary::condition(factor, level)).collect()
    }
}

/// Factors: `ignore="tool"` or `ignore=["tool", "threads"]`.
pub struct Names(pub Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Names {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyString>() {
            return Ok(Self(vec![vocabulary::column(value.extract()?)]));
        }
        let names: Vec<String> = value.extract().map_err(|_| {
            bad_input("this names no factors", "give a factor or a list of factors, such as [\"tool\", \"threads\"]")
        })?;
        Ok(Self(names.iter().map(|name| vocabulary::column(name)).collect()))
    }
}

/// `columns={"机型": "vm_size", "备注": None}`
pub struct Columns(pub Vec<(String, String)>);

impl<'a, 'py> FromPyObject<'a, 'py> for Columns {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wanted = || {
            bad_input(
                "columns is not a dictionary of texts",
                "give headers and columns: columns={\"机型\": \"vm_size\"}",
            )
        };
        let pairs = value.cast::<PyDict>().map_err(|_| wanted())?;
        let pair = |(header, column): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
            let column: Option<String> = column.extract().map_err(|_| wanted())?;
            Ok((header.extract().map_err(|_| wanted())?, column.unwrap_or_default()))
        };
        pairs.iter().map(pair).collect::<PyResult<_>>().map(Self)
    }
}

/// Claims: the path of a TOML file, or a list of dictionaries with the same keys.
pub struct Claims(pub Vec<Claim>);

impl<'a, 'py> FromPyObject<'a, 'py> for Claims {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(path) = value.extract::<PathBuf>() {
            return Claim::from_file(&path).map(Self).map_err(raise);
        }
        let json: String = value.py().import("json")?.call_method1("dumps", (&value,))?.extract()?;
        Claim::from_json(&json, "claims").map(Self).map_err(raise)
    }
}

/// `controls="tls_mode@accelerator=none"`, a list of these, or `{"factor": "tls_mode", "where": {"accelerator": "none"}}`.
struct Controls(Vec<Control>);

impl<'a, 'py> FromPyObject<'a, 'py> for Controls {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyString>() || value.is_instance_of::<PyDict>() {
            return Ok(Self(vec![control(&value)?]));
        }
        let wanted = || bad_input("controls names no control", "give texts such as \"tls_mode@accelerator=none\"");
        let controls = value.try_iter().map_err(|_| wanted())?;
        controls.map(|one| control(&one?)).collect::<PyResult<_>>().map(Self)
    }
}

fn control(value: &Bound<'_, PyAny>) -> PyResult<Control> {
    if let Ok(text) = value.extract::<String>() {
        return Control::from_str(&text).map_err(raise);
    }
    let wanted = || bad_input("a control without factor and where", "give {\"factor\": …, \"where\": {…}}");
    let dict = value.cast::<PyDict>().map_err(|_| wanted())?;
    let factor = dict.get_item("factor")?.ok_or_else(wanted)?.extract()?;
    let conditions = dict.get_item("where")?.ok_or_else(wanted)?.extract::<Conditions>()?.0;
    Ok(Control { factor, conditions })
}

/// Reads a value by the way it is written on the command line (`method="bca"`).
pub fn named<T: FromStr<Err = Error>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    value.extract::<String>()?.parse().map_err(raise)
}

/// The keywords that all questions share, as `**scope`.
pub fn scope(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Scope> {
    let mut scope = Scope::default();
    for (key, value) in keywords.into_iter().flatten() {
        let key: String = key.extract()?;
        let precision = &mut scope.precision;
        // None stands for the default, as it does for other keywords.
        let stated = !value.is_none();
        match key.as_str() {
            "metric" => scope.metric = value.extract::<Option<String>>()?.map(|metric| vocabulary::column(&metric)),
            "where" if stated => scope.conditions = value.extract::<Conditions>()?.in_known_words(),
            "ignore" if stated => scope.ignore = value.extract::<Names>()?.0,
            "controls" if stated => scope.controls = value.extract::<Controls>()?.0,
            "method" if stated => precision.method = named(&value)?,
            "center" if stated => precision.center = Some(named(&value)?),
            "assume_cv" => precision.assume_cv = value.extract()?,
            "confidence" if stated => precision.confidence = value.extract()?,
            "resamples" if stated => precision.resamples = value.extract()?,
            "seed" if stated => precision.seed = value.extract()?,
            known if KEYWORDS.contains(&known) => {}
            unknown => {
                return Err(PyTypeError::new_err(format!(
                    "unexpected keyword {unknown:?}; {}",
                    instead(unknown, KEYWORDS)
                )));
            }
        }
    }
    Ok(scope)
}

const KEYWORDS: [&str; 10] =
    ["metric", "where", "ignore", "controls", "method", "center", "assume_cv", "confidence", "resamples", "seed"];

//! Python values to the core's, and the core's errors to Python's.

use std::str::FromStr;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::analysis::{Method, Precision};
use crate::error::Error;
use crate::language::Lang;

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
#[derive(Default)]
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

/// `ignore="tool"` or `ignore=["tool", "threads"]`
#[derive(Default)]
pub struct Ignored(pub Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Ignored {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyString>() {
            return Ok(Self(vec![value.extract()?]));
        }
        value.extract().map(Self).map_err(|_| {
            bad_input("ignore names no factors", "give a factor or a list of factors, such as ignore=[\"tool\"]")
        })
    }
}

/// How intervals are asked for.
pub struct Precise<'a> {
    pub method: &'a str,
    pub assume_cv: Option<f64>,
    pub confidence: f64,
}

impl Precise<'_> {
    pub fn check(&self) -> PyResult<Precision> {
        let method = Method::from_str(self.method).map_err(raise)?;
        Ok(Precision { confidence: self.confidence, method, assume_cv: self.assume_cv })
    }
}

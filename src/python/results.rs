//! Runs and results as Python classes.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use super::arrow;
use super::convert::{Columns, raise};
use crate::analysis::check::Check;
use crate::analysis::claims::Audit;
use crate::analysis::comparison::Comparison;
use crate::figure::{Figure, PNG_WIDTH};
use crate::ingest;
use crate::language::Lang;
use crate::model::{Level, Runs, Warning};
use crate::report::Report;
use crate::report::answer::Answer;
use crate::report::table::Table;
use crate::report::tables::{Tabular, runs_title};

/// How many runs a notebook shows.
const SHOWN_RUNS: usize = 20;

/// Signatures show a literal to Python, and `...` for a name.
const _: () = assert!(PNG_WIDTH == 1600);

fn level<'py>(py: Python<'py>, level: &Level) -> PyResult<Bound<'py, PyAny>> {
    match level {
        Level::Unknown => Ok(py.None().into_bound(py)),
        Level::Integer(value) => Ok(value.into_pyobject(py)?.into_any()),
        Level::Number(value) => Ok(value.into_pyobject(py)?.into_any()),
        Level::Text(text) => Ok(text.into_pyobject(py)?.into_any()),
    }
}

fn records<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for record in table.records() {
        let dict = PyDict::new(py);
        for (name, value) in record {
            dict.set_item(name, level(py, value)?)?;
        }
        list.append(dict)?;
    }
    Ok(list)
}

fn warnings(warnings: &[Warning]) -> Vec<PyAnalysisWarning> {
    warnings.iter().cloned().map(PyAnalysisWarning).collect()
}

/// `polars.DataFrame(self)`; polars is imported here and not before.
fn to_polars<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let polars = py.import("polars").map_err(|error| {
        let told = PyImportError::new_err("polars is not installed; pip install polars, or use to_dicts()");
        told.set_cause(py, Some(error));
        told
    })?;
    polars.getattr("DataFrame")?.call1((object,))
}

/// What a reader of a result must know beside it: a stable code and a message.
#[pyclass(name = "AnalysisWarning", module = "kaeanalysis", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct PyAnalysisWarning(Warning);

#[pymethods]
impl PyAnalysisWarning {
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code()
    }

    #[getter]
    fn message(&self) -> String {
        self.0.message(Lang::En)
    }

    fn __str__(&self) -> String {
        format!("{}: {}", self.0.code(), self.0.message(Lang::En))
    }

    fn __repr__(&self) -> String {
        format!("<AnalysisWarning {}>", self.__str__())
    }
}

/// Checked runs, one per row, from a polars or pandas frame, a pyarrow table, or anything with an Arrow C stream.
#[pyclass(name = "Runs", module = "kaeanalysis", frozen)]
pub struct PyRuns(pub Runs);

#[pymethods]
impl PyRuns {
    #[new]
    #[pyo3(signature = (data, *, source="frame", columns=None))]
    fn new(py: Python<'_>, data: &Bound<'_, PyAny>, source: &str, columns: Option<Columns>) -> PyResult<Self> {
        let frame = arrow::import(data)?;
        let columns = columns.map(|columns| columns.0).unwrap_or_default();
        py.detach(|| ingest::read_frame(frame, &columns, source)).map(Self).map_err(raise)
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.frame().get_column_names().into_iter().map(ToString::to_string).collect()
    }

    #[getter]
    fn source(&self) -> String {
        self.0.source()
    }

    #[getter]
    fn warnings(&self) -> Vec<PyAnalysisWarning> {
        warnings(self.0.warnings())
    }

    /// As a polars frame.
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_polars(this.as_any())
    }

    /// As one dictionary per row; absent values are None.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        records(py, &self.0.singly().map_err(raise)?.table(Lang::En))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol lets a producer ignore the request.
        drop(requested_schema);
        arrow::export(py, self.0.singly().map_err(raise)?.frame())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        let rows = if self.0.len() == 1 { "1 run" } else { &format!("{} runs", self.0.len()) };
        format!("<Runs: {rows} from {}; {}>", self.0.source(), self.columns().join(", "))
    }

    fn _repr_html_(&self) -> PyResult<String> {
        // A notebook shows what the runs look like, not all of them.
        let mut table = self.0.head(SHOWN_RUNS).table(Lang::En);
        table.title = runs_title(Lang::En, &self.0, SHOWN_RUNS);
        table.to_html(Lang::En).map_err(raise)
    }
}

/// The answer to a question: rows, warnings, and the same in a notebook, a frame and JSON.
#[pyclass(name = "Answer", module = "kaeanalysis", frozen, subclass)]
pub struct PyAnswer(pub Arc<dyn Answer>);

#[pymethods]
impl PyAnswer {
    #[getter]
    fn warnings(&self) -> Vec<PyAnalysisWarning> {
        warnings(&self.0.warnings())
    }

    /// As a polars frame.
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        to_polars(this.as_any())
    }

    /// As one dictionary per row; absent values are None.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        records(py, &self.0.table(Lang::En))
    }

    /// As Markdown, for a comment or a job summary.
    fn to_markdown(&self) -> String {
        self.0.table(Lang::En).to_markdown(Lang::En)
    }

    /// As JSON, as the command line gives it.
    fn to_json(&self) -> PyResult<String> {
        self.0.to_json().map_err(raise)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        arrow::export(py, &self.0.table(Lang::En).to_frame().map_err(raise)?)
    }

    fn __repr__(&self) -> String {
        self.0.table(Lang::En).to_terminal(Lang::En)
    }

    fn _repr_html_(&self) -> PyResult<String> {
        self.0.table(Lang::En).to_html(Lang::En).map_err(raise)
    }
}

/// Ratios of one factor's levels, all other factors held equal.
#[pyclass(name = "Comparison", module = "kaeanalysis", frozen, extends = PyAnswer)]
pub struct PyComparison(pub Arc<Comparison>);

#[pymethods]
impl PyComparison {
    #[getter]
    fn factor(&self) -> &str {
        &self.0.factor
    }

    #[getter]
    fn baseline<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        level(py, &self.0.baseline)
    }

    #[getter]
    fn metric(&self) -> &str {
        &self.0.metric
    }

    #[getter]
    fn confidence(&self) -> f64 {
        self.0.confidence
    }

    fn __len__(&self) -> usize {
        self.0.strata.len()
    }
}

/// Published sentences and what the runs say of them.
#[pyclass(name = "Audit", module = "kaeanalysis", frozen, extends = PyAnswer)]
pub struct PyAudit(pub Arc<Audit>);

#[pymethods]
impl PyAudit {
    /// The verdict of each claim, by its id.
    #[getter]
    fn verdicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let verdicts = PyDict::new(py);
        for judged in &self.0.claims {
            verdicts.set_item(&judged.claim.id, judged.verdict.to_string())?;
        }
        Ok(verdicts)
    }

    /// Whether a claim is overstated or contradicted, be it in one setting.
    #[getter]
    fn fails(&self) -> bool {
        self.0.fails()
    }

    /// Whether a claim is not testable, be it in one setting.
    #[getter]
    fn inconclusive(&self) -> bool {
        self.0.is_inconclusive()
    }
}

/// New runs against stored ones.
#[pyclass(name = "Check", module = "kaeanalysis", frozen, extends = PyAnswer)]
pub struct PyCheck(pub Arc<Check>);

#[pymethods]
impl PyCheck {
    /// pass, regression or inconclusive: the worst of all settings.
    #[getter]
    fn verdict(&self) -> String {
        self.0.verdict.to_string()
    }

    /// How many settings were not measured again.
    #[getter]
    fn gone(&self) -> usize {
        self.0.gone
    }

    /// As JUnit XML.
    #[pyo3(signature = (*, inconclusive_passes=false, gone_passes=true))]
    fn to_junit(&self, inconclusive_passes: bool, gone_passes: bool) -> PyResult<String> {
        self.0.to_junit(Lang::En, inconclusive_passes, gone_passes).map_err(raise)
    }
}

/// A finished figure: SVG in a notebook, SVG or PNG in a file.
#[pyclass(name = "Figure", module = "kaeanalysis", frozen, eq)]
#[derive(PartialEq, Eq)]
pub struct PyFigure(pub Figure);

#[pymethods]
impl PyFigure {
    #[getter]
    fn title(&self) -> &str {
        self.0.title()
    }

    #[getter]
    fn description(&self) -> &str {
        self.0.description()
    }

    #[getter]
    fn warnings(&self) -> Vec<PyAnalysisWarning> {
        warnings(&self.0.warnings())
    }

    /// As SVG.
    fn svg(&self) -> &str {
        self.0.svg()
    }

    /// As PNG, `width` pixels wide.
    #[pyo3(signature = (*, width=1600))]
    fn png(&self, py: Python<'_>, width: u32) -> PyResult<Vec<u8>> {
        py.detach(|| self.0.png(width)).map_err(raise)
    }

    /// Write to `path`, whose ending (.svg or .png) chooses the format.
    #[pyo3(signature = (path, *, width=1600, force=false))]
    fn save(&self, py: Python<'_>, path: PathBuf, width: u32, force: bool) -> PyResult<()> {
        py.detach(|| self.0.save(&path, width, force)).map_err(raise)
    }

    fn _repr_svg_(&self) -> &str {
        self.0.svg()
    }

    fn __repr__(&self) -> String {
        format!("<Figure: {}>", self.0.title())
    }
}

/// A report, ready to be written.
#[pyclass(name = "Report", module = "kaeanalysis", frozen)]
pub struct PyReport(pub Report);

#[pymethods]
impl PyReport {
    #[getter]
    fn conclusions(&self) -> Vec<&str> {
        self.0.conclusions().collect()
    }

    /// As one HTML page that needs nothing else.
    fn to_html(&self) -> PyResult<String> {
        self.0.to_html().map_err(raise)
    }

    /// As Markdown that refers to the files of the report folder.
    fn to_markdown(&self) -> PyResult<String> {
        self.0.to_markdown().map_err(raise)
    }

    /// As JSON, as the command line gives it.
    fn to_json(&self) -> PyResult<String> {
        self.0.to_json().map_err(raise)
    }

    /// Write the report folder `out` and give the number of files.
    #[pyo3(signature = (out, *, force=false))]
    fn write(&self, py: Python<'_>, out: PathBuf, force: bool) -> PyResult<usize> {
        py.detach(|| self.0.write(&out, force)).map_err(raise)
    }

    fn __repr__(&self) -> String {
        let conclusions: Vec<&str> = self.0.conclusions().collect();
        format!("<Report\n{}>", conclusions.join("\n"))
    }
}

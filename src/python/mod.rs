//! The extension module `kaeanalysis._core`: thin types over the core. Arguments are parsed, one function is called
//! without the GIL, and the result is handed over. What users read of it stands in `_core.pyi`.

#[allow(unsafe_code, reason = "the Arrow C stream is a C interface; the file argues its safety")]
mod arrow;
mod convert;
mod results;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::analysis::comparison::{Comparing, compare as compare_runs};
use crate::analysis::summary::summarise;
use crate::figure::{bars as draw_bars, forest as draw_forest};
use crate::ingest;
use crate::model::datasets;
use crate::report::answer::Answer;
use crate::report::{Options, Report};
use convert::{language, raise};
use results::{PyAnalysisWarning, PyAnswer, PyComparison, PyFigure, PyReport, PyRuns};

/// Read runs from a CSV file: canonical columns, or a wide table as vendors publish them.
#[pyfunction]
fn read_csv(py: Python<'_>, path: PathBuf) -> PyResult<PyRuns> {
    py.detach(|| ingest::read_file(&path)).map(PyRuns).map_err(raise)
}

/// Give the runs of a documented study: vkae_vm, docker or soft_ratio.
#[pyfunction]
fn documented(py: Python<'_>, name: &str) -> PyResult<PyRuns> {
    py.detach(|| ingest::documented(name)).map(PyRuns).map_err(raise)
}

/// Compare the levels of a factor, all other factors held equal.
#[pyfunction]
#[pyo3(signature = (runs, factor, *, baseline=None, contender=None, margin=None, adjust="none", **scope))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn compare<'py>(
    py: Python<'py>,
    runs: &PyRuns,
    factor: &str,
    baseline: Option<convert::Text>,
    contender: Option<convert::Text>,
    margin: Option<f64>,
    adjust: &str,
    scope: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyComparison>> {
    let comparing = Comparing {
        factor: factor.to_owned(),
        baseline: baseline.map(|level| level.0),
        contender: contender.map(|level| level.0),
        margin,
        adjust: adjust.parse().map_err(raise)?,
        scope: convert::scope(scope)?,
    };
    let comparison = Arc::new(py.detach(|| compare_runs(&runs.0, &comparing)).map_err(raise)?);
    let answer = PyAnswer(Arc::clone(&comparison) as Arc<dyn Answer>);
    Bound::new(py, PyClassInitializer::from(answer).add_subclass(PyComparison(comparison)))
}

/// Draw the metric of every setting as a bar, with a whisker where there is an interval.
#[pyfunction]
#[pyo3(signature = (runs, *, lang="en", **scope))]
fn bars(py: Python<'_>, runs: &PyRuns, lang: &str, scope: Option<&Bound<'_, PyDict>>) -> PyResult<PyFigure> {
    let (lang, scope) = (language(lang)?, convert::scope(scope)?);
    py.detach(|| Ok(draw_bars::bars(&summarise(&runs.0, &scope)?, lang))).map(PyFigure).map_err(raise)
}

/// Draw the ratios of a comparison on a logarithmic axis, with their intervals and a line at 1.
#[pyfunction]
#[pyo3(signature = (comparison, *, lang="en"))]
fn forest(py: Python<'_>, comparison: &PyComparison, lang: &str) -> PyResult<PyFigure> {
    let lang = language(lang)?;
    Ok(PyFigure(py.detach(|| draw_forest::forest(&comparison.0, lang))))
}

/// Report on runs: conclusions, tables and figures for each study; without runs, on the documented studies.
#[pyfunction]
#[pyo3(signature = (*runs, out=None, lang="en", force=false, **scope))]
fn report(
    py: Python<'_>,
    runs: Vec<PyRef<'_, PyRuns>>,
    out: Option<PathBuf>,
    lang: &str,
    force: bool,
    scope: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyReport> {
    let options = Options { lang: language(lang)?, scope: convert::scope(scope)? };
    let runs: Vec<crate::model::Runs> = runs.iter().map(|runs| runs.0.clone()).collect();
    py.detach(|| {
        let runs =
            if runs.is_empty() { datasets::names().map(ingest::documented).collect::<Result<_, _>>()? } else { runs };
        let report = Report::of(&crate::model::Runs::concat(runs)?, &options)?;
        if let Some(out) = out {
            report.write(&out, force)?;
        }
        Ok(report)
    })
    .map(PyReport)
    .map_err(raise)
}

/// The command line with the arguments of `sys.argv`; gives its exit code.
#[pyfunction]
fn run_cli(py: Python<'_>, argv: Vec<OsString>) -> i32 {
    py.detach(|| crate::cli::run(argv))
}

/// The extension module.
#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("DATASETS", datasets::names().collect::<Vec<_>>())?;
    module.add_class::<PyRuns>()?;
    module.add_class::<PyAnswer>()?;
    module.add_class::<PyComparison>()?;
    module.add_class::<PyFigure>()?;
    module.add_class::<PyReport>()?;
    module.add_class::<PyAnalysisWarning>()?;
    module.add_function(wrap_pyfunction!(read_csv, module)?)?;
    module.add_function(wrap_pyfunction!(documented, module)?)?;
    module.add_function(wrap_pyfunction!(compare, module)?)?;
    module.add_function(wrap_pyfunction!(bars, module)?)?;
    module.add_function(wrap_pyfunction!(forest, module)?)?;
    module.add_function(wrap_pyfunction!(report, module)?)?;
    module.add_function(wrap_pyfunction!(run_cli, module)?)?;
    Ok(())
}

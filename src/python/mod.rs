//! The extension module `kaeanalysis._core`: thin types over the core. Arguments are parsed, one function is called
//! without the GIL, and the result is handed over. What users read of it stands in `_core.pyi`.

#[allow(unsafe_code, reason = "the Arrow C stream is a C interface; the file argues its safety")]
mod arrow;
mod convert;
mod results;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::analysis::check::{Checking, check as check_runs};
use crate::analysis::claims::{Auditing, audit as judge_claims};
use crate::analysis::comparison::{Comparing, compare as compare_runs};
use crate::analysis::effects::{Factors, effects as compute_effects};
use crate::analysis::interaction::{Interacting, interact};
use crate::analysis::planning::{Planning, plan, plan_from};
use crate::analysis::quality::inspect;
use crate::analysis::summary::summarise;
use crate::error::Result;
use crate::figure::{bars as draw_bars, forest as draw_forest};
use crate::ingest::import::{Importing, import};
use crate::ingest::{self, Reading};
use crate::model::{Runs, datasets, vocabulary};
use crate::report::answer::Answer;
use crate::report::{Options, Report};
use convert::{language, raise};
use results::{PyAnalysisWarning, PyAnswer, PyAudit, PyCheck, PyComparison, PyFigure, PyReport, PyRuns};

/// Read runs from a CSV file: canonical columns, or a wide table as vendors publish them.
#[pyfunction]
#[pyo3(signature = (path, *, columns=None, most_runs=None))]
fn read_csv(
    py: Python<'_>,
    path: PathBuf,
    columns: Option<convert::Columns>,
    most_runs: Option<usize>,
) -> PyResult<PyRuns> {
    let reading = Reading { columns: columns.map(|columns| columns.0).unwrap_or_default(), most_runs };
    py.detach(|| reading.file(&path)).map(PyRuns).map_err(raise)
}

/// Read the outputs of load tools: files and folders, also packed ones.
#[pyfunction]
#[pyo3(signature = (*paths, tool=None, labels=None, pattern=None, manifest=None, parts=None, columns=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn read_outputs(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    tool: Option<&str>,
    labels: Option<convert::Conditions>,
    pattern: Option<&str>,
    manifest: Option<PathBuf>,
    parts: Option<&str>,
    columns: Option<convert::Columns>,
) -> PyResult<PyRuns> {
    let importing = Importing {
        tool: tool.map(str::parse).transpose().map_err(raise)?,
        labels: labels.map(|labels| labels.0).unwrap_or_default(),
        pattern: pattern.map(str::parse).transpose().map_err(raise)?,
        manifest,
        parts: parts.map(str::parse).transpose().map_err(raise)?,
        columns: columns.map(|columns| columns.0).unwrap_or_default(),
        output: None,
    };
    py.detach(|| import(&paths, &importing, &|_, _| ())?.runs()).map(PyRuns).map_err(raise)
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
        factor: vocabulary::column(factor),
        baseline: baseline.map(|level| level.0),
        contender: contender.map(|level| level.0),
        margin,
        adjust: adjust.parse().map_err(raise)?,
        scope: convert::scope(scope)?,
    };
    let comparison = Arc::new(py.detach(|| compare_runs(&runs.0, &comparing)).map_err(raise)?);
    with_base(py, Arc::clone(&comparison) as Arc<dyn Answer>, PyComparison(comparison))
}

/// An answer that has nothing to say but what all have.
fn answer<T: Answer + 'static>(py: Python<'_>, ask: impl FnOnce() -> Result<T> + Send) -> PyResult<PyAnswer> {
    py.detach(ask).map(|found| PyAnswer(Arc::new(found))).map_err(raise)
}

/// An answer with more to say, above what all have.
fn with_base<T: PyClass<BaseType = PyAnswer>>(py: Python<'_>, base: Arc<dyn Answer>, own: T) -> PyResult<Bound<'_, T>> {
    Bound::new(py, PyClassInitializer::from(PyAnswer(base)).add_subclass(own))
}

/// The runs of all inputs, or of the documented studies if there are none.
fn together(runs: Vec<Runs>) -> Result<Runs> {
    let documented = || datasets::names().map(ingest::documented).collect::<Result<_>>();
    Runs::concat(if runs.is_empty() { documented()? } else { runs })
}

/// Ask whether the effect of a factor depends on another: the ratio of two ratios.
#[pyfunction]
#[pyo3(signature = (runs, factor, by, *, baseline=None, contender=None, by_baseline=None, by_contender=None, **scope))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn interaction(
    py: Python<'_>,
    runs: &PyRuns,
    factor: &str,
    by: &str,
    baseline: Option<convert::Text>,
    contender: Option<convert::Text>,
    by_baseline: Option<convert::Text>,
    by_contender: Option<convert::Text>,
    scope: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyAnswer> {
    let level = |level: Option<convert::Text>| level.map(|level| level.0);
    let interacting = Interacting {
        factor: vocabulary::column(factor),
        baseline: level(baseline),
        contender: level(contender),
        by: vocabulary::column(by),
        by_baseline: level(by_baseline),
        by_contender: level(by_contender),
        scope: convert::scope(scope)?,
    };
    answer(py, || interact(&runs.0, &interacting))
}

/// Compute the effects and interactions of a two-level design by least squares on logarithms.
#[pyfunction]
#[pyo3(signature = (runs, *, factors=None, unreplicated="none", **scope))]
fn effects(
    py: Python<'_>,
    runs: &PyRuns,
    factors: Option<convert::Names>,
    unreplicated: &str,
    scope: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyAnswer> {
    let asked = Factors {
        factors: factors.map(|names| names.0).unwrap_or_default(),
        unreplicated: unreplicated.parse().map_err(raise)?,
        scope: convert::scope(scope)?,
    };
    answer(py, || compute_effects(&runs.0, &asked))
}

/// Hold published sentences against the runs; without runs, those of the documented studies.
#[pyfunction]
#[pyo3(signature = (*runs, claims=None, margin=0.03, **scope))]
fn audit<'py>(
    py: Python<'py>,
    runs: Vec<PyRef<'py, PyRuns>>,
    claims: Option<convert::Claims>,
    margin: f64,
    scope: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAudit>> {
    let auditing = Auditing { claims: claims.map(|claims| claims.0), margin, scope: convert::scope(scope)? };
    let runs: Vec<Runs> = runs.iter().map(|runs| runs.0.clone()).collect();
    let audit = py.detach(|| judge_claims(&together(runs)?, &auditing)).map_err(raise)?;
    let audit = Arc::new(audit);
    with_base(py, Arc::clone(&audit) as Arc<dyn Answer>, PyAudit(audit))
}

/// Compare new runs with stored ones, setting by setting.
#[pyfunction]
#[pyo3(signature = (baseline, current, *, max_regression, adjust="none", **scope))]
fn check<'py>(
    py: Python<'py>,
    baseline: &PyRuns,
    current: &PyRuns,
    max_regression: f64,
    adjust: &str,
    scope: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyCheck>> {
    let checking = Checking { max_regression, adjust: adjust.parse().map_err(raise)?, scope: convert::scope(scope)? };
    let check = Arc::new(py.detach(|| check_runs(&baseline.0, &current.0, &checking)).map_err(raise)?);
    with_base(py, Arc::clone(&check) as Arc<dyn Answer>, PyCheck(check))
}

/// Ask how many runs it takes, from the spread of runs or from a stated one.
#[pyfunction]
#[pyo3(signature = (runs=None, *, effect=None, cv=None, power=0.8, half_width=0.01, **scope))]
fn power(
    py: Python<'_>,
    runs: Option<&PyRuns>,
    effect: Option<f64>,
    cv: Option<f64>,
    power: f64,
    half_width: f64,
    scope: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyAnswer> {
    let (planning, scope) = (Planning { effect, cv, power, half_width }, convert::scope(scope)?);
    answer(py, || match runs {
        Some(runs) => plan_from(&runs.0, &planning, &scope),
        None => plan(&planning, scope.precision.confidence),
    })
}

/// Look for drift, outliers, copies and other faults of runs.
#[pyfunction]
#[pyo3(signature = (runs, **scope))]
fn quality(py: Python<'_>, runs: &PyRuns, scope: Option<&Bound<'_, PyDict>>) -> PyResult<PyAnswer> {
    let scope = convert::scope(scope)?;
    answer(py, || inspect(&runs.0, &scope))
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
#[pyo3(signature = (*runs, out=None, claims=None, lang="en", force=false, **scope))]
fn report(
    py: Python<'_>,
    runs: Vec<PyRef<'_, PyRuns>>,
    out: Option<PathBuf>,
    claims: Option<convert::Claims>,
    lang: &str,
    force: bool,
    scope: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyReport> {
    let claims = claims.map(|claims| claims.0);
    let options = Options { lang: language(lang)?, claims, scope: convert::scope(scope)? };
    let runs: Vec<Runs> = runs.iter().map(|runs| runs.0.clone()).collect();
    py.detach(|| {
        let report = Report::of(&together(runs)?, &options)?;
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
    module.add_class::<PyAudit>()?;
    module.add_class::<PyCheck>()?;
    module.add_class::<PyFigure>()?;
    module.add_class::<PyReport>()?;
    module.add_class::<PyAnalysisWarning>()?;
    module.add_function(wrap_pyfunction!(read_csv, module)?)?;
    module.add_function(wrap_pyfunction!(read_outputs, module)?)?;
    module.add_function(wrap_pyfunction!(documented, module)?)?;
    module.add_function(wrap_pyfunction!(compare, module)?)?;
    module.add_function(wrap_pyfunction!(interaction, module)?)?;
    module.add_function(wrap_pyfunction!(effects, module)?)?;
    module.add_function(wrap_pyfunction!(audit, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(power, module)?)?;
    module.add_function(wrap_pyfunction!(quality, module)?)?;
    module.add_function(wrap_pyfunction!(bars, module)?)?;
    module.add_function(wrap_pyfunction!(forest, module)?)?;
    module.add_function(wrap_pyfunction!(report, module)?)?;
    module.add_function(wrap_pyfunction!(run_cli, module)?)?;
    Ok(())
}

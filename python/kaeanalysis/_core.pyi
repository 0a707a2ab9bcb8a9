"""The compiled part of kaeanalysis; everything here is reached through the package itself."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, final

import polars
from typing_extensions import Unpack, disjoint_base

from ._types import Adjust, ArrowStreamExportable, Ignore, Lang, Level, Parts, Scope, Unreplicated

__all__ = [
    "DATASETS",
    "AnalysisWarning",
    "Answer",
    "Audit",
    "Check",
    "Comparison",
    "Figure",
    "Report",
    "Runs",
    "__version__",
    "audit",
    "bars",
    "check",
    "compare",
    "documented",
    "effects",
    "forest",
    "interaction",
    "power",
    "quality",
    "read_csv",
    "read_outputs",
    "report",
    "run_cli",
]

__version__: str
DATASETS: list[str]

@final
class AnalysisWarning:
    """What a reader of a result must know beside it."""

    @property
    def code(self) -> str:
        """Stable code, such as ``single-run``."""

    @property
    def message(self) -> str:
        """What is the case, and what to do."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Runs:
    """Checked runs, one per row.

    Parameters
    ----------
    data
        A polars or pandas frame, a pyarrow table, or anything else with ``__arrow_c_stream__``. Columns that are known
        (``workers``, ``tls_mode``, ``accelerator``, ``rps``, …) are checked; any other column is a further factor.
    source
        How messages name the data.
    columns
        Names of columns and the known columns that they stand for, such as ``{"机型": "vm_size"}``; ``None`` leaves one
        out.

    Raises
    ------
    InputError
        No runs, no metric, or a value that its column does not allow; the message names column, row and value.

    Examples
    --------
    >>> import kaeanalysis as ka, polars as pl
    >>> frame = pl.DataFrame({"accelerator": ["none", "kae"], "workers": [4, 4], "rps": [2243, 4368]})
    >>> ka.Runs(frame)
    <Runs: 2 runs from frame; workers, accelerator, rps>

    """

    def __new__(
        cls,
        data: ArrowStreamExportable,
        *,
        source: str = "frame",
        columns: Mapping[str, str | None] | None = None,
    ) -> Runs: ...
    @property
    def columns(self) -> list[str]:
        """Names of the columns, in canonical order."""

    @property
    def source(self) -> str:
        """Where the runs come from."""

    @property
    def warnings(self) -> list[AnalysisWarning]:
        """What was noticed while reading."""

    def to_polars(self) -> polars.DataFrame:
        """As a polars frame, without copying."""

    def to_dicts(self) -> list[dict[str, str | int | float | None]]:
        """As one dictionary per run; absent values are ``None``."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@disjoint_base
class Answer:
    """The answer to a question: rows with the same numbers in a notebook, a frame, JSON and on the command line."""

    @property
    def warnings(self) -> list[AnalysisWarning]:
        """Everything to know beside the numbers, once each."""

    def to_polars(self) -> polars.DataFrame:
        """As a polars frame."""

    def to_dicts(self) -> list[dict[str, Any]]:
        """As one dictionary per row; absent values are ``None``."""

    def to_markdown(self) -> str:
        """As the command line gives it with ``--format md``, for a comment or a job summary."""

    def to_json(self) -> str:
        """As the command line gives it with ``--format json``."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def _repr_html_(self) -> str: ...

@final
class Comparison(Answer):
    """Ratios of one factor's levels, all other factors held equal.

    Rows (``to_dicts``, ``to_polars``) are the strata, then the geometric mean over them for each contender that has
    several. Fields: the factors that tell the strata apart, then ``scope`` (``stratum`` or ``overall``), ``factor``,
    ``baseline``, ``contender``, ``metric``, ``baseline_mean`` and ``contender_mean`` (geometric means in the metric's
    unit, or what ``center`` says), ``ratio``, ``low``, ``high``, ``gain_percent``, ``p_value``, ``p_adjusted``,
    ``superiority`` (the probability that one run of the contender beats one of the baseline), ``equivalence``
    (``equivalent``, ``different`` or ``inconclusive``) and ``equivalence_p`` if there is a ``margin``, ``basis``,
    ``method``, ``n_baseline``, ``n_contender``, ``confidence`` (of the interval) and ``warnings`` (codes, separated
    by ``;``). ``low`` and ``high`` are ``None`` where nothing is known of the spread.
    """

    @property
    def factor(self) -> str:
        """The factor compared."""

    @property
    def baseline(self) -> str | int | float | None:
        """The level that is 1."""

    @property
    def metric(self) -> str:
        """The metric compared."""

    @property
    def confidence(self) -> float:
        """Confidence of the intervals."""

    def __len__(self) -> int: ...

@final
class Audit(Answer):
    """Published sentences and what the runs say of them.

    Rows are the settings that a claim speaks of, then the claim as a whole where there are several. Fields: ``study``,
    ``claim`` (its id), ``statement``, ``scope`` (``stratum`` or ``overall``), ``setting``, ``stated_percent``,
    ``percent`` (recomputed), ``ratio``, ``low``, ``high``, ``verdict`` (``confirmed``, ``understated``,
    ``overstated``, ``contradicted``, ``partly_confirmed`` or ``not_testable``), ``agreement`` (``rounding``,
    ``truncation`` or ``bound``), ``reason``, ``basis`` and ``warnings``.
    """

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict of each claim as a whole, by its id."""

    @property
    def fails(self) -> bool:
        """Whether a claim is overstated or contradicted, be it in one setting."""

    @property
    def inconclusive(self) -> bool:
        """Whether a claim is not testable, be it in one setting."""

@final
class Check(Answer):
    """New runs against stored ones.

    Rows are the settings of either set. Fields: the factors that tell them apart, then ``metric``, ``baseline_mean``,
    ``current_mean``, ``ratio`` (new over stored), ``low``, ``high``, ``change_percent``, ``p_value`` (of the loss
    being the limit), ``p_adjusted``, ``verdict`` (``pass``, ``regression``, ``inconclusive``, ``new`` or ``gone``),
    ``more_runs`` (of each set, that would decide it), ``basis``, ``method``, ``n_baseline``, ``n_contender`` and
    ``warnings``.
    """

    @property
    def verdict(self) -> str:
        """``pass``, ``inconclusive`` or ``regression``: the worst of all settings."""

    @property
    def gone(self) -> int:
        """How many settings were not measured again."""

    def to_junit(self, *, inconclusive_passes: bool = False, gone_passes: bool = True) -> str:
        """As JUnit XML: a regression is a failure, an inconclusive setting an error unless these pass."""

@final
class Figure:
    """A finished figure. The same input gives the same bytes on any machine."""

    @property
    def title(self) -> str:
        """The title that stands in the figure."""

    @property
    def description(self) -> str:
        """Alternative text: what the figure shows, in words and numbers."""

    @property
    def warnings(self) -> list[AnalysisWarning]:
        """What to know of the picture: characters that no bundled font has."""

    def svg(self) -> str:
        """As SVG."""

    def png(self, *, width: int = 1600) -> bytes:
        """As PNG, ``width`` pixels wide."""

    def save(self, path: str | PathLike[str], *, width: int = 1600, force: bool = False) -> None:
        """Write to ``path``, whose ending (``.svg`` or ``.png``) chooses the format.

        Raises
        ------
        InputError
            Another ending.
        FileError
            A file that exists (unless ``force``), or that cannot be written.

        """

    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Report:
    """A report, ready to be written."""

    @property
    def conclusions(self) -> list[str]:
        """What the comparisons come to, in words."""

    def to_html(self) -> str:
        """One HTML page that needs nothing else."""

    def to_markdown(self) -> str:
        """Markdown that refers to the files of the report folder."""

    def to_json(self) -> str:
        """Everything, for machines."""

    def write(self, out: str | PathLike[str], *, force: bool = False) -> int:
        """Write the report folder ``out`` and give the number of files.

        Raises
        ------
        FileError
            A folder that is not empty (unless ``force``), that holds anything but a report, or cannot be written.

        """

def read_csv(
    path: str | PathLike[str],
    *,
    columns: Mapping[str, str | None] | None = None,
    most_runs: int | None = None,
) -> Runs:
    """Read runs from a CSV file: canonical columns, or a wide table as vendors publish them.

    Parameters
    ----------
    path
        A file in UTF-8, separated by commas or tabs, with a header; by its ending also Parquet (``.parquet``),
        newline-delimited JSON (``.ndjson``), a spreadsheet (``.xlsx``, ``.ods``), a Markdown table (``.md``) or a table
        of a web page (``.html``). In a wide table a factor is spread over columns (``workers=1``, ``4 workers``,
        ``服务端线程数=4``, ``sync`` and ``async``).
    columns
        Headers and the columns that they stand for, where they are not known, such as ``{"机型": "vm_size"}``, or the
        levels, such as ``{"QAT (CPS)": "accelerator=qat"}``; ``None`` leaves one out.
    most_runs
        More runs than these are summed up by setting while they are read, so that files of any size take bounded
        memory: count, mean and spread are kept, the runs are not. Intervals by t and Fieller's need no more;
        bootstraps, ranks, ``effects`` and ``quality`` do. By default all runs are kept.

    Raises
    ------
    InputError
        Anything that is not a table of runs; the message names line, column and value.
    FileError
        A file that cannot be read.

    """

def read_outputs(
    *paths: str | PathLike[str],
    tool: str | None = None,
    labels: Mapping[str, Level] | None = None,
    pattern: str | None = None,
    manifest: str | PathLike[str] | None = None,
    parts: Parts | None = None,
    columns: Mapping[str, str | None] | None = None,
) -> Runs:
    """Read the outputs of load tools: httpress, wrk, wrk2, ab, h2load, hey, siege, oha, vegeta, k6, openssl.

    Tables of runs among the files are read as [read_csv][kaeanalysis.read_csv] does. ``rps`` is the rate of good
    responses, ``rps_printed`` what the tool prints. What to know of it, and which files gave no run, stands in
    ``Runs.warnings``.

    Parameters
    ----------
    paths
        Files and folders; ``.gz`` and ``.zst`` are unpacked.
    tool
        The tool whose outputs to read; by default whichever is recognised.
    labels
        What holds for all runs, such as ``{"accelerator": "kae", "workers": 4}``.
    pattern
        What the names of the files say, such as ``"{accelerator}_{tls_mode}_{workers}w_r{replicate}.log"``.
    manifest
        A CSV table with a column ``file``, and a column for each label.
    parts
        What is made of several outputs in one file: ``sum`` if they ran side by side, ``each`` if one after the other.
    columns
        Headers of tables and the columns that they stand for, where they are not known.

    Raises
    ------
    InputError
        No run at all, or a label that its column does not take.
    FileError
        A path that does not exist, or a file that does not match ``pattern`` or stand in ``manifest``.

    """

def documented(name: str) -> Runs:
    """Give the runs of a documented study; see [datasets][kaeanalysis.datasets]."""

def compare(
    runs: Runs,
    factor: str,
    *,
    baseline: Level | None = None,
    contender: Level | None = None,
    margin: float | None = None,
    adjust: Adjust = "none",
    **scope: Unpack[Scope],
) -> Comparison:
    """Compare the levels of a factor, all other factors held equal.

    Parameters
    ----------
    runs
        The runs.
    factor
        The factor to compare.
    baseline
        The level that is 1; by default ``none``, ``sync``, the smallest number, or the first that appears.
    contender
        The level compared with it; by default every other.
    margin
        Ask whether the two are equivalent: whether the ratio differs from 1 by less than this share (0.03 for 3 %).
    adjust
        How p-values are adjusted for the number of ratios: ``holm``, ``bonferroni`` (their intervals as well) or
        ``bh``.
    metric
        The metric; by default ``rps``, or the first there is.
    where
        Conditions on the runs, such as ``{"workers": 4, "tls_mode": ["sync", "async"]}``.
    ignore
        Factors left out of the matching; runs that differ only in these are replicates.
    method
        ``auto``: a paired t interval on logarithms if there are complete blocks (``log-paired``), Welch's if there are
        replicates (``log-welch``), and for settings that were run once one from ``assume_cv`` (``log-assumed``) or
        from what else the study repeated (``log-pooled``); otherwise none. Or ``fieller``, a bootstrap
        (``percentile``, ``basic``, ``bca``, ``studentized``), or ``hodges-lehmann``.
    assume_cv
        Coefficient of variation of one run (0.02 for 2 %), for settings that were run once.
    confidence
        Confidence of the intervals, between 0 and 1.
    controls
        Factors that cannot act under a condition, such as ``"tls_mode@accelerator=none"``: their levels show the
        spread of a run there, for ``log-pooled``. Those of the documented studies are known.
    center, resamples, seed
        Of a bootstrap: what it sums up a setting by (``geometric-mean``, ``mean`` or ``median``), how many resamples
        it draws, and its seed.

    Raises
    ------
    InputError
        A factor, level or metric that the runs do not have, no two settings that match, or an argument out of range.

    Examples
    --------
    >>> import kaeanalysis as ka
    >>> scaling = ka.compare(ka.datasets.vkae_vm(), "workers", where={"accelerator": "vkae"})
    >>> [round(row["ratio"], 2) for row in scaling.to_dicts()]
    [3.73, 3.29, 3.51]

    """

def interaction(
    runs: Runs,
    factor: str,
    by: str,
    *,
    baseline: Level | None = None,
    contender: Level | None = None,
    by_baseline: Level | None = None,
    by_contender: Level | None = None,
    **scope: Unpack[Scope],
) -> Answer:
    """Ask whether the effect of a factor depends on another: the ratio of two ratios.

    The async gain with the accelerator over that without is one. Fields: the factors that tell the strata apart,
    ``scope``, ``factor``, ``baseline``, ``contender``, ``by``, ``by_baseline``, ``by_contender``, ``metric``,
    ``ratio_at_baseline`` and ``ratio_at_contender`` (of ``factor``, at the two levels of ``by``), ``interaction``
    (the second over the first), ``low``, ``high``, ``p_value``, ``basis``, ``method``, ``n_baseline``,
    ``n_contender`` and ``warnings``.

    Parameters
    ----------
    runs
        The runs.
    factor, baseline, contender
        The factor whose effect it is, and its levels; by default as in [compare][kaeanalysis.compare].
    by, by_baseline, by_contender
        The factor that the effect may depend on, and its levels.
    **scope
        As in [compare][kaeanalysis.compare].

    Raises
    ------
    InputError
        As in ``compare``; ``by`` as the factor itself, or with one level only.

    Examples
    --------
    >>> import kaeanalysis as ka
    >>> answer = ka.interaction(ka.datasets.vkae_vm(), "tls_mode", "accelerator")
    >>> [round(row["interaction"], 4) for row in answer.to_dicts()]
    [1.6515, 1.4555, 1.5504]

    """

def effects(
    runs: Runs,
    *,
    factors: Ignore | None = None,
    unreplicated: Unreplicated = "none",
    **scope: Unpack[Scope],
) -> Answer:
    """Compute the effects and interactions of a two-level design by least squares on logarithms.

    Rows are the main effects, then the interactions. Fields: ``factors`` (separated by ``:``), ``effect`` (mean of the
    logarithms at high minus that at low), ``ratio`` (of two factors the ratio of two ratios, and so on), ``low``,
    ``high`` and ``p_value`` where settings were repeated, ``lenth`` (``within``, ``beyond_margin`` or
    ``beyond_simultaneous``), and ``aliases`` (effects that the design cannot tell from this one).

    Parameters
    ----------
    runs
        The runs of a full or fractional design; settings may be missing or unequally repeated.
    factors
        The factors; by default all that vary. Each must have two levels.
    unreplicated
        ``lenth`` judges the effects of a design without repeated settings against each other.
    **scope
        As in [compare][kaeanalysis.compare]; the method is least squares.

    Raises
    ------
    InputError
        A factor with more than two levels, or one that varies and is not named.

    Examples
    --------
    >>> import kaeanalysis as ka
    >>> answer = ka.effects(ka.datasets.vkae_vm(), unreplicated="lenth")
    >>> row = answer.to_dicts()[0]
    >>> row["factors"], round(row["effect"], 4), row["lenth"]
    ('workers', 1.3002, 'beyond_simultaneous')

    """

def audit(
    *runs: Runs,
    claims: str | PathLike[str] | Sequence[Mapping[str, Any]] | None = None,
    margin: float = 0.03,
    **scope: Unpack[Scope],
) -> Audit:
    """Hold published sentences against the runs.

    Parameters
    ----------
    runs
        The runs; without any, the documented studies.
    claims
        A TOML file with one table ``[[claim]]`` each, or a list of dictionaries with the same keys: ``id``, ``text``,
        ``statement`` (``ratio``, ``gain``, ``interaction``, ``equivalence``, ``at_least`` or ``greater``), ``factor``,
        ``baseline``, ``contender``, and where needed ``percent``, ``precision``, ``metric``, ``where`` and ``by``. By
        default the claims of the documented studies among the runs.
    margin
        How far two levels may be apart to pass for the same where a claim does not say (0.03 for 3 %).
    **scope
        As in [compare][kaeanalysis.compare].

    Raises
    ------
    InputError
        No claim, or one that says too much or too little.
    FileError
        A file that cannot be read.

    Examples
    --------
    >>> import kaeanalysis as ka
    >>> ka.audit(ka.datasets.docker()).verdicts
    {'kae_gain': 'confirmed'}
    >>> claim = {"id": "x", "text": "KAE doubles it.", "statement": "ratio", "percent": 200,
    ...          "factor": "accelerator", "baseline": "none", "contender": "kae"}
    >>> ka.audit(ka.datasets.docker(), claims=[claim]).verdicts
    {'x': 'overstated'}

    """

def check(
    baseline: Runs,
    current: Runs,
    *,
    max_regression: float,
    adjust: Adjust = "none",
    **scope: Unpack[Scope],
) -> Check:
    """Compare new runs with stored ones, setting by setting.

    A setting passes if a loss of more than ``max_regression`` is excluded, and is a regression if the loss is shown
    to be larger. Each metric's better direction is respected.

    Parameters
    ----------
    baseline, current
        The stored runs and the new ones. Blocks are left out: rounds of different sets are different rounds.
    max_regression
        The loss that is accepted, as a share: 0.03 for 3 %.
    adjust
        How the settings are adjusted for being several: ``none``, ``holm``, ``bonferroni`` or ``bh``.
    **scope
        As in [compare][kaeanalysis.compare].

    Raises
    ------
    InputError
        A metric without a better direction, no setting that both sets have, or a limit out of range.

    Examples
    --------
    >>> import kaeanalysis as ka, polars as pl
    >>> stored = ka.Runs(pl.DataFrame({"workers": [4, 4, 4], "rps": [7393, 7401, 7380]}))
    >>> new = ka.Runs(pl.DataFrame({"workers": [4, 4, 4], "rps": [6890, 6875, 6902]}))
    >>> ka.check(stored, new, max_regression=0.03).verdict
    'regression'

    """

def power(
    runs: Runs | None = None,
    *,
    effect: float | None = None,
    cv: float | None = None,
    power: float = 0.8,
    half_width: float = 0.01,
    **scope: Unpack[Scope],
) -> Answer:
    """Ask how many runs of each setting it takes, for Welch's t test on logarithms.

    Fields: the factors that tell the settings apart, ``scope`` (``setting`` or ``all``), ``runs``, ``cv`` (of one run),
    ``half_width`` (of the interval of a ratio with so many runs), ``detectable`` (the smallest gain that they find
    with the wanted chance), ``runs_for_effect``, ``more_for_effect``, ``runs_for_half_width`` and
    ``more_for_half_width``.

    Parameters
    ----------
    runs
        Runs that show the spread.
    effect
        The smallest gain that is not to be missed (0.03 for 3 %).
    cv
        Coefficient of variation of one run, where no runs show it.
    power
        The chance of finding that gain.
    half_width
        Half width that the interval of a ratio is to have (0.01 for ±1 %).
    **scope
        As in [compare][kaeanalysis.compare].

    Raises
    ------
    InputError
        Neither runs nor a spread, both, runs of which none is repeated, or a value out of range.

    Examples
    --------
    >>> import kaeanalysis as ka
    >>> ka.power(effect=0.03, cv=0.015).to_dicts()[0]["runs_for_effect"]
    6

    """

def quality(runs: Runs, **scope: Unpack[Scope]) -> Answer:
    """Look for drift, dependence, outliers, unequal spread, copies and rounding, in the order in which the runs stand.

    Nothing is removed; each finding is a warning with what to do. Fields: ``property``, ``outcome`` (``fine``,
    ``found`` or ``too_few``), ``p_value`` and ``warnings`` (codes).

    Parameters
    ----------
    runs
        The runs.
    **scope
        As in [compare][kaeanalysis.compare].

    Examples
    --------
    >>> import kaeanalysis as ka, polars as pl
    >>> few = ka.Runs(pl.DataFrame({"workers": [1, 1], "rps": [8, 9]}))
    >>> [warning.code for warning in ka.quality(few).warnings]
    ['coarse-rounding']

    """

def bars(
    runs: Runs,
    *,
    lang: Lang = "en",
    **scope: Unpack[Scope],
) -> Figure:
    """Draw the metric of every setting as a bar, with a whisker where there is an interval.

    Parameters are those of [compare][kaeanalysis.compare]; ``lang`` is the language of the labels.
    """

def forest(comparison: Comparison, *, lang: Lang = "en") -> Figure:
    """Draw the ratios of a comparison on a logarithmic axis, with their intervals and a line at 1."""

def report(
    *runs: Runs,
    out: str | PathLike[str] | None = None,
    claims: str | PathLike[str] | Sequence[Mapping[str, Any]] | None = None,
    lang: Lang = "en",
    force: bool = False,
    **scope: Unpack[Scope],
) -> Report:
    """Report on runs: conclusions, tables and figures for each study.

    Parameters
    ----------
    runs
        The runs; without any, the documented studies.
    out
        Folder to write to; without it nothing is written.
    claims
        Claims to judge, as in [audit][kaeanalysis.audit]; by default those of the documented studies.
    lang
        Language of the report.
    force
        Replace the report that ``out`` holds.
    **scope
        As in [compare][kaeanalysis.compare].

    Raises
    ------
    InputError, FileError
        As in ``compare`` and ``Report.write``.

    Examples
    --------
    >>> import kaeanalysis as ka
    >>> ka.report(ka.datasets.docker()).conclusions[0].split(" (")[0]
    'Requests/s with accelerator KAE is 1.9474 times that with none'

    """

def run_cli(argv: Sequence[str]) -> int:
    """Run the command line with the arguments of ``sys.argv`` and give its exit code."""

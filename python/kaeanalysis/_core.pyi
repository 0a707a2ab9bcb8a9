"""The compiled part of kaeanalysis; everything here is reached through the package itself."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, final

import polars
from typing_extensions import Unpack, disjoint_base

from ._types import Adjust, ArrowStreamExportable, Lang, Level, Scope

__all__ = [
    "DATASETS",
    "AnalysisWarning",
    "Answer",
    "Comparison",
    "Figure",
    "Report",
    "Runs",
    "__version__",
    "bars",
    "compare",
    "documented",
    "forest",
    "read_csv",
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

    def __new__(cls, data: ArrowStreamExportable, *, source: str = "frame") -> Runs: ...
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
    ``method``, ``n_baseline``, ``n_contender`` and ``warnings`` (codes, separated by ``;``). ``low`` and ``high`` are
    ``None`` where nothing is known of the spread.
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

def read_csv(path: str | PathLike[str]) -> Runs:
    """Read runs from a CSV file: canonical columns, or a wide table as vendors publish them.

    Parameters
    ----------
    path
        A file in UTF-8, separated by commas or tabs, with a header. In a wide table a factor is spread over columns
        (``workers=1``, ``workers=4``, ``服务端线程数=4``).

    Raises
    ------
    InputError
        Anything that is not a table of runs; the message names line, column and value.
    FileError
        A file that cannot be read.

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

"""Types of arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

__all__ = [
    "Adjust",
    "ArrowStreamExportable",
    "Center",
    "Control",
    "Ignore",
    "Lang",
    "Level",
    "Method",
    "Parts",
    "Scope",
    "Unreplicated",
    "Where",
]

Level: TypeAlias = str | float | bool
Where: TypeAlias = Mapping[str, Level | Iterable[Level]]
Ignore: TypeAlias = str | Sequence[str]
Control: TypeAlias = str | Mapping[str, Any]
Method: TypeAlias = Literal[
    "auto",
    "log-welch",
    "log-pooled",
    "log-paired",
    "log-assumed",
    "fieller",
    "percentile",
    "basic",
    "bca",
    "studentized",
    "hodges-lehmann",
]
Center: TypeAlias = Literal["geometric-mean", "mean", "median"]
Adjust: TypeAlias = Literal["none", "holm", "bonferroni", "bh"]
Unreplicated: TypeAlias = Literal["none", "lenth"]
Parts: TypeAlias = Literal["sum", "each"]
Lang: TypeAlias = Literal["en", "zh"]


class Scope(TypedDict, total=False):
    """Keywords that all questions share: which runs, in which metric, and how sure."""

    metric: str | None
    """The metric; by default ``rps``, or the first there is."""
    where: Where | None
    """Conditions, such as ``{"workers": 4}``; a list of levels are alternatives."""
    ignore: Ignore | None
    """Factors left out of the matching: runs that differ only in these are replicates."""
    controls: Control | Sequence[Control] | None
    """Factors that cannot act under a condition, such as ``"tls_mode@accelerator=none"``: their levels show the
    spread of a run there, for ``method="log-pooled"``. Those of the documented studies are known."""
    method: Method | None
    """How intervals are computed."""
    center: Center | None
    """What a bootstrap sums up a setting by; the geometric mean by default."""
    assume_cv: float | None
    """Coefficient of variation of one run (0.02 for 2 %), for settings that were run once."""
    confidence: float | None
    """Confidence of the intervals, between 0 and 1; 0.95 by default."""
    resamples: int | None
    """How many resamples a bootstrap draws; 9,999 by default."""
    seed: int | None
    """Seed of a bootstrap; the same seed gives the same interval on any number of threads."""


class ArrowStreamExportable(Protocol):
    """What gives an Arrow C stream: polars and pandas frames, pyarrow tables, DuckDB relations, and results here."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Give a capsule that holds the stream."""

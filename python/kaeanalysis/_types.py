"""Types of arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

__all__ = ["ArrowStreamExportable", "Ignore", "Lang", "Level", "Method", "Where"]

Level: TypeAlias = str | float | bool
Where: TypeAlias = Mapping[str, Level | Iterable[Level]]
Ignore: TypeAlias = str | Sequence[str]
Method: TypeAlias = Literal["auto", "log-welch", "log-paired", "log-assumed"]
Lang: TypeAlias = Literal["en", "zh"]


class ArrowStreamExportable(Protocol):
    """What gives an Arrow C stream: polars and pandas frames, pyarrow tables, DuckDB relations, and results here."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Give a capsule that holds the stream."""

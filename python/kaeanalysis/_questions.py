"""Comparisons with a name of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._core import Comparison, Runs
    from ._types import Adjust, Scope

__all__ = ["async_gain", "speedup"]


def speedup(runs: Runs, *, margin: float | None = None, adjust: Adjust = "none", **scope: Unpack[Scope]) -> Comparison:
    """Compare every accelerator with none: the hard/soft ratio.

    Parameters are those of [compare][kaeanalysis.compare], with ``factor="accelerator"`` and ``baseline="none"``.

    Examples
    --------
    >>> import kaeanalysis as ka
    >>> docker = ka.speedup(ka.datasets.docker())
    >>> row = docker.to_dicts()[0]
    >>> round(row["ratio"], 4), row["basis"], row["low"]
    (1.9474, 'none', None)

    """
    return _core.compare(runs, "accelerator", baseline="none", margin=margin, adjust=adjust, **scope)


def async_gain(
    runs: Runs, *, margin: float | None = None, adjust: Adjust = "none", **scope: Unpack[Scope]
) -> Comparison:
    """Compare async with sync mode.

    Parameters are those of [compare][kaeanalysis.compare], with ``factor="tls_mode"``, ``baseline="sync"`` and
    ``contender="async"``.

    Examples
    --------
    >>> import kaeanalysis as ka
    >>> gain = ka.async_gain(ka.datasets.vkae_vm(), where={"accelerator": "vkae"})
    >>> [round(row["gain_percent"], 1) for row in gain.to_dicts()]
    [64.3, 44.9, 54.3]

    """
    return _core.compare(runs, "tls_mode", baseline="sync", contender="async", margin=margin, adjust=adjust, **scope)

"""Random runs, and what several tests ask of an answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import kaeanalysis as ka
import polars as pl
import pytest
from hypothesis import strategies as st

# Runs of one setting rarely differ by more than this; with two runs and 99.9 % confidence, a wider spread or more
# settings have an interval that no number can hold (which has a test in Rust). Spreads below the rounding of the input
# would compare rounding with rounding.
rates = st.floats(min_value=1000.0, max_value=1500.0)
samples = st.lists(rates, min_size=2, max_size=12).filter(lambda values: max(values) / min(values) > 1.0001)
# For tables of several settings.
few = st.lists(rates, min_size=2, max_size=5).filter(lambda values: max(values) / min(values) > 1.0001)
confidences = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])
for_two_settings = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])

# Of every interval, on logarithms.
RELATIVE = 1e-9
# Of every p-value by t: where t is nearly 0, its tail has no more digits.
P_VALUE = 1e-7


def two_settings(baseline: Sequence[float], contender: Sequence[float], metric: str = "rps") -> ka.Runs:
    """Runs without an accelerator, and with one."""
    levels = ["none"] * len(baseline) + ["kae"] * len(contender)
    return ka.Runs(pl.DataFrame({"accelerator": levels, metric: [*baseline, *contender]}))


def only_row(baseline: Sequence[float], contender: Sequence[float], **options: Any) -> dict[str, Any]:
    """The one ratio of two settings."""
    (row,) = ka.speedup(two_settings(baseline, contender), **options).to_dicts()
    return row


def codes(row: dict[str, Any]) -> list[str]:
    """The warnings of a row."""
    return (row["warnings"] or "").split(";")


def agrees(row: dict[str, Any], low: float, high: float) -> None:
    """The ends of an interval of a ratio agree with those of its logarithm."""
    # A relative error on the scale of ratios is an absolute one on the log scale.
    assert math.log(row["low"]) == pytest.approx(low, abs=RELATIVE * max(1.0, abs(low)))
    assert math.log(row["high"]) == pytest.approx(high, abs=RELATIVE * max(1.0, abs(high)))

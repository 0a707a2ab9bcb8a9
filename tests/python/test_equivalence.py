"""Equivalence by two one-sided tests, against statsmodels."""

from __future__ import annotations

import math
from typing import Any

import kaeanalysis as ka
import numpy as np
import polars as pl
import pytest
from cases import P_VALUE, few, only_row, rates, samples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import ttost_ind, ttost_paired

margins = st.floats(min_value=0.005, max_value=0.5)
confidences = st.sampled_from([0.8, 0.9, 0.95, 0.99])


def verdict(low: float, high: float, bound: float) -> str:
    """By the interval of confidence 1 − 2α on logarithms; one that ends at the margin is left to rounding."""
    assume(min(abs(abs(end) - bound) for end in (low, high)) > 1e-9)
    if -bound <= low and high <= bound:
        return "equivalent"
    return "different" if low > bound or high < -bound else "inconclusive"


@settings(max_examples=300)
@given(samples, samples, margins, confidences)
def test_two_one_sided_tests(baseline: list[float], contender: list[float], margin: float, confidence: float) -> None:
    logs = np.log(contender), np.log(baseline)
    bound = math.log1p(margin)
    p_value = ttost_ind(*logs, -bound, bound, usevar="unequal")[0]
    interval = stats.ttest_ind(*logs, equal_var=False).confidence_interval(2 * confidence - 1)
    expected = verdict(interval.low, interval.high, bound)
    row = only_row(baseline, contender, margin=margin, confidence=confidence)
    assert row["equivalence_p"] == pytest.approx(float(p_value), rel=P_VALUE, abs=1e-15)
    assert row["equivalence"] == expected
    # The tests and the interval say the same.
    assert (row["equivalence_p"] <= 1 - confidence) == (expected == "equivalent")


@settings(max_examples=150)
@given(st.lists(st.tuples(rates, rates), min_size=2, max_size=10), margins, confidences)
def test_within_blocks(pairs: list[tuple[float, float]], margin: float, confidence: float) -> None:
    logs = np.log([new for _, new in pairs]), np.log([old for old, _ in pairs])
    assume(np.std(logs[0] - logs[1]) > 1e-4)
    bound = math.log1p(margin)
    p_value = ttost_paired(*logs, -bound, bound)[0]
    interval = stats.ttest_rel(*logs).confidence_interval(2 * confidence - 1)
    frame = pl.DataFrame(
        {
            "block": [block for block in range(len(pairs)) for _ in range(2)],
            "accelerator": ["none", "kae"] * len(pairs),
            "rps": [value for pair in pairs for value in pair],
        }
    )
    (row,) = ka.speedup(ka.Runs(frame), margin=margin, confidence=confidence).to_dicts()
    assert row["basis"] == "blocks"
    assert row["equivalence_p"] == pytest.approx(float(p_value), rel=P_VALUE, abs=1e-15)
    assert row["equivalence"] == verdict(interval.low, interval.high, bound)


@settings(max_examples=100)
@given(st.lists(st.tuples(few, few), min_size=2, max_size=4), margins, st.sampled_from(["holm", "bonferroni", "bh"]))
def test_several_at_once(strata: list[tuple[list[float], list[float]]], margin: float, adjust: Any) -> None:
    """However p-values are adjusted, the two tests of each are made at the level that Bonferroni gives each."""
    rows = [
        {"workers": workers, "accelerator": accelerator, "rps": value}
        for workers, cells in enumerate(strata, start=1)
        for accelerator, cell in zip(("none", "kae"), cells, strict=True)
        for value in cell
    ]
    *found, _ = ka.speedup(ka.Runs(pl.DataFrame(rows)), margin=margin, adjust=adjust).to_dicts()
    for row, (baseline, contender) in zip(found, strata, strict=True):
        test = stats.ttest_ind(np.log(contender), np.log(baseline), equal_var=False)
        interval = test.confidence_interval(1 - 2 * 0.05 / len(strata))
        assert row["equivalence"] == verdict(interval.low, interval.high, math.log1p(margin))


distinct = st.lists(st.integers(1000, 1500).map(float), min_size=16, max_size=16, unique=True)


@settings(max_examples=100)
@given(distinct, st.floats(min_value=0.05, max_value=0.5))
def test_by_ranks(values: list[float], margin: float) -> None:
    """Each of the two tests is the exact one of Mann and Whitney, of logarithms moved by the margin."""
    baseline, contender = np.log(values[:8]), np.log(values[8:])
    bound = math.log1p(margin)
    # No ties, and none that the margin makes.
    assume(np.min(np.abs(np.abs(np.subtract.outer(contender, baseline)) - bound)) > 1e-9)
    above = stats.mannwhitneyu(contender + bound, baseline, method="exact", alternative="greater").pvalue
    below = stats.mannwhitneyu(contender - bound, baseline, method="exact", alternative="less").pvalue
    assume(max(above, below) < 0.5)
    row = only_row(values[:8], values[8:], margin=margin, method="hodges-lehmann")
    assert row["equivalence_p"] == pytest.approx(max(above, below), rel=1e-9)


@pytest.mark.parametrize(
    ("contender", "expected"),
    [
        ([1001.0, 1000.0, 1003.0, 999.0], "equivalent"),
        ([1101.0, 1098.0, 1105.0, 1095.0], "different"),
        ([901.0, 898.0, 905.0, 895.0], "different"),
        ([1031.0, 1028.0, 1035.0, 1025.0], "inconclusive"),
        ([1001.0, 900.0, 1103.0, 999.0], "inconclusive"),
    ],
)
def test_each_verdict(contender: list[float], expected: str) -> None:
    assert only_row([1000.0, 1002.0, 998.0, 1001.0], contender, margin=0.03)["equivalence"] == expected

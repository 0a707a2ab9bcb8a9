"""Tests of the quality of runs, against scipy and at their level."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import kaeanalysis as ka
import numpy as np
import polars as pl
import pytest
from cases import P_VALUE
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

LEVEL = 0.01

Groups = list[list[float]]


def runs(groups: Groups) -> ka.Runs:
    rows = [{"workers": workers, "rps": value} for workers, group in enumerate(groups, start=1) for value in group]
    return ka.Runs(pl.DataFrame(rows))


def quality(groups: Groups, property: str) -> dict[str, Any]:
    (row,) = [row for row in ka.quality(runs(groups)).to_dicts() if row["property"] == property]
    return row


def expect(row: dict[str, Any], p_value: float, warning: str) -> None:
    assert row["p_value"] == pytest.approx(p_value, rel=P_VALUE)
    assume(abs(p_value - LEVEL) > 1e-9)
    found = ("found", warning) if p_value <= LEVEL else ("fine", None)
    assert (row["outcome"], row["warnings"]) == found


def series(least: int, most: int) -> st.SearchStrategy[list[float]]:
    """Values of which none are equal; nearly half of the series ascend, so that drift is found in some."""
    values = st.lists(st.integers(1000, 1500).map(float), min_size=least, max_size=most, unique=True)
    return values | values.map(sorted)


@settings(max_examples=200)
@given(series(3, 20))
def test_drift_of_one_setting(values: list[float]) -> None:
    expected = stats.kendalltau(range(len(values)), values, method="exact").pvalue
    expect(quality([values], "drift"), expected, "drift")


@settings(max_examples=100)
@given(series(3, 4), series(2, 4))
def test_drift_of_two_settings_by_counting(one: list[float], other: list[float]) -> None:
    """Runs are compared within their setting, and every order of each setting is as likely."""

    def score(values: tuple[float, ...]) -> int:
        return sum(int(np.sign(values[j] - values[i])) for j in range(len(values)) for i in range(j))

    observed = abs(score(tuple(one)) + score(tuple(other)))
    scores = [score(a) + score(b) for a, b in product(permutations(one), permutations(other))]
    expected = np.mean([abs(score) >= observed for score in scores])
    expect(quality([one, other], "drift"), float(expected), "drift")


rates = st.floats(min_value=1000.0, max_value=1500.0)
nearby = st.floats(min_value=1200.0, max_value=1210.0)


@settings(max_examples=200)
@given(
    st.lists(
        st.lists(rates, min_size=3, max_size=9) | st.lists(nearby, min_size=3, max_size=9), min_size=2, max_size=5
    ),
    st.lists(st.lists(rates, min_size=1, max_size=2), max_size=2),
)
def test_spread(groups: Groups, few: Groups) -> None:
    """The test of Brown and Forsythe on logarithms; settings with fewer than three runs say nothing of it."""
    logs = [np.log(group) for group in groups]
    distances = [np.abs(log - np.median(log)) for log in logs]
    assume(max(np.std(distance) for distance in distances) > 1e-6)
    expected = stats.levene(*logs, center="median").pvalue
    expect(quality(groups + few, "spread"), float(expected), "unequal-spread")


def esd(values: np.ndarray[Any, Any], level: float) -> int:
    """How many outliers Rosner's test finds; of fewer than 15 values the test of Grubbs, for one."""
    found, left = 0, values
    for taken in range(1, 2 if len(values) < 15 else -(-len(values) // 4) + 1):
        n = len(left)
        deviations = np.abs(left - left.mean()) / left.std(ddof=1)
        t = stats.t.ppf(1 - level / (2 * n), n - 2)
        if deviations.max() > (n - 1) * t / np.sqrt(n * (n - 2 + t**2)):
            found = taken
        left = np.delete(left, deviations.argmax())
    return found


@pytest.mark.parametrize("n", [5, 8, 14, 15, 20, 40])
def test_outliers_of_heavy_tails(n: int) -> None:
    counts = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        logs = 7 + 0.01 * rng.standard_t(1.5, n)
        expected = esd(logs, LEVEL)
        warnings = ka.quality(runs([list(np.exp(logs))])).warnings
        assert sum(warning.code == "outlier" for warning in warnings) == expected
        counts.append(expected)
    # The seeds hold both, and several at once from 15 runs on.
    assert 0 in counts
    assert max(counts) > 1 if n >= 15 else max(counts) == 1


@pytest.mark.parametrize("n", [5, 8, 20])
@pytest.mark.parametrize("settings_", [1, 3])
def test_a_planted_outlier_is_found(n: int, settings_: int) -> None:
    rng = np.random.default_rng(n)
    groups = [list(np.exp(rng.normal(7, 0.01, n))) for _ in range(settings_)]
    groups[-1][2] *= 1.5
    answer = ka.quality(runs(groups))
    (row,) = [row for row in answer.to_dicts() if row["property"] == "outliers"]
    assert (row["outcome"], row["warnings"]) == ("found", "outlier")
    (message,) = [warning.message for warning in answer.warnings if warning.code == "outlier"]
    assert f"{groups[-1][2]:,.0f}" in message
    assert ("workers=3" in message) == (settings_ == 3)


def test_good_runs_are_seldom_called_bad() -> None:
    """At the level of 1 % each test finds something in 3 of 300 good sets; in 10 or more with a chance below 0.2 %."""
    found = dict.fromkeys(["drift", "autocorrelation", "outliers", "spread"], 0)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        groups = [list(np.exp(rng.normal(mean, 0.02, 20))) for mean in (7.0, 8.0)]
        for row in ka.quality(runs(groups)).to_dicts():
            if row["property"] in found:
                found[row["property"]] += row["outcome"] == "found"
    assert stats.binom.sf(9, 300, LEVEL) < 0.002
    assert max(found.values()) < 10, found
    assert sum(found.values()) > 0

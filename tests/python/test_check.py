"""New runs against stored ones, against one-sided t tests of scipy."""

from __future__ import annotations

import math
from typing import Any

import kaeanalysis as ka
import numpy as np
import polars as pl
import pytest
from cases import P_VALUE, agrees, few, rates, samples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

Cells = list[tuple[list[float], list[float]]]

limits = st.floats(min_value=0.0, max_value=0.4)
confidences = st.sampled_from([0.8, 0.9, 0.95, 0.99])
NAMES = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh"}


def runs(cells: dict[int, list[float]], metric: str = "rps") -> ka.Runs:
    rows = [{"workers": workers, metric: value} for workers, cell in cells.items() for value in cell]
    return ka.Runs(pl.DataFrame(rows))


def check(cells: Cells, loss: float, metric: str = "rps", **options: Any) -> ka.Check:
    stored, new = ({at: cell[side] for at, cell in enumerate(cells, start=1)} for side in (0, 1))
    return ka.check(runs(stored, metric), runs(new, metric), max_regression=loss, metric=metric, **options)


def one_sided(stored: list[float], new: list[float], limit: float) -> list[float]:
    """The p-values of the ratio being above the limit, and of it being below."""
    sides = np.log(new), np.log(stored) + math.log(limit)
    return [
        float(stats.ttest_ind(*sides, equal_var=False, alternative=alternative).pvalue)
        for alternative in ("less", "greater")
    ]


def needed(stored: list[float], new: list[float], limit: float, confidence: float, n: int) -> bool:
    """Whether, with n runs on each side, an interval with these spreads ends on this side of the limit."""
    a, b = (float(np.var(np.log(side), ddof=1)) for side in (stored, new))
    df = (a + b) ** 2 / (a**2 + b**2) * (n - 1)
    half = stats.t.ppf((1 + confidence) / 2, df) * math.sqrt((a + b) / n)
    return bool(half <= abs(np.log(new).mean() - np.log(stored).mean() - math.log(limit)) + 1e-12)


def expect_more(row: dict[str, Any], cell: tuple[list[float], list[float]], limit: float, confidence: float) -> None:
    fewer = min(map(len, cell))
    if row["verdict"] != "inconclusive":
        assert row["more_runs"] is None
    elif row["more_runs"] is None:
        # More than these are no advice.
        assert not needed(*cell, limit, confidence, fewer + 1000)
    else:
        assert 1 <= row["more_runs"] <= 1000
        assert needed(*cell, limit, confidence, fewer + row["more_runs"])
        assert row["more_runs"] == 1 or not needed(*cell, limit, confidence, fewer + row["more_runs"] - 1)


@settings(max_examples=300)
@given(samples, samples, limits, confidences, st.sampled_from(["rps", "latency_p99_ms"]))
def test_one_setting(stored: list[float], new: list[float], loss: float, confidence: float, metric: str) -> None:
    """Each of the two one-sided tests has half of what the confidence leaves, as the interval has at each end."""
    # A set that is compared with itself is taken for a slip.
    assume(stored != new)
    limit = 1 - loss if metric == "rps" else 1 + loss
    p_less, p_greater = one_sided(stored, new, limit)
    level = (1 - confidence) / 2
    assume(min(abs(p - level) for p in (p_less, p_greater)) > 1e-9)
    worse, better = (p_less, p_greater) if metric == "rps" else (p_greater, p_less)
    expected = "regression" if worse <= level else "pass" if better <= level else "inconclusive"
    answer = check([(stored, new)], loss, metric, confidence=confidence)
    (row,) = answer.to_dicts()
    assert (row["verdict"], answer.verdict) == (expected, expected)
    assert row["p_value"] == pytest.approx(2 * min(p_less, p_greater), rel=P_VALUE, abs=1e-15)
    assert row["ratio"] == pytest.approx(stats.gmean(new) / stats.gmean(stored), rel=1e-9)
    interval = stats.ttest_ind(np.log(new), np.log(stored), equal_var=False).confidence_interval(confidence)
    agrees(row, interval.low, interval.high)
    expect_more(row, (stored, new), limit, confidence)


@settings(max_examples=100)
@given(st.lists(st.tuples(few, few), min_size=2, max_size=4), limits, st.sampled_from(list(NAMES)))
def test_several_settings(cells: Cells, loss: float, adjust: str) -> None:
    assume(any(stored != new for stored, new in cells))
    results = [one_sided(*cell, 1 - loss) for cell in cells]
    adjusted = multipletests([min(1.0, 2 * min(result)) for result in results], method=NAMES[adjust])[1]
    assume(np.all(np.abs(adjusted - 0.05) > 1e-9))
    answer = check(cells, loss, adjust=adjust)
    rows = answer.to_dicts()
    for row, p_adjusted, (p_less, p_greater), cell in zip(rows, adjusted, results, cells, strict=True):
        # By Bonferroni the intervals hold all at once.
        each = 1 - 0.05 / len(cells)
        interval = stats.ttest_ind(*map(np.log, reversed(cell)), equal_var=False).confidence_interval(
            each if adjust == "bonferroni" else 0.95
        )
        agrees(row, interval.low, interval.high)
        assert row["p_adjusted"] == pytest.approx(p_adjusted, rel=P_VALUE, abs=1e-15)
        shown = "regression" if p_less < p_greater else "pass"
        assert row["verdict"] == (shown if p_adjusted <= 0.05 else "inconclusive")
        expect_more(row, cell, 1 - loss, each)
    verdicts = {row["verdict"] for row in rows}
    assert answer.verdict == next(one for one in ("regression", "inconclusive", "pass") if one in verdicts)


@settings(max_examples=100)
@given(st.lists(st.tuples(samples, rates), min_size=1, max_size=3), limits)
def test_single_new_runs(cells: list[tuple[list[float], float]], loss: float) -> None:
    """A setting that was run again once rests on the spread of all settings of both sets."""
    df = sum(len(stored) - 1 for stored, _ in cells)
    variance = sum(float(np.var(np.log(stored))) * len(stored) for stored, _ in cells) / df
    answer = check([(stored, [new]) for stored, new in cells], loss)
    for row, (stored, new) in zip(answer.to_dicts(), cells, strict=True):
        center = math.log(new) - float(np.log(stored).mean())
        error = math.sqrt(variance * (1 + 1 / len(stored)))
        half = error * stats.t.ppf(0.975, df)
        distance = (center - math.log1p(-loss)) / error
        assert row["basis"] == "pooled"
        agrees(row, center - half, center + half)
        assert row["p_value"] == pytest.approx(2 * stats.t.sf(abs(distance), df), rel=P_VALUE, abs=1e-15)


def test_settings_of_one_set_only() -> None:
    stored = {1: [1000.0, 1004.0, 998.0], 2: [1900.0, 1910.0], 4: [3600.0, 3610.0, 3605.0]}
    new = {1: [1001.0, 1003.0, 999.0], 4: [3601.0, 3612.0, 3603.0], 8: [6000.0, 6020.0]}
    answer = ka.check(runs(stored), runs(new), max_regression=0.03)
    rows = {row["workers"]: row for row in answer.to_dicts()}
    assert {workers: row["verdict"] for workers, row in rows.items()} == {1: "pass", 2: "gone", 4: "pass", 8: "new"}
    assert answer.verdict == "pass"
    assert rows[2]["baseline_mean"] == pytest.approx(stats.gmean(stored[2]), rel=1e-12)
    assert rows[8]["current_mean"] == pytest.approx(stats.gmean(new[8]), rel=1e-12)
    for workers, absent in ((2, "current_mean"), (8, "baseline_mean")):
        assert [rows[workers][field] for field in (absent, "ratio", "low", "high", "p_value")] == [None] * 5


def test_the_worst_setting_decides() -> None:
    stored = [1000.0, 1001.0, 999.0]
    settings_ = {
        "pass": (stored, [1002.0, 1000.0, 1001.0]),
        "inconclusive": (stored, [900.0, 1000.0, 1000.0]),
        "regression": (stored, [900.0, 901.0, 902.0]),
    }
    for several in (["pass"], ["inconclusive", "pass"], ["regression", "inconclusive", "pass"]):
        answer = check([settings_[verdict] for verdict in several], 0.03)
        assert [row["verdict"] for row in answer.to_dicts()] == several
        assert answer.verdict == several[0]


@pytest.mark.parametrize(
    ("metric", "new", "expected"),
    [
        ("rps", 0.94, "regression"),
        ("rps", 1.06, "pass"),
        ("latency_p99_ms", 0.94, "pass"),
        ("latency_p99_ms", 1.06, "regression"),
    ],
)
def test_each_direction(metric: str, new: float, expected: str) -> None:
    stored = [100.0, 101.0, 99.0, 100.5]
    assert check([(stored, [new * value for value in stored])], 0.03, metric).verdict == expected

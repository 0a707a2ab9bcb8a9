"""Intervals, p-values and superiority by ranks, against scipy and against counting all orders."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from itertools import combinations

import kaeanalysis as ka
import numpy as np
import pytest
from cases import codes, only_row, two_settings
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

Two = tuple[list[float], list[float]]

# Whole numbers, of which none are equal and no two have the same logarithm.
distinct = st.lists(st.integers(1000, 1500).map(float), min_size=2, max_size=24, unique=True)


def split(sides: tuple[list[float], int]) -> Two:
    values, at = sides
    return values[: 1 + at % (len(values) - 1)], values[1 + at % (len(values) - 1) :]


untied = st.tuples(distinct, st.integers(0, 22)).map(split).filter(lambda sides: max(map(len, sides)) <= 12)
tied = st.tuples(*[st.lists(st.integers(1000, 1004).map(float), min_size=1, max_size=5)] * 2)


def differences(baseline: list[float], contender: list[float]) -> list[float]:
    return sorted(math.log(new) - math.log(old) for new in contender for old in baseline)


@lru_cache
def chances(m: int, n: int) -> list[float]:
    """The distribution of U, counted over all ways to choose which of m + n ranks are the contender's."""
    counts = Counter(sum(ranks) - n * (n - 1) // 2 for ranks in combinations(range(m + n), n))
    return [counts[u] / math.comb(m + n, n) for u in range(m * n + 1)]


@settings(max_examples=200)
@given(untied)
def test_estimate_and_p_value(sides: Two) -> None:
    baseline, contender = sides
    row = only_row(baseline, contender, method="hodges-lehmann", confidence=0.5)
    assert math.log(row["ratio"]) == pytest.approx(np.median(differences(baseline, contender)), abs=1e-12)
    # One order of four is half of what a confidence of 50 % leaves.
    if math.comb(len(baseline) + len(contender), len(contender)) < 4:
        assert codes(row) == ["too-few-for-ranks"]
        return
    expected = stats.mannwhitneyu(contender, baseline, method="exact").pvalue
    assert row["p_value"] == pytest.approx(expected, rel=1e-9)
    assert (row["basis"], row["method"]) == ("replicates", "hodges-lehmann")


@settings(max_examples=200)
@given(untied, st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]))
def test_interval_by_counting(sides: Two, confidence: float) -> None:
    baseline, contender = sides
    if len(baseline) + len(contender) > 14:
        baseline, contender = baseline[:7], contender[:7]
    row = only_row(baseline, contender, method="hodges-lehmann", confidence=confidence)
    below, k = 0.0, 0
    for chance in chances(len(baseline), len(contender)):
        below += chance
        # Where it is just half of what the confidence leaves, rounding must not decide.
        if below > (1 - confidence) / 2 + 1e-12:
            break
        k += 1
    ordered = differences(baseline, contender)
    if k == 0:
        assert (row["low"], row["high"], row["p_value"]) == (None, None, None)
        assert codes(row) == ["too-few-for-ranks"]
    else:
        assert math.log(row["low"]) == pytest.approx(ordered[k - 1], abs=1e-12)
        assert math.log(row["high"]) == pytest.approx(ordered[-k], abs=1e-12)


@settings(max_examples=200)
@given(tied)
def test_p_value_with_ties_by_counting(sides: Two) -> None:
    """The share of the ways to assign the values to the sides that put U at least as far from its mean."""
    baseline, contender = sides
    n = len(contender)
    row = only_row(baseline, contender, method="hodges-lehmann", confidence=0.5)
    # One order of four is half of what a confidence of 50 % leaves.
    if math.comb(len(baseline) + len(contender), len(contender)) < 4:
        assert codes(row) == ["too-few-for-ranks"]
        return
    doubled = (2 * stats.rankdata(baseline + contender)).astype(int)
    far = [
        abs(int(sum(doubled[list(chosen)])) - n * (len(doubled) + 1)) for chosen in combinations(range(len(doubled)), n)
    ]
    observed = abs(int(doubled[-n:].sum()) - n * (len(doubled) + 1))
    assert row["p_value"] == pytest.approx(np.mean([one >= observed for one in far]), rel=1e-9)


@pytest.mark.parametrize(("n", "method"), [(50, "exact"), (51, "asymptotic"), (120, "asymptotic")])
@pytest.mark.parametrize("shift", [0.0, 0.01, 0.03])
def test_many_runs(n: int, method: str, shift: float) -> None:
    """Exact up to 50 on each side, then the normal approximation with a correction for continuity."""
    rng = np.random.default_rng(n)
    baseline, contender = (list(np.exp(rng.normal(mean, 0.02, n))) for mean in (7.0, 7.0 + shift))
    expected = stats.mannwhitneyu(contender, baseline, method=method).pvalue
    assert only_row(baseline, contender, method="hodges-lehmann")["p_value"] == pytest.approx(expected, rel=1e-9)


def test_many_runs_with_ties() -> None:
    rng = np.random.default_rng(1)
    baseline, contender = (list(rng.integers(1000, 1000 + most, 60).astype(float)) for most in (9, 12))
    expected = stats.mannwhitneyu(contender, baseline, method="asymptotic").pvalue
    assert 1e-6 < expected < 0.5
    assert only_row(baseline, contender, method="hodges-lehmann")["p_value"] == pytest.approx(expected, rel=1e-9)


def test_three_runs_are_too_few() -> None:
    sides = [1000.0, 1010.0, 1020.0], [2000.0, 2010.0, 2025.0]
    answer = ka.speedup(two_settings(*sides), method="hodges-lehmann")
    (row,) = answer.to_dicts()
    assert (row["low"], row["high"], row["p_value"], row["basis"]) == (None, None, None, "none")
    (warning,) = answer.warnings
    assert warning.code == "too-few-for-ranks"
    assert "at least 4 runs" in warning.message
    enough = only_row([*sides[0], 1030.0], [*sides[1], 2040.0], method="hodges-lehmann")
    assert [enough["low"], enough["high"]] == pytest.approx([2000 / 1030, 2040 / 1000], rel=1e-12)


@settings(max_examples=200)
@given(tied.filter(lambda sides: min(map(len, sides)) > 1), st.sampled_from(["rps", "latency_p99_ms"]))
def test_superiority(sides: Two, metric: str) -> None:
    """The share of pairs in which the contender beats the baseline, ties by half: more requests, or less latency."""
    baseline, contender = sides
    (row,) = ka.speedup(two_settings(baseline, contender, metric), metric=metric).to_dicts()
    higher = stats.mannwhitneyu(contender, baseline).statistic / len(baseline) / len(contender)
    assert row["superiority"] == pytest.approx(higher if metric == "rps" else 1 - higher, abs=1e-12)


def test_superiority_of_what_is_better() -> None:
    low, high = [1.0, 2.0], [3.0, 4.0]
    of = {
        metric: ka.speedup(two_settings(low, high, metric), metric=metric).to_dicts()[0]["superiority"]
        for metric in ("rps", "latency_p99_ms")
    }
    assert of == {"rps": 1.0, "latency_p99_ms": 0.0}

"""Fieller's interval against its definition: the ratios that a t test does not reject, by root finding."""

from __future__ import annotations

import math

import numpy as np
import pytest
from cases import P_VALUE, agrees, codes, for_two_settings, only_row, samples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

# A mean that cannot be told from zero needs a spread as wide as the mean.
wide = st.lists(st.floats(min_value=1.0, max_value=1500.0), min_size=2, max_size=6).filter(
    lambda values: max(values) / min(values) > 1.0001
)


class Means:
    """The t statistic of mean(contender) − ratio · mean(baseline)."""

    def __init__(self, baseline: list[float], contender: list[float], confidence: float) -> None:
        self.means = [float(np.mean(side)) for side in (baseline, contender)]
        self.errors = [float(np.var(side, ddof=1)) / len(side) for side in (baseline, contender)]
        self.log_ratio = math.log(self.means[1] / self.means[0])
        parts = [math.exp(2 * self.log_ratio) * self.errors[0], self.errors[1]]
        inverse = sum(part**2 / (len(side) - 1) for part, side in zip(parts, (baseline, contender), strict=True))
        self.df = sum(parts) ** 2 / inverse
        self.critical = float(stats.t.ppf((1 + confidence) / 2, self.df))

    def statistic(self, log_ratio: float) -> float:
        ratio = math.exp(log_ratio)
        return (self.means[1] - ratio * self.means[0]) / math.sqrt(self.errors[1] + ratio**2 * self.errors[0])

    def certainty(self) -> float:
        """The t statistic of the less certain mean over its critical value; below 1 there is no interval."""
        return min(mean / math.sqrt(error) for mean, error in zip(self.means, self.errors, strict=True)) / self.critical


@settings(max_examples=300)
@given(samples, samples, for_two_settings)
def test_against_root_finding(baseline: list[float], contender: list[float], confidence: float) -> None:
    means = Means(baseline, contender, confidence)
    assume(means.certainty() > 1.001)
    row = only_row(baseline, contender, method="fieller", confidence=confidence)
    low = optimize.brentq(lambda log: means.statistic(log) - means.critical, -30, means.log_ratio, xtol=1e-14)
    high = optimize.brentq(lambda log: means.statistic(log) + means.critical, means.log_ratio, 30, xtol=1e-14)
    assert (row["basis"], row["method"]) == ("replicates", "fieller")
    assert row["ratio"] == pytest.approx(np.mean(contender) / np.mean(baseline), rel=1e-12)
    assert row["baseline_mean"] == pytest.approx(np.mean(baseline), rel=1e-12)
    agrees(row, low, high)
    p_value = 2 * stats.t.sf(abs(means.statistic(0.0)), means.df)
    assert row["p_value"] == pytest.approx(p_value, rel=P_VALUE, abs=1e-15)


@settings(max_examples=200)
@given(wide, wide, st.sampled_from([0.95, 0.99]))
def test_unbounded_exactly_where_a_mean_may_be_zero(
    baseline: list[float], contender: list[float], confidence: float
) -> None:
    certainty = Means(baseline, contender, confidence).certainty()
    assume(abs(certainty - 1) > 1e-6)
    row = only_row(baseline, contender, method="fieller", confidence=confidence)
    if certainty < 1:
        assert (row["low"], row["high"], row["p_value"]) == (None, None, None)
        assert codes(row) == ["unbounded-interval"]
    else:
        assert row["low"] < row["ratio"] < row["high"]


@pytest.mark.parametrize("sides", [([1.0, 90.0], [50.0, 60.0]), ([50.0, 60.0], [1.0, 90.0])])
def test_neither_side_may_be_zero(sides: tuple[list[float], list[float]]) -> None:
    row = only_row(*sides, method="fieller")
    assert (row["low"], row["high"], codes(row)) == (None, None, ["unbounded-interval"])

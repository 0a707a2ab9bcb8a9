"""Numbers of runs, against the power of the t test in statsmodels."""

from __future__ import annotations

import math
from typing import Any

import kaeanalysis as ka
import numpy as np
import polars as pl
import pytest
from cases import RELATIVE, few
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.power import TTestIndPower, TTestPower

cvs = st.floats(min_value=0.003, max_value=0.1)
gains = st.floats(min_value=0.01, max_value=0.3)
powers = st.sampled_from([0.5, 0.8, 0.9, 0.99])
confidences = st.sampled_from([0.8, 0.9, 0.95, 0.99])


def power(log_ratio: float, sigma: float, n: int, confidence: float) -> float:
    """The chance of Welch's test with n runs on each side."""
    return both_ways(TTestIndPower(), log_ratio / sigma, math.sqrt(n / 2), confidence, nobs1=n)


def paired_power(log_ratio: float, sigma: float, n: int, confidence: float) -> float:
    """The chance of the paired test with n rounds; the difference of two runs has twice the variance of one."""
    return both_ways(TTestPower(), log_ratio / sigma / math.sqrt(2), math.sqrt(n), confidence, nobs=n)


def both_ways(test: Any, size: float, root: float, confidence: float, **runs: int) -> float:
    level = (1 - confidence) / 2
    # Where a chance is near to 1 or 0, scipy may give NaN; here it is above all that are wanted, or below 1e-9.
    if size * root > 30:
        return 1.0
    chance = test.power(effect_size=size, alpha=level, alternative="larger", **runs)
    if size * root < 6:
        chance += test.power(effect_size=size, alpha=level, alternative="smaller", **runs)
    return float(chance)


def half_width(sigma: float, n: int, confidence: float) -> float:
    """Of the logarithm of a ratio, with n runs on each side."""
    return float(stats.t.ppf((1 + confidence) / 2, 2 * n - 2) * sigma * math.sqrt(2 / n))


@settings(max_examples=200)
@given(cvs, gains, powers, confidences)
def test_fewest_runs_that_find_an_effect(cv: float, effect: float, wanted: float, confidence: float) -> None:
    (row,) = ka.power(effect=effect, cv=cv, power=wanted, confidence=confidence).to_dicts()
    n = row["runs_for_effect"]
    sigma = math.sqrt(math.log1p(cv**2))
    assert row["cv"] == pytest.approx(cv, rel=RELATIVE)
    assert power(math.log1p(effect), sigma, n, confidence) >= wanted - 1e-9
    assert n == 2 or power(math.log1p(effect), sigma, n - 1, confidence) < wanted + 1e-9


@settings(max_examples=200)
@given(cvs, st.floats(min_value=0.002, max_value=0.2), confidences)
def test_fewest_runs_for_a_half_width(cv: float, wanted: float, confidence: float) -> None:
    (row,) = ka.power(cv=cv, half_width=wanted, confidence=confidence).to_dicts()
    n = row["runs_for_half_width"]
    sigma = math.sqrt(math.log1p(cv**2))
    assert half_width(sigma, n, confidence) <= math.log1p(wanted) + 1e-12
    assert n == 2 or half_width(sigma, n - 1, confidence) > math.log1p(wanted) - 1e-12


def expect(row: dict[str, Any], sigma: float, n: int, effect: float, wanted: float, confidence: float) -> None:
    assert row["runs"] == n
    assert row["cv"] == pytest.approx(math.sqrt(math.expm1(sigma**2)), rel=RELATIVE)
    assert row["half_width"] == pytest.approx(math.expm1(half_width(sigma, n, confidence)), rel=RELATIVE)
    found = power(math.log1p(row["detectable"]), sigma, n, confidence)
    assert found == pytest.approx(wanted, abs=1e-7)
    needed = row["runs_for_effect"]
    assert power(math.log1p(effect), sigma, needed, confidence) >= wanted - 1e-9
    assert needed == 2 or power(math.log1p(effect), sigma, needed - 1, confidence) < wanted + 1e-9
    assert row["more_for_effect"] == max(0, needed - n)
    assert row["more_for_half_width"] == max(0, row["runs_for_half_width"] - n)


@settings(max_examples=100)
@given(st.lists(few, min_size=1, max_size=4), gains, powers, st.sampled_from([0.8, 0.9, 0.95]))
def test_from_runs(cells: list[list[float]], effect: float, wanted: float, confidence: float) -> None:
    """Each setting by its own spread, then all by the pooled one with the fewest runs that a setting has."""
    cells = [[*cell, cell[0] * 1.01] for cell in cells]
    rows = [{"workers": workers, "rps": value} for workers, cell in enumerate(cells, start=1) for value in cell]
    # A setting that was run once shows no spread.
    rows.append({"workers": 99, "rps": 1200.0})
    answer = ka.power(ka.Runs(pl.DataFrame(rows)), effect=effect, power=wanted, confidence=confidence)
    *own, single, pooled = answer.to_dicts()
    assert (single["workers"], single["scope"], single["runs"]) == (99, "setting", 1)
    assert {
        single[field] for field in ("cv", "half_width", "detectable", "runs_for_effect", "runs_for_half_width")
    } == {None}
    for workers, (row, cell) in enumerate(zip(own, cells, strict=True), start=1):
        assert (row["workers"], row["scope"]) == (workers, "setting")
        expect(row, float(np.std(np.log(cell), ddof=1)), len(cell), effect, wanted, confidence)
    squares = sum(float(np.var(np.log(cell))) * len(cell) for cell in cells)
    sigma = math.sqrt(squares / sum(len(cell) - 1 for cell in cells))
    assert (pooled["workers"], pooled["scope"]) == (None, "all")
    expect(pooled, sigma, min(map(len, cells)), effect, wanted, confidence)


@settings(max_examples=100)
@given(
    st.integers(2, 4),
    st.integers(0, 2**32 - 1),
    gains,
    st.sampled_from([0.5, 0.8, 0.9]),
    st.sampled_from([0.8, 0.9, 0.95]),
)
def test_from_rounds(settings_: int, seed: int, effect: float, wanted: float, confidence: float) -> None:
    """The paired test, with the spread around the means of settings and rounds."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 12))
    # Rounds differ by more than runs within a round.
    logs = rng.normal(7, 0.05, (n, 1)) + rng.normal(0, 0.02, (n, settings_))
    frame = pl.DataFrame(
        {
            "block": np.repeat(np.arange(n), settings_),
            "workers": np.tile(np.arange(1, settings_ + 1), n),
            "rps": np.exp(logs).ravel(),
        }
    )
    dummies = [np.repeat(np.eye(n), settings_, axis=0), np.tile(np.eye(settings_), (n, 1))]
    fit = OLS(logs.ravel(), np.hstack([dummies[0], dummies[1][:, 1:]])).fit()
    sigma = math.sqrt(fit.mse_resid)
    (row,) = ka.power(ka.Runs(frame), effect=effect, power=wanted, confidence=confidence).to_dicts()
    assert (row["scope"], row["runs"]) == ("all", n)
    assert row["cv"] == pytest.approx(math.sqrt(math.expm1(sigma**2)), rel=RELATIVE)
    half = stats.t.ppf((1 + confidence) / 2, n - 1) * sigma * math.sqrt(2 / n)
    assert row["half_width"] == pytest.approx(math.expm1(half), rel=RELATIVE)
    found = paired_power(math.log1p(row["detectable"]), sigma, n, confidence)
    assert found == pytest.approx(wanted, abs=1e-7)
    needed = row["runs_for_effect"]
    assert paired_power(math.log1p(effect), sigma, needed, confidence) >= wanted - 1e-9
    assert needed == 2 or paired_power(math.log1p(effect), sigma, needed - 1, confidence) < wanted + 1e-9

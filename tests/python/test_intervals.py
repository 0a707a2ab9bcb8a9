"""t intervals on logarithms against scipy, over random cases: any sizes, any spreads, any confidence."""

from __future__ import annotations

import math

import kaeanalysis as ka
import numpy as np
import polars as pl
import pytest
from cases import RELATIVE, agrees, confidences, for_two_settings, only_row, rates, samples
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats


@settings(max_examples=400)
@given(samples, samples, for_two_settings)
def test_welch_on_logs(baseline: list[float], contender: list[float], confidence: float) -> None:
    row = only_row(baseline, contender, confidence=confidence)
    expected = stats.ttest_ind(np.log(contender), np.log(baseline), equal_var=False)
    interval = expected.confidence_interval(confidence)
    assert row["basis"] == "replicates"
    assert row["method"] == "log-welch"
    assert (row["n_baseline"], row["n_contender"]) == (len(baseline), len(contender))
    assert row["ratio"] == pytest.approx(stats.gmean(contender) / stats.gmean(baseline), rel=RELATIVE)
    assert row["p_value"] == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
    agrees(row, interval.low, interval.high)


@settings(max_examples=200)
@given(st.lists(st.tuples(rates, rates), min_size=2, max_size=10), confidences)
def test_paired_on_logs(pairs: list[tuple[float, float]], confidence: float) -> None:
    differences = np.log([contender for _, contender in pairs]) - np.log([baseline for baseline, _ in pairs])
    if np.std(differences) < 1e-4:
        return
    frame = pl.DataFrame(
        {
            "block": [block for block in range(len(pairs)) for _ in range(2)],
            "accelerator": ["none", "kae"] * len(pairs),
            "rps": [value for pair in pairs for value in pair],
        }
    )
    (row,) = ka.speedup(ka.Runs(frame), confidence=confidence).to_dicts()
    expected = stats.ttest_1samp(differences, 0.0)
    interval = expected.confidence_interval(confidence)
    assert row["basis"] == "blocks"
    assert row["n_baseline"] == row["n_contender"] == len(pairs)
    assert math.log(row["ratio"]) == pytest.approx(float(np.mean(differences)), abs=RELATIVE)
    assert row["p_value"] == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
    agrees(row, interval.low, interval.high)


@settings(max_examples=100)
@given(st.lists(st.tuples(samples, samples), min_size=2, max_size=5))
def test_geometric_mean_over_strata(strata: list[tuple[list[float], list[float]]]) -> None:
    """The mean of independent log ratios, with Satterthwaite's degrees of freedom over all cells."""
    rows = [
        {"workers": workers, "accelerator": accelerator, "rps": value}
        for workers, cells in enumerate(strata, start=1)
        for accelerator, cell in zip(("none", "kae"), cells, strict=True)
        for value in cell
    ]
    overall = ka.speedup(ka.Runs(pl.DataFrame(rows))).to_dicts()[-1]
    logs = [(np.log(baseline), np.log(contender)) for baseline, contender in strata]
    mean = np.mean([contender.mean() - baseline.mean() for baseline, contender in logs])
    parts = [(cell.var(ddof=1) / len(cell) / len(strata) ** 2, len(cell)) for pair in logs for cell in pair]
    total = sum(part for part, _ in parts)
    df = total**2 / sum(part**2 / (n - 1) for part, n in parts)
    half = math.sqrt(total) * stats.t.ppf(0.975, df)
    assert overall["scope"] == "overall"
    assert math.log(overall["ratio"]) == pytest.approx(mean, abs=RELATIVE)
    agrees(overall, mean - half, mean + half)


@settings(max_examples=100)
@given(st.lists(st.tuples(rates, rates, rates, rates), min_size=2, max_size=8))
def test_geometric_mean_over_strata_within_blocks(rounds: list[tuple[float, float, float, float]]) -> None:
    """Strata of one round are not independent: the mean is taken within each block, and its spread over blocks."""
    settings_of_round = [(1, "none"), (1, "kae"), (4, "none"), (4, "kae")]
    rows = [
        {"block": block, "workers": workers, "accelerator": accelerator, "rps": value}
        for block, values in enumerate(rounds)
        for (workers, accelerator), value in zip(settings_of_round, values, strict=True)
    ]
    logs = np.log(rounds)
    means = ((logs[:, 1] - logs[:, 0]) + (logs[:, 3] - logs[:, 2])) / 2
    if min(np.std(means), np.std(logs[:, 1] - logs[:, 0]), np.std(logs[:, 3] - logs[:, 2])) < 1e-4:
        return
    overall = ka.speedup(ka.Runs(pl.DataFrame(rows))).to_dicts()[-1]
    interval = stats.ttest_1samp(means, 0.0).confidence_interval(0.95)
    assert (overall["scope"], overall["basis"], overall["n_baseline"]) == ("overall", "blocks", len(rounds))
    agrees(overall, interval.low, interval.high)


@settings(max_examples=100)
@given(samples, rates, st.floats(min_value=0.001, max_value=0.5))
def test_stated_spread_beside_a_measured_one(baseline: list[float], contender: float, cv: float) -> None:
    """Satterthwaite's degrees of freedom, with infinitely many for the stated part."""
    row = only_row(baseline, [contender], assume_cv=cv)
    measured = np.var(np.log(baseline), ddof=1) / len(baseline)
    total = measured + math.log1p(cv**2)
    df = total**2 / (measured**2 / (len(baseline) - 1))
    center = math.log(contender) - float(np.mean(np.log(baseline)))
    half = stats.t.ppf(0.975, df) * math.sqrt(total)
    assert row["basis"] == "assumed"
    agrees(row, center - half, center + half)


@settings(max_examples=100)
@given(rates, rates, st.floats(min_value=0.001, max_value=0.5), for_two_settings)
def test_stated_spread(baseline: float, contender: float, cv: float, confidence: float) -> None:
    row = only_row([baseline], [contender], assume_cv=cv, confidence=confidence)
    half = stats.norm.ppf((1 + confidence) / 2) * math.sqrt(2 * math.log1p(cv**2))
    assert (row["basis"], row["warnings"]) == ("assumed", "assumed-spread")
    assert row["high"] == pytest.approx(contender / baseline * math.exp(half), rel=RELATIVE)
    assert row["low"] == pytest.approx(contender / baseline * math.exp(-half), rel=RELATIVE)


@settings(max_examples=200)
@given(st.lists(rates, min_size=1, max_size=4), st.lists(rates, min_size=1, max_size=4))
def test_no_interval_without_replicates(baseline: list[float], contender: list[float]) -> None:
    row = only_row(baseline, contender)
    repeated = [side for side in (baseline, contender) if len(side) > 1]
    if len(repeated) == 1 and max(repeated[0]) / min(repeated[0]) > 1.0001:
        assert row["basis"] == "pooled"
        assert row["low"] < row["ratio"] < row["high"]
    elif min(len(baseline), len(contender)) == 1:
        if not all(max(side) == min(side) for side in repeated):
            return
        assert (row["low"], row["high"], row["p_value"], row["basis"]) == (None, None, None, "none")
        assert "single-run" in row["warnings"].split(";")
    elif all(max(side) / min(side) > 1.0001 for side in (baseline, contender)):
        assert row["low"] < row["ratio"] < row["high"]
        assert row["basis"] == "replicates"
    elif max(map(max, (baseline, contender))) == min(map(min, (baseline, contender))):
        assert row["warnings"] == "identical-values"
    assert math.isfinite(row["ratio"])


@pytest.mark.parametrize("degrees_of_freedom", [2, 3, 5, 10, 100, 1000, 30000])
def test_interval_of_many_runs(degrees_of_freedom: int) -> None:
    """Degrees of freedom from two to far beyond where the distribution is nearly normal."""
    rng = np.random.default_rng(degrees_of_freedom)
    n = degrees_of_freedom // 2 + 1
    baseline, contender = (np.exp(rng.normal(mean, 0.02, n)) for mean in (6.0, 6.01))
    row = only_row(list(baseline), list(contender))
    interval = stats.ttest_ind(np.log(contender), np.log(baseline), equal_var=False).confidence_interval(0.95)
    assert row["low"] == pytest.approx(math.exp(interval.low), rel=RELATIVE)
    assert row["high"] == pytest.approx(math.exp(interval.high), rel=RELATIVE)

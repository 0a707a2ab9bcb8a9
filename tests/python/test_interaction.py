"""Ratios of ratios, against numpy and scipy."""

from __future__ import annotations

import math
from typing import Any

import kaeanalysis as ka
import numpy as np
import polars as pl
import pytest
from cases import P_VALUE, RELATIVE, agrees, codes, confidences, few, rates
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

SETTINGS = [("sync", "none"), ("async", "none"), ("sync", "kae"), ("async", "kae")]
# The async gain with an accelerator over that without.
WEIGHTS = np.array([1.0, -1.0, -1.0, 1.0])

squares = st.lists(few, min_size=4, max_size=4)


def interaction(rows: list[dict[str, Any]], **options: Any) -> list[dict[str, Any]]:
    return ka.interaction(ka.Runs(pl.DataFrame(rows)), "tls_mode", "accelerator", **options).to_dicts()


def runs(square: list[list[float]], **more: Any) -> list[dict[str, Any]]:
    return [
        {**more, "tls_mode": tls_mode, "accelerator": accelerator, "rps": value}
        for (tls_mode, accelerator), sample in zip(SETTINGS, square, strict=True)
        for value in sample
    ]


def expect(row: dict[str, Any], center: float, parts: list[tuple[float, int]], confidence: float) -> None:
    """Welch and Satterthwaite: each part a squared error and its number of runs."""
    total = sum(part for part, _ in parts)
    df = total**2 / sum(part**2 / (n - 1) for part, n in parts)
    half = math.sqrt(total) * stats.t.ppf((1 + confidence) / 2, df)
    assert math.log(row["interaction"]) == pytest.approx(center, abs=RELATIVE)
    agrees(row, center - half, center + half)
    p_value = 2 * stats.t.sf(abs(center) / math.sqrt(total), df)
    assert row["p_value"] == pytest.approx(p_value, rel=P_VALUE, abs=1e-15)


@settings(max_examples=200)
@given(squares, confidences)
def test_four_settings(square: list[list[float]], confidence: float) -> None:
    (row,) = interaction(runs(square), confidence=confidence)
    means = [stats.gmean(sample) for sample in square]
    assert row["ratio_at_baseline"] == pytest.approx(means[1] / means[0], rel=RELATIVE)
    assert row["ratio_at_contender"] == pytest.approx(means[3] / means[2], rel=RELATIVE)
    assert (row["basis"], row["method"]) == ("replicates", "log-welch")
    # The setting with the fewest runs tells how much is known.
    assert row["n_baseline"] == row["n_contender"] == min(map(len, square))
    parts = [(np.log(sample).var(ddof=1) / len(sample), len(sample)) for sample in square]
    expect(row, float(WEIGHTS @ np.log(means)), parts, confidence)


@settings(max_examples=100)
@given(squares, squares)
def test_geometric_mean_over_strata(one: list[list[float]], other: list[list[float]]) -> None:
    *strata, overall = interaction(runs(one, workers=1) + runs(other, workers=4))
    assert ([row["scope"] for row in strata], overall["scope"]) == (["stratum"] * 2, "overall")
    centers = [float(WEIGHTS @ [np.log(sample).mean() for sample in square]) for square in (one, other)]
    parts = [(np.log(sample).var(ddof=1) / len(sample) / 4, len(sample)) for sample in one + other]
    expect(overall, float(np.mean(centers)), parts, 0.95)


@settings(max_examples=200)
@given(st.lists(st.tuples(rates, rates, rates, rates), min_size=2, max_size=8), confidences)
def test_within_blocks(rounds: list[tuple[float, float, float, float]], confidence: float) -> None:
    contrasts = np.log(rounds) @ WEIGHTS
    assume(np.std(contrasts) > 1e-4)
    rows = [
        row
        for block, values in enumerate(rounds)
        for row in runs([[value] for value in values], block=f"round {block}")
    ]
    (row,) = interaction(rows, confidence=confidence)
    expected = stats.ttest_1samp(contrasts, 0.0)
    interval = expected.confidence_interval(confidence)
    assert (row["basis"], row["method"]) == ("blocks", "log-paired")
    assert row["n_baseline"] == row["n_contender"] == len(rounds)
    agrees(row, interval.low, interval.high)
    assert row["p_value"] == pytest.approx(expected.pvalue, rel=P_VALUE, abs=1e-15)


def test_the_documented_study() -> None:
    rows = ka.interaction(ka.datasets.vkae_vm(), "tls_mode", "accelerator").to_dicts()
    at = [[round(row[field], 4) for field in ("ratio_at_baseline", "ratio_at_contender")] for row in rows[:2]]
    assert at == [[0.9949, 1.643], [0.9956, 1.449]]
    assert [round(row["interaction"], 4) for row in rows] == [1.6515, 1.4555, 1.5504]
    assert {row["basis"] for row in rows} == {"none"}
    # The control says that the two settings without vKAE are equal, and they are among the four compared.
    pooled = ka.interaction(ka.datasets.vkae_vm(), "tls_mode", "accelerator", method="log-pooled").to_dicts()
    assert [(row["low"], row["high"], codes(row)) for row in pooled] == [(None, None, ["control-under-test"])] * 3
    # Four runs whose spread is stated: the variance of the logarithm of a run is ln(1 + cv²).
    stated = ka.interaction(ka.datasets.vkae_vm(), "tls_mode", "accelerator", assume_cv=0.02).to_dicts()
    half = stats.norm.ppf(0.975) * math.sqrt(4 * math.log1p(0.02**2))
    for row in stated[:2]:
        agrees(row, math.log(row["interaction"]) - half, math.log(row["interaction"]) + half)
    center, half = math.log(stated[2]["interaction"]), half / math.sqrt(2)
    agrees(stated[2], center - half, center + half)

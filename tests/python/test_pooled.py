"""Intervals from the spread of a whole study, against the t tests of a linear model in statsmodels."""

from __future__ import annotations

from itertools import product
from typing import Any

import kaeanalysis as ka
import numpy as np
import polars as pl
import pytest
from cases import P_VALUE, agrees, codes, confidences, rates
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS

Setting = tuple[int, str, str]
Cells = dict[Setting, list[float]]

SETTINGS = list(product([1, 4], ["sync", "async"], ["none", "kae"]))

# From one run to four of each of eight settings.
studies = st.lists(st.lists(rates, min_size=1, max_size=4), min_size=8, max_size=8).map(
    lambda samples: dict(zip(SETTINGS, samples, strict=True))
)


def runs(cells: Cells) -> ka.Runs:
    names = ["workers", "tls_mode", "accelerator", "rps"]
    rows = [(*setting, value) for setting, sample in cells.items() for value in sample]
    return ka.Runs(pl.DataFrame(rows, schema=names, orient="row"))


def cell_means(cells: Cells, merged: bool = False) -> Any:
    """The model with one mean per setting; merged, the two modes are one setting where nothing accelerates."""
    logs = np.log([value for sample in cells.values() for value in sample])
    groups = [
        (workers, "any" if merged and accelerator == "none" else tls_mode, accelerator)
        for (workers, tls_mode, accelerator), sample in cells.items()
        for _ in sample
    ]
    names = list(dict.fromkeys(groups))
    model = OLS(logs, np.array([[float(group == name) for name in names] for group in groups]))
    assume(model.df_resid > 0)
    fit = model.fit()
    assume(fit.mse_resid > 1e-8)
    return fit


def expect(row: dict[str, Any], fit: Any, weights: dict[Setting, float], confidence: float) -> None:
    """The t test of a contrast of the settings' means."""
    test = fit.t_test([weights.get(setting, 0.0) for setting in SETTINGS])
    agrees(row, *test.conf_int(1 - confidence)[0])
    assert row["p_value"] == pytest.approx(float(test.pvalue), rel=P_VALUE, abs=1e-15)
    assert (row["basis"], row["method"]) == ("pooled", "log-pooled")


def ratio(workers: int, tls_mode: str) -> dict[Setting, float]:
    return {(workers, tls_mode, "kae"): 1.0, (workers, tls_mode, "none"): -1.0}


@settings(max_examples=150)
@given(studies, confidences)
def test_the_spread_of_all_settings(cells: Cells, confidence: float) -> None:
    """Also of settings that a condition leaves out of the answer, and for settings that were run once."""
    fit = cell_means(cells)
    options: dict[str, Any] = {"method": "log-pooled", "confidence": confidence}
    *strata, overall = ka.speedup(runs(cells), **options).to_dicts()
    assert len(strata) == 4
    for row in strata:
        expect(row, fit, ratio(row["workers"], row["tls_mode"]), confidence)
        single = min(row["n_baseline"], row["n_contender"]) == 1
        assert ("pooled-spread" in codes(row)) == single
    expect(overall, fit, {setting: 0.25 if setting[2] == "kae" else -0.25 for setting in SETTINGS}, confidence)
    *of_some, _ = ka.speedup(runs(cells), where={"workers": 4}, **options).to_dicts()
    assert len(of_some) == 2
    for row in of_some:
        expect(row, fit, ratio(4, row["tls_mode"]), confidence)


@settings(max_examples=100)
@given(studies)
def test_a_single_run_beside_repeated_ones(cells: Cells) -> None:
    """Without a method named, a ratio of which one side was run once rests on the spread of the study."""
    cells = {**cells, (1, "sync", "none"): cells[1, "sync", "none"][:1]}
    fit = cell_means(cells)
    row = ka.speedup(runs(cells)).to_dicts()[0]
    expect(row, fit, ratio(1, "sync"), 0.95)


@settings(max_examples=100)
@given(studies, confidences)
def test_interaction(cells: Cells, confidence: float) -> None:
    fit = cell_means(cells)
    rows = ka.interaction(runs(cells), "tls_mode", "accelerator", method="log-pooled", confidence=confidence).to_dicts()
    signs = {("sync", "none"): 1.0, ("async", "none"): -1.0, ("sync", "kae"): -1.0, ("async", "kae"): 1.0}
    assert [row["workers"] for row in rows] == [1, 4, None]
    for workers, row in zip([1, 4], rows[:2], strict=True):
        expect(row, fit, {(workers, *cell): sign for cell, sign in signs.items()}, confidence)


@settings(max_examples=150)
@given(studies, confidences)
def test_a_control_merges_settings(cells: Cells, confidence: float) -> None:
    """Known to be one treatment, sync and async without an accelerator show spread by what they differ by."""
    spread = cell_means(cells, merged=True)
    options: dict[str, Any] = {"method": "log-pooled", "confidence": confidence}
    *strata, _ = ka.speedup(runs(cells), controls=["tls_mode@accelerator=none"], **options).to_dicts()
    assert len(strata) == 4
    for row in strata:
        sides = [cells[row["workers"], row["tls_mode"], accelerator] for accelerator in ("none", "kae")]
        baseline, contender = (np.log(side) for side in sides)
        error = np.sqrt(spread.mse_resid * (1 / len(baseline) + 1 / len(contender)))
        center = contender.mean() - baseline.mean()
        half = stats.t.ppf((1 + confidence) / 2, spread.df_resid) * error
        agrees(row, center - half, center + half)


@settings(max_examples=100)
@given(studies)
def test_a_control_never_judges_itself(cells: Cells) -> None:
    """Where it says of the two compared that they are one treatment, the spread is that without it."""
    fit = cell_means(cells)
    rows = ka.async_gain(runs(cells), method="log-pooled", controls=["tls_mode@accelerator=none"]).to_dicts()
    under_test = [row for row in rows if row["accelerator"] == "none"]
    assert len(under_test) == 2
    for row in under_test:
        assert "control-under-test" in codes(row)
        workers = row["workers"]
        expect(row, fit, {(workers, "sync", "none"): -1.0, (workers, "async", "none"): 1.0}, 0.95)


def rounded(row: dict[str, Any]) -> list[float]:
    return [round(row[field], 4) for field in ("ratio", "low", "high")]


def test_the_documented_study() -> None:
    """Eight single runs, of which the documented control makes two pairs: two degrees of freedom."""
    speedup = ka.speedup(ka.datasets.vkae_vm(), method="log-pooled").to_dicts()
    assert [rounded(row) for row in speedup if row["workers"] == 4] == [
        [2.2625, 2.2163, 2.3097],
        [3.2931, 3.2258, 3.3618],
    ]
    gain = ka.async_gain(ka.datasets.vkae_vm(), method="log-pooled").to_dicts()
    with_vkae = {row["workers"]: rounded(row) for row in gain if row["accelerator"] == "vkae"}
    assert with_vkae == {1: [1.6430, 1.6095, 1.6773], 4: [1.4490, 1.4194, 1.4793]}
    without = [row for row in gain if row["accelerator"] == "none"]
    assert len(without) == 2
    for row in without:
        assert (row["low"], row["high"], row["p_value"], row["basis"]) == (None, None, None, "none")
        assert codes(row) == ["control-under-test"]

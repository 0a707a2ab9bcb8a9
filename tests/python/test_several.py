"""Several ratios at once, against the adjustments of statsmodels."""

from __future__ import annotations

from typing import Any

import kaeanalysis as ka
import numpy as np
import polars as pl
import pytest
from cases import P_VALUE, agrees, few, rates
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

Stratum = tuple[list[float], list[float]]

# Settings that were run once have no p-value by Welch's test, and do not count.
single = st.tuples(st.lists(rates, min_size=1, max_size=1), few)
families = st.lists(st.tuples(few, few) | single, min_size=2, max_size=6)
NAMES = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh"}


def speedup(strata: list[Stratum], **options: Any) -> list[dict[str, Any]]:
    rows = [
        {"workers": workers, "accelerator": accelerator, "rps": value}
        for workers, cells in enumerate(strata, start=1)
        for accelerator, cell in zip(("none", "kae"), cells, strict=True)
        for value in cell
    ]
    answer = ka.speedup(ka.Runs(pl.DataFrame(rows)), method="log-welch", **options)
    *rows, overall = answer.to_dicts()
    assert (len(rows), overall["scope"], overall["p_adjusted"]) == (len(strata), "overall", None)
    return rows


def welch(stratum: Stratum) -> Any:
    baseline, contender = stratum
    return stats.ttest_ind(np.log(contender), np.log(baseline), equal_var=False)


@settings(max_examples=100)
@given(families, st.sampled_from(list(NAMES)), st.sampled_from([0.8, 0.95, 0.99]))
def test_adjusted_p_values_and_intervals(strata: list[Stratum], adjust: str, confidence: float) -> None:
    tested = [stratum for stratum in strata if len(stratum[0]) > 1]
    results = [welch(stratum) for stratum in tested]
    rows = speedup(strata, adjust=adjust, confidence=confidence)
    for stratum, row in zip(strata, rows, strict=True):
        if stratum not in tested:
            assert (row["p_value"], row["p_adjusted"], row["low"]) == (None, None, None)
    if not tested:
        return
    rows = [row for stratum, row in zip(strata, rows, strict=True) if stratum in tested]
    expected = multipletests([result.pvalue for result in results], method=NAMES[adjust])[1]
    # By Bonferroni the intervals hold all at once; the others have no intervals of their own.
    each = 1 - (1 - confidence) / len(tested) if adjust == "bonferroni" else confidence
    for row, p_adjusted, result in zip(rows, expected, results, strict=True):
        assert row["p_value"] == pytest.approx(result.pvalue, rel=P_VALUE, abs=1e-15)
        assert row["p_adjusted"] == pytest.approx(p_adjusted, rel=P_VALUE, abs=1e-15)
        interval = result.confidence_interval(each)
        agrees(row, interval.low, interval.high)


def test_without_adjustment() -> None:
    strata = [([1000.0, 1010.0], [1100.0, 1130.0]), ([1000.0, 1020.0], [1300.0, 1310.0])]
    assert [row["p_adjusted"] for row in speedup(strata)] == [None, None]

"""Effects of two-level designs, against ordinary least squares of statsmodels in the coding −1 and +1."""

from __future__ import annotations

import json
import math
from itertools import combinations, product
from typing import Any

import kaeanalysis as ka
import numpy as np
import polars as pl
import pytest
from cases import P_VALUE, RELATIVE, agrees, confidences, rates
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS

# In the order of the columns, with the low and the high level.
LEVELS = {
    "workers": (1, 4),
    "tls_mode": ("sync", "async"),
    "accelerator": ("none", "kae"),
    "connection": ("short", "long"),
}

Signs = tuple[int, ...]
Term = tuple[int, ...]

FULL: list[Signs] = list(product([-1, 1], repeat=3))
# The half of a design of four factors in which the fourth is the product of the others.
HALF: list[Signs] = [(a, b, c, a * b * c) for a, b, c in FULL]

replicates = st.lists(rates, min_size=1, max_size=3)
eight = st.lists(replicates, min_size=8, max_size=8)


def effects(design: list[Signs], values: list[float], blocks: list[int] | None = None, **options: Any) -> ka.Answer:
    names = list(LEVELS)[: len(design[0])]
    columns: dict[str, Any] = {
        name: [LEVELS[name][(row[at] + 1) // 2] for row in design] for at, name in enumerate(names)
    }
    if blocks is not None:
        columns["block"] = blocks
    return ka.effects(ka.Runs(pl.DataFrame({**columns, "rps": values})), **options)


def repeated(design: list[Signs], cells: list[list[float]]) -> tuple[list[Signs], list[float]]:
    rows = [(row, value) for row, cell in zip(design, cells, strict=True) for value in cell]
    return [row for row, _ in rows], [value for _, value in rows]


def column(design: list[Signs], term: Term) -> list[float]:
    return [float(math.prod(row[at] for at in term)) for row in design]


def estimable(design: list[Signs]) -> list[Term]:
    """The mean, then each term by order that adds to the rank of the model."""
    factors = range(len(design[0]))
    model: list[Term] = []
    for term in (term for order in range(len(factors) + 1) for term in combinations(factors, order)):
        if np.linalg.matrix_rank(np.array([column(design, one) for one in [*model, term]])) > len(model):
            model.append(term)
    return model


def expect(rows: list[dict[str, Any]], terms: list[Term], fit: Any, confidence: float) -> None:
    """An effect is twice its coefficient; the ratio of k factors is that of 2^(k−1) such differences."""
    names = list(LEVELS)
    assert [row["factors"] for row in rows] == [":".join(names[at] for at in term) for term in terms[1:]]
    intervals = fit.conf_int(1 - confidence)
    for at, (term, row) in enumerate(zip(terms[1:], rows, strict=True), start=1):
        fold = 2 ** (len(term) - 1)
        assert row["effect"] == pytest.approx(2 * fit.params[at], abs=RELATIVE)
        assert math.log(row["ratio"]) == pytest.approx(fold * 2 * fit.params[at], abs=RELATIVE)
        agrees(row, *(fold * 2 * intervals[at]))
        assert row["p_value"] == pytest.approx(fit.pvalues[at], rel=P_VALUE, abs=1e-15)


@settings(max_examples=150)
@given(eight, confidences)
def test_full_design_with_unequal_replicates(cells: list[list[float]], confidence: float) -> None:
    design, values = repeated(FULL, cells)
    terms = [term for order in range(4) for term in combinations(range(3), order)]
    model = OLS(np.log(values), np.array([column(design, term) for term in terms]).T)
    assume(model.df_resid > 0)
    fit = model.fit()
    assume(fit.mse_resid > 1e-8)
    answer = effects(design, values, confidence=confidence)
    expect(answer.to_dicts(), terms, fit, confidence)
    document = json.loads(answer.to_json())
    assert document["residual_sigma"] == pytest.approx(math.sqrt(fit.mse_resid), rel=RELATIVE)
    assert document["residual_degrees_of_freedom"] == fit.df_resid
    assert document["r_squared"] == pytest.approx(fit.rsquared, abs=RELATIVE)


@settings(max_examples=150)
@given(
    st.sets(st.sampled_from(range(8)), min_size=4, max_size=7).filter(
        lambda kept: all(len({FULL[at][factor] for at in kept}) == 2 for factor in range(3))
    ),
    eight,
    confidences,
)
def test_missing_settings(kept: set[int], cells: list[list[float]], confidence: float) -> None:
    """Terms enter by order as long as the settings that there are can tell them from those before."""
    some = [FULL[at] for at in sorted(kept)]
    design, values = repeated(some, [cells[at] for at in sorted(kept)])
    terms = estimable(some)
    assert len(terms) == len(some)
    model = OLS(np.log(values), np.array([column(design, term) for term in terms]).T)
    assume(model.df_resid > 0)
    fit = model.fit()
    assume(fit.mse_resid > 1e-8)
    expect(effects(design, values, confidence=confidence).to_dicts(), terms, fit, confidence)


@settings(max_examples=100)
@given(eight, confidences)
def test_half_fraction(cells: list[list[float]], confidence: float) -> None:
    design, values = repeated(HALF, cells)
    terms = estimable(HALF)
    model = OLS(np.log(values), np.array([column(design, term) for term in terms]).T)
    assume(model.df_resid > 0)
    fit = model.fit()
    assume(fit.mse_resid > 1e-8)
    rows = effects(design, values, confidence=confidence).to_dicts()
    expect(rows, terms, fit, confidence)
    # Of the term and its alias together, every factor occurs once.
    names = list(LEVELS)
    for term, row in zip(terms[1:], rows, strict=True):
        assert row["aliases"] == ":".join(names[at] for at in range(4) if at not in term)


@settings(max_examples=100)
@given(st.lists(st.tuples(*[rates] * 4), min_size=2, max_size=5), confidences)
def test_complete_blocks(rounds: list[tuple[float, ...]], confidence: float) -> None:
    """The spread is that around the means of the blocks, which take a degree of freedom each but one."""
    cells: list[Signs] = list(product([-1, 1], repeat=2))
    design = cells * len(rounds)
    blocks = [block for block in range(len(rounds)) for _ in cells]
    # Sum coding: each block but the last has a column, which is −1 in the last.
    dummies = [
        [float(block == own) - float(block == len(rounds) - 1) for block in blocks] for own in range(len(rounds) - 1)
    ]
    terms: list[Term] = [(), (0,), (1,), (0, 1)]
    values = [value for values in rounds for value in values]
    fit = OLS(np.log(values), np.array([column(design, term) for term in terms] + dummies).T).fit()
    assume(fit.mse_resid > 1e-8)
    expect(effects(design, values, blocks, confidence=confidence).to_dicts(), terms, fit, confidence)


@settings(max_examples=100)
@given(st.tuples(*[rates] * 8), st.sampled_from([0.9, 0.95, 0.99]))
def test_lenth(values: tuple[float, ...], confidence: float) -> None:
    """Lenth (1989), for seven effects: margins by t with 7/3 degrees of freedom."""
    terms = [term for order in range(1, 4) for term in combinations(range(3), order)]
    found = [float(np.dot(column(FULL, term), np.log(values))) / 4 for term in terms]
    sizes = np.abs(found)
    first = 1.5 * np.median(sizes)
    assume(first > 1e-6 and np.all(np.abs(sizes - 2.5 * first) > 1e-9))
    pse = 1.5 * np.median(sizes[sizes < 2.5 * first])
    me = pse * stats.t.ppf((1 + confidence) / 2, 7 / 3)
    sme = pse * stats.t.ppf((1 + confidence ** (1 / 7)) / 2, 7 / 3)
    answer = effects(FULL, list(values), unreplicated="lenth", confidence=confidence)
    assert json.loads(answer.to_json())["lenth"] == pytest.approx({"pse": pse, "me": me, "sme": sme}, rel=RELATIVE)
    for size, effect, row in zip(sizes, found, answer.to_dicts(), strict=True):
        assert row["effect"] == pytest.approx(effect, abs=RELATIVE)
        standing = "beyond_simultaneous" if size > sme else "beyond_margin" if size > me else "within"
        assert row["lenth"] == standing
        assert (row["low"], row["high"], row["p_value"]) == (None, None, None)


def test_lenth_of_the_documented_study() -> None:
    answer = ka.effects(ka.datasets.vkae_vm(), unreplicated="lenth")
    lenth = json.loads(answer.to_json())["lenth"]
    assert {name: round(value, 4) for name, value in lenth.items()} == {"pse": 0.0690, "me": 0.2598, "sme": 0.6217}
    expected = {
        "workers": 1.3002,
        "tls_mode": 0.2145,
        "accelerator": 1.0502,
        "workers:tls_mode": -0.0312,
        "workers:accelerator": -0.0460,
        "tls_mode:accelerator": 0.2193,
        "workers:tls_mode:accelerator": -0.0316,
    }
    rows = answer.to_dicts()
    assert {row["factors"]: round(row["effect"], 4) for row in rows} == expected
    assert [row["factors"] for row in rows if row["lenth"] != "within"] == ["workers", "accelerator"]

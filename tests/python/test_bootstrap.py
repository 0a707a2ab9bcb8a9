"""Bootstrap intervals against scipy, and against a bootstrap-t written with numpy.

Both sides draw 20,000 resamples with each of four seeds. Samples and confidence are such that the ends by one seed
have a standard error of about 1 % of the interval's width at most, and that BCa without its bias or its acceleration
has an end that is more than 4 % away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from cases import only_row
from scipy import stats

Array = npt.NDArray[np.float64]
Pair = tuple[Array, Array]

# Of the width of an interval: three standard errors of the difference of two means over four seeds.
TOLERANCE = 0.02
RESAMPLES = 20_000
SEEDS = range(1, 5)
CONFIDENCE = 0.9

# One side has its long tail below, the other above.
SAMPLES: list[Pair] = [
    (
        np.array([1032.0, 1188, 1251, 1260, 1266, 1278, 1285, 1297, 1300]),
        np.array([1320.0, 1325, 1330, 1331, 1358, 1360, 1362, 1383, 1401, 1487]),
    ),
    (
        np.array([1017.0, 1206, 1261, 1285, 1289, 1291, 1294, 1297]),
        np.array([1320.0, 1321, 1322, 1323, 1330, 1333, 1336, 1351, 1357, 1372, 1393, 1468, 1497, 1520, 1744]),
    ),
]
KINDS = {"percentile": "percentile", "basic": "basic", "bca": "BCa"}
LOG_CENTERS: dict[str, Callable[..., Any]] = {
    "geometric-mean": lambda sample, axis=-1: np.log(sample).mean(axis=axis),
    "mean": lambda sample, axis=-1: np.log(sample.mean(axis=axis)),
    "median": lambda sample, axis=-1: np.log(np.median(sample, axis=axis)),
}
pairs = pytest.mark.parametrize("pair", SAMPLES, ids=["9 and 10 runs", "8 and 15 runs"])
centers = pytest.mark.parametrize("center", list(LOG_CENTERS))


def ours(pair: Pair, seed: int, **options: Any) -> dict[str, Any]:
    options = {"resamples": RESAMPLES, "confidence": CONFIDENCE, **options}
    return only_row(list(pair[0]), list(pair[1]), seed=seed, **options)


def log_ends(pair: Pair, **options: Any) -> Any:
    rows = [ours(pair, seed, **options) for seed in SEEDS]
    return np.log([[row["low"], row["high"]] for row in rows]).mean(axis=0)


def scipy_log_ends(pair: Pair, center: str, method: str) -> Any:
    of = LOG_CENTERS[center]

    def statistic(baseline: Array, contender: Array, axis: int = -1) -> Any:
        return of(contender, axis=axis) - of(baseline, axis=axis)

    results = [
        stats.bootstrap(
            pair,
            statistic,
            n_resamples=RESAMPLES,
            confidence_level=CONFIDENCE,
            method=method,
            vectorized=True,
            rng=seed,
        )
        for seed in SEEDS
    ]
    return np.mean([result.confidence_interval for result in results], axis=0)


@pairs
@centers
def test_percentile_basic_and_bca(pair: Pair, center: str) -> None:
    log_ratio = LOG_CENTERS[center](pair[1]) - LOG_CENTERS[center](pair[0])
    expected = {kind: scipy_log_ends(pair, center, method) for kind, method in KINDS.items()}
    for kind, ends in expected.items():
        row = ours(pair, 1, method=kind, center=center)
        assert (row["basis"], row["method"]) == ("replicates", kind)
        assert np.log(row["ratio"]) == pytest.approx(log_ratio, abs=1e-12)
        width = ends[1] - ends[0]
        np.testing.assert_allclose(log_ends(pair, method=kind, center=center), ends, rtol=0, atol=TOLERANCE * width)
        # No other kind would pass.
        others = [other for name, other in expected.items() if name != kind]
        assert all(np.abs(other - ends).max() > 2 * TOLERANCE * width for other in others)


def squared_errors(resampled: Array, center: str) -> Any:
    """Of the logarithm of each row's centre: by the delta method, of medians by Maritz and Jarrett (1978)."""
    n = resampled.shape[-1]
    if center == "geometric-mean":
        return np.log(resampled).var(axis=-1, ddof=1) / n
    if center == "mean":
        return resampled.var(axis=-1, ddof=1) / n / resampled.mean(axis=-1) ** 2
    chances = np.diff(stats.beta.cdf(np.arange(n + 1) / n, (n + 1) / 2, (n + 1) / 2))
    logs = np.log(np.sort(resampled, axis=-1))
    return (logs**2) @ chances - (logs @ chances) ** 2


def bootstrap_t(pair: Pair, center: str, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    of = LOG_CENTERS[center]
    drawn = [rng.choice(sample, (RESAMPLES, len(sample))) for sample in pair]
    estimate = of(pair[1]) - of(pair[0])
    error = np.sqrt(sum(squared_errors(sample, center) for sample in pair))
    t = (of(drawn[1]) - of(drawn[0]) - estimate) / np.sqrt(sum(squared_errors(sample, center) for sample in drawn))
    upper, lower = np.quantile(t, [(1 + CONFIDENCE) / 2, (1 - CONFIDENCE) / 2])
    return np.array([estimate - error * upper, estimate - error * lower])


@pairs
@centers
def test_studentized(pair: Pair, center: str) -> None:
    expected = np.mean([bootstrap_t(pair, center, seed) for seed in SEEDS], axis=0)
    found = log_ends(pair, method="studentized", center=center)
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE * (expected[1] - expected[0]))


@pytest.mark.parametrize("kind", [*KINDS, "studentized"])
@pytest.mark.parametrize("center", ["geometric-mean", "mean"])
def test_p_value_is_that_of_the_interval_that_ends_at_1(kind: str, center: str) -> None:
    pair = SAMPLES[0][0] * 1.06, SAMPLES[0][1]
    p_value = ours(pair, 1, method=kind, center=center)["p_value"]
    assert 0.01 < p_value < 0.5
    row = ours(pair, 1, method=kind, center=center, confidence=1 - p_value)
    low, high = np.log([row["low"], row["high"]])
    assert min(abs(low), abs(high)) < 0.005 * (high - low)


@pytest.mark.parametrize("kind", [*KINDS, "studentized"])
def test_seed(kind: str) -> None:
    """The same seed gives the same answer to the last digit, another seed another one; 1 and 9,999 are the defaults."""
    one, again, other = (ours(SAMPLES[1], seed, method=kind, resamples=9_999) for seed in (1, 1, 2))
    assert one == again == only_row(*map(list, SAMPLES[1]), method=kind, confidence=CONFIDENCE)
    assert (one["low"], one["high"], one["p_value"]) != (other["low"], other["high"], other["p_value"])
    assert one["ratio"] == other["ratio"]

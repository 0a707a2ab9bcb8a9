"""Frames in and out through the Arrow C stream."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import kaeanalysis as ka
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

COLUMNS: dict[str, list[Any]] = {
    "workers": [1, 4, 1, 4],
    "accelerator": ["none", "none", "kae", "kae"],
    "rps": [587.5, 2255.0, 1367.0, 5102.25],
}

PRODUCERS = {
    "polars": pl.DataFrame(COLUMNS),
    "polars, sliced": pl.concat([pl.DataFrame(COLUMNS), pl.DataFrame(COLUMNS)]).slice(4),
    "polars, chunked": pl.concat([pl.DataFrame(COLUMNS)[:1], pl.DataFrame(COLUMNS)[1:]], rechunk=False),
    "polars, narrow": pl.DataFrame(COLUMNS).with_columns(
        pl.col("workers").cast(pl.Int8), pl.col("accelerator").cast(pl.Categorical), pl.col("rps").cast(pl.Float32)
    ),
    "polars, unsigned": pl.DataFrame(COLUMNS).with_columns(pl.col("workers").cast(pl.UInt16)),
    "polars, enum": pl.DataFrame(COLUMNS).with_columns(pl.col("accelerator").cast(pl.Enum(["none", "kae"]))),
    "polars, whole rates": pl.DataFrame(COLUMNS | {"rps": [587, 2255, 1367, 5102]}),
    "pandas": pd.DataFrame(COLUMNS),
    "pandas, nullable": pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas, categorical": pd.DataFrame(COLUMNS).astype({"accelerator": "category", "workers": "int16"}),
    "pandas, floats for workers": pd.DataFrame(COLUMNS).astype({"workers": "float64"}),
    "pyarrow": pa.table(COLUMNS),
    "pyarrow, batches": pa.concat_tables([pa.table(COLUMNS).slice(0, 3), pa.table(COLUMNS).slice(3)]),
    "runs": ka.Runs(pl.DataFrame(COLUMNS)),
}


@pytest.mark.parametrize("name", PRODUCERS)
def test_every_producer_gives_the_same_runs(name: str) -> None:
    frame = ka.Runs(PRODUCERS[name]).to_polars()
    expected = pl.DataFrame(COLUMNS | {"rps": frame["rps"].to_list()})
    assert frame.equals(expected), frame
    assert frame.schema == pl.Schema({"workers": pl.Int64, "accelerator": pl.String, "rps": pl.Float64})
    assert frame["rps"].to_list() == pytest.approx(COLUMNS["rps"], abs=0.5)


def test_consumers_read_results() -> None:
    comparison = ka.speedup(ka.Runs(PRODUCERS["polars"]))
    rows = comparison.to_dicts()
    assert pl.DataFrame(comparison).to_dicts() == rows
    assert pa.table(comparison).to_pylist() == rows
    assert pd.DataFrame.from_arrow(comparison)["ratio"].tolist() == [row["ratio"] for row in rows]
    assert comparison.to_polars().schema["low"] == pl.Float64, "a column without any value keeps its type"


def test_absent_values_stay_absent() -> None:
    frame = pd.DataFrame({"workers": [1.0, float("nan")], "accelerator": ["kae", None], "rps": [5.0, 6.0]})
    runs = ka.Runs(frame)
    assert runs.to_polars().to_dicts() == [
        {"workers": 1, "accelerator": "kae", "rps": 5.0},
        {"workers": None, "accelerator": None, "rps": 6.0},
    ]
    assert runs.to_dicts() == runs.to_polars().to_dicts()


def test_further_columns_are_factors_of_their_own_type() -> None:
    runs = ka.Runs(pl.DataFrame({"rps": [5.0, 6.0], "turbo": [True, False], "rack": [7, 8], "share": [0.5, 0.25]}))
    assert runs.to_polars().schema == pl.Schema(
        {"rps": pl.Float64, "turbo": pl.Boolean, "rack": pl.Int64, "share": pl.Float64}
    )
    comparison = ka.compare(runs, "turbo", baseline=False)
    assert comparison.to_dicts()[0]["ratio"] == pytest.approx(5 / 6)


def test_a_rate_column_is_not_copied() -> None:
    table = pa.table({"rps": [float(value) for value in range(1, 1001)]})

    def address(table: pa.Table) -> int:
        return int(table.column("rps").chunk(0).buffers()[1].address)

    assert address(pa.table(ka.Runs(table))) == address(table)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"rps": [1.0, -2.0]}, 'frame, row 2, column "rps": -2 is not a number above zero'),
        ({"rps": [1.0, float("inf")]}, 'frame, row 2, column "rps": inf is not a number above zero'),
        ({"rps": ["1", "x"]}, 'frame, row 2, column "rps": "x" is not a number above zero'),
        ({"workers": [1.5], "rps": [1.0]}, 'frame, row 1, column "workers": 1.5 is not a whole number in range'),
        ({"tls_mode": ["later"], "rps": [1.0]}, 'column "tls_mode": "later" is not a level'),
        ({"tls_mode": [1], "rps": [1.0]}, 'column "tls_mode": 1 is not a level'),
        ({"rps": [True]}, 'column "rps": the type bool holds no levels'),
        ({"workers": [4]}, "no column holds a metric"),
        ({"rps": [None], "workers": [4]}, "row 1: the run has no measured value"),
        ({"rps": [""], "workers": [4]}, "row 1: the run has no measured value"),
        ({"a\nb": [1], "rps": [1.0]}, 'the column name "a\\nb" holds control characters'),
        ({"rps": [5.0, None]}, "frame, row 2: the run has no measured value"),
        ({"rps": []}, "there are no runs"),
        ({}, "there are no runs"),
        ({"when": [datetime.date(2026, 1, 1)], "rps": [1.0]}, 'column "when": the Arrow type Date32 holds no levels'),
        ({"list": [[1]], "rps": [1.0]}, 'column "list": the Arrow type'),
        ({"struct": [{"a": 1}], "rps": [1.0]}, 'column "struct": the Arrow type'),
    ],
)
def test_bad_frames_are_refused_with_column_and_row(columns: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(ka.InputError) as raised:
        ka.Runs(pl.DataFrame(columns))
    assert message in str(raised.value)


@pytest.mark.parametrize("thing", [5, "runs.csv", [1, 2], {"rps": [1.0]}, None])
def test_what_is_no_frame_is_refused(thing: object) -> None:
    with pytest.raises(ka.InputError, match="is not a frame; give a polars or pandas frame"):
        ka.Runs(thing)  # type: ignore[arg-type]


def test_a_stream_that_is_not_a_table_is_refused() -> None:
    with pytest.raises(ka.InputError, match="is not a table"):
        ka.Runs(pa.chunked_array([[1.0]]))
    with pytest.raises(ka.InputError, match="is not a table"):
        ka.Runs(pl.Series("rps", [1.0]))


def test_source_names_the_frame_in_messages() -> None:
    with pytest.raises(ka.InputError, match=r"^monday, row 1"):
        ka.Runs(pl.DataFrame({"rps": [-1.0]}), source="monday")


def test_frames_are_read_as_files_are(tmp_path: Path) -> None:
    """Names in another case, spaces, emptiness and spelling mean the same in both."""
    text = "Workers,Accelerator,vm_size,RPS\n4, KAE ,8c16g,5\n4,None,8C16G,4\n4,,,3\n"
    (tmp_path / "runs.csv").write_text(text, encoding="utf-8")
    read = ka.read_csv(tmp_path / "runs.csv").to_dicts()
    frame = pl.read_csv(tmp_path / "runs.csv", infer_schema=False)
    assert ka.Runs(frame).to_dicts() == read
    assert ka.Runs(frame.with_columns(pl.col("Accelerator").fill_null("  "))).to_dicts() == read
    assert [row["accelerator"] for row in read] == ["kae", "none", None]


def test_rows_that_are_absent_as_a_whole_are_refused() -> None:
    struct = pa.array([{"rps": 1.0}, None], type=pa.struct([("rps", pa.float64())]))
    with pytest.raises(ka.InputError, match="absent as a whole"):
        ka.Runs(pa.chunked_array([struct]))


def test_frames_in_the_words_of_the_documents_are_read_as_files_are() -> None:
    wide = Path(__file__).parents[1] / "data" / "wide.csv"
    read = ka.read_csv(wide)
    runs = ka.Runs(pd.read_csv(wide, thousands=","))
    assert runs.to_dicts() == read.to_dicts()
    assert [warning.code for warning in runs.warnings] == ["assumed-metric"]
    assert round(ka.speedup(runs).to_dicts()[3]["ratio"], 4) == 3.2931
    with pytest.raises(ka.InputError, match=r"^frame, row 2, column \"是否启用KAE\": \"x\" does not answer"):
        ka.Runs(pl.DataFrame({"是否启用KAE": ["是", "x"], "rps": [1.0, 2.0]}))

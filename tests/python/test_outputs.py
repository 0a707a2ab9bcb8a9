"""Outputs of load tools through Python."""

from __future__ import annotations

from pathlib import Path

import kaeanalysis as ka
import pytest

OUTPUTS = Path(__file__).parents[1] / "data" / "outputs"


def test_a_file_with_labels() -> None:
    runs = ka.read_outputs(
        OUTPUTS / "httpress" / "short_tls12_nocache.txt", labels={"accelerator": "none", "workers": 4}
    )
    (row,) = runs.to_dicts()
    assert (row["accelerator"], row["workers"], row["tool"]) == ("none", 4, "httpress")
    # 3000 successes in 3.503 seconds, which httpress prints as 856.
    assert row["rps"] == pytest.approx(3000 / 3.503)
    assert [warning.code for warning in runs.warnings] == ["load-tool"]


def test_files_that_give_no_run_are_named() -> None:
    runs = ka.read_outputs(OUTPUTS / "hey")
    failed = [warning.message for warning in runs.warnings if warning.code == "not-imported"]
    assert any("errors_refused.txt, line 2 gave no run: all 20 requests failed" in message for message in failed)


def test_errors() -> None:
    with pytest.raises(ka.InputError, match="no run was found"):
        ka.read_outputs(OUTPUTS / "hey" / "errors_refused.txt")
    with pytest.raises(ka.FileError, match="No such file"):
        ka.read_outputs("missing")
    with pytest.raises(ka.InputError, match='"wrc" is not a load tool; did you mean wrk'):
        ka.read_outputs(OUTPUTS, tool="wrc")
    with pytest.raises(ka.InputError, match="is no pattern: it names no column"):
        ka.read_outputs(OUTPUTS, pattern="plain.log")


def test_tables_among_the_files(tmp_path: Path) -> None:
    page = "<table><tr><th>KAE<th>1 worker<th>4 workers<tr><td>off<td>587<td>2,255<tr><td>on<td>1,367<td>5,102</table>"
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    (tmp_path / "more.csv").write_text("机型,rps\n8C16G,5\n", encoding="utf-8")
    runs = ka.read_outputs(tmp_path, labels={"cpu": "Kunpeng 920"}, columns={"机型": "vm_size"})
    rows = runs.to_dicts()
    assert [row["rps"] for row in rows] == [5, 587, 2255, 1367, 5102]
    assert [row["accelerator"] for row in rows] == [None, "none", "none", "kae", "kae"]
    assert rows[0]["vcpus"] == 8
    assert {row["cpu"] for row in rows} == {"Kunpeng 920"}


def test_parquet_of_other_writers(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    columns = {"accelerator": ["none", "kae", None], "workers": [1, 2, 4], "rps": [587.5, 1367.0, 5102.0]}
    polars.DataFrame(columns).write_parquet(tmp_path / "polars.parquet")
    polars.DataFrame(
        columns, schema_overrides={"accelerator": polars.Categorical, "workers": polars.Int8}
    ).write_parquet(tmp_path / "narrow.parquet")
    pandas.DataFrame(columns).to_parquet(tmp_path / "pandas.parquet")
    expected = ka.Runs(polars.DataFrame(columns)).to_dicts()
    for name in ("polars", "narrow", "pandas"):
        assert ka.read_csv(tmp_path / f"{name}.parquet").to_dicts() == expected
    # A filtered frame leaves its row numbers behind.
    pandas.DataFrame(columns, index=[3, 5, 8]).to_parquet(tmp_path / "index.parquet")
    indexed = ka.read_csv(tmp_path / "index.parquet")
    assert indexed.to_dicts() == expected
    assert [warning.code for warning in indexed.warnings] == ["left-out"]
    (tmp_path / "broken.parquet").write_bytes((tmp_path / "polars.parquet").read_bytes()[:-20])
    with pytest.raises(ka.InputError, match="this is no Parquet file that can be read"):
        ka.read_csv(tmp_path / "broken.parquet")


def test_more_runs_than_are_kept(tmp_path: Path) -> None:
    rows = [f"{worker},{1000 * worker + run % 7}" for run in range(50) for worker in (1, 4)]
    path = tmp_path / "many.csv"
    path.write_text("workers,rps\n" + "\n".join(rows), encoding="utf-8")
    whole = ka.compare(ka.read_csv(path), "workers").to_dicts()[0]
    runs = ka.read_csv(path, most_runs=10)
    assert len(runs) == 100
    assert [warning.code for warning in runs.warnings] == ["summed-up"]
    summed = ka.compare(runs, "workers").to_dicts()[0]
    for key in ("ratio", "low", "high", "n_baseline", "p_value"):
        assert summed[key] == pytest.approx(whole[key], rel=1e-12)
    for needs_all in (ka.effects, ka.Runs.to_dicts, ka.Runs.to_polars):
        with pytest.raises(ka.InputError, match="this needs every run, and the runs were summed up"):
            needs_all(runs)

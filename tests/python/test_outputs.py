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

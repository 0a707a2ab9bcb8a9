"""The package as a user meets it."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import kaeanalysis as ka
import pytest

ROOT = Path(__file__).parents[2]


def test_documented_figures() -> None:
    speedup = ka.speedup(ka.datasets.vkae_vm())
    assert [round(row["ratio"], 4) for row in speedup.to_dicts()] == [2.3288, 3.8459, 2.2625, 3.2931, 2.8581]
    gain = ka.async_gain(ka.datasets.vkae_vm())
    assert [round(row["ratio"], 4) for row in gain.to_dicts()][:4] == [0.9949, 1.643, 0.9956, 1.449]
    assert {row["basis"] for row in gain.to_dicts()} == {"none"}
    assert round(ka.speedup(ka.datasets.docker()).to_dicts()[0]["ratio"], 4) == 1.9474
    assert round(ka.speedup(ka.datasets.soft_ratio()).to_dicts()[0]["ratio"], 4) == 1.5075


def test_importing_imports_no_frame_library() -> None:
    code = "import sys, kaeanalysis; print([m for m in ('polars', 'pandas', 'numpy', 'pyarrow') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


@pytest.mark.parametrize("program", [["-m", "kaeanalysis"], None])
def test_both_programs_are_the_same(program: list[str] | None) -> None:
    command = [sys.executable, *program] if program else [str(Path(sys.executable).parent / "kaeanalysis")]
    result = subprocess.run(
        [*command, "speedup", "documented:docker", "--format", "json"], capture_output=True, text=True, check=True
    )
    assert json.loads(result.stdout) == json.loads(ka.speedup(ka.datasets.docker()).to_json())
    result = subprocess.run([*command, "speedup", "missing.csv"], capture_output=True, text=True)
    assert result.returncode == 2
    with pytest.raises(ka.FileError) as raised:
        ka.read_csv("missing.csv")
    assert result.stderr == f"error: {raised.value}\n", "the same text in both"


def test_errors_are_of_the_expected_kinds(tmp_path: Path) -> None:
    runs = ka.datasets.docker()
    assert issubclass(ka.InputError, ka.KaeAnalysisError)
    assert issubclass(ka.FileError, ka.KaeAnalysisError)
    with pytest.raises(ValueError, match='the runs have no factor "colour"; use study, cpu'):
        ka.compare(runs, "colour")
    with pytest.raises(ka.InputError, match='"fast" is not a method; use auto, log-welch, log-pooled, log-paired'):
        ka.compare(runs, "accelerator", method="fast")  # type: ignore[arg-type]
    with pytest.raises(ka.InputError, match="a confidence of 95 is none"):
        ka.speedup(runs, confidence=95)
    with pytest.raises(ka.InputError, match="a confidence of NaN is none"):
        ka.speedup(runs, confidence=float("nan"))
    with pytest.raises(ka.InputError, match="where is not a dictionary"):
        ka.speedup(runs, where="workers=4")  # type: ignore[arg-type]
    with pytest.raises(ka.InputError, match='"fr" is not a language; use en or zh'):
        ka.plot.bars(runs, lang="fr")  # type: ignore[arg-type]
    with pytest.raises(OSError, match="No such file"):
        ka.read_csv(tmp_path / "missing.csv")
    with pytest.raises(ka.FileError, match="there is no folder"):
        ka.plot.bars(runs).save(tmp_path / "no" / "figure.svg")


def test_conditions_and_levels_are_written_as_python_values() -> None:
    runs = ka.datasets.vkae_vm()
    four = ka.speedup(runs, where={"workers": 4, "tls_mode": ["sync", "async"]})
    assert [round(row["ratio"], 4) for row in four.to_dicts()][:2] == [2.2625, 3.2931]
    scaling = ka.compare(runs, "workers", baseline=4, contender=1)
    assert scaling.baseline == 4
    assert round(scaling.to_dicts()[0]["ratio"], 4) == round(587 / 2255, 4)
    assert [warning.code for warning in scaling.warnings] == ["single-run", "varies-together"]


def test_comparison_is_readable_everywhere() -> None:
    comparison = ka.speedup(ka.datasets.vkae_vm())
    assert len(comparison) == 4
    assert (comparison.factor, comparison.baseline, comparison.metric, comparison.confidence) == (
        "accelerator",
        "none",
        "rps",
        0.95,
    )
    html = comparison._repr_html_()
    assert "<table>" in html
    assert "3.2931" in html
    assert "single-run" in html
    assert "3.2931" in repr(comparison)
    (warning,) = comparison.warnings
    assert warning == comparison.warnings[0]
    assert len({warning, comparison.warnings[0]}) == 1
    assert str(warning).startswith("single-run: A single run says nothing")


def test_figure_is_shown_and_saved(tmp_path: Path) -> None:
    figure = ka.plot.forest(ka.speedup(ka.datasets.vkae_vm()), lang="zh")
    assert figure._repr_svg_() == figure.svg()
    assert figure.svg().startswith("<svg ")
    assert "3.293" in figure.description
    figure.save(tmp_path / "forest.svg")
    figure.save(tmp_path / "forest.png", width=400)
    assert (tmp_path / "forest.svg").read_text(encoding="utf-8") == figure.svg()
    assert (tmp_path / "forest.png").read_bytes() == figure.png(width=400)
    with pytest.raises(ka.FileError, match="exists already"):
        figure.save(tmp_path / "forest.svg")
    with pytest.raises(ka.InputError, match=re.escape("end the file's name in .svg or .png")):
        figure.save(tmp_path / "forest.pdf")
    assert figure == ka.plot.forest(ka.speedup(ka.datasets.vkae_vm()), lang="zh")


def test_report_is_written_and_worded(tmp_path: Path) -> None:
    report = ka.report(out=tmp_path / "report")
    assert len(list((tmp_path / "report" / "figures").iterdir())) == 14
    assert (tmp_path / "report" / "report.html").read_text(encoding="utf-8") == report.to_html()
    assert json.loads(report.to_json())["schema"] == "kaeanalysis.report"
    assert len(report.conclusions) == 6
    assert (
        ka.report(ka.datasets.docker(), lang="zh")
        .conclusions[0]
        .startswith("加速器为“KAE”时，每秒请求数是“无”的 1.9474 倍")
    )
    with pytest.raises(ka.FileError, match="exists already"):
        report.write(tmp_path / "report")
    assert report.write(tmp_path / "report", force=True) == 27


def test_documentation_examples() -> None:
    modules = [ka, *(importlib.import_module(f"kaeanalysis.{m.name}") for m in pkgutil.iter_modules(ka.__path__))]
    results = [doctest.testmod(module) for module in modules if module.__name__ != "kaeanalysis.__main__"]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) > 5


def test_examples_in_the_stub() -> None:
    text = (ROOT / "python" / "kaeanalysis" / "_core.pyi").read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(text, {}, "_core.pyi", "_core.pyi", 0)
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0
    assert result.attempted > 5


def test_a_notebook_shows_some_runs_and_says_of_how_many() -> None:
    runs = ka.read_csv(ROOT / "data" / "examples" / "replicated.csv")
    html = runs._repr_html_()
    assert "the first 20 of them" in html
    assert html.count("<tr") == 21
    assert ka.datasets.docker()._repr_html_().count("<tr") == 3

"""README says what is: its commands are run, its outputs compared, its picture drawn anew."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import kaeanalysis as ka
import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
CONSOLE = [block for language, block in BLOCKS if language == "console"]
PYTHON = [block for language, block in BLOCKS if language == "python"]


def commands(block: str) -> list[tuple[str, str]]:
    """Split a block into commands and what they print."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "data", tmp_path / "data")
    return tmp_path


@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.partition("\n")[0])
def test_console(block: str, folder: Path) -> None:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command, expected in commands(block):
        arguments = shlex.split(command, comments=True)
        assert arguments[0] == "kaeanalysis"
        result = subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, text=True)
        assert result.stdout + result.stderr == expected, command


def test_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    scope: dict[str, object] = {}
    for block in PYTHON:
        exec(block, scope)
    assert (folder / "python-report" / "report.html").exists()


def test_blocks_are_found() -> None:
    assert len(CONSOLE) >= 3
    assert PYTHON


def test_picture_is_what_the_program_draws() -> None:
    figure = ka.plot.forest(ka.speedup(ka.datasets.vkae_vm()))
    assert (ROOT / "docs" / "images" / "vkae_vm-accelerator.svg").read_text(encoding="utf-8") == figure.svg()
    bars = ka.plot.bars(ka.datasets.vkae_vm())
    assert (ROOT / "docs" / "images" / "vkae_vm-measured.svg").read_text(encoding="utf-8") == bars.svg()

"""Every notebook runs from top to bottom, and is stored without outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebook(path: Path) -> None:
    read: Any = nbformat.read
    notebook = read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code), "stored without outputs"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": path.parent}}).execute()
    kinds = [set(output.get("data", {})) for cell in code for output in cell.outputs]
    assert any("text/html" in kind for kind in kinds), "a table is shown"
    assert any("image/svg+xml" in kind for kind in kinds), "a figure is shown"


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS

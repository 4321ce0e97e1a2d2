"""The notebooks among the examples, run as Jupyter runs them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.kit.folders import EXAMPLES, ROOT

if TYPE_CHECKING:
    from pathlib import Path

NOTEBOOKS = sorted((EXAMPLES / "notebooks").glob("*.ipynb"))
MOST_BYTES = 400_000


def kinds(notebook: Any) -> list[list[str]]:
    """The kinds of data that each cell of code shows."""
    return [
        sorted({kind for output in cell.outputs for kind in output.get("data", {"text": ""})})
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_committed(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT / "envs"), str(ROOT))))
    committed = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert kinds(notebook) == kinds(committed)
    shown = {kind for cell in kinds(notebook) for kind in cell}
    assert {"image/png", "text/html"} <= shown
    assert path.stat().st_size < MOST_BYTES
    assert str(ROOT) not in path.read_text()

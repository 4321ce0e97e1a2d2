"""Installing says what to do where it cannot, and comes from nowhere in particular."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-build.lock"])
def test_no_lock_file_names_where_packages_come_from(name: str) -> None:
    assert "://" not in (ROOT / name).read_text()


def test_what_cannot_be_installed_ends_with_a_remedy(tmp_path: Path) -> None:
    for name in ("run", "pyproject.toml", "requirements-build.lock"):
        shutil.copy2(ROOT / name, tmp_path / name)
    lock = tmp_path / "requirements.lock"
    lock.write_text("optarena-no-such-package==1.0 --hash=sha256:" + "0" * 64 + "\n")
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    done = subprocess.run(
        [tmp_path / "run", "demo"], env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "could not be installed" in done.stderr
    assert "pip config" in done.stderr
    assert not list((tmp_path / ".venv").glob("stamp-*"))

"""Functions that are called when a package is imported, and gymnasium as such a package."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from optarena.registry import after_import

if TYPE_CHECKING:
    from pathlib import Path

LISTED = "any(name.startswith('optarena/') for name in gymnasium.registry)"


def said(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return done.stdout.strip()


def test_importing_optarena_loads_nothing_heavy() -> None:
    heavy = {"gymnasium", "numpy", "tarfile", "concurrent.futures"}
    assert said(f"import optarena, sys; print({heavy} & {{*sys.modules}})") == "set()"


@pytest.mark.parametrize(
    "imports", ["optarena, gymnasium", "gymnasium, optarena", "optarena, gymnasium.envs.registration"]
)
def test_gymnasium_knows_the_environments_in_whichever_order_both_are_imported(imports: str) -> None:
    assert said(f"import {imports}; print({LISTED})") == "True"


def test_gymnasium_imports_optarena_on_request() -> None:
    code = "import gymnasium; print(gymnasium.make('optarena:optarena/llvm-ic-v0').unwrapped.spec.id)"
    assert said(code) == "optarena/llvm-ic-v0"


def test_functions_are_called_once_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "later_package.py").write_text("value = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    called: list[str] = []
    after_import("later_package", lambda: called.append(f"one {sys.modules['later_package'].value}"))
    after_import("later_package", lambda: called.append("two"))
    assert called == []
    before = len(sys.meta_path)
    import later_package  # type: ignore[import-not-found] # noqa: PLC0415 - what this is about

    assert called == ["one 1", "two"]
    assert len(sys.meta_path) == before - 1
    after_import("later_package", lambda: called.append("at once"))
    assert called[2:] == ["at once"]
    assert later_package.__spec__.origin == str(tmp_path / "later_package.py")
    del sys.modules["later_package"]


def test_a_package_that_cannot_be_imported_may_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "moody_package.py"
    file.write_text("raise OSError('not now')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    called: list[int] = []
    after_import("moody_package", lambda: called.append(1))
    with pytest.raises(OSError, match="not now"):
        __import__("moody_package")
    assert called == []
    file.write_text("value = 1\n")
    __import__("moody_package")
    assert called == [1]
    del sys.modules["moody_package"]

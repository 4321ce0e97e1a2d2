"""Installing says what to do where it cannot, and comes from nowhere in particular."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.kit.folders import ROOT

PROJECT: Final = """[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "tiny"
version = "1"
"""
BACKEND: Final = '''"""Builds a wheel of nothing."""

import pathlib, time, zipfile


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    with open("builds", "a") as builds:
        builds.write("begun ")
    time.sleep(1)
    files = {
        "METADATA": "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1\\n",
        "WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        "RECORD": "",
    }
    with zipfile.ZipFile(pathlib.Path(wheel_directory, "tiny-1-py3-none-any.whl"), "w") as wheel:
        for name, content in files.items():
            wheel.writestr(f"tiny-1.dist-info/{name}", content)
    with open("builds", "a") as builds:
        builds.write("ended ")
    return "tiny-1-py3-none-any.whl"
'''


def test_no_lock_file_names_where_packages_come_from() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "requirements-build.lock"):
        assert "://" not in (ROOT / name).read_text(), name


def tiny_project(folder: Path) -> None:
    """What `./run` needs: its own file, a package that is installed at once, and what it starts."""
    shutil.copy2(ROOT / "run", folder / "run")
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "backend.py").write_text(BACKEND)
    for name in ("requirements-build.lock", "requirements.lock", "requirements-dev.lock"):
        (folder / name).write_text("")
    for name in ("leaderboard/embedded.py", "tests/kit/tools.py", "pytest.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"print({Path(name).stem!r})")


def started(folder: Path, name: str, **more: str) -> subprocess.Popen[str]:
    piped = subprocess.PIPE
    environment = {**os.environ, **more}
    command = [str(folder / "run"), name]
    return subprocess.Popen(command, env=environment, stdout=piped, stderr=piped, text=True)


@pytest.mark.skipif(shutil.which("flock") is None, reason="nothing waits without flock")
def test_one_installs_for_two_and_what_the_tests_need_is_added_or_refused_with_a_remedy(
    tmp_path: Path,
) -> None:
    tiny_project(tmp_path)
    runs = [started(tmp_path, "demo") for _ in range(2)]
    try:
        told = [run.communicate(timeout=240) for run in runs]
    finally:
        for run in runs:
            run.kill()
    assert [run.returncode for run in runs] == [0, 0], told
    assert (tmp_path / "builds").read_text() == "begun ended "
    printed = [text for text, _ in told]
    assert all(text.endswith("embedded\n") for text in printed)
    assert sum("Waiting for another ./run" in text for text in printed) == 1
    assert sum("Installing requirements.lock" in text for text in printed) == 1
    dev = tmp_path / "requirements-dev.lock"
    dev.write_text("optarena-no-such-package==1.0 --hash=sha256:" + "0" * 64 + "\n")
    refused = started(tmp_path, "test", PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path))
    _, said = refused.communicate(timeout=240)
    assert (refused.returncode, "could not be installed" in said, "pip config" in said) == (1, True, True)
    assert not (tmp_path / ".venv" / "stamp-requirements-dev.lock").exists()
    dev.write_text("")
    for name, last, is_installed in (("test", "pytest", True), ("demo", "embedded", False)):
        text, _ = started(tmp_path, name).communicate(timeout=240)
        assert text.splitlines()[-1] == last
        assert ("Installing requirements-dev.lock" in text) == is_installed
    assert (tmp_path / "builds").read_text() == "begun ended "

"""Installing honours what the user has told pip, and says what to do where it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from leaderboard.embedded.install import pip_configuration, uv_settings

from .conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

INSTALL = ROOT / "leaderboard/embedded/install.py"


def configuration(folder: Path, text: str, **variables: str) -> dict[str, str]:
    """What pip makes of a configuration file and of variables."""
    file = folder / "pip.conf"
    file.write_text(text)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    return pip_configuration({**kept, "PIP_CONFIG_FILE": str(file), "HOME": str(folder), **variables})


def test_pips_file_reaches_uv(tmp_path: Path) -> None:
    text = """
[global]
index-url = https://mirror.example/simple
extra-index-url = https://one.example/simple
    https://two.example/simple
find-links = /some/wheels
    /other/wheels
cert = /some/ca.pem
"""
    settings = uv_settings(configuration(tmp_path, text))
    assert settings["UV_DEFAULT_INDEX"] == "https://mirror.example/simple"
    assert settings["UV_INDEX"] == "https://one.example/simple https://two.example/simple"
    assert settings["UV_FIND_LINKS"] == "/some/wheels,/other/wheels"
    assert settings["SSL_CERT_FILE"] == "/some/ca.pem"


def test_a_variable_goes_before_the_file_and_install_before_global(tmp_path: Path) -> None:
    text = (
        "[install]\nfind-links = /install\n[global]\nfind-links = /global\nindex-url = https://file.example\n"
    )
    known = configuration(tmp_path, text, PIP_INDEX_URL="https://variable.example")
    assert known["index-url"] == "https://variable.example"
    assert known["find-links"] == "/install"


def test_what_is_set_for_another_command_is_not_handed_on(tmp_path: Path) -> None:
    known = configuration(tmp_path, "[list]\nfind-links = /elsewhere\n")
    assert "/elsewhere" not in uv_settings(known).values()
    assert uv_settings({}) == {"UV_INDEX_STRATEGY": "unsafe-best-match"}


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "requirements-build.lock"])
def test_no_lock_file_names_where_packages_come_from(name: str) -> None:
    assert "://" not in (ROOT / name).read_text()


def test_what_cannot_be_installed_ends_with_a_remedy(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("optarena-no-such-package==1.0 --hash=sha256:" + "0" * 64 + "\n")
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    done = subprocess.run(
        [python, INSTALL, lock], cwd=ROOT, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "could not be installed" in done.stderr
    assert "pip config" in done.stderr

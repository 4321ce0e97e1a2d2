"""The environments' contract with the oldest gymnasium supported; all other tests run with the newest."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.kit.folders import ROOT
from tests.kit.tools import in_ci

LOCK = Path(__file__).parent / "oldest.lock"
OLDEST = LOCK.read_text().partition("gymnasium==")[2].split()[0]
CONTRACT = (
    "tests/envs/test_env.py",
    "tests/envs/test_spaces.py",
    "tests/envs/service/converters",
    "tests/envs/wrappers/test_contract.py",
)
INSTALL_SECONDS = 120


def bounds() -> tuple[str, str]:
    """What pyproject.toml allows."""
    requirements = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    found = re.search(r"^gymnasium>=([\d.]+),<([\d.]+)$", "\n".join(requirements), re.MULTILINE)
    assert found
    return found[1], found[2]


@pytest.fixture(scope="module")
def oldest(pytestconfig: pytest.Config) -> Path:
    """A folder with the oldest gymnasium; kept in pytest's cache until the lock file changes."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    kept = pytestconfig.cache.mkdir("gymnasium") / f"{OLDEST}-{digest}"
    if kept.is_dir():
        return kept
    unfinished = kept.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    command = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    options = ("--no-deps", "--require-hashes", "--retries", "1", "--target", unfinished, "-r", LOCK)
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, timeout=INSTALL_SECONDS
    )
    if done.returncode != 0:
        message = f"gymnasium {OLDEST} cannot be installed: {done.stderr}"
        pytest.fail(message) if in_ci() else pytest.skip(message)
    unfinished.rename(kept)
    return kept


@pytest.mark.soak
@pytest.mark.timeout(INSTALL_SECONDS + 180)
def test_environments_keep_their_contract_with_the_oldest_gymnasium(oldest: Path) -> None:
    plugins = Path(__file__).parent
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "expected_gymnasium",
            "-p",
            "no:cacheprovider",
            *CONTRACT,
        ],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(oldest), str(plugins)]),
            "OPTARENA_EXPECTED_GYMNASIUM": OLDEST,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert f"gymnasium {OLDEST} from {oldest}" in done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) > 150


def test_the_oldest_is_the_one_that_the_project_asks_for() -> None:
    lower, _ = bounds()
    assert OLDEST.removesuffix(".0") == lower


def test_these_tests_run_with_the_newest() -> None:
    lock = (ROOT / "requirements-dev.lock").read_text()
    newest = importlib.metadata.version("gymnasium")
    assert f"\ngymnasium=={newest} " in lock
    lower, upper = ([int(part) for part in bound.split(".")] for bound in bounds())
    assert lower < [int(part) for part in newest.split(".")] < upper

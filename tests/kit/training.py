"""Installs a framework that trains, in an environment on top of the one that runs the tests.

PyTorch is large, and some of its builds pull in gigabytes of libraries for graphics cards: it is no part of
what the tests install, except for the slow ones that train.
"""

from __future__ import annotations

import fcntl
import shutil
import site
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

PYTORCH, BASELINES = "torch==2.13.0", "stable-baselines3==2.9.2"
ROOT = Path(__file__).resolve().parents[2]  # this file is also a program: it finds no package of the tests


def folder(config: pytest.Config, requirements: Sequence[str] = (PYTORCH, BASELINES)) -> Path:
    """Where it is kept, in pytest's cache; another version or another environment below is another folder."""
    names = "-".join([*requirements, f"{sys.version_info.major}.{sys.version_info.minor}"])
    return config.cache.mkdir("training") / names.replace("==", "-")


def command(target: Path, requirements: Sequence[str] = (PYTORCH, BASELINES)) -> tuple[str, ...]:
    """What installs it there; it does nothing where that is done."""
    return sys.executable, str(Path(__file__).resolve()), str(target), *requirements


def python(target: Path) -> Path:
    return target / "bin/python"


def main(target: Path, *requirements: str) -> None:
    """Make the environment; it appears when it is complete."""
    with target.with_name(f"{target.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several processes of one test run may ask for it
        if not target.is_dir():
            _install(target, requirements)


def _install(target: Path, requirements: Sequence[str]) -> None:
    unfinished = target.with_name(f"{target.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    _run(sys.executable, "-m", "venv", "--without-pip", unfinished)
    libraries = next(unfinished.glob("lib/python*/site-packages"))
    below = "; ".join(f"site.addsitedir({path!r})" for path in [*site.getsitepackages(), str(ROOT / "envs")])
    (libraries / "below.pth").write_text(f"import site; {below}\n")
    install = (sys.executable, "-m", "pip", "--python", python(unfinished), "install", "--quiet")
    for requirement in requirements:  # the second takes whatever build the first has chosen
        _run(*install, "--disable-pip-version-check", "--no-compile", "--retries", "1", requirement)
    unfinished.rename(target)


def _run(*words: str | Path) -> None:
    subprocess.run(list(map(str, words)), check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])

"""Where the project lies, the modules that processes started by tests import by name, and short folders."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PLUGINS: Final = ROOT / "tests/plugins"
EXAMPLES: Final = ROOT / "examples"

MEMORY: Final = Path("/dev/shm")  # noqa: S108 # folders of their own inside it, made with mode 0700
_SHORT: Final = Path("/tmp")  # noqa: S108 # as above
_PREFIX: Final = "optarena-test-"
_RUN: Final = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()


def short_folder(mode: int, parent: Path = _SHORT) -> Path:
    """A new folder, whose path is short enough for sockets; it names the process that runs the tests."""
    path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{_RUN}-", dir=parent))
    path.chmod(mode)
    return path


def remove_short_folders() -> None:
    """Remove those of this run, which may have been interrupted, and of runs that were killed."""
    for path in [*_SHORT.glob(f"{_PREFIX}*-*"), *MEMORY.glob(f"{_PREFIX}*-*")]:
        run = path.name.removeprefix(_PREFIX).partition("-")[0]
        if run == str(_RUN) or (run.isdecimal() and not Path("/proc", run).exists()):
            shutil.rmtree(path, ignore_errors=True)

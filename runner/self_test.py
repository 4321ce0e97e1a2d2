"""A worker's test of itself, made in a process of its own: only a worker that passes takes work."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from datasets import blobs
from optarena.registry import PLUGINS_VARIABLE
from optarena.service.processes import folders, memory
from optarena.service.processes.folders import importing_environment
from runner import conf
from runner.devices import check_device
from runner.errors import UnsuitableWorkerError

if TYPE_CHECKING:
    from collections.abc import Sequence

_COMMAND: Final = (sys.executable, "-s", "-P", "-m", "optarena.self_test")
_LAST_WORDS: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTest:
    """What a worker found out about itself.

    Attributes:
        checks: Each check's ``name``, whether it is ``ok``, a ``detail`` for operators, and its ``seconds``.
        seconds: How long all of it took.
    """

    checks: Sequence[dict[str, Any]]
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether the worker may take work."""
        return bool(self.checks) and all(check["ok"] for check in self.checks)

    @property
    def problem(self) -> str:
        """What is wrong, for everybody: without the paths and the messages of the machine."""
        failed = ", ".join(check["name"] for check in self.checks if not check["ok"])
        return f"The worker's self-test failed: {failed}." if failed else ""

    def as_dict(self) -> dict[str, Any]:
        """The test as JSON data."""
        return {"passed": self.passed, "seconds": self.seconds, "checks": list(self.checks)}


def examine_worker(hardware: str) -> SelfTest:
    """Test this worker: its device, if it has one, and all that ``optarena.self_test`` checks."""
    began = time.monotonic()
    checks = _device(hardware)
    if all(check["ok"] for check in checks):
        checks += _asked(hardware)
    return SelfTest(checks=checks, seconds=round(time.monotonic() - began, 3))


def _device(hardware: str) -> list[dict[str, Any]]:
    if conf.device_of(hardware) is None:
        return []
    try:
        check_device(hardware)
    except UnsuitableWorkerError as error:
        return [_check("device", str(error))]
    return [_check("device")]


def _asked(hardware: str) -> list[dict[str, Any]]:
    device, folder = conf.device_of(hardware), blobs.folder()
    order = {
        "parent": os.getpid(),
        "readable": [str(folder)] if folder else [],
        "device": device.name if device else "",
    }
    try:
        asked = folders.run(
            _COMMAND,
            seconds=conf.SELF_TEST_SECONDS,
            given=json.dumps(order),
            environment=importing_environment(PLUGINS_VARIABLE, memory.VARIABLE),
            directory="/",
        )
        answer: list[dict[str, Any]] = json.loads(asked.printed)
    except TimeoutError as error:
        return [_check("time", str(error))]
    except OSError as error:
        return [_check("process", str(error))]
    except ValueError:  # it printed no answer
        return [_check("process", asked.said.strip() or f"It ended with code {asked.code}.")]
    return answer


def _check(name: str, problem: str = "") -> dict[str, Any]:
    return {"name": name, "ok": not problem, "detail": problem[-_LAST_WORDS:], "seconds": 0.0}

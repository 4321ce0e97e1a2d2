"""Tests the device of a worker's machine, in a child process."""

from __future__ import annotations

import sys
from typing import Final

from optarena.service.processes import folders
from optarena.service.processes.folders import importing_environment
from runner import conf
from runner.errors import UnsuitableWorkerError

_ASK_FOR_DEVICE: Final = """
import sys
from optarena.errors import DeviceUnavailable
from optarena.specs.environment import load
try:
    load(sys.argv[1])()
except DeviceUnavailable as error:
    sys.exit(str(error))
"""
_LAST_WORDS: Final = 2000


def check_device(hardware: str) -> None:
    """Refuse a worker whose device cannot be used: it would take all the work of its class and fail.

    A child process tests the device, since the test initialises CUDA, and a process that forks must not have
    done that.

    Args:
        hardware: The hardware class of its machine.

    Raises:
        UnsuitableWorkerError: The device cannot be used; the message says what is missing and what to do.
    """
    device = conf.device_of(hardware)
    if device is None or device.is_imitated:
        return
    try:
        asked = folders.run(  # started like a measurement, so that it finds the same libraries
            [sys.executable, "-s", "-P", "-c", _ASK_FOR_DEVICE, device.check],
            seconds=conf.DEVICE_SECONDS,
            environment=importing_environment(),
            directory="/",
        )
    except TimeoutError:
        problem = f"The driver did not answer within {conf.DEVICE_SECONDS:g} s; see nvidia-smi."
    except OSError as error:  # no room or no folder for its output, no memory, no process
        problem = f"The device's check could not be started: {error}."
    else:
        if asked.code == 0:
            return
        problem = asked.said.strip()[-_LAST_WORDS:] or f"The device's check ended with code {asked.code}."
    raise UnsuitableWorkerError(
        f"A worker of the hardware class {hardware!r} cannot work here. {problem} Fix this and start it "
        "again; its work stays in the queue."
    )

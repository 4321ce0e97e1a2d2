"""Measures a schedule in blocks, each a fresh process, beside the reference that it is compared with.

A process has its own addresses, buffers and luck, so it is the unit that is repeated. Of the blocks, the one
with the median ratio of schedule to reference gives the figures: both were measured in it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import (
    DeviceUnavailable,
    InvalidInput,
    OptArenaError,
    ServiceError,
    SessionCrashed,
    SessionTimeout,
)
from optarena.loop_tool.backend import IncorrectOutput
from optarena.replay_result import Measurement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BLOCKS: Final = 5
BLOCK_SECONDS: Final = 120.0
"""Wall time of one block, its process included."""
_PASSED_ON: Final = (
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "TMPDIR",
    "PYTHONPATH",
    "LD_LIBRARY_PATH",
    "OPTARENA_CACHE",
    "OPTARENA_SITE_DATA",
    "OPTARENA_TRANSIENT_CACHE",
    "OPTARENA_CUDA_DEVICE",
)
_PASSED_ON_WITH: Final = ("CUDA_", "NVIDIA_")
_LAST_WORDS: Final = 500


def measure_blocks(
    uri: str,
    actions: Sequence[int],
    between: Callable[[int, int], None],
    *,
    blocks: int = BLOCKS,
    seconds: float = BLOCK_SECONDS,
) -> Measurement:
    """Measure what some actions make of a benchmark.

    Args:
        uri: The benchmark.
        actions: Indices of the actions, in order.
        between: Called before each block and after the last with the number of blocks done and of all; what
            it raises ends the measurement.
        blocks: How many.
        seconds: Wall time of each.

    Returns:
        ``gflops`` and ``reference_gflops`` of the block with the median ratio. The details have the
        ``device``, the ``machine``, whether it was only ``emulated``, the ``interval`` of each metric over
        the blocks, and the ``blocks``.

    Raises:
        DeviceUnavailable: The device is not there.
        IncorrectOutput: The schedule computes something else than the addition.
        SessionTimeout: A block did not end in time, and was killed.
        SessionCrashed: A block's process died.
    """
    done = []
    for number in range(blocks):
        between(number, blocks)
        done.append(_block(uri, actions, seconds))
    between(blocks, blocks)
    return _measurement(done)


def _measurement(done: list[dict[str, Any]]) -> Measurement:
    for block in done:
        block["ratio"] = block["candidate"]["gflops"] / block["reference"]["gflops"]
    middle = sorted(done, key=lambda block: float(block["ratio"]))[(len(done) - 1) // 2]
    sides = {"gflops": "candidate", "reference_gflops": "reference"}
    every = {name: [float(block[side]["gflops"]) for block in done] for name, side in sides.items()}
    return Measurement(
        metrics={name: float(middle[side]["gflops"]) for name, side in sides.items()},
        details={
            "device": str(middle["machine"].get("device", "")),
            "machine": middle["machine"],
            "emulated": any(block["emulated"] for block in done),
            "interval": {name: [min(values), max(values)] for name, values in every.items()},
            "blocks": [{key: block[key] for key in ("ratio", "candidate", "reference")} for block in done],
        },
    )


def _block(uri: str, actions: Sequence[int], seconds: float) -> dict[str, Any]:
    job = json.dumps({"benchmark": uri, "actions": list(actions)})
    try:
        done = subprocess.run(  # noqa: S603 # our own module
            [sys.executable, "-m", "optarena.loop_tool.measure", str(os.getpid())],
            input=job,
            capture_output=True,
            text=True,
            timeout=seconds,
            env=_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SessionTimeout(f"A block of {uri} did not end within {seconds:g} s.") from error
    if done.returncode < 0:
        message = f"The process of a block of {uri} was killed by signal {-done.returncode}."
        raise SessionCrashed(message, signal=-done.returncode)
    return _answer(uri, done)


def _answer(uri: str, done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError as error:
        last = done.stderr.strip()[-_LAST_WORDS:]
        raise ServiceError(f"A block of {uri} ended with code {done.returncode}: {last}") from error
    if "error" not in answer:
        return answer
    known: dict[str, type[OptArenaError]] = {
        kind.__name__: kind for kind in (DeviceUnavailable, IncorrectOutput, InvalidInput)
    }
    raise known.get(answer["error"], ServiceError)(answer["message"])


def _environment() -> dict[str, str]:
    """What a block needs of this process's environment: none of its secrets."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith(_PASSED_ON_WITH)
    }

"""Measures a schedule in blocks, each in a fresh process, together with the reference.

Each process has its own addresses and buffers, which affect times, so the process is the unit of repetition.
The block with the median ratio of schedule to reference gives the figures: both were measured in it.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from optarena import limits
from optarena.errors import InfrastructureFault, ServiceError, SessionCrashed, SessionKilled, SessionTimeout
from optarena.isolation.signals import is_foreign
from optarena.loop_tool.benchmarks import STAND_IN_VARIABLE
from optarena.loop_tool.measure import ERRORS
from optarena.service.processes import bounded
from optarena.service.processes.folders import importing_environment
from optarena.specs.results import Measurement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BLOCKS: Final = 5
_LAST_WORDS: Final = 500


def measure_blocks(
    uri: str,
    actions: Sequence[int],
    between: Callable[[int, int], None],
    *,
    blocks: int = BLOCKS,
    seconds: float = limits.BLOCK_SECONDS,
) -> Measurement:
    """Measure a benchmark's nest after some actions.

    Args:
        uri: The benchmark's URI, which is also its program.
        actions: Indices of the actions, in order.
        between: Called before each block and after the last with the number of finished blocks and of all;
            an exception from it ends the measurement.
        blocks: Number of blocks.
        seconds: Wall time limit of each block, before it is extended by ``limits.extended_by``.

    Returns:
        ``gflops`` and ``reference_gflops`` of the block with the median ratio. The details have the
        ``device``, the part of ``machine`` that all blocks share, whether the device was only ``emulated``,
        the ``interval`` of each metric over the blocks, and the ``blocks`` in their order, each with the rest
        of its ``machine``: its load, its clocks.

    Raises:
        DeviceUnavailable: The device is not available.
        IncorrectOutput: The output of the compiled schedule is wrong: an error of this package.
        SessionTimeout: A block did not end in time, and was killed.
        SessionCrashed: A block's process died.
        InfrastructureFault: A block's process was killed from outside, or could not be started.
        ServiceError: A block failed in another way.
    """
    done = []
    for number in range(blocks):
        between(number, blocks)
        done.append(_block(uri, actions, limits.seconds(seconds)))
    between(blocks, blocks)
    return _measurement(done)


def _measurement(done: list[dict[str, Any]]) -> Measurement:
    for block in done:
        block["ratio"] = block["candidate"]["gflops"] / block["reference"]["gflops"]
    middle = sorted(done, key=lambda block: float(block["ratio"]))[(len(done) - 1) // 2]
    sides = {"gflops": "candidate", "reference_gflops": "reference"}
    every = {name: [float(block[side]["gflops"]) for block in done] for name, side in sides.items()}
    machines = [block["machine"] for block in done]
    common = {
        key: value for key, value in machines[0].items() if all(one.get(key) == value for one in machines)
    }
    return Measurement(
        metrics={name: float(middle[side]["gflops"]) for name, side in sides.items()},
        details={
            "device": str(common.get("device", "")),
            "machine": common,
            "emulated": any(block["emulated"] for block in done),
            "interval": {name: [min(values), max(values)] for name, values in every.items()},
            "blocks": [_told(block, common) for block in done],
        },
    )


def _told(block: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
    told = {key: block[key] for key in ("ratio", "candidate", "reference")}
    return {**told, "machine": {key: value for key, value in block["machine"].items() if key not in common}}


def _block(uri: str, actions: Sequence[int], seconds: float) -> dict[str, Any]:
    # Isolated mode: nothing from the working directory or the user's own packages is imported.
    command = [sys.executable, "-s", "-P", "-m", "optarena.loop_tool.measure", str(os.getpid())]
    job = json.dumps({"benchmark": uri, "actions": list(actions)})
    try:
        ended = bounded.run(
            command,
            seconds=seconds,
            given=job,
            environment=importing_environment(STAND_IN_VARIABLE),
            directory="/",
        )
    except TimeoutError as error:
        raise SessionTimeout(f"A block of {uri} did not end within {seconds:g} s.") from error
    except OSError as error:  # no memory, or too many processes
        raise InfrastructureFault(f"A block of {uri} cannot be started: {error}") from error
    return _answer(uri, ended.code, ended.printed, ended.said.strip()[-_LAST_WORDS:])


def _answer(uri: str, code: int, printed: str, last_words: str) -> dict[str, Any]:
    if code < 0:
        message = f"The process of a block of {uri} was killed by signal {-code}. {last_words}".strip()
        raise (SessionKilled if is_foreign(-code) else SessionCrashed)(message, signal=-code)
    try:
        answer: dict[str, Any] = dict(json.loads(printed))
    except (TypeError, ValueError) as error:  # there is no output, or something else wrote it
        raise ServiceError(f"A block of {uri} ended with code {code}: {last_words}") from error
    if "error" not in answer:
        return answer
    raise ERRORS.get(answer["error"], ServiceError)(answer["message"])

"""Measures a schedule in blocks, each in a fresh process, together with the reference."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from optarena import limits
from optarena.cuda.variables import STAND_IN
from optarena.errors import InfrastructureFault, ServiceError, SessionCrashed, SessionKilled, SessionTimeout
from optarena.isolation.signals import is_foreign
from optarena.loop_tool.measure import ERRORS
from optarena.measuring.blocks import MeasuredBlock, Metrics, measure
from optarena.service.processes import bounded
from optarena.service.processes.folders import importing_environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.specs.results import Measurement, MeasurementPlan

METRICS: Final = Metrics(value="gflops", reference="reference_gflops", ratio="speedup")
_LAST_WORDS: Final = 500


def measure_blocks(
    uri: str,
    actions: Sequence[int],
    plan: MeasurementPlan,
    *,
    seconds: float = limits.BLOCK_SECONDS,
) -> Measurement:
    """Measure a benchmark's nest after some actions; see ``optarena.measuring.blocks.measure``.

    Args:
        uri: The benchmark's URI, which is also its program.
        actions: Indices of the actions, in order.
        plan: How many blocks are measured, and who is told.
        seconds: Wall time limit of each block, before it is extended by ``limits.extended_by``.

    Returns:
        ``gflops``, ``reference_gflops`` and ``speedup``.

    Raises:
        DeviceUnavailable: The device is not available.
        IncorrectOutput: The output of the compiled schedule is wrong: an error of this package.
        SessionTimeout: A block did not end in time, and was killed.
        SessionCrashed: A block's process died.
        InfrastructureFault: A block's process was killed from outside, or could not be started; or the
            machine is too unsteady.
        ServiceError: A block failed in another way.
    """
    return measure(lambda: _block(uri, actions, limits.seconds(seconds)), plan, METRICS)


def _block(uri: str, actions: Sequence[int], seconds: float) -> MeasuredBlock:
    # Isolated mode: nothing from the working directory or the user's own packages is imported.
    command = [sys.executable, "-s", "-P", "-m", "optarena.loop_tool.measure", str(os.getpid())]
    job = json.dumps({"benchmark": uri, "actions": list(actions)})
    try:
        ended = bounded.run(
            command,
            seconds=seconds,
            given=job,
            environment=importing_environment(STAND_IN),
            directory="/",
        )
    except TimeoutError as error:
        raise SessionTimeout(f"A block of {uri} did not end within {seconds:g} s.") from error
    except OSError as error:  # no memory, or too many processes
        raise InfrastructureFault(f"A block of {uri} cannot be started: {error}") from error
    answer = _answer(uri, ended.code, ended.printed, ended.said.strip()[-_LAST_WORDS:])
    return MeasuredBlock(
        candidate=answer["candidate"],
        reference=answer["reference"],
        pairs=tuple(answer["pairs"]),
        level=answer["reference"][METRICS.value],
        machine=answer["machine"],
        emulated=answer["emulated"],
    )


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

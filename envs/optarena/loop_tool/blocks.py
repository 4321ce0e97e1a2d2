"""Measures a schedule in blocks, each in a fresh process, together with the reference."""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from optarena import limits
from optarena.cuda.timing import UnsteadyDevice
from optarena.cuda.variables import STAND_IN
from optarena.errors import (
    DeviceBusy,
    DeviceUnavailable,
    InfrastructureFault,
    InvalidInput,
    OptArenaError,
    PlatformNotSupported,
    ServiceError,
    SessionCrashed,
    SessionKilled,
    SessionTimeout,
)
from optarena.isolation.limits import be_killed_first
from optarena.isolation.syscalls import die_with_parent, is_foreign
from optarena.loop_tool.backend import IncorrectOutput, Reading
from optarena.loop_tool.devices import open_backend
from optarena.loop_tool.nest import Tuning, parse_benchmark
from optarena.measuring.blocks import MeasuredBlock, Metrics, measure, read_in_turns
from optarena.measuring.machine import exclusive
from optarena.service.processes import folders
from optarena.service.processes.folders import importing_environment

if TYPE_CHECKING:
    from optarena.specs.results import Measurement, MeasurementPlan

# Of readings in one block, each of the schedule and of the reference; an even number favours none.
PAIRS: Final = 2
QUEUE_SECONDS: Final = 30.0  # with the wait for opening a GPU, half of a block's time
# The errors that a block may end with; the first class that matches is reported.
ERRORS: Final[dict[str, type[OptArenaError]]] = {
    kind.__name__: kind
    for kind in (
        *(DeviceBusy, DeviceUnavailable, UnsteadyDevice),
        *(PlatformNotSupported, IncorrectOutput, InvalidInput),
    )
}


def measured(job: dict[str, Any]) -> dict[str, Any]:
    device, elements = parse_benchmark(job["benchmark"])
    tuning = Tuning.initial(elements)
    for action in job["actions"]:
        tuning = tuning.after(action)
    backend = open_backend(device, elements)
    try:
        with exclusive(backend.identity, seconds=QUEUE_SECONDS):
            pairs = read_in_turns(lambda: backend.read(tuning.nest), backend.reference, pairs=PAIRS)
        return {
            "pairs": [candidate.gflops / reference.gflops for candidate, reference in pairs],
            "candidate": _figures([candidate for candidate, _ in pairs]),
            "reference": _figures([reference for _, reference in pairs]),
            "machine": backend.machine(),
            "emulated": backend.emulated,
        }
    finally:
        backend.close()


def _figures(readings: Sequence[Reading]) -> dict[str, Any]:
    # The reading with the median flops, beside the flops of all.
    by_flops = {reading.gflops: reading for reading in readings}
    middle = by_flops[statistics.median_low(reading.gflops for reading in readings)]
    return {**middle.as_dict(), "readings": [reading.gflops for reading in readings]}


def main() -> None:
    for parent in sys.argv[1:]:
        die_with_parent(int(parent))
    be_killed_first()
    try:
        result = measured(json.load(sys.stdin))
    except (OptArenaError, ValueError) as error:
        kind = next((name for name, kind in ERRORS.items() if isinstance(error, kind)), type(error).__name__)
        result = {"error": kind, "message": str(error)}
    print(json.dumps(result, allow_nan=False))  # noqa: T201 # the result of this program


METRICS: Final = Metrics(value="gflops", reference="reference_gflops", ratio="speedup")
_LAST_WORDS: Final = 500


def measure_blocks(
    uri: str, actions: Sequence[int], plan: MeasurementPlan, *, seconds: float = limits.BLOCK_SECONDS
) -> Measurement:
    """Measure ``gflops``, ``reference_gflops`` and ``speedup`` of a benchmark's nest after some actions."""
    return measure(lambda: _block(uri, actions, limits.seconds(seconds)), plan, METRICS)


def _block(uri: str, actions: Sequence[int], seconds: float) -> MeasuredBlock:
    # Isolated mode: nothing from the working directory or the user's own packages is imported.
    command = [sys.executable, "-s", "-P", "-m", "optarena.loop_tool.blocks", str(os.getpid())]
    job = json.dumps({"benchmark": uri, "actions": list(actions)})
    try:
        ended = folders.run(
            command, seconds=seconds, given=job, environment=importing_environment(STAND_IN), directory="/"
        )
    except TimeoutError as error:
        raise SessionTimeout(f"A block of {uri} did not end within {seconds:g} s.") from error
    except OSError as error:  # no memory, or too many processes
        raise InfrastructureFault(f"A block of {uri} cannot be started: {error}") from error
    answer = _answer(uri, ended.code, ended.printed, ended.said.strip()[-_LAST_WORDS:])
    return MeasuredBlock.of({**answer, "level": answer["reference"][METRICS.value]})


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


if __name__ == "__main__":
    main()

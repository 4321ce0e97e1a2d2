"""Has kernels run on a GPU, each job in a process of its own, which ends with a hanging kernel.

A job is plain data: machine code, the launch with its arguments by seed, and what is wanted.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from optarena import limits
from optarena.cuda import missing, profiler, variables
from optarena.cuda.missing import DeviceFailed
from optarena.cuda.timing import UnsteadyDevice
from optarena.errors import (
    CountersUnavailable,
    DeviceBusy,
    DeviceUnavailable,
    InfrastructureFault,
    InvalidInput,
    OptArenaError,
    PlatformNotSupported,
    ProgramFailed,
    ServiceError,
    SessionCrashed,
    SessionKilled,
    SessionTimeout,
)
from optarena.isolation.syscalls import is_foreign
from optarena.service.processes import folders
from optarena.service.processes.folders import importing_environment
from optarena.specs.results import BROKEN

if TYPE_CHECKING:
    from optarena.gpu_kernels.programs import Case


class WrongOutput(ProgramFailed):
    """A cubin's output on a GPU is not what the reference computes."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason="semantics:output-differs")


class KernelCrashes(ProgramFailed):
    """The device stopped a kernel; no call on the device succeeds after it in the same process."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason="semantics:crash")


class BrokenReference(ProgramFailed):
    """The code fails with which that of an agent is compared; the agent is not to blame."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason=BROKEN)


class KernelHangs(SessionTimeout):
    """A kernel did not end in time on a GPU; its process was killed, and the device is usable again."""


class OutOfDeviceMemory(ServiceError):
    """The arrays of a kernel do not fit the memory of the GPU."""

    error_type = "out-of-memory"


# The errors that a child may end with; the first class that matches is reported.
ERRORS: Final[dict[str, type[OptArenaError]]] = {
    kind.__name__: kind
    for kind in (
        CountersUnavailable,
        DeviceBusy,
        DeviceUnavailable,
        WrongOutput,
        KernelCrashes,
        BrokenReference,
        OutOfDeviceMemory,
        DeviceFailed,
        UnsteadyDevice,
        PlatformNotSupported,
        InvalidInput,
    )
}
SECONDS: Final = 50.0  # less than a session has for an observation, so that it outlives a kernel that hangs
_CHILD: Final = ("-s", "-P", "-m", "optarena.gpu_kernels.device_main")
# A program of others, which dies with the process that it is given, and may use a GPU.
_DYING: Final = (
    "import os, sys; from optarena.isolation.limits import raise_address_space; "
    "from optarena.isolation.syscalls import die_with_parent; "
    "die_with_parent(int(sys.argv[1])); raise_address_space(); os.execv(sys.argv[2], sys.argv[2:])"
)
AT: Final = "at"  # the key of a line by which a process says whose code it is about to launch, before it does
CANDIDATE: Final = "candidate"
REFERENCE: Final = "reference"
COMPARED: Final = "The code to compare with"
# For a process that asks the driver: with SECONDS still less than a session has for an observation.
_PROBE_SECONDS: Final = 8.0
_LAST_WORDS: Final = 500  # characters of the last line of what a process said: it may be a traceback
_EXPECTED: Final = ("programs.py", "references.py")  # what the expected outputs of a launch depend on


def job(  # noqa: PLR0913 # all but the first three by name
    kernel: str, case: Case, cubin: bytes, *, reference: bytes = b"", own: bytes = b"", pairs: int = 0
) -> dict[str, Any]:
    # `reference` is timed in turns with the cubin, in so many `pairs`; 0 is one reading, cold and warm. `own`
    # is the code at -O3, which is timed once amidst them, if it is not the reference.
    return {
        "kernel": kernel,
        "case": asdict(case),
        "cubin": base64.b64encode(cubin).decode(),
        "reference": base64.b64encode(reference).decode(),
        "own": base64.b64encode(own).decode(),
        "pairs": pairs,
        "expected": reference_digest(),
    }


@cache
def reference_digest() -> str:
    # So that both machines of a job mean the same. Outputs themselves cannot be identified so: GPUs fuse
    # operations, and are compared within an error. It is read once: a confined process can open no file.
    folder = resources.files("optarena.gpu_kernels")
    said = b"".join(folder.joinpath(name).read_bytes() for name in _EXPECTED)
    return hashlib.sha256(said).hexdigest()


def run(what: Mapping[str, Any], *, seconds: float = SECONDS) -> dict[str, Any]:
    """Do a job in a process of its own.

    Raises:
        DeviceUnavailable: No GPU can be used here; the message says what is missing.
        WrongOutput: The output is wrong.
        KernelCrashes: The device stopped the kernel.
        KernelHangs: The kernel did not end in time.
        BrokenReference: Any of these is so of the code that it is compared with.
        OutOfDeviceMemory: The arrays do not fit.
        SessionCrashed: The process died.
        UnsteadyDevice: Readings of the same code differ.
        InfrastructureFault: It was killed from outside, cannot be started, or was made for other references.
        ServiceError: The device or its driver fails.
    """
    return _only_answer(_run_job(what, [sys.executable, *_CHILD, str(os.getpid())], seconds))


class _JobAnswers(NamedTuple):
    answers: list[dict[str, Any]]  # of each cubin, in their order; it may end behind any
    failed: OptArenaError | None = None  # why it was killed, by whomever, or told nothing


def _run_job(
    what: Mapping[str, Any], command: Sequence[str], seconds: float, *, starts_others: bool = False
) -> _JobAnswers:
    if missing.is_sandboxed():
        raise DeviceUnavailable(
            "A GPU is not available in a confined session, which may open neither its driver nor its device. "
            "Make the environment without sandbox=True, or start the service without --sandbox."
        )
    kernel, limit = what["kernel"], limits.seconds(seconds)
    if what["expected"] != reference_digest():
        message = f"The job of {kernel} was prepared by a version of OptArena with other references."
        return _JobAnswers([], InfrastructureFault(message, reason="infra:environment-changed"))
    try:
        ended = folders.run(
            command,
            seconds=limit,
            given=json.dumps(what),
            # Named here, since no device is registered in a session's process.
            environment=importing_environment(variables.STAND_IN, *variables.INHERITED),
            directory="/",
            starts_others=starts_others,
            anew="more" in what,
        )
    except folders.NotInTime as error:
        answers, at = _parse_answers(error.printed)
        return _JobAnswers(answers, _timeout_error(kernel, at, limit))
    except OSError as error:
        return _JobAnswers([], InfrastructureFault(f"A job for the GPU cannot be started: {error}"))
    except InfrastructureFault as error:
        return _JobAnswers([], error)
    answers, _ = _parse_answers(ended.printed)
    return _JobAnswers(answers, _failure(kernel, ended, told=bool(answers)))


def _parse_answers(printed: str) -> tuple[list[dict[str, Any]], str]:
    # The last line of a killed process may be half an answer. The second value says whose code was launched
    # since the last answer; empty for nobody's.
    found, at = [], ""
    for line in printed.splitlines():
        try:
            said = dict(json.loads(line))
        except (TypeError, ValueError):
            break
        if AT in said:
            at = said[AT]
        else:
            found.append(said)
            at = ""
    return found, at


def _timeout_error(kernel: str, at: str, limit: float) -> OptArenaError:
    # A kernel is to blame only if it was launched.
    hangs = f"{kernel} did not end within {limit:g} s on the GPU."
    if at == REFERENCE:
        return BrokenReference(f"{COMPARED}: {hangs}")
    if at:
        return KernelHangs(hangs)
    return DeviceUnavailable(
        f"{kernel} was not launched on the GPU within {limit:g} s: others used it, or it did not answer."
    )


def _failure(kernel: str, ended: folders.Ended, *, told: bool) -> OptArenaError | None:
    last_words = "".join(ended.said.strip().splitlines()[-1:])[-_LAST_WORDS:]
    if ended.code < 0:
        message = f"The process that ran {kernel} on the GPU was killed by signal {-ended.code}. {last_words}"
        return (SessionKilled if is_foreign(-ended.code) else SessionCrashed)(message, signal=-ended.code)
    if not told:
        return ServiceError(f"The job of {kernel} ended with code {ended.code}: {last_words}")
    return None


def _only_answer(done: _JobAnswers) -> dict[str, Any]:
    if done.failed is not None:
        raise done.failed
    answer = done.answers[-1]  # behind it, closing the device may have failed
    if "error" in answer:
        raise _error(answer)
    return answer


def _error(answer: Mapping[str, Any]) -> OptArenaError:
    return ERRORS.get(answer["error"], ServiceError)(answer["message"])


def run_all(
    what: Sequence[Mapping[str, Any]], *, seconds: float = SECONDS
) -> list[dict[str, Any] | OptArenaError]:
    """Do several jobs with one launch, which a process draws and computes once; the launch takes most time.

    A new process goes on behind a job that leaves the device or its arrays in doubt, or during which the
    process hangs or dies. The jobs must differ in their cubins alone, and are not sampled. The time begins
    anew with each launch, and when a job has ended. A job's error is returned instead of its result.
    """
    if any({**one, "cubin": ""} != {**what[0], "cubin": ""} for one in what):
        raise InvalidInput(
            "The jobs have different launches.",
            field="what",
            remedy="Do jobs together that differ in their cubins.",
        )
    found: list[dict[str, Any] | OptArenaError] = []
    while rest := what[len(found) :]:
        together = {**rest[0], "more": [one["cubin"] for one in rest[1:]]}
        done = _run_job(together, [sys.executable, *_CHILD, str(os.getpid())], seconds)
        number = next((place for place, one in enumerate(done.answers, 1) if one.get("last")), len(rest))
        for answer in done.answers[:number]:
            error = _error(answer) if "error" in answer else None
            if isinstance(error, DeviceUnavailable):  # there is none, or others used it for too long
                raise error
            found.append(error or answer)
        if done.failed is not None and len(done.answers) < number:
            if isinstance(done.failed, DeviceUnavailable):
                raise done.failed
            found.append(done.failed)
    return found


def counters(what: Mapping[str, Any]) -> dict[str, Any]:
    _check_counters()
    found: dict[str, Any] = run({**what, "sampled": True})["sampled"]
    return found


def hardware_counters(what: Mapping[str, Any]) -> dict[str, float]:
    _check_counters()
    with tempfile.TemporaryDirectory(prefix="optarena-ncu-") as folder:
        log = Path(folder, "counters.csv")
        dying = [sys.executable, "-s", "-P", "-c", _DYING, str(os.getpid())]
        command = [*dying, *profiler.command(what["kernel"], log), sys.executable, *_CHILD, "0"]
        try:
            _only_answer(_run_job({**what, "profiled": True}, command, SECONDS, starts_others=True))
        except ServiceError as error:
            # ncu may have ended without the job, or made its launch fail: then its log says why.
            if type(error) in {ServiceError, DeviceFailed}:
                _read_counters(log)
            raise
        return _read_counters(log)


def _read_counters(log: Path) -> dict[str, float]:
    return profiler.read(log.read_text(errors="replace") if log.exists() else "it wrote nothing")


def _check_counters() -> None:
    if missing.is_sandboxed():
        raise CountersUnavailable.because("no-device", "A confined session can open no device.")
    if problems := problems_of_machine():
        told = f"No CUDA device is usable on this machine. Missing: {'; '.join(problems)}."
        raise CountersUnavailable.because("no-device", told)


def problems_of_machine() -> list[str]:
    # In another process, since this one may be forked, and has a limit of memory.
    command = [sys.executable, "-s", "-P", "-m", missing.__name__]
    given = importing_environment(*variables.INHERITED)
    try:
        ended = folders.run(command, seconds=limits.seconds(_PROBE_SECONDS), environment=given, directory="/")
    except (OSError, TimeoutError) as error:
        return [f"driver (it does not answer: {error})"]
    if ended.code:
        said = ended.said.strip()[-_LAST_WORDS:]
        return [f"driver (the process that asks it ended with code {ended.code}: {said})"]
    found: list[str] = json.loads(ended.printed)
    return found

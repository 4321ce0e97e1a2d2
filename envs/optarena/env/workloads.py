"""Running a program on its benchmark's workloads, and judging what it did.

An environment decides how its programs run (``EnvironmentSpec.run_workload``). This module has the default,
which runs them inside the session, and the verdict on any run.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol

from optarena import limits
from optarena.errors import (
    InfrastructureFault,
    InvalidAnswer,
    SessionCrashed,
    SessionOutOfMemory,
    SessionTimeout,
)
from optarena.service.protocol.parameters import RUN_PROGRAM, program_order, program_run
from optarena.specs.live import LiveEnv
from optarena.specs.results import Execution, WorkloadResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from optarena.service.protocol.parameters import ProgramRun
    from optarena.specs import EnvironmentSpec
    from optarena.specs.benchmark import Workload


def run_in_session(env: LiveEnv, workload: Workload, sandbox: bool) -> Execution:  # noqa: ARG001, FBT001 # as EnvironmentSpec.run_workload
    """Run the program inside its session, by ``CompilationSession.run_program``; confined as the session is.

    Raises:
        NotImplementedError: The session's type cannot run programs.
        InvalidInput: The service cannot run programs.
        ServiceError: The session failed, but not because of the program; or it was killed from outside.
    """
    order = program_order(
        workload.args,
        workload.stdin,
        seconds=limits.seconds(limits.WORKLOAD_SECONDS),
        output_bytes=limits.WORKLOAD_OUTPUT_BYTES,
    )
    started = time.perf_counter()
    run: ProgramRun | None = None
    problem: SessionCrashed | SessionOutOfMemory | SessionTimeout | None = None
    try:
        run = _read(env.parameter(RUN_PROGRAM, order))
    except InfrastructureFault:
        raise
    except (SessionCrashed, SessionOutOfMemory, SessionTimeout) as error:
        problem = error
    seconds = time.perf_counter() - started
    if run is None:
        return Execution(
            seconds=seconds,
            cpu_seconds=problem.cpu_seconds if problem else None,
            timed_out=isinstance(problem, SessionTimeout),
            failure=str(problem),
        )
    return Execution(
        stdout=run.stdout,
        exit_code=run.exit_code,
        seconds=seconds,
        output_truncated=run.output_truncated,
        failure=run.failure or None,
    )


class RunnableEnv(LiveEnv, Protocol):
    """A live environment that says how its programs run."""

    environment: EnvironmentSpec


def run_workloads(
    env: RunnableEnv,
    workloads: Iterable[Workload],
    *,
    sandbox: bool,
    within: Callable[[Workload], AbstractContextManager[None]] | None = None,
) -> Iterator[WorkloadResult]:
    """Run the program of an environment's state on workloads and judge each run; stop after one that fails.

    Args:
        env: The environment, with a running episode.
        workloads: What to run, in this order.
        sandbox: Whether runs are confined.
        within: Returns a context manager for each run, for example to translate its errors.

    Raises:
        NotImplementedError, InvalidInput, ServiceError: As for ``run_in_session``, or the environment's own
            function.
    """
    run = env.environment.run_workload or run_in_session
    for workload in workloads:
        with nullcontext() if within is None else within(workload):
            result = judge(workload, run(env, workload, sandbox))
        yield result
        if not result.ok:
            return


def judge(workload: Workload, execution: Execution) -> WorkloadResult:
    """Whether a run of the optimised program behaved like the original."""
    reason, detail = _verdict(workload, execution)
    return WorkloadResult(
        name=workload.name, ok=reason is None, reason=reason, seconds=execution.seconds, detail=detail
    )


def _read(reply: str) -> ProgramRun:
    try:
        return program_run(reply)
    except ValueError as error:
        raise InvalidAnswer(f"The service's reply about a program's run cannot be read: {error}") from error


def _verdict(workload: Workload, execution: Execution) -> tuple[str | None, str]:
    if execution.timed_out:
        used = execution.cpu_seconds
        spent = "" if used is None else f", in which its process used {used:.1f} s of CPU time"
        return "semantics:timeout", f"The program did not end within {execution.seconds:.0f} s{spent}."
    if execution.failure is not None:
        return "semantics:crash", f"The program can no longer be run: {execution.failure}"
    if execution.signal is not None:
        return (
            "semantics:crash",
            f"The program was killed by signal {execution.signal}. {execution.stderr}".strip(),
        )
    if execution.output_truncated or execution.stdout != workload.expected_stdout:
        return "semantics:output-differs", _output_difference(workload.expected_stdout, execution.stdout)
    if execution.exit_code != workload.exit_code:
        return (
            "semantics:exit-code",
            f"The program ended with exit code {execution.exit_code} instead of {workload.exit_code}.",
        )
    return None, ""


def _output_difference(expected: bytes, actual: bytes) -> str:
    pairs = enumerate(zip(expected, actual, strict=False))
    position = next((index for index, (one, other) in pairs if one != other), min(len(expected), len(actual)))
    window = slice(max(0, position - 20), position + 20)
    return (
        f"The program printed {actual[window]!r} instead of {expected[window]!r} at byte {position} "
        f"({len(actual)} bytes instead of {len(expected)})."
    )

"""An environment within the limits of a replay: actions that are not trusted, workloads, measured numbers.

An environment decides how its programs run (``EnvironmentSpec.run_workload``). This module has the default,
which runs them inside the session, and the verdict on any run.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from optarena import errors, limits
from optarena.documents.texts import is_printable
from optarena.env.backends import extended_limits
from optarena.env.compiler_env import CompilerEnv
from optarena.env.failures import faults
from optarena.service.processes.memory import MemoryWatch, limit_memory
from optarena.service.protocol.messages import RUN_PROGRAM, program_order, program_run
from optarena.specs.results import Execution, WorkloadResult

if TYPE_CHECKING:
    from optarena.actions import Action
    from optarena.specs import EnvironmentSpec
    from optarena.specs.benchmark import Benchmark, Workload
    from optarena.specs.environment import LiveEnv


@contextmanager
def confined_env(  # noqa: PLR0913 # all but the first two by keyword
    spec: EnvironmentSpec,
    benchmark: Benchmark,
    *,
    action_space: str | None,
    memory: MemoryWatch,
    sandbox: bool = True,
    time_factor: float = 1.0,
    memory_bytes: int = limits.REPLAY_MEMORY_BYTES,
    failures: tuple[type[Exception], ...] = (),
) -> Iterator[CompilerEnv]:
    # An environment whose processes have the limits of a replay; `memory_bytes` is that of all of them
    # together, where it can be limited. `failures` are further errors that say nothing about the actions
    # where that memory is used up.
    limit = memory_bytes if sandbox else None
    with (
        confine_replay(memory=memory, time_factor=time_factor, memory_bytes=limit, failures=failures),
        CompilerEnv(
            spec,
            benchmark=benchmark,
            action_space=action_space,
            sandbox=sandbox,
            limits=extended_limits(spec.service, time_factor),
        ) as env,
    ):
        yield env


@contextmanager
def confine_replay(
    *,
    memory: MemoryWatch,
    time_factor: float = 1.0,
    memory_bytes: int | None = limits.REPLAY_MEMORY_BYTES,
    failures: tuple[type[Exception], ...] = (),
) -> Iterator[None]:
    # All processes have the limits of a replay; arguments as for `confined_env`. A failure says nothing about
    # the actions if the processes have reached their common limit.
    with limit_memory(memory_bytes) as group, faults(memory), limits.extended_by(time_factor):
        try:
            yield
        except (errors.ServiceError, *failures) as error:  # type: ignore[misc] # mypy reads no starred classes
            why = group.exceeded() if group else ""
            if not why:
                raise
            raise errors.InfrastructureFault(f"{why} {error}", reason="infra:memory-limit") from error


def run_in_session(env: LiveEnv, workload: Workload, sandbox: bool) -> Execution:  # noqa: ARG001, FBT001 # as EnvironmentSpec.run_workload
    # The default of `EnvironmentSpec.run_workload`: `CompilationSession.run_program`, confined as the session
    # is.
    if workload.files:
        return Execution(failure="Programs of this environment open no files, and the workload has some.")
    order = program_order(
        workload.args,
        workload.stdin,
        seconds=limits.seconds(limits.WORKLOAD_SECONDS),
        output_bytes=limits.WORKLOAD_OUTPUT_BYTES,
    )
    started = time.perf_counter()
    try:
        reply = env.parameter(RUN_PROGRAM, order)
    except errors.InfrastructureFault:
        raise
    except (errors.SessionCrashed, errors.SessionOutOfMemory, errors.SessionTimeout) as error:
        return Execution(
            seconds=time.perf_counter() - started,
            cpu_seconds=error.cpu_seconds,
            timed_out=isinstance(error, errors.SessionTimeout),
            failure=str(error),
        )
    seconds = time.perf_counter() - started
    try:
        run = program_run(reply)
    except ValueError as error:
        raise errors.InvalidAnswer(
            f"The service's reply about a program's run cannot be read: {error}"
        ) from error
    return Execution(
        stdout=run.stdout,
        exit_code=run.exit_code,
        seconds=seconds,
        output_truncated=run.output_truncated,
        failure=run.failure or None,
    )


def run_workloads(
    env: CompilerEnv,
    workloads: Iterable[Workload],
    *,
    sandbox: bool,
    within: Callable[[Workload], AbstractContextManager[None]] | None = None,
) -> Iterator[WorkloadResult]:
    """Run the environment's program on workloads and judge each run; stop after one that fails."""
    run = env.environment.run_workload or run_in_session
    for workload in workloads:
        with nullcontext() if within is None else within(workload):
            result = judge(workload, run(env, workload, sandbox))
        yield result
        if not result.ok:
            return


def judge(workload: Workload, execution: Execution) -> WorkloadResult:
    reason, detail = _verdict(workload, execution)
    return WorkloadResult(
        name=workload.name, ok=reason is None, reason=reason, seconds=execution.seconds, detail=detail
    )


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
    expected, actual = workload.expected_stdout, execution.stdout
    if execution.output_truncated or actual != expected:
        pairs = enumerate(zip(expected, actual, strict=False))
        shorter = min(len(expected), len(actual))
        position = next((index for index, (one, other) in pairs if one != other), shorter)
        window = slice(max(0, position - 20), position + 20)
        sizes = "" if len(actual) == len(expected) else f" ({len(actual)} bytes instead of {len(expected)})"
        printed = f"{actual[window]!r} instead of {expected[window]!r}"
        detail = f"The program printed {printed} at byte {position}{sizes}."
        return "semantics:output-differs", detail
    if execution.exit_code != workload.exit_code:
        return (
            "semantics:exit-code",
            f"The program ended with exit code {execution.exit_code} instead of {workload.exit_code}.",
        )
    return None, ""


def plain_number(value: object) -> int | float:
    # JSON and the database know only plain numbers.
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, bool) or not isinstance(plain, (int, float)):
        message = f"A cost or metric must be a number, not {type(value).__name__}."
        remedy = "Correct the observations that the environment's metrics name."
        raise errors.InvalidInput(message, field="metrics", value=str(value)[:100], remedy=remedy)
    return plain


def subject_name(env: CompilerEnv, action: Action) -> str | None:
    # None if the action is about nothing of the program, empty if the program has no such thing.
    subject = getattr(env.action_table, "subject", None)
    found = subject(action) if subject else None
    if found is None:
        return None
    observation, row = found
    names = env.observation[observation]
    listed = json.loads(names) if isinstance(names, str) else names
    name = str(listed[row] or "")[: limits.SUBJECT_LENGTH] if row < len(listed) else ""
    # A name may have control characters, which no page should show.
    return name if is_printable(name) else ascii(name)[1:-1]

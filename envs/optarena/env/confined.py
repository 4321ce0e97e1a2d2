"""An environment within the limits of a replay, for whoever applies actions that are not trusted."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from optarena import limits
from optarena.env.backends import extended_limits
from optarena.env.compiler_env import CompilerEnv
from optarena.env.faults import faults
from optarena.errors import InfrastructureFault, ServiceError
from optarena.service.processes.memory_groups import bounded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.service.processes.memory import MemoryWatch
    from optarena.service.processes.memory_groups import MemoryGroup
    from optarena.specs import EnvironmentSpec
    from optarena.specs.benchmark import Benchmark


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
    """An environment whose processes have the limits of a replay.

    Args:
        spec: The environment.
        benchmark: The program.
        action_space: The name of its action space; None for the first.
        memory: Knows whether the machine was short of memory meanwhile.
        sandbox: Confine the compiler's process.
        time_factor: Extends the limits of time.
        memory_bytes: Memory of all confined processes together, where it can be limited.
        failures: Further errors that say nothing about the actions where that memory is used up.

    Raises:
        InfrastructureFault: For every error of the service that leaves the block.
    """
    limit = memory_bytes if sandbox else None
    with (
        confined(memory=memory, time_factor=time_factor, memory_bytes=limit, failures=failures),
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
def confined(
    *,
    memory: MemoryWatch,
    time_factor: float = 1.0,
    memory_bytes: int | None = limits.REPLAY_MEMORY_BYTES,
    failures: tuple[type[Exception], ...] = (),
) -> Iterator[None]:
    """A context in which all processes have the limits of a replay; arguments as for ``confined_env``.

    Raises:
        InfrastructureFault: For every error of the service that leaves the block.
    """
    with (
        bounded(memory_bytes) as group,
        faults(memory),
        _within(group, failures),
        limits.extended_by(time_factor),
    ):
        yield


@contextmanager
def _within(group: MemoryGroup | None, failures: tuple[type[Exception], ...]) -> Iterator[None]:
    """A failure says nothing about the actions if the processes have reached their common limit."""
    try:
        yield
    except _known(failures) as error:
        why = group.exceeded() if group else ""
        if not why:
            raise
        raise InfrastructureFault(f"{why} {error}", reason="infra:memory-limit") from error


def _known(failures: tuple[type[Exception], ...]) -> tuple[type[Exception], ...]:
    return (ServiceError, *failures)

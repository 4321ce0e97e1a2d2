"""Resource limits of one process, set by itself just after its fork."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from typing import Final, Self

from optarena import limits
from optarena.errors import InvalidInput

_LARGEST: Final = 2**63 - 1
MOST_SECONDS: Final = 4_000_000
# The minimum suffices to start and copy a session of a small program.
_RANGES: Final[dict[str, tuple[float, int]]] = {
    "memory_bytes": (128 * 1024**2, _LARGEST),
    "cpu_seconds_per_call": (0.01, MOST_SECONDS),
    "wall_seconds_per_call": (0.01, MOST_SECONDS),
    "cpu_seconds_total": (1, MOST_SECONDS),
    "file_bytes": (1, _LARGEST),
    "open_files": (16, 2**20),
}
_FRACTIONS: Final = ("cpu_seconds_per_call", "wall_seconds_per_call")
_KILLED_FIRST: Final = b"1000"  # the highest value; raising it needs no privilege
_NEEDED: Final = ("wall_seconds_per_call",)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLimits:
    """The resources that one worker process may use. None means no limit.

    Attributes:
        memory_bytes: Address space.
        cpu_seconds_per_call: CPU time of one unit of work. In a session this is one action, one
            observation or the start; for any other entry, the whole run. SIGPROF ends the process.
        wall_seconds_per_call: Wall time of one unit of work, for a process that waits or hangs. The client
            kills the process; a call with several units may take the sum of their times.
        cpu_seconds_total: CPU time of the process, in whole seconds; SIGXCPU ends the process.
        file_bytes: Size of any file that the process writes, including its standard error.
        open_files: Number of descriptors.

    Raises:
        InvalidInput: A limit has the wrong type, or is so low that no session could start; the message says
            what is allowed.
    """

    memory_bytes: int | None = limits.SESSION_MEMORY_BYTES
    cpu_seconds_per_call: float | None = limits.ACTION_CPU_SECONDS
    wall_seconds_per_call: float = limits.ACTION_WALL_SECONDS
    cpu_seconds_total: int | None = None
    file_bytes: int | None = limits.SESSION_FILE_BYTES
    open_files: int | None = 256

    def __post_init__(self) -> None:
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            kinds = (int, float) if name in _FRACTIONS else (int,)
            is_number = isinstance(value, kinds) and not isinstance(value, bool)
            if (is_number and least <= value <= most) or (value is None and name not in _NEEDED):
                continue
            kind = "a number" if name in _FRACTIONS else "an integer"
            otherwise = "" if name in _NEEDED else ", or None for no limit"
            raise InvalidInput(
                f"limits.{name} is {value!r:.100}.",
                field=f"limits.{name}",
                value=value,
                remedy=f"Give {kind} from {least} to {most}{otherwise}.",
            )

    def with_cpu_seconds(self, seconds: float | None) -> Self:
        """These limits with another CPU time of a unit of work; the same if None, or if there is no limit."""
        if seconds is None or self.cpu_seconds_per_call is None:
            return self
        return replace(self, cpu_seconds_per_call=seconds)

    @property
    def time_factor(self) -> float:
        """What extends the limits that a session sets its tools: they are in proportion to an action's."""
        given = self.cpu_seconds_per_call
        return 1.0 if given is None else given / limits.ACTION_CPU_SECONDS

    def as_dict(self) -> dict[str, int | float | None]:
        """All limits by name; ``ProcessLimits(**d)`` gives them back."""
        return asdict(self)


def apply_limits(wanted: ProcessLimits, *, may_raise_memory: bool = False) -> None:
    """Limit the calling process; a limit above the present hard limit is lowered to it.

    Core files are turned off. The CPU limit of a call is not set here: it is set anew for each call.
    """
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_AS, wanted.memory_bytes, resource.RLIM_INFINITY if may_raise_memory else None)
    _set(resource.RLIMIT_FSIZE, wanted.file_bytes)
    _set(resource.RLIMIT_NOFILE, wanted.open_files)
    if wanted.cpu_seconds_total is not None:
        # The soft limit kills by SIGXCPU, which tells why; the hard limit kills a process that ignores it.
        _set(resource.RLIMIT_CPU, wanted.cpu_seconds_total, wanted.cpu_seconds_total + 1)


def be_killed_first() -> None:
    """Have the kernel kill the calling process before worker, database and server if memory runs out."""
    # It may be in a container without /proc, or with one that is read only. Each page that a process touches
    # first costs time, and encoding touches many.
    with suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as file:  # noqa: PTH123
        file.write(_KILLED_FIRST)


def raise_address_space() -> None:
    """Raise the limit of address space as far as allowed.

    For processes that use a GPU: its driver reserves more than a machine has, and else reports that it is
    out of memory.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def grown_memory(factor: float) -> int | None:
    """This process's limit of address space times a factor, but no more than a tool's nor than allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY:
        return None
    wanted = max(soft, min(int(soft * factor), limits.TOOL_MEMORY_BYTES))
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def limit_memory(bytes_: int | None) -> None:
    """Set this process's limit of address space; its hard limit stays."""
    _set(resource.RLIMIT_AS, bytes_, resource.RLIM_INFINITY)


@contextmanager
def more_memory(factor: float) -> Iterator[None]:
    """Within this block, this process's limit of address space is that of :func:`grown_memory`."""
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    limit_memory(grown_memory(factor))
    try:
        yield
    finally:
        limit_memory(soft)


def raise_open_files() -> None:
    """Raise the soft limit on descriptors as far as allowed: each session of a process needs a few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _set(kind: int, soft: int | None, hard: int | None = None) -> None:
    if soft is None:
        return
    _, present = resource.getrlimit(kind)
    ceiling = soft if hard is None else hard
    if present != resource.RLIM_INFINITY:  # which is -1, and so the least number
        soft = min(soft, present)
        ceiling = present if ceiling == resource.RLIM_INFINITY else min(ceiling, present)
    resource.setrlimit(kind, (soft, ceiling))

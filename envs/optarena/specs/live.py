"""What a compiler's own functions may use of an environment with a running episode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from optarena.specs.benchmark import Benchmark


class LiveEnv(Protocol):
    """An environment with a running episode, such as ``optarena.env.CompilerEnv``."""

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark of the episode."""

    @property
    def is_sandboxed(self) -> bool:
        """Whether the compiler's processes are confined, so that the program must be, too."""

    def observe(self, name: str, *, cpu_seconds: float | None = None) -> Any:  # noqa: ANN401 # of any space
        """The observation of this name in the present state, as plain Python or an array.

        It may use ``cpu_seconds`` of CPU time; as much as an action if None.
        """

    def parameter(self, key: str, value: str = "") -> str:
        """Send a parameter to the compiler's session and return its reply."""

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

    def observe(self, name: str) -> Any:  # noqa: ANN401 # of any space
        """The observation of this name in the present state, as plain Python or an array."""

    def parameter(self, key: str, value: str = "") -> str:
        """Send a parameter to the compiler's session and return its reply."""

"""The programs of a worker's last replays, which those of the next ones often are as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from datasets.selectors import benchmark_for_replay
from runner.errors import EnvironmentChangedError

if TYPE_CHECKING:
    from optarena.datasets import Benchmark
    from runner.models import Verification

_KEPT: Final = 64


class Programs:
    """Finds what a verification replays, and remembers it: baselines and workloads are not read again.

    Hashes identify it, so that what is remembered is what was demanded, whatever became of its dataset.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], Benchmark] = {}

    def of(self, row: Verification) -> Benchmark:
        """The program of a verification, with its workloads.

        Raises:
            EnvironmentChangedError: The dataset has another program or other workloads now.
        """
        identity = (row.benchmark_uri, row.benchmark_sha256, row.workloads_sha256)
        found = self._known.pop(identity, None) or _read(row)
        self._known[identity] = found  # the last one is the last to be forgotten
        while len(self._known) > _KEPT:
            del self._known[next(iter(self._known))]
        return found


def _read(row: Verification) -> Benchmark:
    found: Benchmark = benchmark_for_replay(row.benchmark, uri=row.benchmark_uri)
    if found.sha256 != row.benchmark_sha256:
        raise EnvironmentChangedError(f"The program of {row.benchmark_uri} has changed.")
    if row.workloads_sha256 != found.workloads_sha256:
        raise EnvironmentChangedError(f"The workloads of {row.benchmark_uri} have changed.")
    return found

"""Requested replays as plain values that are checked and hashed once.

A submission may have thousands of action sequences. ``ActionSequence.checked`` makes them, so that other
code need not check their actions again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from datasets.selectors import program_sha256
from optarena.specs import actions_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.models import Benchmark
    from optarena.specs import EnvironmentSpec


@dataclass(frozen=True, slots=True)
class ActionSequence:
    """Actions of an environment in their canonical form, with the hash that identifies them.

    Attributes:
        actions: Indices into the environment's action table, or its other form of actions.
        sha256: ``optarena.specs.actions_digest`` of them.
    """

    actions: tuple[Any, ...]
    sha256: str

    @classmethod
    def checked(cls, spec: EnvironmentSpec, actions: Sequence[object]) -> Self:
        """The actions, if the environment has all of them.

        Raises:
            InvalidAction: The environment does not have one of them.
        """
        canonical = spec.check_actions(actions)
        return cls(canonical, actions_digest(canonical))


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A replay of one action sequence on one program.

    Attributes:
        benchmark: A stored benchmark, or the range that has ``benchmark_uri`` as a member.
        benchmark_uri: Canonical URI.
        benchmark_sha256: The sha256 of the program.
        actions: The actions to replay.
    """

    benchmark: Benchmark
    benchmark_uri: str
    benchmark_sha256: str
    actions: ActionSequence

    @classmethod
    def of(cls, *, benchmark: Benchmark, benchmark_uri: str, actions: ActionSequence) -> Self:
        """The work, with the hash of its program.

        Raises:
            InvalidInput: The URI does not name a member of the range.
        """
        return cls(
            benchmark=benchmark,
            benchmark_uri=benchmark_uri,
            benchmark_sha256=program_sha256(benchmark, uri=benchmark_uri),
            actions=actions,
        )

    @property
    def identity(self) -> tuple[str, str]:
        """Its identity among the work of one environment and hardware class; also the order of locks."""
        return self.benchmark_sha256, self.actions.sha256

"""Keys and rows: what is known of a whole sequence, as bytes.

A key is a hash of the environment's digest, the program, the action space and the exact actions, so a row of
another version of the environment is never found. States are not told apart by a hash of the program that
they are: two sequences may lead to equal texts, from which further actions lead elsewhere.
"""

from __future__ import annotations

import hashlib
import math
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from optarena.specs.canonical import canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optarena.specs import EnvironmentSpec
    from optarena.specs.benchmark import Benchmark

FORMAT: Final = 1
"""Part of every key and row; raise it when rows change their meaning."""
_KEY_BYTES: Final = 16
_HEAD: Final = struct.Struct("<BBIB")
"""Format, whether the last action ended the episode, how many actions ran, how many metrics were measured."""
_NUMBER: Final = struct.Struct("<d")
_LONGEST: Final = 2**20
"""Actions of a row that are read."""


class ProgramKeys:
    """The keys of sequences on one program.

    Args:
        environment: The environment.
        benchmark: The program.
        action_space: The name of the action space.
        what: What the rows are, as JSON data; rows of another kind are never found.
    """

    def __init__(
        self, environment: EnvironmentSpec, benchmark: Benchmark, action_space: str, what: object
    ) -> None:
        parts = [FORMAT, what, environment.digest, benchmark.sha256, action_space]
        self._begun = hashlib.blake2b(canonical_json(parts).encode(), digest_size=_KEY_BYTES).digest()

    def key(self, actions: Sequence[int]) -> bytes:
        """The key of a sequence."""
        text = self._begun + struct.pack(f"<{len(actions)}I", *actions)
        return hashlib.blake2b(text, digest_size=_KEY_BYTES).digest()


@dataclass(frozen=True, slots=True)
class OutcomeTrace:
    """What a sequence gave, all of it deterministic.

    Attributes:
        costs: The environment's cost before any action, and after each action that ran.
        effects: Whether each action that ran had an effect.
        error: Why the action after these failed; empty if none did.
        is_final: Whether the last action that ran ended the episode.
        measured: Exact metrics that were measured at the end, by name.
    """

    costs: tuple[float, ...]
    effects: tuple[bool, ...]
    error: str = ""
    is_final: bool = False
    measured: Mapping[str, float] = field(default_factory=dict)

    def ends(self, actions: Sequence[int]) -> bool:
        """Whether it tells all that there is to know of the course of a sequence."""
        rest = len(actions) - len(self.effects)
        if len(self.costs) != len(self.effects) + 1 or rest < 0:
            return False
        return rest > 0 if self.error else rest == 0 or self.is_final

    def same_course(self, other: OutcomeTrace) -> bool:
        """Whether another one differs in nothing but the wording of an error, and in what was measured."""
        mine, others = ((one.costs, one.effects, bool(one.error), one.is_final) for one in (self, other))
        return mine == others

    def contradicts(self, other: OutcomeTrace) -> bool:
        """Whether another one differs, in its course or in a metric that both know."""
        shared = self.measured.keys() & other.measured.keys()
        return not self.same_course(other) or any(self.measured[one] != other.measured[one] for one in shared)

    def to_row(self) -> bytes:
        """The trace as bytes."""
        return b"".join(
            (
                _HEAD.pack(FORMAT, self.is_final, len(self.effects), len(self.measured)),
                struct.pack(f"<{len(self.costs)}d", *self.costs),
                bytes(self.effects),
                *(_measured(name, value) for name, value in self.measured.items()),
                self.error.encode("utf-8", "replace"),
            )
        )

    @classmethod
    def of_row(cls, row: bytes) -> OutcomeTrace | None:
        """The trace in a row; None if it is not one."""
        try:
            return cls._read(row)
        except (struct.error, UnicodeDecodeError, IndexError):
            return None

    @classmethod
    def _read(cls, row: bytes) -> OutcomeTrace | None:
        version, is_final, length, metrics = _HEAD.unpack_from(row)
        if version != FORMAT or length > _LONGEST:
            return None
        at = _HEAD.size
        costs = struct.unpack_from(f"<{length + 1}d", row, at)
        at += (length + 1) * _NUMBER.size
        effects, at = row[at : at + length], at + length
        if len(effects) != length:
            return None
        measured: dict[str, float] = {}
        for _ in range(metrics):
            end = at + 1 + row[at]
            name, at = row[at + 1 : end].decode(), end + _NUMBER.size
            [measured[name]] = _NUMBER.unpack_from(row, end)
        if not all(map(math.isfinite, (*costs, *measured.values()))):
            return None
        return cls(costs, tuple(map(bool, effects)), row[at:].decode(), bool(is_final), measured)


def _measured(name: str, value: float) -> bytes:
    text = name.encode()
    return bytes([len(text)]) + text + _NUMBER.pack(value)

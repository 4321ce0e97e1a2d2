"""What a store knows of the sequences of a search, and the audit of it.

A store may be old, shared and changed by anybody, so some of what it answers is run again. Which sequences
these are depends on the search's seed and the sequence alone: a search that is repeated audits the same.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from optarena.outcome_store import OutcomeTrace, ProgramKeys

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optarena.agents.outcomes import Sequence
    from optarena.datasets import Benchmark
    from optarena.outcome_store import OutcomeStore
    from optarena.specs import EnvironmentSpec

AUDITED: Final = 0.05
"""The share of what a store answers that is run again."""
_RANGE: Final = 2**64


class KnownOutcomes:
    """The traces of one program's sequences in a store.

    Args:
        store: The store.
        environment: The environment, whose first action space the sequences are of.
        benchmark: The program.
        seed: The search's seed, by which sequences are drawn for the audit.
        audited: The share of them that is run again.

    Attributes:
        answered: How many outcomes the store gave, those that were run again included.
        checked: How many of these were run again.
        wrong: How many of these differed, or could not be read.
    """

    def __init__(
        self,
        store: OutcomeStore,
        environment: EnvironmentSpec,
        benchmark: Benchmark,
        *,
        seed: int = 0,
        audited: float = AUDITED,
    ) -> None:
        self._store = store
        self._program = benchmark.uri
        self._names = environment.action_table.names
        self._keys = ProgramKeys(environment, benchmark, environment.action_table.name, "trace")
        self._salt = hashlib.blake2b(f"{seed} {benchmark.uri}".encode(), digest_size=16).digest()
        self._audited = audited
        self.answered = 0
        self.checked = 0
        self.wrong = 0

    def find(self, sequences: Iterable[Sequence]) -> dict[Sequence, OutcomeTrace]:
        """What the store knows, by one call; a row that cannot be read is removed."""
        wanted = {actions: self._keys.key(actions) for actions in sequences}
        found: dict[Sequence, OutcomeTrace] = {}
        unreadable: list[bytes] = []
        for (actions, key), row in zip(wanted.items(), self._store.find(list(wanted.values())), strict=True):
            trace = None if row is None else OutcomeTrace.of_row(row)
            if trace is not None and trace.ends(actions):
                found[actions] = trace
            elif row is not None:
                unreadable.append(key)
        if unreadable:
            self.wrong += len(unreadable)
            self._store.warn(f"{len(unreadable)} rows of {self._program} cannot be read; they are removed.")
            self._store.remove(unreadable)
        self.answered += len(found)
        return found

    def is_drawn(self, actions: Sequence) -> bool:
        """Whether a sequence is run again although the store knows it."""
        drawn = hashlib.blake2b(self._keys.key(actions), digest_size=8, key=self._salt).digest()
        return int.from_bytes(drawn, "big") < self._audited * _RANGE

    def compare(self, actions: Sequence, kept: OutcomeTrace, ran: OutcomeTrace) -> None:
        """Compare a row with what the sequence gave now; one that differs is removed, and both are told."""
        self.checked += 1
        if not kept.contradicts(ran):
            return
        self.wrong += 1
        self._store.warn(
            f"A row of {self._program} is wrong and is removed. {self._difference(actions, kept, ran)}"
        )
        self._store.remove([self._keys.key(actions)])

    def keep(self, traces: Mapping[Sequence, OutcomeTrace]) -> None:
        """Add what was found out, by one call."""
        self._store.keep({self._keys.key(actions): trace.to_row() for actions, trace in traces.items()})

    def _difference(self, actions: Sequence, kept: OutcomeTrace, ran: OutcomeTrace) -> str:
        """Where two traces of a sequence differ first, with both values."""
        shared = zip(
            zip(kept.costs, (True, *kept.effects), strict=True),
            zip(ran.costs, (True, *ran.effects), strict=True),
            strict=False,
        )
        for length, (theirs, ours) in enumerate(shared):
            if theirs != ours:
                last = f"{self._names[actions[length - 1]]}, action {length}" if length else "no action"
                return f"After {last}, it has {_words(*theirs)}; the compiler gives {_words(*ours)}."
        for name in sorted(kept.measured.keys() & ran.measured.keys()):
            if kept.measured[name] != ran.measured[name]:
                return f"It has {name} {kept.measured[name]:g}; the compiler gives {ran.measured[name]:g}."
        return f"It ends after {_end(kept)}; the compiler ends after {_end(ran)}."


def _words(cost: float, had_effect: bool) -> str:  # noqa: FBT001 # a pair of a trace
    return f"cost {cost:g} {'with' if had_effect else 'without'} effect"


def _end(trace: OutcomeTrace) -> str:
    return f"{len(trace.effects)} actions" + (f" by {trace.error!r:.100}" if trace.error else "")

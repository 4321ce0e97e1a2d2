"""The states of a verification and the edges between them, in one table.

Pure data. ``runner.services.transitions`` is the only writer of a state and reads this table.
"""

from __future__ import annotations

from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from django.db.models import TextChoices

if TYPE_CHECKING:
    from collections.abc import Mapping


class State(TextChoices):
    """The state of a verification; ``reason`` says why it ended there."""

    QUEUED = "queued", "queued"
    LEASED = "leased", "leased"
    REPLAYING = "replaying", "replaying"
    CHECKING = "checking", "checking"
    MEASURING = "measuring", "measuring"
    RECORDED = "recorded", "recorded"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


class AttemptDecision(TextChoices):
    """What follows from an attempt; one that is repeated is suspected to have failed because of the work."""

    RECORD = "record", "recorded"
    CONFIRM = "confirm", "repeated"
    FAIL = "fail", "failed"
    GIVE_BACK = "give-back", "given back"


class Authority(Enum):
    """The right by which a step is taken; the value describes it in messages."""

    WORKER = "the worker holds the lease"
    SWEEPER = "the lease has expired"
    REQUESTER = "nobody waits for the result any more"


PHASES: Final = (State.LEASED, State.REPLAYING, State.CHECKING, State.MEASURING)
"""The states of a running verification, in order."""

RUNNING: Final = frozenset(PHASES)
TERMINAL: Final = frozenset({State.RECORDED, State.FAILED, State.CANCELLED})

_LOST_OR_BROKEN: Final = frozenset({Authority.WORKER, Authority.SWEEPER})

EDGES: Final[Mapping[tuple[State, State], frozenset[Authority]]] = {
    (State.QUEUED, State.LEASED): frozenset({Authority.WORKER}),
    (State.QUEUED, State.CANCELLED): frozenset({Authority.REQUESTER}),
    **{edge: frozenset({Authority.WORKER}) for edge in pairwise(PHASES)},
    (State.MEASURING, State.RECORDED): frozenset({Authority.WORKER}),
    **{(phase, State.QUEUED): _LOST_OR_BROKEN for phase in PHASES},
    **{(phase, State.FAILED): _LOST_OR_BROKEN for phase in PHASES},
    **{(phase, State.CANCELLED): frozenset({Authority.REQUESTER}) for phase in PHASES},
}

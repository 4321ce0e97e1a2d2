"""Decides what follows from an attempt: a failure counts only if it repeats.

Pure: the attempts so far and this one are all that a decision depends on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena.specs.results import reason
from runner.states import AttemptDecision

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MACHINE_BUSY: Final = "infra:machine-busy"
UNREPEATABLE: Final = "infra:unrepeatable"
SUSPECTED: Final = frozenset({"env", "semantics", "benchmark"})
"""Families of reasons that a sick or busy machine may cause as well: a failure for one must repeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The end of one attempt, as far as decisions depend on it.

    Attributes:
        reason: Why it failed; empty if it succeeded.
        failed_step: Index of the action that failed, where one did.
        time_factor: By how much its time limits were longer than usual.
        idle: Whether it was alone on its machine, and the machine had nothing else to do.
    """

    reason: str = ""
    failed_step: int | None = None
    time_factor: float = 1.0
    idle: bool = False

    @property
    def family(self) -> str:
        """The family of its reason."""
        return self.reason.partition(":")[0]

    @property
    def timed(self) -> bool:
        """Whether it failed because its time was up, which a busy machine causes as well."""
        return bool(self.reason) and reason(self.reason).timed


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision, with the reason of the verification where it ends or is given back."""

    decision: AttemptDecision
    reason: str = ""


def decide(suspicions: Sequence[Trial], this: Trial) -> Ruling:
    """What follows from an attempt.

    A failure is final if one that awaits confirmation was the same. One for lack of time must have happened
    on an idle machine, with longer limits. Since such a failure hides what would have come later, whatever
    the longer limits bring to light is a suspicion of its own.

    Args:
        suspicions: The earlier failures that await confirmation, oldest first.
        this: The attempt that has just ended.
    """
    if not this.reason:
        return Ruling(AttemptDecision.RECORD)
    if this.family == "infra":
        return Ruling(AttemptDecision.GIVE_BACK, this.reason)
    return _judge(suspicions, this) if this.family in SUSPECTED else Ruling(AttemptDecision.FAIL, this.reason)


def _judge(suspicions: Sequence[Trial], this: Trial) -> Ruling:
    is_weak = this.timed and this.time_factor == 1.0
    if this.timed and not is_weak and not this.idle:
        return Ruling(AttemptDecision.GIVE_BACK, MACHINE_BUSY)
    if not suspicions or is_weak:
        return Ruling(AttemptDecision.CONFIRM)
    if any(_alike(one, this) for one in suspicions):
        return Ruling(AttemptDecision.FAIL, this.reason)
    if suspicions[-1].timed and this.time_factor > suspicions[-1].time_factor:
        return Ruling(AttemptDecision.CONFIRM)
    return Ruling(AttemptDecision.GIVE_BACK, UNREPEATABLE)


def _alike(earlier: Trial, this: Trial) -> bool:
    if earlier.reason != this.reason:
        return False
    if earlier.failed_step is None or this.failed_step is None:
        return earlier.failed_step == this.failed_step
    # With more time the same sequence comes further before its time is up.
    has_more_time = this.timed and this.time_factor > earlier.time_factor
    came_further = this.failed_step > earlier.failed_step
    return this.failed_step == earlier.failed_step or (has_more_time and came_further)


def needs_idle_machine(suspicions: Iterable[Trial]) -> bool:
    """Whether the next attempt runs alone, with longer limits."""
    return any(one.timed for one in suspicions)


def open_suspicions(trials: Iterable[Trial]) -> list[Trial]:
    """The failures that await confirmation after these attempts of unfinished work, oldest first.

    A failure of the infrastructure says nothing about them. After one that could not be repeated, everything
    begins anew.
    """
    suspicions: list[Trial] = []
    for trial in trials:
        ruling = decide(suspicions, trial)
        if ruling.decision == AttemptDecision.CONFIRM:
            suspicions.append(trial)
        elif ruling.reason == UNREPEATABLE:
            suspicions.clear()
    return suspicions

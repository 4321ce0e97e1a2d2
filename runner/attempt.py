"""One attempt of a worker: the conditions under which it replays, its end, and the evidence it leaves."""

from __future__ import annotations

import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from optarena.limits import CONFIRMATION_TIME_FACTOR
from optarena.specs.results import REASONS
from runner import conf, machine_use
from runner.confirmation import Trial, open_suspicions
from runner.machine_use import LoadReading
from runner.selectors import attempts_of
from runner.services import AttemptReport, ReplayOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from optarena.replay import ReplayResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a replay ended.

    Attributes:
        reason: Why it failed, a reason id; empty if it succeeded.
        detail: A description for people.
        failed_step: Index of the action that failed, where one did.
        failed_unit: The seconds of the action, workload or metric that failed, where one did.
        outcome: Its result; None if it was stopped.
    """

    reason: str = ""
    detail: str = ""
    failed_step: int | None = None
    failed_unit: Mapping[str, float] = field(default_factory=dict)
    outcome: ReplayOutcome | None = None

    @classmethod
    def of(cls, result: ReplayResult) -> Self:
        """The end that a result describes.

        Raises:
            ValueError: Its reason does not exist.
        """
        if not result.ok and result.reason not in REASONS:
            raise ValueError(
                f"The replay failed for {result.reason!r}, which is not a reason id: {result.detail}"
            )
        return cls(
            reason="" if result.ok else result.reason or "",
            detail=result.detail,
            failed_step=result.failed_step,
            failed_unit=result.failed_unit,
            outcome=ReplayOutcome(result=result.as_dict(), metrics=result.metrics, sandbox=result.sandbox),
        )


def contrast(suspicions: Sequence[Trial], end: Ending) -> str:
    """Why an attempt does not confirm the failure before it."""
    before = f"It failed with {suspicions[-1].reason} before. " if suspicions else ""
    return f"{before}This time: {end.reason}: {end.detail}"


def suspicions_of(verification_id: uuid.UUID) -> list[Trial]:
    """The stored failures of unfinished work that await confirmation, oldest first."""
    return open_suspicions(
        Trial(
            reason=stored.reason,
            failed_step=stored.failed_step,
            time_factor=stored.evidence.get("time_factor", 1.0),
            idle=stored.evidence.get("idle", False),
        )
        for stored in attempts_of(verification_id)
    )


@dataclass(kw_only=True)
class Attempt:
    """A replay beside others with the usual limits, or alone on an idle machine with longer ones.

    Attributes:
        alone: Which of the two.
        id: Identifies it among all attempts.
        began: The machine's load when the replay began, or when it began to wait for that.
        ended: The load when it ended.
        busy_before: How busy the machine was before an attempt alone, in percent.
    """

    alone: bool
    id: uuid.UUID = field(default_factory=uuid.uuid4)
    began: LoadReading = field(default_factory=LoadReading.take)
    ended: LoadReading | None = None
    busy_before: float | None = None

    @property
    def time_factor(self) -> float:
        """By how much the limits of time are longer than usual."""
        return float(CONFIRMATION_TIME_FACTOR) if self.alone else 1.0

    @property
    def seconds(self) -> float:
        """Seconds since it began."""
        return (self.ended.at if self.ended else time.monotonic()) - self.began.at

    @contextmanager
    def on_this_machine(self, *, check: Callable[[], None]) -> Iterator[None]:
        """A context for the replay: the machine is shared with other replays, or not.

        Args:
            check: Called while it waits for the machine; raises if the wait must end.

        Raises:
            MachineBusyError: It must be alone, and the machine does not become idle.
            MachineLockError: The machine's lock cannot be used.
        """
        if self.alone:
            with machine_use.alone(check=check) as self.busy_before, self._timed():
                yield
        else:
            with machine_use.beside_others(check=check), self._timed():
                yield

    @contextmanager
    def _timed(self) -> Iterator[None]:
        self.began = LoadReading.take()
        try:
            yield
        finally:
            self.ended = LoadReading.take()

    def trial(self, reason: str, failed_step: int | None) -> Trial:
        """Its end, as far as decisions depend on it."""
        return Trial(
            reason=reason, failed_step=failed_step, time_factor=self.time_factor, idle=self._was_idle()
        )

    def report(self, end: Ending) -> AttemptReport:
        """What is stored about its failure."""
        about = {"failed_unit": dict(end.failed_unit)} if end.failed_unit else {}
        return AttemptReport(
            id=self.id,
            reason=end.reason,
            detail=end.detail,
            failed_step=end.failed_step,
            seconds=self.seconds,
            evidence=self._evidence() | about | {"sandbox": dict(end.outcome.sandbox if end.outcome else {})},
        )

    def _busy_during(self) -> float | None:
        return None if self.ended is None else self.ended.busy_since(self.began)

    def _was_idle(self) -> bool:
        busy = self._busy_during()
        return self.alone and busy is not None and busy <= conf.idle_pressure()

    def _evidence(self) -> dict[str, Any]:
        return {
            "alone": self.alone,
            "idle": self._was_idle(),
            "time_factor": self.time_factor,
            "seconds": round(self.seconds, 3),
            "busy_percent_before": _rounded(self.busy_before),
            "busy_percent_during": _rounded(self._busy_during()),
            "load_before": round(self.began.load, 2),
            "load_after": None if self.ended is None else round(self.ended.load, 2),
        }


def _rounded(percent: float | None) -> float | None:
    return None if percent is None else round(percent, 1)

"""What a search may use on one program."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from optarena.errors import InvalidInput


@dataclass(slots=True)
class Budget:
    """A number of evaluations, or a time.

    Attributes:
        evaluations: How many sequences may be evaluated; None for any number.
        seconds: How long it may take; a search that is limited by time cannot be repeated exactly.
        spent: How many were evaluated.
        started: The monotonic time from which ``seconds`` count.

    Raises:
        InvalidInput: It allows nothing, or is not limited at all.
    """

    evaluations: int | None = None
    seconds: float = math.inf
    spent: int = 0
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.evaluations is None and math.isinf(self.seconds):
            remedy = "Give a number of evaluations or of seconds."
            raise InvalidInput("A search needs a budget.", field="evaluations", remedy=remedy)
        if self.evaluations is not None and self.evaluations < 1:
            message = f"A budget of {self.evaluations} evaluations allows nothing."
            raise InvalidInput(
                message, field="evaluations", value=self.evaluations, remedy="Give at least 1."
            )
        if not self.seconds > 0:
            message = f"A budget of {self.seconds:g} seconds allows nothing."
            raise InvalidInput(message, field="seconds", value=self.seconds, remedy="Give more than 0.")

    @property
    def is_timed(self) -> bool:
        """Whether it is a time."""
        return self.evaluations is None

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() - self.started >= self.seconds

    @property
    def left(self) -> int:
        """How many more sequences may be evaluated: 2**31 in a budget of time, 0 when it is up."""
        if self.is_late:
            return 0
        return _MANY if self.evaluations is None else min(_MANY, max(0, self.evaluations - self.spent))

    def part(self, share: float) -> Budget:
        """A budget of its own of what is left: this share of it, but at least one evaluation."""
        if self.evaluations is None:
            rest = self.seconds - (time.monotonic() - self.started)
            return Budget(seconds=max(rest * share, 1e-9))
        return Budget(max(1, round(self.left * share)))


_MANY = 2**31

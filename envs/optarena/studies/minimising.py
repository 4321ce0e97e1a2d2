"""Which shorter sequences are tried until no action can be left out: delta debugging, as plain data.

The sequence of trials depends on their outcomes alone, so every machine finds the same. It can be interrupted
between any two trials and goes on from its JSON form.

Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002: parts are left
out, first large ones, in the end single actions, until a whole round leaves out none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from optarena import limits

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimisation:
    """Which actions of a sequence suffice.

    Attributes:
        kept: Their positions in the sequence, from 0, in order.
        minimal: Whether none of them can be left out; False where the limit of trials was reached before.
        trials: How many shorter sequences were tried.
    """

    kept: tuple[int, ...]
    minimal: bool
    trials: int

    def as_dict(self) -> dict[str, Any]:
        """What was found as JSON data."""
        return {"kept": list(self.kept), "minimal": self.minimal, "trials": self.trials}

    @classmethod
    def from_json(cls, data: object, *, actions: int) -> Minimisation:
        """What was found about so many actions, from JSON data.

        Raises:
            ValueError: It is not that.
        """
        if not isinstance(data, Mapping) or set(data) != {"kept", "minimal", "trials"}:
            raise ValueError("This is not a minimisation.")
        kept, minimal, trials = data["kept"], data["minimal"], data["trials"]
        if not isinstance(kept, list) or not isinstance(minimal, bool) or type(trials) is not int:
            raise ValueError("This is not a minimisation.")
        if any(type(one) is not int for one in kept) or sorted({*kept}) != kept:
            raise ValueError("The kept positions are not a list of ascending numbers.")
        if kept and not 0 <= kept[0] <= kept[-1] < actions:
            raise ValueError(f"The kept positions are not those of {actions} actions.")
        return cls(kept=tuple(kept), minimal=minimal, trials=trials)


@dataclass(slots=True, kw_only=True)
class Minimiser:
    """A minimisation in progress: ``candidate`` says what to try, and ``answer`` takes the outcome.

    Attributes:
        kept: Positions of the actions that suffice, as far as is known.
        size: How many of them are left out together; 0 while ``idle`` ones are to be left out, all at once.
        start: How many of the last ``kept`` ones were tried in this round, and stay: parts are tried from
            the end, so that of equal actions the first is kept.
        shrunk: Whether the present round has left out any.
        idle: Positions of the actions without effect.
        trials: How many sequences were tried.
        applied: How many actions were applied in them.
    """

    kept: list[int]
    idle: list[int]
    size: int = 0
    start: int = 0
    shrunk: bool = False
    trials: int = 0
    applied: int = 0

    @classmethod
    def of(cls, actions: int, *, idle: Collection[int] = ()) -> Minimiser:
        """The beginning, for so many actions, of which those at the ``idle`` positions had no effect."""
        return cls(kept=list(range(actions)), idle=sorted(idle))

    def as_dict(self) -> dict[str, Any]:
        """Where it is, as JSON data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Minimiser:
        """Goes on from ``as_dict``.

        Raises:
            ValueError: It is something else.
        """
        if set(data) != {one.name for one in fields(cls)}:
            raise ValueError("This is not the state of a minimisation.")
        return cls(**data)

    @property
    def done(self) -> Minimisation | None:
        """The end; None while something is left to try."""
        is_minimal = self._is_over()
        if not is_minimal and not self._is_used_up():
            return None
        return Minimisation(kept=tuple(self.kept), minimal=is_minimal, trials=self.trials)

    def candidate(self) -> list[int]:
        """The positions to try next."""
        if not self.size:
            left_out = set(self.idle)
            return [one for one in self.kept if one not in left_out]
        end = len(self.kept) - self.start
        return self.kept[: max(0, end - self.size)] + self.kept[end:]

    def answer(self, *, suffices: bool) -> None:
        """Take the outcome of ``candidate``: whether the end of it is the same."""
        tried = self.candidate()
        self.trials += 1
        self.applied += len(tried)
        first, self.shrunk = not self.size, self.shrunk or suffices
        if suffices:
            self.kept = tried
        elif not first:
            self.start += self.size
        if first:
            self._begin(max(1, len(self.kept) // 2))
        self._next_round()

    def _next_round(self) -> None:
        """Begin again with half the size once the last part was tried; with single ones while that helps."""
        if self.start < len(self.kept):
            return
        if self.size > 1:
            self._begin(self.size // 2)
        elif self.shrunk:
            self._begin(1)

    def _begin(self, size: int) -> None:
        self.size, self.start, self.shrunk = size, 0, False

    def _is_over(self) -> bool:
        return bool(self.size) and self.start >= len(self.kept) and self.size == 1 and not self.shrunk

    def _is_used_up(self) -> bool:
        ahead = self.applied + len(self.kept)
        return self.trials >= limits.MINIMISED_TRIALS or ahead > limits.MINIMISED_ACTIONS

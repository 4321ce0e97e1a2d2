"""What validating a state found, as data that travels as JSON and can be joined."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from optarena.errors import InvalidInput
from optarena.specs.results import ReplayResult
from optarena.state import EnvState

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT_VERSION: Final = 1
Comparison = Literal["exact", "not-compared", "none"]
"""How a reward was compared: for equality, up to rounding errors; not at all, as its cost varies or cannot be
observed here; or there was no reward to compare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationProblem:
    """One thing that does not hold: its reason id, what it is about, and a sentence for people."""

    reason: str
    field: str
    message: str
    claimed: float | str | None = None
    measured: float | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationResult:
    """What validating a state found.

    Attributes:
        state: The state.
        problems: Everything that does not hold; empty if the state is valid.
        reward: The episode's reward by the replay; None if that failed, or if replays differ in it.
        comparison: How the state's reward was compared.
        remark: Why the reward was not compared, if it was not.
        replay: The replay; None if the state could not be replayed at all.
        walltime: Seconds that validating took.
        validations: How many validations this is the joined result of.
    """

    state: EnvState
    problems: tuple[ValidationProblem, ...] = ()
    reward: float | None = None
    comparison: Comparison = "none"
    remark: str = ""
    replay: ReplayResult | None = None
    walltime: float = 0.0
    validations: int = 1

    @property
    def ok(self) -> bool:
        """Whether all that the state claims holds."""
        return not self.problems

    def okay(self) -> bool:
        """The same as ``ok``, under CompilerGym's name."""
        return self.ok

    @property
    def errors(self) -> dict[str, tuple[ValidationProblem, ...]]:
        """The problems by reason id, in the order in which each was first found."""
        found: dict[str, list[ValidationProblem]] = {}
        for problem in self.problems:
            found.setdefault(problem.reason, []).append(problem)
        return {reason: tuple(problems) for reason, problems in found.items()}

    @classmethod
    def join(cls, results: Iterable[ValidationResult]) -> ValidationResult:
        """The result of several validations of one state: the problems of all, and the sum of their times.

        Reward and replay are those of the first validation that failed, or of the first one.

        Raises:
            InvalidInput: There are no validations, or they are of different states.
        """
        every = list(results)
        remedy = "Join validations of one state."
        if not every:
            raise InvalidInput("There are no results to join.", field="results", remedy=remedy)
        first = every[0]
        for one in every:
            if one.state != first.state:
                uris = f"{first.state.benchmark} and {one.state.benchmark}"
                message = f"The results are of different states: {uris}."
                value = one.state.commandline[:100]
                raise InvalidInput(message, field="results", value=value, remedy=remedy)
        shown = next((one for one in every if not one.ok), first)
        return cls(
            state=first.state,
            problems=tuple(problem for one in every for problem in one.problems),
            reward=shown.reward,
            comparison=shown.comparison,
            remark=shown.remark,
            replay=shown.replay,
            walltime=sum(one.walltime for one in every),
            validations=sum(one.validations for one in every),
        )

    def as_dict(self) -> dict[str, Any]:
        """The result as JSON data."""
        return {
            "version": FORMAT_VERSION,
            "ok": self.ok,
            "state": self.state.as_dict(),
            "problems": [asdict(problem) for problem in self.problems],
            "reward": self.reward,
            "comparison": self.comparison,
            "remark": self.remark,
            "replay": None if self.replay is None else self.replay.as_dict(),
            "walltime": self.walltime,
            "validations": self.validations,
        }

    def to_json(self) -> str:
        """The result as JSON text; ``from_json`` gives it back."""
        return json.dumps(self.as_dict(), allow_nan=False)

    @classmethod
    def from_json(cls, document: str | bytes | Mapping[str, Any]) -> ValidationResult:
        """The result from JSON text or data.

        Raises:
            ValueError: It is not a validation result of this version.
        """
        try:
            raw = dict(document) if isinstance(document, Mapping) else json.loads(document)
            version = raw.pop("version")
            if version != FORMAT_VERSION:
                raise ValueError(
                    f"The validation result has version {version}; this program reads {FORMAT_VERSION}."
                )
            del raw["ok"]
            replay = raw.pop("replay")
            return cls(
                state=EnvState(**raw.pop("state")),
                problems=tuple(ValidationProblem(**problem) for problem in raw.pop("problems")),
                replay=ReplayResult.from_json(replay) if replay else None,
                **raw,
            )
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"This is not a validation result: {error}.") from error

    def __str__(self) -> str:
        verdict = "valid" if self.ok else "; ".join(problem.message for problem in self.problems)
        return f"{self.state.benchmark}: {verdict}"

"""What studies found out about an item: the difference that a step makes, and a sequence that suffices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from leaderboard.models import BestResult, SubmissionItem
from leaderboard.selectors.finds import first_find
from leaderboard.selectors.stored_actions import stored_commandline
from optarena import limits
from optarena.errors import InvalidInput
from optarena.specs import environment_spec
from optarena.specs.results import REASONS
from optarena.studies import TextDifference
from runner.models import Study, StudyState
from runner.questions import find_study, place_in_line, read_answer

if TYPE_CHECKING:
    from leaderboard.models import Find
    from optarena.specs import EnvironmentSpec
    from optarena.specs.results import Reason
    from optarena.studies import Minimisation

NOT_ASKED: Final = "none"
"""The state of a question that nobody has asked."""
_UNREADABLE: Final = "infra:internal"
_KINDS: Final = {"+": "added", "-": "removed", "@": "hunk"}
_NOTHING: Final = TextDifference(
    text="", added=0, removed=0, lines=0, shown=0, shortened=0, before=0, after=0, renumbered=0, aligned=True
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyAnswer:
    """How far a question is.

    Attributes:
        state: That of its study, or ``none``.
        position: Its place among the studies that wait; None if it does not wait.
        reason: Why there is no answer; empty unless it failed.
        detail: More about that.
        difference: The answer about a step.
        minimised: The answer about which steps suffice.
    """

    state: str = NOT_ASKED
    position: int | None = None
    reason: str = ""
    detail: str = ""
    difference: TextDifference | None = None
    minimised: MinimisedSequence | None = None

    @property
    def explanation(self) -> Reason | None:
        """The meaning and the remedy of the reason."""
        return REASONS.get(self.reason)

    @property
    def waits(self) -> bool:
        """Whether it is asked, and neither answered nor failed."""
        return self.state in (StudyState.QUEUED, StudyState.RUNNING)

    @property
    def may_be_asked(self) -> bool:
        """Whether asking makes a difference."""
        return self.state in (NOT_ASKED, StudyState.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimisedSequence:
    """The actions of an item that suffice.

    Attributes:
        steps: The numbers of their steps, from 1.
        total: How many actions the item has.
        actions: The actions.
        commandline: Their text; None where the environment has other actions today.
        minimal: Whether none of them can be left out.
        trials: How many shorter sequences were tried.
    """

    steps: tuple[int, ...]
    total: int
    actions: tuple[Any, ...]
    commandline: str | None
    minimal: bool
    trials: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BestKnown:
    """The best verified result of an item's benchmark on its board, and whose find it is."""

    item: SubmissionItem
    found: Find | None


def step_number(text: str, item: SubmissionItem) -> int:
    """The number of a step of an item, from 1.

    Raises:
        InvalidInput: The text is not the number of one of its steps.
    """
    total = len(item.actions)
    is_number = text.isascii() and text.isdecimal() and len(text) <= limits.PARAMETER_DIGITS
    if not is_number or not 1 <= int(text) <= total:
        raise InvalidInput(
            f"The item has no step {text[: limits.PROBLEM_VALUE_LENGTH]!r}.",
            field="step",
            value=text,
            remedy=f"Give an integer from 1 to {total}." if total else "This item has no actions.",
        )
    return int(text)


def why_no_difference(item: SubmissionItem) -> str:
    """Why a step of an item has no difference that could be shown; empty if it has."""
    if not _is_verified(item):
        return "Only the steps of a verified item can be compared."
    if not _spec(item).state_text:
        return f"The environment {_spec(item).slug} has no text of a program's states."
    return ""


def why_not_minimised(item: SubmissionItem) -> str:
    """Why nobody can find out which actions of an item suffice; empty if it is possible."""
    if not _is_verified(item):
        return "Only the sequence of a verified item can be minimised."
    if not item.submission.board.exact:
        return "This board compares measured times, which differ each time; only exact metrics can be kept."
    if not item.actions:
        return "The item has no actions."
    return ""


def _is_verified(item: SubmissionItem) -> bool:
    return item.verdict == SubmissionItem.Verdict.VERIFIED and item.verification is not None


def _spec(item: SubmissionItem) -> EnvironmentSpec:
    return environment_spec(item.submission.board.environment_version.env_id)


def difference_of(item: SubmissionItem, step: int) -> StudyAnswer:
    """What a step of a verified item changes. One without effect changes nothing, which is known."""
    if item.verification is None or why_no_difference(item):
        return StudyAnswer()
    stored = (item.verification.result or {}).get("steps") or ()
    if len(stored) >= step and stored[step - 1].get("had_no_effect"):
        return StudyAnswer(state=StudyState.DONE, difference=_NOTHING)
    study = find_study(Study.Kind.DIFFERENCE, item.verification, step)
    return _answer(study, item)


def minimised_of(item: SubmissionItem) -> StudyAnswer:
    """Which actions of an item suffice for its final state and its exact metrics."""
    if item.verification is None or why_not_minimised(item):
        return StudyAnswer()
    study = find_study(Study.Kind.MINIMISED, item.verification, len(item.actions))
    return _answer(study, item)


def _answer(study: Study | None, item: SubmissionItem) -> StudyAnswer:
    if study is None:
        return StudyAnswer()
    if study.state == StudyState.DONE:
        try:
            found = read_answer(study)
        except ValueError as error:
            return StudyAnswer(state=StudyState.FAILED, reason=_UNREADABLE, detail=str(error))
        if isinstance(found, TextDifference):
            return StudyAnswer(state=study.state, difference=found)
        return StudyAnswer(state=study.state, minimised=_sequence(item, found))
    return StudyAnswer(
        state=study.state, position=place_in_line(study), reason=study.reason, detail=study.detail
    )


def _sequence(item: SubmissionItem, found: Minimisation) -> MinimisedSequence:
    actions = tuple(item.actions[position] for position in found.kept)
    return MinimisedSequence(
        steps=tuple(position + 1 for position in found.kept),
        total=len(item.actions),
        actions=actions,
        commandline=stored_commandline(item.submission.board.environment_version, actions, item.action_space),
        minimal=found.minimal,
        trials=found.trials,
    )


def marked_lines(difference: TextDifference) -> list[tuple[str, str]]:
    """Each line of a difference with its kind: ``added``, ``removed``, ``hunk`` or ``same``."""
    return [(_KINDS.get(line[:1], "same"), line) for line in difference.text.split("\n")]


def neighbours(item: SubmissionItem) -> tuple[SubmissionItem | None, SubmissionItem | None]:
    """The items before and after one in its submission."""
    places = (item.position - 1, item.position + 1)
    rows = SubmissionItem.objects.filter(submission=item.submission_id, position__in=places)
    shown = rows.select_related("benchmark").only(
        "submission_id", "position", "benchmark_uri", "benchmark__kind", "benchmark__name"
    )
    found = {one.position: one for one in shown}
    return found.get(places[0]), found.get(places[1])


def best_known(item: SubmissionItem) -> BestKnown | None:
    """The best verified result of an item's benchmark on its board; None while there is none."""
    rows = BestResult.objects.filter(board=item.submission.board_id, benchmark_uri=item.benchmark_uri)
    best = rows.select_related("item__submission__owner").first()
    return None if best is None else BestKnown(item=best.item, found=first_find(best.item))

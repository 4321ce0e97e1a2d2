"""Read what each step of a sequence did: traces, studies, and what stored actions were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from datasets.models import Baseline
from datasets.site.formats import highlighted_line
from leaderboard.models import BestResult, SubmissionItem
from leaderboard.records.queries import first_find
from leaderboard.submissions.queries import measurements_together
from optarena import limits
from optarena.actions import ActionTable, action_description
from optarena.errors import InvalidInput
from optarena.specs import EnvironmentSpec, Metric, canonical_json, environment_spec
from optarena.specs.board import measured_intervals
from optarena.specs.results import REASONS, Reason, ReplayResult, StepTrace, WorkloadResult
from optarena.specs.rewards import level_order
from optarena.studies import TextDifference
from runner.models import EnvironmentVersion, Study, StudyState
from runner.queue.studies import find_study, place_in_line, read_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    # `number` counts from 1, 0 being the unoptimised program. Cost and change are None where the environment
    # has no exact metric.
    number: int
    name: str
    description: str
    about: str | None
    cost: float | None
    change: float | None
    no_op: bool

    @property
    def change_text(self) -> str:
        if not self.change:
            return "0"
        text = f"{self.change:+,.0f}" if float(self.change).is_integer() else f"{self.change:+,.4g}"
        return text.replace("-", "−")  # noqa: RUF001 - a minus sign is intended


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceAction:
    # `number` counts from 1. An action is needless if the minimised sequence, once known, does without it.
    number: int
    name: str
    no_op: bool
    needless: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    # Empty until the replay has ended, and after its steps were pruned to save space. The first cost is the
    # cost before any step; without an exact metric there are none.
    costs: tuple[float, ...] = ()
    steps: tuple[Step, ...] = ()
    workloads: tuple[WorkloadResult, ...] = ()
    walltime: float | None = None
    pruned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow:
    metric: Metric
    claimed: float | None
    measured: float | None
    interval: tuple[float, float] | None
    # Of the claim against the interval: `consistent` or `optimistic`; empty without either.
    status: str
    levels: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    levels: tuple[str, ...]
    rows: tuple[ClaimRow, ...]

    @property
    def has_intervals(self) -> bool:
        return any(row.interval for row in self.rows)


def trace(item: SubmissionItem) -> Trace:
    stored = None if item.verification is None else item.verification.result
    if not stored:
        return Trace()
    pruned = "pruned" in stored
    result = ReplayResult.from_json({name: value for name, value in stored.items() if name != "pruned"})
    if result.initial is None:
        return Trace(workloads=result.workloads, walltime=result.walltime, pruned=pruned)
    costs = (result.initial.cost, *(step.cost for step in result.steps))
    table = _spec(item).table(item.action_space)
    steps = tuple(
        Step(
            number=number,
            name=step.name,
            description=_described(table, step),
            about=step.about,
            cost=step.cost,
            change=(
                None if step.cost is None or (before := costs[number - 1]) is None else step.cost - before
            ),
            no_op=step.had_no_effect,
        )
        for number, step in enumerate(result.steps, start=1)
    )
    return Trace(
        costs=tuple(cost for cost in costs if cost is not None),
        steps=steps,
        workloads=result.workloads,
        walltime=result.walltime,
    )


def sequence(
    item: SubmissionItem, steps: Sequence[Step], minimised: MinimisedSequence | None, *, most: int
) -> list[SequenceAction]:
    """The first ``most`` actions of an item; those of a pruned replay are named as its version named them."""
    kept = range(1, len(item.actions) + 1) if minimised is None else frozenset(minimised.steps)
    named = [(step.name, step.no_op) for step in steps[:most]]
    if rest := item.actions[len(named) : most]:  # behind the step that failed, or pruned
        known = stored_names(item.submission.board.environment_version, item.action_space)
        named += [(action_text(known, action), False) for action in rest]
    return [
        SequenceAction(number=number, name=name, no_op=no_op, needless=number not in kept)
        for number, (name, no_op) in enumerate(named, start=1)
    ]


def _described(table: ActionTable, step: StepTrace) -> str:
    # Empty if the action of its number is another one today.
    action = step.action
    if isinstance(action, int) and (action >= len(table.names) or table.names[action] != step.name):
        return ""
    return action_description(table, action)


def baselines(item: SubmissionItem) -> dict[str, dict[str, float]]:
    # By metric, then level. A member of a range has none: the values of the range's row are not its own.
    own = Baseline.objects.filter(benchmark__uri=item.benchmark_uri)
    rows = own.values_list("metric", "level", "value")
    found: dict[str, dict[str, float]] = {}
    for metric, level, value in rows:
        found.setdefault(metric, {})[level] = float(value)
    return found


def claims(item: SubmissionItem, levels: dict[str, dict[str, float]]) -> Claims:
    shown = level_order(level for values in levels.values() for level in values)
    metrics, measurement = measurements_together(item.verification)
    intervals = measured_intervals(measurement)
    rows = (
        ClaimRow(
            metric=metric,
            claimed=item.claims.get(metric.name),
            measured=metrics.get(metric.name),
            interval=intervals.get(metric.name),
            status=item.claim_status.get(metric.name, ""),
            levels=tuple(levels.get(metric.name, {}).get(level) for level in shown),
        )
        for metric in _spec(item).metrics
    )
    return Claims(levels=shown, rows=tuple(rows))


# Where a version's description says what the actions of its first space are; compilers differ in that.
_FIRST: Final = ("actions", "table", "decisions")
_FURTHER: Final = "further_tables"


def have_same_actions(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    # As far as the descriptions of the versions say, and in the first action space.
    return _are_equal(one, other, _FIRST)


def _are_equal(one: Mapping[str, Any], other: Mapping[str, Any], parts: Sequence[str]) -> bool:
    described = [{part: version[part] for part in parts if part in version} for version in (one, other)]
    first, second = map(canonical_json, described)
    return bool(described[0]) and first == second


def stored_commandline(
    version: EnvironmentVersion, actions: Sequence[Any], action_space: str = ""
) -> str | None:
    # None where the environment has other actions today: a command line of today would be another sequence.
    spec = environment_spec(version.env_id)
    return spec.commandline(actions, action_space) if _is_known(spec, version, action_space) else None


def stored_names(version: EnvironmentVersion, action_space: str = "") -> Sequence[str]:
    # None of them if nobody knows them any more.
    spec = environment_spec(version.env_id)
    if _is_known(spec, version, action_space):
        return spec.ranked_table(action_space).names
    described = None if action_space else version.spec.get("actions")
    listed = described if isinstance(described, list) else []
    names = [one[0] if one and isinstance(one, list) else one for one in listed]
    return names if all(isinstance(one, str) for one in names) else ()


def action_text(names: Sequence[str], action: Any) -> str:  # noqa: ANN401 - as stored
    first, *rest = [action] if isinstance(action, int) else action
    name = names[first] if first < len(names) else f"action {first}"
    return " ".join([name, *map(str, rest)])


def _is_known(spec: EnvironmentSpec, version: EnvironmentVersion, action_space: str) -> bool:
    if spec.digest == version.digest:
        return True
    return _are_equal(version.spec, spec.version_spec(), (_FURTHER,) if action_space else _FIRST)


NOT_ASKED: Final = "none"
_SOON: Final = 4  # Questions
_UNREADABLE: Final = "infra:internal"
_KINDS: Final = {"+": "added", "-": "removed", "@": "hunk"}
_LINE_BYTES: Final = len('<span class="removed"></span>')
_NOTHING: Final = TextDifference(
    text="", added=0, removed=0, lines=0, shown=0, shortened=0, before=0, after=0, renumbered=0, aligned=True
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    # How far a question to the runners is.
    state: str = NOT_ASKED
    # Among the studies that wait; None if it does not wait.
    position: int | None = None
    reason: str = ""
    detail: str = ""

    @property
    def explanation(self) -> Reason | None:
        return REASONS.get(self.reason)

    @property
    def waits(self) -> bool:
        return self.state in (StudyState.QUEUED, StudyState.RUNNING)

    @property
    def comes_within(self) -> int | None:
        # Its place in line, rounded up to a power of two: whenever a question is answered, all that wait move
        # up, and their pages would be drawn again for that.
        return max(_SOON, 1 << (self.position - 1).bit_length()) if self.position else None

    @property
    def may_be_asked(self) -> bool:
        return self.state in (NOT_ASKED, StudyState.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyAnswer(Inquiry):
    difference: TextDifference | None = None
    minimised: MinimisedSequence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimisedSequence:
    # Counted from 1.
    steps: tuple[int, ...]
    total: int
    actions: tuple[Any, ...]
    # None where the environment has other actions today.
    commandline: str | None
    # Whether none of the actions can be left out.
    minimal: bool
    trials: int


def step_number(text: str, item: SubmissionItem) -> int:
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
    # Empty if it has one; so below.
    if not _is_verified(item):
        return "Only the steps of a verified item can be compared."
    if not _spec(item).state_text:
        return f"The environment {_spec(item).slug} has no text of a program's states."
    return ""


def why_not_minimised(item: SubmissionItem) -> str:
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
    # A step without effect changes nothing, which is known.
    if item.verification is None or why_no_difference(item):
        return StudyAnswer()
    stored = (item.verification.result or {}).get("steps") or ()
    if len(stored) >= step and stored[step - 1].get("had_no_effect"):
        return StudyAnswer(state=StudyState.DONE, difference=_NOTHING)
    study = find_study(Study.Kind.DIFFERENCE, item.verification, step)
    return _answer(study, item)


def minimised_of(item: SubmissionItem) -> StudyAnswer:
    # For its final state and its exact metrics.
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
        actions = tuple(item.actions[position] for position in found.kept)
        version = item.submission.board.environment_version
        minimised = MinimisedSequence(
            steps=tuple(position + 1 for position in found.kept),
            total=len(item.actions),
            actions=actions,
            commandline=stored_commandline(version, actions, item.action_space),
            minimal=found.minimal,
            trials=found.trials,
        )
        return StudyAnswer(state=study.state, minimised=minimised)
    return StudyAnswer(
        state=study.state, position=place_in_line(study), reason=study.reason, detail=study.detail
    )


@dataclass(slots=True, kw_only=True)
class Fold:
    # Lines that are folded together, each with its kind and its HTML; under no head where the text is one.
    head: str | None
    lines: list[tuple[str, str]] = field(default_factory=list)


def folded_lines(text: str, language: str) -> tuple[list[Fold], int]:
    # Lines that begin with a sign of the unified format, and how many are left out since a page would be too
    # long. Pygments would end a line at a "\r" too.
    lines = text.replace("\r", " ").split("\n")
    folds = [Fold(head=None)]
    size = shown = 0
    for line in lines:
        body = highlighted_line(line[1:], language or "text")
        size += len(body.encode(errors="replace")) + _LINE_BYTES
        if size > limits.SHOWN_TEXT_BYTES:
            break
        shown += 1
        if (kind := _KINDS.get(line[:1], "same")) == "hunk":
            folds.append(Fold(head=line))
        else:
            folds[-1].lines.append((kind, escape(line[:1]) + body))
    return [fold for fold in folds if fold.lines], len(lines) - shown


def difference_lines(item: SubmissionItem, answer: StudyAnswer) -> tuple[list[Fold], int]:
    text = answer.difference.text if answer.difference else ""
    return folded_lines(text, _spec(item).state_language) if text else ([], 0)


def neighbours(item: SubmissionItem) -> tuple[SubmissionItem | None, SubmissionItem | None]:
    places = (item.position - 1, item.position + 1)
    rows = SubmissionItem.objects.filter(submission=item.submission_id, position__in=places)
    shown = rows.select_related("benchmark").only(
        "submission_id", "position", "benchmark_uri", "benchmark__kind", "benchmark__name"
    )
    found = {one.position: one for one in shown}
    return found.get(places[0]), found.get(places[1])


def best_known(item: SubmissionItem) -> dict[str, Any] | None:
    """The best verified result of an item's benchmark on its board, and whose find it is."""
    rows = BestResult.objects.filter(board=item.submission.board_id, benchmark_uri=item.benchmark_uri)
    best = rows.select_related("item__submission__owner").first()
    return None if best is None else {"item": best.item, "found": first_find(best.item)}

"""Read games: what an address names, what runners have found, and what it is compared with."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Final, NamedTuple
from urllib.parse import quote
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models.functions import Now
from django.urls import reverse

from datasets.models import Baseline, Benchmark, DatasetVersion
from datasets.pages import example_environment
from datasets.selectors import find_benchmark, find_in_dataset, uris_of
from leaderboard.models import BestResult, Board, SubmissionItem
from leaderboard.records.queries import may_read_actions
from leaderboard.submissions.steps import Inquiry, action_text, stored_commandline, stored_names
from optarena import limits
from optarena.actions import Action, Decisions, action_description, action_name, check_actions, is_structured
from optarena.datasets import BenchmarkUri, environments_of
from optarena.errors import InvalidInput
from optarena.specs import EnvironmentSpec, Metric, board_specs, environment_spec, environment_specs
from optarena.specs.board import measured_intervals
from optarena.specs.environment import CPU
from optarena.specs.results import ReplayResult
from optarena.specs.rewards import UNOPTIMISED, level_order
from optarena.studies import (
    ActionOutcome,
    LookAheadResult,
    TextPart,
    found_candidates,
    played_text,
    read_played,
)
from optarena.suggestions import unknown_name
from runner import conf
from runner.database import read_rows
from runner.models import EnvironmentVersion, Study, StudyState
from runner.queue.studies import Look, find_looks, found_so_far, read_look, read_looks
from runner.queue.work import PlayedState
from runner.selectors import runners_with

# As many digits of a version's digest are in an address.
DIGEST_DIGITS: Final = 12
# Each has some 100 kB.
_KEPT_ANSWERS: Final = 128
_KEPT_LEVELS: Final = 1_000
_KEPT_PROGRAMS: Final = 128
_KEPT_MATCHES: Final = 128
_SOON_MS, _MS_IN_LINE, _LONGEST_MS = 300, 500, 10_000
_RUNNING_MS: Final = 500
_SPREAD: Final = 0.2
_UNREADABLE: Final = "infra:internal"
_STUDY_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, kw_only=True)
class Game:
    # A program, an environment, and the actions so far. `benchmark` may be the range that has `uri`. `words`
    # find the actions that are tried where there are too many to try all. `environments` play the program,
    # the usual one first; `boards` are all of its dataset, and `bests` are theirs of this program.
    benchmark: Benchmark
    uri: str
    spec: EnvironmentSpec
    actions: tuple[Action, ...] = ()
    environments: tuple[EnvironmentSpec, ...] = ()
    boards: tuple[Board, ...] = ()
    bests: tuple[BestResult, ...] = ()
    words: str = ""

    @property
    def program(self) -> str:
        return BenchmarkUri.parse(self.uri).path

    @property
    def actions_text(self) -> str:
        return played_text(self.actions)

    @property
    def is_searched(self) -> bool:
        return is_structured(self.spec.action_table)

    @property
    def option_words(self) -> str:
        # Those that belong to the state; a text that filters does not.
        return self.words if self.is_searched else ""

    @property
    def is_decided(self) -> bool:
        return isinstance(self.spec.action_table, Decisions)

    @property
    def range(self) -> tuple[int, int] | None:
        # The least and the greatest size, where the program is one of several.
        low, high = self.benchmark.parameter_min, self.benchmark.parameter_max
        return None if low is None or high is None else (low, high)

    @cached_property
    def matches(self) -> tuple[tuple[Action, ...], int] | None:
        # The actions that are tried, and how many have the words; None where all are tried.
        return _matches(self.spec.slug, self.words, self.actions)

    @cached_property
    def state(self) -> PlayedState:
        return PlayedState.of(
            self.spec,
            self.benchmark,
            self.uri,
            self.actions,
            candidates=self.matches and self.matches[0],
            device=_device(self.spec, BenchmarkUri.parse(self.uri).dataset),
        )

    @property
    def finds_some(self) -> bool:
        return self.matches is None or bool(self.matches[0])

    def name_of(self, action: Action) -> str:
        return action_name(self.spec.action_table, action)

    def before(self) -> Game | None:
        return self.after(self.actions[:-1]) if self.actions else None

    def after(self, actions: Sequence[Action]) -> Game:
        return replace(self, actions=tuple(actions))

    def without_words(self) -> Game:
        return replace(self, words="")

    @cached_property
    def address(self) -> str:
        # The usual environment may be another one tomorrow, but its page may not be.
        is_usual = self.spec is self.environments[0] and not self.actions and not self.option_words
        return play_address(self.uri) if is_usual else self.full_address

    @cached_property
    def full_address(self) -> str:
        # It names the environment in any case.
        version = {"environment": self.spec.slug, "digest": self.spec.digest}
        return play_address(self.uri, self.actions, words=self.option_words, **version)

    @property
    def commandline(self) -> str:
        return self.spec.commandline(self.actions)


@lru_cache(_KEPT_MATCHES)
def _matches(
    environment: str, words: str, actions: tuple[Action, ...]
) -> tuple[tuple[Action, ...], int] | None:
    # Options are hundreds, and a page needs those of its state and of the state before.
    return found_candidates(environment_spec(environment).action_table, words, actions)


def play_address(
    uri: str, actions: Sequence[Action] = (), *, environment: str = "", digest: str = "", words: str = ""
) -> str:
    given = {
        "environment": environment,
        "version": digest[:DIGEST_DIGITS] if actions else "",
        "actions": played_text(actions),
        "q": quote(words),
    }
    query = "&".join(f"{name}={value}" for name, value in given.items() if value)
    return f"{_page_of(uri)}?{query}" if query else _page_of(uri)


@lru_cache(_KEPT_PROGRAMS)
def _page_of(uri: str) -> str:
    # A page of a game has its own address a dozen times.
    parsed = BenchmarkUri.parse(uri)
    return reverse("leaderboard:play", args=[parsed.dataset, parsed.path])


def playable(version: DatasetVersion, boards: Sequence[Board] | None = None) -> list[EnvironmentSpec]:
    # Those of boards come first, in the order of the boards. `boards` are those of the version.
    ranked = [board.environment for board in board_specs()]
    order = {slug: place for place, slug in reversed([*enumerate(ranked)])}
    here = dict.fromkeys(
        one.environment_version.env_id for one in (boards_of(version) if boards is None else boards)
    )
    known = {spec.slug: spec for spec in environment_specs()}
    own = {spec.slug: spec for spec in environments_of(version.name)}
    own |= {slug: known[slug] for slug in here if slug in known}
    if not own and (example := example_environment(version)):
        own = {example: environment_spec(example)}
    found = filter(is_playable, own.values())
    return sorted(found, key=lambda spec: order.get(spec.slug, len(ranked)))


def boards_of(version: DatasetVersion) -> list[Board]:
    rows = Board.objects.filter(dataset_version=version).select_related("environment_version", "puzzle")
    unread = ("description", "environment_version__spec", "puzzle__program", "puzzle__about")
    return list(rows.defer(*unread).order_by("slug"))


def is_playable(spec: EnvironmentSpec) -> bool:
    # Its actions are few enough to try all, or a text finds some.
    table = spec.action_table
    return spec.boardable and (not is_structured(table) or hasattr(table, "matching"))


def is_looked_at(spec: EnvironmentSpec, dataset: str) -> bool:
    # Whether a runner that was seen of late can look at states. None may be at work just now.
    hardware = conf.hardware_class(_device(spec, dataset))
    return runners_with(spec.digest, hardware).filter(seen_at__gt=Now() - conf.RUNNER_KEPT).exists()


def _device(spec: EnvironmentSpec, dataset: str) -> str:
    # Where a measurement alone needs the device, any machine can look at states.
    named = (one.device for one in board_specs() if (one.environment, one.dataset) == (spec.slug, dataset))
    return next(named, CPU) if spec.measures_at_once else CPU


# The places of a program's rows, of its boards' and of its best results', and the transactions that wrote
# them: another answer once one of them has changed. To have Django find the rows takes ten times as long.
_ROWS: Final = """
SELECT program.ctid::text, program.xmin::text, version.ctid::text, version.xmin::text, (
    SELECT array_agg((board.ctid, board.xmin, puzzle.ctid, puzzle.xmin)::text ORDER BY board.id)
    FROM leaderboard_board AS board LEFT JOIN leaderboard_puzzle AS puzzle ON puzzle.board_id = board.id
    WHERE board.dataset_version_id = version.id
), (
    SELECT array_agg((best.ctid, best.xmin, item.ctid, item.xmin)::text ORDER BY best.id)
    FROM leaderboard_board AS board
    JOIN leaderboard_bestresult AS best ON best.board_id = board.id AND best.benchmark_uri = %s
    JOIN leaderboard_submissionitem AS item ON item.id = best.item_id
    WHERE board.dataset_version_id = version.id
)
FROM datasets_benchmark AS program JOIN datasets_datasetversion AS version ON version.id = program.version_id
WHERE program.uri = ANY(%s)
"""


class PlayedProgram(NamedTuple):
    # The program or the range with a URI, the boards of its dataset, and their best results of the program.
    benchmark: Benchmark | None
    boards: tuple[Board, ...] = ()
    bests: tuple[BestResult, ...] = ()


def find_program(uri: str) -> PlayedProgram:
    uris = uris_of(uri)
    return _read_program(uri, str(read_rows(_ROWS, [next(iter(uris), ""), uris])))


@lru_cache(_KEPT_PROGRAMS)
def _read_program(uri: str, rows: str) -> PlayedProgram:  # noqa: ARG001 - names the answer
    benchmark = find_benchmark(uri)
    if benchmark is None or benchmark.is_generated:
        # What a generator computes would be computed for each look at its page.
        return PlayedProgram(benchmark)
    boards = tuple(boards_of(benchmark.version))
    bests = BestResult.objects.filter(board__in=boards, benchmark_uri=uris_of(uri)[0]).order_by()
    shown = ("board_id", "item__value", "item__position", "item__submission_id")
    return PlayedProgram(benchmark, boards, tuple(bests.select_related("item").only(*shown)))


def find_game(program: PlayedProgram, path: str, query: Mapping[str, str]) -> Game | None:
    """The game that an address names; None where no environment plays the program.

    Raises:
        InvalidInput: The environment or an action does not exist, the environment does not play the
            program, or there are too many actions.
    """
    benchmark, boards, bests = program
    if benchmark is None or benchmark.is_generated:
        return None
    specs = playable(benchmark.version, boards)
    if not specs:
        return None
    slug = query.get("environment", "") or specs[0].slug
    spec = next((one for one in specs if one.slug == slug), None)
    if spec is None:
        others = [one.slug for one in specs]
        if slug not in {one.slug for one in environment_specs()}:
            raise unknown_name("environment", slug, others)
        message = f"{slug} does not play the programs of {benchmark.version.name}."
        remedy = f"Choose one of these: {', '.join(others)}."
        raise InvalidInput(message, field="environment", value=slug, remedy=remedy)
    uri = f"{benchmark.uri.removesuffix(benchmark.name)}{path}"
    words = query.get("q", "").strip()[: limits.SEARCH_LENGTH]
    game = Game(
        benchmark=benchmark,
        uri=uri,
        spec=spec,
        environments=tuple(specs),
        boards=boards,
        bests=bests,
        words=words,
    )
    if not spec.digest.startswith(query.get("version", "")):
        return game  # another version numbers other actions: see carried()
    return game.after(read_actions(query.get("actions", ""), spec))


def read_actions(text: str, spec: EnvironmentSpec) -> tuple[Action, ...]:
    return check_actions(spec.action_table, read_played(text))


def right_actions(text: str, spec: EnvironmentSpec) -> tuple[Action, ...]:
    """Those before the first that is wrong, or one too many."""
    right: list[Action] = []
    for word in takewhile(bool, text.split(",")[: limits.PLAYED_ACTIONS]):
        try:
            right += read_actions(word, spec)
        except InvalidInput:
            break
    return tuple(right)


def picked(game: Game, text: str) -> Game:
    """A game after one more action.

    Raises:
        InvalidInput: There is no such action, or it is one too many.
    """
    actions = read_actions(played_text((*game.actions, *read_actions(text, game.spec))), game.spec)
    after = game.after(actions)
    return after if after.finds_some else after.without_words()


def other_size(game: Game, size: str) -> Game:
    """The beginning of a game of another member of a range.

    Raises:
        InvalidInput: The range has no such member, or the program is not of a range.
    """
    if game.range is None or find_in_dataset(game.benchmark.version, size) is None:
        known = (
            f"a number from {game.range[0]:,} to {game.range[1]:,}, in digits only"
            if game.range
            else "no size"
        )
        message = f"{size[: limits.PROBLEM_VALUE_LENGTH]!r} is not a size of this program."
        remedy = f"Give {known}."
        raise InvalidInput(message, field="size", value=size[: limits.PROBLEM_VALUE_LENGTH], remedy=remedy)
    uri = f"{game.benchmark.uri.removesuffix(game.benchmark.name)}{size}"
    return replace(game, uri=uri, actions=())


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedGame:
    # A game of another version of its environment; `missing` are names of actions that this one lacks.
    version: str
    actions: tuple[Action, ...]
    missing: tuple[str, ...]


def carried(game: Game, query: Mapping[str, str]) -> CarriedGame | None:
    """The game of an address whose version is not today's; None if it is.

    Raises:
        InvalidInput: This server never had that version, or an action is not a number.
    """
    asked = query.get("version", "")
    if not asked or game.spec.digest.startswith(asked):
        return None
    known = EnvironmentVersion.objects.filter(env_id=game.spec.slug, digest__startswith=asked).first()
    if known is None or len(asked) < DIGEST_DIGITS:
        raise unknown_name("version", asked, [game.spec.digest[:DIGEST_DIGITS]])
    table, names = game.spec.action_table, stored_names(known)
    actions = read_played(query.get("actions", ""))
    today: dict[str, Action] = {name: number for number, name in enumerate(table.names)}
    told = [(action_text(names, one), one) for one in actions]
    if game.is_searched:
        # Numbers of values mean the same in equal tables alone.
        is_same = stored_commandline(known, ()) is not None
        today = {name: one for name, one in told if is_same}
        check_actions(table, list(today.values()))
    return CarriedGame(
        version=known.digest[:DIGEST_DIGITS],
        actions=tuple(today[name] for name, _ in told if name in today),
        missing=tuple(dict.fromkeys(name for name, _ in told if name not in today)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAnswer(Inquiry):
    # What runners have found by now. `text_key` names its text, which stays the same while more actions are
    # tried, and begins with the study's id.
    text_key: str = ""
    found: LookAheadResult | None = None
    outputs: ReplayResult | None = None

    @property
    def again_ms(self) -> int:
        # When its page asks again. Far behind in line, nothing is known for a while. Pages that got the same
        # answer one after the other would ask together ever after, if all waited equally long.
        behind = (self.comes_within or 0) // 4
        in_line = min(_SOON_MS + _MS_IN_LINE * behind, _LONGEST_MS)
        usual = _RUNNING_MS if self.state == StudyState.RUNNING else in_line
        return round(usual * random.uniform(1 - _SPREAD, 1 + _SPREAD))  # noqa: S311 # no secret

    @property
    def key(self) -> str:
        # Names what was found. A runner that renews its lease, or lets others go first, changes the row only.
        return f"{self.text_key} {self.waits} {len(self.found.tried) if self.found else 0}"

    @property
    def seen(self) -> str:
        # How long it will still take matters until something is found.
        return self.key if self.found else f"{self.key} {self.state} {self.comes_within}"


def seen_in(answers: Iterable[LookAnswer]) -> str:
    """What a page shows of those that it waits for."""
    return "; ".join(sorted(one.seen for one in answers if one.waits))


def is_still(seen: str) -> bool:
    """Whether nothing is new for a page that waits, which names the studies: its game would take longer."""
    studies = read_looks(ids=_STUDY_ID.findall(seen)[: len(Study.Kind)])
    return seen == seen_in(map(_look_answer, studies))


@dataclass(frozen=True, slots=True, kw_only=True)
class StateAnswers:
    # What runners have found of a state by now, and the look ahead from the state before it.
    look_ahead: LookAnswer
    outputs: LookAnswer
    before: Look | None

    def of(self, kind: Study.Kind) -> LookAnswer:
        return self.outputs if kind == Study.Kind.OUTPUTS else self.look_ahead

    def after_asking(self, study: Study) -> StateAnswers:
        answer = next(map(_look_answer, read_looks(ids=[str(study.pk)])), LookAnswer())
        is_of_outputs = study.kind == Study.Kind.OUTPUTS
        return replace(self, outputs=answer) if is_of_outputs else replace(self, look_ahead=answer)


def look_at(game: Game) -> StateAnswers:
    kinds = (Study.Kind.LOOK_AHEAD, Study.Kind.OUTPUTS)
    before = game.before()
    asked = [*((kind, game.state) for kind in kinds), *([(kinds[0], before.state)] if before else [])]
    look_ahead, outputs, *known = find_looks(asked)
    return StateAnswers(
        look_ahead=_look_answer(look_ahead), outputs=_look_answer(outputs), before=next(iter(known), None)
    )


def _look_answer(look: Look | None) -> LookAnswer:
    if look is None:
        return LookAnswer()
    known = LookAnswer(state=look.state, text_key=f"{look.pk} {look.created_at} {look.attempt}")
    try:
        answer = _read_answer(look.pk, look.xmin) if look.has_found else None
    except ValueError as error:
        return replace(known, state=StudyState.FAILED, reason=_UNREADABLE, detail=str(error))
    except Study.DoesNotExist:  # it has just been forgotten
        return LookAnswer()
    if isinstance(answer, ReplayResult):
        return replace(known, outputs=answer)
    if look.state == StudyState.DONE:
        return replace(known, found=answer)
    return replace(known, found=answer, position=look.position, reason=look.reason, detail=look.detail)


@lru_cache(_KEPT_ANSWERS)
def _read_answer(study: UUID, xmin: str) -> LookAheadResult | ReplayResult | None:  # noqa: ARG001 - names the answer
    # If the row has changed meanwhile, the next look has another xmin.
    row = Study.objects.get(pk=study)
    return read_look(row) if row.state == StudyState.DONE else found_so_far(row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    # What an action would give. `number` is as an address has it. `gain` is in the direction of what is
    # better; None without an effect or an exact cost. `summary` says what the state would be, if that is
    # another one.
    number: str
    name: str
    description: str
    cost: float | None
    gain: float | None
    summary: str = ""
    key: str = ""

    @property
    def gain_text(self) -> str:
        if self.gain is None or self.cost is None:
            return ""
        return f"{-self.gain:+,.0f}".replace("-", "−") if self.gain else "0"  # noqa: RUF001 - a minus sign


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    # Those with an effect, best first; those without; and the errors in which others would end, by name.
    effective: tuple[Move, ...]
    idle: tuple[Move, ...]
    failing: tuple[tuple[Move, str], ...]
    untried: int


_KEYS: Final = "123456789"


def moves(game: Game, found: LookAheadResult, *, waits: bool) -> Moves:
    # The words of the game must be in the name or the description, if they did not find the actions.
    listed = [(one, _move(game, one, found)) for one in found.tried]
    wanted = "" if game.is_searched else game.words.lower()
    listed = [pair for pair in listed if wanted in f"{pair[1].name} {pair[1].description}".lower()]
    effective = [move for one, move in listed if one.effect]
    effective.sort(key=lambda move: (move.gain is None, -(move.gain or 0)))
    # While more are tried, others may still come before them.
    keys = _KEYS if len(found.tried) == found.total or not waits else ""
    keyed = [replace(move, key=key) for move, key in zip(effective, keys, strict=False)]
    return Moves(
        effective=(*keyed, *effective[len(keyed) :]),
        idle=tuple(move for one, move in listed if not one.effect and not one.error),
        failing=tuple((move, one.error) for one, move in listed if one.error),
        untried=found.total - len(found.tried),
    )


def _move(game: Game, one: ActionOutcome, found: LookAheadResult) -> Move:
    gain = None
    if one.effect and found.costs and one.cost is not None:
        gain = found.costs[-1] - one.cost
    metric = game.spec.exact_metric
    return Move(
        number=played_text([one.action]),
        name=game.name_of(one.action),
        description=action_description(game.spec.action_table, one.action),
        cost=one.cost,
        gain=-gain if gain is not None and metric and not metric.lower_is_better else gain,
        summary=one.summary if one.summary != found.summary else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredValue:
    metric: Metric
    value: float
    interval: tuple[float, float] | None


def measured(game: Game, answer: LookAnswer) -> list[MeasuredValue]:
    """What a runner measured of a state, each with the interval in which another block is expected."""
    result = answer.outputs
    if result is None or not result.ok:
        return []
    intervals = measured_intervals(result.measurement)
    return [
        MeasuredValue(metric=metric, value=result.metrics[metric.name], interval=intervals.get(metric.name))
        for metric in game.spec.metrics
        if metric.name in result.metrics
    ]


def cost_before_it_is_known(game: Game, compared: Yardsticks, answers: StateAnswers) -> float | None:
    """The cost of a state that nobody has looked at: of the program as given, or as the state before told."""
    if not game.actions:
        return None if game.is_decided else dict(compared.levels).get(UNOPTIMISED)
    found = _look_answer(answers.before).found
    tried = found.tried if found else ()
    return next((one.cost for one in tried if one.action == game.actions[-1]), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardsticks:
    # The values of the compiler's levels, in their order, and the boards with the best known value and what
    # it is a value of.
    levels: tuple[tuple[str, float], ...]
    boards: tuple[tuple[Board, SubmissionItem | None], ...]
    best: tuple[tuple[Metric, SubmissionItem], ...]

    @property
    def sizes(self) -> list[str]:
        # Of a range, those that boards compare.
        uris = dict.fromkeys(uri for board, _ in self.boards for uri in board.benchmarks)
        return [BenchmarkUri.parse(uri).path for uri in uris]

    @property
    def open_boards(self) -> list[Board]:
        return [board for board, _ in self.boards if board.state == Board.State.OPEN]

    @property
    def shown(self) -> list[tuple[str, float]]:
        return list(dict.fromkeys([*self.levels[:1], *([self.par] if self.par else [])]))

    @property
    def par(self) -> tuple[str, float] | None:
        # What boards compare with; else the level with the least value.
        named = next((board.baseline_level for board, _ in self.boards), "")
        at_least = min(self.levels, key=lambda one: one[1], default=None)
        return next(((level, value) for level, value in self.levels if level == named), at_least)


def yardsticks(game: Game) -> Yardsticks:
    metric = game.spec.exact_metric
    version = game.benchmark.version
    # Only a frozen version keeps its values for ever.
    read = _levels if version.frozen else _levels.__wrapped__
    values = read(game.benchmark.pk, version.manifest_sha256, metric.name) if metric else {}
    own = game.benchmark.uri == game.uri  # the levels of a range are not those of its members
    boards = [board for board in game.boards if _is_of(board, game)]
    best = {row.board_id: row.item for row in game.bests}
    known = {game.spec.metric(one.metric): best[one.pk] for one in reversed(boards) if one.pk in best}
    return Yardsticks(
        levels=tuple((level, values[level]) for level in level_order(values)) if own else (),
        boards=tuple((board, best.get(board.pk)) for board in boards),
        best=tuple(sorted(known.items(), key=lambda pair: pair[0] is not metric)),
    )


def _is_of(board: Board, game: Game) -> bool:
    # A puzzle whose day is over is still compared.
    version = board.environment_version
    return (
        (board.state == Board.State.OPEN or hasattr(board, "puzzle"))
        and (version.env_id, version.digest) == (game.spec.slug, game.spec.digest)
        and (not board.benchmarks or game.uri in board.benchmarks)
    )


@lru_cache(_KEPT_LEVELS)
def _levels(benchmark: int, manifest_sha256: str, metric: str) -> dict[str, float]:  # noqa: ARG001 - they are its
    rows = Baseline.objects.filter(benchmark=benchmark, metric=metric)
    return {row.level: row.number for row in rows}


def shown_part(found: LookAheadResult, name: str | None) -> TextPart | None:
    # The one that was asked for, else the first if the last step has changed it, else one that the state is
    # about.
    parts = {one.name: one for one in found.parts}
    first = next(iter(found.parts), None)
    if name in parts or first is None or first.changed:
        return first if name is None else parts.get(name, first)
    return next((parts[word] for word in found.summary.split() if word in parts), first)


def address_from(item: SubmissionItem, viewer: User | AnonymousUser | None) -> str:
    """Where an item's sequence can be played on; empty if it cannot, or the viewer may not read it."""
    version = item.submission.board.environment_version
    spec = environment_spec(version.env_id)
    # Some runner can look at its states if one has replayed it.
    plays = bool(item.decided_at) and is_playable(spec) and not item.action_space
    plays = plays and not item.benchmark.is_generated
    if not plays or len(item.actions) > limits.PLAYED_ACTIONS or not may_read_actions(item, viewer):
        return ""
    return play_address(item.benchmark_uri, item.actions, environment=spec.slug, digest=version.digest)

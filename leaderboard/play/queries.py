"""Read games: what an address names, what runners have found, and what it is compared with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from django.db.models import Q
from django.urls import reverse

from datasets import selectors as dataset_selectors
from datasets.pages import example_environment
from leaderboard.models import BestResult, Board
from leaderboard.records.queries import may_read_actions
from leaderboard.submissions.steps import Inquiry, action_text, stored_names
from optarena import limits
from optarena.actions import action_description, is_structured
from optarena.datasets import BenchmarkUri, environments_of
from optarena.errors import InvalidInput
from optarena.specs import board_specs, environment_spec, environment_specs
from optarena.specs.rewards import level_order
from optarena.studies import LookAheadResult
from optarena.suggestions import unknown_name
from runner.models import EnvironmentVersion, Study, StudyState
from runner.queue.studies import find_study, found_so_far, place_in_line, read_look
from runner.queue.work import PlayedState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.contrib.auth.models import AnonymousUser, User
    from django.db.models import QuerySet

    from datasets.models import Benchmark, DatasetVersion
    from leaderboard.models import SubmissionItem
    from optarena.specs import EnvironmentSpec
    from optarena.specs.results import ReplayResult
    from optarena.studies import ActionOutcome, TextPart

# As many digits of a version's digest are in an address.
DIGEST_DIGITS: Final = 12
_UNREADABLE: Final = "infra:internal"


@dataclass(frozen=True, kw_only=True)
class Game:
    # A program, an environment, and the actions so far. `benchmark` may be the range that has `uri`.
    benchmark: Benchmark
    uri: str
    spec: EnvironmentSpec
    actions: tuple[int, ...] = ()
    is_usual: bool = True

    @property
    def program(self) -> str:
        return BenchmarkUri.parse(self.uri).path

    @property
    def names(self) -> Sequence[str]:
        return self.spec.action_table.names

    @cached_property
    def state(self) -> PlayedState:
        return PlayedState.of(self.spec, self.benchmark, self.uri, self.actions)

    def before(self) -> Game | None:
        return self.after(self.actions[:-1]) if self.actions else None

    def after(self, actions: Sequence[int]) -> Game:
        return replace(self, actions=tuple(actions))

    @property
    def address(self) -> str:
        # The usual environment may be another one tomorrow, but its page may not be.
        environment = "" if self.is_usual and not self.actions else self.spec.slug
        return play_address(self.uri, self.actions, environment=environment, digest=self.spec.digest)

    @property
    def commandline(self) -> str:
        return self.spec.commandline(self.actions)


def play_address(uri: str, actions: Sequence[int] = (), *, environment: str = "", digest: str = "") -> str:
    parsed = BenchmarkUri.parse(uri)
    given = {
        "environment": environment,
        "version": digest[:DIGEST_DIGITS] if actions else "",
        "actions": ",".join(map(str, actions)),
    }
    query = "&".join(f"{name}={value}" for name, value in given.items() if value)
    page = reverse("leaderboard:play", args=[parsed.dataset, parsed.path])
    return f"{page}?{query}" if query else page


def playable(version: DatasetVersion) -> list[EnvironmentSpec]:
    # Those whose actions are numbers; those of boards come first, in the order of the boards.
    ranked = [board.environment for board in board_specs()]
    order = {slug: place for place, slug in reversed([*enumerate(ranked)])}
    here = Board.objects.filter(dataset_version=version).values_list("environment_version__env_id", flat=True)
    known = {spec.slug: spec for spec in environment_specs()}
    own = {spec.slug: spec for spec in environments_of(version.name)}
    own |= {slug: known[slug] for slug in here.distinct().order_by() if slug in known}
    if not own and (example := example_environment(version)):
        own = {example: environment_spec(example)}
    return sorted(filter(is_playable, own.values()), key=lambda spec: order.get(spec.slug, len(ranked)))


def is_playable(spec: EnvironmentSpec) -> bool:
    return spec.boardable and not is_structured(spec.action_table)


def find_game(benchmark: Benchmark, path: str, query: Mapping[str, str]) -> Game | None:
    """The game that an address names; None where no environment plays the program.

    Raises:
        InvalidInput: The environment or an action does not exist, or there are too many actions.
    """
    # A program that a generator computes would be computed for each look at its page.
    specs = [] if benchmark.is_generated else playable(benchmark.version)
    if not specs:
        return None
    slug = query.get("environment", "") or specs[0].slug
    spec = next((one for one in specs if one.slug == slug), None)
    if spec is None:
        raise unknown_name("environment", slug, [one.slug for one in specs])
    uri = f"{benchmark.uri.removesuffix(benchmark.name)}{path}"
    game = Game(benchmark=benchmark, uri=uri, spec=spec, is_usual=spec is specs[0])
    if not spec.digest.startswith(query.get("version", "")):
        return game  # another version numbers other actions: see carried()
    return game.after(read_actions(query.get("actions", ""), spec))


def read_actions(text: str, spec: EnvironmentSpec) -> tuple[int, ...]:
    return _numbers(text, spec, below=len(spec.action_table.names))


def _numbers(text: str, spec: EnvironmentSpec, *, below: int) -> tuple[int, ...]:
    words = _words(text)
    wrong = next((word for word in words if not _is_below(word, below)), None)
    if wrong is not None:
        raise InvalidInput(
            f"The environment {spec.slug} has no action {wrong[: limits.PROBLEM_VALUE_LENGTH]!r}.",
            field="actions",
            value=wrong,
            remedy=f"Give integers from 0 to {below - 1} with commas between them.",
        )
    return tuple(map(int, words))


def _words(text: str) -> list[str]:
    words = text.split(",") if text else []
    if len(words) > limits.PLAYED_ACTIONS:
        raise InvalidInput(
            f"The game has {len(words):,} actions, and at most {limits.PLAYED_ACTIONS:,} can be played.",
            field="actions",
            value=f"{len(words)} actions",
            remedy="Leave out those without effect, or submit the sequence as a file.",
        )
    return words


def _is_below(word: str, number: int) -> bool:
    is_number = word.isascii() and word.isdecimal() and len(word) <= limits.PARAMETER_DIGITS
    return is_number and int(word) < number


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedGame:
    # A game of another version of its environment; `missing` are names of actions that this one lacks.
    version: str
    actions: tuple[int, ...]
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
    names, today = stored_names(known), {name: number for number, name in enumerate(game.names)}
    numbers = _numbers(query.get("actions", ""), game.spec, below=10**limits.PARAMETER_DIGITS)
    told = [action_text(names, number) for number in numbers]
    return CarriedGame(
        version=known.digest[:DIGEST_DIGITS],
        actions=tuple(today[name] for name in told if name in today),
        missing=tuple(dict.fromkeys(name for name in told if name not in today)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAnswer(Inquiry):
    # What runners have found.
    found: LookAheadResult | None = None
    outputs: ReplayResult | None = None


def look_at(game: Game, kind: Study.Kind) -> LookAnswer:
    study = find_study(kind, game.state, len(game.actions))
    if study is None:
        return LookAnswer()
    if study.state != StudyState.DONE:
        return LookAnswer(
            state=study.state,
            position=place_in_line(study),
            reason=study.reason,
            detail=study.detail,
            found=found_so_far(study) if kind == Study.Kind.LOOK_AHEAD else None,
        )
    try:
        answer = read_look(study)
    except ValueError as error:
        return LookAnswer(state=StudyState.FAILED, reason=_UNREADABLE, detail=str(error))
    if isinstance(answer, LookAheadResult):
        return LookAnswer(state=study.state, found=answer)
    return LookAnswer(state=study.state, outputs=answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    # What an action would give. `gain` is in the direction of what is better; None without an exact cost.
    number: int
    name: str
    description: str
    cost: float | None
    gain: float | None
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


def moves(game: Game, found: LookAheadResult, words: str, *, waits: bool) -> Moves:
    # `words` must be in the name or the description.
    cost = found.costs[-1] if found.costs else None
    listed = [(one, _move(game, one, cost)) for one in found.tried]
    wanted = words.lower()
    listed = [pair for pair in listed if wanted in f"{pair[1].name} {pair[1].description}".lower()]
    effective = [move for one, move in listed if one.effect]
    effective.sort(key=lambda move: (-(move.gain or 0), move.number))
    # While more are tried, others may still come before them.
    keys = _KEYS if len(found.tried) == found.total or not waits else ""
    keyed = [replace(move, key=key) for move, key in zip(effective, keys, strict=False)]
    return Moves(
        effective=(*keyed, *effective[len(keyed) :]),
        idle=tuple(move for one, move in listed if not one.effect and not one.error),
        failing=tuple((move, one.error) for one, move in listed if one.error),
        untried=found.total - len(found.tried),
    )


def _move(game: Game, one: ActionOutcome, cost: float | None) -> Move:
    gain = None if cost is None or one.cost is None else cost - one.cost
    metric = game.spec.cost_metric
    return Move(
        number=one.action,
        name=game.names[one.action] if one.action < len(game.names) else str(one.action),
        description=action_description(game.spec.action_table, one.action),
        cost=one.cost,
        gain=-gain if gain is not None and metric and not metric.lower_is_better else gain,
    )


def cost_before_it_is_known(game: Game) -> float | None:
    """The cost of a state that nobody has looked at, as the state before it told."""
    before = game.before()
    if before is None:
        return None
    found = look_at(before, Study.Kind.LOOK_AHEAD).found
    tried = found.tried if found else ()
    return next((one.cost for one in tried if one.action == game.actions[-1]), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardsticks:
    # The values of the compiler's levels, in their order, and the boards with the best known value.
    levels: tuple[tuple[str, float], ...]
    boards: tuple[tuple[Board, SubmissionItem | None], ...]

    @property
    def best(self) -> SubmissionItem | None:
        return next((item for _, item in self.boards if item is not None), None)

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
    metric = game.spec.cost_metric
    values = dataset_selectors.baselines_of(game.benchmark).get(metric.name, {}) if metric else {}
    own = game.benchmark.uri == game.uri  # the levels of a range are not those of its members
    boards = [board for board in _boards(game) if not board.benchmarks or game.uri in board.benchmarks]
    rows = BestResult.objects.filter(board__in=boards, benchmark_uri=game.uri)
    best = {row.board_id: row.item for row in rows.select_related("item__submission__owner")}
    return Yardsticks(
        levels=tuple((level, values[level]) for level in level_order(values)) if own else (),
        boards=tuple((board, best.get(board.pk)) for board in boards),
    )


def _boards(game: Game) -> QuerySet[Board]:
    # A puzzle whose day is over is still compared.
    rows = Board.objects.filter(
        Q(state=Board.State.OPEN) | Q(puzzle__isnull=False),
        dataset_version=game.benchmark.version_id,
        environment_version__env_id=game.spec.slug,
        environment_version__digest=game.spec.digest,
    )
    return rows.select_related("environment_version").order_by("slug")


def shown_part(found: LookAheadResult, name: str | None) -> TextPart | None:
    # The one that was asked for, else the first, which the last step has changed.
    return next((one for one in found.parts if one.name == name), next(iter(found.parts), None))


def address_from(item: SubmissionItem, viewer: User | AnonymousUser | None) -> str:
    """Where an item's sequence can be played on; empty if it cannot, or the viewer may not read it."""
    version = item.submission.board.environment_version
    spec = environment_spec(version.env_id)
    plays = is_playable(spec) and not item.action_space and not item.benchmark.is_generated
    if not plays or len(item.actions) > limits.PLAYED_ACTIONS or not may_read_actions(item, viewer):
        return ""
    return play_address(item.benchmark_uri, item.actions, environment=spec.slug, digest=version.digest)

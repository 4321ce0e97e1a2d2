"""Checks a read document against boards, benchmarks and the action table; answers with every problem.

Reads the database, writes nothing. The result is a ``Draft``, which is valid in every respect.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from datasets.selectors import find_benchmarks
from leaderboard.agent_names import same_to_the_eye
from leaderboard.models import Board, PortableBoard
from leaderboard.selectors import reference_names
from leaderboard.selectors.known_names import look_alike
from optarena import limits
from optarena.documents.places import Place, add_problem, shown
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.specs.benchmark import BenchmarkUri
from optarena.state import refuse_claim
from optarena.suggestions import did_you_mean
from runner.work import ActionSequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from datasets.models import Benchmark
    from leaderboard.services.documents import About, Document, RawItem

MAX_NAMED: Final = 16
"""Benchmarks of a board that a problem names; of a board with more, only names similar to the given one."""

MOST_COMPARED: Final = 40_000
"""Names that unknown benchmarks of one document are compared with: a hostile document has many of both."""
MIN_COMPARED: Final = 1_000
"""As many names a suggestion counts for at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftItem:
    """One checked item."""

    benchmark: Benchmark
    benchmark_uri: str
    actions: ActionSequence
    commandline: str
    reward: float | None
    walltime: float | None
    claims: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A checked submission, ready to be stored."""

    board: Board
    about: About
    items: tuple[DraftItem, ...]

    @property
    def content_sha256(self) -> str:
        """A hash of the board and each benchmark's actions, the same for every submitter."""
        content = sorted((item.benchmark_uri, item.actions.sha256) for item in self.items)
        return hashlib.sha256(json.dumps([self.board.slug, content]).encode()).hexdigest()


def draft(document: Document) -> Draft:
    """Check a document.

    Raises:
        InvalidDocument: With all problems, those met while reading included.
    """
    problems = list(document.problems)
    board = _board(document.about.board, problems)
    items: list[DraftItem] = []
    if board is not None:
        refuse_known_name(document.about.agent, reference_names(board), Place(problems, "agent"))
        items = _Checker(board, problems).items(document.items)
    if problems:
        raise InvalidDocument(problems)
    if board is None:  # pragma: no cover - a missing board is a problem, and was raised above
        raise AssertionError("a document without a board passed")
    return Draft(board=board, about=document.about, items=tuple(items))


def find_board(slug: str) -> Board | None:
    """The board with this slug, with everything that a submission to it is checked against."""
    return Board.objects.select_related("environment_version", "dataset_version").filter(slug=slug).first()


def _board(slug: str, problems: list[Problem]) -> Board | None:
    if not slug:
        return None  # reading has reported it
    board = find_board(slug)
    if board is None:
        place = Place(problems, "board")
        if PortableBoard.objects.filter(slug=slug).exists():
            remedy = "Send them to /api/v1/portable/entries/, or use `optarena portfolio submit`."
            place.problem("This board takes portable entries only.", slug, remedy)
            return None
        known = ", ".join(Board.objects.values_list("slug", flat=True)) or "none yet"
        place.problem("There is no such board.", slug, f"Boards: {known}.")
        return None
    if board.state != Board.State.OPEN or not is_current(board):
        place = Place(problems, "board")
        remedy = "Submit to one of the open boards at /boards/."
        place.problem("This board takes no submissions any more.", slug, remedy)
    return board


def refuse_known_name(agent: str, references: Iterable[str], place: Place) -> None:
    """Refuse a name that people would take for a reference of the board, or for another agent's."""
    looks_like = same_to_the_eye(agent, references) or look_alike(agent)
    if looks_like:
        message = f"The name looks like {looks_like!r}, which is another one's name here."
        place.problem(message, agent, "Give the agent a name that cannot be taken for it.")


def is_current(board: Board) -> bool:
    """Whether the environment installed here is the version that the board compares."""
    version = board.environment_version
    return environment_spec(version.env_id).digest == version.digest


def claimable(board: Board) -> frozenset[str]:
    """The metrics that items may claim: those of the environment, without the board's reference."""
    spec = environment_spec(board.environment_version.env_id)
    return frozenset(spec.claimable_names) - {board.reference_metric}


class _Checker:
    """Checks the items of one document; the query count does not grow with them."""

    def __init__(self, board: Board, problems: list[Problem]) -> None:
        self.board = board
        self.problems = problems
        self.spec: EnvironmentSpec = environment_spec(board.environment_version.env_id)
        self.metrics = claimable(board)
        self.listed: tuple[str, ...] = tuple(board.benchmarks)
        self.compared = 0

    def items(self, raw: Sequence[RawItem]) -> list[DraftItem]:
        uris = {item.row: self.uri(item) for item in raw}
        known = find_benchmarks({uri for uri in uris.values() if uri})
        seen: dict[str, int] = {}
        drafts = []
        for item in raw:
            uri = uris[item.row]
            benchmark = self.benchmark(item, uri, known)
            if uri and uri in seen:
                self.problem(
                    item, "benchmark", f"Row {seen[uri]} already has this benchmark.", uri, "Keep one row."
                )
            seen.setdefault(uri or "", item.row)
            actions = self.actions(item)
            self.claims(item)
            if benchmark is not None and uri and actions is not None:
                drafts.append(self.draft(item, benchmark, uri, actions))
        return drafts

    def draft(self, item: RawItem, benchmark: Benchmark, uri: str, actions: ActionSequence) -> DraftItem:
        return DraftItem(
            benchmark=benchmark,
            benchmark_uri=uri,
            actions=actions,
            commandline=self.spec.commandline(actions.actions, actions.action_space),
            reward=item.reward,
            walltime=item.walltime,
            claims=item.claims,
        )

    def uri(self, item: RawItem) -> str | None:
        if not item.benchmark:
            return None  # reading has reported it
        try:
            return str(BenchmarkUri.parse(item.benchmark))
        except InvalidInput as error:
            self.refuse(item, "benchmark", item.benchmark, error)
            return None

    def benchmark(self, item: RawItem, uri: str | None, known: Mapping[str, Benchmark]) -> Benchmark | None:
        if uri is None:
            return None
        if self.listed and uri not in self.listed:
            message = f"Board {self.board.slug} does not compare this benchmark."
            self.problem(item, "benchmark", message, uri, self.nearest(uri))
            return None
        found = known.get(uri)
        dataset = self.board.dataset_version
        if found is not None and found.version_id == dataset.pk:
            return found
        given = BenchmarkUri.parse(uri).dataset
        if given != dataset.name:  # of all rows alike, so that they are told together
            message = f"Board {self.board.slug} compares {dataset.name} only."
            remedy = f"Take benchmarks of {dataset.name}. {self.listing}"
            self.problem(item, "benchmark", message, f"benchmark://{given}/", remedy)
        else:
            self.problem(item, "benchmark", "There is no such benchmark.", uri, self.nearest(uri))
        return None

    @cached_property
    def dataset_uris(self) -> tuple[str, ...]:
        return tuple(self.board.dataset_version.benchmarks.values_list("uri", flat=True))

    def nearest(self, uri: str) -> str:
        if 0 < len(self.listed) <= MAX_NAMED:
            return f"Choose among {', '.join(self.listed)}."
        known = self.listed or self.dataset_uris
        near = ""
        if self.compared < MOST_COMPARED:
            self.compared += MIN_COMPARED + len(known)
            near = did_you_mean(uri, known, otherwise="")
        return f"{near} {self.listing}".lstrip()

    @property
    def listing(self) -> str:
        """Where the board's benchmarks are listed."""
        dataset = self.board.dataset_version.name
        place = f"boards/{self.board.slug}" if self.listed else f"datasets/{dataset}/benchmarks"
        return f"All are listed at /api/v1/{place}/."

    def actions(self, item: RawItem) -> ActionSequence | None:
        found = self.listed_actions(item) if item.commandline is None else self.parsed_actions(item)
        if found is not None and not self.are_few(item, found.actions):
            return None
        return found

    def parsed_actions(self, item: RawItem) -> ActionSequence | None:
        try:
            return ActionSequence.parsed(self.spec, item.commandline or "")
        except InvalidInput as error:
            value = item.commandline if error.value is None else str(error.value)
            self.refuse(item, "commandline", value or "", error)
            return None

    def listed_actions(self, item: RawItem) -> ActionSequence | None:
        if item.actions is None or not self.are_few(item, item.actions):
            return None
        try:
            return ActionSequence.checked(self.spec, item.actions, item.action_space)
        except InvalidInput as error:
            name = error.field if error.field == "action_space" else "actions"
            remedy = f"{error.remedy} See /api/v1/environments/{self.spec.slug}/."
            self.problem(item, name, error.message, str(error.value), remedy)
            return None

    def are_few(self, item: RawItem, actions: Sequence[object]) -> bool:
        if len(actions) <= limits.MAX_ACTIONS_PER_ITEM:
            return True
        message = f"At most {limits.MAX_ACTIONS_PER_ITEM:,} actions are allowed; these are {len(actions):,}."
        self.problem(item, "actions", message, "", "Drop actions that have no effect.")
        return False

    def claims(self, item: RawItem) -> None:
        for name in sorted(item.claims.keys() - self.metrics):
            place = self.place(item).at("claims").at(name)
            instead = next((one.claimed_as for one in self.spec.metrics if one.name == name), "")
            if instead:
                message = f"A value of {name} means nothing on another machine."
                place.problem(message, str(item.claims[name]), f"Claim {instead}, or nothing.")
            else:
                refuse_claim(name, self.metrics, place)

    def place(self, item: RawItem) -> Place:
        return Place(self.problems, row=item.row)

    def problem(self, item: RawItem, name: str, message: str, value: str, remedy: str) -> None:
        self.place(item).at(name).problem(message, value, remedy)

    def refuse(self, item: RawItem, name: str, value: str, error: InvalidInput) -> None:
        add_problem(self.problems, Problem.of(error, field=name, row=item.row, value=shown(value)))

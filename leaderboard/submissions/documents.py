"""Read an uploaded document and check it: from bytes to plain data to a draft that is valid."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Final

from django.db.models import F, Func, IntegerField, Q
from django.db.models.functions import Length

from datasets.models import Benchmark
from datasets.selectors import find_benchmarks
from leaderboard.boards.models import is_current
from leaderboard.boards.queries import reference_names
from leaderboard.models import Board, PortableBoard, PortableEntry, Submission
from leaderboard.people.agent_names import agent_name, in_latin, same_to_the_eye
from optarena import limits
from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.loading import csv_records, load_json
from optarena.documents.places import Place, add_problem, quote_value
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs import EnvironmentSpec, board_specs, environment_spec, environment_specs
from optarena.specs.benchmark import BenchmarkUri
from optarena.state import (
    EFFORT,
    beside_items,
    columns,
    item_kind,
    items_of,
    read_item,
    refuse_claim,
    repeated_rows,
)
from optarena.suggestions import did_you_mean
from runner.queue.work import ActionSequence

ITEM: Final = item_kind(limits.URI_LENGTH)
_ABOUT: Final[Mapping[str, Field]] = {
    "board": Field(
        kinds.text(longest=limits.NAMED_BOARD_LENGTH, is_trimmed=True),
        needed=True,
        description="The board.",
        example=next(iter(board_specs())).slug,
    ),
    "agent": Field(
        agent_name(longest=limits.AGENT_LENGTH),
        needed=True,
        description="The agent's name: visible text, stored in Unicode's normal form NFKC.",
        example="random search",
    ),
    "description": Field(
        kinds.text(longest=limits.DESCRIPTION_LENGTH, lines=True, is_trimmed=True, is_optional=True),
        description="What the agent does.",
    ),
    "url": Field(
        kinds.address(longest=limits.SUBMISSION_URL_LENGTH, is_trimmed=True, is_optional=True),
        description="Where to read more.",
    ),
    "effort": Field(EFFORT),
    "open": Field(
        kinds.FLAG,
        description=(
            "Whether everybody may read the sequences as soon as they are verified. Otherwise those may who "
            "have verified something at least as good, and everybody after the board's `open_after_days`."
        ),
    ),
}
ABOUT: Final = kinds.record(_ABOUT)
SUBMISSION: Final = kinds.record({**_ABOUT, "items": Field(kinds.list_of(ITEM, least=1), needed=True)})


class MalformedDocument(InvalidInput):
    """The bytes are not a document of the named format."""


class DocumentTooLarge(InvalidInput):
    """The document has more bytes than a submission may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawItem:
    # The CSV's row from 1, or the JSON list's index from 0.
    row: int
    benchmark: str
    # As it was sent, which problems quote.
    sent: object = ""
    commandline: str | None = None
    actions: tuple[int | tuple[int, ...], ...] | None = None
    action_space: str = ""
    reward: float | None = None
    walltime: float | None = None
    # As they were sent, whole numbers too, which problems quote.
    claims: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    board: str = ""
    agent: str = ""
    description: str = ""
    url: str = ""
    compilations: int | None = None
    walltime_seconds: float | None = None
    trained_on_test_set: bool = False
    open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    about: About
    items: tuple[RawItem, ...]
    problems: tuple[Problem, ...]


def check_size(body: bytes) -> None:
    if len(body) > limits.MAX_SUBMISSION_BYTES:
        raise DocumentTooLarge(
            f"The submission has {len(body):,} bytes; at most {limits.MAX_SUBMISSION_BYTES:,} are allowed.",
            field="body",
            remedy="Split it, or submit fewer benchmarks at a time.",
        )


def check_count(items: int) -> None:
    # Before any of them is checked.
    if items > limits.MAX_ITEMS_PER_SUBMISSION:
        raise DocumentTooLarge(
            f"The submission has {items:,} items; at most {limits.MAX_ITEMS_PER_SUBMISSION:,} are allowed.",
            field="items",
            remedy="Submit fewer benchmarks at a time.",
        )


def json_object(body: bytes, shape: str) -> dict[str, object]:
    """The JSON object that was sent, before its fields are read; ``shape`` tells what it should be."""
    data = _json(body)
    if not isinstance(data, dict):
        message = "The body must be a JSON object."
        raise MalformedDocument(message, field="body", remedy=f"Send {shape}.")
    return data


def _json(body: bytes) -> object:
    check_size(body)
    try:
        return load_json(body.decode("utf-8-sig"), most=limits.MAX_JSON_NAMES)
    except (ValueError, RecursionError) as error:
        message = f"The body is not valid JSON: {error}."
        raise MalformedDocument(message, field="body", remedy="Send UTF-8 JSON.") from error


def read_json(body: bytes, *, about: Mapping[str, object] | None = None) -> Document:
    """Read a submission's document, or its items alone; ``about`` are texts that replace its own fields."""
    data = _json(body)
    if not isinstance(data, dict | list):
        message = "The body must be a JSON object, or a list of items."
        raise MalformedDocument(message, field="body", remedy="Send {'board': …, 'items': […]}.")
    place = Place()
    read_about = _about(_replaced(beside_items(data), _meant(about or {})), place)
    items = items_of(data, place)
    check_count(len(items))
    return Document(
        about=read_about, items=_read_items(enumerate(items), place), problems=tuple(place.problems)
    )


def _meant(about: Mapping[str, object]) -> dict[str, object]:
    # Texts as the values that they spell. What is blank is left out; what spells none is refused later.
    spelled = Place(is_spelled=True)
    given = {name: value for name, value in about.items() if not kinds.is_nothing(value, spelled)}
    return _replaced(given, ABOUT.read(given, spelled) or {})


def _replaced(own: Mapping[str, object], about: Mapping[str, object]) -> dict[str, object]:
    whole = {**own, **about}
    known, given = own.get("effort"), about.get("effort")
    return whole | ({"effort": known | given} if isinstance(known, dict) and isinstance(given, dict) else {})


def read_csv(body: bytes, *, about: Mapping[str, object], metrics: Collection[str] | None = None) -> Document:
    # All values of `about` may be texts. `metrics` are the columns that may be claims; None if every further
    # column is one.
    check_size(body)
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedDocument(
            f"The body is not UTF-8 text: {error}.", field="body", remedy="Save the file as UTF-8."
        ) from error
    place = Place(is_spelled=True)
    read_about = _about(about, place)
    before = len(place.problems)
    records = csv_records(text, columns(metrics), place, check_count=check_count)
    check_count(len(records))
    if not records and len(place.problems) == before:
        place.problem("There are no rows.", None, "Give at least one row, below the header if it has one.")
    items = _read_items(records, place)
    return Document(about=read_about, items=items, problems=tuple(place.problems))


def about_from_query(query: Mapping[str, str]) -> dict[str, object]:
    # In the shape of the JSON document.
    about: dict[str, object] = {name: value for name, value in query.items() if name not in EFFORT.fields}
    effort = {name: query[name] for name in EFFORT.fields if query.get(name)}
    return about | ({"effort": effort} if effort else {})


def _about(data: Mapping[str, object], place: Place) -> About:
    read = ABOUT.read(data, place) or {}
    effort = read.pop("effort", {})
    return About(**read, **effort)


@cache
def _metrics() -> frozenset[str]:
    # The board, which may be unknown, decides which of them can be claimed.
    return frozenset(name for spec in environment_specs() for name in spec.claimable_names)


def _read_items(records: Iterable[tuple[int, object]], place: Place) -> tuple[RawItem, ...]:
    items = []
    for row, record in records:
        read = read_item(record, ITEM, _metrics(), place.record(row))
        if read is not None:
            # A blank one is reported already, and CSV has none.
            sent = record.get("benchmark") if isinstance(record, dict) and read.get("benchmark") else ""
            items.append(_raw_item(row, read | {"sent": sent}))
    return tuple(items)


def _raw_item(row: int, read: dict[str, Any]) -> RawItem:
    read |= {"benchmark": read.get("benchmark", ""), "commandline": read.get("commandline") or None}
    read |= {name: float(read[name]) for name in ("reward", "walltime") if name in read}
    return RawItem(row=row, **read)


# Benchmarks of a board that a problem names; of a board with more, only names similar to the given one.
MAX_NAMED: Final = 16

# Names that unknown benchmarks of one document are compared with: a hostile document has many of both.
MOST_COMPARED: Final = 40_000
# As many names a suggestion counts for at least.
MIN_COMPARED: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftItem:
    benchmark: Benchmark
    benchmark_uri: str
    actions: ActionSequence
    commandline: str
    reward: float | None
    walltime: float | None
    claims: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    board: Board
    about: About
    items: tuple[DraftItem, ...]

    @property
    def content_sha256(self) -> str:
        # The same for every submitter.
        content = sorted((item.benchmark_uri, item.actions.sha256) for item in self.items)
        return hashlib.sha256(json.dumps([self.board.slug, content]).encode()).hexdigest()


def draft(document: Document) -> Draft:
    problems = list(document.problems)
    board = _board(document.about.board, problems)
    items: list[DraftItem] = []
    if board is not None:
        refuse_known_name(document.about.agent, reference_names(board), Place(problems, "agent"))
        items = _Checker(board, problems).items(document.items)
    if problems or board is None:  # a missing board is among the problems
        raise InvalidDocument(problems)
    return Draft(board=board, about=document.about, items=tuple(items))


def find_board(slug: str) -> Board | None:
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
        # Puzzles add a board a day, of which one takes submissions.
        named = Board.objects.filter(Q(puzzle=None) | Q(state=Board.State.OPEN))
        known = ", ".join(named.values_list("slug", flat=True)) or "none yet"
        place.problem("There is no such board.", slug, f"Boards: {known}.")
        return None
    if board.state != Board.State.OPEN or not is_current(board):
        place = Place(problems, "board")
        remedy = "Submit to one of the open boards at /boards/."
        why = f"This board was withdrawn: {board.withdrawn}" if board.withdrawn else ""
        place.problem(why or "This board takes no submissions any more.", slug, remedy)
    return board


def refuse_known_name(agent: str, references: Iterable[str], place: Place) -> None:
    """Refuse a name that people would take for a reference of the board, or for another agent's."""
    looks_like = same_to_the_eye(agent, references) or _look_alike(agent)
    if looks_like:
        message = f"The name looks like {looks_like!r}, which is another one's name here."
        place.problem(message, agent, "Give the agent a name that cannot be taken for it.")


def _look_alike(agent: str) -> str:
    # A known name of the same length that is written in other letters than Latin ones, or is the Latin name.
    # A name that is known itself may be anybody's, even if it looks like another one.
    latin = in_latin(agent)
    size = Func("agent", function="OCTET_LENGTH", output_field=IntegerField())
    submitted, sealed = (
        kind.objects.alias(length=Length("agent"), size=size)
        .filter(Q(size__gt=F("length")) | Q(agent__iexact=latin), length=len(agent))
        .order_by()
        .values_list("agent", flat=True)
        for kind in (Submission, PortableEntry)
    )
    known = list(submitted.union(sealed))
    if agent.casefold() in map(str.casefold, known):
        return ""
    return next((one for one in known if in_latin(one) == latin), "")


def has_few_actions(actions: Sequence[object], place: Place) -> bool:
    if len(actions) <= limits.MAX_ACTIONS_PER_ITEM:
        return True
    message = f"At most {limits.MAX_ACTIONS_PER_ITEM:,} actions are allowed; these are {len(actions):,}."
    place.at("actions").problem(message, None, "Drop actions that have no effect.")
    return False


def claimable(board: Board) -> frozenset[str]:
    # Without the board's own reference.
    spec = environment_spec(board.environment_version.env_id)
    return frozenset(spec.claimable_names) - {board.reference_metric}


class _Checker:
    """Checks items. The query count does not grow with them."""

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
        repeated = repeated_rows((row, uri) for row, uri in uris.items() if uri)
        drafts = []
        for item in raw:
            uri = uris[item.row]
            benchmark = self.benchmark(item, uri, known)
            if item.row in repeated:
                self.problem(item, "benchmark", repeated[item.row], item.sent, "Keep one row.")
            actions = self.actions(item)
            self.claims(item)
            if benchmark is not None and uri and actions is not None:
                drafts.append(
                    DraftItem(
                        benchmark=benchmark,
                        benchmark_uri=uri,
                        actions=actions,
                        commandline=self.spec.commandline(actions.actions, actions.action_space),
                        reward=item.reward,
                        walltime=item.walltime,
                        claims={name: float(value) for name, value in item.claims.items()},
                    )
                )
        return drafts

    def uri(self, item: RawItem) -> str | None:
        if not item.benchmark:
            return None  # reading has reported it
        try:
            return str(BenchmarkUri.parse(item.benchmark))
        except InvalidInput as error:
            self.refuse(item, "benchmark", item.sent, error)
            return None

    def benchmark(self, item: RawItem, uri: str | None, known: Mapping[str, Benchmark]) -> Benchmark | None:
        if uri is None:
            return None
        if self.listed and uri not in self.listed:
            message = f"Board {self.board.slug} does not compare this benchmark."
            self.problem(item, "benchmark", message, item.sent, self.nearest(uri))
            return None
        found = known.get(uri)
        dataset = self.board.dataset_version
        if found is not None and found.version_id == dataset.pk:
            return found
        if BenchmarkUri.parse(uri).dataset != dataset.name:
            message = f"Board {self.board.slug} compares {dataset.name} only."
            remedy = f"Take benchmarks of {dataset.name}. {self.listing}"
            self.problem(item, "benchmark", message, item.sent, remedy)
        else:
            self.problem(item, "benchmark", "There is no such benchmark.", item.sent, self.nearest(uri))
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
        dataset = self.board.dataset_version.name
        place = f"boards/{self.board.slug}" if self.listed else f"datasets/{dataset}/benchmarks"
        return f"All are listed at /api/v1/{place}/."

    def actions(self, item: RawItem) -> ActionSequence | None:
        try:
            if item.commandline is not None:
                found = ActionSequence.parsed(self.spec, item.commandline)
            elif item.actions is None or not has_few_actions(item.actions, self.place(item)):
                return None
            else:
                found = ActionSequence.checked(self.spec, item.actions, item.action_space)
        except InvalidInput as error:
            if item.commandline is not None:
                value = item.commandline if error.value is None else str(error.value)
                self.refuse(item, "commandline", value, error)
            else:
                name = error.field if error.field == "action_space" else "actions"
                remedy = f"{error.remedy} See /api/v1/environments/{self.spec.slug}/."
                self.problem(item, name, error.message, error.value, remedy)
            return None
        return found if has_few_actions(found.actions, self.place(item)) else None

    def claims(self, item: RawItem) -> None:
        for name in sorted(item.claims.keys() - self.metrics):
            place = self.place(item).at("claims").at(name)
            instead = next((one.claimed_as for one in self.spec.metrics if one.name == name), "")
            if instead:
                message = f"A value of {name} means nothing on another machine."
                place.problem(message, item.claims[name], f"Claim {instead}, or nothing.")
            else:
                refuse_claim(name, item.claims[name], self.metrics, place)

    def place(self, item: RawItem) -> Place:
        return Place(self.problems, row=item.row)

    def problem(self, item: RawItem, name: str, message: str, value: object, remedy: str) -> None:
        self.place(item).at(name).problem(message, value, remedy)

    def refuse(self, item: RawItem, name: str, value: object, error: InvalidInput) -> None:
        add_problem(self.problems, Problem.of(error, field=name, row=item.row, value=quote_value(value)))

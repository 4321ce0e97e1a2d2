"""Turns the bytes of a submission into plain data, collecting every problem; knows no database.

Two formats: JSON, and the CSV of the state format with the other fields beside it. ``SUBMISSION`` declares
both; the OpenAPI document is built from it. What is not even a document raises ``MalformedDocument``; what is
one, with unusable values, is returned with its problems.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from leaderboard.agent_names import agent_name
from optarena import limits
from optarena.documents import kinds
from optarena.documents.kinds import Field, Kind
from optarena.documents.loading import csv_records, load_json
from optarena.documents.places import Place
from optarena.errors import InvalidInput
from optarena.specs import board_specs
from optarena.state import CLAIMS, COLUMNS, columns

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from optarena.errors import Problem


_SECONDS: Final = kinds.number(low=0)
EFFORT: Final = kinds.record(
    {
        "compilations": Field(
            kinds.number(low=0, is_whole=True), description="Compilations of one program during the search."
        ),
        "walltime_seconds": Field(_SECONDS, description="Seconds of the whole search."),
        "trained_on_test_set": Field(
            kinds.FLAG, description="Whether the agent saw these programs in training."
        ),
    }
)
ITEM: Final = kinds.record(
    description="Either `commandline` or `actions`, not both.",
    one_of=("commandline", "actions"),
    fields={
        "benchmark": Field(
            kinds.text(longest=limits.URI_LENGTH, is_trimmed=True),
            needed=True,
            example="benchmark://kernels-v0/quicksort",
        ),
        "commandline": Field(kinds.text(is_trimmed=True, is_optional=True)),
        "actions": Field(
            kinds.INTEGERS, description="Members of the action space: numbers, or lists of numbers."
        ),
        "action_space": Field(
            kinds.text(longest=limits.ACTION_SPACE_LENGTH, is_trimmed=True, is_optional=True),
            description="The action space of `actions`, if it is not the environment's first.",
        ),
        "reward": Field(kinds.number()),
        "walltime": Field(_SECONDS),
        "claims": Field(CLAIMS, example={"ir_instructions": 123}),
    },
)
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
}
ABOUT: Final = kinds.record(_ABOUT)
"""The fields of a submission beside its items."""
_BESIDE_ITEMS: Final = kinds.record(_ABOUT, elsewhere=("items",))
SUBMISSION: Final = kinds.record({**_ABOUT, "items": Field(kinds.list_of(ITEM, least=1), needed=True)})


class MalformedDocument(InvalidInput):
    """The bytes are not a document of the named format."""


class DocumentTooLarge(InvalidInput):
    """The document has more bytes than a submission may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawItem:
    """One item as it was sent. ``row`` is the CSV's 1-based row or the JSON list's 0-based index."""

    row: int
    benchmark: str
    commandline: str | None = None
    actions: tuple[int | tuple[int, ...], ...] | None = None
    action_space: str = ""
    reward: float | None = None
    walltime: float | None = None
    claims: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """The fields of a submission beside its items, as they were read."""

    board: str = ""
    agent: str = ""
    description: str = ""
    url: str = ""
    compilations: int | None = None
    walltime_seconds: float | None = None
    trained_on_test_set: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A read submission: its usable values and all problems met on the way."""

    about: About
    items: tuple[RawItem, ...]
    problems: tuple[Problem, ...]


def check_size(body: bytes) -> None:
    """Refuse a body over the limit.

    Raises:
        DocumentTooLarge: The body is too large.
    """
    if len(body) > limits.MAX_SUBMISSION_BYTES:
        raise DocumentTooLarge(
            f"The submission has {len(body):,} bytes; at most {limits.MAX_SUBMISSION_BYTES:,} are allowed.",
            field="body",
            remedy="Split it, or submit fewer benchmarks at a time.",
        )


def check_count(items: int) -> None:
    """Refuse more items than a submission may have, before any of them is checked.

    Raises:
        DocumentTooLarge: There are more items than that.
    """
    if items > limits.MAX_ITEMS_PER_SUBMISSION:
        raise DocumentTooLarge(
            f"The submission has {items:,} items; at most {limits.MAX_ITEMS_PER_SUBMISSION:,} are allowed.",
            field="items",
            remedy="Submit fewer benchmarks at a time.",
        )


def read_json(body: bytes) -> Document:
    """Read a JSON submission.

    Raises:
        MalformedDocument: It is not UTF-8 JSON, or not an object.
        DocumentTooLarge: It is over the limit, or has too many items.
        InvalidDocument: It has more problems than are listed.
    """
    check_size(body)
    try:
        data = load_json(body.decode("utf-8"), most=limits.MAX_JSON_NAMES)
    except (ValueError, RecursionError) as error:
        raise MalformedDocument(
            f"The body is not valid JSON: {error}.", field="body", remedy="Send UTF-8 JSON."
        ) from error
    if not isinstance(data, dict):
        raise MalformedDocument(
            "The body must be a JSON object.", field="body", remedy="Send {'board': …, 'items': […]}."
        )
    place = Place()
    about = _about(data, place, _BESIDE_ITEMS)
    return Document(about=about, items=_items(data.get("items"), place), problems=tuple(place.problems))


def read_csv(body: bytes, *, about: Mapping[str, object], metrics: Collection[str] | None = None) -> Document:
    """Read a CSV submission: the state format.

    Args:
        body: The document.
        about: The fields that a CSV has no place for, as JSON has them; every value may be a text.
        metrics: The columns that may be claims; None if every further column is one.

    Raises:
        MalformedDocument: It is not UTF-8 text.
        DocumentTooLarge: It is over the limit, or has too many rows.
        InvalidDocument: It has more problems than are listed.
    """
    check_size(body)
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedDocument(
            f"The body is not UTF-8 text: {error}.", field="body", remedy="Save the file as UTF-8."
        ) from error
    place = Place(is_spelled=True)
    read_about = _about(about, place, ABOUT)
    before = len(place.problems)
    records = csv_records(text, columns(metrics), place, check_count=check_count)
    check_count(len(records))
    if not records and len(place.problems) == before:
        place.problem("There are no rows.", None, "Give at least one row, below the header if it has one.")
    items = _read_items(records, place)
    return Document(about=read_about, items=items, problems=tuple(place.problems))


def about_from_query(query: Mapping[str, str]) -> dict[str, object]:
    """The fields beside a CSV, from the texts of a query string or form, in the JSON document's shape."""
    about: dict[str, object] = {name: value for name, value in query.items() if name not in EFFORT.fields}
    return about | {"effort": {name: query[name] for name in EFFORT.fields if query.get(name)}}


def _about(data: Mapping[str, object], place: Place, fields: Kind[kinds.Json]) -> About:
    read = fields.read(data, place) or {}
    effort = read.pop("effort", {})
    return About(**read, **effort)


def _items(data: object, place: Place) -> tuple[RawItem, ...]:
    if not isinstance(data, list) or not data:
        remedy = "Send a list of objects, each with a benchmark and a commandline or actions."
        place.at("items").problem("A submission needs at least one item.", data, remedy)
        return ()
    check_count(len(data))
    return _read_items(list(enumerate(data)), place)


def _read_items(records: Iterable[tuple[int, object]], place: Place) -> tuple[RawItem, ...]:
    read = ((row, _item(record, place.record(row))) for row, record in records)
    return tuple(RawItem(row=row, **item) for row, item in read if item is not None)


def _item(data: object, place: Place) -> dict[str, Any] | None:
    """The usable values of one item, as JSON and CSV both give them."""
    if not isinstance(data, dict):
        ITEM.read(data, place.at("items"))
        return None
    read = _row(data, place) if place.is_spelled else ITEM.read(data, place) or {}
    given = [name for name in ("commandline", "actions") if not _is_blank(data.get(name))]
    if len(given) != 1:
        message = "Give either a command line or a list of actions" + (", not both." if given else ".")
        place.at("commandline").problem(message, None, "Keep one of the two fields.")
    if "actions" not in given and not _is_blank(data.get("action_space")):
        message = (
            "An action space belongs to a list of actions; a command line begins with its own word for it."
        )
        place.at("action_space").problem(message, data["action_space"], "Leave it out, or give actions.")
    read |= {"benchmark": read.get("benchmark", ""), "commandline": read.get("commandline") or None}
    read["action_space"] = read.get("action_space") or ""
    if not read["action_space"] and not _is_blank(data.get("action_space")):
        read.pop("actions", None)  # of no known space, so there is nothing to check them against
    read |= {name: float(read[name]) for name in ("reward", "walltime") if name in read}
    return read | {"claims": {name: float(value) for name, value in read.get("claims", {}).items()}}


def _is_blank(value: object) -> bool:
    """Whether a value counts as missing: spaces alone are dropped from CSV, so they mean nothing in JSON."""
    return value is None or (isinstance(value, str) and not value.strip())


def _row(record: Mapping[str, str], place: Place) -> dict[str, Any]:
    """The usable values of a row, whose further columns are claims."""
    claims = {name: value for name, value in record.items() if name not in COLUMNS}
    own = {name: value for name, value in record.items() if name in COLUMNS}
    return (ITEM.read(own, place) or {}) | {"claims": CLAIMS.read(claims, place) or {}}

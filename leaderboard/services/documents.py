"""Turns the bytes of a submission into plain data, collecting every problem; knows no database.

Two formats: JSON, and the CSV of the state format with the other fields beside it. What is not even a
document raises ``MalformedDocument``; what is one, with unusable values, is returned with its problems.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from leaderboard.common.strict_json import load_strictly
from optarena import limits
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.limits import MAX_ITEMS_PER_SUBMISSION, MAX_SUBMISSION_BYTES
from optarena.state import MAX_NUMBER, EnvState, read_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_JOINERS: Final = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"

_TOP: Final = frozenset({"board", "agent", "description", "url", "effort", "items"})
_EFFORT: Final = frozenset({"compilations", "walltime_seconds", "trained_on_test_set"})
_ITEM: Final = frozenset({"benchmark", "commandline", "actions", "reward", "walltime", "claims"})


class MalformedDocument(InvalidInput):
    """The bytes are no document of the named format."""


class DocumentTooLarge(InvalidInput):
    """The document has more bytes than a submission may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawItem:
    """One item as it was sent. ``row`` is the CSV's 1-based row or the JSON list's 0-based index."""

    row: int
    benchmark: str
    commandline: str | None = None
    actions: tuple[int, ...] | None = None
    reward: float | None = None
    walltime: float | None = None
    claims: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a submission says about itself, beside its items."""

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
        DocumentTooLarge: It is.
    """
    if len(body) > MAX_SUBMISSION_BYTES:
        raise DocumentTooLarge(
            f"The submission has {len(body):,} bytes; at most {MAX_SUBMISSION_BYTES:,} are allowed.",
            field="body",
            remedy="Split it, or submit fewer benchmarks at a time.",
        )


def check_count(items: int) -> None:
    """Refuse more items than a submission may have, before any of them is looked at.

    Raises:
        DocumentTooLarge: They are more.
    """
    if items > MAX_ITEMS_PER_SUBMISSION:
        raise DocumentTooLarge(
            f"The submission has {items:,} items; at most {MAX_ITEMS_PER_SUBMISSION:,} are allowed.",
            field="items",
            remedy="Submit fewer benchmarks at a time.",
        )


def read_json(body: bytes) -> Document:
    """Read a JSON submission.

    Raises:
        MalformedDocument: It is not UTF-8 JSON, or not an object.
        DocumentTooLarge: It is over the limit.
    """
    check_size(body)
    try:
        data = load_strictly(body.decode("utf-8"))
    except ValueError as error:
        raise MalformedDocument(
            f"The body is not valid JSON: {error}.", field="body", remedy="Send UTF-8 JSON."
        ) from error
    if not isinstance(data, dict):
        raise MalformedDocument(
            "The body must be a JSON object.", field="body", remedy="Send {'board': …, 'items': […]}."
        )
    reader = _Reader()
    reader.known(data, _TOP, where="")
    about = reader.about(data)
    items = reader.items(data.get("items"))
    return Document(about=about, items=items, problems=tuple(reader.problems))


def read_csv(body: bytes, *, about: Mapping[str, object], metrics: Collection[str]) -> Document:
    """Read a CSV submission (the state format); ``about`` holds the fields that a CSV has no place for.

    Raises:
        MalformedDocument: It is not UTF-8 text.
        DocumentTooLarge: It is over the limit.
    """
    check_size(body)
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedDocument(
            f"The body is not UTF-8 text: {error}.", field="body", remedy="Save the file as UTF-8."
        ) from error
    check_count(text.count("\n") - 1)
    reader = _Reader()
    reader.known(about, _TOP - {"items"}, where="")
    read_about = reader.about(about)
    items: tuple[RawItem, ...] = ()
    try:
        rows, problems = read_rows(text, format="csv", metrics=metrics)
    except InvalidDocument as error:
        reader.problems.extend(error.problems)
    else:
        reader.problems.extend(problems)
        items = tuple(_item_of(row, state) for row, state in rows)
    return Document(about=read_about, items=items, problems=tuple(reader.problems))


def _item_of(row: int, state: EnvState) -> RawItem:
    return RawItem(
        row=row,
        benchmark=state.benchmark,
        commandline=state.commandline,
        reward=state.reward,
        walltime=state.walltime,
        claims=dict(state.claims),
    )


def about_from_query(query: Mapping[str, str]) -> dict[str, object]:
    """The fields beside a CSV, from the texts of a query string or form, in the JSON document's shape."""
    about: dict[str, object] = {name: value for name, value in query.items() if name not in _EFFORT}
    effort = {name: _from_text(name, query[name]) for name in _EFFORT if query.get(name)}
    return about | {"effort": effort}


def _from_text(name: str, text: str) -> object:
    if name == "trained_on_test_set":
        return {"true": True, "on": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
    try:
        return float(text)
    except ValueError:
        return text


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    most = limits.PROBLEM_VALUE_LENGTH
    return text if len(text) <= most else f"{text[: most - 1]}…"


class _Reader:
    """Reads fields one by one; whatever cannot be used becomes a problem and a harmless value."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def problem(self, name: str, message: str, value: object, remedy: str, row: int | None) -> None:
        self.problems.append(
            Problem(field=name, message=message, value=_shown(value), remedy=remedy, row=row)
        )

    def known(self, data: Mapping[str, object], allowed: Collection[str], where: str) -> None:
        for key in data:
            if key not in allowed:
                names = ", ".join(sorted(allowed))
                self.problem(f"{where}{key}", "There is no such field.", data[key], f"Fields: {names}.", None)

    def about(self, data: Mapping[str, object]) -> About:
        effort = data.get("effort")
        if effort is None:
            effort = {}
        if not isinstance(effort, dict):
            self.problem("effort", "Effort must be an object.", effort, "See the documentation.", None)
            effort = {}
        self.known(effort, _EFFORT, where="effort.")
        return About(
            board=self.text(data, "board", limits.NAMED_BOARD_LENGTH, required=True),
            agent=self.text(data, "agent", limits.AGENT_LENGTH, required=True),
            description=self.text(data, "description", limits.DESCRIPTION_LENGTH, lines=True),
            url=self.url(data),
            compilations=self.count(effort, "compilations", "effort.compilations"),
            walltime_seconds=self.number(effort, "walltime_seconds", "effort.walltime_seconds", low=0),
            trained_on_test_set=self.flag(effort, "trained_on_test_set", "effort.trained_on_test_set"),
        )

    def items(self, data: object) -> tuple[RawItem, ...]:
        if not isinstance(data, list) or not data:
            self.problem(
                "items",
                "A submission needs at least one item.",
                "" if data is None else data,
                "Send a list of objects, each with a benchmark and a commandline or actions.",
                None,
            )
            return ()
        check_count(len(data))
        return tuple(item for row, entry in enumerate(data) if (item := self.item(row, entry)) is not None)

    def item(self, row: int, data: object) -> RawItem | None:
        if not isinstance(data, dict):
            self.problem("items", "An item must be an object.", data, "See the documentation.", row)
            return None
        for key in sorted(data.keys() - _ITEM):
            names = ", ".join(sorted(_ITEM))
            self.problem(key, "There is no such field.", data[key], f"Fields of an item: {names}.", row)
        return RawItem(
            row=row,
            benchmark=self.text(data, "benchmark", limits.URI_LENGTH, required=True, row=row),
            commandline=self.commandline(data, row),
            actions=self.actions(data, row),
            reward=self.number(data, "reward", "reward", row=row),
            walltime=self.number(data, "walltime", "walltime", low=0, row=row),
            claims=self.claims(data.get("claims"), row),
        )

    def commandline(self, data: Mapping[str, object], row: int) -> str | None:
        given = [name for name in ("commandline", "actions") if data.get(name) is not None]
        if len(given) != 1:
            message = "Give either a command line or a list of actions" + (", not both." if given else ".")
            self.problem("commandline", message, "", "Keep one of the two fields.", row)
        value = data.get("commandline")
        if value is None:
            return None
        if not isinstance(value, str) or not printable(value):
            self.problem("commandline", "A command line is plain text.", value, "Send a string.", row)
            return None
        return value

    def actions(self, data: Mapping[str, object], row: int) -> tuple[int, ...] | None:
        value = data.get("actions")
        if value is None:
            return None
        if not isinstance(value, list) or any(type(one) is not int for one in value):
            self.problem("actions", "Actions are a list of whole numbers.", value, "Send [1, 2, …].", row)
            return None
        return tuple(value)

    def claims(self, data: object, row: int) -> dict[str, float]:
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.problem("claims", "Claims must be an object.", data, "Send {'metric': value}.", row)
            return {}
        read = {name: self.number(data, name, f"claims.{name}", low=0, row=row) for name in data}
        return {name: value for name, value in read.items() if value is not None}

    def text(  # noqa: PLR0913 - one reader for every text field, its rules named where it is called
        self,
        data: Mapping[str, object],
        name: str,
        limit: int,
        *,
        required: bool = False,
        lines: bool = False,
        row: int | None = None,
    ) -> str:
        value = data.get(name)
        if value is None:
            value = ""
        if not isinstance(value, str) or not printable(value, lines=lines):
            self.problem(name, "This must be plain text.", value, "Send printable characters only.", row)
            return ""
        text = value.strip()
        if required and not text:
            self.problem(name, "This field is needed.", value, "Add it.", row)
        if len(text) > limit:
            self.problem(name, f"At most {limit} characters are allowed.", text, "Shorten it.", row)
            return ""
        return text

    def url(self, data: Mapping[str, object]) -> str:
        text = self.text(data, "url", limits.SUBMISSION_URL_LENGTH)
        if text and not _is_web_address(text):
            self.problem("url", "This is not a web address.", text, "Send http://… or https://….", None)
            return ""
        return text

    def number(
        self,
        data: Mapping[str, object],
        key: str,
        name: str,
        *,
        low: float = -MAX_NUMBER,
        row: int | None = None,
    ) -> float | None:
        value = data.get(key)
        if value is None:
            return None
        # NaN fails every comparison and infinity the upper bound; true and false are no numbers here.
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= MAX_NUMBER:
            return float(value)
        bound = "zero" if low == 0 else f"{low:g}"
        message = f"This must be a finite number from {bound} to {MAX_NUMBER:g}."
        self.problem(name, message, value, "Correct it, or leave it out.", row)
        return None

    def count(self, data: Mapping[str, object], key: str, name: str) -> int | None:
        value = self.number(data, key, name, low=0)
        if value is None or value.is_integer():
            return None if value is None else int(value)
        self.problem(name, "This must be a whole number.", value, "Round it.", None)
        return None

    def flag(self, data: Mapping[str, object], key: str, name: str) -> bool:
        value = data.get(key, False)
        if not isinstance(value, bool):
            self.problem(name, "This must be true or false.", value, "Send true or false.", None)
            return False
        return value


def printable(text: str, *, lines: bool = False) -> bool:
    """Whether a text can be seen as it is; ``lines`` allows line breaks.

    It has no control characters, no lone surrogates, and nothing that is invisible or turns the direction of
    writing, but for joiners, which scripts need.
    """
    if text.isascii() and text.isprintable():  # almost every text, and far quicker
        return True
    allowed = _JOINERS + ("\n\r\t" if lines else "")
    return all(one in allowed or unicodedata.category(one) not in {"Cc", "Cf", "Cs"} for one in text)


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and " " not in text
    except ValueError:
        return False

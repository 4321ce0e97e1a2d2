"""Sequences that are known before a search begins: the lists and portfolios of this package, and files.

Each is a TOML file of named sequences for one action table. Those of this package are in ``tables``; they are
frozen, as datasets are.
"""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.loading import document_error, toml_document
from optarena.errors import InvalidInput
from optarena.suggestions import did_you_mean, unknown_name

if TYPE_CHECKING:
    from optarena.actions import ActionTable
    from optarena.agents.outcomes import Sequence
    from optarena.specs import EnvironmentSpec

FOLDER: Final = Path(__file__).parent / "tables"
MOST_BYTES: Final = 1_000_000
MOST_SEQUENCES: Final = 50
_MOST_TEXT: Final = 2_000
_TEXT: Final = kinds.text(longest=_MOST_TEXT)
_SEQUENCE: Final = kinds.record(
    {
        "actions": Field(kinds.text(longest=1_000_000), needed=True),
        "origin": Field(kinds.text(longest=400)),
        "added": Field(kinds.number()),
    }
)
_NAME: Final = Field(kinds.text(longest=100), needed=True)
_FILE: Final = kinds.record(
    {
        "name": _NAME,
        "kind": Field(kinds.text(longest=20), needed=True),
        "table": Field(kinds.text(longest=100), needed=True),
        "description": Field(_TEXT),
        "trained_on": Field(kinds.list_of(_TEXT)),
        "environment_digest": Field(kinds.text(longest=64)),
        "sequence": Field(kinds.list_of(_SEQUENCE, least=1), needed=True),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSequence:
    """A sequence that was found at ``origin``: the URI of a program, or a compiler's level.

    Attributes:
        added: What it added to the sum of the set's logarithmic ratios when it was chosen; None if unknown.
    """

    actions: Sequence
    origin: str = ""
    added: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Portfolio:
    """A set of sequences, the most useful one first.

    Attributes:
        kind: ``portfolio``, or ``list`` for the flattened pipeline of a compiler's own level.
        sha256: Of the file; empty until there is one.
        trained_on: URIs of the programs that it was learned from.
    """

    name: str
    kind: str
    table: str
    sequences: tuple[KnownSequence, ...]
    sha256: str = ""
    trained_on: tuple[str, ...] = field(default=(), repr=False)
    description: str = ""


def read_portfolio(path: Path, table: ActionTable) -> Portfolio:
    """The portfolio in a file.

    Raises:
        InvalidDocument: The file is not one; every problem is listed.
        InvalidInput: It is of another action table, or too large.
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        message, remedy = f"{path} has more than {MOST_BYTES:,} bytes.", "Name a portfolio's TOML file."
        raise InvalidInput(message, field="portfolio", value=str(path), remedy=remedy)
    return parse_portfolio(data, table, name=str(path))


def parse_portfolio(data: bytes, table: ActionTable, *, name: str = "portfolio") -> Portfolio:
    """The portfolio in a document; the errors of ``read_portfolio``."""
    values = _FILE.require(toml_document(data, field=name))
    if values["table"] != table.name:
        message = f"{name} has sequences of {values['table']}, not of {table.name}."
        remedy = f"Name a file for {table.name}, or choose another environment."
        raise InvalidInput(message, field="table", value=values["table"], remedy=remedy)
    if len(values["sequence"]) > MOST_SEQUENCES:
        message = f"{name} has {len(values['sequence'])} sequences."
        raise document_error("sequence", message, f"Keep at most {MOST_SEQUENCES}.")
    indices = {one: index for index, one in enumerate(table.names)}
    return Portfolio(
        name=values["name"],
        kind=values["kind"],
        table=table.name,
        sequences=tuple(_sequence(one, indices, index) for index, one in enumerate(values["sequence"])),
        sha256=hashlib.sha256(data).hexdigest(),
        trained_on=tuple(values.get("trained_on", ())),
        description=values.get("description", ""),
    )


@cache
def _builtin(table_name: str, kind: str) -> Mapping[str, bytes]:
    # By name, the newest first.
    found = {}
    for path in sorted(FOLDER.glob("*.toml"), key=lambda path: version(path.stem), reverse=True):
        data = path.read_bytes()
        values = toml_document(data, field=path.name)
        if (values["table"], values["kind"]) == (table_name, kind):
            found[path.stem] = data
    return found


def version(name: str) -> int:
    """The number at the end of a name."""
    return int(name.rpartition("-v")[2])


def builtin_portfolio(table: ActionTable, kind: str, name: str = "") -> Portfolio | None:
    """A portfolio of this package for an action table, the newest if no name is given; None without one."""
    files = _builtin(table.name, kind)
    data = files.get(name) if name else next(iter(files.values()), None)
    return None if data is None else parse_portfolio(data, table)


def find_portfolio(name: str, table: ActionTable) -> Portfolio:
    """The portfolio of this package with a name, else that in a file.

    Raises:
        UnknownName: There is neither.
        InvalidDocument, InvalidInput, OSError: As for ``read_portfolio``.
    """
    found = builtin_portfolio(table, "portfolio", name) if name else None
    if found is not None:
        return found
    if not Path(name).is_file():
        raise unknown_name("file or portfolio", name, list(_builtin(table.name, "portfolio")))
    return read_portfolio(Path(name), table)


def join_portfolios(portfolios: Iterable[Portfolio], name: str) -> Portfolio:
    """Return the sequences of several portfolios as one, those of the first portfolio first, each once.

    What a sequence added holds for its own portfolio, and is left out.

    Raises:
        InvalidInput: They are of different action tables or kinds, or have too many sequences together.
    """
    parts = tuple(portfolios)
    for field_name in ("table", "kind"):
        values = list(dict.fromkeys(getattr(one, field_name) for one in parts))
        if len(values) > 1:
            message = f"Portfolios of {' and '.join(values)} cannot be joined."
            raise InvalidInput(message, field=field_name, value=values[1], remedy="Join those of one.")
    told = [f"{one.name}: {one.description}" for one in parts if one.description]
    every: dict[Sequence, KnownSequence] = {}
    for one in (one for part in parts for one in part.sequences):
        every.setdefault(one.actions, replace(one, added=None))
    if len(every) > MOST_SEQUENCES:
        message = f"Together they have {len(every)} sequences."
        raise document_error("sequence", message, f"Keep at most {MOST_SEQUENCES}.")
    return Portfolio(
        name=name,
        kind=parts[0].kind,
        table=parts[0].table,
        sequences=tuple(every.values()),
        trained_on=tuple(dict.fromkeys(uri for part in parts for uri in part.trained_on)),
        description=" ".join(told)[:_MOST_TEXT],
    )


def check_name(name: str) -> None:
    """Refuse a name that a portfolio's file cannot have.

    Raises:
        InvalidDocument: It is too long, or has characters that cannot be printed.
    """
    kinds.record({"name": _NAME}).require({"name": name})


def write_portfolio(portfolio: Portfolio, environment: EnvironmentSpec) -> str:
    """The text of a portfolio's file."""
    names = environment.action_table.names
    lines = [f"{key} = {_quoted(getattr(portfolio, key))}" for key in ("name", "kind", "table")]
    lines.append(f"environment_digest = {_quoted(environment.digest)}")
    if portfolio.description:
        lines.append(f"description = {_quoted(portfolio.description)}")
    if portfolio.trained_on:
        programs = "".join(f"  {_quoted(uri)},\n" for uri in portfolio.trained_on)
        lines.append(f"trained_on = [\n{programs}]")
    for one in portfolio.sequences:
        words = textwrap.wrap(" ".join(names[action] for action in one.actions), 110, break_on_hyphens=False)
        text = " \\\n  ".join(words)
        origin = [f"origin = {_quoted(one.origin)}"] if one.origin else []
        added = [] if one.added is None else [f"added = {one.added:.6f}"]
        block = [*origin, *added, f'actions = """\\\n  {text}"""']
        lines += ["", "[[sequence]]", *block]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    # TOML does not know the pairs of escapes that JSON has for characters such as emoji.
    return json.dumps(text, ensure_ascii=False)


def _sequence(values: dict[str, object], indices: dict[str, int], number: int) -> KnownSequence:
    words = str(values["actions"]).split()
    unknown = next((word for word in words if word not in indices), None)
    if unknown is not None:
        message = f"Sequence {number} names {unknown[:100]!r}, which is not an action."
        remedy = did_you_mean(unknown, indices, otherwise="See the environment's action table.")
        raise document_error(f"sequence[{number}].actions", message, remedy, unknown)
    added = values.get("added")
    return KnownSequence(
        actions=tuple(indices[word] for word in words),
        origin=str(values.get("origin") or ""),
        added=float(added) if isinstance(added, (int, float)) else None,
    )

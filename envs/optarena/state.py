"""The state of an environment as text: what an agent found, in CSV or JSON.

``benchmark,reward,walltime,commandline``; in CSV the header is optional and the columns may come in any
order, further columns named after metrics are claims. Every problem of a document is reported at once.
Whether the benchmark exists and what the command line means is not decided here.
"""

from __future__ import annotations

import csv
import io
import json
import reprlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from optarena import limits
from optarena.documents import kinds
from optarena.documents.kinds import Field, Kind
from optarena.documents.loading import Columns, csv_records, decode, document_error, load_json
from optarena.documents.places import Place
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.limits import MAX_NUMBER
from optarena.tables import TextTable

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "CLAIMS", "COLUMNS", "MAX_NUMBER", "REQUIRED", "STATE", "EnvState", "Format", "columns", "decode",
    "format_of", "parse_state", "read_rows", "read_states", "refuse_claim", "write_states",
]  # fmt: skip

Format = Literal["csv", "json"]
COLUMNS: Final = ("benchmark", "reward", "walltime", "commandline")
REQUIRED: Final = ("benchmark", "commandline")
_SAME_REWARD: Final = 1e-5
_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = 60
_TEXT: Final = kinds.text(is_trimmed=True)
_ANY: Final = kinds.number()
_NOT_NEGATIVE: Final = kinds.number(low=0)
# Measured values of metrics, by metric name.
CLAIMS: Final = kinds.map_of(_NOT_NEGATIVE, is_nullable=True, most=limits.MAX_CLAIMS)
STATE: Final = kinds.record(
    {
        "benchmark": Field(_TEXT, needed=True),
        "commandline": Field(_TEXT, needed=True),
        "reward": Field(_ANY),
        "walltime": Field(_NOT_NEGATIVE),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class EnvState:
    """What an agent found for one benchmark.

    Two states are equal if benchmark, command line and claims are, and their rewards differ by less than
    1e-5 or one of them has none. Their hashes do not depend on rewards. ``str()`` has the whole command line,
    ``repr()`` its beginning and its end.

    Attributes:
        benchmark: URI of the benchmark.
        commandline: The actions, in the environment's text form.
        reward: The episode's reward, None if not reported.
        walltime: Seconds that finding it took, None if not reported; states are compared without it.
        claims: Metric name -> value on the final state, as the submitter measured it.

    Raises:
        InvalidInput: A text is empty or has control characters; a number is not finite or out of range.
    """

    benchmark: str
    commandline: str
    reward: float | None = None
    walltime: float | None = None
    claims: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in REQUIRED:
            _require(name, _TEXT, getattr(self, name))
        for name, kind in (("reward", _ANY), ("walltime", _NOT_NEGATIVE)):
            if getattr(self, name) is not None:
                _require(name, kind, getattr(self, name))
        for name, value in self.claims.items():
            _require(name, _NOT_NEGATIVE, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EnvState):
            return NotImplemented
        rewards = (self.reward, other.reward)
        same = None in rewards or abs((self.reward or 0.0) - (other.reward or 0.0)) < _SAME_REWARD
        mine, others = ((one.benchmark, one.commandline, one.claims) for one in (self, other))
        return same and mine == others

    def __hash__(self) -> int:
        return hash((self.benchmark, self.commandline))

    def __repr__(self) -> str:
        return self._text(_SHORT.repr(self.commandline))

    def __str__(self) -> str:
        return self._text(repr(self.commandline))

    def _text(self, commandline: str) -> str:
        words = [f"benchmark={self.benchmark!r}", f"commandline={commandline}"]
        words += [] if self.reward is None else [f"reward={self.reward:.6g}"]
        words += [] if self.walltime is None else [f"walltime={self.walltime:.3g}"]
        words += [f"claims={dict(self.claims)}"] if self.claims else []
        return f"{type(self).__name__}({', '.join(words)})"

    def as_dict(self) -> dict[str, Any]:
        """The state as JSON data."""
        return {
            "benchmark": self.benchmark,
            "reward": self.reward,
            "walltime": self.walltime,
            "commandline": self.commandline,
            "claims": dict(self.claims),
        }

    def as_comment(self) -> str:
        """The state as comment lines that a program's text may begin with."""
        lines = [f"; benchmark: {self.benchmark}", f"; command line: {self.commandline}"]
        return "\n".join(lines if self.reward is None else [*lines, f"; reward: {self.reward}"])

    def _repr_html_(self) -> str:
        fields = (
            ("benchmark", self.benchmark),
            *((name, f"{value:g}") for name, value in self.claims.items()),
            ("reward", "" if self.reward is None else f"{self.reward:.4f}"),
            ("walltime", "" if self.walltime is None else f"{self.walltime:.1f} s"),
            ("commandline", self.commandline),
        )
        return TextTable.of_fields(fields)._repr_html_()  # the name that notebooks ask for


def read_states(text: str | bytes, *, format: Format, metrics: Collection[str]) -> list[EnvState]:  # noqa: A002 # as in write_states
    """Read a document of states, with claims about some metrics; bytes are taken as UTF-8.

    Raises:
        InvalidDocument: Lists every problem found, each with its row: for CSV the 1-based row of the
            document (a header counts), for JSON the 0-based index.
    """
    rows, problems = read_rows(text, format=format, metrics=metrics)
    if problems:
        raise InvalidDocument(problems)
    return [state for _, state in rows]


def read_rows(
    text: str | bytes,
    *,
    format: Format,  # noqa: A002 # as in write_states
    metrics: Collection[str],
) -> tuple[list[tuple[int, EnvState]], list[Problem]]:
    """The usable states with their rows, and every problem; for callers that go on checking.

    Raises:
        InvalidDocument: The document is not UTF-8, too large, empty or not JSON, so that there are no rows.
    """
    document = _document(text)
    place = Place(is_spelled=True)
    records = csv_records(document, columns(metrics), place) if format == "csv" else _json(document)
    states = [(row, _state(record, metrics, place.record(row))) for row, record in records]
    if not states and not place.problems:
        place.problem("The document has no states.", None, "Give at least one row below the header.")
    return [(row, state) for row, state in states if state is not None], place.problems


def parse_state(record: Mapping[str, Any], *, metrics: Collection[str], row: int | None = None) -> EnvState:
    """One state of JSON data, for callers that read the document around it themselves.

    Raises:
        InvalidDocument: Lists every problem of the record.
    """
    place = Place(row=row, is_spelled=True)
    state = _state(record, metrics, place)
    if state is None:
        raise InvalidDocument(place.problems)
    return state


def format_of(path: Path) -> Format:
    """The format of states in a file: JSON if its name says so, else CSV."""
    return "json" if path.suffix.lower() == ".json" else "csv"


def write_states(states: Iterable[EnvState], *, format: Format) -> str:  # noqa: A002 # the natural word
    """The states as a document that ``read_states`` reads."""
    rows = list(states)
    if format == "json":
        return json.dumps([state.as_dict() for state in rows], indent=2, allow_nan=False) + "\n"
    claims = sorted({name for state in rows for name in state.claims})
    output = io.StringIO(newline="")
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow((*COLUMNS, *claims))
    for state in rows:
        values = (state.benchmark, state.reward, state.walltime, state.commandline)
        writer.writerow((*values, *(state.claims.get(name) for name in claims)))
    return output.getvalue()


def _document(text: str | bytes) -> str:
    document = decode(text) if isinstance(text, bytes) else text.removeprefix("\ufeff")
    if len(document.encode(errors="surrogatepass")) > limits.MAX_SUBMISSION_BYTES:
        remedy = f"Send at most {limits.MAX_SUBMISSION_BYTES} bytes."
        raise document_error("document", "The document is too large.", remedy)
    if not document.strip():
        raise document_error("document", "The document is empty.", "Give at least one state.")
    return document


def columns(metrics: Collection[str] | None) -> Columns:
    """The columns of a CSV document; ``metrics`` may be claims, every further column if None."""

    def refuse(name: str, place: Place) -> None:
        refuse_claim(name, metrics or (), place)

    return Columns(order=COLUMNS, needed=REQUIRED, others=metrics, refuse=refuse)


def refuse_claim(name: str, metrics: Collection[str], place: Place) -> None:
    """Record a claim about something that is not one of the metrics, in either format."""
    known = ", ".join(sorted(metrics)) or "(none here)"
    remedy = f"The metrics are {known}; the other fields are {', '.join(COLUMNS)}."
    place.problem(f"There is no metric {name!r:.80} that can be claimed.", name, remedy)


def _json(document: str) -> list[tuple[int, Any]]:
    try:
        data = load_json(document, lenient=True)
    except (ValueError, RecursionError) as error:
        raise document_error(
            "document", f"The document is not JSON: {error}.", "Give a list of states."
        ) from error
    return list(enumerate(data if isinstance(data, list) else [data]))


def _state(record: object, metrics: Collection[str], place: Place) -> EnvState | None:
    before = len(place.problems)
    if not isinstance(record, Mapping):
        STATE.read(record, place.at("state"))
        return None
    claims = _claims(record, metrics, place)
    values = STATE.read({name: record[name] for name in COLUMNS if name in record}, place) or {}
    return EnvState(**values, claims=claims) if len(place.problems) == before else None


def _claims(record: Mapping[str, Any], metrics: Collection[str], place: Place) -> dict[str, float]:
    nested = record.get("claims")
    found = {name: value for name, value in record.items() if name not in {*COLUMNS, "claims"}}
    if isinstance(nested, Mapping):
        found.update(nested)
    elif nested is not None:
        CLAIMS.read(nested, place.at("claims"))
    for name in sorted(found.keys() - set(metrics)):
        refuse_claim(name, metrics, place.at(name))
    return CLAIMS.read({name: value for name, value in found.items() if name in metrics}, place) or {}


def _require(name: str, kind: Kind[Any], value: object) -> None:
    place = Place(path=name)
    if isinstance(value, str) and value != value.strip():
        place.problem("The text must not begin or end with white space.", value, "Remove the white space.")
    else:
        kind.read(value, place)
    if place.problems:
        problem = place.problems[0]
        raise InvalidInput(f"{name}: {problem.message}", field=name, value=value, remedy=problem.remedy)

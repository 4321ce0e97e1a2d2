"""The state of an environment as text: what an agent found, in CSV or JSON.

``benchmark,reward,walltime,commandline``; in CSV the header is optional and the columns may come in any
order, further columns named after metrics are claims. Semicolons and tabs may separate them, and a first
column without a name is left out. In JSON an item may have ``actions`` instead of a command line, and the
items may stand alone, as a list or a single one, or in a submission's document. The command line, the server
and its pages read all of them here. Every problem of a document is reported at once. Whether the benchmark
exists and what the command line means is not decided here.
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
from optarena.documents.kinds import Field, Json, Kind, WholeNumbers
from optarena.documents.loading import Columns, csv_records, decode, document_error, load_json
from optarena.documents.places import Place
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.limits import MAX_NUMBER
from optarena.specs.benchmark import BenchmarkUri
from optarena.tables import TextTable

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.specs import EnvironmentSpec

__all__ = [
    "CLAIMS", "COLUMNS", "EFFORT", "MAX_NUMBER", "REQUIRED", "EnvState", "Format", "beside_items", "columns",
    "decode", "form_of", "format_of", "item_kind", "items_of", "read_item", "read_rows",
    "read_states", "refuse_claim", "repeated_rows", "write_states",
]  # fmt: skip

Format = Literal["csv", "json"]
COLUMNS: Final = ("benchmark", "reward", "walltime", "commandline")
REQUIRED: Final = ("benchmark", "commandline")
_TEXTS: Final = ("benchmark", "commandline")
_SAME_REWARD: Final = 1e-5
_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = 60
_TEXT: Final = kinds.text(is_trimmed=True)
_ANY: Final = kinds.number()
_NOT_NEGATIVE: Final = kinds.number(low=0)
# Measured values of metrics, by metric name.
CLAIMS: Final = kinds.map_of(_NOT_NEGATIVE, is_nullable=True, most=limits.MAX_CLAIMS)
# What a submission's document says was spent.
EFFORT: Final = kinds.record(
    {
        "compilations": Field(
            kinds.number(low=0, is_whole=True), description="Compilations of one program during the search."
        ),
        "walltime_seconds": Field(_NOT_NEGATIVE, description="Seconds of the whole search."),
        "trained_on_test_set": Field(
            kinds.FLAG, description="Whether the agent saw these programs in training."
        ),
    }
)


def item_kind(longest: int) -> Kind[Json]:
    """One item of a document, whose benchmark's URI has at most ``longest`` characters."""
    return kinds.record(
        description="Either `commandline` or `actions`, not both.",
        one_of=("commandline", "actions"),
        fields={
            "benchmark": Field(
                kinds.text(longest=longest, is_trimmed=True),
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
            "reward": Field(_ANY),
            "walltime": Field(_NOT_NEGATIVE),
            "claims": Field(CLAIMS, example={"ir_instructions": 123}),
        },
    )


_STATE: Final = item_kind(limits.ANY_URI_LENGTH)


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


def read_states(
    text: str | bytes,
    *,
    format: Format,  # noqa: A002 # as in write_states
    metrics: Collection[str],
    environment: EnvironmentSpec | None = None,
) -> list[EnvState]:
    """Read a document of states, with claims about some metrics; bytes are taken as UTF-8.

    JSON may have numbers of actions of an ``environment`` that is given.

    Raises:
        InvalidDocument: Lists every problem found, each with its row: for CSV the 1-based row of the
            document (a header counts), for JSON the 0-based index.
    """
    rows, problems = read_rows(text, format=format, metrics=metrics, environment=environment)
    if problems:
        raise InvalidDocument(problems)
    return [state for _, state in rows]


def read_rows(
    text: str | bytes,
    *,
    format: Format,  # noqa: A002 # as in write_states
    metrics: Collection[str],
    environment: EnvironmentSpec | None = None,
) -> tuple[list[tuple[int, EnvState]], list[Problem]]:
    """The usable states with their rows, and every problem; for callers that go on checking.

    Raises:
        InvalidDocument: The document is not UTF-8, too large, empty or not JSON, so that there are no rows.
    """
    document = _document(text)
    place = Place(is_spelled=format == "csv")
    records: Iterable[tuple[int, Any]]
    if format == "csv":
        records = csv_records(document, columns(metrics), place)
    else:
        records = enumerate(items_of(_json(document), place))
    states = [(row, _state(record, metrics, environment, place.record(row))) for row, record in records]
    if not states and not place.problems:
        place.problem("The document has no states.", None, "Give at least one row below the header.")
    return [(row, state) for row, state in states if state is not None], place.problems


def repeated_rows(benchmarks: Iterable[tuple[int, str]]) -> dict[int, str]:
    """The rows whose benchmark an earlier row has, however it is written, and a sentence that says so."""
    first: dict[str, int] = {}
    found = {}
    for row, text in benchmarks:
        try:
            uri = str(BenchmarkUri.parse(text))
        except InvalidInput:
            continue  # which is a problem of its own
        if first.setdefault(uri, row) != row:
            found[row] = f"Row {first[uri]} already has this benchmark."
    return found


def form_of(text: str) -> Format:
    """The format that a document's beginning shows."""
    return "json" if text.removeprefix("\ufeff").lstrip()[:1] in {"{", "["} else "csv"


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
        refuse_claim(name, name, metrics or (), place)

    return Columns(order=COLUMNS, needed=REQUIRED, others=metrics, texts=_TEXTS, refuse=refuse)


def refuse_claim(name: str, value: object, metrics: Collection[str], place: Place) -> None:
    """Record a claim about something that is not one of the metrics, in either format."""
    known = ", ".join(sorted(metrics)) or "(none here)"
    fields = COLUMNS if place.is_spelled else _STATE.fields
    remedy = f"The metrics are {known}; the other fields are {', '.join(fields)}."
    place.problem(f"There is no metric {name!r:.80} that can be claimed.", value, remedy)


def beside_items(data: object) -> Json:
    """The fields beside the items of a submission's document; of other JSON data none."""
    if not isinstance(data, dict) or ("items" not in data and "benchmark" in data):
        return {}
    return {name: value for name, value in data.items() if name != "items"}


def items_of(data: object, place: Place) -> list[Any]:
    """The items of JSON data: a list, a single item, or a submission's document."""
    if isinstance(data, dict):
        data = data.get("items") if "items" in data or "benchmark" not in data else [data]
        place = place.at("items")
    if not isinstance(data, list) or not data:
        remedy = "Give a list of objects, each with a benchmark and a commandline or actions."
        place.problem("The document has no items.", data, remedy)
        return []
    return data


def _json(document: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    try:
        return load_json(document, lenient=True)
    except (ValueError, RecursionError) as error:
        raise document_error(
            "document", f"The document is not JSON: {error}.", "Give a list of states."
        ) from error


def read_item(data: object, kind: Kind[Json], metrics: Collection[str], place: Place) -> Json | None:
    """The usable fields of an item of either format; claims may be fields of their own, as in CSV."""
    if not isinstance(data, dict):
        kind.read(data, place.at("items"))
        return None
    known = COLUMNS if place.is_spelled else kind.fields
    read = kind.read({name: value for name, value in data.items() if name in known}, place) or {}
    claims = {name: value for name, value in data.items() if name not in known}
    for name in sorted(claims.keys() - set(metrics) if not place.is_spelled else ()):
        refuse_claim(name, claims.pop(name), metrics, place.at(name))
    for name in claims.keys() & read.get("claims", {}).keys():
        place.at(name).problem("The claim is also among `claims`.", claims[name], "Give it once.")
    read["claims"] = read.get("claims", {}) | (CLAIMS.read(claims, place) or {})
    _check_actions(data, read, place)
    return read


def _check_actions(data: Json, read: Json, place: Place) -> None:
    given = [name for name in ("commandline", "actions") if not _is_blank(data.get(name))]
    if not given:
        remedy = "Add it; in JSON a list of actions may stand instead."
        place.at("commandline").problem("The command line is missing.", None, remedy)
    elif len(given) > 1:
        message = "Give either a command line or a list of actions, not both."
        place.at("commandline").problem(message, None, "Keep one of the two fields.")
    space = data.get("action_space")
    if "actions" not in given and not _is_blank(space):
        message = (
            "An action space belongs to a list of actions; a command line begins with its own word for it."
        )
        place.at("action_space").problem(message, space, "Leave it out, or give actions.")
    if not read.get("action_space") and not _is_blank(space):
        read.pop("actions", None)  # of no known space, so there is nothing to check them against


def _is_blank(value: object) -> bool:
    # Spaces alone are dropped from CSV, so they mean nothing in JSON.
    return value is None or (isinstance(value, str) and not value.strip())


def _state(
    record: object, metrics: Collection[str], environment: EnvironmentSpec | None, place: Place
) -> EnvState | None:
    before = len(place.problems)
    read = read_item(record, _STATE, metrics, place)
    if read is None:
        return None
    claims = read["claims"]
    for name in sorted(claims.keys() - set(metrics)):
        refuse_claim(name, claims[name], metrics, place.at("claims").at(name))
    actions, space = read.pop("actions", None), read.pop("action_space", "")
    if len(place.problems) == before and actions is not None:
        read["commandline"] = _commandline(actions, space, environment, place)
    return EnvState(**read) if len(place.problems) == before else None


def _commandline(actions: WholeNumbers, space: str, environment: EnvironmentSpec | None, place: Place) -> str:
    if environment is None:
        message = "Numbers of actions mean nothing without an environment."
        place.at("actions").problem(message, None, "Give a command line, or name the environment.")
        return ""
    try:
        return environment.commandline(actions, space)
    except InvalidInput as error:
        name = "action_space" if error.field == "action_space" else "actions"
        place.at(name).problem(error.message, error.value, error.remedy or "Correct the value.")
        return ""


def _require(name: str, kind: Kind[Any], value: object) -> None:
    place = Place(path=name)
    if isinstance(value, str) and value != value.strip():
        place.problem("The text must not begin or end with white space.", value, "Remove the white space.")
    else:
        kind.read(value, place)
    if place.problems:
        problem = place.problems[0]
        raise InvalidInput(f"{name}: {problem.message}", field=name, value=value, remedy=problem.remedy)

"""The state of an environment as text: what an agent found, in CSV or JSON.

``benchmark,reward,walltime,commandline``; in CSV the header is optional and the columns may come in any
order, further columns named after metrics are claims. Every problem of a document is reported at once.
Whether the benchmark exists and what the command line means is not decided here.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from optarena import limits
from optarena.errors import InvalidDocument, InvalidInput, Problem

Format = Literal["csv", "json"]
COLUMNS: Final = ("benchmark", "reward", "walltime", "commandline")
REQUIRED: Final = ("benchmark", "commandline")
MAX_NUMBER: Final = limits.MAX_NUMBER
_NUMBER: Final = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,400})?|\.[0-9]{1,400})([eE][+-]?[0-9]{1,4})?")
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,40}")
_SHOWN: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvState:
    """What an agent found for one benchmark.

    Attributes:
        benchmark: URI of the benchmark.
        commandline: The actions, in the environment's text form.
        reward: The episode's reward, None if not reported.
        walltime: Seconds that finding it took, None if not reported; it does not tell states apart.
        claims: Metric name -> value on the final state, as the submitter measured it.

    Raises:
        InvalidInput: A text is empty or has control characters; a number is not finite or out of range.
    """

    benchmark: str
    commandline: str
    reward: float | None = None
    walltime: float | None = field(default=None, compare=False)
    claims: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        for name in REQUIRED:
            _require(name, _text_problem(getattr(self, name)), getattr(self, name))
        _require("reward", _number_problem(self.reward), self.reward)
        _require("walltime", _number_problem(self.walltime, negative=False), self.walltime)
        for name, value in self.claims.items():
            _require(name, _number_problem(value, negative=False), value)

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
        """The state as lines that a program's text may begin with."""
        lines = [f"; benchmark: {self.benchmark}", f"; command line: {self.commandline}"]
        return "\n".join(lines if self.reward is None else [*lines, f"; reward: {self.reward}"])


def read_states(text: str | bytes, *, format: Format, metrics: Collection[str]) -> list[EnvState]:  # noqa: A002 # as in write_states
    """Read a document of states.

    Args:
        text: The document; bytes are taken as UTF-8.
        format: ``csv`` or ``json``.
        metrics: The metrics that claims may be about.

    Raises:
        InvalidDocument: With every problem found, each with its row: for CSV the 1-based row of the
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

    Args:
        text: The document; bytes are taken as UTF-8.
        format: ``csv`` or ``json``.
        metrics: The metrics that claims may be about.

    Raises:
        InvalidDocument: It is not UTF-8, too large or empty, so that there are no rows at all.
    """
    document = decode(text) if isinstance(text, bytes) else text.removeprefix("\ufeff")
    if len(document.encode(errors="surrogatepass")) > limits.MAX_SUBMISSION_BYTES:
        raise InvalidDocument(
            [_document_problem("It is too large.", f"Send at most {limits.MAX_SUBMISSION_BYTES} bytes.")]
        )
    if not document.strip():
        raise InvalidDocument([_document_problem("It is empty.", "Give at least one state.")])
    problems: list[Problem] = []
    records = (
        _csv_records(document, metrics, problems) if format == "csv" else _json_records(document, problems)
    )
    states = [(row, _state(record, metrics, row, problems)) for row, record in records]
    if not states and not problems:
        problems.append(_document_problem("It has no states.", "Give at least one row below the header."))
    return [(row, state) for row, state in states if state is not None], problems


def parse_state(record: Mapping[str, Any], *, metrics: Collection[str], row: int | None = None) -> EnvState:
    """One state of JSON data, for callers that read the document around it themselves.

    Raises:
        InvalidDocument: With every problem of the record.
    """
    problems: list[Problem] = []
    state = _state(record, metrics, row, problems)
    if state is None:
        raise InvalidDocument(problems)
    return state


def write_states(states: Iterable[EnvState], *, format: Format) -> str:  # noqa: A002 # the natural word
    """The document of some states; ``read_states`` gives them back."""
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


def decode(data: bytes) -> str:
    """The text of a document's bytes: UTF-8, with or without a byte order mark.

    Raises:
        InvalidDocument: The bytes are something else; names the first offending byte.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"It is not UTF-8 text: byte {error.start} is 0x{data[error.start]:02x}."
        raise InvalidDocument([_document_problem(message, "Save the document as UTF-8.")]) from error


def _document_problem(message: str, remedy: str = "", value: str = "") -> Problem:
    return Problem(field="document", message=message, remedy=remedy, value=value)


def _csv_records(
    document: str, metrics: Collection[str], problems: list[Problem]
) -> list[tuple[int, dict[str, str]]]:
    rows = _csv_rows(document, problems)
    if not rows:
        return []
    columns = list(COLUMNS)
    first = [cell.strip().casefold() for cell in rows[0][1]]
    if set(first) & set(REQUIRED):
        row, columns = rows.pop(0)[0], first
        before = len(problems)
        _check_header(columns, metrics, row, problems)
        if len(problems) > before:
            return []
    records = []
    for row, cells in rows:
        if len(cells) == len(columns):
            records.append((row, dict(zip(columns, cells, strict=True))))
        else:
            problems.append(_column_count_problem(row, cells, columns))
    return records


def _csv_rows(document: str, problems: list[Problem]) -> list[tuple[int, list[str]]]:
    # A command line of 10,000 actions is longer than the module's default limit for one field.
    csv.field_size_limit(max(csv.field_size_limit(), limits.MAX_SUBMISSION_BYTES))
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(document, newline=""), strict=True)
    row = 0
    try:
        for row, cells in enumerate(reader, start=1):
            if any(cell.strip() for cell in cells):
                rows.append((row, cells))
    except csv.Error as error:
        remedy = "Quote a command line that contains commas, and double the quotes inside it."
        problems.append(
            Problem(field="document", row=row + 1, message=f"It is no CSV: {error}.", remedy=remedy)
        )
    return rows


def _check_header(
    columns: Sequence[str], metrics: Collection[str], row: int, problems: list[Problem]
) -> None:
    known = {*COLUMNS, *metrics}
    allowed = (
        f"Columns are {', '.join(COLUMNS)}; claims are named {', '.join(sorted(metrics)) or '(none here)'}."
    )
    for name in dict.fromkeys(columns):
        if name not in known:
            problems.append(
                _problem(name or "header", row, f"There is no column or metric {name!r}.", name, allowed)
            )
        elif columns.count(name) > 1:
            problems.append(
                _problem(name, row, f"The column {name!r} appears twice.", name, "Remove one of them.")
            )
    problems.extend(
        _problem(name, row, f"The column {name!r} is missing.", "", allowed)
        for name in REQUIRED
        if name not in columns
    )


def _column_count_problem(row: int, cells: Sequence[str], columns: Sequence[str]) -> Problem:
    remedy = f"The columns are {','.join(columns)}."
    if len(cells) > len(columns):
        remedy += " A command line that contains commas must be in quotes."
    message = f"It has {len(cells)} columns instead of {len(columns)}."
    return _problem("row", row, message, ",".join(cells), remedy)


def _json_records(document: str, problems: list[Problem]) -> list[tuple[int, Any]]:
    try:
        data = json.loads(document, object_pairs_hook=_object, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        problems.append(_document_problem(f"It is no JSON: {what}.", "Give a list of states."))
        return []
    return list(enumerate(data if isinstance(data, list) else [data]))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {name[:_SHOWN]!r} appears twice in one object")
        found[name] = value
    return found


def _integer(digits: str) -> float:
    # Python refuses to convert thousands of digits; such a number is refused as too large below.
    return (
        int(digits)
        if len(digits) <= len(str(MAX_NUMBER)) + 1
        else math.copysign(math.inf, -1 if digits[0] == "-" else 1)
    )


def _state(
    record: object, metrics: Collection[str], row: int | None, problems: list[Problem]
) -> EnvState | None:
    before = len(problems)
    if not isinstance(record, Mapping):
        problems.append(_problem("state", row, "It must be an object.", record))
        return None
    claims = _claims(record, metrics, row, problems)
    texts = {name: _text(record.get(name), name, row, problems) for name in REQUIRED}
    reward = _number(record.get("reward"), "reward", row, problems)
    walltime = _number(record.get("walltime"), "walltime", row, problems, negative=False)
    if len(problems) > before:
        return None
    return EnvState(**texts, reward=reward, walltime=walltime, claims=claims)


def _claims(
    record: Mapping[str, Any], metrics: Collection[str], row: int | None, problems: list[Problem]
) -> dict[str, float]:
    nested = record.get("claims")
    if nested is not None and not isinstance(nested, Mapping):
        problems.append(_problem("claims", row, "It must be an object of metric names and values.", nested))
        nested = None
    found = {name: value for name, value in record.items() if name not in {*COLUMNS, "claims"}}
    found.update(nested or {})
    claims = {}
    for name, raw in found.items():
        if name not in metrics:
            remedy = f"Claims are about {', '.join(sorted(metrics)) or 'no metric here'}."
            problems.append(
                _problem(str(name), row, f"There is no metric {str(name)[:_SHOWN]!r}.", name, remedy)
            )
            continue
        value = _number(raw, name, row, problems, negative=False)
        if value is not None:
            claims[name] = value
    return claims


def _text(raw: object, name: str, row: int | None, problems: list[Problem]) -> str:
    text = raw.strip() if isinstance(raw, str) else raw
    problem = _text_problem(text)
    if problem:
        problems.append(_problem(name, row, problem, raw))
        return ""
    return str(text)


def _number(
    raw: object, name: str, row: int | None, problems: list[Problem], *, negative: bool = True
) -> float | None:
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return None
    value = _parse_number(raw.strip()) if isinstance(raw, str) else raw
    problem = _number_problem(value, negative=negative)
    if problem:
        remedy = "Leave it empty or remove it if it is not known."
        problems.append(_problem(name, row, problem, raw, remedy))
        return None
    return value  # type: ignore[return-value] # _number_problem has refused everything but numbers


def _parse_number(text: str) -> object:
    if _INTEGER.fullmatch(text):
        return int(text)
    special = text.casefold().lstrip("+-") in {"nan", "inf", "infinity"}
    return float(text) if special or _NUMBER.fullmatch(text) else text


def _number_problem(value: object, *, negative: bool = True) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return "It must be a number."
    if isinstance(value, float) and not math.isfinite(value):
        return "It must be a finite number."
    if abs(value) > MAX_NUMBER:
        return f"It is out of range: at most {MAX_NUMBER:.0e}."
    if value < 0 and not negative:
        return "It must not be negative."
    return ""


def _text_problem(value: object) -> str:
    if value is None or value == "":
        return "It is missing."
    if not isinstance(value, str):
        return "It must be a text."
    if value != value.strip() or not value.isprintable():
        return "It must be one line of printable text."
    return ""


def _require(name: str, problem: str, value: object) -> None:
    if problem:
        raise InvalidInput(f"{name}: {problem}", field=name, value=value)


def _problem(name: str, row: int | None, message: str, value: object, remedy: str = "") -> Problem:
    shown = value if isinstance(value, str) else json.dumps(value, default=str)
    return Problem(field=name[:_SHOWN], row=row, message=message, value=shown[:_SHOWN], remedy=remedy)

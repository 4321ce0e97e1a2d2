"""What messages mean inside a session, without numpy: values in spaces, parameters, programs, history.

The message of every error names the value and the range, or both types. Programs are given as bytes or as
``file:///`` URIs; nothing is fetched. The history of a session is all that is needed to repeat it in a
fresh one.
"""

from __future__ import annotations

import base64
import copy
import json
import operator
import os
import re
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias
from urllib.parse import unquote

from optarena.limits import MAX_BENCHMARK_BYTES, MAX_TIME_FACTOR, WORKLOAD_OUTPUT_BYTES, WORKLOAD_SECONDS
from optarena.service.proto.compiler_gym_service_pb2 import (
    Benchmark,
    CommandlineSpace,
    Event,
    Opaque,
    SendSessionParameterRequest,
    SessionParameter,
    Space,
    StepRequest,
)
from optarena.service.protocol.status import RpcError, StatusCode, invalid, not_found

if TYPE_CHECKING:
    from optarena.service.session import CompilationSession


Field: TypeAlias = Any  # the value of an event, or the space of its kind: one of many messages
JSON: Final = "json://"  # how the format of an Opaque message begins whose data is a JSON document

_NUMBER_BYTES: Final = 8
# The kind of event that each kind of space requires, but for indices, packed messages and unions.
_EVENT_KINDS: Final = {
    **{
        f"{element}_value": f"{element}_value"
        for element in ("boolean", "int64", "float", "double", "string")
    },
    **{
        f"{element}_{form}": f"{element}_tensor"
        for element in ("boolean", "byte", "int64", "float", "double", "string")
        for form in ("sequence", "box")
    },
    "bytes_sequence": "event_list",
    "space_list": "event_list",
    "space_dict": "event_dict",
    "space_sequence": "event_list",
}


def check_event(event: Event, space: Space, what: str = "value") -> None:
    _check(event, space, what, ranges=True)


def check_kind(event: Event, space: Space, what: str = "value") -> None:
    # Kind and shape, not ranges: this takes no longer for large tensors than for small ones.
    _check(event, space, what, ranges=False)


def _check(event: Event, space: Space, what: str, *, ranges: bool) -> None:
    kind = space.WhichOneof("value")
    if kind is None:
        return
    if kind == "space_union":
        _check_some(event, space, what, ranges=ranges)
    elif (count := index_range(space)) is not None:
        _check_type(event, "int64_value", what)
        if ranges and not 0 <= event.int64_value < count:
            raise ValueError(f"{what}: {event.int64_value} is out of range, expected 0 to {count - 1}")
    elif kind == "any_value":
        wanted = document_format(space)
        if wanted is not None and document_format(event) != wanted:
            raise ValueError(f"{what}: expected a packed document of format {wanted}")
    else:
        _check_type(event, _EVENT_KINDS[kind], what)
        check = _CHECKS.get(kind) or _CHECKS[kind.partition("_")[2]]
        check(getattr(event, _EVENT_KINDS[kind]), getattr(space, kind), what, ranges=ranges)


def index_range(space: Space) -> int | None:
    # Values of a discrete, named or command-line space; None for other spaces.
    kind = space.WhichOneof("value")
    if kind == "discrete":
        return space.discrete.n
    if kind == "named_discrete":
        return len(space.named_discrete.name)
    if kind == "any_value" and space.any_value.TypeName() == CommandlineSpace.DESCRIPTOR.full_name:
        return _flags(space.any_value.value)
    return None


@lru_cache(maxsize=16)
def _flags(packed: bytes) -> int:
    # Asked for at every action.
    return len(CommandlineSpace.FromString(packed).name)


def document_format(message: Space | Event) -> str | None:
    # The format of a space's or a value's packed JSON document; None if it is none.
    if message.WhichOneof("value") != "any_value":
        return None
    packed = message.any_value
    if packed.TypeName() != Opaque.DESCRIPTOR.full_name:
        return None
    named = Opaque.FromString(packed.value).format
    return named if named.startswith(JSON) else None


def bytes_of_numbers(space: Space) -> int | None:
    # Of a space's values as integers of 64 bits; None if they are something else.
    kind = space.WhichOneof("value")
    if kind == "int64_value":
        return _NUMBER_BYTES
    return _NUMBER_BYTES * len(space.int64_box.low.value) if kind == "int64_box" else None


def _check_type(event: Event, wanted: str, what: str) -> None:
    given = event.WhichOneof("value")
    if given != wanted:
        raise ValueError(f"{what}: expected {wanted}, got {given or 'no value'}")


def _check_some(event: Event, space: Space, what: str, *, ranges: bool) -> None:
    problems = []
    for member in space.space_union.space:
        try:
            _check(event, member, what, ranges=ranges)
        except ValueError as error:
            problems.append(str(error))
        else:
            return
    raise ValueError("; or ".join(problems) or f"{what}: the space has no values")


def _check_range(value: float, bounds: Field, what: str) -> None:
    low = bounds.min if bounds.HasField("min") else None
    high = bounds.max if bounds.HasField("max") else None
    inside = (low is None or value >= low) and (high is None or value <= high)
    if not inside:  # written so that NaN is outside any range
        shown = " and ".join(
            [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None)
        )
        raise ValueError(f"{what}: {value} is out of range, expected {shown}")


def _check_scalar(given: Field, space: Field, what: str, *, ranges: bool) -> None:
    if ranges:
        _check_range(given, space, what)


def _check_string(given: str, space: Field, what: str, *, ranges: bool) -> None:
    if ranges:
        _check_range(len(given), space.length_range, f"length of {what}")


def _check_sequence(given: Field, space: Field, what: str, *, ranges: bool) -> None:
    shape, length = list(given.shape), len(given.value)
    if shape not in ([], [length]):  # some services and clients leave it out
        raise ValueError(f"{what}: expected shape [{length}], got {shape} with {length} values")
    if not ranges:
        return
    _check_range(length, space.length_range, f"length of {what}")
    if hasattr(space, "scalar_range") and space.scalar_range.ListFields():
        for index, value in enumerate(given.value):
            _check_range(value, space.scalar_range, f"{what}[{index}]")


def _check_items(given: Field, space: Field, what: str, *, ranges: bool) -> None:
    if not ranges:
        return
    _check_range(len(given.event), space.length_range, f"length of {what}")
    for index, item in enumerate(given.event):
        if hasattr(space, "space"):
            _check(item, space.space, f"{what}[{index}]", ranges=ranges)
        else:
            _check_type(item, "byte_tensor", f"{what}[{index}]")


def _check_box(given: Field, space: Field, what: str, *, ranges: bool) -> None:
    shape, wanted = list(given.shape), list(space.low.shape)
    if shape != wanted or len(given.value) != len(space.low.value):
        raise ValueError(f"{what}: expected shape {wanted}, got {shape} with {len(given.value)} values")
    if not ranges:
        return
    bounds = zip(given.value, space.low.value, space.high.value, strict=True)
    for index, (value, low, high) in enumerate(bounds):
        if not low <= value <= high:
            raise ValueError(f"{what}[{index}]: {value} is out of range, expected {low} to {high}")


def _check_list(given: Field, space: Field, what: str, *, ranges: bool) -> None:
    if len(given.event) != len(space.space):
        raise ValueError(f"{what}: expected {len(space.space)} values, got {len(given.event)}")
    for index, (item, member) in enumerate(zip(given.event, space.space, strict=True)):
        _check(item, member, f"{what}[{index}]", ranges=ranges)


def _check_dict(given: Field, space: Field, what: str, *, ranges: bool) -> None:
    if set(given.event) != set(space.space):
        raise ValueError(f"{what}: expected the keys {sorted(space.space)}, got {sorted(given.event)}")
    for key, member in space.space.items():
        _check(given.event[key], member, f"{what}[{key!r}]", ranges=ranges)


# Checks beyond the type, by kind of space or the second part of its name.
_CHECKS: Final[dict[str, Callable[..., None]]] = {
    "string_value": _check_string,
    "bytes_sequence": _check_items,
    "space_list": _check_list,
    "space_dict": _check_dict,
    "space_sequence": _check_items,
    "value": _check_scalar,
    "sequence": _check_sequence,
    "box": _check_box,
}


VERIFY: Final = "verify"  # its reply is empty, or says what is invalid in the present state
RUN_PROGRAM: Final = "service.run_program"  # runs the program in its present state
# Its reply is what a copy by replay must not measure anew; the copy gets it as its value
READINGS: Final = "service.readings"
# A session's copy is not sent these again: they change nothing, or it gets the latest anyway
READ_ONLY: Final = frozenset({VERIFY, RUN_PROGRAM, READINGS})
_PREFIX: Final = "service.benchmark_cache."
_NUMBER: Final = re.compile("[0-9]{1,15}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRun:
    stdout: bytes
    exit_code: int
    output_truncated: bool
    failure: str


class SizedCache(Protocol):
    max_size_in_bytes: int

    @property
    def size_in_bytes(self) -> int:
        """The size of its content."""


def is_cache_parameter(key: str) -> bool:
    return key.startswith(_PREFIX)


def handle_cache_parameter(cache: SizedCache, key: str, value: str) -> str | None:
    # None if the parameter is not one of the cache's.
    if key == f"{_PREFIX}set_max_size_in_bytes":
        if not _NUMBER.fullmatch(value):
            raise ValueError(f"{key}: expected a number of bytes, at most 15 digits, got {value[:80]!r}")
        cache.max_size_in_bytes = int(value)
        return str(cache.max_size_in_bytes)
    if key == f"{_PREFIX}get_max_size_in_bytes":
        return str(cache.max_size_in_bytes)
    if key == f"{_PREFIX}get_size_in_bytes":
        return str(cache.size_in_bytes)
    return None


def handle_session_parameter(
    session: CompilationSession, key: str, value: str, before_program: Callable[[float], None]
) -> str | None:
    # The session's own reply, or else that of its base class. `before_program` gets the seconds that a
    # program may run.
    if key == READINGS:  # nobody asked for it before, so the session must not answer it in its own way
        if not value:
            return session.readings()
        session.take_readings(value)
        return ""
    reply = session.handle_session_parameter(key, value)
    if reply is None and key == VERIFY:
        return session.verify()
    if reply is None and key == RUN_PROGRAM:
        return _run_program(session, value, before_program)
    return reply


def program_order(arguments: Sequence[str], stdin: bytes, *, seconds: float, output_bytes: int) -> str:
    # The value of RUN_PROGRAM: JSON, bytes in base 64.
    order = {"arguments": list(arguments), "stdin": base64.b64encode(stdin).decode()}
    return json.dumps({**order, "seconds": seconds, "output_bytes": output_bytes})


def program_run(reply: str) -> ProgramRun:
    read = _object(reply)
    try:
        return ProgramRun(
            stdout=_bytes(read["stdout"]),
            exit_code=operator.index(read["exit_code"]),
            output_truncated=bool(read["output_truncated"]),
            failure=str(read["failure"]),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"{RUN_PROGRAM}: a field is missing or wrong: {error!r}") from error


def _run_program(session: CompilationSession, value: str, before_program: Callable[[float], None]) -> str:
    order = _object(value)
    arguments = order.get("arguments")
    if not isinstance(arguments, list) or not all(isinstance(one, str) for one in arguments):
        raise ValueError(f"{RUN_PROGRAM}: arguments must be a list of texts")
    if any("\ud800" <= one <= "\udfff" for argument in arguments for one in argument):
        raise ValueError(f"{RUN_PROGRAM}: an argument has a lone surrogate, which is not valid text")
    stdin = _bytes(order.get("stdin", ""))
    seconds = _limit(order, "seconds", WORKLOAD_SECONDS, most=WORKLOAD_SECONDS * MAX_TIME_FACTOR)
    output_bytes = int(_limit(order, "output_bytes", WORKLOAD_OUTPUT_BYTES, most=WORKLOAD_OUTPUT_BYTES))
    before_program(seconds)
    stdout, exit_code, failure = b"", 0, ""
    try:
        stdout, exit_code = session.run_program(arguments, stdin)
    except ValueError as error:
        failure = str(error) or type(error).__name__
    reply = {
        "stdout": base64.b64encode(stdout[:output_bytes]).decode(),
        "exit_code": exit_code,
        "output_truncated": len(stdout) > output_bytes,
        "failure": failure,
    }
    return json.dumps(reply)


def _bytes(text: object) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except ValueError as error:
        raise ValueError(f"{RUN_PROGRAM}: expected bytes in base 64: {error}") from error


def _limit(order: dict[str, Any], name: str, usual: float, *, most: float) -> float:
    value = order.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
        raise ValueError(f"{RUN_PROGRAM}: {name} must be a number above 0, at most {most}, got {value!r}")
    return value


def _object(text: str) -> dict[str, Any]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{RUN_PROGRAM}: expected JSON: {error}") from error
    if not isinstance(read, dict):
        raise ValueError(f"{RUN_PROGRAM}: expected a JSON object, got {text[:80]!r}")  # noqa: TRY004 - the value is wrong, not the argument's type
    return read


_FILE: Final = "file:///"
_PIECE_BYTES: Final = 1 << 20


def resolve_program(benchmark: Benchmark, *, files: bool = True) -> Benchmark:
    # The benchmark with its program's contents in the message; unchanged if it needs no program at all.
    # `files`: programs given as files of this machine are read.
    if not benchmark.uri:
        raise invalid("No benchmark URI set")
    if not benchmark.HasField("program"):
        return benchmark
    kind = benchmark.program.WhichOneof("data")
    if kind == "uri":
        contents = _read(benchmark.program.uri, files=files)
        benchmark = copy.deepcopy(benchmark)
        benchmark.program.contents = contents
        return benchmark
    if kind is None or not benchmark.program.contents:
        raise invalid(f"No program set: the program of {benchmark.uri} has neither contents nor a file")
    _check_size(benchmark.uri, len(benchmark.program.contents))
    return benchmark


def names_a_file(benchmark: Benchmark) -> bool:
    return benchmark.program.uri.startswith(_FILE)


def _read(uri: str, *, files: bool) -> bytes:
    if not uri.startswith(_FILE):
        raise invalid(f"Unsupported program URI {uri!r}: only {_FILE} is supported")
    if not files:
        raise invalid(
            f"Program {uri!r}: this service reads no files, because other machines can reach it or it runs "
            "untrusted programs. Send the program's contents instead, or start the service with "
            "--allow-files"
        )
    path = Path(unquote(uri[len(_FILE) - 1 :]))
    try:
        contents = _contents(path)
    except FileNotFoundError:
        raise not_found(f"File not found: {path}") from None
    except ValueError as error:
        raise invalid(f"Not a file: {str(path)!r}: {error}") from error
    except OSError as error:
        raise RpcError(StatusCode.PERMISSION_DENIED, f"Cannot read {path}: {error.strerror}") from error
    if not contents:
        raise invalid(f"No program set: {path} is empty")
    return contents


def _contents(path: Path) -> bytes:
    # Up to one byte over the limit: some system files never end.
    _check_plain(path, path.stat())  # opening anything but a plain file may have side effects
    # A pipe would wait for its writer.
    with open(
        path, "rb", buffering=0, opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)
    ) as file:
        _check_plain(path, os.fstat(file.fileno()))
        parts: list[bytes] = []
        missing = MAX_BENCHMARK_BYTES + 1
        while missing and (part := file.read(min(missing, _PIECE_BYTES))):
            parts.append(part)
            missing -= len(part)
    if not missing:
        raise invalid(f"Too large: {path} has more than the {MAX_BENCHMARK_BYTES} bytes that are allowed")
    return b"".join(parts)


def _check_plain(path: Path, info: os.stat_result) -> None:
    if not stat.S_ISREG(info.st_mode):
        raise invalid(f"Not a file: {path}")
    _check_size(str(path), info.st_size)


def _check_size(name: str, size: int) -> None:
    if size > MAX_BENCHMARK_BYTES:
        raise invalid(f"Too large: {name} has {size} bytes, at most {MAX_BENCHMARK_BYTES} are allowed")


Call = StepRequest | SendSessionParameterRequest


@dataclass(slots=True)
class SessionHistory:
    # How a session was started, and its later calls in order, without ids and observations.

    benchmark: Benchmark
    action_space: int
    calls: list[Call] = field(default_factory=list)

    def record_step(self, actions: Iterable[Event]) -> None:
        request = StepRequest(action=actions)
        if request.action:
            self.calls.append(request)

    def record_parameters(self, parameters: Iterable[SessionParameter]) -> None:
        changing = [parameter for parameter in parameters if parameter.key not in READ_ONLY]
        if changing:
            self.calls.append(SendSessionParameterRequest(parameter=changing))

    def with_readings(self, readings: str) -> list[Call]:
        # The calls that bring a new session into this state, in which another one has measured something.
        parameter = SessionParameter(key=READINGS, value=readings)
        return [*self.calls, *([SendSessionParameterRequest(parameter=[parameter])] if readings else ())]

    def joined(self, readings: str) -> list[Call]:
        # The same with fewer calls: steps that follow each other are one.
        found: list[Call] = []
        actions: list[Event] = []
        for call in (*self.with_readings(readings), None):
            if isinstance(call, StepRequest):
                actions.extend(call.action)
                continue
            if actions:
                found.append(StepRequest(action=actions))
                actions = []
            if call is not None:
                found.append(call)
        return found

    def copy(self) -> SessionHistory:
        # The messages are shared and never changed.
        return SessionHistory(self.benchmark, self.action_space, list(self.calls))

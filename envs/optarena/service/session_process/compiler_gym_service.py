"""The service: eight calls that start, step, copy and end sessions of one compiler.

It knows sessions and messages, but no transport: ``session_main`` calls it over a socket pair, and any gRPC
adapter can do the same. Calls return or raise :class:`~optarena.service.protocol.status.RpcError`;
``MemoryError`` passes through, because only the transport can decide what happens to the process. The
values that session code returns are checked for kind and shape, but not for ranges, which would take longer
than a step of many compilers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeAlias, TypeVar

from optarena import limits
from optarena.documents.texts import escape_surrogates, has_word
from optarena.service import timeouts
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event, ObservationSpace
from optarena.service.protocol.messages import (
    READINGS,
    SessionHistory,
    bytes_of_numbers,
    check_event,
    check_kind,
    handle_session_parameter,
)
from optarena.service.protocol.status import (
    STATE_UNKNOWN,
    Fault,
    RpcError,
    StatusCode,
    Translated,
    invalid,
    not_found,
    text_of,
)
from optarena.service.session import CompilationSession
from optarena.service.session_process.benchmarks import BenchmarkCache, Benchmarks, item_at
from optarena.service.session_process.session_types import spaces_of

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.service.protocol import frames

    _Get: TypeAlias = "Callable[[CheckedSession, pb.ObservationSpace], _T]"

_SHOWN: Final = 80


class CheckedSession(CompilationSession):
    # A session whose every return value has the type that CompilationSession promises; else a Fault with
    # INTERNAL names class and method. Exceptions of the session pass through.

    def __init__(self, session: CompilationSession) -> None:
        self.inner = session
        space = getattr(session, "action_space", None)
        if not isinstance(space, ActionSpace):
            self._refuse("action_space", "is", space, "an ActionSpace")
        self.action_space = space

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        given = self.inner.apply_action(action)
        match given:
            case (bool(), None | ActionSpace(), bool()) if isinstance(given, tuple):
                pass
            case _:
                self._refuse("apply_action", "returned", given, "a tuple (bool, ActionSpace or None, bool)")
        return given

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        given = self.inner.get_observation(observation_space)
        method = f"get_observation({observation_space.name!r})"
        if not isinstance(given, Event):
            self._refuse(method, "returned", given, "an Event")
        try:
            check_kind(given, observation_space.space, f"{self._name}.{method} returned a wrong value")
        except ValueError as error:
            raise Fault(StatusCode.INTERNAL, escape_surrogates(str(error))) from error
        return given

    def get_plainly(self, observation_space: ObservationSpace) -> bytes | Event:
        given = self.inner.get_numbers(observation_space)
        if given is None:
            return self.get_observation(observation_space)
        self._check_numbers(f"get_numbers({observation_space.name!r})", given, observation_space, "None")
        return given

    def try_walks(
        self,
        walks: Sequence[Sequence[int]],
        observation_spaces: Sequence[ObservationSpace],
        *,
        channel: int,
        cpu_seconds: float | None,
    ) -> Mapping[int, list[tuple[bool, list[bytes]]]]:
        given = self.inner.try_walks(walks, observation_spaces, channel=channel, cpu_seconds=cpu_seconds)
        if not isinstance(given, Mapping):
            self._refuse("try_walks", "returned", given, "a mapping")
        for place, steps in given.items():
            if type(place) is not int or not 0 <= place < len(walks):
                self._refuse("try_walks", "has an answer for", place, f"indices below {len(walks)}")
            if not isinstance(steps, list) or len(steps) != len(walks[place]):
                self._refuse(f"try_walks()[{place}]", "is", steps, f"a list of {len(walks[place])} steps")
            for number, step in enumerate(steps):
                self._check_tried(f"try_walks()[{place}][{number}]", step, observation_spaces)
        return given

    def _check_tried(self, what: str, step: object, spaces: Sequence[ObservationSpace]) -> None:
        match step:
            case (bool(), [*values]) if len(values) == len(spaces):
                for value, space in zip(values, spaces, strict=True):
                    self._check_numbers(f"{what} for {space.name!r}", value, space, "")
            case _:
                self._refuse(what, "is", step, f"a tuple (bool, list of {len(spaces)} observations)")

    def _check_numbers(self, what: str, given: object, space: ObservationSpace, otherwise: str) -> None:
        wanted = bytes_of_numbers(space.space)
        if isinstance(given, bytes) and len(given) == wanted:
            return
        shown = f"{len(given)} bytes" if isinstance(given, bytes) else given
        if wanted is None:
            expected = otherwise or "no answer, since it is not numbers"
        else:
            expected = f"{wanted} bytes or {otherwise}" if otherwise else f"{wanted} bytes"
        self._refuse(what, "returned", shown, expected)

    def check_action(self, action: Event) -> None:
        self.inner.check_action(action)

    def check_actions(self, actions: Sequence[Event]) -> None:
        self.inner.check_actions(actions)

    def verify(self) -> str:
        given = self.inner.verify()
        if not isinstance(given, str):
            self._refuse("verify", "returned", given, "a str")
        return escape_surrogates(given)

    def readings(self) -> str:
        given = self.inner.readings()
        if not isinstance(given, str):
            self._refuse("readings", "returned", given, "a str")
        return escape_surrogates(given)

    def take_readings(self, readings: str) -> None:
        self.inner.take_readings(readings)

    def run_program(self, arguments: Sequence[str], stdin: bytes) -> tuple[bytes, int]:
        given = self.inner.run_program(arguments, stdin)
        pair = isinstance(given, tuple) and len(given) == len(("stdout", "exit code"))
        if not (pair and isinstance(given[0], bytes) and type(given[1]) is int):
            self._refuse("run_program", "returned", given, "a tuple (bytes, int)")
        return given

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        given = self.inner.handle_session_parameter(key, value)
        if not (given is None or isinstance(given, str)):
            self._refuse(f"handle_session_parameter({key!r})", "returned", given, "a str or None")
        return None if given is None else escape_surrogates(given)

    def close(self) -> None:
        self.inner.close()

    @property
    def _name(self) -> str:
        return type(self.inner).__name__

    def _refuse(self, what: str, does: str, given: object, expected: str) -> NoReturn:
        raise Fault(StatusCode.INTERNAL, f"{self._name}.{what} {does} {_shown(given)}, expected {expected}")


def _shown(value: object) -> str:
    # Short, and safe even if its `__repr__` fails.
    try:
        text = escape_surrogates(repr(value))
    except Exception:  # noqa: BLE001 # session code wrote it, so it may raise anything
        text = ""
    if not text or len(text) > _SHOWN or "\n" in text or " at 0x" in text:
        return f"a value of type {type(value).__name__}"
    return text


_T = TypeVar("_T")


class CallContext(Protocol):
    """The caller of a call; a gRPC servicer context has this interface."""

    def time_remaining(self) -> float | None:
        """Seconds until the caller gives up; None for no limit."""


Apart: TypeAlias = "Callable[[Callable[[], Any], float, float | None], Any]"


class CallDeadline:
    # A caller's time limit, counted from the arrival of the call; None for no limit.
    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def time_remaining(self) -> float | None:
        return None if self._end is None else self._end - time.monotonic()


@dataclass(slots=True)
class _Entry:
    session: CheckedSession
    action_space: pb.ActionSpace
    history: SessionHistory
    growth: float  # of the limits of costly values
    constants: dict[Any, Any] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    closed: bool = False


class CompilerGymService:
    # The service of one session type. Thread-safe: a lock for each session, sessions in parallel.
    # `before_work` is called before each action and observation, so that each can get a limit of CPU time;
    # `before_program` gets the seconds that a program may run. `apart` computes a costly value, under limits
    # that are multiplied by a factor, and until a deadline. `records`: keep each session's history, which
    # ForkSession needs; a transport that copies sessions itself does not. `files`: programs given as files of
    # this machine are read.

    def __init__(  # noqa: PLR0913 # each transport gives another few, by keyword
        self,
        working_directory: Path,
        compilation_session_type: type[CompilationSession],
        *,
        service_version: str | None = None,
        before_work: Callable[[], None] = lambda: None,
        before_program: Callable[[float], None] = lambda _: None,
        apart: Apart | None = None,
        records: bool = True,
        files: bool = True,
    ) -> None:
        self.working_directory = working_directory
        self.session_type = compilation_session_type
        self._files = files
        self._benchmarks = Benchmarks(files=files)
        if service_version is None:
            from importlib import metadata  # noqa: PLC0415 # heavy, and sessions' clients tell it themselves

            service_version = metadata.version("optarena")
        self._service_version = service_version
        self._before_work = before_work
        self._before_program = before_program
        self._apart = apart
        self._records = records
        self._lock = threading.Lock()
        self._entries: dict[int, _Entry] = {}
        self._last_id = 0

    @property
    def benchmark_cache(self) -> BenchmarkCache:
        return self._benchmarks.cache

    def GetVersion(self, request: pb.GetVersionRequest, context: CallContext) -> pb.GetVersionReply:  # noqa: ARG002, N802 # the interface's
        return pb.GetVersionReply(
            service_version=self._service_version, compiler_version=self.session_type.compiler_version
        )

    def GetSpaces(self, request: pb.GetSpacesRequest, context: CallContext) -> pb.GetSpacesReply:  # noqa: ARG002, N802 # the interface's
        return spaces_of(self.session_type)

    def StartSession(self, request: pb.StartSessionRequest, context: CallContext) -> pb.StartSessionReply:  # noqa: N802 # the interface's
        benchmark = self._benchmarks.find(request.benchmark, request.program_sha256)
        self._action_space(request.action_space)
        spaces = self._observation_spaces(request.observation_space)
        history = SessionHistory(benchmark, request.action_space)
        entry = self._open(history)
        with self._closing_on_error(entry):
            observations = self._observe(entry, spaces, context, CheckedSession.get_observation)
        reply = pb.StartSessionReply(session_id=self._register(entry), observation=observations)
        reply.program_sha256 = request.program_sha256
        if entry.action_space != self._action_space(request.action_space):
            reply.new_action_space.CopyFrom(entry.action_space)
        return reply

    def ForkSession(self, request: pb.ForkSessionRequest, context: CallContext) -> pb.ForkSessionReply:  # noqa: ARG002, N802 # the interface's
        if not self._records:
            message = "This service cannot copy sessions; their transport does"
            raise RpcError(StatusCode.FAILED_PRECONDITION, message)
        with self._locked(request.session_id) as entry:
            history = entry.history.copy()
            [readings] = self._set_parameters(entry, [pb.SessionParameter(key=READINGS)])
        copy = self._open(history)
        with self._closing_on_error(copy):
            for call in history.with_readings(readings):
                if isinstance(call, pb.StepRequest):
                    self._apply(copy, call.action)
                else:
                    self._set_parameters(copy, call.parameter)
        return pb.ForkSessionReply(session_id=self._register(copy))

    def EndSession(self, request: pb.EndSessionRequest, context: CallContext) -> pb.EndSessionReply:  # noqa: ARG002, N802 # the interface's
        with self._locked(request.session_id):
            self._end(request.session_id)
        with self._lock:
            return pb.EndSessionReply(remaining_sessions=len(self._entries))

    def Step(self, request: pb.StepRequest, context: CallContext) -> pb.StepReply:  # noqa: N802 # the interface's
        actions, spaces, get = request.action, request.observation_space, CheckedSession.get_observation
        reply, observations = self._step(request.session_id, actions, spaces, context, get)
        reply.observation.extend(observations)
        return reply

    def step_plainly(
        self, step: frames.PlainStep, context: CallContext
    ) -> tuple[pb.StepReply, list[bytes | pb.Event]]:
        # The observations are beside the reply.
        actions = [pb.Event(int64_value=action) for action in step.actions]
        return self._step(step.session_id, actions, step.observations, context, CheckedSession.get_plainly)

    def _step(
        self,
        session_id: int,
        actions: Sequence[pb.Event],
        observations: Sequence[int],
        context: CallContext,
        get: _Get[_T],
    ) -> tuple[pb.StepReply, list[_T]]:
        with self._locked(session_id) as entry:
            spaces = self._observation_spaces(observations)
            self._check(entry, actions)
            try:
                reply = self._apply(entry, actions, context)
                if self._records:
                    entry.history.record_step(actions)
                with Translated("its actions were applied" if actions else ""):
                    return reply, self._observe(entry, spaces, context, get)
            except RpcError as error:
                self._end_if_unknown(session_id, error)
                raise
            except MemoryError:  # there is no memory to close the session
                self._forget(session_id)
                raise

    def check_step(self, request: pb.StepRequest, *, each: bool = False) -> None:
        # Carry out nothing. `each`: each action is the only one of its step; else they follow each other.
        if not request.action:
            raise invalid("There is no action")
        with self._locked(request.session_id) as entry:
            self._observation_spaces(request.observation_space)
            for actions in [[action] for action in request.action] if each else [request.action]:
                self._check(entry, actions)

    def AddBenchmark(self, request: pb.AddBenchmarkRequest, context: CallContext) -> pb.AddBenchmarkReply:  # noqa: ARG002, N802 # the interface's
        self._benchmarks.add(request.benchmark)
        return pb.AddBenchmarkReply()

    def SendSessionParameter(  # noqa: N802 # the interface's
        self,
        request: pb.SendSessionParameterRequest,
        context: CallContext,  # noqa: ARG002 # the interface's
    ) -> pb.SendSessionParameterReply:
        with self._locked(request.session_id) as entry:
            try:
                replies = self._set_parameters(entry, request.parameter)
            except RpcError as error:
                self._end_if_unknown(request.session_id, error)
                raise
            if self._records:
                entry.history.record_parameters(request.parameter)
        return pb.SendSessionParameterReply(reply=replies)

    def reserve_id(self) -> int:
        # For a session that a transport creates by copying the process.
        with self._lock:
            self._last_id += 1
            return self._last_id

    def keep_only(self, session_id: int, new_id: int) -> CompilationSession:
        # In the copied process: only the copy of this session is left.
        self._entries = {new_id: self._entries[session_id]}
        return self._entries[new_id].session.inner

    def sessions(self) -> dict[int, CompilationSession]:
        return {number: entry.session.inner for number, entry in self._entries.items()}

    def session(self, session_id: int) -> CompilationSession:
        return self._entry(session_id).session.inner

    def close(self) -> None:
        # Except a session that does not stop working: it ends with its process.
        failures = []
        for session_id, entry in list(self._entries.items()):
            if entry.lock.acquire(timeout=timeouts.RUNNING_CALL_SECONDS):
                try:
                    self._end(session_id)
                except RpcError as error:
                    failures.append(error)
                finally:
                    entry.lock.release()
        if failures:
            raise failures[0]

    def begin_anew(self) -> None:
        """End all sessions, and forget what clients have sent and set."""
        self.close()
        self._benchmarks = Benchmarks(files=self._files)

    def _action_space(self, index: int) -> pb.ActionSpace:
        return item_at(self.session_type.action_spaces, index, "action space")

    def _observation_spaces(self, indices: Iterable[int]) -> list[pb.ObservationSpace]:
        return [
            item_at(self.session_type.observation_spaces, index, "observation space") for index in indices
        ]

    def _open(self, history: SessionHistory) -> _Entry:
        action_space = self._action_space(history.action_space)
        self._before_work()
        with Translated():
            try:
                session = self.session_type(self.working_directory, action_space, history.benchmark)
            except ValueError as error:
                text, uri = text_of(error), history.benchmark.uri
                message = text if has_word(text, uri) else f"{uri}: {text}"
                raise Fault(StatusCode.INVALID_ARGUMENT, message) from error
            checked = CheckedSession(session)
        growth = limits.growth(len(history.benchmark.program.contents))
        return _Entry(checked, checked.action_space, history, growth)

    def _register(self, entry: _Entry) -> int:
        session_id = self.reserve_id()
        with self._lock:
            self._entries[session_id] = entry
        return session_id

    def _entry(self, session_id: int) -> _Entry:
        with self._lock:
            try:
                return self._entries[session_id]
            except KeyError:
                raise not_found(f"Session not found: {session_id}") from None

    @contextmanager
    def _locked(self, session_id: int) -> Iterator[_Entry]:
        # No other call uses or ends it meanwhile.
        entry = self._entry(session_id)
        with entry.lock:
            if entry.closed:
                raise not_found(f"Session not found: {session_id}")
            yield entry

    def _forget(self, session_id: int) -> _Entry | None:
        with self._lock:
            entry = self._entries.pop(session_id, None)
        if entry is not None:
            entry.closed = True
        return entry

    def _end(self, session_id: int) -> None:
        entry = self._forget(session_id)
        if entry is not None:
            with Translated():
                entry.session.close()

    def _end_if_unknown(self, session_id: int, error: RpcError) -> None:
        # The reported error stays the first one.
        if error.code in STATE_UNKNOWN:
            with suppress(RpcError):
                self._end(session_id)

    def _check(self, entry: _Entry, actions: Sequence[pb.Event]) -> None:
        with Translated():
            space = entry.action_space.space
            for index, action in enumerate(actions):
                check_event(action, space, "action" if len(actions) == 1 else f"action[{index}]")
            entry.session.check_actions(actions)

    def _apply(
        self, entry: _Entry, actions: Sequence[pb.Event], context: CallContext | None = None
    ) -> pb.StepReply:
        reply = pb.StepReply(action_had_no_effect=True)
        for index, action in enumerate(actions):
            remaining = context.time_remaining() if index and context is not None else None
            if remaining is not None and remaining <= 0:
                raise RpcError(StatusCode.DEADLINE_EXCEEDED, "The time for this call is over")
            self._before_work()
            with Translated(f"{index} actions were applied" if index else ""):
                if reply.HasField("new_action_space"):  # the actions were checked against the old one
                    check_event(action, entry.action_space.space, f"action[{index}]")
                end, new_space, no_effect = entry.session.apply_action(action)
            if not no_effect:
                reply.action_had_no_effect = False
            if new_space is not None:
                entry.action_space = new_space
                reply.new_action_space.CopyFrom(new_space)
            if end:
                reply.end_of_session = True
                break
        return reply

    def _observe(
        self, entry: _Entry, spaces: Sequence[pb.ObservationSpace], context: CallContext, get: _Get[_T]
    ) -> list[_T]:
        observations = []
        for space in spaces:
            self._before_work()
            key = (space.name, get)
            if key in entry.constants:
                observations.append(entry.constants[key])
                continue
            with Translated():
                value = self._compute(entry, space, context, get)
            if space.constant:
                entry.constants[key] = value
            observations.append(value)
        return observations

    def _compute(self, entry: _Entry, space: pb.ObservationSpace, context: CallContext, get: _Get[_T]) -> _T:
        # A fork takes longer than most values of small programs.
        if self._apart is None or entry.growth == 1 or not space.costly:
            return get(entry.session, space)
        value: _T = self._apart(lambda: get(entry.session, space), entry.growth, context.time_remaining())
        return value

    def _set_parameters(self, entry: _Entry, parameters: Iterable[pb.SessionParameter]) -> list[str]:
        replies = []
        for parameter in parameters:
            reply = self._benchmarks.handle_parameter(parameter.key, parameter.value)
            if reply is None:
                with Translated():
                    reply = handle_session_parameter(
                        entry.session, parameter.key, parameter.value, self._before_program
                    )
            if reply is None:
                raise invalid(f"Unknown parameter: {parameter.key}")
            replies.append(reply)
        return replies

    @contextmanager
    def _closing_on_error(self, entry: _Entry) -> Iterator[None]:
        # The session was never registered.
        try:
            yield
        except RpcError:
            with suppress(RpcError), Translated():
                entry.session.close()
            raise

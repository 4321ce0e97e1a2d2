"""The client's side of one session: calls by name instead of by index. Rewards and episodes live above it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Self

from gymnasium.spaces import Discrete

from optarena import limits
from optarena.actions import ActionTable, is_structured
from optarena.env.spaces import ObservationSpec, action_space, is_exact
from optarena.env.spaces import action_space as converted_space
from optarena.errors import DeviceUnavailable, InvalidAnswer, InvalidInput, ServiceError, ValueUnavailable
from optarena.service.converters import member_to_event
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.frames import PlainOutcome, PlainStep
from optarena.service.protocol.messages import READINGS, VERIFY
from optarena.specs import EnvironmentSpec, unknown_name

if TYPE_CHECKING:
    import gymnasium

    from optarena.env.backends import Backend
    from optarena.service.client.interface import Connection
    from optarena.specs.benchmark import Benchmark

_NAMED: Final = (InvalidInput, DeviceUnavailable, ValueUnavailable)
# what a session raises that cannot give an observation, and lives on
_REFUSALS: Final = (*_NAMED, NotImplementedError, FileNotFoundError, PermissionError, TypeError)


@dataclass(slots=True)
class StepOutcome:
    # The reply to a step: `events` are the observations by name, as messages or numbers; `missing` says why
    # others do not exist for this program, or on this machine.

    service: ServiceInfo
    events: Mapping[str, pb.Event | bytes]
    missing: Mapping[str, InvalidInput | DeviceUnavailable | ValueUnavailable]
    end_of_session: bool
    info: dict[str, Any]
    new_action_space: gymnasium.Space[Any] | None

    def view(self, name: str) -> Any:  # noqa: ANN401 # of any space
        return self.service.observation(name).view(self.event_of(name))

    def event_of(self, name: str) -> pb.Event | bytes:
        if name in self.missing:
            raise self.missing[name]
        return self.events[name]


class SessionClient:
    # One session; `new_action_space` is set if it is in another space than it was to start in. The time for a
    # costly value is `growth` times that for another.

    def __init__(  # noqa: PLR0913 # what a copy of a session shares with it
        self,
        connection: Connection,
        session_id: int,
        backend: Backend,
        space: pb.ActionSpace,
        new_action_space: gymnasium.Space[Any] | None = None,
        *,
        growth: float = 1.0,
    ) -> None:
        self.info = backend.info()
        self._growth = growth
        self.new_action_space = new_action_space
        self._space = space
        self._backend = backend
        self._connection = connection
        self._session_id = session_id
        self._unoptimised = False
        self._closed = False
        self._begun: tuple[PlainStep, Sequence[str], float] = PlainStep(0, (), ()), (), 0.0
        # What usual steps asked for last, its indices, and the time of each unit.
        self._usual: tuple[Sequence[str], Sequence[int], float] = (), (), backend.call_seconds
        # Observations that this session has given, which thus exist for its program; none that is measured:
        # others may measure the next time
        self._exist = set(connection.existing or ())

    @classmethod
    def start(
        cls, backend: Backend, benchmark: Benchmark, *, action_space: int = 0, fresh: bool = False
    ) -> SessionClient:
        connection, reply = backend.start(benchmark, action_space, fresh=fresh)
        try:
            space, new_space = backend.info().action_spaces[action_space], None
            if reply.HasField("new_action_space"):
                space, new_space = reply.new_action_space, converted_space(reply.new_action_space)
            growth = limits.growth(benchmark.size_bytes)
            session = cls(connection, reply.session_id, backend, space, new_space, growth=growth)
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            connection.end(reply.session_id)
            raise
        session._unoptimised = True
        return session

    @property
    def is_pristine(self) -> bool:
        # No action has run in its process, which might have broken it.
        return self._unoptimised and not self._connection.ran_before

    @property
    def sandbox(self) -> dict[str, Any]:
        return dict(self._connection.confinement)

    @property
    def memory_bytes(self) -> int | None:
        # Of the process alone; None where the connection does not know.
        return self._connection.memory_bytes

    def step(
        self, actions: Sequence[Any], observations: Sequence[str] = (), *, cpu_seconds: float | None = None
    ) -> StepOutcome:
        # All actions or none are applied, then it observes; `cpu_seconds` replaces the CPU limit of each. An
        # InvalidInput about an action means that none was applied; observations that do not exist are
        # `missing`, unless one is all that was asked.
        if cpu_seconds is None and (usual := self._usual_step(actions, observations)) is not None:
            return self._finish(*usual)
        names = list(dict.fromkeys(observations))
        if not actions and len(names) == 1:
            with _about(names[0]):
                return self._step((), names, cpu_seconds)
        if not actions:
            return self._look(names, cpu_seconds)
        if self._exist.issuperset(names):  # the actions have several parts, or a CPU limit was given
            return self._step(actions, names, cpu_seconds)
        # A session that cannot answer once it has applied actions is lost, so it is asked for these alone.
        outcome = self._step(actions, (), cpu_seconds, units=len(actions) + len(names))
        try:
            seen = self._look(names, cpu_seconds)
        except ServiceError as error:
            error.unit = None if error.unit is None else error.unit + len(actions)
            raise
        return replace(outcome, events=seen.events, missing=seen.missing)

    def begin(self, actions: Sequence[Any], names: Sequence[str]) -> bool:
        # A usual step, whose outcome :meth:`finish` waits for.
        usual = self._usual_step(actions, names)
        if usual is None:
            return False
        self._begun = usual
        step, _, seconds = usual
        return self._connection.begin_plainly(step, timeout=seconds)

    def finish(self) -> StepOutcome:
        return self._finish(*self._begun)

    def _usual_step(
        self, actions: Sequence[Any], names: Sequence[str]
    ) -> tuple[PlainStep, Sequence[str], float] | None:
        # The step and the time for it, or None: an action is not a plain int, or an observation may not exist
        # or is asked for twice.
        if set(map(type, actions)) != {int}:
            return None
        if names is not self._usual[0]:
            asked = set(names)
            if not asked <= self._exist or len(asked) < len(names):
                return None
            self._usual = tuple(names), self._indices(names), self._backend.call_seconds * self._factor(names)
        names, indices, seconds = self._usual
        step = PlainStep(self._session_id, actions, indices)
        return step, names, seconds * (len(actions) + len(names))

    def _finish(self, step: PlainStep, names: Sequence[str], seconds: float) -> StepOutcome:
        self._unoptimised = False
        return self._outcome(self._connection.step_plainly(step, timeout=seconds), names)

    def _indices(self, names: Sequence[str]) -> list[int]:
        return [self.info.observation(name).index for name in names]

    def _look(self, names: Sequence[str], cpu_seconds: float | None) -> StepOutcome:
        # What the session refuses to give is `missing`.
        if len(names) > 1 and self._factor(names) == 1:
            with suppress(*_REFUSALS):
                return self._step((), names, cpu_seconds)
        events: dict[str, pb.Event | bytes] = {}
        missing: dict[str, InvalidInput | DeviceUnavailable | ValueUnavailable] = {}
        for name in names:
            try:
                with _about(name):
                    seen = self._step((), [name], cpu_seconds)
                if len(names) == 1:
                    return seen
                events |= seen.events
            except _NAMED as error:
                missing[name] = error
            except _REFUSALS as error:
                missing[name] = InvalidInput(f"{name}: {error}", field="observation_space", value=name)
        return replace(self._step((), (), cpu_seconds), events=events, missing=missing)

    def _step(
        self, actions: Sequence[Any], names: Sequence[str], cpu_seconds: float | None, *, units: int = 0
    ) -> StepOutcome:
        # `units` says how many actions and observations the time is for, if not for the call's own.
        self._unoptimised = self._unoptimised and not actions
        units = units or max(1, len(actions) + len(names))
        seconds = self._backend.call_seconds
        if cpu_seconds is not None:
            seconds = max(seconds, limits.wall_seconds(cpu_seconds))
        seconds *= units * self._factor(names)
        if set(map(type, actions)) <= {int}:
            step = PlainStep(self._session_id, actions, self._indices(names))
            reply = self._connection.step_plainly(step, timeout=seconds, cpu_seconds=cpu_seconds)
        else:
            request = self._request(actions, names)
            reply = PlainOutcome.of(self._connection.step(request, timeout=seconds, cpu_seconds=cpu_seconds))
        outcome = self._outcome(reply, names)
        if not self._exist.issuperset(names):
            self._note_existing(names)
        return outcome

    def _note_existing(self, names: Sequence[str]) -> None:
        # A costly one of a large program may fail the next time.
        specs = [self.info.observation(name) for name in names]
        exact = (one for one in specs if one.deterministic or not one.platform_dependent)
        self._exist |= {one.name for one in exact if self._growth == 1 or not one.costly}
        if self._connection.existing is not None:
            # Whether a costly one exists may depend on the actions, too: only what links has a size of text.
            self._connection.existing |= {one.name for one in specs if is_exact(one) and not one.costly}

    def _factor(self, names: Sequence[str]) -> float:
        # Of the time for these values.
        is_usual = self._growth == 1 or not any(self.info.observation(name).costly for name in names)
        return 1.0 if is_usual else self._growth

    def first_look(self, observations: Sequence[str]) -> StepOutcome:
        # Without a call, if a session that started alike has given the values; only those that are the same
        # for the same state are known.
        names, known = list(dict.fromkeys(observations)), self._connection.first_values
        if known is None or not self._unoptimised:
            return self.step((), names)
        if all(name in known for name in names):
            self._note_existing(names)
            return self._outcome(PlainOutcome(False, True, [known[name] for name in names]), names)
        outcome = self.step((), names)
        exact = [name for name in outcome.events if is_exact(self.info.observation(name))]
        known.update({name: outcome.events[name] for name in exact})
        return outcome

    def steps(
        self, actions: Sequence[Any], observations: Sequence[str] = ()
    ) -> tuple[list[StepOutcome], ServiceError | InvalidInput | None]:
        # Outcomes of the applied actions, and the error in which the next one ended.
        names = list(dict.fromkeys(observations))
        if self._factor(names) > 1:
            return self._steps_singly(actions, names)
        self._unoptimised = self._unoptimised and not actions
        seconds = self._backend.call_seconds * (1 + len(names))
        replies, error = self._connection.steps(self._request(actions, names), timeout=seconds)
        return [self._outcome(PlainOutcome.of(reply), names) for reply in replies], error

    def _steps_singly(
        self, actions: Sequence[Any], names: Sequence[str]
    ) -> tuple[list[StepOutcome], ServiceError | InvalidInput | None]:
        # So that a value which cannot be computed is lost alone.
        outcomes: list[StepOutcome] = []
        try:
            for action in actions:
                outcomes.append(self.step([action], names))
                if outcomes[-1].end_of_session:
                    break
        except (ServiceError, InvalidInput) as error:
            return outcomes, error
        return outcomes, None

    def look_ahead(
        self, actions: Sequence[Any], observations: Sequence[str] = ()
    ) -> list[StepOutcome | ServiceError]:
        # What each action would give as the only one of a step, or the error in which it would end.
        names = list(dict.fromkeys(observations))
        seconds = self._backend.call_seconds * (1 + len(names))
        seconds *= self._factor(names)
        answers: list[StepOutcome | ServiceError] = []
        for reply in self._connection.look_ahead(self._request(actions, names), timeout=seconds):
            try:
                if isinstance(reply, ServiceError):
                    answers.append(reply)
                else:
                    answers.append(self._outcome(reply, names, taken=False))
            except InvalidAnswer as error:  # the process that tried this action is no longer there
                answers.append(error)
        return answers

    def try_walks(
        self, walks: Sequence[Sequence[Any]], observations: Sequence[str]
    ) -> list[list[StepOutcome] | None]:
        # What the actions of each walk would give; None for a walk that must be taken to find out.
        names = list(dict.fromkeys(observations))
        if {type(action) for walk in walks for action in walk} != {int}:
            return [None] * len(walks)
        request = self._request((), names)
        for walk in walks:
            request.action.add().event_list.event.extend(pb.Event(int64_value=action) for action in walk)
        seconds = self._backend.call_seconds * (1 + len(names)) * self._factor(names)
        told = self._connection.try_walks(request, timeout=seconds)
        return [
            None if steps is None else [self._outcome(step, names, taken=False) for step in steps]
            for steps in told
        ]

    def _request(self, actions: Sequence[Any], names: Sequence[str]) -> pb.StepRequest:
        return pb.StepRequest(
            session_id=self._session_id,
            action=[
                pb.Event(int64_value=action)
                if type(action) is int
                else member_to_event(action, self._space.space)
                for action in actions
            ],
            observation_space=self._indices(names),
        )

    def _outcome(self, reply: PlainOutcome, names: Sequence[str], *, taken: bool = True) -> StepOutcome:
        # `taken` is False for a step that a copy has tried.
        if len(reply.values) != len(names):
            raise InvalidAnswer(f"The service returned {len(reply.values)} of {len(names)} observations.")
        new_space = None
        if reply.new_action_space is not None:
            new_space = converted_space(reply.new_action_space)
            if taken:
                self._space, self.new_action_space = reply.new_action_space, new_space
        info = {"action_had_no_effect": reply.had_no_effect, "new_action_space": new_space is not None}
        events = dict(zip(names, reply.values, strict=True))
        return StepOutcome(self.info, events, {}, reply.end_of_session, info, new_space)

    @contextmanager
    def unoptimised(self, benchmark: Benchmark) -> Iterator[SessionClient]:
        # This session if nothing was done to it; else one that lasts as long as the block.
        if self._unoptimised:
            yield self
            return
        with closing(SessionClient.start(self._backend, benchmark)) as fresh:
            yield fresh

    @contextmanager
    def alone(self, benchmark: Benchmark) -> Iterator[SessionClient]:
        # This session if its process had no other; else one in a new process, for as long as the block.
        if not self._connection.ran_before:
            yield self
            return
        with closing(SessionClient.start(self._backend, benchmark, fresh=True)) as fresh:
            yield fresh

    def parameter(self, key: str, value: str = "") -> str:
        request = pb.SendSessionParameterRequest(
            session_id=self._session_id, parameter=[pb.SessionParameter(key=key, value=value)]
        )
        self._unoptimised = self._unoptimised and key == READINGS  # any other may change the program
        seconds = self._backend.call_seconds
        if key == VERIFY:  # which may compile the whole program
            seconds = max(seconds, limits.seconds(limits.wall_seconds(limits.CODE_CPU_SECONDS)))
        reply = self._connection.send_session_parameter(request, timeout=seconds)
        if len(reply.reply) != 1:
            raise InvalidAnswer(f"The service gave {len(reply.reply)} replies to one parameter.")
        return str(reply.reply[0])

    def readings(self) -> str:
        try:
            return self.parameter(READINGS)
        except (InvalidInput, ServiceError):
            return ""  # a service of others does not know this parameter; a dead session has nothing to tell

    def fork(self) -> SessionClient:
        connection, session_id = self._connection.fork(self._session_id)
        self._backend.adopt(connection, session_id)
        twin = SessionClient(
            connection, session_id, self._backend, self._space, self.new_action_space, growth=self._growth
        )
        twin._unoptimised = self._unoptimised  # of the same class
        twin._exist = set(self._exist)
        return twin

    def close(self, *, soon: bool = False) -> None:
        # `soon`: return before it has ended; it ends at the latest with its backend.
        if not self._closed:
            self._closed = True
            if soon:
                self._backend.end_soon(self._connection, self._session_id)
            else:
                self._connection.end(self._session_id)


@contextmanager
def _about(name: str) -> Iterator[None]:
    # Say of an input that the session refuses which observation it is about.
    try:
        yield
    except InvalidInput as error:
        if name and not error.field:
            error.field, error.value = "observation_space", name
        raise
    except ValueUnavailable as error:
        raise error.about(name)  # noqa: B904 # it is the same error


@dataclass(frozen=True, slots=True, eq=False)
class ServiceInfo:
    compiler_version: str
    action_spaces: tuple[pb.ActionSpace, ...] = field(repr=False)
    observations: Mapping[str, ObservationSpec] = field(repr=False)

    @classmethod
    def ask(cls, connection: Connection) -> Self:
        spaces = connection.get_spaces(pb.GetSpacesRequest())
        return cls.of(connection.get_version(pb.GetVersionRequest()).compiler_version, spaces)

    @classmethod
    def of(cls, compiler_version: str, spaces: pb.GetSpacesReply, *, is_own: bool = False) -> Self:
        # Those of this package's own compilers are checked by its tests, and converted once they are used.
        listed = [ObservationSpec(index, each) for index, each in enumerate(spaces.observation_space_list)]
        if not spaces.action_space_list:
            raise InvalidAnswer("The service offers no action space.")
        for each in spaces.action_space_list:
            action_space(each)
        for spec in listed:
            if not (is_own or spec.is_packed):
                _ = spec.space  # kept by the spec
        return cls(
            compiler_version=compiler_version,
            action_spaces=tuple(spaces.action_space_list),
            observations={spec.name: spec for spec in listed},
        )

    def action_space_index(self, name: str) -> int:
        names = [space.name for space in self.action_spaces]
        if name not in names:
            raise unknown_name("action_space", name, names)
        return names.index(name)

    def check_actions(self, environment: EnvironmentSpec) -> None:
        # Its actions must be those of the environment's tables, in order: else it is another service, or
        # version.
        first, *further = self.action_spaces
        tables = {table.name: table for table in environment.further_tables}
        pairs = [(first, environment.action_table)]
        named = [one for one in further if one.space.WhichOneof("value") == "named_discrete"]
        pairs += [(one, tables[one.name]) for one in named if one.name in tables]
        for space, table in pairs:
            if not _is_of(space, table):
                compiler = self.compiler_version or "an unnamed compiler"
                message = (
                    f"The service of {compiler} does not offer the actions of {environment.id} in its action "
                    f"space {space.name!r:.100}."
                )
                remedy = (
                    "Start the service of this environment, in the same version of optarena; an action table "
                    "of your own needs the names that its service has, in the same order; for numbers "
                    "alone, as many names."
                )
                raise InvalidInput(message, field="service", value=compiler, remedy=remedy)

    def observation(self, name: str) -> ObservationSpec:
        if name not in self.observations:
            raise unknown_name("observation_space", name, list(self.observations))
        return self.observations[name]


def _is_of(space: pb.ActionSpace, table: ActionTable) -> bool:
    # Actions of several parts have no names, and a service may have numbers only.
    if is_structured(table):
        return space.name == table.name
    converted = action_space(space)
    names = getattr(converted, "names", None)
    if names is None and isinstance(converted, Discrete):
        return (converted.start, converted.n) == (0, len(table.names))
    return tuple(names or ()) == tuple(table.names)

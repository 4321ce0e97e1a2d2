"""Gymnasium spaces of what a service offers, and the conversion of its answers into their members.

A *view* gives an observation as plain Python (``int``, ``str``, ``bytes``) or an array; a *member* is the
same as an element of the gymnasium space, which is what ``reset()`` and ``step()`` return.
"""

from __future__ import annotations

import contextlib
import math
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena import limits
from optarena.actions import ActionTable
from optarena.actions import check_actions as check_in_table
from optarena.env.derived import DerivedObservation, least
from optarena.errors import (
    InvalidAction,
    InvalidAnswer,
    InvalidInput,
    OptArenaError,
    ServiceError,
    ValueUnavailable,
)
from optarena.service.converters import (
    Commandline,
    NamedDiscrete,
    as_choices,
    event_to_member,
    event_to_python,
    space_to_gymnasium,
)
from optarena.service.converters.events import DTYPES, RANGES, tensor_to_array
from optarena.service.converters.spaces import LATIN1, text_space
from optarena.service.protocol.messages import check_event
from optarena.specs import check_action
from optarena.specs.rewards import RewardMeter, checked_cost

if TYPE_CHECKING:
    from optarena.env.compiler_env import CompilerEnv
    from optarena.env.episode import Episode
    from optarena.env.session_client import StepOutcome
    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event, ObservationSpace, Space
    from optarena.specs.environment import LiveEnv

__all__ = ["NamedDiscrete", "ObservationSpec", "action_space", "check_actions"]


def trainable(space: gymnasium.Space[Any]) -> gymnasium.Space[Any]:
    """A vector or matrix of integers as one of float32, as networks take it; any other space unchanged.

    Counts up to 2^24 are the same; the view has all of them as integers.
    """
    if not isinstance(space, gymnasium.spaces.Box) or space.dtype != np.int64 or space.shape == ():
        return space
    return gymnasium.spaces.Box(space.low.astype(np.float32), space.high.astype(np.float32), dtype=np.float32)


_LONGEST: Final = 300  # characters of a service's text that are repeated


@dataclass(frozen=True, eq=False)
class ObservationSpec:
    """One observation space of a service.

    Attributes:
        index: Its index in the service's list.
        message: The service's description.
    """

    index: int
    message: ObservationSpace

    @cached_property
    def name(self) -> str:
        """``IrInstructionCount``."""
        return self.message.name

    @property
    def deterministic(self) -> bool:
        """Whether the same state always gives the same value."""
        return self.message.deterministic

    @property
    def platform_dependent(self) -> bool:
        """Whether the value depends on the machine."""
        return self.message.platform_dependent

    @property
    def costly(self) -> bool:
        """Whether computing the value takes long for a large program."""
        return self.message.costly

    @cached_property
    def space(self) -> gymnasium.Space[Any]:
        """The gymnasium space of the members; texts and byte strings are ``Text``, never ``Sequence``.

        Raises:
            InvalidAnswer: There is no such space: the service contradicts itself.
        """
        try:
            converted = trainable(space_to_gymnasium(self.message.space))
            if self.message.space.WhichOneof("value") == "byte_sequence":
                length = self.message.space.byte_sequence.length_range
                return text_space(length.min, length.max if length.HasField("max") else None, LATIN1)
        except InvalidInput as error:
            raise _broken("observation", self.name, error) from error
        return converted

    @property
    def is_packed(self) -> bool:
        """Whether the space is a message that only this service's own clients may understand."""
        return bool(self.message.space.WhichOneof("value") == "any_value")

    def view_in(self, outcome: StepOutcome, _env: LiveEnv) -> Any:  # noqa: ANN401 # of any space
        """Return the value in an outcome, see :meth:`view`.

        Raises:
            InvalidAnswer: The value is not in the space that the service declares.
            InvalidInput: There is no value for this program, or on this machine.
            DeviceUnavailable: What it is measured on cannot be used now.
        """
        return self.view(outcome.event_of(self.name))

    def member_in(self, outcome: StepOutcome, _env: LiveEnv) -> Any:  # noqa: ANN401 # of any space
        """The value in an outcome as an element of ``space``; raises as :meth:`view_in`."""
        return self.member(outcome.event_of(self.name))

    def view(self, event: Event | bytes) -> Any:  # noqa: ANN401 # of any space
        """The value as plain Python, or as an array, from a message or from numbers.

        Raises:
            InvalidAnswer: The value has another type or shape than the service declares, or is out of its
                range.
        """
        try:
            return self._decode_numbers(event) if isinstance(event, bytes) else self._decode(event)
        except (ValueError, TypeError, OverflowError) as error:
            raise self._strange(error) from error

    def member(self, event: Event | bytes) -> Any:  # noqa: ANN401 # of any space
        """The value as an element of ``space``; one that has a form of its own, as it is.

        Raises:
            InvalidAnswer: The value is not in the space that the service declares.
        """
        value = self.view(event)
        if isinstance(event, bytes):
            return np.asarray(value, dtype=self.space.dtype)
        if is_of_its_own_form(event, self.message.space):
            return value
        if isinstance(value, bytes):
            return value.decode("latin-1")
        try:
            if isinstance(self.space, gymnasium.spaces.Box):
                return np.asarray(value, dtype=self.space.dtype)
            return event_to_member(event, self.message.space)
        except (ValueError, TypeError, OverflowError) as error:
            raise self._strange(error) from error

    @property
    def default(self) -> Any:  # noqa: ANN401 # of any space
        """What a failed step observes: the service's default, or the smallest element of ``space``."""
        if self.message.default_observation.WhichOneof("value") is not None:
            with contextlib.suppress(InvalidAnswer):  # a default outside of the space is ignored
                return self.member(self.message.default_observation)
        return least(self.space)

    @cached_property
    def _decode(self) -> Callable[[Event], Any]:
        return decoder_of(self.message.space)

    @cached_property
    def _decode_numbers(self) -> Callable[[bytes], Any]:
        return decoder_of_numbers(self.message.space)

    def _strange(self, error: Exception) -> InvalidAnswer:
        return InvalidAnswer(
            f"The service's value of {self.name} is not in the space it declares: {str(error)[:_LONGEST]}"
        )


def is_exact(observation: object) -> bool:
    """Whether it is an observation of a service, which is the same for the same state on every machine."""
    if not isinstance(observation, ObservationSpec):
        return False
    return observation.deterministic and not observation.platform_dependent


def action_space(message: ActionSpace) -> gymnasium.Space[Any]:
    """The gymnasium space of a service's action space.

    Raises:
        InvalidAnswer: There is no such space: the service contradicts itself.
    """
    try:
        converted = space_to_gymnasium(message.space)
    except InvalidInput as error:
        raise _broken("action", message.name, error) from error
    if message.space.WhichOneof("value") == "named_discrete":
        return NamedDiscrete(message.space.named_discrete.name, message.name)
    if isinstance(converted, Commandline):
        return Commandline(converted.names, message.name)
    return as_choices(converted)


def _broken(what: str, name: str, error: InvalidInput) -> InvalidAnswer:
    return InvalidAnswer(f"The service's {what} space {name[:100]!r} cannot be used: {error.message}")


def check_actions(
    space: gymnasium.Space[Any], actions: Iterable[Any], table: Callable[[], ActionTable] | None = None
) -> list[Any]:
    """The actions in the service's form: plain integers, or tuples of them, depending on the space.

    Args:
        space: The action space.
        actions: Its members.
        table: Gives the table that converts actions of a structured space to their canonical form.

    Raises:
        InvalidAction: They are not a list, or one of them is not in the space; spaces other than Discrete and
            MultiDiscrete are checked by the service.
    """
    listed = list(actions) if type(actions) is list else listed_actions(actions)
    if isinstance(space, gymnasium.spaces.Discrete):
        size, names = int(space.n), getattr(space, "names", ())
        for position, action in enumerate(listed):
            if type(action) is not int or not 0 <= action < size:
                listed[position] = check_action(action, size, position, names=names)
        return listed
    if not isinstance(space, gymnasium.spaces.MultiDiscrete):
        return listed
    checked = [_components(space, action, position) for position, action in enumerate(listed)]
    return checked if table is None else list(check_in_table(table(), checked))


def listed_actions(actions: Iterable[Any]) -> list[Any]:
    """Several actions as a list, else InvalidAction."""
    try:
        listed = None if isinstance(actions, (str, bytes, Mapping, AbstractSet)) else list(actions)
    except TypeError:
        listed = None
    if listed is None:
        message = f"{actions!r:.200} is not a list of actions ({type(actions).__name__})."
        remedy = "Give a list to multistep() and peek(), or one action to step()."
        raise InvalidAction(message, field="action", value=actions, remedy=remedy)
    return listed


def peeked_actions(actions: Iterable[Any]) -> list[Any]:
    """The actions to look at; InvalidAction if they are not a list, or there are none or too many."""
    listed = listed_actions(actions)
    if not 0 < len(listed) <= limits.MAX_PEEKED_ACTIONS:
        message = f"There are {len(listed)} actions to look at."
        remedy = f"Give between 1 and {limits.MAX_PEEKED_ACTIONS} actions."
        raise InvalidAction(message, field="actions", value=len(listed), remedy=remedy)
    return listed


def _components(space: gymnasium.spaces.MultiDiscrete, action: object, position: int) -> tuple[int, ...]:
    parts = action.tolist() if isinstance(action, np.ndarray) else action
    sizes: list[int] = space.nvec.tolist()
    if not isinstance(parts, (list, tuple)) or len(parts) != len(sizes):
        message = f"Action {action!r:.200} at position {position} is not in {space}."
        raise InvalidAction(message, field="action", value=action, remedy=f"Give {len(sizes)} integers.")
    each = enumerate(zip(parts, sizes, strict=True))
    return tuple(check_action(part, size, position, component) for component, (part, size) in each)


class RequestedSpaces:
    """The observations and rewards of one step: those in force, or lists of those that were named.

    Attributes:
        needs: What the service must observe for them.
    """

    def __init__(
        self,
        env: CompilerEnv,
        episode: Episode,
        observation_spaces: Sequence[str] | None,
        reward_spaces: Sequence[str] | None,
    ) -> None:
        self._env = env
        self._is_listed = observation_spaces is not None
        if observation_spaces is None:
            name = env._selection.observation_space  # noqa: SLF001 # of the same room
            self._observations = [] if name is None else [name]
        else:
            names = listed_names("observation_spaces", observation_spaces)
            self._observations = [env.observations[name].name for name in names]
        if reward_spaces is None and episode.missing is not None:
            raise episode.missing.with_traceback(None)  # it is raised by each step
        self._meters = [] if episode.meter is None else [episode.meter]
        self._silent: list[RewardMeter] = []
        self._names = None
        if reward_spaces is not None:
            self._names = listed_names("reward_spaces", reward_spaces)
            named = {meter.spec.name: meter for meter in (_meter(env, episode, name) for name in self._names)}
            self._silent = [meter for meter in self._meters if meter not in named.values()]
            self._meters = list(named.values())
        # The reward in force is kept up to date, so that the episode's reward is that of all its actions;
        # but no program is run for a reward that was not requested.
        self._seen = [meter for meter in self._silent if meter.spec.deterministic] if self._silent else []
        self._values = list(self._observations)
        for meter in (*self._meters, *self._seen):
            self._values.append(meter.spec.cost)
        self.needs: Sequence[str] = env.observations.needed(tuple(self._values))

    def is_lack_of_named(self, error: ServiceError) -> bool:
        """Whether a value is unavailable that an observation or a reward needs which the step named."""
        named = self._observations if self._is_listed else []
        costs = [] if self._names is None else [meter.spec.cost for meter in self._meters]
        needed = self._env.observations.needed((*named, *costs))
        return isinstance(error, ValueUnavailable) and error.value in needed

    @property
    def derived(self) -> Sequence[str]:
        """Those of them that the client derives, each once."""
        spaces = self._env.observations.by_name
        return [name for name in dict.fromkeys(self._values) if isinstance(spaces[name], DerivedObservation)]

    def read(self, outcome: StepOutcome) -> tuple[Any, Any]:
        """The observation and the reward of a step that was taken, or lists of them.

        Raises:
            InvalidAnswer: The value of an observation or of a cost cannot be decoded.
            InvalidInput: One of them does not exist for this program.
            DeviceUnavailable: What one of them is measured on cannot be used now.
            ServiceError: A derived one cannot be computed.

        Then no reward has been given: what the actions earned is part of the next one.
        """
        spaces, values, costs, rewards = self._env.observations.by_name, [], [], []
        try:
            for name in self._observations:
                values.append(spaces[name].member_in(outcome, self._env))  # noqa: PERF401 # a comprehension is a call
            for meter in self._meters:
                costs.append(self._cost(meter, outcome))  # noqa: PERF401 # as above
            for meter in self._seen:
                with contextlib.suppress(ValueUnavailable):  # nobody asked for it
                    meter.latest = self._cost(meter, outcome)
        except BaseException:  # an interrupt, too
            self.update_costs(outcome)
            raise
        for meter, cost in zip(self._meters, costs, strict=True):
            rewards.append(meter.read(cost))
            if self._names is not None:
                meter.named += rewards[-1]
        return self._arrange(values, rewards)

    def update_costs(self, outcome: StepOutcome) -> None:
        """Take note of the costs that can be read; their rewards are not given now."""
        for meter in (*self._meters, *self._seen):
            if meter.spec.deterministic:
                with contextlib.suppress(OptArenaError):
                    meter.latest = self._cost(meter, outcome)

    def meter_positions(self) -> list[tuple[float, float]]:
        """Up to where the rewards have been given, for :meth:`rewind_meters`."""
        return [(meter.cost, meter.named) for meter in self._meters]

    def rewind_meters(self, reading: list[tuple[float, float]]) -> None:
        """Take back the rewards since a reading: they are part of the next ones."""
        for meter, (cost, named) in zip(self._meters, reading, strict=True):
            meter.cost, meter.named = cost, named

    def fail(self) -> tuple[Any, Any]:
        """The observation and the reward of a step that ended the episode: defaults, and penalties."""
        for meter in self._silent:
            meter.fail()
        values = [self._env.observations[name].default for name in self._observations]
        return self._arrange(values, [meter.fail() for meter in self._meters])

    def _cost(self, meter: RewardMeter, outcome: StepOutcome) -> float:
        cost = meter.spec.cost
        return checked_cost(cost, self._env.observations.by_name[cost].view_in(outcome, self._env))

    def _arrange(self, values: list[Any], rewards: list[float]) -> tuple[Any, Any]:
        observation = values if self._is_listed else values[0] if values else None
        if self._names is None:
            return observation, rewards[0] if rewards else 0.0
        by_name = dict(zip(dict.fromkeys(self._names), rewards, strict=True))  # a name may be there twice
        return observation, [by_name[name] for name in self._names]


def _meter(env: CompilerEnv, episode: Episode, name: str) -> RewardMeter:
    spec = env.environment.reward(name)
    if episode.meter is not None and episode.meter.spec == spec:
        return episode.meter
    return env._guarded(lambda: episode.reading(name, env.environment.rewards))  # noqa: SLF001 # of the same room


def listed_names(field: str, names: Sequence[str]) -> list[str]:
    """The names of spaces that a step is called with; InvalidInput if they are not a list."""
    if not isinstance(names, (list, tuple)):
        message = f"{field} is {names!r:.200} ({type(names).__name__})."
        raise InvalidInput(message, field=field, value=names, remedy="Give a list of names.")
    return list(names)


_NUMBER: Final = struct.Struct("<q")
_NUMBERS: Final = np.dtype("<i8")


def decoder_of(space: Space) -> Callable[[Event], Any]:
    """A function that decodes and checks the observations of a space, and raises a ValueError for others.

    It returns the same as :func:`~optarena.service.converters.event_to_python`, except ``bytes`` for a byte
    sequence; the tensor of a sequence may leave its shape out. Values that :func:`is_of_its_own_form` are
    decoded as they are.
    """
    element, _, form = (space.WhichOneof("value") or "").partition("_")
    if form not in ("box", "sequence") or element not in DTYPES:
        return partial(_plain, space)
    message = getattr(space, f"{element}_{form}")
    return _Box(element, message).decode if form == "box" else _Sequence(element, message).decode


def is_of_its_own_form(event: Event, space: Space) -> bool:
    """Whether a value has not the form of its space, but one that CompilerGym's services send all the same.

    They declare a text and send a packed document or a dict, and declare a sequence of numbers and send
    nothing if there are none.
    """
    declared, given = space.WhichOneof("value") or "", event.WhichOneof("value")
    if declared == "string_value":
        return given in ("any_value", "event_dict")
    return given is None and declared.endswith("_sequence")


def decoder_of_numbers(space: Space) -> Callable[[bytes], Any]:
    """A function that decodes observations that come as integers of 64 bits, or raises a ValueError."""
    kind = space.WhichOneof("value")
    if kind == "int64_box":
        return _Box("int64", space.int64_box).decode_numbers
    low, high = _bounds_of("int64", space.int64_value)

    def decode(numbers: bytes) -> int:
        if kind != "int64_value":
            raise ValueError(f"{len(numbers)} bytes of numbers are not {kind or 'a value'}")
        if len(numbers) != _NUMBER.size:
            raise ValueError(f"{len(numbers)} bytes are not one number")
        value: int = _NUMBER.unpack(numbers)[0]
        if not low <= value <= high:
            raise ValueError(f"{value} is out of range")
        return value

    return decode


def _bounds_of(element: str, given: Any) -> tuple[Any, Any]:  # noqa: ANN401 # one of four range messages
    low, high = RANGES[element]
    return given.min if given.HasField("min") else low, given.max if given.HasField("max") else high


_HIGHEST_BYTES: Final = slice(_NUMBER.size - 1, None, _NUMBER.size)


class _Box:
    # Bounds that are the same for all elements are one number, for fast comparison; bounds that every value
    # satisfies are None.

    def __init__(self, element: str, message: Any) -> None:  # noqa: ANN401 # one of five messages
        self._element = element
        self._kind = f"{element}_tensor"
        self._shape = [int(size) for size in message.low.shape]
        self._size = math.prod(self._shape)
        self._low = _bound(element, tensor_to_array(element, message.low))
        self._high = _bound(element, tensor_to_array(element, message.high))
        self._is_natural = type(self._low) is int and self._low == 0 and self._high is None

    def decode(self, event: Event) -> np.ndarray[Any, Any]:
        tensor = _tensor(event, self._kind)
        shape = list(tensor.shape)
        if shape != self._shape or len(tensor.value) != self._size:
            raise ValueError(f"expected shape {self._shape}, got {shape} with {len(tensor.value)} values")
        array = tensor_to_array(self._element, tensor)
        _check_bounds(array, self._low, self._high)
        return array

    def decode_numbers(self, numbers: bytes) -> np.ndarray[Any, Any]:
        # The array may be written to.
        if len(numbers) != self._size * _NUMBER.size:
            raise ValueError(f"expected {self._size} numbers, got {len(numbers)} bytes")
        array = np.frombuffer(bytearray(numbers), _NUMBERS)
        if len(self._shape) != 1:
            array = array.reshape(self._shape)
        # No number is below 0 if the highest byte of each is below 128.
        if not (self._is_natural and numbers[_HIGHEST_BYTES].isascii()):
            _check_bounds(array, self._low, self._high)
        return array


class _Sequence:
    def __init__(self, element: str, message: Any) -> None:  # noqa: ANN401 # one of five messages
        self._element = element
        self._kind = f"{element}_tensor"
        limits = message.length_range
        self._shortest = limits.min if limits.HasField("min") else 0
        self._longest = limits.max if limits.HasField("max") else math.inf
        self._low = self._high = None
        if element in RANGES:
            bounds = _bounds_of(element, message.scalar_range)
            self._low, self._high = (_bound(element, np.asarray(bound)) for bound in bounds)

    def decode(self, event: Event) -> np.ndarray[Any, Any] | bytes | None:
        if event.WhichOneof("value") is None:
            return None
        tensor = _tensor(event, self._kind)
        length = len(tensor.value)
        shape = list(tensor.shape)
        if shape not in ([], [length]):
            raise ValueError(f"expected shape [{length}], got {shape} with {length} values")
        if not self._shortest <= length <= self._longest:
            raise ValueError(f"length {length} is out of range")
        if self._element == "byte":
            array = np.frombuffer(tensor.value, np.uint8)
        else:
            array = np.array(list(tensor.value), DTYPES[self._element])
        _check_bounds(array, self._low, self._high)
        return bytes(tensor.value) if self._element == "byte" else array


def _tensor(event: Event, kind: str) -> Any:  # noqa: ANN401 # one of six messages
    given = event.WhichOneof("value")
    if given != kind:
        raise ValueError(f"expected {kind}, got {given or 'no value'}")
    return getattr(event, kind)


def _plain(space: Space, event: Event) -> Any:  # noqa: ANN401 # of any other space
    if is_of_its_own_form(event, space):
        return event_to_python(event)
    check_event(event, space)
    value = event_to_python(event)
    if isinstance(value, float) and math.isnan(value):
        raise ValueError("NaN is in no space")
    return value


def _bound(element: str, bounds: np.ndarray[Any, Any]) -> Any:  # noqa: ANN401 # of any space
    # None if every value satisfies them.
    if bounds.size == 0 or element not in RANGES:
        return None
    if np.all(bounds == bounds.flat[0]):
        limit = bounds.flat[0].item()
        return None if element in {"boolean", "byte", "int64"} and limit in RANGES[element] else limit
    return bounds


def _check_bounds(array: np.ndarray[Any, Any], low: Any, high: Any) -> None:  # noqa: ANN401 # see _bound
    # NaN is outside any range, since floats always have bounds, even if infinite.
    if array.size == 0:
        return
    low_fails = low is not None and not (
        array.min() >= low if isinstance(low, (int, float)) else np.all(array >= low)
    )
    high_fails = high is not None and not (
        array.max() <= high if isinstance(high, (int, float)) else np.all(array <= high)
    )
    if low_fails or high_fails:
        raise ValueError(f"{array.ravel()[:8].tolist()} (the first of {array.size}) is out of range")

"""Gymnasium spaces of what a service offers, and the conversion of its answers into their members.

A *view* gives an observation as plain Python (``int``, ``str``, ``bytes``) or an array; a *member* is the
same as an element of the gymnasium space, which is what ``reset()`` and ``step()`` return.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena.actions import check_actions as check_in_table
from optarena.env.derived import least
from optarena.errors import InvalidAction, InvalidAnswer, InvalidInput
from optarena.service.converters import (
    Commandline,
    NamedDiscrete,
    as_choices,
    decoder_of,
    decoder_of_numbers,
    event_to_member,
    is_of_its_own_form,
    space_to_gymnasium,
)
from optarena.service.converters.spaces import LATIN1, text_space
from optarena.specs import check_action

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.actions import ActionTable
    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event, ObservationSpace

__all__ = ["NamedDiscrete", "ObservationSpec", "action_space", "check_actions"]


_LONGEST: Final = 300
"""How many characters of a service's text are repeated."""


@dataclass(frozen=True, eq=False)
class ObservationSpec:
    """One observation space of a service.

    Attributes:
        index: Its index in the service's list.
        message: The service's description.
    """

    index: int
    message: ObservationSpace

    @property
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

    @cached_property
    def space(self) -> gymnasium.Space[Any]:
        """The gymnasium space of the members; texts and byte strings are ``Text``, never ``Sequence``.

        Raises:
            InvalidAnswer: There is no such space: the service contradicts itself.
        """
        try:
            converted = space_to_gymnasium(self.message.space)
            if self.message.space.WhichOneof("value") == "byte_sequence":
                return _text(self.message.space.byte_sequence.length_range, LATIN1)
        except InvalidInput as error:
            raise _broken("observation", self.name, error) from error
        return converted

    @property
    def is_packed(self) -> bool:
        """Whether the space is a message that only this service's own clients may understand."""
        return bool(self.message.space.WhichOneof("value") == "any_value")

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
    listed = listed_actions(actions)
    if isinstance(space, gymnasium.spaces.Discrete):
        return [check_action(action, int(space.n), position) for position, action in enumerate(listed)]
    if not isinstance(space, gymnasium.spaces.MultiDiscrete):
        return listed
    checked = [_components(space, action, position) for position, action in enumerate(listed)]
    return checked if table is None else list(check_in_table(table(), checked))


def listed_actions(actions: Iterable[Any]) -> list[Any]:
    """Several actions as a list.

    Raises:
        InvalidAction: They are not a list.
    """
    try:
        listed = None if isinstance(actions, (str, bytes, Mapping, AbstractSet)) else list(actions)
    except TypeError:
        listed = None
    if listed is None:
        message = f"{actions!r:.200} is not a list of actions ({type(actions).__name__})."
        remedy = "Give a list to multistep() and peek(), or one action to step()."
        raise InvalidAction(message, field="action", value=actions, remedy=remedy)
    return listed


def _components(space: gymnasium.spaces.MultiDiscrete, action: object, position: int) -> tuple[int, ...]:
    parts = action.tolist() if isinstance(action, np.ndarray) else action
    sizes: list[int] = space.nvec.tolist()
    if not isinstance(parts, (list, tuple)) or len(parts) != len(sizes):
        raise InvalidAction(
            f"Action {action!r:.200} at position {position} is not in {space}.",
            field="action",
            value=action,
            remedy=f"Give {len(sizes)} integers.",
        )
    return tuple(
        check_action(part, size, position, component)
        for component, (part, size) in enumerate(zip(parts, sizes, strict=True))
    )


def _text(length: Any, charset: str) -> gymnasium.spaces.Text:  # noqa: ANN401 # an Int64Range of either message
    return text_space(length.min, length.max if length.HasField("max") else None, charset)

"""Gymnasium spaces of what a service offers, and the conversion of its answers into their members.

A *view* gives an observation as plain Python (``int``, ``str``, ``bytes``) or an array; a *member* is the
same as an element of the gymnasium space, which is what ``reset()`` and ``step()`` return.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from optarena.errors import TransportError
from optarena.service.converters import (
    NamedDiscrete,
    event_to_member,
    event_to_python,
    space_to_gymnasium,
)
from optarena.service.converters.forms import ASCII, LATIN1, text_space
from optarena.specs import check_action

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event, ObservationSpace

__all__ = ["NamedDiscrete", "ObservationSpec", "action_space", "check_actions"]


@dataclass(frozen=True, eq=False)
class ObservationSpec:
    """One observation space of a service.

    Attributes:
        index: Its number in the service's list.
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
        """The gymnasium space of the members; texts and byte strings are ``Text``, never ``Sequence``."""
        kind = self.message.space.WhichOneof("value")
        if kind == "string_value":
            return _text(self.message.space.string_value.length_range, ASCII)
        if kind == "byte_sequence":
            return _text(self.message.space.byte_sequence.length_range, LATIN1)
        return space_to_gymnasium(self.message.space)

    def view(self, event: Event) -> Any:  # noqa: ANN401 # of any space
        """The value as plain Python, or as an array."""
        if event.WhichOneof("value") == "byte_tensor" and self._is_bytes:
            return event.byte_tensor.value
        return event_to_python(event)

    def member(self, event: Event) -> Any:  # noqa: ANN401 # of any space
        """The value as an element of ``space``.

        Raises:
            TransportError: It is none: the service does not keep to what it has declared.
        """
        try:
            value = self.view(event)
            if isinstance(value, bytes):
                return value.decode("latin-1")
            if isinstance(self.space, gymnasium.spaces.Box):
                return np.asarray(value, dtype=self.space.dtype).reshape(self.space.shape)
            return event_to_member(event, self.message.space)
        except (ValueError, TypeError, OverflowError) as error:
            raise TransportError(
                f"The service's value of {self.name} is not of the space it declares: {error}"
            ) from error

    @property
    def default(self) -> Any:  # noqa: ANN401 # of any space
        """What a failed step observes: an element of ``space``, the smallest where the service names none."""
        if self.message.default_observation.WhichOneof("value") is not None:
            return self.member(self.message.default_observation)
        space = self.space
        if isinstance(space, gymnasium.spaces.Box):
            return np.asarray(np.clip(np.zeros(space.shape, space.dtype), space.low, space.high))
        return "0" * space.min_length if isinstance(space, gymnasium.spaces.Text) else 0

    @property
    def _is_bytes(self) -> bool:
        return bool(self.message.space.WhichOneof("value") == "byte_sequence")


def action_space(message: ActionSpace) -> gymnasium.Space[Any]:
    """The gymnasium space of a service's action space."""
    if message.space.WhichOneof("value") == "named_discrete":
        return NamedDiscrete(message.space.named_discrete.name, message.name)
    return space_to_gymnasium(message.space)


def check_actions(space: gymnasium.Space[Any], actions: Iterable[Any]) -> list[Any]:
    """The actions as the service takes them: plain integers where the space is discrete.

    Raises:
        InvalidAction: One of them is not in a discrete space; other spaces are checked by the service.
    """
    if not isinstance(space, gymnasium.spaces.Discrete):
        return list(actions)
    return [check_action(action, int(space.n), position) for position, action in enumerate(actions)]


def _text(length: Any, charset: str) -> gymnasium.spaces.Text:  # noqa: ANN401 # an Int64Range of either message
    return text_space(length.min, length.max if length.HasField("max") else None, charset)

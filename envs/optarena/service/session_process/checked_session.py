"""Checks the values that session code returns; no other module does.

It checks kinds and shapes but not ranges, which would take longer than a step of many compilers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NoReturn

from optarena.documents.texts import whole
from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Event, ObservationSpace
from optarena.service.protocol.events import bytes_of_numbers, check_kind
from optarena.service.protocol.faults import Fault
from optarena.service.protocol.status import StatusCode
from optarena.service.session import CompilationSession

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN: Final = 80
_APPLIED: Final = "a tuple (bool, ActionSpace or None, bool)"


class CheckedSession(CompilationSession):
    """A session whose every return value has the type that :class:`CompilationSession` promises.

    A method raises :class:`Fault` with INTERNAL, naming class and method, if the session returns anything
    else. Exceptions of the session pass through.

    Args:
        session: The session.

    Raises:
        Fault: The session has no action space.
    """

    def __init__(self, session: CompilationSession) -> None:
        self._session = session
        space = getattr(session, "action_space", None)
        if not isinstance(space, ActionSpace):
            self._refuse("action_space", "is", space, "an ActionSpace")
        self.action_space = space

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """Apply one action."""
        given = self._session.apply_action(action)
        if not (isinstance(given, tuple) and len(given) == len(("end", "space", "no effect"))):
            self._refuse("apply_action", "returned", given, _APPLIED)
        end, space, no_effect = given
        kinds = isinstance(end, bool) and isinstance(no_effect, bool)
        if not kinds or not (space is None or isinstance(space, ActionSpace)):
            self._refuse("apply_action", "returned", given, _APPLIED)
        return end, space, no_effect

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        """The value of an observation space, with the kind and shape that it requires."""
        given = self._session.get_observation(observation_space)
        method = f"get_observation({observation_space.name!r})"
        if not isinstance(given, Event):
            self._refuse(method, "returned", given, "an Event")
        try:
            check_kind(given, observation_space.space, f"{self._name}.{method} returned a wrong value")
        except ValueError as error:
            raise Fault(StatusCode.INTERNAL, whole(str(error))) from error
        return given

    def get_plainly(self, observation_space: ObservationSpace) -> bytes | Event:
        """The value of an observation space as numbers, as many as it requires, if the session gives them."""
        given = self._session.get_numbers(observation_space)
        if given is None:
            return self.get_observation(observation_space)
        wanted = bytes_of_numbers(observation_space.space)
        expected = "None" if wanted is None else f"{wanted} bytes or None"
        self._check_numbers(f"get_numbers({observation_space.name!r})", given, wanted, expected)
        return given

    def try_actions(
        self,
        actions: Sequence[int],
        observation_spaces: Sequence[ObservationSpace],
        *,
        channel: int,
        cpu_seconds: float | None,
    ) -> Mapping[int, tuple[bool, list[bytes]]]:
        """What some of the actions give, with as many numbers as each observation space requires."""
        given = self._session.try_actions(
            actions, observation_spaces, channel=channel, cpu_seconds=cpu_seconds
        )
        if not isinstance(given, Mapping):
            self._refuse("try_actions", "returned", given, "a mapping")
        for place, answer in given.items():
            if type(place) is not int or not 0 <= place < len(actions):
                self._refuse("try_actions", "has an answer for", place, f"indices below {len(actions)}")
            self._check_answer(f"try_actions()[{place}]", answer, observation_spaces)
        return given

    def _check_answer(self, what: str, answer: object, spaces: Sequence[ObservationSpace]) -> None:
        match answer:
            case (bool(), [*values]) if len(values) == len(spaces):
                for value, space in zip(values, spaces, strict=True):
                    wanted = bytes_of_numbers(space.space)
                    expected = "no answer, since it is not numbers" if wanted is None else f"{wanted} bytes"
                    self._check_numbers(f"{what} for {space.name!r}", value, wanted, expected)
            case _:
                self._refuse(what, "is", answer, f"a tuple (bool, list of {len(spaces)} observations)")

    def _check_numbers(self, what: str, given: object, wanted: int | None, expected: str) -> None:
        if not isinstance(given, bytes) or len(given) != wanted:
            shown = f"{len(given)} bytes" if isinstance(given, bytes) else given
            self._refuse(what, "returned", shown, expected)

    def check_action(self, action: Event) -> None:
        """Check what the action space cannot express."""
        self._session.check_action(action)

    def check_actions(self, actions: Sequence[Event]) -> None:
        """Check the actions of one step."""
        self._session.check_actions(actions)

    def verify(self) -> str:
        """Why the program is not valid; empty if it is."""
        given = self._session.verify()
        if not isinstance(given, str):
            self._refuse("verify", "returned", given, "a str")
        return whole(given)

    def readings(self) -> str:
        """What a copy must not measure anew."""
        given = self._session.readings()
        if not isinstance(given, str):
            self._refuse("readings", "returned", given, "a str")
        return whole(given)

    def take_readings(self, readings: str) -> None:
        """Use what another session has measured."""
        self._session.take_readings(readings)

    def run_program(self, arguments: Sequence[str], stdin: bytes) -> tuple[bytes, int]:
        """Run the program; returns its output and its exit code."""
        given = self._session.run_program(arguments, stdin)
        pair = isinstance(given, tuple) and len(given) == len(("stdout", "exit code"))
        if not (pair and isinstance(given[0], bytes) and type(given[1]) is int):
            self._refuse("run_program", "returned", given, "a tuple (bytes, int)")
        return given

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        """Set or query a parameter."""
        given = self._session.handle_session_parameter(key, value)
        if given is None:
            return None
        if not isinstance(given, str):
            self._refuse(f"handle_session_parameter({key!r})", "returned", given, "a str or None")
        return whole(given)

    def close(self) -> None:
        """Free the session's resources."""
        self._session.close()

    @property
    def session(self) -> CompilationSession:
        """The session itself."""
        return self._session

    @property
    def _name(self) -> str:
        return type(self._session).__name__

    def _refuse(self, what: str, does: str, given: object, expected: str) -> NoReturn:
        raise Fault(StatusCode.INTERNAL, f"{self._name}.{what} {does} {_shown(given)}, expected {expected}")


def _shown(value: object) -> str:
    """A value for a message: short, and safe even if its ``__repr__`` fails."""
    try:
        text = whole(repr(value))
    except Exception:  # noqa: BLE001 # session code wrote it, so it may raise anything
        text = ""
    if not text or len(text) > _SHOWN or "\n" in text or " at 0x" in text:
        return f"a value of type {type(value).__name__}"
    return text

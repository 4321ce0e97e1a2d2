"""The base class of every compiler that can be optimised: one object is one session."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.isolation.tools import ToolAccess
    from optarena.service.proto.compiler_gym_service_pb2 import (
        ActionSpace,
        Benchmark,
        Event,
        ObservationSpace,
    )


@dataclass(frozen=True, slots=True)
class PlainCalls:
    """Where plain steps of a session come from; ``service/protocol/frames.py`` has their layout.

    Attributes:
        channel: The descriptor of the socket on which they come, and on which they are answered.
        session_id: The session's number.
        cpu_seconds: The CPU time that an action or an observation may use, None for any.
        progress: The address of the number, of 8 bytes, of the unit of work that begins.
    """

    channel: int
    session_id: int
    cpu_seconds: float | None
    progress: int


class CompilationSession(ABC):
    """One compilation in progress: a program, and the actions applied to it so far.

    Subclasses name their spaces in class attributes and implement :meth:`apply_action` and
    :meth:`get_observation`. They report errors by raising: ``ValueError`` for a bad value (nothing may have
    changed then), ``FileNotFoundError`` for something missing, ``SessionLimitExceeded`` for a program that
    exceeds its size limit, ``MemoryError`` for lack of memory. Any other exception, or a crash, ends the
    session and is reported as an error of the service.

    Attributes:
        compiler_version: Version of the compiler, for people.
        action_spaces: At least one; a session is started in one of them, by index.
        observation_spaces: The observation spaces, by index.
        fork_by: How a session is copied: by forking its ``"process"``, or by ``"replay"`` of its actions
            in a new process, for compilers that hold threads or devices.
        starts_alike: Whether every start on the same program gives the same session, also in a process that
            had others before. Then episodes may begin in the process of an earlier one. False for sessions
            with random generators, say.
        limits_address_space: Whether a session's memory is limited, by its address space; False for compilers
            that reserve far more than they use, as device drivers do, if their programs bound the memory that
            they need.
    """

    compiler_version: ClassVar[str] = ""
    action_spaces: ClassVar[list[ActionSpace]] = []
    observation_spaces: ClassVar[list[ObservationSpace]] = []
    fork_by: ClassVar[Literal["process", "replay"]] = "process"
    starts_alike: ClassVar[bool] = False
    limits_address_space: ClassVar[bool] = True

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        """Begin a session.

        Args:
            working_directory: A folder for the session's files, removed after its end. A confined session has
                one only if it starts tools; it is the folder in which its process is.
            action_space: One of :attr:`action_spaces`. A session may set :attr:`action_space` to another one,
                which is reported to the client.
            benchmark: The program; if it was given as a file, its contents are already read.

        Raises:
            ValueError: The benchmark cannot be used.
        """
        self.working_directory = working_directory
        self.action_space = action_space
        self.benchmark = benchmark

    @classmethod  # noqa: B027 # a hook that most session types do not need
    def preload(cls) -> None:
        """Load what every session needs, such as a compiler's library.

        This is called once before sessions are forked from the calling process, so a session does not pay for
        loading. It must not start threads. Clients wait for it to learn the spaces of this compiler.

        Raises:
            PlatformNotSupported: The compiler does not run on this machine.
        """

    @classmethod  # noqa: B027 # a hook that most session types do not need
    def finish_preloading(cls) -> None:
        """Prepare what the first session needs and the spaces do not; called once, after :meth:`preload`.

        It must not start threads.
        """

    @classmethod  # noqa: B027 # as above
    def preload_rest(cls) -> None:
        """Prepare what few sessions need, once, after :meth:`finish_preloading`.

        A session may begin before, unless it is confined. This must not start threads.
        """

    @classmethod
    def tools(cls) -> ToolAccess | None:
        """The programs that its sessions start by :mod:`optarena.isolation.tools`; None if they start none.

        Called after :meth:`preload`, before a session is confined: a confined session may start these
        programs and no others.

        Raises:
            ToolMissing: This machine does not have them.
        """
        return None

    @abstractmethod
    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """Apply one action; it was checked against the action space and by :meth:`check_action`.

        Returns:
            Whether the session has ended; a new action space, or None if it stays the same; whether the
            action had no effect.
        """

    @abstractmethod
    def get_observation(self, observation_space: ObservationSpace) -> Event:
        """The value of one of :attr:`observation_spaces` in the present state."""

    def get_numbers(self, observation_space: ObservationSpace) -> bytes | None:  # noqa: ARG002 # for subclasses
        """The same value as :meth:`get_observation` gives, if it is whole numbers and this is faster.

        Only spaces of the kinds ``int64_value`` and ``int64_box`` have such values.

        Returns:
            Integers of 64 bits, little endian, one after the other; None to have :meth:`get_observation`
            called.
        """
        return None

    def try_walks(
        self,
        walks: Sequence[Sequence[int]],  # noqa: ARG002 # for subclasses
        observation_spaces: Sequence[ObservationSpace],  # noqa: ARG002 # for subclasses
        *,
        channel: int,  # noqa: ARG002 # for subclasses
        cpu_seconds: float | None,  # noqa: ARG002 # for subclasses
    ) -> Mapping[int, list[tuple[bool, list[bytes]]]]:
        """Try each of some walks from the present state, in child processes and faster than in the usual way.

        Args:
            walks: Actions that follow each other, which are numbers.
            observation_spaces: What to observe after each action.
            channel: A descriptor that children must close.
            cpu_seconds: The CPU time that an action may use.

        Returns:
            By the place of the walk, for each of its actions: whether it had no effect, and the observations
            as from :meth:`get_numbers`. A walk that is not there is taken in the usual way.
        """
        return {}

    def answer_steps(self, calls: PlainCalls) -> None:  # noqa: B027 # a hook that most session types do not need
        """Answer plain steps, faster than in the usual way; return once there is something else to do.

        A frame that is not answered must stay in the socket, with all that follows it: it is read again then.
        Frames must be answered exactly as in the usual way, with the limit for each unit of work.

        Args:
            calls: Where they come from.
        """

    def check_action(self, action: Event) -> None:  # noqa: B027 # a hook that most session types do not need
        """Check what the action space cannot express; called for all actions before any is applied.

        Raises:
            ValueError: The action cannot be applied; the message names the value and what is allowed.
        """

    def check_actions(self, actions: Sequence[Event]) -> None:
        """Check the actions of one step, before any is applied; by default each with :meth:`check_action`.

        Override this if an action may be valid only after another one.

        Raises:
            ValueError: An action cannot be applied; the message names the value and what is allowed.
        """
        for action in actions:
            self.check_action(action)

    def verify(self) -> str:
        """Why the program in its present state is not valid; empty if it is.

        A replay calls this once, after the last action. It is the reply to the session parameter ``verify``.
        """
        return ""

    def readings(self) -> str:
        """What was measured that a copy by replay must not measure anew, as text; empty for nothing.

        It is the reply to the session parameter ``service.readings``, whose value :meth:`take_readings` gets.
        """
        return ""

    def take_readings(self, readings: str) -> None:
        """Use what another session in the same state has measured; called after its actions were repeated.

        Args:
            readings: What :meth:`readings` of that session gave.

        Raises:
            ValueError: It is something else.
        """
        raise ValueError(f"{type(self).__name__} has no readings, got {readings[:80]!r}")

    def run_program(self, arguments: Sequence[str], stdin: bytes) -> tuple[bytes, int]:
        """Run the program in its present state, for the workloads of its dataset.

        It runs inside the session's process, under its limits, and must not change the session. The session
        parameter ``service.run_program`` requests it.

        Args:
            arguments: The program's arguments, without its name.
            stdin: The program's standard input.

        Returns:
            The program's output and its exit code.

        Raises:
            NotImplementedError: The compiler's programs cannot be run; then datasets have no workloads.
            ValueError: This program cannot be run any more; the message says why.
        """
        del arguments, stdin
        raise NotImplementedError(f"{type(self).__name__} cannot run programs: it has no run_program()")

    def handle_session_parameter(self, key: str, value: str) -> str | None:  # noqa: ARG002 # for subclasses
        """Set or query a parameter of the session.

        Returns:
            The reply, or None if the parameter is unknown.

        Raises:
            ValueError: The value cannot be used.
        """
        return None

    def close(self) -> None:  # noqa: B027 # a hook that most session types do not need
        """Free the session's resources. This is called once, unless the process dies."""

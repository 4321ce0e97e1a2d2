"""The LLVM session: one program and the passes run on it so far, behind the service's interface.

Runs in a session process, which a pass may crash; imports nothing heavier than protobuf. A state is what
a fresh process gets by parsing the program and running the actions in order on one module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from optarena import limits
from optarena.errors import InvalidInput, SessionLimitExceeded
from optarena.llvm import features, pinned, program
from optarena.llvm.actions import CURATED, UNSAFE, ActionTable
from optarena.llvm.libllvm import library
from optarena.llvm.module import LEVELS, Module, optimised
from optarena.service.proto.compiler_gym_service_pb2 import (
    ActionSpace,
    Benchmark,
    ByteSequenceSpace,
    ByteTensor,
    Event,
    Int64Box,
    Int64Range,
    Int64Tensor,
    NamedDiscreteSpace,
    ObservationSpace,
    Space,
    StringSpace,
)
from optarena.service.session import CompilationSession

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_INT64_MAX: Final = 2**63 - 1
_SHA1_LENGTH: Final = 40
COUNT: Final = "IrInstructionCount"
TEXT_SIZE: Final = "ObjectTextSizeBytes"


class LlvmSession(CompilationSession):
    """A session with the curated actions."""

    table: ClassVar[ActionTable] = CURATED
    compiler_version: ClassVar[str] = f"{pinned.ENGINE} {pinned.ENGINE_VERSION} {pinned.TRIPLE}"

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        contents = benchmark.program.contents
        if len(contents) > limits.MAX_BENCHMARK_BYTES:
            raise InvalidInput(
                f"The program of {benchmark.uri} has {len(contents)} bytes.",
                field="program",
                remedy=f"At most {limits.MAX_BENCHMARK_BYTES} are allowed.",
            )
        self._program = contents
        self._module = Module.parse(contents)
        self._max_instructions = limits.max_instructions(self._module.instruction_count())
        self._bitcode: bytes | None = None
        self._baselines: dict[str, int] = {}

    @classmethod
    def preload(cls) -> None:
        """Loads libLLVM, compiles the feature helper and loads what programs that are run may call."""
        library()
        features.compile_helpers()
        program.callable_libraries()

    def check_action(self, action: Event) -> None:
        """Refuses indices outside of the table."""
        self.table.action(action.int64_value)

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """Runs the action's pipeline.

        An action had no effect if the module's bitcode, all that LLVM saves of a program, is byte for byte
        what it was. Writing it costs a fraction of a pass; LLVM's structural hash is cheaper but not exact.
        """
        chosen = self.table.action(action.int64_value)
        before = self._current_bitcode()
        self._bitcode = None
        self._module.run(chosen.pipeline)
        count = self._module.instruction_count()
        if count > self._max_instructions:
            raise SessionLimitExceeded(
                f"The program has {count} instructions after {chosen.name}; it may grow to "
                f"{self._max_instructions}."
            )
        return False, None, self._current_bitcode() == before

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        """The value of a space in the present state; baselines are computed once, when asked for."""
        return _OBSERVERS[observation_space.name](self)

    def verify(self) -> str:
        """Why the module is not valid, by LLVM's verifier; empty if it is."""
        return self._module.verify() or ""

    def close(self) -> None:
        """Frees the module."""
        self._module.close()

    @property
    def module(self) -> Module:
        """The program in its present state."""
        return self._module

    def bitcode_event(self) -> Event:
        """The present bitcode."""
        data = self._current_bitcode()
        return Event(byte_tensor=ByteTensor(shape=[len(data)], value=data))

    def baseline_event(self, metric: str, level: str) -> Event:
        """What one of LLVM's own levels makes of the program, by one metric."""
        key = metric + level
        if key not in self._baselines:
            with optimised(self._program, level) as module:
                self._baselines[key] = module.instruction_count() if metric == COUNT else module.text_size()
        return Event(int64_value=self._baselines[key])

    def _current_bitcode(self) -> bytes:
        if self._bitcode is None:
            self._bitcode = self._module.bitcode()
        return self._bitcode


def _observers() -> dict[str, Callable[[LlvmSession], Event]]:
    def baseline(metric: str, level: str) -> Callable[[LlvmSession], Event]:
        return lambda session: session.baseline_event(metric, level)

    return {
        "Ir": lambda session: Event(string_value=session.module.text()),
        "IrSha1": lambda session: Event(string_value=session.module.digest()),
        "Bitcode": LlvmSession.bitcode_event,
        "Autophase": lambda session: Event(
            int64_tensor=Int64Tensor(shape=[features.AUTOPHASE_SIZE], value=session.module.autophase())
        ),
        COUNT: lambda session: Event(int64_value=session.module.instruction_count()),
        **{f"{COUNT}{level}": baseline(COUNT, level) for level in LEVELS},
        TEXT_SIZE: lambda session: Event(int64_value=session.module.text_size()),
        **{f"{TEXT_SIZE}{level}": baseline(TEXT_SIZE, level) for level in LEVELS},
    }


def _observation_space(name: str) -> ObservationSpace:
    space, default = _KINDS.get(name, (Space(int64_value=Int64Range(min=0)), Event(int64_value=0)))
    return ObservationSpace(name=name, space=space, deterministic=True, default_observation=default)


def _vector(value: int) -> Int64Tensor:
    return Int64Tensor(shape=[features.AUTOPHASE_SIZE], value=[value] * features.AUTOPHASE_SIZE)


_KINDS: Final[dict[str, tuple[Space, Event]]] = {
    "Ir": (Space(string_value=StringSpace(length_range=Int64Range(min=0))), Event(string_value="")),
    "IrSha1": (
        Space(string_value=StringSpace(length_range=Int64Range(min=_SHA1_LENGTH, max=_SHA1_LENGTH))),
        Event(string_value="0" * _SHA1_LENGTH),
    ),
    "Bitcode": (
        Space(
            byte_sequence=ByteSequenceSpace(
                length_range=Int64Range(min=0), scalar_range=Int64Range(min=0, max=255)
            )
        ),
        Event(byte_tensor=ByteTensor(shape=[0], value=b"")),
    ),
    "Autophase": (
        Space(int64_box=Int64Box(low=_vector(0), high=_vector(_INT64_MAX))),
        Event(int64_tensor=_vector(0)),
    ),
}

_OBSERVERS: Final = _observers()


def _action_space(table: ActionTable) -> ActionSpace:
    return ActionSpace(
        name=table.name, space=Space(named_discrete=NamedDiscreteSpace(name=list(table.names)))
    )


class LlvmUnsafeSession(LlvmSession):
    """The same engine with the excluded actions; never on a board."""

    table: ClassVar[ActionTable] = UNSAFE


LlvmSession.action_spaces = [_action_space(CURATED)]
LlvmUnsafeSession.action_spaces = [_action_space(UNSAFE)]
LlvmSession.observation_spaces = [_observation_space(name) for name in _OBSERVERS]

"""The LLVM session: one program and the actions applied to it so far, behind the service's interface.

It runs in a session process, which a pass may crash, and imports nothing heavier than protobuf. A state is
the module that a fresh process gets by parsing the program and running the actions on it in order.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import unquote

from optarena import limits
from optarena.errors import InvalidInput, SessionLimitExceeded
from optarena.llvm import module as module_module
from optarena.llvm import pinned, remarks, stepping
from optarena.llvm.action_sets import (
    ActionSet,
    CommandlineActions,
    FunctionActions,
    ParameterActions,
    PassActions,
)
from optarena.llvm.actions import CURATED, UNSAFE, PassTable
from optarena.llvm.features import Fingerprints, is_layout_known
from optarena.llvm.module import Module, optimised
from optarena.llvm.native import RARE
from optarena.llvm.observations import COUNT, OBSERVED
from optarena.llvm.parameters import Parameters
from optarena.llvm.starting import start_program
from optarena.llvm.stepping import Steps, heap_begin, warm_up
from optarena.llvm.tables import COMMANDLINE, FUNCTIONS, PARAMETERS
from optarena.machine_code.libllvm import library
from optarena.machine_code.program import callable_libraries
from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Benchmark, Event, ObservationSpace
from optarena.service.session import CompilationSession, PlainCalls

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.llvm.remarks import Remark
    from optarena.service.observed import Observed


_SOURCES: Final = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".i", ".ii")


class LlvmSession(CompilationSession):
    """A session with the curated actions.

    Attributes:
        table: The passes that its release is known to take.
        reference: The level that its boards compare with.
        action_sets: The action spaces; boards use the first one.
        observed: The observation spaces.
        program: The original program, bitcode or text.
    """

    compiler_version: ClassVar[str] = f"{pinned.ENGINE} {pinned.ENGINE_VERSION} {pinned.TRIPLE}"
    starts_alike: ClassVar[bool] = True
    table: ClassVar[PassTable] = CURATED
    reference: ClassVar[str] = "Oz"
    action_sets: ClassVar[Mapping[str, ActionSet]] = {}
    observed: ClassVar[Mapping[str, Observed[Any]]] = {}
    # The program that was checked last: the process's next session is mostly on it, too.
    _valid: ClassVar[bytes] = b""

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        contents = benchmark.program.contents
        if len(contents) > limits.MAX_BENCHMARK_BYTES:
            raise InvalidInput(
                f"The program of {benchmark.uri} has {len(contents)} bytes.",
                field="program",
                remedy=f"At most {limits.MAX_BENCHMARK_BYTES} are allowed.",
            )
        self.program = contents
        self._heap = heap_begin()
        self._actions = self.action_sets[action_space.name]
        file = unquote(benchmark.uri.removeprefix("file://"), errors="surrogateescape")
        if benchmark.uri.startswith("file://") and file.endswith(_SOURCES):
            raise InvalidInput(
                f"{benchmark.uri} is a source, and this environment's programs are LLVM IR.",
                field="program",
                remedy=f"In a command, write --program {shlex.quote(file)}; in Python, call "
                f"make_benchmark({file!r}).",
            )
        self._module = Module.parse(contents)
        try:
            self._check_module(benchmark.uri)
        except Exception:
            self._module.close()
            raise
        self._bitcode: bytes | None = None
        self._fingerprints = Fingerprints()
        self._instructions: int | None = None
        self._content: int | bytes | None = self._take_content()
        largest = limits.max_instructions(self.instruction_count())
        self._pass_state = self._module.pass_state(*self._fingerprints.parts, largest)
        self._baselines = {f"{COUNT}O0": self.instruction_count()}
        self._parameters = Parameters()  # not with a method: the session is to be freed at its end
        self._has_run = False
        # Levels that parameters have applied are among them; passes that ran without Python are numbers.
        self._applied: list[Event | str | int] = []

    def _check_module(self, uri: str) -> None:
        if self.program == LlvmSession._valid:
            return
        problem = self._module.verify()
        if problem:  # passes assume a valid program; on any other their behaviour is undefined
            raise InvalidInput(
                f"The program of {uri} is not valid: {module_module.message_text(problem)}",
                field="program",
                remedy="Correct the program.",
            )
        self._module.check_changeable()
        LlvmSession._valid = self.program

    @classmethod
    def preload(cls) -> None:
        """Load libLLVM."""
        library()

    @classmethod
    def finish_preloading(cls) -> None:
        """Compile most helpers, run every pass once, and load the libraries that programs may call."""
        module_module.compile_helpers()
        is_layout_known()
        warm_up(cls.table, cls.reference)
        callable_libraries()
        start_program()

    @classmethod
    def preload_rest(cls) -> None:
        """Compile the other helpers."""
        module_module.compile_helpers(RARE)

    @classmethod
    def set_spaces(cls, action_sets: tuple[ActionSet, ...], observed: tuple[Observed[Any], ...]) -> None:
        """Give the class its action spaces and observation spaces; an index is a place in this order."""
        cls.action_sets = {one.message.name: one for one in action_sets}
        cls.action_spaces = [one.message for one in action_sets]
        cls.observed = {one.name: one for one in observed}
        cls.observation_spaces = [one.message for one in observed]

    def check_action(self, action: Event) -> None:
        """Refuse an action that is not in the action space."""
        self._actions.check(action)

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """Carry the action out.

        An action had no effect if the module's bitcode, which is all that LLVM saves of a program, did not
        change by a byte. A fingerprint shows this without writing the bitcode; LLVM's own structural hash is
        not exact.
        """
        before = self._content if self._content is not None else self._take_content()
        self._content = self._bitcode = self._instructions = None
        self._applied.append(action)
        self._find_state(self._actions.apply(self, action))
        return False, None, self._content == before

    def run_passes(self, pipeline: str) -> None:
        """Run the passes of an action, or finish those that ran without Python, which share ``apply.c``."""
        if not self._has_run:
            self._pass_state.apply(pipeline)
        self._has_run = False
        self._module.check_passes(self._pass_state.error, pipeline)
        fingerprint, count = self._pass_state.found
        if count:  # 0 without fingerprints, or if another program has reported an error
            self._instructions = count
            self._content = fingerprint if self._pass_state.is_known else self.bitcode()

    def answer_steps(self, calls: PlainCalls) -> None:
        """Answer steps without Python, if actions are passes and the state has a fingerprint."""
        content = self._content
        if not isinstance(content, int) or self._steps is None:
            return
        self._has_run = stepping.answer(self._steps, calls, content, self.instruction_count())
        if self._steps.answered:
            self._content, self._instructions = self._steps.content, self._steps.instructions
            self._bitcode = None
            self._applied += self._steps.log[: self._steps.answered]

    @cached_property
    def _steps(self) -> Steps | None:
        if not isinstance(self._actions, PassActions):
            return None
        return stepping.prepare_steps(self._pass_state, self._actions.table, tuple(self.observed))

    def _find_state(self, name: str) -> None:
        if self._content is None:
            self._content = self._take_content()
        count, largest = self.instruction_count(), self._pass_state.largest
        if count > largest:
            raise SessionLimitExceeded(
                f"The program has {count} instructions after {name}; it may grow to {largest}."
            )

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        """Set or query a parameter that clients written for CompilerGym know."""
        return self._parameters.handle(key, value, self._optimise)

    def _optimise(self, level: str) -> None:
        self._module.optimise(level)
        self._content = self._bitcode = self._instructions = None
        self._applied.append(level)
        self._find_state(f"-{level}")

    def remarks(self) -> str:
        """What the passes of all actions so far tell, as lines of JSON.

        The actions are repeated on the program as given: while they are taken, remarks would cost time.
        """
        found: list[Remark] = []
        twin = type(self)(self.working_directory, self.action_space, self.benchmark)
        try:
            twin.collect_remarks(found)
            for number, action in enumerate(self._applied):
                before = len(found)
                if isinstance(action, str):
                    twin._optimise(action)  # noqa: SLF001 # of the same class
                else:
                    twin.apply_action(Event(int64_value=action) if isinstance(action, int) else action)
                for remark in found[before:]:
                    remark["action"] = number
            return "".join(f"{json.dumps(remark)}\n" for remark in found)
        finally:
            twin.close()

    def collect_remarks(self, found: list[Remark]) -> None:
        """Append the remarks of all actions from now on to a list."""
        remarks.collect(self._module, found)

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        """Return the value of a space in the present state; baselines are computed once."""
        return self.observed[observation_space.name].compute(self)

    def get_numbers(self, observation_space: ObservationSpace) -> bytes | None:
        """Return the value of a space of numbers in the present state."""
        numbers = self.observed[observation_space.name].numbers
        return None if numbers is None else numbers(self)

    def try_walks(
        self,
        walks: Sequence[Sequence[int]],
        observation_spaces: Sequence[ObservationSpace],
        *,
        channel: int,
        cpu_seconds: float | None,
    ) -> Mapping[int, list[tuple[bool, list[bytes]]]]:
        """Try passes without Python, if the observations are numbers and the state has a fingerprint."""
        names = [space.name for space in observation_spaces]
        content = self._content if self._content is not None else self._take_content()
        table = self._actions.table if isinstance(self._actions, PassActions) else None
        if table is None or isinstance(content, bytes):
            return {}
        most = stepping.most_passes(names)
        places = [place for place, walk in enumerate(walks) if 0 < len(walk) <= most]
        told = stepping.try_walks(
            self._pass_state,
            content,
            self._heap,
            [[table.action(action).pipeline for action in walks[place]] for place in places],
            names,
            channel=channel,
            cpu_seconds=cpu_seconds,
        )
        return {places[index]: steps for index, steps in told.items()}

    def verify(self) -> str:
        """Return why the module is not valid, by LLVM's verifier; empty if it is."""
        return self._module.verify() or ""

    def close(self) -> None:
        """Free the module."""
        self._fingerprints.close()
        self._module.close()

    @property
    def module(self) -> Module:
        """The program in its present state."""
        return self._module

    @cached_property
    def function_names(self) -> list[str]:
        """The names of the functions that the original program defines, in its order."""
        with Module.parse(self.program) as module:
            return module.function_names()

    def instruction_count(self) -> int:
        """Number of instructions of all defined functions."""
        if self._instructions is None:
            self._instructions = self._module.instruction_count()
        return self._instructions

    def bitcode(self) -> bytes:
        """The program in its present state as bitcode."""
        if self._bitcode is None:
            self._bitcode = self._module.bitcode()
        return self._bitcode

    def _take_content(self) -> int | bytes:
        # The identity of the present state: a fingerprint, or the bitcode without one.
        fingerprint, self._instructions = self._fingerprints.take(self._module)
        return self.bitcode() if fingerprint is None else fingerprint

    def baseline(self, metric: str, level: str, measure: Callable[[Module], int]) -> int:
        """A metric of the original program after one of LLVM's own optimisation levels."""
        key = metric + level
        if key not in self._baselines:
            with optimised(self.program, level) as module:
                self._baselines[key] = measure(module)
        return self._baselines[key]


class LlvmUnsafeSession(LlvmSession):
    """The same engine with the excluded actions; never on a board.

    They may leave anything behind, so each session has a new process.
    """

    starts_alike: ClassVar[bool] = False


ACTION_SETS: Final = (
    PassActions(CURATED),
    CommandlineActions(COMMANDLINE),
    ParameterActions(PARAMETERS),
    FunctionActions(FUNCTIONS),
)

LlvmSession.set_spaces(ACTION_SETS, OBSERVED)
LlvmUnsafeSession.set_spaces((PassActions(UNSAFE),), OBSERVED)

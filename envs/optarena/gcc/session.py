"""The GCC session: one program and a choice for each option, compiled when something of it is asked for.

It runs in a session process, and starts cc1 and as. A state is its choices; it is compiled once, however much
is observed of it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from optarena import limits
from optarena.datasets import BUILTIN
from optarena.errors import InvalidInput
from optarena.gcc import pinned
from optarena.gcc.compiling import LEVELS, Compiler, GccObserved, observed
from optarena.gcc.options import (
    CHOICES,
    DEFAULT,
    UNSAFE_CHOICES,
    UNSAFE_DEFAULT,
    UNSET,
    ChoiceTable,
    RelativeTable,
    command,
)
from optarena.gcc.toolchain import find
from optarena.isolation.tools import HERE
from optarena.machine_code import elf
from optarena.service.proto.compiler_gym_service_pb2 import (
    ActionSpace,
    Int64Box,
    Int64Tensor,
    NamedDiscreteSpace,
    ObservationSpace,
    Space,
)
from optarena.service.session import CompilationSession

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from optarena.gcc.toolchain import RunnableGcc
    from optarena.isolation.tools import ToolAccess
    from optarena.service.proto.compiler_gym_service_pb2 import Benchmark, Event

_MANIFESTS: Final = "gcc-*/manifest.json"


def known_programs() -> frozenset[str]:
    """The sha256 of each program of the package's datasets of which this very build made the baselines."""
    found: set[str] = set()
    for path in BUILTIN.glob(_MANIFESTS):
        manifest = json.loads(path.read_bytes())
        compiler = manifest["toolchain"].get("compiler", {})
        if compiler.get("programs") == dict(pinned.PROGRAMS):
            found.update(one["sha256"] for one in manifest["benchmarks"])
    return frozenset(found)


PARAMETER: Final = "choices"
"""The session parameter that tells the choices, or sets all of them at once: ``1,-1,0,…``."""
_numbers: Final = itertools.count(1)
_KEPT_BYTES: Final = 16 * 1024**2
"""What a session keeps of its states: so much of assembly, of object files and of RTL each."""


GccActions: TypeAlias = ChoiceTable | RelativeTable
"""The actions of an action space."""


def action_space(table: GccActions) -> ActionSpace:
    """The action space of a table: pairs of an option and a value, or names."""
    if isinstance(table, RelativeTable):
        return ActionSpace(
            name=table.name, space=Space(named_discrete=NamedDiscreteSpace(name=list(table.names)))
        )
    low = Int64Tensor(shape=[2], value=[0, 0])
    high = Int64Tensor(shape=[2], value=[size - 1 for size in table.sizes])
    return ActionSpace(name=table.name, space=Space(int64_box=Int64Box(low=low, high=high)))


def observed_by(tables: Sequence[GccActions], levels: Sequence[str] = LEVELS) -> dict[str, GccObserved]:
    """The observation spaces of a session type, by name.

    Args:
        tables: Its actions; all have the same options.
        levels: The levels that its GCC has.
    """
    sizes = ([len(option.choices) for option in table.options.options] for table in tables)
    largest = [max(of_one) - 1 for of_one in zip(*sizes, strict=True)]
    return {one.message.name: one for one in observed(largest, levels)}


class _Made:
    """What was made in some states, by their words; the least recently used are dropped first."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self._bytes = 0

    def get(self, words: tuple[str, ...]) -> bytes | None:
        """What was made with these words, if it is kept."""
        made = self._made.get(words)
        if made is not None:
            self._made.move_to_end(words)
        return made

    def put(self, words: tuple[str, ...], made: bytes) -> bytes:
        """Keep what was made, and return it."""
        self._made[words] = made
        self._bytes += len(made)
        while self._bytes > _KEPT_BYTES and len(self._made) > 1:
            _, dropped = self._made.popitem(last=False)
            self._bytes -= len(dropped)
        return made


class GccSession(CompilationSession):
    """A session with the options that boards take.

    Attributes:
        tables: The actions of each action space, by its index.
        identity: What identifies its GCC, as a part of every state's identity.
        front_end: What each compilation has before its options.
        observed: The observation spaces.
        known: The sha256 of programs that its GCC need not parse to know that it takes them.
        source: The program.
        table: The actions of this session.
        choices: The number of the choice for each option.
    """

    compiler_version: ClassVar[str] = pinned.COMPILER
    starts_alike: ClassVar[bool] = True
    identity: ClassVar[str] = pinned.BUILD
    front_end: ClassVar[Sequence[str]] = pinned.FRONT_END
    tables: ClassVar[tuple[GccActions, ...]] = (CHOICES, DEFAULT)
    observed: ClassVar[Mapping[str, GccObserved]] = observed_by(tables)
    action_spaces: ClassVar[list[ActionSpace]] = [action_space(table) for table in tables]
    observation_spaces: ClassVar[list[ObservationSpace]] = [one.message for one in observed.values()]
    toolchain: ClassVar[RunnableGcc]
    known: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        self.source = benchmark.program.contents
        if len(self.source) > limits.MAX_BENCHMARK_BYTES:
            raise InvalidInput(
                f"The program of {benchmark.uri} has {len(self.source)} bytes.",
                field="program",
                remedy=f"At most {limits.MAX_BENCHMARK_BYTES} are allowed.",
            )
        self.table = next(table for table in self.tables if table.name == action_space.name)
        self.choices: tuple[int, ...] = (UNSET,) * len(self.table.options.options)
        self._own_folder = f"gcc-{next(_numbers)}"
        self._compiler = Compiler(self.toolchain, self._folder(), self.source, self.front_end)
        self._assembly, self._objects, self._rtl = _Made(), _Made(), _Made()
        if hashlib.sha256(self.source).hexdigest() not in self.known:
            self._compiler.check()

    @classmethod
    def preload(cls) -> None:
        """Find the compiler, and read which programs it is known to take.

        Raises:
            ToolMissing: The pinned build is not on this machine.
        """
        cls.toolchain = find()
        cls.known = known_programs()

    @classmethod
    def tools(cls) -> ToolAccess | None:
        """cc1, as and ld."""
        return cls.toolchain.access

    def check_action(self, action: Event) -> None:
        """Refuse an action that is not in the action space."""
        self._read(action)

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """Choose; the action had no effect if the choices are as before."""
        before = self.choices
        self.choices = self.table.after(before, self._read(action))
        return False, None, self.choices == before

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        """The value of a space in the present state; compiled now, unless it was before."""
        self._compiler.folder = self._folder()
        return self.observed[observation_space.name].compute(self)

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        """Tell the choices, or set all of them."""
        if key != PARAMETER:
            return None
        if value:
            self.choices = self.table.options.read_choices(value)
        return ",".join(map(str, self.choices))

    def verify(self) -> str:
        """Why the program cannot be run; compiles it."""
        self._compiler.folder = self._folder()
        problem = elf.needs_loader(self.object_file)
        return f"it has {problem}" if problem else ""

    def close(self) -> None:
        """Remove its files."""
        if self.working_directory != HERE:
            shutil.rmtree(self._folder(), ignore_errors=True)

    def _folder(self) -> Path:
        """The folder of its files: sessions of one process share a working directory, and a copy has another.

        A confined session has a process and a folder of its own, and can make no other.
        """
        directory = self.working_directory
        return directory if directory == HERE else directory / self._own_folder

    @property
    def words(self) -> tuple[str, ...]:
        """The options of the present state."""
        return tuple(self.table.options.words(self.choices))

    @property
    def command_line(self) -> str:
        """The command line of the present state."""
        return command(self.table.options, self.choices)

    @property
    def digest(self) -> str:
        """The identity of the present state."""
        return hashlib.sha256(f"{self.identity}\n{self.command_line}".encode()).hexdigest()

    @property
    def assembly(self) -> bytes:
        """The program as assembly."""
        return self._assembled(self.words)

    @property
    def object_file(self) -> bytes:
        """The program as an object file."""
        return self._object(self.words)

    def rtl(self) -> bytes:
        """The program in GCC's register transfer language after the last pass."""
        made = self._rtl.get(self.words)
        return self._rtl.put(self.words, self._compiler.rtl(self.words)) if made is None else made

    def at_level(self, level: str) -> tuple[bytes, bytes]:
        """The program at one of GCC's own levels, as assembly and as an object file."""
        words = (f"-{level}",)
        return self._assembled(words), self._object(words)

    def _assembled(self, words: tuple[str, ...]) -> bytes:
        made = self._assembly.get(words)
        return self._assembly.put(words, self._compiler.assembly(words)) if made is None else made

    def _object(self, words: tuple[str, ...]) -> bytes:
        made = self._objects.get(words)
        if made is not None:
            return made
        return self._objects.put(words, self._compiler.object_file(self._assembled(words)))

    def _read(self, action: Event) -> Any:  # noqa: ANN401 # an action of the table in force
        """An action in its canonical form.

        Raises:
            InvalidAction: It is not in the action space.
        """
        if isinstance(self.table, RelativeTable):
            return action.int64_value  # the space has checked it
        return self.table.check(list(action.int64_tensor.value))


class UnsafeGccSession(GccSession):
    """A session with all options, whose results no board takes."""

    tables: ClassVar[tuple[GccActions, ...]] = (UNSAFE_CHOICES, UNSAFE_DEFAULT)
    observed: ClassVar[Mapping[str, GccObserved]] = observed_by(tables)
    action_spaces: ClassVar[list[ActionSpace]] = [action_space(table) for table in tables]
    observation_spaces: ClassVar[list[ObservationSpace]] = [one.message for one in observed.values()]

"""The GCC session: one program and a choice for each option, compiled once when something is asked for."""

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
    # Those of which this very build made the baselines.
    found: set[str] = set()
    for path in BUILTIN.glob(_MANIFESTS):
        manifest = json.loads(path.read_bytes())
        compiler = manifest["toolchain"].get("compiler", {})
        if compiler.get("programs") == dict(pinned.PROGRAMS):
            found.update(one["sha256"] for one in manifest["benchmarks"])
    return frozenset(found)


# Tells the choices, or sets all of them at once: 1,-1,0,…
PARAMETER: Final = "choices"
_numbers: Final = itertools.count(1)
# Of the states of a session: so much of assembly, of object files and of RTL each.
_KEPT_BYTES: Final = 16 * 1024**2


GccActions: TypeAlias = ChoiceTable | RelativeTable


def action_space(table: GccActions) -> ActionSpace:
    if isinstance(table, RelativeTable):
        return ActionSpace(
            name=table.name, space=Space(named_discrete=NamedDiscreteSpace(name=list(table.names)))
        )
    low = Int64Tensor(shape=[2], value=[0, 0])
    high = Int64Tensor(shape=[2], value=[size - 1 for size in table.sizes])
    return ActionSpace(name=table.name, space=Space(int64_box=Int64Box(low=low, high=high)))


def observed_by(tables: Sequence[GccActions], levels: Sequence[str] = LEVELS) -> dict[str, GccObserved]:
    sizes = ([len(option.choices) for option in table.options.options] for table in tables)
    largest = [max(of_one) - 1 for of_one in zip(*sizes, strict=True)]
    return {one.message.name: one for one in observed(largest, levels)}


class _Made:
    """What was made in some states, by their words; the least recently used are dropped first."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self._bytes = 0

    def get(self, words: tuple[str, ...]) -> bytes | None:
        made = self._made.get(words)
        if made is not None:
            self._made.move_to_end(words)
        return made

    def put(self, words: tuple[str, ...], made: bytes) -> bytes:
        self._made[words] = made
        self._bytes += len(made)
        while self._bytes > _KEPT_BYTES and len(self._made) > 1:
            _, dropped = self._made.popitem(last=False)
            self._bytes -= len(dropped)
        return made


class GccSession(CompilationSession):
    """A session with the options that boards take."""

    compiler_version: ClassVar[str] = pinned.COMPILER
    starts_alike: ClassVar[bool] = True
    identity: ClassVar[str] = pinned.BUILD
    front_end: ClassVar[Sequence[str]] = pinned.FRONT_END
    tables: ClassVar[tuple[GccActions, ...]] = (CHOICES, DEFAULT)
    observed: ClassVar[Mapping[str, GccObserved]] = observed_by(tables)
    action_spaces: ClassVar[list[ActionSpace]] = [action_space(table) for table in tables]
    observation_spaces: ClassVar[list[ObservationSpace]] = [one.message for one in observed.values()]
    toolchain: ClassVar[RunnableGcc]
    # sha256 of programs that its GCC need not parse to know that it takes them
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
        cls.toolchain = find()
        cls.known = known_programs()

    @classmethod
    def tools(cls) -> ToolAccess | None:
        return cls.toolchain.access

    def check_action(self, action: Event) -> None:
        self._read(action)

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        before = self.choices
        self.choices = self.table.after(before, self._read(action))
        return False, None, self.choices == before

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        self._compiler.folder = self._folder()
        return self.observed[observation_space.name].compute(self)

    def handle_session_parameter(self, key: str, value: str) -> str | None:
        if key != PARAMETER:
            return None
        if value:
            self.choices = self.table.options.read_choices(value)
        return ",".join(map(str, self.choices))

    def verify(self) -> str:
        self._compiler.folder = self._folder()
        problem = elf.needs_loader(self.object_file)
        return f"it has {problem}" if problem else ""

    def close(self) -> None:
        if self.working_directory != HERE:
            shutil.rmtree(self._folder(), ignore_errors=True)

    def _folder(self) -> Path:
        # Sessions of one process share a working directory, and a copy has another. A confined session has a
        # process and a folder of its own, and can make no other.
        directory = self.working_directory
        return directory if directory == HERE else directory / self._own_folder

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.table.options.words(self.choices))

    @property
    def command_line(self) -> str:
        return command(self.table.options, self.choices)

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.identity}\n{self.command_line}".encode()).hexdigest()

    @property
    def assembly(self) -> bytes:
        return self._assembled(self.words)

    @property
    def object_file(self) -> bytes:
        return self._object(self.words)

    def rtl(self) -> bytes:
        made = self._rtl.get(self.words)
        return self._rtl.put(self.words, self._compiler.rtl(self.words)) if made is None else made

    def at_level(self, level: str) -> tuple[bytes, bytes]:
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
        if isinstance(self.table, RelativeTable):
            return action.int64_value  # the space has checked it
        return self.table.check(list(action.int64_tensor.value))


class UnsafeGccSession(GccSession):
    tables: ClassVar[tuple[GccActions, ...]] = (UNSAFE_CHOICES, UNSAFE_DEFAULT)
    observed: ClassVar[Mapping[str, GccObserved]] = observed_by(tables)
    action_spaces: ClassVar[list[ActionSpace]] = [action_space(table) for table in tables]
    observation_spaces: ClassVar[list[ObservationSpace]] = [one.message for one in observed.values()]

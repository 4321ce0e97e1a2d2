"""The GCC session: one program and a choice for each option, compiled once when something is asked for."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import shutil
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from optarena import limits
from optarena.datasets import BUILTIN
from optarena.errors import InvalidInput
from optarena.gcc import pinned
from optarena.gcc.compiling import LEVELS, Compiler
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
from optarena.gcc.toolchain import RunnableGcc, find
from optarena.isolation.tools import HERE, ToolAccess
from optarena.machine_code import elf
from optarena.service.observed import Observed, box, count, multi_discrete, named_actions, octets, text
from optarena.service.session import CompilationSession

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.service.proto.compiler_gym_service_pb2 import (
        ActionSpace,
        Benchmark,
        Event,
        ObservationSpace,
    )

_MANIFESTS: Final = "gcc-*/manifest.json"
_INSTRUCTION: Final = re.compile(rb"^\t(\S+)", re.MULTILINE)


def known_programs() -> frozenset[str]:  # those of which this very build made the baselines
    found: set[str] = set()
    for path in BUILTIN.glob(_MANIFESTS):
        manifest = json.loads(path.read_bytes())
        compiler = manifest["toolchain"].get("compiler", {})
        if compiler.get("programs") == dict(pinned.PROGRAMS):
            found.update(one["sha256"] for one in manifest["benchmarks"])
    return frozenset(found)


PARAMETER: Final = "choices"  # tells the choices, or sets all of them at once: 1,-1,0,…
_numbers: Final = itertools.count(1)
# Of the states of a session: so much of assembly, of object files and of RTL each.
_KEPT_BYTES: Final = 16 * 1024**2


GccActions: TypeAlias = ChoiceTable | RelativeTable


def action_space(table: GccActions) -> ActionSpace:
    if isinstance(table, RelativeTable):
        return named_actions(table.name, table.names)
    return multi_discrete(table.name, table.sizes)


def count_instructions(assembly: bytes, *, directives: bool) -> str:
    words = (word.decode(errors="replace") for word in _INSTRUCTION.findall(assembly))
    return json.dumps(
        dict(sorted(Counter(one for one in words if directives or not one.startswith(".")).items()))
    )


def _sizes(levels: Sequence[str]) -> Iterator[Observed[GccSession]]:
    measures: dict[str, Callable[[bytes, bytes], int]] = {
        "asm_size": lambda assembly, _: len(assembly),
        "obj_size": lambda _, code: len(code),
        "text_size_bytes": lambda _, code: elf.executable_bytes(code),
        "load_size_bytes": lambda _, code: elf.loaded_bytes(code),
    }
    for name, measure in measures.items():
        yield count(name, partial(_size, measure, None))
        for level in levels:
            yield count(f"{name}{level}", partial(_size, measure, level))


def _size(measure: Callable[[bytes, bytes], int], level: str | None, session: GccSession) -> int:
    made = (session.assembly, session.object_file) if level is None else session.at_level(level)
    return measure(*made)


def observed_by(
    tables: Sequence[GccActions], levels: Sequence[str] = LEVELS
) -> dict[str, Observed[GccSession]]:
    sizes = ([len(option.choices) for option in table.options.options] for table in tables)
    unset = [UNSET] * len(tables[0].options.options)
    spaces: tuple[Observed[GccSession], ...] = (
        box(
            "choices",
            lambda session: session.choices,
            low=unset,
            high=[max(of_one) - 1 for of_one in zip(*sizes, strict=True)],
            default=unset,
        ),
        text("command_line", lambda session: session.command_line),
        text("digest", lambda session: session.digest, length=64),
        text("source", lambda session: session.source.decode(errors="replace")),
        text("rtl", lambda session: session.rtl().decode(errors="replace")),
        text("asm", lambda session: session.assembly.decode(errors="replace")),
        text("asm_hash", lambda session: _md5(session.assembly), length=32),
        text("instruction_counts", lambda session: count_instructions(session.assembly, directives=True)),
        text(
            "machine_instruction_counts",
            lambda session: count_instructions(session.assembly, directives=False),
        ),
        octets("obj", lambda session: session.object_file),
        octets("objO3", lambda session: session.at_level("O3")[1]),
        text("obj_hash", lambda session: _md5(session.object_file), length=32),
        *_sizes(levels),
    )
    return {one.name: one for one in spaces}


def _md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


class _RecentOutputs:
    """What was made in some states, by their words; the least recently used are dropped first."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, ...], bytes] = OrderedDict()
        self._bytes = 0

    def get(self, words: tuple[str, ...], make: Callable[[], bytes]) -> bytes:
        if words in self._made:
            self._made.move_to_end(words)
            return self._made[words]
        made = self._made[words] = make()
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
    observed: ClassVar[Mapping[str, Observed[GccSession]]] = observed_by(tables)
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
        self._assembly, self._objects, self._rtl = _RecentOutputs(), _RecentOutputs(), _RecentOutputs()
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
        return self._assemble(self.words)

    @property
    def object_file(self) -> bytes:
        return self._object(self.words)

    def rtl(self) -> bytes:
        return self._rtl.get(self.words, lambda: self._compiler.rtl(self.words))

    def at_level(self, level: str) -> tuple[bytes, bytes]:
        words = (f"-{level}",)
        return self._assemble(words), self._object(words)

    def _assemble(self, words: tuple[str, ...]) -> bytes:
        return self._assembly.get(words, lambda: self._compiler.assembly(words))

    def _object(self, words: tuple[str, ...]) -> bytes:
        return self._objects.get(words, lambda: self._compiler.object_file(self._assemble(words)))

    def _read(self, action: Event) -> Any:  # noqa: ANN401 # an action of the table in force
        if isinstance(self.table, RelativeTable):
            return action.int64_value  # the space has checked it
        return self.table.check(list(action.int64_tensor.value))


class UnsafeGccSession(GccSession):
    tables: ClassVar[tuple[GccActions, ...]] = (UNSAFE_CHOICES, UNSAFE_DEFAULT)
    observed: ClassVar[Mapping[str, Observed[GccSession]]] = observed_by(tables)
    action_spaces: ClassVar[list[ActionSpace]] = [action_space(table) for table in tables]
    observation_spaces: ClassVar[list[ObservationSpace]] = [one.message for one in observed.values()]

"""What can be observed of a program: its source, what GCC makes of it, and their sizes."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from optarena.machine_code import elf
from optarena.service.proto.compiler_gym_service_pb2 import (
    ByteSequenceSpace,
    ByteTensor,
    Event,
    Int64Box,
    Int64Range,
    Int64Tensor,
    ObservationSpace,
    Space,
    StringSpace,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

LEVELS: Final = ("O0", "O1", "O2", "O3", "Os", "Oz")
"""Levels whose sizes are offered for programs of which no baseline is recorded."""
_HASH_DIGITS: Final = {"md5": 32, "sha256": 64}
_INSTRUCTION: Final = re.compile(rb"^\t(\S+)", re.MULTILINE)


class CompiledState(Protocol):
    """A program in its present state, as far as observations need it; each part is made when it is read."""

    source: bytes
    choices: tuple[int, ...]

    @property
    def command_line(self) -> str:
        """The command line."""

    @property
    def digest(self) -> str:
        """The identity of the state."""

    @property
    def assembly(self) -> bytes:
        """The program as assembly."""

    @property
    def object_file(self) -> bytes:
        """The program as an object file."""

    def rtl(self) -> bytes:
        """The program in GCC's register transfer language."""

    def at_level(self, level: str) -> tuple[bytes, bytes]:
        """The program at one of GCC's levels, as assembly and as an object file."""


Measure: TypeAlias = "Callable[[bytes, bytes], int]"
"""A size of assembly and object file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GccObserved:
    """One observation space.

    Attributes:
        message: The space as the service describes it.
        compute: Computes the value in a session's present state.
    """

    message: ObservationSpace
    compute: Callable[[CompiledState], Event]


def _space(name: str, space: Space, default: Event, compute: Callable[[CompiledState], Event]) -> GccObserved:
    message = ObservationSpace(name=name, space=space, default_observation=default, deterministic=True)
    return GccObserved(message=message, compute=compute)


def _count(name: str, compute: Callable[[CompiledState], int]) -> GccObserved:
    return _space(
        name,
        Space(int64_value=Int64Range(min=0)),
        Event(int64_value=0),
        lambda session: Event(int64_value=compute(session)),
    )


def _text(name: str, compute: Callable[[CompiledState], str], *, length: int | None = None) -> GccObserved:
    return _space(
        name,
        Space(string_value=StringSpace(length_range=Int64Range(min=length or 0, max=length))),
        Event(string_value="0" * (length or 0)),
        lambda session: Event(string_value=compute(session)),
    )


def _bytes(name: str, compute: Callable[[CompiledState], bytes]) -> GccObserved:
    def observed(session: CompiledState) -> Event:
        data = compute(session)
        return Event(byte_tensor=ByteTensor(shape=[len(data)], value=data))

    sequence = ByteSequenceSpace(length_range=Int64Range(min=0), scalar_range=Int64Range(min=0, max=255))
    none = Event(byte_tensor=ByteTensor(shape=[0], value=b""))
    return _space(name, Space(byte_sequence=sequence), none, observed)


def choices_space(largest: Iterable[int]) -> GccObserved:
    """The number of the choice for each option, -1 for none."""
    high = list(largest)
    unset = Int64Tensor(shape=[len(high)], value=[-1] * len(high))
    box = Int64Box(low=unset, high=Int64Tensor(shape=[len(high)], value=high))
    return _space(
        "choices",
        Space(int64_box=box),
        Event(int64_tensor=unset),
        lambda session: Event(int64_tensor=Int64Tensor(shape=[len(high)], value=session.choices)),
    )


def counts(assembly: bytes, *, directives: bool) -> str:
    """How often each instruction occurs in assembly, as a JSON object in alphabetical order.

    Args:
        assembly: The assembly.
        directives: Whether directives of the assembler, such as ``.align``, count as well.
    """
    words = (word.decode(errors="replace") for word in _INSTRUCTION.findall(assembly))
    return json.dumps(
        dict(sorted(Counter(one for one in words if directives or not one.startswith(".")).items()))
    )


def _present(measure: Measure, session: CompiledState) -> int:
    return measure(session.assembly, session.object_file)


def _at(measure: Measure, level: str, session: CompiledState) -> int:
    return measure(*session.at_level(level))


def _sizes(levels: Sequence[str]) -> list[GccObserved]:
    """Each size of the present state, and at each of some levels."""
    measures: dict[str, Measure] = {
        "asm_size": lambda assembly, _: len(assembly),
        "obj_size": lambda _, code: len(code),
        "text_size_bytes": lambda _, code: elf.executable_bytes(code),
        "load_size_bytes": lambda _, code: elf.loaded_bytes(code),
    }
    made = []
    for name, measure in measures.items():
        made.append(_count(name, partial(_present, measure)))
        made += [_count(f"{name}{level}", partial(_at, measure, level)) for level in levels]
    return made


def observed(largest: Iterable[int], levels: Sequence[str]) -> tuple[GccObserved, ...]:
    """All spaces.

    Args:
        largest: The number of the last choice of each option.
        levels: The levels at which sizes are offered.
    """
    return (
        choices_space(largest),
        _text("command_line", lambda session: session.command_line),
        _text("digest", lambda session: session.digest, length=_HASH_DIGITS["sha256"]),
        _text("source", lambda session: session.source.decode(errors="replace")),
        _text("rtl", lambda session: session.rtl().decode(errors="replace")),
        _text("asm", lambda session: session.assembly.decode(errors="replace")),
        _text("asm_hash", lambda session: _md5(session.assembly), length=_HASH_DIGITS["md5"]),
        _text("instruction_counts", lambda session: counts(session.assembly, directives=True)),
        _text("machine_instruction_counts", lambda session: counts(session.assembly, directives=False)),
        _bytes("obj", lambda session: session.object_file),
        _bytes("objO3", lambda session: session.at_level("O3")[1]),
        _text("obj_hash", lambda session: _md5(session.object_file), length=_HASH_DIGITS["md5"]),
        *_sizes(levels),
    )


def _md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()

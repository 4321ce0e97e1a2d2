"""Reads the command line of a C or C++ compiler: which sources it compiles, and with which flags.

Pure data. What makes an object file or an executable of them is left out; what says how the sources are to
be understood is kept. A flag that depends on this machine is refused.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

C_SUFFIXES: Final = frozenset({".c", ".i"})
CXX_SUFFIXES: Final = frozenset({".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".ii"})
SOURCE_SUFFIXES: Final = C_SUFFIXES | CXX_SUFFIXES
IR_SUFFIXES: Final = frozenset({".bc", ".ll"})
INPUT_SUFFIXES: Final = SOURCE_SUFFIXES | IR_SUFFIXES

_COMPILER: Final = re.compile(r"(?:[\w.]+-)*(?:cc|gcc|g\+\+|c\+\+|c99|c11|clang|clang\+\+)(?:-[\d.]+)?")
_KEPT_WITH_VALUE: Final = frozenset(
    {"-D", "-U", "-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-x"}
    | {"-Xclang", "-Xpreprocessor", "-mllvm", "--param", "-target"}
)
_DROPPED_WITH_VALUE: Final = frozenset(
    {"-o", "-l", "-L", "-MF", "-MT", "-MQ", "-Xlinker", "-Xassembler", "-T", "-u", "-z", "-e"}
)
_DROPPED: Final = re.compile(
    r"-[cSE]|-o.+|-l.+|-L.+|-M[MDPG]?|-MMD|-M[FTQ].+|-Wl,.*|-Wa,.*|-Wp,-M.*|-shared|-static.*|-no-pie|-pie|"
    r"-rdynamic|-pthread|-s|-pipe|-save-temps.*|-v|-flto.*|-fuse-ld=.*|-emit-llvm|-nostartfiles|-nodefaultlibs"
)
_NATIVE: Final = re.compile(r"-m(?:arch|cpu|tune)=native")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """What a compiler's command line asks for.

    Attributes:
        inputs: The files, in order.
        flags: What holds for all of them.
    """

    inputs: tuple[str, ...]
    flags: tuple[str, ...]


def is_command_line(words: Sequence[str]) -> bool:
    """Whether the first word is the name of a C or C++ compiler, and more follow."""
    return len(words) > 1 and bool(_COMPILER.fullmatch(PurePath(words[0]).name))


def split(text: str) -> list[str]:
    """The words of a command line given as one text; one word if it is no command line.

    Raises:
        InvalidInput: A quotation does not end.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        if not is_command_line(text.split()):
            return [text]
        raise InvalidInput(
            f"The command line cannot be read: {error}.", field="inputs", value=text, remedy="Correct it."
        ) from error
    return words if is_command_line(words) else [text]


def parse(words: Sequence[str]) -> Invocation:
    """Reads a command line, the compiler's name first.

    Raises:
        InvalidInput: It names no source, or has a flag that cannot be taken over.
    """
    inputs: list[str] = []
    flags = ["-x", "c++"] if "++" in PurePath(words[0]).name else []
    rest = iter(words[1:])
    for word in rest:
        if not word.startswith("-"):
            inputs.append(_input(word))
        elif word in _DROPPED_WITH_VALUE:
            _value(word, rest)
        elif word in _KEPT_WITH_VALUE:
            flags += [word, checked_flag(_value(word, rest))]
        elif not _DROPPED.fullmatch(word):
            flags.append(checked_flag(word))
    if not inputs:
        raise InvalidInput(
            f"The command line {shlex.join(words)!r} names no source.",
            field="inputs",
            value=shlex.join(words),
            remedy=f"Name files with one of the endings {', '.join(sorted(INPUT_SUFFIXES))}.",
        )
    return Invocation(inputs=tuple(inputs), flags=tuple(flags))


def checked_flag(flag: str) -> str:
    """The flag itself.

    Raises:
        InvalidInput: It stands for something else on each machine.
    """
    if _NATIVE.fullmatch(flag) or flag == "-" or "\0" in flag:
        raise InvalidInput(
            f"The compiler's flag {flag!r} cannot be taken over.",
            field="inputs",
            value=flag,
            remedy="A benchmark is made of named files, and is the same on every machine: leave it out.",
        )
    return flag


def _input(word: str) -> str:
    if word.startswith("@") or PurePath(word).suffix not in INPUT_SUFFIXES:
        raise InvalidInput(
            f"The command line's {word!r} is neither a source nor LLVM IR.",
            field="inputs",
            value=word,
            remedy=f"Give files with one of the endings {', '.join(sorted(INPUT_SUFFIXES))}: objects and "
            "libraries hold no IR.",
        )
    return word


def _value(flag: str, rest: Iterator[str]) -> str:
    value = next(rest, None)
    if value is None:
        raise InvalidInput(f"The command line's {flag} lacks its value.", field="inputs", value=flag)
    return value

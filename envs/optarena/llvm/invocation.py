"""Reads the command line of a C or C++ compiler: which sources it compiles, and with which flags.

Pure data. Flags about object files, linking and output are dropped; flags that tell how to read and compile
the sources are kept. A flag that loads code, writes further files or depends on this machine is refused, and
so is every unknown flag.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

C_SUFFIXES: Final = frozenset({".c", ".i"})
CXX_SUFFIXES: Final = frozenset({".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".ii"})
EXPANDED_SUFFIXES: Final = frozenset({".i", ".ii"})
"""File suffixes of sources that are preprocessed already."""
SOURCE_SUFFIXES: Final = C_SUFFIXES | CXX_SUFFIXES
IR_SUFFIXES: Final = frozenset({".bc", ".ll"})
INPUT_SUFFIXES: Final = SOURCE_SUFFIXES | IR_SUFFIXES

_COMPILER: Final = re.compile(r"(?:[\w.]+-)*(?:cc|gcc|g\+\+|c\+\+|c99|c11|clang|clang\+\+)(?:-[\d.]+)?")
_DROPPED_WITH_VALUE: Final = frozenset(
    {"-o", "-l", "-L", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xassembler", "-T", "-u", "-z", "-e"}
)
_TAKEN_WITH_VALUE: Final = frozenset(
    {"-D", "-U", "-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-x"}
    | {"-Xclang", "--param", "-target"}
)
_DROPPED: Final = re.compile(
    r"-[cSE]|-o.+|-l.+|-L.+|-M[MDPGV]?|-MMD|-M[FTQJ].+|-Wl,.*|-Wa,.*|-Wp,-M.*|-shared|-static.*|-no-pie|-pie|"
    r"-rdynamic|-pthread|-s|-pipe|-v|-flto.*|-fuse-ld=.*|-emit-llvm|-nostartfiles|-nodefaultlibs|-nostdlib|"
    r"-nolibc"
)
_REFUSED: Final = re.compile(
    # These load code into the compiler, or pass on options that this module does not know.
    r"-f(?:pass-)?plugin.*|-mllvm.*|"
    # These write further files.
    r"-ftime-trace.*|-f(?:save-)?optimization-record.*|-fproc-stat-report.*|-fcrash-diagnostics.*|"
    r"-fstack-usage|-ftest-coverage|-fcodegen-data.*|-fdepfile.*|-mod.*|-gen-.*|"
    # These need the result of an earlier compilation, or a second compilation.
    r"-f(?:c..-|implicit-|prebuilt-|builtin-)?module.*|-fbuild-session.*|-fpch.*|-f.*offload.*|-fthinlto.*|"
    r"-fopenmp-targets.*|-fembed-bitcode.*|"
    # These compile nothing.
    r"-fsyntax-only|-fdriver-only|-m(?:cpu|tune|arch)=help|"
    # These mean something else on each machine.
    r"-m(?:arch|cpu|tune)=native|-[fg]record-.*|-gcc-.*",
    re.DOTALL,
)
_SELF_CONTAINED: Final = re.compile(
    r"-D ?.+|-U ?.+|-I ?.+|-(?:isystem|iquote|idirafter) ?.+|--?std=.+|-ansi|-trigraphs|-nostdinc(?:\+\+)?|"
    r"-O(?:\d|s|z|g|fast)?|-w|-W[\w+=-]*|-pedantic(?:-errors)?|-x ?(?:c|c\+\+|none)|--param[ =].+|"
    r"-f(?!profile|auto-profile|cs-profile|coverage|debug|keep-|apinotes)[\w+-]+|"
    r"-f(?:visibility|diagnostics-color|fp-contract|fp-model|tls-model|stack-protector|inline|strict-\w+)=[\w-]+|"
    r"-m[a-z0-9.-]+(?:=[\w.,+-]+)?",
    re.DOTALL,
)
"""Options that name no file read after the preprocessor: a key of text and preprocessed source is enough."""
_OTHER: Final = re.compile(
    r"-(?:include|imacros|isysroot|target) .+|--(?:sysroot|target)=.+|-x ?(?:c\+\+-)?cpp-output|"
    r"-f[\w+-]+(?:=.*)?|-g[a-z0-9=-]*|-pg?|-stdlib=.+|-nobuiltininc|-nostdlibinc|-traditional-cpp|-undef|-Qunused-arguments|"
    r"-Wp,-[DU][^,]+|-Xclang (?:-disable-O0-optnone|-disable-llvm-passes|-disable-llvm-optzns)",
    re.DOTALL,
)
_REFUSED_REMEDY: Final = (
    "Leave it out. Allowed are flags that tell how a source is read and for which target it is compiled (-D, "
    "-I, -std=, -O, -f…, -m… and the like), not flags that load code, write further files, print something, "
    "select another language, or differ between machines."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """The sources and flags of a compiler's command line.

    Attributes:
        inputs: The files, in order.
        flags: The flags, which hold for all files.
        self_contained: Whether the flags name no file that is read after the preprocessor.
    """

    inputs: tuple[str, ...]
    flags: tuple[str, ...]
    self_contained: bool = True


def is_command_line(words: Sequence[str]) -> bool:
    """Whether the first word is the name of a C or C++ compiler and more words follow."""
    return len(words) > 1 and bool(_COMPILER.fullmatch(PurePath(words[0]).name))


def split(text: str) -> list[str]:
    """The words of a command line given as one text; one word if the text is not a command line.

    Raises:
        InvalidInput: A quotation mark is not closed.
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
        InvalidInput: The command line names no source, or has a flag that is not allowed.
    """
    read = _read(words[1:], "inputs")
    for word in read.inputs:
        _check_input(word)
    if not read.inputs:
        raise InvalidInput(
            f"The command line {shlex.join(words)!r} names no source.",
            field="inputs",
            value=shlex.join(words),
            remedy=f"Name files with one of the suffixes {', '.join(sorted(INPUT_SUFFIXES))}.",
        )
    language = ("-x", "c++") if "++" in PurePath(words[0]).name else ()
    return replace(read, flags=(*language, *read.flags))


def parse_flags(words: Sequence[str], field: str) -> Invocation:
    """Reads flags alone; there are no inputs.

    Args:
        words: The flags.
        field: The name of the argument that holds them, for messages.

    Raises:
        InvalidInput: A word is not a flag, or the flag is not allowed.
    """
    read = _read(words, field)
    if read.inputs:
        raise InvalidInput(
            f"{field} has {read.inputs[0]!r:.200}, which is not a flag.",
            field=field,
            value=read.inputs[0],
            remedy="Name files among the inputs, and give each word of a flag as an item of its own.",
        )
    return read


def _read(words: Sequence[str], field: str) -> Invocation:
    inputs: list[str] = []
    flags: list[str] = []
    self_contained = True
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            inputs.append(word)
            continue
        has_value = word in _TAKEN_WITH_VALUE or word in _DROPPED_WITH_VALUE
        option = (word, _value(word, rest, field)) if has_value else (word,)
        if word in _DROPPED_WITH_VALUE or _DROPPED.fullmatch(word):
            continue
        if not _is_taken(option):
            raise InvalidInput(
                f"The compiler's option {' '.join(option)!r:.200} is not allowed.",
                field=field,
                value=word,
                remedy=_REFUSED_REMEDY,
            )
        flags += option
        self_contained = self_contained and bool(_SELF_CONTAINED.fullmatch(" ".join(option)))
    return Invocation(inputs=tuple(inputs), flags=tuple(flags), self_contained=self_contained)


def _is_taken(option: tuple[str, ...]) -> bool:
    text = " ".join(option)
    if option[-1].startswith("@"):  # clang reads more words from such a file
        return False
    if len(option) > 1 and option[0] != "-Xclang" and option[1].startswith("-"):
        return False  # clang might read the value as a flag, which has not been checked
    if _REFUSED.fullmatch(text):
        return False
    return bool(_SELF_CONTAINED.fullmatch(text) or _OTHER.fullmatch(text))


def _check_input(word: str) -> None:
    if word.startswith("@") or PurePath(word).suffix not in INPUT_SUFFIXES:
        raise InvalidInput(
            f"The command line's {word!r} is neither a source nor LLVM IR.",
            field="inputs",
            value=word,
            remedy=f"Give files with one of the suffixes {', '.join(sorted(INPUT_SUFFIXES))}: objects and "
            "libraries hold no IR.",
        )


def _value(flag: str, rest: Iterator[str], field: str) -> str:
    value = next(rest, None)
    if value is None:
        message = f"The compiler's option {flag} lacks its value."
        raise InvalidInput(message, field=field, value=flag, remedy="Give it as the next word.")
    return value

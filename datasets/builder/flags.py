"""Which flags a suite may give its compilers: no outputs, no machine, no files.

Outputs, plug-ins, other files' flags and another processor's code would make a dataset depend on what no lock
file tells.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Of -f and -m, all but what names files, plug-ins or processors; -Wa, -Wl and -Wp hand flags to others.
_LANGUAGE: Final = re.compile(
    r"-[DU]\w.*"
    r"|-std=[\w+:]+"
    r"|-W(?![alp],)[\w=+-]*"
    r"|-f(?!plugin|pass-plugin|profile|save|time|module|crash|dep|dump|embed|lto|thinlto|use-ld|sanitize)[^/]+"
    r"|-m(?!arch|cpu|tune|llvm|link)[^/]+",
    re.DOTALL,
)
_TOOLCHAIN: Final = re.compile(r"--target=[\w.-]+|-O[0-3sz]|-g0|-w|-nostdlibinc")
_FRONT_END: Final = frozenset({"-disable-llvm-passes", "-disable-O0-optnone"})


def refused_flags(flags: Sequence[str], *, toolchain: bool = False) -> Iterator[str]:
    """Flags that a suite may not give.

    Args:
        flags: The flags of a program, or of a toolchain.
        toolchain: Whether they are a toolchain's, which names target and level too.
    """
    rest = iter(flags)
    for flag in rest:
        if flag == "-include":
            name = next(rest, "")
            if not _is_header(name):
                yield f"{flag} {name}".strip()
        elif flag == "-Xclang" and toolchain:
            given = next(rest, "")
            if given not in _FRONT_END:
                yield f"{flag} {given}".strip()
        elif not (_LANGUAGE.fullmatch(flag) or (toolchain and _TOOLCHAIN.fullmatch(flag))):
            yield flag


def _is_header(name: str) -> bool:
    """Whether it is a name that is looked for in the include folders, and nowhere else."""
    path = PurePosixPath(name)
    return bool(path.name) and name[0] not in "-@" and not path.is_absolute() and ".." not in path.parts

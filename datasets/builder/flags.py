"""Which flags a suite may give its compilers: no outputs, no machine, no files.

Outputs, plug-ins, other files' flags and another processor's code would make a dataset depend on things that
no lock file has. Of ``-f…`` only the flags listed here are allowed: each compiler has hundreds, and new ones
with every version, many of which write files, reveal the compiler's path, or turn off a check of the build.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from datasets.builder.tables import TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optarena.documents.kinds import Table

# With and without "no-"; all of them concern the language, or the generated code.
_SWITCHES: Final = (
    r"builtin(?:-\w+)?|freestanding|hosted|asm|gnu-keywords|gnu89-inline|ms-extensions|ms-compatibility|blocks|"
    r"dollars-in-identifiers|signed-char|unsigned-char|signed-bitfields|short-enums|short-wchar|fixed-point|"
    r"lax-vector-conversions|common|keep-static-consts|"
    r"wrapv|wrapv-pointer|trapv|strict-(?:aliasing|overflow|return|enums|float-cast-overflow)|"
    r"delete-null-pointer-checks|finite-loops|"
    r"fast-math|math-errno|finite-math-only|signed-zeros|(?:associative|reciprocal|trapping|rounding)-math|"
    r"honor-nans|honor-infinities|unsafe-math-optimizations|approx-func|protect-parens|cx-limited-range|"
    r"cx-fortran-rules|"
    r"inline|inline-functions|inline-hint-functions|omit-frame-pointer|optimize-sibling-calls|unroll-loops|"
    r"vectorize|slp-vectorize|tree-vectorize|tree-slp-vectorize|openmp-simd|jump-tables|merge-all-constants|"
    r"merge-constants|zero-initialized-in-bss|function-sections|data-sections|exceptions|non-call-exceptions|"
    r"unwind-tables|asynchronous-unwind-tables|stack-protector(?:-all|-strong)?|stack-clash-protection|"
    r"stack-check|pic|PIC|pie|PIE|plt|semantic-interposition|ident"
)
_VALUED: Final = (
    r"fp-contract|fp-model|excess-precision|complex-arithmetic|strict-flex-arrays|lax-vector-conversions|"
    r"trivial-auto-var-init|zero-call-used-regs|tls-model|cf-protection|align-functions|align-loops|"
    r"bracket-depth"
)
# Of -m, all except flags that name files or another target, or record how code was compiled.
_LANGUAGE: Final = re.compile(
    r"-[DU]\w.*"
    r"|-std=[\w+:]+"
    r"|-W(?![alp],)[\w=+-]*"
    rf"|-f(?:no-)?(?:{_SWITCHES})"
    rf"|-f(?:{_VALUED})=[\w-]+"
    r"|-m(?!arch|cpu|tune|llvm|mlir|link|record|16$|32$|64$|x32$)[\w.-]+(?:=[\w.,+-]+)?",
    re.DOTALL,
)
_TOOLCHAIN: Final = re.compile(r"--target=[\w.-]+|-O[0-3sz]|-g0|-w|-nostdlibinc")
_FRONT_END: Final = frozenset({"-disable-llvm-passes", "-disable-O0-optnone"})
_ALLOWED: Final = (
    "-D…, -U…, -std=…, -W…, -f… and -m… of the language and its code, and -include NAME, naming no output, "
    "file or processor"
)
CHECKS: Final = (
    "alignment",
    "bool",
    "bounds",
    "builtin",
    "enum",
    "float-cast-overflow",
    "float-divide-by-zero",
    "integer-divide-by-zero",
    "nonnull-attribute",
    "null",
    "object-size",
    "pointer-overflow",
    "return",
    "returns-nonnull-attribute",
    "shift",
    "shift-base",
    "shift-exponent",
    "signed-integer-overflow",
    "unreachable",
    "vla-bound",
    "vptr",
)
"""The checks of the undefined-behaviour sanitizer that gcc and clang have, without names of groups."""


def flags_of(table: Table, *, toolchain: bool = False) -> tuple[str, ...]:
    """The field ``flags`` of a program or toolchain; a forbidden flag is a problem of the table."""
    flags = table.need("flags", TEXTS) if toolchain else table.find("flags", TEXTS) or ()
    for flag in refused_flags(flags, toolchain=toolchain):
        table.problem("flags", "This flag is not allowed in a suite.", flag, f"Give only {_ALLOWED}.")
    return flags


def unsanitized_of(table: Table) -> tuple[str, ...]:
    """The field ``unsanitized`` of a program; an unknown check is a problem of the table."""
    checks = table.find("unsanitized", TEXTS) or ()
    for check in checks:
        if check not in CHECKS:
            message = f"The field must name checks of {', '.join(CHECKS)}."
            table.problem("unsanitized", message, check, "Name one of these checks.")
    return checks


def refused_flags(flags: Sequence[str], *, toolchain: bool = False) -> Iterator[str]:
    """Flags that a suite must not have.

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
    """Whether a name is looked for only in the include folders."""
    path = PurePosixPath(name)
    return bool(path.name) and name[0] not in "-@" and not path.is_absolute() and ".." not in path.parts

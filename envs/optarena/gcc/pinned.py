"""The pinned build of GCC, and what else the results of its environments depend on. Pure data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolchainPackage:
    name: str
    version: str
    sha256: str
    files: Mapping[str, str]  # the name in the toolchain's folder of each member
    optional: bool = False  # needed only where the machine's C library is older than the pinned one


_DATA: Final = tomllib.loads(resources.files("optarena.gcc").joinpath("toolchain.toml").read_text("utf-8"))
VERSION: Final[str] = _DATA["version"]
BUILD: Final[str] = _DATA["build"]
MACHINE: Final[str] = _DATA["machine"]
PROGRAMS: Final[dict[str, str]] = _DATA["programs"]  # the sha256 of each program
PACKAGES: Final = tuple(ToolchainPackage(**one) for one in _DATA["packages"])
COMPILER: Final = f"GCC {BUILD}"
MAJOR: Final = VERSION.partition(".")[0]

# What every compilation has before its options. -fpreprocessed makes #include an error. Assembly in a program
# can still name files; Landlock closes them, where the kernel has it. PIE is what the worker that runs
# programs links. cc1 would derive the two parameters, which time its garbage collection, from the machine's
# memory.
FRONT_END: Final = (
    "-quiet", "-fpreprocessed", "-w", "-std=gnu17", "-mtune=generic", "-march=x86-64", "-fPIE", "-fno-ident",
    "-fno-stack-protector", "-ffp-contract=off", "-dumpbase", "program.c",
    "--param=ggc-min-expand=30", "--param=ggc-min-heapsize=4096",
)  # fmt: skip
# What units have besides, so that the linker can drop what is unused.
UNIT_FLAGS: Final = ("-ffunction-sections", "-fdata-sections")
# Raise a number when the meaning changes but the name does not.
SEMANTICS: Final[dict[str, int]] = {
    "state": 1, "object": 1, "text_size_bytes": 1, "load_size_bytes": 1, "asm_size": 1, "obj_size": 1,
}  # fmt: skip


def version_spec() -> dict[str, Any]:
    return {
        "compiler": COMPILER,
        "programs": dict(PROGRAMS),
        "front_end": list(FRONT_END),
        "unit_flags": list(UNIT_FLAGS),
        "semantics": dict(SEMANTICS),
    }

"""C helpers for loops over instructions, for which Python would be too slow; the engine compiles them.

They are compiled once per process. The zygote compiles them before it forks, so that sessions inherit the
code: a confined session may not make executable memory.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Final

from optarena.llvm import pinned
from optarena.llvm.module import Module, create_machine
from optarena.llvm.native import SOURCES
from optarena.machine_code.libllvm import ObjectJit, library


class Jit(ObjectJit):
    def __init__(self, *, optimisation: int = pinned.OPTIMISATION_DEFAULT) -> None:
        super().__init__(create_machine(pinned.TRIPLE, optimisation=optimisation))


# The helper that runs after every action, mostly as the only one.
_THOROUGHLY: Final = "optarena_fingerprint"


def address(name: str) -> int:
    return _compiler(name.startswith(_THOROUGHLY)).address(name)


def compile_helpers() -> None:
    for name in SOURCES.values():
        address(name)


@lru_cache(maxsize=2)
def _compiler(thoroughly: bool) -> Jit:  # noqa: FBT001 # a key of the cache
    # Their IR is optimised already, and most of them wait for libLLVM: fast code generation does not slow
    # them down, and makes the first session of a process wait for a fifth of the time only.
    optimisation = pinned.OPTIMISATION_DEFAULT if thoroughly else 0
    jit = Jit(optimisation=optimisation)  # never closed: the code is used until the process ends
    jit.add_library_symbols(library().path)
    folder = resources.files("optarena.llvm.native")
    for source in (one for one, name in SOURCES.items() if name.startswith(_THOROUGHLY) == thoroughly):
        jit.add_module(Module.parse(folder.joinpath(f"{source}.ll").read_bytes()))
    return jit

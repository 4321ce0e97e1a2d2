"""The loops over instructions that Python would be too slow for: C helpers, compiled by the engine itself.

They are compiled once a process. The zygote does it before it forks, so that sessions inherit the code: a
confined session may not make executable memory.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Final

from optarena.llvm import pinned
from optarena.llvm.jit import Jit
from optarena.llvm.libllvm import library
from optarena.llvm.module import Module
from optarena.llvm.native import SOURCES

_THOROUGHLY: Final = "optarena_fingerprint"
"""What runs after every action, and mostly on its own."""


def address(name: str) -> int:
    """The address of a function of one of the helpers.

    Raises:
        ServiceError: No helper defines it.
    """
    return _compiler(name.startswith(_THOROUGHLY)).address(name)


def compile_helpers() -> None:
    """Compile all helpers now, where that is not done yet."""
    for name in SOURCES.values():
        address(name)


@lru_cache(maxsize=2)
def _compiler(thoroughly: bool) -> Jit:  # noqa: FBT001 # a key of the cache
    # Their IR is optimised already, and most of them wait for libLLVM: a quick code generator costs them
    # nothing, and takes a fifth of the time that every first session of a process waits for.
    optimisation = pinned.OPTIMISATION_DEFAULT if thoroughly else 0
    jit = Jit(optimisation=optimisation)  # never closed: its code lives as long as the process
    jit.add_library_symbols(library().path)
    folder = resources.files("optarena.llvm.native")
    for source in (one for one, name in SOURCES.items() if name.startswith(_THOROUGHLY) == thoroughly):
        jit.add_module(Module.parse(folder.joinpath(f"{source}.ll").read_bytes()))
    return jit

"""The pinned facts on which measurements depend: engine, target machine, meaning of metrics.

Pure data. Any change here makes a new version of every LLVM environment.
"""

from __future__ import annotations

from typing import Any, Final

from optarena.machine_code.libllvm import VERSION

ENGINE: Final = "LLVM"
ENGINE_VERSION: Final = VERSION

TRIPLE: Final = "x86_64-unknown-linux-gnu"
# Of generated text. Members never change: they have LLVM's default alignments, those of no layout.
TARGET: Final = f'target datalayout = ""\ntarget triple = "{TRIPLE}"'
# Empty: the generic x86-64, exactly the default of `opt` and `llc`. Programs made by clang name their CPU
# (x86-64) at each function, which overrides this.
CPU: Final = ""
FEATURES: Final = ""
OPTIMISATION_DEFAULT: Final = 2
RELOCATION_DEFAULT: Final = 0
RELOCATION_PIC: Final = 2
CODE_MODEL_DEFAULT: Final = 0

PREPARATION: Final = "internalize<preserve-gv=main>,always-inline,globaldce"

# Code generation knows no coroutines: clang's own passes lower them without optimisation, too. A program
# without them stays as it is.
COROUTINES: Final = "coro-cond(coro-early,always-inline,cgscc(coro-split),coro-cleanup,globaldce)"

# A version number for each metric; raise it when the meaning changes but the name does not.
SEMANTICS: Final[dict[str, int]] = {
    "preparation": 1,
    "state": 1,
    "canonical_text": 1,
    "no_effect": 1,
    "ir_instructions": 1,
    "text_size_bytes": 1,
    "autophase": 1,
}

# What the environment that counts loaded bytes depends on beside that.
LOADING: Final = {"relocation": RELOCATION_PIC, "load_size_bytes": 1}


def target_machine() -> dict[str, str | int]:
    # For the environment version digest.
    return {
        "triple": TRIPLE,
        "cpu": CPU,
        "features": FEATURES,
        "optimisation": OPTIMISATION_DEFAULT,
        "relocation": RELOCATION_DEFAULT,
        "code_model": CODE_MODEL_DEFAULT,
    }


def version_spec(engine_version: str = ENGINE_VERSION) -> dict[str, Any]:
    # What the version of every LLVM environment has beside its actions.
    return {
        "engine": ENGINE,
        "engine_version": engine_version,
        "target_machine": target_machine(),
        "semantics": dict(SEMANTICS),
    }

"""What measurements depend on and what is therefore pinned: engine, target machine, meaning of metrics.

Pure data. A change of anything here is a new version of every LLVM environment.
"""

from __future__ import annotations

from typing import Any, Final

ENGINE: Final = "LLVM"
ENGINE_VERSION: Final = "22.1.8"

TRIPLE: Final = "x86_64-unknown-linux-gnu"
# Empty: the generic x86-64, exactly as `opt` and `llc` take it without options. Programs made by clang name
# their CPU (x86-64) at each function, and that goes first.
CPU: Final = ""
FEATURES: Final = ""
OPTIMISATION_DEFAULT: Final = 2
RELOCATION_DEFAULT: Final = 0
CODE_MODEL_DEFAULT: Final = 0

PREPARATION: Final = "internalize<preserve-gv=main>,always-inline,globaldce"

SEMANTICS: Final[dict[str, int]] = {
    "preparation": 1,
    "state": 1,
    "canonical_text": 1,
    "no_effect": 1,
    "ir_instructions": 1,
    "text_size_bytes": 1,
    "autophase": 1,
}
"""A number for each meaning; it is raised when the meaning changes though no name does."""


def target_machine() -> dict[str, str | int]:
    """The target machine as plain data, for the environment version digest."""
    return {
        "triple": TRIPLE,
        "cpu": CPU,
        "features": FEATURES,
        "optimisation": OPTIMISATION_DEFAULT,
        "relocation": RELOCATION_DEFAULT,
        "code_model": CODE_MODEL_DEFAULT,
    }


def version_spec() -> dict[str, Any]:
    """All of it as plain data: what the version of every LLVM environment has beside its actions."""
    return {
        "engine": ENGINE,
        "engine_version": ENGINE_VERSION,
        "target_machine": target_machine(),
        "semantics": dict(SEMANTICS),
    }

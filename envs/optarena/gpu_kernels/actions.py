"""The action tables: passes with ptxas's level, and whole levels. Pure data."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Final

from optarena.actions import NamedActions

LEVELS: Final = ("-O0", "-O1", "-O2")
# What LLVM runs for each level; ptxas gets the level itself.
LEVEL_PIPELINES: Final = ("", "default<O1>", "default<O2>")
ASSEMBLER_LEVELS: Final = ("ptxas-O0", "ptxas-O1", "ptxas-O2", "ptxas-O3")
REFERENCE_PIPELINE: Final = "default<O3>"
REFERENCE_LEVEL: Final = 3


def _load() -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    text = resources.files("optarena.gpu_kernels").joinpath("passes.toml").read_text("utf-8")
    passes = tomllib.loads(text)["pass"]
    return tuple(zip(*((one["name"], one["pipeline"], one["description"]) for one in passes), strict=True))  # type: ignore[return-value] # three of the same length


_NAMES, PIPELINES, _DESCRIPTIONS = _load()
PASSES: Final = NamedActions(
    "gpu-passes-v0",
    (*_NAMES, *ASSEMBLER_LEVELS),
    program="gpu-passes",
    descriptions=(
        *_DESCRIPTIONS,
        *(f"Let ptxas assemble at -O{level} from now on." for level in range(len(ASSEMBLER_LEVELS))),
    ),
)
LEVEL_ACTIONS: Final = NamedActions(
    "gpu-levels-v0",
    LEVELS,
    program="gpu-levels",
    descriptions=tuple(
        f"Compile the kernel as it was given at {level}, by LLVM and by ptxas." for level in LEVELS
    ),
)

"""The generated datasets of LLVM programs as plain data. It loads no libLLVM and searches for no tool."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from optarena import register
from optarena.datasets.parametric import GeneratedDataset
from optarena.llvm import pinned

MAX_SEED: Final = 2**32 - 1
CSMITH_VERSION: Final = "2.3.0"
# Small programs that nearly always end.
CSMITH_OPTIONS: Final = (
    "--max-funcs", "5", "--max-block-depth", "3", "--max-block-size", "3", "--max-array-len-per-dim", "5",
    "--max-expr-complexity", "5", "--no-argc",
)  # fmt: skip
STRESS_OPTIONS: Final = ("--size=200",)

_SIZES: Final = ("llvm-ic-v0", "llvm-autophase-ic-v0", "llvm-codesize-v0", "llvm-autophase-codesize-v0")
_ENGINE: Final = f"{pinned.ENGINE} {pinned.ENGINE_VERSION}"

SYNTHETIC: Final = GeneratedDataset(
    name="synthetic-v0",
    title="Synthetic programs",
    description="Random structured programs of optarena's own, made of the seed by nothing but this "
    "package: functions, loops, arrays, records, switches and recursion, as a C front end writes them "
    "without optimising. They have no undefined behaviour, always end, and print checksums; what they "
    "must print is known without running them.",
    licence="MIT",
    domain="synthetic",
    language="LLVM IR",
    low=0,
    high=MAX_SEED,
    environment="llvm-v0",
    further_environments=(*_SIZES, "llvm-runtime-v0", "llvm-loops-v0"),
    generator="optarena.generators.synthetic:generate",
    revision=f"synthetic 1, {_ENGINE}",
)
DATASETS: Final = (
    SYNTHETIC,
    replace(
        SYNTHETIC,
        name="csmith-v0",
        title="Csmith programs",
        description=f"Random C programs of Csmith {CSMITH_VERSION} (Yang, Chen, Eide, Regehr, PLDI 2011) "
        "with limits that keep them small, compiled by clang without optimising. What they print is "
        "recorded when they are made; one that does not end within seconds has no workload. Needs csmith and "
        "clang 22.",
        licence="BSD-2-Clause",
        language="C",
        generator="optarena.generators.external:csmith",
        revision=f"csmith {CSMITH_VERSION} {' '.join(CSMITH_OPTIONS)}, {_ENGINE}",
    ),
    replace(
        SYNTHETIC,
        name="llvm-stress-v0",
        title="Random IR of llvm-stress",
        description="Random valid IR of LLVM's own stress tester, for robustness and not for scores: "
        "it computes nothing, has no main and cannot be run, and of hundreds of instructions an optimiser "
        "leaves a few. Needs llvm-stress of LLVM 22.",
        licence="Apache-2.0 WITH LLVM-exception",
        domain="robustness",
        further_environments=_SIZES,
        generator="optarena.generators.external:llvm_stress",
        revision=f"llvm-stress {pinned.ENGINE_VERSION} {' '.join(STRESS_OPTIONS)}, {_ENGINE}",
    ),
)

register(datasets=DATASETS)

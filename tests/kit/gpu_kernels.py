"""Kernels of gpu-kernels-v1, and what is done to them in tests."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from optarena.datasets import datasets
from optarena.gpu_kernels import engine, programs
from optarena.gpu_kernels.actions import PIPELINES

if TYPE_CHECKING:
    from optarena.specs.benchmark import Benchmark

DATASET: Final = "gpu-kernels-v1"
NAMES: Final = tuple(benchmark.name for benchmark in datasets()[DATASET])


def benchmark(name: str) -> Benchmark:
    return datasets()[DATASET].benchmark(name)


def program(name: str) -> programs.KernelProgram:
    return programs.parse(benchmark(name).program())


def optimised(name: str, *pipelines: str) -> engine.KernelModule:
    module = engine.KernelModule(program(name).ir)
    for pipeline in pipelines:
        module.run(pipeline)
    return module


def random_pipelines(name: str, number: int) -> list[str]:
    """A random sequence of passes: the same for the same number."""
    drawn = random.Random(f"{name} {number}")  # noqa: S311 # nothing secret
    return [drawn.choice(PIPELINES) for _ in range(drawn.randint(5, 50))]

"""The environment on the shipped dataset: baselines, and what a state is."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optarena.datasets import Benchmark, datasets
from optarena.llvm.actions import CURATED
from tests.kit.examples import examples

if TYPE_CHECKING:
    from optarena.llvm.env import LlvmEnv

KERNELS = list(datasets()["kernels-v0"])


def make(benchmark: Benchmark | str) -> LlvmEnv:
    return cast("LlvmEnv", gymnasium.make("optarena/llvm-ic-v0", benchmark=benchmark).unwrapped)


def test_the_default_benchmark_is_the_first_of_the_default_dataset() -> None:
    with gymnasium.make("optarena/llvm-v0") as env:
        _, info = env.reset()
        assert info["benchmark"] == KERNELS[0].uri


@pytest.mark.parametrize("benchmark", KERNELS[:3], ids=lambda one: one.name)
def test_the_recorded_baselines_are_what_the_environment_computes(benchmark: Benchmark) -> None:
    with make(benchmark.uri) as env:
        env.reset()
        for metric in env.environment.metrics:
            for level, value in benchmark.baselines[metric.name].items():
                assert env.observation[f"{metric.observation}{level}"] == value
            assert env.observation[metric.observation] == benchmark.baseline(metric.name, "O0")


@settings(max_examples=examples(3))
@given(seed=st.integers(0, 2**32 - 1))
def test_observing_rewarding_and_forking_change_no_result(seed: int) -> None:
    """A state is defined as a fresh process that runs the actions in order, and nothing else."""
    rng = np.random.default_rng(seed)
    benchmark = KERNELS[int(rng.integers(len(KERNELS)))]
    first, second = rng.integers(len(CURATED), size=(2, 8)).tolist()
    with make(benchmark) as original, make(benchmark) as plain:
        original.reset()
        watch(original, first)
        with original.fork() as fork:
            watch(fork, second)
            plain.reset(options={"observation_space": None, "reward_space": None})
            plain.multistep([*first, *second])
            for name in ("IrSha1", "IrInstructionCount"):
                assert fork.observation[name] == plain.observation[name]


def watch(env: LlvmEnv, actions: list[int]) -> None:
    for action in actions:
        env.step(action)
        for name in ("Ir", "IrSha1", "Autophase", "ObjectTextSizeBytes", "IrInstructionCountOz"):
            _ = env.observation[name]
        _ = env.reward["IrInstructionCountO3"]

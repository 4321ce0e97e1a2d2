"""Tests of ``synthetic-v0``: the same everywhere, valid, worth optimising, and printing what was computed."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import gymnasium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optarena.datasets import datasets
from optarena.generators.synthetic import generate
from optarena.generators.tree import SplitMix64
from optarena.llvm.execution import run_program
from optarena.llvm.module import Module, optimised
from optarena.llvm.runnable import check_runnable
from optarena.replay import replay
from tests.kit.examples import examples

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MEMBERS = {
    0: "889373bbe342761f452087190e9345286041c533cc3ed929f6614a1897bb0040",
    1: "25b100c1242f117d1ed0c0175def56ba3a1a2504e79a173c056b7e734036d9e1",
    42: "b509e8145e9ba0919a3051406e4d3d43fde81ba6513ee0b8f14ee52128499576",
    2**32 - 1: "cd3e557d3c51b42d40a5644065ec9b178c01839a16993dea375c0a37880be391",
}
"""The sha256 of members: whatever changes one of them is a new version of the dataset."""
PRINTED = b"0000000f68a707d2\ne71f8aa096fbc553\n000000014506194a\n"
URI = "generator://synthetic-v0/42"
SEEDS = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=examples(6))
RUNS = settings(max_examples=examples(3))


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPTARENA_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def test_random_numbers_are_those_of_the_reference() -> None:
    stream = SplitMix64(1234567)
    assert [stream.bits() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
    drawn = [stream.between(3, 7) for _ in range(200)]
    assert set(drawn) == {3, 4, 5, 6, 7}
    assert {stream.weighted((("a", 1), ("b", 0), ("c", 9))) for _ in range(200)} == {"a", "c"}


@pytest.mark.parametrize("seed", MEMBERS)
def test_a_member_has_the_same_bytes_everywhere(seed: int) -> None:
    assert datasets()["synthetic-v0"].benchmark(str(seed)).sha256 == MEMBERS[seed]


def test_another_process_makes_the_same(tmp_path: Path) -> None:
    code = (
        "from optarena.datasets import datasets\n"
        "for seed in (4294967295, 42): print(datasets().benchmark(f'generator://synthetic-v0/{seed}').sha256)\n"
    )
    variables = {**os.environ, "OPTARENA_CACHE": str(tmp_path / "other"), "PYTHONHASHSEED": "7"}
    variables["PATH"] = str(tmp_path)  # there are no tools
    ended = subprocess.run(
        [sys.executable, "-c", code], env=variables, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == [MEMBERS[2**32 - 1], MEMBERS[42]]


@FEW
@given(SEEDS)
def test_every_seed_is_a_valid_program_that_can_be_run_and_made_smaller(seed: int) -> None:
    made = generate(seed)
    check_runnable(made.program)
    (workload,) = made.workloads
    assert workload.expected_stdout.endswith(b"\n")
    with Module.parse(made.program) as module, optimised(made.program, "Oz") as smaller:
        assert module.verify() is None
        assert [name for name in module.function_names() if name == "main"]
        assert 100 < module.instruction_count() < 10_000
        assert smaller.instruction_count() < module.instruction_count()


@RUNS
@given(SEEDS)
def test_a_program_prints_what_was_computed_at_every_level(seed: int) -> None:
    made = generate(seed)
    for level in ("O0", "Oz", "O3"):
        with optimised(made.program, level) as module:
            execution = run_program(module.bitcode(), sandbox=False)
        assert (execution.stdout, execution.exit_code) == (made.workloads[0].expected_stdout, 0), (
            seed,
            level,
        )


def test_an_episode_is_scored_by_what_oz_makes_of_it() -> None:
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=URI) as made:
        env = made.unwrapped
        env.reset()
        given_count, oz = (env.observation[name] for name in ("IrInstructionCount", "IrInstructionCountOz"))
        action = next(number for number, name in enumerate(env.action_table.names) if "mem2reg" in name)
        _, reward, terminated, _, _ = env.step(action)
        saved = given_count - env.observation["IrInstructionCount"]
        assert saved > 0
        assert not terminated
        assert reward == pytest.approx(saved / (given_count - oz))
        assert env.state.benchmark == URI
        assert env.validate().okay()


def test_a_replay_checks_the_output() -> None:
    benchmark = datasets().benchmark(URI)
    assert benchmark.workloads[0].expected_stdout == PRINTED
    result = replay(environment="llvm-ic-v0", benchmark=benchmark, actions=[1, 2, 3])
    assert result.ok
    assert [one.ok for one in result.workloads] == [True]
    assert result.benchmark_sha256 == MEMBERS[42]

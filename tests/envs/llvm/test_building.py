"""Tests of the observations that need a linker or the machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest

from optarena.datasets import Benchmark
from optarena.errors import InvalidAction, InvalidInput
from optarena.llvm.env import LlvmEnv
from optarena.llvm.module import Module, optimised
from optarena.llvm.toolchain import find_linker
from optarena.machine_code import elf

if TYPE_CHECKING:
    from collections.abc import Iterator

NEED_A_PROCESS = ("TextSizeBytes", "TextSizeBytesOz", "Buildtime", "IsBuildable", "BitcodeFile", "CpuInfo")
NO_MAIN = b'target triple = "x86_64-unknown-linux-gnu"\ndefine i32 @f() {\n  ret i32 0\n}\n'
UNDEFINED = b"""target triple = "x86_64-unknown-linux-gnu"
declare i32 @absent()
define i32 @main() {
  %slot = alloca i32
  %1 = call i32 @absent()
  store i32 %1, ptr %slot
  %2 = load i32, ptr %slot
  ret i32 %2
}
"""
COUNT = "IrInstructionCount"
ID = "optarena/llvm-v0"


def made(**arguments: Any) -> LlvmEnv:
    env = gymnasium.make(ID, observation_space=None, reward_space=None, **arguments).unwrapped
    assert isinstance(env, LlvmEnv)
    env.reset(options={"observation_space": None, "reward_space": None})
    return env


@pytest.fixture(scope="module")
def env(digits: Benchmark) -> Iterator[LlvmEnv]:
    with made(benchmark=digits) as one:
        yield one


@pytest.fixture
def fresh(env: LlvmEnv, digits: Benchmark) -> LlvmEnv:
    env.reset(options={"benchmark": digits})
    return env


def linked_text(module: Module, folder: Path) -> int:
    return elf.section_bytes(find_linker().link(module.object_code(), folder), ".text")


def test_text_size_is_that_of_the_linked_executable(
    fresh: LlvmEnv, digits: Benchmark, tmp_path: Path
) -> None:
    size = fresh.observation["TextSizeBytes"]
    assert size > fresh.observation["ObjectTextSizeBytes"]
    with Module.parse(digits.program()) as module:
        assert size == linked_text(module, tmp_path) == fresh.observation["TextSizeBytesO0"]
    with optimised(digits.program(), "Oz") as module:
        assert fresh.observation["TextSizeBytesOz"] == linked_text(module, tmp_path) < size


def test_text_size_follows_the_actions_and_the_baselines_do_not(fresh: LlvmEnv) -> None:
    before = {name: fresh.observation[name] for name in ("TextSizeBytes", "TextSizeBytesO0")}
    table = fresh.environment.action_table.names
    fresh.multistep([next(i for i, name in enumerate(table) if word in name) for word in ("sroa", "dce")])
    assert fresh.observation["TextSizeBytes"] < before["TextSizeBytes"]
    assert fresh.observation["TextSizeBytesO0"] == before["TextSizeBytesO0"]


def test_the_time_to_build_is_measured_anew(fresh: LlvmEnv) -> None:
    assert fresh.observation["Buildtime"] > 0
    assert not fresh.observations["Buildtime"].deterministic
    assert fresh.observations["TextSizeBytes"].deterministic
    assert fresh.observations["TextSizeBytes"].platform_dependent


@pytest.fixture
def incomplete(fresh: LlvmEnv) -> LlvmEnv:
    """On a program that calls a function which is not there, so that it cannot be linked."""
    benchmark = Benchmark.from_bytes("benchmark://tests-v0/undefined", UNDEFINED)
    fresh.reset(options={"benchmark": benchmark, "reward_space": COUNT})
    return fresh


def test_a_step_that_asks_for_what_the_program_lacks_is_taken_and_says_so(incomplete: LlvmEnv) -> None:
    sroa, dce = (incomplete.environment.action_table.names.index(name) for name in ("sroa", "dce"))
    with pytest.raises(InvalidInput, match="absent") as told:
        incomplete.step(sroa, observation_spaces=[COUNT, "TextSizeBytes"])
    assert (told.value.field, told.value.value) == ("observation_space", "TextSizeBytes")
    assert incomplete.actions == [sroa]
    [count], reward, terminated, *_ = incomplete.step(dce, observation_spaces=[COUNT])
    assert not terminated
    assert reward == incomplete.episode_reward == incomplete.observation["IrInstructionCountO0"] - count > 0
    with pytest.raises(InvalidInput, match="absent"):
        incomplete.step(dce, reward_spaces=[COUNT, "TextSizeBytes"])
    assert incomplete.error is None


def test_what_the_program_lacks_is_named_where_nothing_is_applied(incomplete: LlvmEnv) -> None:
    with incomplete.fork() as fork:
        for call in (
            lambda: fork.observation["TextSizeBytes"],
            lambda: fork.multistep([], observation_spaces=["TextSizeBytes"]),
        ):
            with pytest.raises(InvalidInput, match="absent") as told:
                call()
            assert not isinstance(told.value, InvalidAction)
            assert (told.value.field, told.value.value) == ("observation_space", "TextSizeBytes")
        assert [one[2] for one in fork.peek([0, 1], observation_spaces=["TextSizeBytes"])] == [True, True]
        assert fork.step(0)[2] is False


def test_a_program_without_main_does_not_build(fresh: LlvmEnv) -> None:
    assert fresh.observation["IsBuildable"] == 1
    fresh.reset(options={"benchmark": Benchmark.from_bytes("benchmark://tests-v0/no-main", NO_MAIN)})
    assert fresh.observation["IsBuildable"] == 0
    for name in ("TextSizeBytes", "TextSizeBytesO3", "Buildtime"):
        with pytest.raises(InvalidInput, match=f"{name} needs a program that links.*main.*IsBuildable"):
            assert fresh.observation[name] is None
    fresh.step(0)
    assert fresh.observation["ObjectTextSizeBytes"] > 0


def test_the_processor_is_described(fresh: LlvmEnv) -> None:
    described = json.loads(fresh.observation["CpuInfo"])
    assert described["model"]
    assert described["cores"] >= described["usable_cores"] >= 1
    assert all(cache["bytes"] > 0 for cache in described["caches"])


def test_the_bitcode_file_holds_the_present_state_and_goes_with_the_session(digits: Benchmark) -> None:
    env = made(benchmark=digits)
    first = Path(env.observation["BitcodeFile"])
    assert first.read_bytes() == env.observation["Bitcode"]
    assert first.parent.stat().st_mode & 0o777 == 0o700
    env.multistep(range(20))
    second = Path(env.observation["BitcodeFile"])
    assert second.read_bytes() == env.observation["Bitcode"] != first.read_bytes()
    twin = env.fork()
    copied = Path(twin.observation["BitcodeFile"])
    assert copied.parent != second.parent
    env.close()
    assert not second.parent.exists()
    assert copied.exists()
    twin.close()
    assert not copied.parent.exists()


def test_a_confined_session_says_so_and_goes_on(digits: Benchmark) -> None:
    with made(benchmark=digits, sandbox=True) as env:
        for name in NEED_A_PROCESS:
            with pytest.raises(InvalidInput, match=f"{name} is not available in a confined session"):
                assert env.observation[name] is None
        env.step(0)
        assert env.observation["IrInstructionCount"] > 0


def test_without_a_linker_the_error_says_what_to_install(
    digits: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    with made(benchmark=digits, service="in-process") as env:
        monkeypatch.setenv("OPTARENA_LINKER", "/nonexistent/cc")
        for name in ("TextSizeBytes", "IsBuildable", "Buildtime"):
            with pytest.raises(InvalidInput, match=f"{name} needs a linker.*apt-get install gcc libc6-dev"):
                assert env.observation[name] is None
        monkeypatch.setenv("OPTARENA_LINKER", "/bin/false")
        with pytest.raises(InvalidInput, match=r"/bin/false cannot link even an empty program.*libc6-dev"):
            assert env.observation["IsBuildable"] is None
        monkeypatch.delenv("OPTARENA_LINKER")
        assert env.observation["IsBuildable"] == 1

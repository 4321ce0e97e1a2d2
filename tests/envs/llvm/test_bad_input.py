"""Wrong input to the LLVM environment: a typed error that says what is allowed, and all goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import pytest

from optarena.datasets import Benchmark, Workload
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput, UnknownName
from optarena.llvm.actions import CURATED
from optarena.llvm.module import Module
from optarena.state import EnvState
from optarena.validation import validate_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optarena.llvm.env import LlvmEnv

MEM2REG = CURATED.index("mem2reg")
TRIPLE = 'target triple = "x86_64-unknown-linux-gnu"\n'
NO_MAIN = f"{TRIPLE}define i32 @helper(i32 %x) {{\n  ret i32 %x\n}}\n".encode()
OLD = f"{TRIPLE}define i32 @f(i32* %p) {{\n  %x = load i32* %p\n  ret i32 %x\n}}\n"
"""As LLVM 3.6 wrote it."""
EPOCH_BYTE, EPOCH_BIT = 28, 1 << 3
"""Where bitcode says which versions of LLVM can read it."""


@pytest.fixture(scope="module")
def env(digits: Benchmark) -> Iterator[LlvmEnv]:
    made = cast("LlvmEnv", gymnasium.make("optarena/llvm-ic-v0", benchmark=digits).unwrapped)
    made.reset(options={"reward_space": "IrInstructionCount"})
    made.step(MEM2REG)
    yield made
    made.close()


def check_refused(env: LlvmEnv, use: Callable[[LlvmEnv], Any], kind: type[Exception], *parts: str) -> None:
    """It is refused in words that contain all parts, and the present episode goes on."""
    before, actions = env.observation["IrSha1"], env.actions
    with pytest.raises(kind) as caught:
        use(env)
    assert type(caught.value) is kind
    for part in parts:
        assert part in str(caught.value)
    assert (env.observation["IrSha1"], env.actions) == (before, actions)


def reset(**options: Any) -> Callable[[LlvmEnv], Any]:
    return lambda env: env.reset(options=options)


@pytest.mark.parametrize(
    ("use", "parts"),
    [
        (reset(observation_space="Autophas"), ("'Autophas'", "'Autophase'")),
        (reset(reward_space="IrInstructionCountO"), ("'IrInstructionCountO'", "'IrInstructionCountOz'")),
        (reset(action_space="llvm-passes"), ("'llvm-passes'", "'llvm-passes-v0'")),
        (
            reset(benchmark="benchmark://kernels-v0/quicksor"),
            ("quicksor'", "'benchmark://kernels-v0/quicksort'"),
        ),
        (reset(benchmark="benchmark://kernel-v0/quicksort"), ("'kernel-v0'", "kernels-v0")),
        (reset(bench="x"), ("'bench'", "'benchmark'")),
        (reset(benchmark="benchmark://nothing-v0/x"), ("nothing-v0",)),
        (reset(reward_space="x"), ("The known ones are",)),
        (lambda env: env.observation["InstCounts"], ("'InstCounts'", "'InstCount'")),
        (lambda env: env.reward["ObjectTextSizeO"], ("'ObjectTextSizeO'", "'ObjectTextSizeOz'")),
        (lambda env: env.step(0, observation_spaces=["Irr"]), ("'Irr'", "'Ir'")),
        (lambda env: env.step(0, reward_spaces=["ObjectTextSizeO"]), ("'ObjectTextSizeOz'",)),
        (lambda _: CURATED.index("mem2regs"), ("'mem2regs'", "'mem2reg'")),
    ],
)
def test_an_unknown_name_is_answered_with_those_near_it(
    env: LlvmEnv, use: Any, parts: tuple[str, ...]
) -> None:
    check_refused(env, use, UnknownName, *parts)


@pytest.mark.parametrize(
    ("use", "part"),
    [
        (lambda env: env.multistep(MEM2REG), "Give a list"),
        (reset(benchmark=5), "a URI or a Benchmark"),
        (reset(observation_space=3), "the name of an observation space"),
        (reset(action_space=7), "the name of an action space"),
        (reset(reward_space=1.0), "the name of a reward space"),
        (lambda env: env.reset(options=3), "Give a dict"),
        (reset(benchmark="file:///nowhere.bc"), "path of a program's file"),
        (reset(benchmark="no uri"), "benchmark://"),
        (lambda env: env.parameter("no such parameter"), "no such parameter"),
    ],
)
def test_a_value_of_a_wrong_type_is_refused(env: LlvmEnv, use: Any, part: str) -> None:
    check_refused(env, use, InvalidAction if "list" in part else InvalidInput, part)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("opt -O3 input.bc -o output.bc", "opt -passes="),
        ("opt -passes='function(mem2regs)' input.bc -o output.bc", "'function(mem2reg)'"),
        ("mem2reg", "opt -passes="),
    ],
)
def test_a_command_line_of_another_form_is_refused(env: LlvmEnv, text: str, part: str) -> None:
    state = EnvState(benchmark=env.benchmark.uri, commandline=text)
    check_refused(env, lambda env: env.apply(state), InvalidCommandline, part)


def other_version(bitcode: bytes) -> bytes:
    """Bitcode that says that another LLVM has written it, of which this one reads nothing."""
    changed = bytearray(bitcode)
    changed[EPOCH_BYTE] ^= EPOCH_BIT
    return bytes(changed)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda _: b"\x00\xff garbage", "not valid LLVM IR"),
        (lambda bitcode: bitcode[: len(bitcode) // 2], "not valid LLVM IR"),
        (lambda bitcode: bitcode[:800] + bytes(100) + bitcode[900:], "not valid LLVM IR"),
        (other_version, "Incompatible epoch"),
        (lambda _: OLD.encode(), "expected comma after load's type"),
        (lambda _: b'target triple = "aarch64-unknown-linux-gnu"\n', "aarch64"),
    ],
    ids=["garbage", "half", "hole", "newer-bitcode", "older-text", "other-machine"],
)
def test_a_program_that_cannot_be_read_is_refused_and_the_next_reset_works(
    env: LlvmEnv, digits: Benchmark, make: Any, reason: str
) -> None:
    with Module.parse(digits.program()) as module:
        program = make(module.bitcode())
    with pytest.raises(InvalidInput, match=reason) as caught:
        env.reset(options={"benchmark": Benchmark.from_bytes("benchmark://tests-v0/broken", program)})
    assert "LLVM" in str(caught.value) or "x86_64" in str(caught.value)
    env.reset(options={"benchmark": digits})
    assert env.step(MEM2REG)[2] is False


def test_a_module_without_main_is_refused_only_where_it_must_run(env: LlvmEnv, digits: Benchmark) -> None:
    library = Benchmark.from_bytes("benchmark://tests-v0/library", NO_MAIN)
    env.reset(options={"benchmark": library})
    assert env.step(MEM2REG)[2] is False
    assert env.observation["ObjectTextSizeBytes"] > 0
    check_refused(env, lambda env: env.observation["Runtime"], InvalidInput, "no workloads", "IsRunnable")
    env.reset(options={"benchmark": digits})


def test_a_module_without_main_that_has_workloads_fails_them() -> None:
    given = Benchmark.from_bytes("benchmark://tests-v0/library", NO_MAIN)
    workloads = (Workload(name="default"),)
    library = replace(given, workloads=workloads)
    state = EnvState(benchmark=library.uri, commandline=CURATED.commandline([MEM2REG]))
    result = validate_state(state, environment="llvm-ic-v0", benchmark=library)
    assert [problem.reason for problem in result.problems] == ["benchmark:broken"]
    assert "main" in str(result)


def test_the_text_size_of_a_program_without_machine_code_is_an_error_and_the_episode_goes_on() -> None:
    text = f'{TRIPLE}define void @f() {{\n  call void asm sideeffect "bogus", ""()\n  ret void\n}}\n'
    program = Benchmark.from_bytes("benchmark://user-v0/bogus", text.encode())
    with gymnasium.make("optarena/llvm-ic-v0", benchmark=program) as made:
        env = cast("LlvmEnv", made.unwrapped)
        env.reset(options={"reward_space": "IrInstructionCount"})
        for name in ("ObjectTextSizeBytes", "ObjectTextSizeBytesOz", "ObjectTextSizeOz"):
            with pytest.raises(InvalidInput, match="invalid instruction mnemonic"):
                env.observation[name]
        with pytest.raises(InvalidInput, match="invalid instruction mnemonic"):
            env.reward["ObjectTextSizeOz"]
        with pytest.raises(InvalidInput, match="invalid instruction mnemonic"):
            env.reset(options={"reward_space": "ObjectTextSizeOz"})
        assert not env.step(MEM2REG)[2]
        assert (env.observation["IrInstructionCount"], env.observation["IsBuildable"]) == (2, 0)

"""The environment with the real LLVM service: gymnasium's rules, rewards, forks and failures."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest
from forking import in_forked_process
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from optarena.datasets import Benchmark, datasets
from optarena.errors import (
    InvalidAction,
    SessionCrashed,
    UnknownName,
)
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.actions import CURATED
from optarena.specs import environment_spec, environment_specs
from optarena.specs.rewards import Scale
from optarena.wrappers import TimeLimit
from tests.kit.examples import examples, slow
from tests.kit.processes import session_pid

if TYPE_CHECKING:
    from optarena.llvm.env import LlvmEnv


IDS = {spec.service: spec.id for spec in environment_specs() if spec.rewards[spec.reward_space].deterministic}
VARIANTS = [one for one in IDS.values() if "unsafe" in one or "levels" in one]
"""Environments of a compiler that another one has, too."""
EXACT = [name for name, reward in environment_spec("llvm-v0").rewards.items() if reward.deterministic]
MEM2REG, INSTCOMBINE, SIMPLIFYCFG, GVN = map(CURATED.index, ("mem2reg", "instcombine", "simplifycfg", "gvn"))
WALK = [MEM2REG, SIMPLIFYCFG, INSTCOMBINE, GVN, CURATED.index("inline"), INSTCOMBINE]
COUNT = "IrInstructionCount"  # a reward without a baseline of -Oz to compute
TRIPLE = 'target triple = "x86_64-unknown-linux-gnu"\n'
DATA = Path(__file__).parent / "data"


def make(benchmark: Benchmark | str, environment: str = "optarena/llvm-ic-v0", **options: Any) -> LlvmEnv:
    return cast("LlvmEnv", gymnasium.make(environment, benchmark=benchmark, **options).unwrapped)


@pytest.fixture(scope="module")
def shared(digits: Benchmark) -> Iterator[LlvmEnv]:
    with make(digits) as made:
        yield made


@pytest.fixture
def env(shared: LlvmEnv, digits: Benchmark) -> LlvmEnv:
    """In its first state, set as it was made."""
    spaces = {"observation_space": "Autophase", "reward_space": "IrInstructionCountOz", "action_space": None}
    shared.reset(options={"benchmark": digits, **spaces})
    return shared


@pytest.mark.parametrize(
    "environment", [*(one for one in IDS.values() if one not in VARIANTS), *slow(VARIANTS)]
)
def test_gymnasiums_checker_has_no_complaint(environment: str, digits: Benchmark) -> None:
    program = digits if environment.startswith("optarena/llvm-") else None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with gymnasium.make(environment, benchmark=program) as made:
            check_env(made.unwrapped)


def test_make_works_without_importing_the_package_first() -> None:
    code = (
        "import gymnasium; env = gymnasium.make('optarena:optarena/llvm-ic-v0', "
        f"benchmark='file://{DATA / 'digits.ll'}'); "
        "print(env.unwrapped.observation_space.shape); env.close()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.stdout.strip() == "(56,)", result.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import gymnasium, optarena; gymnasium.make('optarena/llvm-v0')",
        "import optarena; optarena.make('llvm-v0')",
    ],
)
def test_importing_works_where_llvm_does_not_and_making_says_why(tmp_path: Path, code: str) -> None:
    environment = {**os.environ, "OPTARENA_LIBLLVM": str(tmp_path / "missing.so")}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert "PlatformNotSupported" in result.stderr
    assert "container" in result.stderr
    assert "remote service" in result.stderr


def test_the_compilers_process_starts_before_gymnasium_is_loaded() -> None:
    code = """
import os, sys
from pathlib import Path
import optarena

class Watcher:
    def find_spec(name, *_):
        if name == "gymnasium":
            seen.add(Path(f"/proc/self/task/{os.getpid()}/children").read_text())

seen = set()
sys.meta_path.insert(0, Watcher)
optarena.make("llvm-v0").close()
print(*[b"zygote_boot" in Path(f"/proc/{pid.strip()}/cmdline").read_bytes() for pid in seen])
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.stdout.strip() == "True", result.stderr


def test_other_systems_are_told_when_an_environment_is_made() -> None:
    code = (
        "import gymnasium, sys; sys.platform = 'win32'; sys.modules.update(resource=None, fcntl=None);"
        "import optarena; gymnasium.make('optarena/llvm-v0')"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "PlatformNotSupported: The LLVM environments do not run on win32" in result.stderr


def test_reset_observes_the_features_and_names_the_benchmark(env: LlvmEnv, digits: Benchmark) -> None:
    observation, info = env.reset(seed=1)
    assert env.observation_space == gymnasium.spaces.Box(0, 2**63 - 1, (56,), np.float32)
    assert observation in env.observation_space
    assert observation[51] == env.observation["IrInstructionCount"]
    assert info == {"benchmark": digits.uri}


def test_a_step_returns_observation_reward_and_info(env: LlvmEnv) -> None:
    before = env.observation["IrInstructionCount"]
    observation, reward, terminated, truncated, info = env.step(MEM2REG)
    after = env.observation["IrInstructionCount"]
    assert after < before
    assert observation[51] == after
    assert reward == (before - after) / (before - env.observation["IrInstructionCountOz"])
    assert (terminated, truncated) == (False, False)
    assert info == {"action_had_no_effect": False, "new_action_space": False}
    _, reward, _, _, info = env.step(MEM2REG)
    assert (info["action_had_no_effect"], reward) == (True, 0)


@pytest.mark.parametrize(
    "name", [name if name.startswith(COUNT) else pytest.param(name, marks=pytest.mark.soak) for name in EXACT]
)
def test_every_reward_is_as_defined_on_a_real_episode(name: str, digits: Benchmark) -> None:
    spec = environment_spec("llvm-v0").rewards[name]
    with make(digits, reward_space=name) as env:
        env.reset()
        initial = cost = env.unwrapped.observation[spec.cost]
        assert initial == env.unwrapped.observation[f"{spec.cost}O0"]
        baseline = env.unwrapped.observation[f"{spec.cost}{spec.level or 'O0'}"]
        divisors = {"difference": 1, "normalised": initial, "baseline": max(initial - baseline, 1)}
        total = 0.0
        if spec.scale is Scale.LOG_RATIO:
            cost = baseline
        for action in WALK:
            reward = env.step(action)[1]
            before, cost = cost, env.unwrapped.observation[spec.cost]
            if spec.scale is Scale.LOG_RATIO:
                assert reward == pytest.approx(math.log(before / cost))
            else:
                assert reward == (before - cost) / divisors[spec.scale.value]
            total += float(reward)
        assert env.unwrapped.episode_reward == pytest.approx(total, abs=1e-9)


def test_reward_views_give_what_was_earned_since_they_were_read(env: LlvmEnv) -> None:
    first = env.step(MEM2REG)[1]
    assert env.reward["IrInstructionCountOz"] == first
    assert env.reward["IrInstructionCountOz"] == 0
    counted = env.observation["IrInstructionCountO0"] - env.observation["IrInstructionCount"]
    second = sum(float(env.step(action)[1]) for action in (SIMPLIFYCFG, INSTCOMBINE))
    assert env.reward["IrInstructionCountOz"] == pytest.approx(second)
    assert env.reward["IrInstructionCount"] > counted
    env.reset()
    assert env.reward["IrInstructionCount"] == 0


def test_observation_views_give_plain_values(env: LlvmEnv) -> None:
    view = env.observation
    assert isinstance(view["IrInstructionCount"], int)
    assert view["Ir"].startswith("; ModuleID") or "define" in view["Ir"]
    assert len(view["IrSha1"]) == 40
    assert view["Bitcode"][:2] == b"BC"
    assert view["ObjectTextSizeBytes"] > view["ObjectTextSizeBytesOz"] > 0
    assert set(view) == set(view.spaces)
    assert "Autophase" in view
    with pytest.raises(UnknownName, match="'Autophase'"):
        view["Autophas"]
    with pytest.raises(UnknownName, match="IrInstructionCountOz"):
        env.reward["IrInstructionCountOs"]


def test_options_stay_in_force_until_changed(env: LlvmEnv) -> None:
    observation, _ = env.reset(options={"observation_space": "IrInstructionCount", "reward_space": None})
    assert observation.shape == ()
    assert env.step(MEM2REG)[1] == 0.0
    assert env.episode_reward is None
    assert env.reset()[0].shape == ()
    observation, _ = env.reset(options={"observation_space": None, "reward_space": "IrInstructionCount"})
    assert observation is None
    assert env.step(MEM2REG)[1] > 0
    env.reset(options={"action_space": "llvm-passes-v0"})


def test_bitcode_written_by_one_episode_starts_another(env: LlvmEnv, tmp_path: Path) -> None:
    env.multistep(WALK)
    count = env.observation["IrInstructionCount"]
    for path in (env.write_bitcode(tmp_path / "x.bc"), env.write_ir(tmp_path / "x.ll")):
        env.reset(options={"benchmark": f"file://{path}"})
        assert env.observation["IrInstructionCount"] == count
        assert env.benchmark.uri == f"file://{path}"


def test_a_file_that_the_disk_has_no_room_for_is_named(env: LlvmEnv) -> None:
    for write in (env.write_ir, env.write_bitcode):
        with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
            write("/dev/full")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("mem2reg", rf"Give its number, {MEM2REG}: env\.action_space\.names\.index\('mem2reg'\)"),
        ("mem2rg", "Did you mean 'mem2reg'"),
        ("zzz", "Give an integer from 0 to 103"),
    ],
)
def test_a_name_instead_of_an_action_is_told_its_number(given: str, told: str, env: LlvmEnv) -> None:
    for call in (env.step, lambda name: env.peek([name])):
        with pytest.raises(InvalidAction, match=told):
            call(given)


def test_sessions_are_as_nice_as_their_client_beside_other_sessions() -> None:
    if not Path("/proc/self/autogroup").exists():
        pytest.skip("The kernel has no autogroups.")
    program = f"""
import gymnasium, optarena
from tests.kit.processes import session_pid
with gymnasium.make("optarena/llvm-ic-v0", benchmark="file://{DATA / "digits.ll"}") as env:
    env.reset()
    with env.unwrapped.fork() as fork:
        for one in (env, fork):
            print(open(f"/proc/{{session_pid(one)}}/autogroup").read().split()[-1])
"""
    nice = ["nice", "-n", "7", sys.executable, "-c", program]
    done = subprocess.run(nice, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["7", "7"]


@pytest.mark.parametrize("action", [-1, len(CURATED), 1.0, "mem2reg", None, True, [0]])
def test_an_invalid_action_raises_and_changes_nothing(action: object, env: LlvmEnv) -> None:
    env.step(MEM2REG)
    before = (env.state.commandline, env.observation["IrSha1"], env.episode_reward)
    with pytest.raises(InvalidAction):
        env.step(action)
    with pytest.raises(ValueError, match="position 1"):
        env.multistep([INSTCOMBINE, action])
    assert (env.state.commandline, env.observation["IrSha1"], env.episode_reward) == before
    env.step(INSTCOMBINE)


def test_multistep_ends_where_single_steps_do(env: LlvmEnv, digits: Benchmark) -> None:
    with make(digits) as other:
        other.reset()
        rewards = [float(other.step(action)[1]) for action in WALK]
        observation, reward, *_ = env.multistep(WALK)
        assert np.array_equal(observation, other.unwrapped.observation["Autophase"])
        assert env.observation["IrSha1"] == other.unwrapped.observation["IrSha1"]
        assert reward == pytest.approx(sum(rewards))
        assert env.actions == other.unwrapped.actions == WALK


def test_a_fork_is_exactly_the_same_and_independent(env: LlvmEnv) -> None:
    env.reset(seed=7)
    env.multistep(WALK[:3])
    env.reward["IrInstructionCount"]
    with env.fork() as fork:
        assert session_pid(fork) != session_pid(env)
        assert (fork.actions, fork.episode_reward) == (env.actions, env.episode_reward)
        assert fork.observation["IrSha1"] == env.observation["IrSha1"]
        assert fork.np_random.integers(1000) == env.np_random.integers(1000)
        before = env.observation["IrSha1"]
        results = [fork.step(action)[1] for action in WALK[3:]]
        assert env.observation["IrSha1"] == before
        assert env.actions == WALK[:3]
        assert [env.step(action)[1] for action in WALK[3:]] == results
        assert fork.observation["IrSha1"] == env.observation["IrSha1"]
        assert fork.reward["IrInstructionCount"] == env.reward["IrInstructionCount"] > 0
    env.step(MEM2REG)


def test_a_fork_of_a_fork_outlives_both(digits: Benchmark) -> None:
    env = make(digits)
    env.reset()
    env.step(MEM2REG)
    child = env.fork()
    grandchild = child.fork()
    env.close()
    child.close()
    assert grandchild.step(INSTCOMBINE)[2] is False
    grandchild.close()


def _instructions(digits: Benchmark) -> int:
    with make(digits) as env, TimeLimit(env, 1) as limited:
        limited.reset()
        return int(limited.observation[COUNT])


def test_a_block_that_closes_environments_lets_errors_through_for_type_checkers_too(
    digits: Benchmark,
) -> None:
    assert _instructions(digits) > 0  # mypy would miss a return after a block that may swallow errors


def test_an_environment_shows_its_name(shared: LlvmEnv) -> None:
    assert repr(shared) == "<LlvmEnv<optarena/llvm-ic-v0>>"
    assert "kernels-v0" in repr(datasets())


def test_render_gives_a_module_with_the_state_above_it(digits: Benchmark) -> None:
    with make(digits, render_mode="ansi") as env:
        assert "reset()" in str(env.render())
        env.reset()
        env.step(MEM2REG)
        text = str(env.render())
        assert f"; benchmark: {digits.uri}" in text
        assert "-passes='function(mem2reg)'" in text
        assert "define" in text


def test_resetting_keeps_the_seed_of_the_action_space(env: LlvmEnv) -> None:
    space = env.action_space
    space.seed(11)
    expected = [space.sample() for _ in range(5)]
    space.seed(11)
    sampled = [env.action_space.sample()]
    env.reset(options={"observation_space": "Ir"})
    assert sampled + [env.action_space.sample() for _ in range(4)] == expected


def tower_of_calls(height: int) -> str:
    """A program that grows to 190 * 4 ** ``height`` instructions when every call is inlined."""
    adds = "\n".join(f"  %x{n + 1} = add i32 %x{n}, %x0" for n in range(190))
    functions = [f"define i32 @f0(i32 %x0) alwaysinline {{\n{adds}\n  ret i32 %x190\n}}"]
    for level in range(1, height + 1):
        calls = "\n".join(f"  %x{n + 1} = call i32 @f{level - 1}(i32 %x{n})" for n in range(4))
        functions.append(f"define i32 @f{level}(i32 %x0) alwaysinline {{\n{calls}\n  ret i32 %x4\n}}")
    main = f"define i32 @main() {{\n  %x = call i32 @f{height}(i32 0)\n  ret i32 %x\n}}"
    return TRIPLE + "\n".join([*functions, main])


def check_failed_step(env: LlvmEnv, result: Any, error_type: str) -> dict[str, Any]:  # of step
    observation, reward, terminated, truncated, info = result
    assert (terminated, truncated) == (True, False), info
    assert observation in env.observation_space
    assert not observation.any()
    assert info["error_type"] == error_type
    assert info["error_details"]
    assert env.error is not None
    assert reward <= 0
    assert env.episode_reward is not None
    assert env.episode_reward <= 0
    for call in (lambda: env.step(0), env.fork, lambda: env.observation["Ir"]):
        with pytest.raises(ResetNeeded):
            call()
    observation, _ = env.reset()
    assert observation.any()
    assert env.error is None
    assert env.actions == []
    return cast("dict[str, Any]", info)


def test_a_killed_session_ends_the_episode_and_reset_starts_afresh(env: LlvmEnv) -> None:
    env.step(MEM2REG)
    os.kill(session_pid(env), signal.SIGKILL)
    result = env.step(INSTCOMBINE)
    assert env.actions == [MEM2REG, INSTCOMBINE]  # with the one that failed
    assert env.state.reward == 0
    details = check_failed_step(env, result, "crash")["error_details"]
    assert "before action 1 (instcombine)" in details
    assert "SIGKILL" in details


def test_a_session_killed_while_observing_raises_and_ends_the_episode(env: LlvmEnv) -> None:
    os.kill(session_pid(env), signal.SIGKILL)
    with pytest.raises(SessionCrashed, match="SIGKILL"):
        env.observation["Ir"]
    with pytest.raises(ResetNeeded, match="SIGKILL"):
        env.step(0)
    env.reset()


ALL = "llvm-ic-v0", "always-inline"
TOO_MUCH: dict[str, tuple[Any, ...]] = {
    "out-of-memory": (
        *(partial(tower_of_calls, 6), *ALL),
        {"memory_bytes": 200_000_000},
        "The session reached its memory limit of 200000000 bytes",
    ),
    "ir-growth": (partial(tower_of_calls, 6), *ALL, {}, "The program has 1"),
}


@pytest.mark.soak
@pytest.mark.parametrize("error_type", TOO_MUCH)
def test_too_much_of_anything_ends_the_episode(error_type: str, tmp_path: Path) -> None:
    program, slug, action, given, details = TOO_MUCH[error_type]
    path = tmp_path / "program.ll"
    path.write_text(program())
    limits = ProcessLimits(**given)
    with make(f"file://{path}", f"optarena/{slug}", reward_space=COUNT, limits=limits) as env:
        env.reset()
        info = check_failed_step(env, env.step(env.action_table.names.index(action)), error_type)
        assert info["error_details"].startswith(f"In action 0 ({action}): {details}")
        assert error_type != "ir-growth" or "it may grow to 1000000" in info["error_details"]


def test_an_environment_in_a_forked_process_says_so_and_leaves_the_owner_alone(env: LlvmEnv) -> None:
    said = in_forked_process(lambda: env.step(INSTCOMBINE))
    assert said.startswith("ServiceClosed: ")
    assert "fork" in said
    assert in_forked_process(lambda: env.close() or "closed") == "closed"
    assert env.step(INSTCOMBINE)[2] is False


def test_a_forked_process_warns_of_nothing_that_its_parent_holds() -> None:
    code = (
        "import os, gymnasium, optarena\n"
        "gymnasium.make('optarena/llvm-v0').close()\n"
        "if child := os.fork(): os.waitpid(child, 0)\n"
    )
    # Python 3.12 warns of each fork of a process with threads, such as numpy's.
    ignored = ["-W", "ignore::DeprecationWarning"]
    command = [sys.executable, *ignored, "-W", "always::ResourceWarning", "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == ""


KERNELS = list(datasets()["kernels-v0"])


def test_the_default_benchmark_is_the_first_of_the_default_dataset() -> None:
    with gymnasium.make("optarena/llvm-v0") as env:
        _, info = env.reset()
        assert info["benchmark"] == KERNELS[0].uri


@pytest.mark.parametrize("benchmark", [KERNELS[0], *slow(KERNELS[1:3])], ids=lambda one: one.name)
def test_the_recorded_baselines_are_what_the_environment_computes(benchmark: Benchmark) -> None:
    with make(benchmark.uri) as env:
        env.reset()
        for metric in env.environment.metrics:
            for level, value in benchmark.baselines[metric.name].items():
                if level == "ClangOz":  # another tool's
                    continue
                assert env.observation[f"{metric.observation}{level}"] == value
            assert env.observation[metric.observation] == benchmark.baseline(metric.name, "O0")


@settings(max_examples=examples(1))
@given(seed=st.integers(0, 2**32 - 1))
def test_observing_rewarding_and_forking_change_no_result(seed: int) -> None:
    """A state is defined as a fresh process that runs the actions in order, and nothing else."""
    rng = np.random.default_rng(seed)
    benchmark = KERNELS[int(rng.integers(len(KERNELS)))]
    first, second = rng.integers(len(CURATED), size=(2, 4)).tolist()
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

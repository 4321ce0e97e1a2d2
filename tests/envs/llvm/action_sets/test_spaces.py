"""The action spaces of the LLVM environment beside the named one, through the environment itself."""

from __future__ import annotations

import json
import shlex
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest

from optarena.env import CompilerEnv
from optarena.errors import InvalidAction
from optarena.llvm.actions import CURATED
from optarena.llvm.module import Module
from optarena.llvm.tables import FUNCTIONS, PARAMETERS
from optarena.service.converters.spaces import Commandline
from optarena.specs import environment_spec
from optarena.validation import validate_state

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from optarena.datasets import Benchmark

from crashing import CRASH, TABLE  # found by the line above, here and in sessions

COMMANDLINE = "llvm-commandline-v0"
STRUCTURED = {table.name: table for table in (PARAMETERS, FUNCTIONS)}
SPACES = [COMMANDLINE, *STRUCTURED]


@pytest.fixture(scope="module")
def env() -> Iterator[CompilerEnv]:
    with CompilerEnv("llvm-ic-v0", benchmark="kernels-v0/sudoku") as made:
        yield made


def started(env: CompilerEnv, space: str) -> CompilerEnv:
    env.reset(options={"action_space": space})
    return env


def first_words(space: str) -> list[Any]:
    if space == COMMANDLINE:
        return [CURATED.index(name) for name in ("sroa", "inline", "instcombine")]
    if space == PARAMETERS.name:
        return list(PARAMETERS.parse("llvm-parameters sroa inline<threshold=100> simplifycfg<no-keep-loops>"))
    return list(FUNCTIONS.parse("llvm-functions sroa@0 mem2reg@1 early-cse<memssa>@0"))


@pytest.mark.parametrize("space", SPACES)
def test_states_go_there_and_back(env: CompilerEnv, space: str) -> None:
    actions = first_words(space)
    started(env, space).multistep(actions)
    state, digest = env.state, env.observation["IrSha1"]
    assert list(env.actions) == actions
    assert env.environment.parse(env.commandline())[1] == tuple(actions)
    with env.fork() as fork:
        assert fork.observation["IrSha1"] == digest
        fork.step(actions[0])
        assert fork.commandline() != env.commandline()
    env.reset()
    assert env.observation["IrSha1"] != digest
    env.apply(state)
    assert (env.observation["IrSha1"], env.commandline()) == (digest, state.commandline)
    assert validate_state(state, environment="llvm-ic-v0").ok


@pytest.mark.parametrize("space", SPACES)
def test_every_sample_is_an_action(env: CompilerEnv, space: str) -> None:
    started(env, space).action_space.seed(7)
    for _ in range(15):
        _, _, terminated, _, info = env.step(env.action_space.sample())
        assert not terminated, info
    assert env.environment.parse(env.commandline())[1] == tuple(env.actions)


def test_the_command_line_space_names_pipelines(env: CompilerEnv) -> None:
    space = started(env, COMMANDLINE).action_space
    assert isinstance(space, Commandline)
    assert space.names == tuple(action.pipeline for action in CURATED.actions)
    actions = [3, 1, 4, 1, 5]
    assert space.from_string(space.to_string(actions)) == actions
    env.multistep(actions)
    commandline, digest = env.commandline(), env.observation["IrSha1"]
    env.reset(options={"action_space": CURATED.name})
    env.multistep(actions)
    assert (env.commandline(), env.observation["IrSha1"]) == (commandline, digest)


@pytest.mark.opt
def test_the_command_line_of_the_environment_is_one_of_opt(
    env: CompilerEnv, opt: str, tmp_path: Path
) -> None:
    started(env, COMMANDLINE).multistep(first_words(COMMANDLINE))
    assert isinstance(env.benchmark.program(), bytes)
    (tmp_path / "input.bc").write_bytes(env.benchmark.program())
    subprocess.run([opt, *shlex.split(env.commandline())[1:]], cwd=tmp_path, check=True)
    with Module.parse((tmp_path / "output.bc").read_bytes()) as module:
        assert module.digest() == env.observation["IrSha1"]
        assert module.instruction_count() == env.observation["IrInstructionCount"]


@pytest.mark.parametrize("space", STRUCTURED)
def test_structured_spaces_are_choices(env: CompilerEnv, space: str) -> None:
    sizes = STRUCTURED[space].sizes
    assert started(env, space).action_space == gymnasium.spaces.MultiDiscrete(list(sizes))
    env.step(np.zeros(len(sizes), dtype=np.int32))
    env.step([size - 1 for size in sizes])
    assert env.actions[0] == (0,) * len(sizes)
    assert env.actions[1] == STRUCTURED[space].check([size - 1 for size in sizes])


@pytest.mark.parametrize("space", STRUCTURED)
def test_bad_actions_are_refused_and_change_nothing(env: CompilerEnv, space: str) -> None:
    sizes = STRUCTURED[space].sizes
    zeros = [0] * len(sizes)
    good = first_words(space)[0]
    started(env, space).step(good)
    before = env.observation["IrSha1"]
    for form in (None, 3, 1.5, "sroa", [], [0], [*zeros, 0], np.zeros((3, 3), dtype=int)):
        with pytest.raises(InvalidAction, match=f"Give {len(sizes)} integers"):
            env.step(form)
    for component, size in enumerate(sizes):
        for value in (-1, size, 10**30, 0.0, None, "0"):
            bad: list[Any] = [*zeros[:component], value, *zeros[component + 1 :]]
            with pytest.raises(InvalidAction, match=rf"{value!r}, component {component} at pos") as caught:
                env.multistep([good, bad])
            assert caught.value.remedy == f"Give an integer from 0 to {size - 1}."
    assert (list(env.actions), env.observation["IrSha1"]) == ([good], before)
    assert not env.step(good)[2]


def test_functions_are_observed_by_number(env: CompilerEnv) -> None:
    started(env, FUNCTIONS.name)
    names = json.loads(env.observation["Functions"])
    with Module.parse(env.benchmark.program()) as module:
        assert names == module.function_names()
    assert "main" in names
    assert env.step((0, len(names)))[4]["action_had_no_effect"]


def test_a_crash_ends_the_episode_and_names_the_action(digits: Benchmark) -> None:
    spec = replace(
        environment_spec("llvm-ic-v0"),
        service="crashing:CrashingSession",
        action_table=TABLE,
        further_tables=(),
    )
    with CompilerEnv(spec, benchmark=digits) as env:
        env.reset()
        env.step((1, 0))
        _, _, terminated, _, info = env.step((0, 1))
        assert terminated
        assert info["error_type"] == "crash"
        assert f"action 1 ({CRASH}@1)" in info["error_details"]
        env.reset()
        assert not env.step((1, 0))[2]

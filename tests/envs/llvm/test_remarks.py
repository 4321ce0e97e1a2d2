"""What LLVM's passes tell: the observation ``Remarks``, beside LLVM's own ``opt``."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest

from optarena.env import CompilerEnv
from optarena.llvm.module import Module

if TYPE_CHECKING:
    from pathlib import Path

KEYS = ["kind", "pass", "name", "function", "message", "action"]


def of_pass(env: CompilerEnv, name: str) -> list[dict[str, Any]]:
    return [one for one in read(env) if name == one["pass"]]


def read(env: CompilerEnv) -> list[dict[str, Any]]:
    return [json.loads(line) for line in env.observation["Remarks"].splitlines()]


@pytest.fixture(scope="module")
def shared() -> Iterator[CompilerEnv]:
    with gymnasium.make("optarena/llvm-ic-v0", benchmark="benchmark://kernels-v0/json").unwrapped as env:
        assert isinstance(env, CompilerEnv)
        yield env


@pytest.fixture
def env(shared: CompilerEnv) -> CompilerEnv:
    shared.reset(options={"action_space": "llvm-passes-v0"})
    return shared


def step(env: CompilerEnv, *names: str) -> None:
    for name in names:
        env.step(env.action_table.names.index(name))


def test_each_remark_names_kind_pass_function_and_action(env: CompilerEnv) -> None:
    assert env.observation["Remarks"] == ""
    step(env, "mem2reg", "inline", "gvn")
    found = read(env)
    assert all(list(one) == KEYS for one in found)
    assert {(one["pass"], one["action"]) for one in found} >= {("inline", 1), ("gvn", 2)}
    assert {one["kind"] for one in found} == {"passed", "missed"}
    with Module.parse(env.benchmark.program()) as module:
        assert {one["function"] for one in found} <= set(module.function_names())
    assert found[0]["message"] == "'fail' inlined into 'new_node' with (cost=-15, threshold=5)"


def test_they_are_the_same_again_and_change_nothing(env: CompilerEnv) -> None:
    step(env, "sroa", "inline", "licm")
    digest, told = env.observation["IrSha1"], env.observation["Remarks"]
    assert env.observation["Remarks"] == told
    assert env.observation["IrSha1"] == digest
    with env.fork() as twin:
        assert twin.observation["Remarks"] == told


@pytest.mark.parametrize("together", [False, True], ids=["steps", "multistep"])
def test_actions_are_counted_however_they_were_taken(env: CompilerEnv, *, together: bool) -> None:
    actions = [env.action_table.names.index(name) for name in ("sroa", "gvn")] * 150
    if together:
        env.multistep(actions)
    else:
        for action in actions:
            env.step(action)
    step(env, "inline")
    assert {one["action"] for one in of_pass(env, "inline")} == {300}


def test_other_action_spaces_tell_too(env: CompilerEnv) -> None:
    env.reset(options={"action_space": "llvm-functions-v0"})
    env.step((env.action_table.names.index("mem2reg"), 0))
    for function in range(10):
        env.step((env.action_table.names.index("gvn"), function))
    assert {one["pass"] for one in read(env)} == {"gvn"}


def test_a_level_tells_what_opt_writes(env: CompilerEnv, opt: str, tmp_path: Path) -> None:
    env.parameter("llvm.apply_baseline_optimizations", "-O3")
    program, written = tmp_path / "program.bc", tmp_path / "remarks.yaml"
    program.write_bytes(env.benchmark.program())
    command = [opt, "-passes=default<O3>", "-disable-output", f"-pass-remarks-output={written}", str(program)]
    command += [f"-pass-remarks{kind}=.*" for kind in ("", "-missed", "-analysis")]
    subprocess.run(command, check=True, capture_output=True)
    wanted = re.compile(r"^--- !(\w+)\nPass: +(\S+)\nName: +(\S+)\nFunction: +(\S+)$", re.MULTILINE)
    expected = Counter(wanted.findall(written.read_text()))
    assert expected.total() > 500
    assert expected == Counter(
        (one["kind"].capitalize(), one["pass"], one["name"], one["function"]) for one in read(env)
    )


def test_the_inliner_tells_of_each_decision_taken() -> None:
    with gymnasium.make("optarena/llvm-inliner-v0", benchmark="benchmark://kernels-v0/json") as made:
        env = made.unwrapped
        assert isinstance(env, CompilerEnv)
        env.reset()
        env.multistep([env.action_table.names.index("inline")] * 5)
        for _ in range(3):
            assert [one["name"] for one in of_pass(env, "inline-ml")] == ["InliningSuccess"] * 5
        assert env.step(env.action_table.names.index("default-1000"))[2]
        assert len(of_pass(env, "inline-ml")) > 5

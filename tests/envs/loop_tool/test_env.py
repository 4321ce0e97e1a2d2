"""The environment of schedules, and measuring in blocks."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from ctypes.util import find_library
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest

from optarena.datasets import Benchmark, datasets
from optarena.errors import (
    DeviceBusy,
    DeviceUnavailable,
    InfrastructureFault,
    InvalidAction,
    InvalidInput,
    ServiceError,
    SessionCrashed,
    SessionTimeout,
)
from optarena.loop_tool import blocks
from optarena.loop_tool.backend import IncorrectOutput
from optarena.loop_tool.blocks import measure_blocks
from optarena.loop_tool.nest import ACTIONS, Loop, Nest, Tuning
from optarena.replay import first_difference, replay
from optarena.service.processes.folders import importing_environment
from optarena.specs import environment_spec
from optarena.specs.results import MeasurementPlan
from tests.kit.examples import slow
from tests.kit.folders import PLUGINS
from tests.kit.processes import session_pid

if TYPE_CHECKING:
    from optarena.loop_tool.env import LoopToolEnv

MODE, UP, DOWN, THREAD = range(len(ACTIONS))
CPU = "benchmark://loop_tool-cpu-v0/1024"
CUDA = "benchmark://loop_tool-cuda-v0/1024"
LEAF_OF_EIGHT = [THREAD, MODE, UP, MODE, *[UP] * 7]


def made(benchmark: str = CPU, **arguments: Any) -> LoopToolEnv:
    return cast(
        "LoopToolEnv", gymnasium.make("optarena/loop_tool-v0", benchmark=benchmark, **arguments).unwrapped
    )


@pytest.fixture(scope="module")
def shared() -> Iterator[LoopToolEnv]:
    with made() as env:
        yield env


@pytest.fixture
def env(shared: LoopToolEnv) -> LoopToolEnv:
    shared.reset(options={"benchmark": CPU, "observation_space": "action_state", "reward_space": None})
    return shared


def test_the_defaults_are_the_cursor_and_the_gain_in_flops() -> None:
    with gymnasium.make("optarena/loop_tool-v0") as env:
        observation, info = env.reset(seed=1)
        assert info["benchmark"] == CPU
        assert observation.dtype == np.float32
        assert observation.tolist() == [0, 1024, 0]
        assert observation in env.observation_space
        _, reward, terminated, truncated, _ = env.step(THREAD)
        assert math.isfinite(reward)
        assert not terminated
        assert not truncated


def test_a_random_walk_shows_what_the_state_machine_says(env: LoopToolEnv) -> None:
    rng, tuning = np.random.default_rng(5), Tuning.initial(1024)
    digests: dict[Tuning, Any] = {}
    for action in rng.integers(len(ACTIONS), size=120).tolist():
        before, tuning = tuning, tuning.after(action)
        (state, tree, digest), _, _, _, info = env.step(
            action, observation_spaces=["action_state", "loop_tree", "digest"]
        )
        assert tuple(state) == tuning.action_state
        assert tree == str(tuning.nest)
        assert info["action_had_no_effect"] == (tuning == before)
        digests.setdefault(tuning, digest)
        assert digests[tuning] == digest
    assert len(set(digests.values())) == len(digests)


def test_flops_are_measured_and_their_spread_is_told(env: LoopToolEnv) -> None:
    env.multistep(LEAF_OF_EIGHT)
    assert json.loads(env.parameter("loop_tool.reading")) is None
    flops = env.observation["flops"]
    reading = json.loads(env.parameter("loop_tool.reading"))
    assert reading["gflops"] == flops == 1024 / reading["median_seconds"] / 1e9
    assert 0 < reading["fastest_seconds"] <= reading["median_seconds"] <= reading["slowest_seconds"]
    assert reading["samples"] >= 1
    assert reading["threads"] == 1


def test_the_reward_is_the_gain_since_the_last_reading(env: LoopToolEnv) -> None:
    env.reset(options={"reward_space": "flops"})
    (before,), first, *_ = env.step(THREAD, observation_spaces=["flops"])
    (after,), second, *_ = env.multistep(LEAF_OF_EIGHT[1:], observation_spaces=["flops"])
    assert second == pytest.approx(after - before)
    assert env.episode_reward == pytest.approx(first + second)


def test_an_action_that_leaves_the_nest_as_it_is_wins_nothing(env: LoopToolEnv) -> None:
    env.reset(options={"reward_space": "flops"})
    env.step(THREAD)
    for action in (DOWN, MODE, UP, MODE):  # of the outermost loop; then to the next one
        assert str(env.step(action)[1]) == "0.0"  # not -0.0
    assert len({env.observation["flops"] for _ in range(3)}) > 1  # each of them is a reading
    assert env.multistep([THREAD, THREAD])[1] == 0.0
    assert env.step(THREAD)[1] != 0.0


def test_a_fork_and_a_pickle_go_on_from_the_same_state(env: LoopToolEnv) -> None:
    env.multistep(LEAF_OF_EIGHT)
    with env.fork() as fork, pickle.loads(pickle.dumps(env)) as loaded:  # noqa: S301 # its own
        for one in (fork, loaded):
            assert one.observation["digest"] == env.observation["digest"]
        env.step(THREAD)
        assert fork.observation["digest"] == loaded.observation["digest"] != env.observation["digest"]
        assert fork.observation["flops"] > 0


@pytest.mark.soak
def test_in_copies_too_an_action_that_leaves_the_nest_as_it_is_wins_nothing(env: LoopToolEnv) -> None:
    env.reset(options={"reward_space": "flops"})
    env.multistep(LEAF_OF_EIGHT)
    moves = (MODE, UP, MODE)  # to another loop
    assert [one[1] for one in env.peek([MODE, MODE])] == [0.0, 0.0]
    with env.fork() as fork, fork.fork() as second, pickle.loads(pickle.dumps(fork)) as loaded:  # noqa: S301 # its own
        for one in (fork, second, loaded):
            assert [one.step(action)[1] for action in moves] == [0.0, 0.0, 0.0]
            assert one.step(THREAD)[1] != 0.0
            assert one.observation["flops"] != one.observation["flops"]  # each of them is a reading
    assert [env.step(action)[1] for action in moves] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("readings", ["nothing", "[]", "{}", '{"loops": [[1]], "gflops": 1, "acted": true}'])
def test_readings_of_something_else_are_refused(env: LoopToolEnv, readings: str) -> None:
    with pytest.raises(InvalidInput, match="readings of a loop_tool session"):
        env.parameter("service.readings", readings)
    assert env.step(THREAD)[2] is False


def test_a_failure_is_rendered() -> None:
    with made(render_mode="ansi") as env:
        env.reset()
        os.kill(session_pid(env), signal.SIGKILL)
        assert env.step(THREAD)[2] is True
        assert "the compiler failed" in (env.render() or "")


def test_the_longest_tree_is_in_its_space_which_is_small_enough_to_be_shared(env: LoopToolEnv) -> None:
    space = env.observations["loop_tree"].space
    loops = (Loop(8_388_608, 8_388_608, threaded=True),) * 3
    assert str(Nest(loops)) in space
    assert space.max_length < 1_000
    options: dict[str, Any] = {"benchmark": CPU, "observation_space": "loop_tree"}
    made = partial(gymnasium.make, "optarena/loop_tool-v0", **options)
    with_trees = gymnasium.vector.AsyncVectorEnv([made, made], shared_memory=False)
    try:
        trees, _ = with_trees.reset(options={"reward_space": None})
        assert list(trees) == [str(Nest.initial(1024))] * 2
    finally:
        with_trees.close()


def test_it_renders_the_tree() -> None:
    with made(render_mode="ansi") as env:
        env.reset(options={"reward_space": None})
        assert str(Nest.initial(1024)) in env.render()


@pytest.mark.parametrize("action", [-1, 4, 2.5, "up", None])
def test_an_action_that_is_none_is_refused(env: LoopToolEnv, action: object) -> None:
    digest = env.observation["digest"]
    with pytest.raises(InvalidAction):
        env.step(action)
    assert env.observation["digest"] == digest


def test_a_program_of_another_compiler_is_refused(env: LoopToolEnv) -> None:
    with pytest.raises(InvalidInput, match="loop_tool"):
        env.reset(options={"benchmark": "benchmark://kernels-v0/quicksort"})


def test_the_command_line_is_the_actions_by_name() -> None:
    spec = environment_spec("loop_tool-v0")
    assert spec.commandline(LEAF_OF_EIGHT[:3]) == "loop_tool toggle_thread toggle_mode up"
    assert spec.parse_commandline("loop_tool down up") == (DOWN, UP)


@pytest.mark.skipif(find_library("cuda") is not None, reason="there is a driver")
@pytest.mark.parametrize("options", [{}, {"reward_space": None, "observation_space": "action_state"}])
def test_without_a_gpu_a_reset_says_what_is_missing(env: LoopToolEnv, options: dict[str, object]) -> None:
    with pytest.raises(DeviceUnavailable, match="driver"):
        env.reset(options={"benchmark": CUDA, **options})
    env.step(UP)  # the episode goes on


def test_a_session_waits_where_the_locks_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh process, since a zygote keeps the variables that it was started with."""
    monkeypatch.setenv("OPTARENA_LOCKS", str(tmp_path / "missing"))
    program = (
        "import gymnasium, optarena\n"
        "from optarena.errors import DeviceUnavailable\n"
        "with gymnasium.make('optarena/loop_tool-v0') as env:\n"
        "    env.reset(options={'reward_space': None})\n"
        "    try:\n        env.unwrapped.observation['flops']\n"
        "    except DeviceUnavailable as error:\n        print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert f"{tmp_path}/missing/optarena-cpu" in done.stdout


def test_the_largest_size_is_measured(env: LoopToolEnv) -> None:
    env.reset(options={"benchmark": "benchmark://loop_tool-cpu-v0/8388608"})
    env.multistep([MODE, UP, MODE, *[UP] * 15])
    assert env.observation["flops"] > 0


def test_one_thread_is_measured_in_the_sandbox_which_lets_nobody_start_more() -> None:
    with made(sandbox=True) as env:
        env.reset(options={"reward_space": None})
        has_many = len(os.sched_getaffinity(0)) > 1
        if has_many:
            with pytest.raises(DeviceUnavailable, match="thread"):
                env.step(MODE, observation_spaces=["flops"])
            assert env.actions == [MODE]  # the session has applied it
            env.step(MODE)
        env.multistep(LEAF_OF_EIGHT)
        assert env.observation["flops"] > 0
        if has_many:
            with pytest.raises(DeviceUnavailable, match="thread"):
                env.step(THREAD, observation_spaces=["flops"])  # which the session has given before
            env.step(THREAD)
            assert env.step(UP, observation_spaces=["flops"])[0][0] > 0


def test_a_replay_measures_the_schedule_beside_its_reference(env: LoopToolEnv) -> None:
    benchmark = env.datasets.benchmark(CPU)
    result = replay(
        environment="loop_tool-v0",
        benchmark=benchmark,
        actions=LEAF_OF_EIGHT,
        sandbox=True,
        plan=MeasurementPlan(blocks=3),
    )
    assert result.ok, result.detail
    assert [step.cost for step in result.steps] == [None] * len(LEAF_OF_EIGHT)
    assert len({step.digest for step in result.steps}) == len(LEAF_OF_EIGHT)
    blocks = [block for block in result.measurement["blocks"] if "discarded" not in block]
    assert len(blocks) >= 3
    middle = sorted(blocks, key=lambda block: block["ratio"])[(len(blocks) - 1) // 2]
    assert result.metrics == {
        "gflops": middle["candidate"]["gflops"],
        "reference_gflops": middle["reference"]["gflops"],
        "speedup": pytest.approx(statistics.geometric_mean(block["ratio"] for block in blocks)),
    }
    low, high = result.measurement["interval"]["gflops"]
    assert 0 < low <= result.metrics["gflops"] <= high
    assert result.measurement["emulated"] is False
    assert result.measurement["machine"]
    again = type(result).from_json(result.to_json())
    assert again == result
    other = json.loads(result.to_json())
    other["metrics"]["gflops"] *= 2
    assert first_difference(result, type(result).from_json(other)) is None


ODD, EVEN = "benchmark://loop_tool-cuda-v0/1023", "benchmark://loop_tool-cuda-v0/1024"


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path))
    monkeypatch.setenv("OPTARENA_LOCKS", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(PLUGINS))
    monkeypatch.setenv("OPTARENA_CUDA_DEVICE", f"odd_devices:{request.param}")


@pytest.mark.parametrize("device", ["imitation"], indirect=True)
def test_the_block_of_the_median_gives_the_figures(device: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_SECRET_KEY", "hidden")
    monkeypatch.setenv("OPTARENA_DATABASE_URL", "hidden")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    seen: list[tuple[int, int]] = []
    measured = measure_blocks(ODD, [3], MeasurementPlan(blocks=3, between=lambda *told: seen.append(told)))
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    # The blocks take 3, 1 and 4 s for an addition, and 1 s for a copy.
    details = measured.details
    assert measured.metrics == {
        "gflops": 1023 / 3.0 / 1e9,
        "reference_gflops": 1023 / 1.0 / 1e9,
        "speedup": pytest.approx((1 / 12) ** (1 / 3)),
    }
    assert [block["ratio"] for block in details["blocks"]] == pytest.approx([1 / 3, 1.0, 1 / 4])
    low, high = details["interval"]["gflops"]
    assert low < 1023 / 4.0 / 1e9 < 1023 / 1.0 / 1e9 < high
    pairs = [block["pairs"] for block in details["blocks"]]
    assert pairs == [[pytest.approx(ratio)] * 2 for ratio in (1 / 3, 1.0, 1 / 4)]
    assert [block["machine"] for block in details["blocks"]] == [{"block": number} for number in range(3)]
    assert details["emulated"] is True
    assert details["device"] == "imitation"
    environment = json.loads(details["machine"]["environment"])
    assert environment["CUDA_VISIBLE_DEVICES"] == "3"
    assert "hidden" not in environment.values()


@pytest.mark.parametrize(
    ("device", "error", "message"),
    [
        ("missing", DeviceUnavailable, "the slot is empty"),
        ("crashing", SessionCrashed, "signal 11.*the driver is sad"),
        *slow([("busy", DeviceBusy, "in use"), ("broken", ServiceError, "error 700")]),
    ],
    indirect=["device"],
)
def test_a_failing_device_is_told_by_its_kind(device: None, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        measure_blocks(EVEN, [], MeasurementPlan())
    assert type(caught.value) is error


@pytest.mark.parametrize("device", ["hanging"], indirect=True)
def test_a_block_that_hangs_is_killed(device: None) -> None:
    with pytest.raises(SessionTimeout, match="did not end within 1 s"):
        measure_blocks(EVEN, [], MeasurementPlan(), seconds=1.0)


@pytest.mark.parametrize("device", ["imitation"], indirect=True)
def test_wrong_code_is_our_fault_and_nobody_is_refuted(device: None) -> None:
    with pytest.raises(InfrastructureFault, match="the first is element 3") as caught:
        replay(environment="loop_tool-v0", benchmark=datasets().benchmark(EVEN), actions=[3])
    assert caught.value.reason == "infra:internal"
    assert isinstance(caught.value.__cause__, IncorrectOutput)


@pytest.mark.parametrize("device", ["hanging"], indirect=True)
def test_a_schedule_that_takes_too_long_times_out(device: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shorter = partial(measure_blocks, seconds=1.0)
    monkeypatch.setattr(blocks, "measure_blocks", shorter)
    result = replay(environment="loop_tool-v0", benchmark=datasets().benchmark(EVEN), actions=[3])
    assert (result.ok, result.reason, result.metrics) == (False, "env:timeout", {})


def test_a_benchmark_under_another_name_is_measured_as_what_it_is() -> None:
    benchmark = Benchmark.from_bytes("benchmark://mine-v0/small", b"benchmark://loop_tool-cpu-v0/64")
    result = replay(
        environment="loop_tool-v0",
        benchmark=benchmark,
        actions=[3],
        sandbox=False,
        plan=MeasurementPlan(blocks=1),
    )
    assert result.ok, result.detail
    assert result.metrics["gflops"] > 0


def test_nothing_is_imported_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('not this one')\n")
    monkeypatch.chdir(tmp_path)
    assert measure_blocks("benchmark://loop_tool-cpu-v0/64", [3], MeasurementPlan(blocks=1)).metrics["gflops"]


def test_what_stops_a_measurement_stops_it_between_two_blocks() -> None:
    class Stopped(Exception):
        """As a lost lease does."""

    def stop(done: int, total: int) -> None:
        if done == 1:
            raise Stopped

    with pytest.raises(Stopped):
        measure_blocks("benchmark://loop_tool-cpu-v0/64", [], MeasurementPlan(between=stop))


def test_a_job_that_is_none_is_answered() -> None:
    job = {"benchmark": "benchmark://loop_tool-cpu-v0/8", "actions": [4]}
    done = subprocess.run(
        [sys.executable, "-m", "optarena.loop_tool.blocks"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    assert answer["error"] == "ValueError"
    assert done.stderr == ""


def test_a_block_dies_with_the_one_that_measures(tmp_path: Path) -> None:
    """A runner that is killed leaves no process that goes on timing beside its successor."""
    note = tmp_path / "pid"
    (tmp_path / "noting.py").write_text(
        "import os, pathlib, time\n"
        f"def hanging():\n    pathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n"
        "    time.sleep(600)\n"
    )
    program = (
        "from optarena.loop_tool.blocks import measure_blocks\n"
        "from optarena.specs.results import MeasurementPlan\n"
        f"measure_blocks({ODD!r}, [], MeasurementPlan())\n"
    )
    variables = {"PYTHONPATH": str(tmp_path), "OPTARENA_CUDA_DEVICE": "noting:hanging"}
    with subprocess.Popen([sys.executable, "-c", program], env={**os.environ, **variables}) as parent:
        deadline = time.monotonic() + 120
        while not note.exists() or not note.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        parent.kill()
    while Path(f"/proc/{note.read_text()}/stat").exists():
        state = Path(f"/proc/{note.read_text()}/stat").read_text().rpartition(")")[2].split()[0]
        if state == "Z":  # nobody has reaped it yet
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_relative_path_means_what_it_means_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"here{os.pathsep}{os.pathsep}/there")
    assert importing_environment()["PYTHONPATH"] == f"{tmp_path}/here{os.pathsep}/there"

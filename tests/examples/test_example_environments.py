"""Both example compilers as environments: gymnasium's rules, forks, determinism, replay, datasets, boards."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from optarena.agents import Budget, Evaluator
from optarena.datasets import datasets
from optarena.errors import InvalidAction, InvalidInput
from optarena.replay import replay
from optarena.specs import board_specs, environment_spec
from optarena.validation import validate_state
from stack_compiler.session import REWRITES, parse, rewrite
from tests.kit.folders import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.env import CompilerEnv

PACKAGES = {"stack-v0": "stack_compiler", "scheduling-v0": "job_scheduling"}
BASELINES = {"stack-v0": ("instructions", "O1"), "scheduling-v0": ("makespan", "LPT")}

pytestmark = [
    pytest.mark.usefixtures("registered"),
    pytest.mark.filterwarnings("error"),
]
both = pytest.mark.parametrize("slug", PACKAGES)


def play(env: CompilerEnv, actions: int = 6, seed: int = 0) -> list[Any]:
    """Some steps with actions that are possible, and all that was observed."""
    rng = np.random.default_rng(seed)
    return [env.reset()[0], *(env.step(possible(env, rng)) for _ in range(actions))]


def possible(env: CompilerEnv, rng: np.random.Generator) -> int:
    """An action that the environment allows now."""
    if "ready" in env.service.observations:
        return int(rng.choice(np.flatnonzero(env.observation["ready"])))
    return int(rng.integers(len(env.environment.action_table.names)))


@both
def test_gymnasium_accepts_the_environment(
    make: Callable[..., CompilerEnv], slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env, rng = make(slug), np.random.default_rng(0)
    # gymnasium draws any action, some of them after another that has made it impossible; a reset may lead to
    # an instance of another size, and so to another space.
    monkeypatch.setattr(type(env.action_space), "sample", lambda _: possible(env, rng))
    check_env(env, skip_render_check=True)


@both
def test_an_episode_is_the_same_again(make: Callable[..., CompilerEnv], slug: str) -> None:
    one, other = make(slug), make(slug)
    np.testing.assert_equal(play(one), play(other))
    assert one.commandline() == other.commandline()
    assert one.observation["digest"] == other.observation["digest"]


@both
def test_a_fork_goes_its_own_way(make: Callable[..., CompilerEnv], slug: str) -> None:
    env = make(slug)
    play(env, actions=2)
    before = env.observation["digest"]
    with env.fork() as copy:
        assert copy.observation["digest"] == before
        rng = np.random.default_rng(3)
        for _ in range(4):
            copy.step(possible(copy, rng))
        assert copy.observation["digest"] != before
    assert env.observation["digest"] == before
    assert len(env.actions) == 2


@both
def test_an_episode_is_replayed_with_its_workloads(make: Callable[..., CompilerEnv], slug: str) -> None:
    env = make(slug)
    for benchmark in list(datasets()[slug])[2:4]:
        env.reset(options={"benchmark": benchmark})
        play(env)
        result = replay(environment=slug, benchmark=benchmark, actions=env.actions)
        assert result.ok, result.detail
        assert [workload.name for workload in result.workloads] == [one.name for one in benchmark.workloads]
        metric, _ = BASELINES[slug]
        assert result.metrics == {metric: env.observation[metric]}
        assert result.steps[-1].digest == env.observation["digest"]
        assert validate_state(env.state, environment=slug).ok


@both
def test_a_changed_output_fails_the_replay(slug: str) -> None:
    benchmark = next(iter(datasets()[slug]))
    wrong = replace(benchmark.workloads[0], expected_stdout=b"something else\n")
    result = replay(environment=slug, benchmark=replace(benchmark, workloads=(wrong,)), actions=[0])
    assert result.reason == "semantics:output-differs"


@both
def test_the_dataset_is_what_its_script_builds(slug: str, tmp_path: Path) -> None:
    importlib.import_module(f"{PACKAGES[slug]}.build_dataset").build(tmp_path / slug)
    stored = EXAMPLES / PACKAGES[slug] / "datasets" / slug
    assert {path.name: path.read_bytes() for path in (tmp_path / slug).iterdir()} == {
        path.name: path.read_bytes() for path in stored.iterdir()
    }


@both
def test_baselines_are_recorded_and_beat_the_program_as_given(
    make: Callable[..., CompilerEnv], slug: str
) -> None:
    metric, level = BASELINES[slug]
    env = make(slug)
    assert len(datasets()[slug]) >= 8
    for benchmark in datasets()[slug]:
        unoptimised, baseline = benchmark.baseline(metric, "O0"), benchmark.baseline(metric, level)
        assert unoptimised is not None
        assert baseline is not None
        assert unoptimised > baseline
        env.reset(options={"benchmark": benchmark})
        assert env.observation[metric] == unoptimised


@both
def test_the_board_compares_what_the_environment_measures(slug: str) -> None:
    [board] = [board for board in board_specs() if board.environment == slug]
    assert (board.metric, board.baseline_level) == BASELINES[slug]
    assert board.dataset == environment_spec(slug).dataset
    assert board.slug == slug.removesuffix("-v0")


@both
def test_a_sessions_process_loads_nothing_heavy(slug: str) -> None:
    code = (
        "import json, sys; sys.path[:0] = json.loads(sys.argv[1])\n"
        "import zygote_boot; zygote_boot.install_bare_package(sys.argv[2])\n"
        f"import {PACKAGES[slug]}.session\n"
        "print([name for name in ('gymnasium', 'numpy', 'grpc') if name in sys.modules])"
    )
    package = Path(sys.modules["optarena"].__path__[0])
    paths = json.dumps([str(EXAMPLES), str(package / "service/session_process")])
    done = subprocess.run(
        [sys.executable, "-c", code, paths, str(package)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "[]\n", done.stderr


def test_a_malformed_program_is_refused_with_its_line(
    make: Callable[..., CompilerEnv], tmp_path: Path
) -> None:
    file = tmp_path / "wrong.stack"
    file.write_text("push 1\nadd\n")
    with pytest.raises(InvalidInput, match="line 2: add takes 2 values"):
        make("stack-v0").reset(options={"benchmark": f"file://{file}", "reward_space": None})


def test_a_file_needs_no_dataset_but_a_reward_without_level(
    make: Callable[..., CompilerEnv], tmp_path: Path
) -> None:
    file = tmp_path / "own.stack"
    file.write_text("push 1\npush 2\nadd\nprint\n")
    env = make("stack-v0")
    with pytest.raises(InvalidInput, match="no O1 baseline of instructions"):
        env.reset(options={"benchmark": f"file://{file}"})
    env.reset(options={"benchmark": f"file://{file}", "reward_space": "instructions"})
    assert env.step(0)[1] == 2


def test_no_fixed_order_is_the_best_for_all_programs() -> None:
    """For two programs, no state that one sequence reaches is the best for both."""
    start = tuple(
        parse(datasets()["stack-v0"].benchmark(name).program().decode()) for name in ("shifts", "offsets")
    )
    reached, waiting = {start}, [start]
    while waiting:
        codes = waiting.pop()
        for name in REWRITES:
            following = tuple(rewrite(code, name) for code in codes)
            if following not in reached:
                reached.add(following)
                waiting.append(following)
    sizes = {tuple(code.count("\n") for code in codes) for codes in reached}
    best = tuple(min(size[index] for size in sizes) for index in (0, 1))
    assert best not in sizes


def test_jobs_are_an_action_space_of_their_own_for_each_instance(make: Callable[..., CompilerEnv]) -> None:
    env = make("scheduling-v0")
    env.reset(options={"benchmark": "benchmark://scheduling-v0/batch-small"})
    assert list(env.action_space.names) == [f"job-{number}" for number in range(12)]
    with pytest.raises(InvalidAction):
        env.step(12)
    env.reset(options={"benchmark": "benchmark://scheduling-v0/batch-large"})
    assert env.action_space.n == 32


def test_a_job_out_of_turn_is_refused_and_nothing_changes(make: Callable[..., CompilerEnv]) -> None:
    env = make("scheduling-v0")
    env.reset(options={"benchmark": "benchmark://scheduling-v0/chains"})
    before = env.observation["digest"]
    waiting = int(np.flatnonzero(~env.observation["ready"][: env.action_space.n])[0])
    with pytest.raises(InvalidAction, match=r"must wait for job-\d+; ready are: job-0"):
        env.step(waiting)
    with pytest.raises(InvalidAction, match="job-0 has been scheduled already"):
        env.multistep([0, 0])
    assert env.observation["digest"] == before
    assert env.actions == []


def test_the_episode_ends_with_the_last_job(make: Callable[..., CompilerEnv]) -> None:
    env = make("scheduling-v0", reward_space="makespan")
    env.reset(options={"benchmark": "benchmark://scheduling-v0/build-small"})
    start = env.observation["makespan"]
    _, reward, terminated, _, _ = env.multistep(range(17))
    assert (reward, terminated) == (0, False)  # the order given is what the makespan was completed with
    assert env.observation["remaining"] == 1
    _, _, terminated, _, _ = env.step(17)
    assert terminated
    schedule = json.loads(env.observation["schedule"])
    assert max(slot["end"] for slot in schedule) == env.observation["makespan"] == start
    assert env.parameter("verify") == ""


def test_the_greedy_walk_beats_the_fixed_pipeline(make: Callable[..., CompilerEnv]) -> None:
    greedy = importlib.import_module("stack_compiler.greedy").greedy
    env = make("stack-v0", reward_space="instructions")
    found = {}
    for benchmark in datasets()["stack-v0"]:
        env.reset(options={"benchmark": benchmark})
        env.multistep(greedy(env))
        found[benchmark.name] = benchmark.baseline("instructions", "O1") - env.observation["instructions"]
    assert min(found.values()) >= 0, found
    assert sum(found.values()) > 0


def test_agents_refuse_a_program_with_actions_of_its_own(make: Callable[..., CompilerEnv]) -> None:
    env = make("scheduling-v0")
    program = datasets().benchmark("benchmark://scheduling-v0/batch-small")
    with pytest.raises(InvalidInput, match=r"which benchmark://scheduling-v0/batch-small takes \d+ alone"):
        Evaluator(env.environment, program, Budget(1))


def test_local_search_beats_longest_first_on_some(make: Callable[..., CompilerEnv]) -> None:
    search = importlib.import_module("job_scheduling.local_search").search
    env = make("scheduling-v0")
    better = 0
    for benchmark in datasets()["scheduling-v0"]:
        env.reset(options={"benchmark": benchmark})
        makespan, order = search(env, np.random.default_rng(0), trials=10)
        assert sorted(order) == list(range(env.action_space.n))
        better += makespan < benchmark.baseline("makespan", "LPT")
    assert better >= 2

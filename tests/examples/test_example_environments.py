"""Both example compilers, as functions and as environments: gymnasium's rules, replay, datasets, boards."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

from job_scheduling.problem import Instance, Job, Schedule, Slot, fault, longest_first, parse
from optarena.agents import Budget, Evaluator
from optarena.cli import main
from optarena.datasets import datasets
from optarena.errors import InvalidAction, InvalidInput
from optarena.replay import replay
from optarena.specs import board_specs, environment_spec
from optarena.validation import validate_state
from runner.machines.machine import describe
from stack_compiler.session import INSTRUCTIONS, MAX_INSTRUCTIONS, REWRITES, execute, rewrite
from stack_compiler.session import parse as parse_stack
from tests.kit.folders import EXAMPLES

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

pytestmark = [
    pytest.mark.usefixtures("registered"),
    pytest.mark.filterwarnings("error"),
    # Environments that earlier tests have left may be collected here, and have files and sockets.
    pytest.mark.filterwarnings("default:Exception ignored in. <(_io|socket)"),
]

PACKAGES = {"stack-v0": "stack_compiler", "scheduling-v0": "job_scheduling"}
BASELINES = {"stack-v0": ("instructions", "O1"), "scheduling-v0": ("makespan", "LPT")}

both = pytest.mark.parametrize("slug", PACKAGES)


def play(env: CompilerEnv, actions: int = 6, seed: int = 0) -> list[Any]:
    """Some steps with actions that are possible, and all that was observed."""
    rng = np.random.default_rng(seed)
    return [env.reset()[0], *(env.step(possible(env, rng)) for _ in range(actions))]


def possible(env: CompilerEnv, rng: np.random.Generator) -> int:
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


def test_a_worker_records_the_release_of_each_compiler() -> None:
    versions = describe().versions
    assert (versions["stack"], versions["list scheduling"]) == ("1.0", "1.0")
    assert not [name for name in versions if "," in name]


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


def test_the_mask_of_actions_leaves_refused_ones_out(make: Callable[..., CompilerEnv]) -> None:
    env = make("scheduling-v0")
    env.reset(options={"benchmark": "benchmark://scheduling-v0/chains"})
    for _ in range(2):
        assert env.action_masks().tolist() == env.observation["ready"][: env.action_space.n].tolist()
        env.step(int(env.action_masks().argmax()))


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


@pytest.mark.parametrize(
    ("program", "level", "actions"),
    [("stack-v0/scales", "-O1", "stack fold-constants commute"), ("scheduling-v0/", "LPT", "")],
)
def test_a_walk_is_shown_beside_the_compilers_own_level(program: str, level: str, actions: str) -> None:
    if program.endswith("/"):
        program = next(datasets()[program[:-1]].uris())
    words = ["show", program, *(("--state", actions) if actions else ())]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert f"ratio to {level}\n" in done.stdout
    assert not actions or len(re.findall(rf"^ *{level} .* 1\.0000", done.stdout, re.MULTILINE)) == 2


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


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    def job(number: int) -> Job:
        before = st.sets(st.integers(0, number - 1), max_size=3) if number else st.just(set())
        return Job(draw(st.integers(1, 9)), draw(st.integers(0, 20)), tuple(sorted(draw(before))))

    count = draw(st.integers(1, 12))
    return Instance(draw(st.integers(1, 4)), tuple(job(number) for number in range(count)))


def simulated_makespan(instance: Instance, order: list[int]) -> int:
    """The makespan by going through time unit by unit: jobs wait in the given order, nobody overtakes."""
    free = [0] * instance.machines
    end: dict[int, int] = {}
    for number in order:
        job = instance.jobs[number]
        machine = min(range(instance.machines), key=lambda index: (free[index], index))
        time = free[machine]
        while time < job.release or any(time < end[before] for before in job.predecessors):
            time += 1
        end[number] = free[machine] = time + job.duration
    return max(end.values())


@given(instances(), st.data())
def test_every_allowed_order_gives_a_feasible_schedule(instance: Instance, data: st.DataObject) -> None:
    schedule, order = Schedule(instance), []
    while ready := schedule.ready():
        order.append(data.draw(st.sampled_from(ready)))
        schedule.check(order[-1])
        schedule.start(order[-1])
        assert fault(schedule) == ""
    assert sorted(order) == list(range(len(instance.jobs)))
    assert schedule.makespan() == simulated_makespan(instance, order)


@given(instances())
def test_an_unfinished_schedule_is_completed_in_the_order_given(instance: Instance) -> None:
    assert Schedule(instance).completed().makespan() == simulated_makespan(
        instance, list(range(len(instance.jobs)))
    )
    longest = Schedule(instance).completed(longest_first(instance))
    assert fault(longest) == ""
    assert len(longest.slots) == len(instance.jobs)


@pytest.mark.parametrize(
    ("slot", "message"),
    [
        (Slot(1, 0, 3, 5), "job-0 and job-1 overlap on machine 0"),
        (Slot(1, 1, 0, 2), "job-1 runs from 0 to 2, against its release"),
        (Slot(1, 1, 3, 4), "job-1 runs from 3 to 4, against its release or duration"),
        (Slot(2, 1, 2, 3), "job-2 starts before job-0 has ended"),
    ],
)
def test_a_wrong_schedule_is_found_out(slot: Slot, message: str) -> None:
    instance = Instance(2, (Job(4), Job(2, release=1), Job(1, predecessors=(0,))))
    schedule = Schedule(instance, {0: Slot(0, 0, 0, 4), slot.job: slot})
    assert message in fault(schedule)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("[]", "jobs: expected a list of 1 to 32 jobs"),
        ('{"machines": 1, "jobs": []}', "jobs: expected a list of 1 to 32 jobs"),
        ('{"machines": 0, "jobs": [{"duration": 1}]}', "machines: expected an integer from 1 to 32, got 0"),
        ('{"machines": 1, "jobs": [{"duration": true}]}', r"jobs\[0\].duration: expected an integer"),
        ('{"machines": 1, "jobs": [3]}', r"jobs\[0\]: expected an object"),
        (
            '{"machines": 1, "jobs": [{"duration": 1, "predecessors": [0]}]}',
            r"jobs\[0\].predecessors: there is no job before it",
        ),
    ],
)
def test_a_malformed_instance_is_refused_with_its_place(document: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(document)


FOLDER = Path(__file__).parents[2] / "examples/stack_compiler"
NUMBERS = st.one_of(st.sampled_from([0, 1, -1, 2, 3]), st.integers(min_value=-(2**63), max_value=2**63 - 1))
ARGUMENTS = st.fixed_dictionaries({"x": NUMBERS, "y": NUMBERS})


def lines(text: str) -> str:
    return "".join(f"{line.strip()}\n" for line in text.split(";") if line.strip())


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Well-formed programs in which the rewrites' patterns are not rare."""
    code, depth = [], 0
    for _ in range(draw(st.integers(0, 30))):
        allowed = [name for name, (taken, _, _) in INSTRUCTIONS.items() if taken <= depth]
        name = draw(st.sampled_from([*allowed, *(["push", "push", "load"] if depth < 2 else [])]))
        taken, given_, _ = INSTRUCTIONS[name]
        depth += given_ - taken
        if name == "push":
            name += f" {draw(NUMBERS)}"
        elif name == "load":
            name += f" {draw(st.sampled_from('xy'))}"
        code.append(f"{name}\n")
    return "".join(code)


@given(programs(), st.lists(st.sampled_from(list(REWRITES)), max_size=12), ARGUMENTS)
def test_rewrites_keep_what_a_program_prints_and_leaves(
    code: str, names: list[str], arguments: dict[str, int]
) -> None:
    expected = execute(code, arguments)
    for name in names:
        before, code = code, rewrite(code, name)
        assert code.count("\n") <= before.count("\n"), name
        assert parse_stack(code) == code, name
        assert execute(code, arguments) == expected, name


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("fold-constants", "push 3; push 4; sub", "push -1"),
        ("fold-constants", "push 5; neg", "push -5"),
        ("fold-constants", "push 9223372036854775807; push 1; add", "push -9223372036854775808"),
        ("fold-constants", "push -9223372036854775808; neg", "push -9223372036854775808"),
        ("fold-constants", "push 1; push 2; push 3; add; add", "push 1; push 5; add"),
        ("fold-constants", "push 1; push 2; add; push 3; add", "push 3; push 3; add"),
        ("remove-identities", "load x; push 0; add; push 0; sub; push 1; mul", "load x"),
        ("remove-identities", "load x; push 1; add; push 10; add", "load x; push 1; add; push 10; add"),
        ("strength-reduce", "load x; push 2; mul; push -1; mul", "load x; dup; add; neg"),
        ("annihilate", "load x; push 0; mul", "load x; drop; push 0"),
        ("cancel", "load x; neg; neg; neg", "load x; neg"),
        ("cancel", "load x; load y; neg; add; load x; neg; sub", "load x; load y; sub; load x; add"),
        ("cancel", "load x; load y; swap; swap", "load x; load y"),
        ("remove-dead", "load x; dup; add; drop", "load x; dup; drop; drop"),
        ("remove-dead", "load x; dup; drop; drop", "load x; drop"),
        ("remove-dead", "load x; neg; drop; push 3; drop", "load x; drop"),
        ("commute", "push 2; load x; mul", "load x; push 2; mul"),
        ("commute", "push 2; load x; sub", "push 2; load x; sub"),
        ("commute", "load x; load y; swap; add", "load x; load y; add"),
        ("reassociate", "load x; push 1; add; push 2; add", "load x; push 1; push 2; add; add"),
        ("reassociate", "load x; push 3; mul; push 2; add", "load x; push 3; mul; push 2; add"),
        ("reuse-loads", "load x; load x; mul; push 7; push 7", "load x; dup; mul; push 7; dup"),
        ("reuse-loads", "load x; load xy; mul", "load x; load xy; mul"),
        ("reuse-loads", "push 7; push 77", "push 7; push 77"),
    ],
)
def test_one_sweep(name: str, before: str, after: str) -> None:
    assert rewrite(lines(before), name) == lines(after)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("push 1\nadd", "line 2: add takes 2 values, but the stack holds 1"),
        ("# a comment\n\nprint", "line 3: print takes 1 values, but the stack holds 0"),
        ("push 1\nhalt", "line 2: 'halt' is not one of push, load"),
        ("push", "line 1: 'push' is not one of"),
        ("push 1 2", "line 1: 'push 1 2' is not one of"),
        ("push 1_0", "line 1: 'push 1_0' is not one of"),
        ("load X", "line 1: 'load X' is not one of"),
        ("push 9223372036854775808", "line 1: 9223372036854775808 does not fit 64 bits"),
        ("push 1\n" * (MAX_INSTRUCTIONS + 1), f"line {MAX_INSTRUCTIONS + 1}: a program has at most"),
    ],
)
def test_a_malformed_program_is_refused_with_its_line_stack_language(source: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_stack(source)


def test_the_whole_compiler_has_less_than_200_lines() -> None:
    files = ("session.py", "environment.py", "__init__.py")
    assert sum(len(code_lines((FOLDER / name).read_text())) for name in files) < 200


def code_lines(source: str) -> set[int]:
    """The lines of a module that are neither blank nor comment nor docstring."""
    texts = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    written = enumerate(source.splitlines(), start=1)
    return {number for number, line in written if line.strip() and not line.lstrip().startswith("#")} - texts

"""Validating states in every way, and replays whose processes together need too much memory."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from optarena import limits
from optarena.datasets import Benchmark, Workload, datasets
from optarena.env import CompilerEnv
from optarena.errors import InfrastructureFault, InvalidAction, InvalidInput, SessionTimeout, UnknownName
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.actions import CURATED, UNSAFE
from optarena.replay import ReplayResult, replay
from optarena.self_test import check_memory_group
from optarena.service.client.zygote import Zygote
from optarena.service.processes import memory
from optarena.service.processes.memory import MemoryGroup, find_group_folder, limit_memory, own_groups
from optarena.specs import environment_spec
from optarena.specs.rewards import RewardSpec, Scale
from optarena.state import EnvState
from optarena.validation import ValidationProblem, ValidationResult, replayed_reward, validate_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.actions import ActionTable
    from optarena.specs.results import Execution

ACTIONS = [CURATED.index(name) for name in ("mem2reg", "instcombine", "simplifycfg", "gvn")]


@pytest.fixture(scope="module")
def state(digits: Benchmark) -> EnvState:
    with CompilerEnv("llvm-ic-v0", benchmark=digits) as env:
        env.reset()
        total = sum(float(env.step(action)[1]) for action in ACTIONS)
        claims = {
            "ir_instructions": env.observation["IrInstructionCount"],
            "text_size_bytes": env.observation["ObjectTextSizeBytes"],
        }
        return replace(env.state, reward=total, claims=claims)


def test_a_true_state_is_valid(state: EnvState, digits: Benchmark) -> None:
    result = validate_state(state, environment="llvm-ic-v0", benchmark=digits)
    assert result.ok, str(result)
    assert result.replay is not None
    assert result.reward == pytest.approx(state.reward)
    assert str(result).endswith(": valid")


def test_a_state_without_reward_and_claims_is_valid(state: EnvState, digits: Benchmark) -> None:
    bare = replace(state, reward=None, claims={})
    assert validate_state(bare, environment="llvm-ic-v0", benchmark=digits, repeats=1).ok


def test_every_false_value_is_named(state: EnvState, digits: Benchmark) -> None:
    assert state.reward is not None
    false = replace(
        state, reward=state.reward + 0.001, claims={name: value - 1 for name, value in state.claims.items()}
    )
    result = validate_state(false, environment="llvm-ic-v0", benchmark=digits, repeats=1)
    assert [(problem.reason, problem.field) for problem in result.problems] == [
        ("claim:mismatch", "ir_instructions"),
        ("claim:mismatch", "text_size_bytes"),
        ("claim:mismatch", "reward"),
    ]
    assert result.problems[0].measured == state.claims["ir_instructions"]


def test_a_claim_about_something_else_is_a_mismatch(state: EnvState, digits: Benchmark) -> None:
    result = validate_state(
        replace(state, claims={"cycles": 3}), environment="llvm-ic-v0", benchmark=digits, repeats=1
    )
    assert "does not measure" in result.problems[0].message


def test_a_reward_is_compared_in_its_own_space(state: EnvState, digits: Benchmark) -> None:
    difference = replace(state, reward=168 - state.claims["ir_instructions"], claims={})
    valid = validate_state(
        difference, environment="llvm-ic-v0", benchmark=digits, reward_space="IrInstructionCount", repeats=1
    )
    assert valid.ok, str(valid)
    assert not validate_state(difference, environment="llvm-ic-v0", benchmark=digits, repeats=1).ok
    with pytest.raises(UnknownName):
        validate_state(state, environment="llvm-ic-v0", benchmark=digits, reward_space="x")


def test_recorded_baselines_are_used(state: EnvState, digits: Benchmark) -> None:
    recorded = replace(digits, baselines={"ir_instructions": {"O0": 1000, "Oz": 900}})
    expected = (1000 - state.claims["ir_instructions"]) / 100
    result = validate_state(
        replace(state, reward=expected), environment="llvm-ic-v0", benchmark=recorded, repeats=1
    )
    assert result.ok, str(result)


def test_a_command_line_that_is_none_is_a_problem(state: EnvState, digits: Benchmark) -> None:
    result = validate_state(replace(state, commandline="opt -O3"), environment="llvm-ic-v0", benchmark=digits)
    assert [(problem.reason, problem.field) for problem in result.problems] == [
        ("user:invalid-action", "commandline")
    ]
    assert result.replay is None
    assert (result.comparison, result.remark) == ("not-compared", "There was no replay.")


def test_an_unknown_benchmark_is_an_error(state: EnvState) -> None:
    with pytest.raises(UnknownName, match="tests-v0"):
        validate_state(state, environment="llvm-ic-v0")


def test_a_miscompiling_state_is_invalid(digits: Benchmark) -> None:
    line = UNSAFE.commandline([UNSAFE.index("structurizecfg")])
    state = EnvState(benchmark=digits.uri, commandline=line, reward=1.0)
    result = validate_state(state, environment="llvm-unsafe-v0", benchmark=digits)
    assert [problem.reason for problem in result.problems] == ["semantics:output-differs"]
    assert (result.comparison, result.remark) == ("not-compared", "The replay failed.")


def test_an_environment_validates_its_own_episode(digits: Benchmark) -> None:
    with CompilerEnv("llvm-ic-v0", benchmark=digits) as env:
        env.reset()
        env.multistep(ACTIONS)
        result = env.validate()
        assert result.ok, str(result)
        assert (result.reward, result.comparison) == (env.episode_reward, "exact")
        assert env.step(ACTIONS[0])[2] is False


def test_every_reward_of_an_environment_can_be_validated(digits: Benchmark) -> None:
    spec = environment_spec("llvm-ic-v0")
    costs = ("IrInstructionCount", "ObjectTextSizeBytes")  # the others need a linker
    names = [name for name, reward in spec.rewards.items() if reward.cost in costs]
    with CompilerEnv(spec, benchmark=digits) as env:
        env.reset()
        _, rewards, *_ = env.multistep(ACTIONS, observation_spaces=[], reward_spaces=names)
        result = env.validate()
    assert result.replay is not None
    assert len(names) >= 8
    for name, reward in zip(names, rewards, strict=True):
        assert replayed_reward(spec, spec.reward(name), digits, result.replay) == reward, name


def test_a_reward_without_a_metric_is_observed_in_the_final_state(state: EnvState, digits: Benchmark) -> None:
    spec = environment_spec("llvm-ic-v0")
    there = RewardSpec(name="Bytes", cost="ObjectTextSizeBytes", metric="", scale=Scale.DIFFERENCE)
    extended = replace(spec, metrics=spec.metrics[:1], rewards={**spec.rewards, "Bytes": there})
    with CompilerEnv(extended, benchmark=digits, reward_space="Bytes") as env:
        env.reset()
        env.multistep(ACTIONS)
        result = env.validate()
        assert result.ok, str(result)
        assert result.reward == env.episode_reward
    false = validate_state(
        replace(state, reward=1e6, claims={}),
        environment=extended,
        benchmark=digits,
        reward_space="Bytes",
        repeats=1,
    )
    assert [problem.field for problem in false.problems] == ["reward"]


def test_a_reward_that_is_never_the_same_is_not_compared(state: EnvState, digits: Benchmark) -> None:
    spec = environment_spec("llvm-ic-v0")
    name = spec.reward_space
    changing = replace(spec, rewards={name: replace(spec.reward(name), deterministic=False)})
    result = validate_state(replace(state, reward=-3.0), environment=changing, benchmark=digits, repeats=1)
    assert result.ok, str(result)
    assert (result.comparison, result.reward) == ("not-compared", None)
    assert "varies from run to run" in result.remark


def test_a_reward_that_a_confined_session_cannot_observe_is_not_compared_there(digits: Benchmark) -> None:
    with CompilerEnv("llvm-ic-v0", benchmark=digits, reward_space="ObjectTextSizeBytes") as env:
        env.reset()
        env.multistep(ACTIONS)
        claimed = replace(env.state, reward=-7.5)
    confined = validate_state(
        claimed, environment="llvm-ic-v0", benchmark=digits, reward_space="TextSizeBytes", repeats=1
    )
    assert confined.ok, str(confined)
    assert (confined.comparison, confined.reward) == ("not-compared", None)
    assert "confined" in confined.remark


@pytest.mark.parametrize("table", environment_spec("llvm-ic-v0").further_tables, ids=lambda table: table.name)
def test_states_of_every_action_space_are_validated(table: ActionTable, digits: Benchmark) -> None:
    with CompilerEnv("llvm-ic-v0", benchmark=digits, action_space=table.name) as env:
        env.reset()
        env.action_space.seed(5)
        while len(env.actions) < 3:
            with contextlib.suppress(InvalidAction):  # not every combination of components is an action
                env.step(env.action_space.sample())
        result = env.validate()
        assert result.ok, str(result)
        assert (result.reward, result.comparison) == (env.episode_reward, "exact")
        assert list(result.replay.actions) == env.actions
    assert ValidationResult.from_json(result.to_json()) == result


CLOCK = b"""
target triple = "x86_64-unknown-linux-gnu"
declare i32 @printf(ptr, ...)
declare i64 @llvm.readcyclecounter()
@format = private constant [6 x i8] c"%lld\\0A\\00"
define i32 @main() {
  %now = call i64 @llvm.readcyclecounter()
  %printed = call i32 (ptr, ...) @printf(ptr @format, i64 %now)
  ret i32 0
}
"""


def test_a_program_that_never_prints_the_same_is_the_benchmarks_fault() -> None:
    clock = Benchmark.from_bytes("benchmark://tests-v0/clock", CLOCK)
    clock = replace(clock, workloads=(Workload(name="default", expected_stdout=b"7\n"),))
    state = EnvState(benchmark=clock.uri, commandline=CURATED.commandline(ACTIONS))
    result = validate_state(state, environment="llvm-ic-v0", benchmark=clock)
    assert [(problem.reason, problem.field) for problem in result.problems] == [
        ("benchmark:flaky", "benchmark")
    ]
    assert "its original program fails workload default, too, 3 of 3 times" in str(result)


@pytest.mark.parametrize(
    ("wrong", "reason", "part"),
    [
        (3, "semantics:exit-code", "failed when run again"),
        (99, "benchmark:flaky", "fails workload default, too, 3 of 3 times"),
    ],
)
def test_a_program_that_fails_only_when_it_is_run_again_is_found(
    state: EnvState, digits: Benchmark, wrong: int, reason: str, part: str
) -> None:
    spec = environment_spec("llvm-ic-v0")
    runs = itertools.count()

    def run(env: Any, workload: Workload, sandbox: bool) -> Execution:  # noqa: FBT001 # the hook's signature
        assert spec.run_workload is not None
        execution = spec.run_workload(env, workload, sandbox)
        return replace(execution, exit_code=77) if 3 <= next(runs) <= wrong else execution

    result = validate_state(state, environment=replace(spec, run_workload=run), benchmark=digits)
    assert [problem.reason for problem in result.problems] == [reason]
    assert part in str(result)


def test_workloads_are_run_as_often_as_asked(state: EnvState, digits: Benchmark) -> None:
    spec = environment_spec("llvm-ic-v0")
    runs = itertools.count()

    def run(env: Any, workload: Workload, sandbox: bool) -> Execution:  # noqa: FBT001 # the hook's signature
        assert spec.run_workload is not None
        next(runs)
        return spec.run_workload(env, workload, sandbox)

    counting = replace(spec, run_workload=run)
    assert validate_state(state, environment=counting, benchmark=digits, repeats=1).ok
    assert next(runs) == len(digits.workloads)
    for wrong in (0, 1.5, "2", True):
        with pytest.raises(InvalidInput, match=f"repeats is {wrong!r}. Give an integer"):
            validate_state(state, environment=counting, benchmark=digits, repeats=wrong)  # type: ignore[arg-type] # as tested


def test_a_result_travels_as_json(state: EnvState, digits: Benchmark) -> None:
    false = replace(state, claims={"ir_instructions": 1})
    for result in (
        validate_state(state, environment="llvm-ic-v0", benchmark=digits, repeats=1),
        validate_state(false, environment="llvm-ic-v0", benchmark=digits, repeats=1),
        validate_state(replace(state, commandline="opt -O3"), environment="llvm-ic-v0", benchmark=digits),
    ):
        assert ValidationResult.from_json(result.to_json()) == result
        assert ValidationResult.from_json(json.loads(result.to_json())) == result
        assert result.as_dict()["ok"] is result.ok is result.okay()
    for broken in ("{}", "3", "[" * 100_000, '{"version": 9}', "no json"):
        with pytest.raises(ValueError, match=r"validation result|Expecting"):
            ValidationResult.from_json(broken)


def test_results_of_one_state_are_joined(state: EnvState) -> None:
    claim, crash = (
        ValidationProblem(reason=reason, field="reward", message="It is another.")
        for reason in ("claim:mismatch", "env:crash")
    )
    good = ValidationResult(state=state, reward=0.5, comparison="exact", walltime=1.0)
    bad = ValidationResult(state=state, problems=(claim, crash), walltime=2.0)
    worse = ValidationResult(state=state, problems=(claim,), reward=0.25, walltime=4.0)
    joined = ValidationResult.join([good, bad, ValidationResult.join([worse, good])])
    assert not joined.okay()
    assert (joined.validations, joined.walltime, joined.reward) == (4, 8.0, None)
    assert {reason: len(found) for reason, found in joined.errors.items()} == {
        "claim:mismatch": 2,
        "env:crash": 1,
    }
    every = ValidationResult.join([good, good])
    assert every.okay()
    assert (every.reward, every.comparison, every.validations) == (0.5, "exact", 2)
    other = replace(good, state=replace(state, reward=7.0))
    for results in ([], [good, other]):
        with pytest.raises(InvalidInput, match=r"join|different states"):
            ValidationResult.join(results)


def test_an_environment_without_a_reward_is_validated_without_it(digits: Benchmark) -> None:
    spec = replace(environment_spec("llvm-ic-v0"), reward_space="")
    state = EnvState(benchmark=digits.uri, commandline=spec.commandline([0]))
    result = validate_state(state, environment=spec, benchmark=digits, repeats=1)
    assert result.ok, str(result)
    assert result.reward is None
    assert "no reward space" in result.remark


def test_a_fault_while_workloads_are_run_again_is_a_problem_of_the_state_alone(
    state: EnvState, digits: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> None:
        raise SessionTimeout("The action took more than its CPU time.")

    monkeypatch.setattr("optarena.validation.run_workloads", late)
    result = validate_state(state, environment="llvm-ic-v0", benchmark=digits)
    assert [(one.reason, one.field) for one in result.problems] == [("env:timeout", "commandline")]
    assert "could not be run again: The action took more" in result.problems[0].message


def test_a_reward_is_observed_in_the_action_space_of_the_result(digits: Benchmark) -> None:
    bytes_saved = RewardSpec(name="Bytes", cost="ObjectTextSizeBytes", metric="", scale=Scale.DIFFERENCE)
    finer = environment_spec("llvm-finer-v0")
    spec = replace(finer, metrics=finer.metrics[:1], rewards={**finer.rewards, "Bytes": bytes_saved})
    space, actions = spec.ranked_commandline("llvm-functions sroa@0")
    result = replay(environment=spec, benchmark=digits, actions=actions, action_space=space)
    with CompilerEnv(spec, benchmark=digits, action_space=space, reward_space="Bytes") as env:
        env.reset()
        env.multistep(actions)
        assert replayed_reward(spec, bytes_saved, digits, result) == env.episode_reward != 0


MIB = 1 << 20
NOBODY = 65534


@pytest.fixture
def where() -> Path:
    found = find_group_folder()
    if found is None:
        pytest.skip(
            "needs a place for memory groups: root on a machine with version 1, or a delegated folder"
        )
    return found


@pytest.fixture
def hoarding(sorting: Any) -> Any:
    return importlib.import_module("hoarding")


@pytest.fixture
def five(sorting: Any) -> Benchmark:
    return datasets()["sorting-v0"].benchmark("five")


def own_folders(where: Path) -> list[Path]:
    return [*where.glob(f"optarena-replay-{os.getpid()}-*")]


def test_a_session_alone_may_not_exceed_the_limit_of_all(where: Path, hoarding: Any, five: Benchmark) -> None:
    """Three actions take 450 MiB, far less than the limit of the session's own process."""
    assert 3 * hoarding.HELD_BYTES < limits.SESSION_MEMORY_BYTES / 2
    with pytest.raises(InfrastructureFault) as caught:
        replay(environment=hoarding.ALONE, benchmark=five, actions=[0] * 3, memory_bytes=256 * MIB)
    assert caught.value.reason == "infra:memory-limit"
    assert f"reached their memory limit of {256 * MIB} bytes" in str(caught.value)
    assert "SIGKILL" in str(caught.value)
    assert not own_folders(where)
    result = replay(environment=hoarding.ALONE, benchmark=five, actions=[0] * 3)
    assert (result.ok, result.reason) == (True, None)
    assert result.sandbox["memory_group"] == limits.REPLAY_MEMORY_BYTES
    assert ReplayResult.from_json(result.to_json()) == result


def test_what_fits_alone_may_not_exceed_it_together(where: Path, hoarding: Any, five: Benchmark) -> None:
    def run(environment: Any, size: int) -> ReplayResult:
        return replay(environment=environment, benchmark=five, actions=[0], memory_bytes=size)

    assert run(hoarding.ALONE, 256 * MIB).ok
    assert run(hoarding.BESIDE, 512 * MIB).ok
    with pytest.raises(InfrastructureFault, match=r"reached their memory limit of 268435456 bytes") as caught:
        run(hoarding.BESIDE, 256 * MIB)
    assert caught.value.reason == "infra:memory-limit"
    assert not own_folders(where)


def test_the_zygote_and_the_next_replay_are_spared(where: Path, hoarding: Any, five: Benchmark) -> None:
    zygote = Zygote.shared(hoarding.SESSION_TYPE)
    with pytest.raises(InfrastructureFault):
        replay(environment=hoarding.ALONE, benchmark=five, actions=[0] * 3, memory_bytes=256 * MIB)
    assert replay(environment=hoarding.ALONE, benchmark=five, actions=[0], memory_bytes=256 * MIB).ok
    assert Zygote.shared(hoarding.SESSION_TYPE) is zygote


def test_a_failure_within_the_limit_stays_the_sequences(where: Path, hoarding: Any, five: Benchmark) -> None:
    lose = importlib.import_module("sorting").ACTIONS.index("lose")
    result = replay(environment=hoarding.ALONE, benchmark=five, actions=[lose], memory_bytes=512 * MIB)
    assert result.reason == "semantics:output-differs"


def test_processes_that_are_left_die_with_the_group(where: Path) -> None:
    zygote = Zygote.shared("sorting:SortSession")
    with limit_memory(256 * MIB) as group:
        worker = zygote.spawn("entries:sleep", limits=ProcessLimits(), sandbox=True)
        members = (group.folder / "cgroup.procs").read_text().split()
        assert members == [str(worker.pid)]
        assert worker.sandbox.memory_group == 256 * MIB
    status = worker.wait(20)
    assert status.signal == signal.SIGKILL
    assert not own_folders(where)
    worker.close()
    with zygote.spawn("entries:sleep", limits=ProcessLimits(), sandbox=True) as free:
        assert free.sandbox.memory_group is None


def test_a_process_that_cannot_enter_its_group_does_not_begin(where: Path) -> None:
    with limit_memory(256 * MIB) as group:
        group.folder.rmdir()
        with pytest.raises(InfrastructureFault, match="cannot enter its memory group"):
            Zygote.shared("sorting:SortSession").spawn("entries:sleep", limits=ProcessLimits(), sandbox=True)


def python(code: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.fixture
def holder(where: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    code = """
        import subprocess, sys, time
        from optarena.service.processes.memory import MemoryGroup, find_group_folder
        group = MemoryGroup.make(find_group_folder(), 64 << 20)
        subprocess.run(["/bin/sh", "-c", 'sleep 600 >&- & echo $! > "$0/cgroup.procs"', group.folder])
        print(group.folder, flush=True)
        time.sleep(600)
    """
    with python(code) as process:
        assert process.stdout
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def look_for_a_place() -> None:
    with python(
        "from optarena.service.processes.memory import find_group_folder; find_group_folder()"
    ) as looking:
        assert looking.wait(60) == 0


def test_the_group_of_a_dead_process_is_removed_and_of_a_living_one_is_not(
    where: Path, holder: tuple[subprocess.Popen[str], Path]
) -> None:
    process, folder = holder
    (member,) = (folder / "cgroup.procs").read_text().split()
    look_for_a_place()
    assert folder.exists()
    process.kill()
    process.wait()
    unrelated = where / f"optarena-worker-{os.getpid()}.service"
    unrelated.mkdir()
    try:
        look_for_a_place()
        assert unrelated.exists()
    finally:
        unrelated.rmdir()
    assert not folder.exists()
    assert not Path(f"/proc/{member}").exists() or "Z" in Path(f"/proc/{member}/stat").read_text()


def test_the_operator_names_the_place(
    where: Path, monkeypatch: pytest.MonkeyPatch, hoarding: Any, five: Benchmark
) -> None:
    named = where / f"named-{os.getpid()}"
    named.mkdir()
    monkeypatch.setenv(memory.VARIABLE, str(named))
    try:
        assert find_group_folder() == named
        assert str(named) in check_memory_group()
        with limit_memory(256 * MIB) as group:
            assert group.folder.parent == named
    finally:
        named.rmdir()
    with pytest.raises(InfrastructureFault) as caught:
        replay(environment=hoarding.ALONE, benchmark=five, actions=[0])
    assert caught.value.reason == "infra:worker-unhealthy"


@pytest.mark.parametrize("name", ["", "lost"])
def test_a_named_place_that_cannot_be_used_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hoarding: Any, five: Benchmark
) -> None:
    monkeypatch.setenv(memory.VARIABLE, str(tmp_path / name))
    with pytest.raises(InvalidInput, match="No groups for memory can be made in the folder") as caught:
        replay(environment=hoarding.ALONE, benchmark=five, actions=[0])
    assert caught.value.field == memory.VARIABLE
    assert "delegated to this user" in caught.value.remedy
    with pytest.raises(InvalidInput):
        check_memory_group()
    assert [*tmp_path.iterdir()] == []
    assert replay(environment=hoarding.ALONE, benchmark=five, actions=[0], sandbox=False).ok


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_without_the_right_to_make_groups_nothing_changes() -> None:
    code = f"""
        import codecs, os
        codecs.lookup("ascii")  # loaded while Python's files can be read
        os.environ.pop("OPTARENA_MEMORY_GROUPS", None)
        from optarena.self_test import check_memory_group
        from optarena.service.processes.memory import limit_memory, find_group_folder, present
        os.setgroups([])
        os.setresgid({NOBODY}, {NOBODY}, {NOBODY})
        os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
        with limit_memory(1 << 30) as group:
            print(find_group_folder(), group, present(), check_memory_group())
    """
    with python(code) as process:
        said = process.communicate(timeout=60)[0]
    assert said.startswith("None None None No group can be made")


@pytest.mark.parametrize("size", [0, -1, 1 << 20, "1 GiB", 1e10, True])
def test_less_memory_than_a_compiler_needs_is_refused(size: Any, hoarding: Any, five: Benchmark) -> None:
    with pytest.raises(InvalidInput, match="memory_bytes is") as caught:
        replay(environment=hoarding.ALONE, benchmark=five, actions=[0], memory_bytes=size)
    assert caught.value.field == "memory_bytes"
    assert str(limits.LEAST_REPLAY_MEMORY_BYTES) in caught.value.remedy


@pytest.mark.parametrize(
    ("lines", "places"),
    [
        ("0::/system.slice/w.service\n", ["system.slice/w.service", "unified/system.slice/w.service"]),
        ("4:memory:/w\n3:cpuset:/\n", ["memory/w"]),
        ("4:cpu,memory:/w\n0::/\n", ["memory/w", "", "unified"]),
        ("", []),
    ],
)
def test_both_versions_are_found(lines: str, places: list[str], tmp_path: Path) -> None:
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/self/cgroup").write_text(lines)
    assert [*own_groups(tmp_path)] == [tmp_path / "sys/fs/cgroup" / one for one in places]


def test_a_group_without_processes_has_reached_nothing(where: Path) -> None:
    group = MemoryGroup.make(where, 256 * MIB)
    assert group.exceeded() == ""
    group.end()
    assert group.exceeded() == ""
    assert not own_folders(where)

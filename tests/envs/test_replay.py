"""Replaying in the real sandbox: what is right, what is wrong, and where; in one call or step by step."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from optarena import limits
from optarena.datasets import Benchmark, Workload
from optarena.env import CompilerEnv
from optarena.errors import InvalidInput, UnknownName
from optarena.llvm.actions import CURATED, UNSAFE
from optarena.llvm.execution import Execution
from optarena.replay import Progress, ReplayResult, first_difference, judge, replay
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.specs.results import REASONS
from tests.kit.numbers_env import FAKE, NUMBERS
from tests.kit.processes import sessions, wait_until

from fake_compiler import ACTIONS as FAKE_ACTIONS  # isort: skip # found by the import above
from optarena.datasets import datasets
from optarena.state import EnvState
from optarena.validation import validate_state

if TYPE_CHECKING:
    Replay = Callable[..., ReplayResult]


NAMES = ("mem2reg", "instcombine", "inline", "mem2reg", "gvn", "simplifycfg", "licm", "globaldce")
ACTIONS = [CURATED.index(name) for name in NAMES]


def replayed(
    benchmark: Benchmark, actions: Sequence[int] = ACTIONS, *, environment: str = "llvm-ic-v0", **options: Any
) -> ReplayResult:
    return replay(environment=environment, benchmark=benchmark, actions=actions, **options)


def check_failure(result: ReplayResult, reason: str, step: int | None = None) -> None:
    assert (result.ok, result.reason, result.failed_step) == (False, reason, step), result.detail
    assert reason in REASONS
    assert result.detail


@pytest.fixture(scope="module")
def result(digits: Benchmark) -> ReplayResult:
    return replayed(digits)


def test_a_good_sequence_is_replayed_checked_and_measured(result: ReplayResult, digits: Benchmark) -> None:
    assert (result.ok, result.reason, result.failed_step, result.detail) == (True, None, None, "")
    assert result.environment == "llvm-ic-v0"
    assert result.digest == environment_spec("llvm-ic-v0").digest
    assert result.benchmark_sha256 == digits.sha256
    assert result.actions == tuple(ACTIONS)
    assert [step.name for step in result.steps] == list(NAMES)
    assert [step.index for step in result.steps] == list(range(len(NAMES)))
    assert [workload.name for workload in result.workloads] == ["default", "five", "hundred"]
    assert all(workload.ok and workload.seconds for workload in result.workloads)
    assert set(result.metrics) == {"ir_instructions", "text_size_bytes"}
    assert result.metrics["ir_instructions"] == result.steps[-1].cost
    assert result.walltime > 0
    assert result.sandbox["confined"]


def test_every_step_records_the_state_that_the_environment_gives(
    result: ReplayResult, digits: Benchmark
) -> None:
    with CompilerEnv("llvm-ic-v0", benchmark=digits) as env:
        env.reset()
        assert result.initial is not None
        assert result.initial.digest == env.observation["IrSha1"]
        assert result.initial.cost == env.observation["IrInstructionCount"]
        for step in result.steps:
            info = env.step(step.action)[4]
            assert step.had_no_effect == info["action_had_no_effect"]
            assert step.digest == env.observation["IrSha1"]
            assert step.cost == env.observation["IrInstructionCount"]
        assert result.metrics["text_size_bytes"] == env.observation["ObjectTextSizeBytes"]
    assert result.steps[3].had_no_effect


def test_two_replays_find_the_same(result: ReplayResult, digits: Benchmark) -> None:
    assert first_difference(result, replayed(digits, sandbox=False)) is None


def test_no_actions_are_a_valid_sequence(digits: Benchmark) -> None:
    result = replayed(digits, [])
    assert result.ok
    assert result.initial is not None
    assert result.metrics["ir_instructions"] == result.initial.cost


def test_progress_is_told_in_order(digits: Benchmark) -> None:
    told: list[Progress] = []
    replayed(digits, ACTIONS[:2], on_progress=told.append)
    assert [(one.phase, one.done, one.total) for one in told] == [
        *(("replaying", done, 2) for done in range(3)),
        *(("checking", done, 3) for done in range(4)),
        *(("measuring", done, 2) for done in range(3)),
    ]


class LeaseLostError(Exception):
    """What a runner raises to abort."""


@pytest.mark.parametrize("phase", ["replaying", "checking", "measuring"])
def test_progress_can_abort_and_no_process_stays(phase: str, digits: Benchmark) -> None:
    def abort(progress: Progress) -> None:
        if (progress.phase, progress.done) == (phase, 1):
            raise LeaseLostError

    before = sessions()
    with pytest.raises(LeaseLostError):
        replayed(digits, on_progress=abort)
    wait_until(lambda: sessions() <= before)


@pytest.mark.parametrize("action", [-1, 10_000, 1.5, "sroa"])
def test_an_invalid_action_is_a_result_with_its_step(action: Any, digits: Benchmark) -> None:
    result = replayed(digits, [*ACTIONS[:2], action])
    check_failure(result, "user:invalid-action", 2)
    assert result.steps == ()


def test_too_many_actions_are_a_result(digits: Benchmark) -> None:
    result = replayed(digits, [0] * (limits.MAX_ACTIONS_PER_ITEM + 1))
    check_failure(result, "user:invalid-action")
    assert str(limits.MAX_ACTIONS_PER_ITEM) in result.detail


def test_a_crash_of_the_compiler_names_its_step(digits: Benchmark) -> None:
    harmless = UNSAFE.index("strip-dead-debug-info")
    crash = UNSAFE.index("trigger-crash-module")
    result = replayed(digits, [harmless, crash, harmless], environment="llvm-unsafe-v0")
    check_failure(result, "env:crash", 1)
    assert "trigger-crash-module" in result.detail
    assert [step.action for step in result.steps] == [harmless]
    assert result.metrics == {}
    assert set(result.failed_unit) == {"wall_seconds", "cpu_seconds"}
    assert ReplayResult.from_json(result.to_json()) == result


def test_a_pass_that_changes_the_output_is_found(digits: Benchmark) -> None:
    result = replayed(digits, [UNSAFE.index("structurizecfg")], environment="llvm-unsafe-v0")
    check_failure(result, "semantics:output-differs")
    assert not result.workloads[-1].ok
    assert "917070" in result.detail
    assert result.metrics == {}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"expected_stdout": b"917071\n"}, "semantics:output-differs"),
        ({"expected_stdout": b"917070\n\n"}, "semantics:output-differs"),
        ({"exit_code": 1}, "semantics:exit-code"),
    ],
)
def test_another_output_or_exit_code_is_a_result(
    change: dict[str, Any], reason: str, digits: Benchmark
) -> None:
    workload = replace(digits.workloads[0], **change)
    result = replayed(replace(digits, workloads=(workload, digits.workloads[1])))
    check_failure(result, reason)
    assert [one.ok for one in result.workloads] == [False]


def execution(**changes: Any) -> Execution:
    good = {
        "stdout": b"x",
        "exit_code": 0,
        "signal": None,
        "seconds": 1.0,
        "timed_out": False,
        "output_truncated": False,
        "stderr": "",
        "failure": None,
    }
    return Execution(**{**good, **changes})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"stdout": b""}, "semantics:output-differs"),
        ({"output_truncated": True}, "semantics:output-differs"),
        ({"exit_code": 3}, "semantics:exit-code"),
        ({"exit_code": None, "signal": signal.SIGSEGV}, "semantics:crash"),
        ({"exit_code": None, "signal": signal.SIGKILL, "timed_out": True}, "semantics:timeout"),
        ({"exit_code": None, "failure": "Symbols not found"}, "semantics:crash"),
    ],
)
def test_each_way_to_end_has_its_reason(changes: dict[str, Any], reason: str | None) -> None:
    verdict = judge(Workload(name="w", expected_stdout=b"x"), execution(**changes))
    assert (verdict.ok, verdict.reason) == (reason is None, reason)
    assert bool(verdict.detail) == (reason is not None)


def test_an_unreadable_or_damaged_program_is_no_result(digits: Benchmark) -> None:
    with pytest.raises(InvalidInput):
        replayed(Benchmark.from_bytes("benchmark://tests-v0/broken", b"BC\xc0\xde no bitcode"))
    with pytest.raises(InvalidInput, match="damaged"):
        replayed(replace(digits, load=lambda: b"something else"))


def test_results_travel_as_json(result: ReplayResult) -> None:
    assert ReplayResult.from_json(result.to_json()) == result
    assert ReplayResult.from_json(result.as_dict()) == result
    failed = replace(result, ok=False, reason="env:crash", failed_step=1, initial=None, steps=())
    assert ReplayResult.from_json(failed.to_json()) == failed


@pytest.mark.parametrize("document", ["{}", "[]", "7", "", '{"version":2}', '{"version":1,"initial":null}'])
def test_what_is_no_result_is_refused(document: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        ReplayResult.from_json(document)


def test_the_first_differing_step_is_named(result: ReplayResult) -> None:
    steps = list(result.steps)
    steps[2] = replace(steps[2], cost=steps[2].cost + 1)
    steps[4] = replace(steps[4], digest="0" * 40)
    difference = first_difference(result, replace(result, steps=tuple(steps)))
    assert difference is not None
    assert (difference.step, difference.field) == (2, "cost")
    assert "after step 2 (inline)" in difference.message


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"digest": "0" * 64}, "digest"),
        ({"benchmark_sha256": "0" * 64}, "benchmark_sha256"),
        ({"actions": (1,)}, "actions"),
        ({"metrics": {"ir_instructions": 0}}, "metrics.ir_instructions"),
        ({"reason": "env:crash", "ok": False}, "reason"),
        ({"initial": None}, None),
        ({"walltime": 9.0, "sandbox": {}, "detail": "x"}, None),
    ],
)
def test_other_differences_are_named_too(
    changes: dict[str, Any], field: str | None, result: ReplayResult
) -> None:
    difference = first_difference(result, replace(result, **changes))
    assert (difference.field if difference else None) == field


def test_actions_of_numpy_become_plain_numbers(digits: Benchmark) -> None:
    result = replayed(digits, cast("Any", [np.int64(ACTIONS[0])]))
    assert result.actions == (ACTIONS[0],)
    assert json.loads(json.dumps(result.as_dict()))["actions"] == [ACTIONS[0]]


@pytest.mark.parametrize(
    "names", [[], ["ir_instructions"], ["text_size_bytes"], ["text_size_bytes", "ir_instructions"]]
)
def test_only_the_wanted_metrics_are_measured(names: list[str], digits: Benchmark) -> None:
    told: list[Progress] = []
    result = replayed(digits, ACTIONS[:1], metrics=names, on_progress=told.append)
    assert result.ok
    assert sorted(result.metrics) == sorted(names)
    assert [one.total for one in told if one.phase == "measuring"] == [len(names)] * (
        len(names) + bool(names)
    )


@pytest.mark.parametrize(
    ("options", "error", "field"),
    [
        ({"metrics": ["ir_instruction"]}, UnknownName, "metric"),
        ({"metrics": "ir_instructions"}, InvalidInput, "metrics"),
        ({"metrics": 7}, InvalidInput, "metrics"),
        ({"time_factor": 0}, InvalidInput, "time_factor"),
        ({"time_factor": limits.MAX_TIME_FACTOR + 1}, InvalidInput, "time_factor"),
        ({"time_factor": "3"}, InvalidInput, "time_factor"),
    ],
)
def test_wrong_options_are_refused(
    options: dict[str, Any], error: type[InvalidInput], field: str, digits: Benchmark
) -> None:
    with pytest.raises(error) as caught:
        replayed(digits, **options)
    assert caught.value.field == field
    assert caught.value.remedy


ONE_BY_ONE = replace(FAKE, digest_observation="length")
TOGETHER = replace(ONE_BY_ONE, traces_costs=False)
GOOD = ("append", "append", "nothing", "append")


def found(spec: EnvironmentSpec, names: Sequence[str]) -> dict[str, Any]:
    result = replay(environment=spec, benchmark=NUMBERS, actions=[FAKE_ACTIONS.index(name) for name in names])
    assert result.initial is not None
    return {
        "ok": result.ok,
        "reason": result.reason,
        "step": result.failed_step,
        "detail": result.detail,
        "initial": result.initial.digest,
        "steps": [replace(step, cost=None) for step in result.steps],
        "metrics": result.metrics,
        "unit": set(result.failed_unit),
    }


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    made: list[str] = []
    for name in ("step", "steps"):
        original = getattr(CompilerEnv, name)

        def call(*arguments: Any, name: str = name, original: Any = original, **named: Any) -> Any:
            made.append(name)
            return original(*arguments, **named)

        monkeypatch.setattr(CompilerEnv, name, call)
    return made


def test_one_call_applies_all_actions_where_a_trace_has_no_costs(calls: list[str]) -> None:
    together = found(TOGETHER, GOOD)
    assert calls == ["steps"]
    assert together == found(ONE_BY_ONE, GOOD)
    assert calls == ["steps", *["step"] * len(GOOD)]
    assert [step.had_no_effect for step in together["steps"]] == [False, False, True, False]
    assert [step.digest for step in together["steps"]] == ["4", "5", "5", "6"]


@pytest.mark.parametrize(
    "names",
    [
        (),
        ("append", "crash", "append"),
        ("append", "nothing", "exit"),
        ("refuse", "append"),
        ("append", "refuse"),
        ("append", "fail", "append"),
        ("grow",),
        ("append", "new-space", "append"),
        ("append", "new-space", "write-file"),
        ("append", "finish"),
    ],
    ids=" ".join,
)
def test_what_fails_is_told_as_if_all_were_applied_one_by_one(names: tuple[str, ...]) -> None:
    assert found(TOGETHER, names) == found(ONE_BY_ONE, names)


@pytest.mark.parametrize("spec", [ONE_BY_ONE, TOGETHER], ids=["one by one", "together"])
def test_actions_after_the_end_of_a_session_fail_by_name(spec: EnvironmentSpec) -> None:
    told = found(spec, ("finish", "append"))
    assert (told["ok"], told["reason"], told["step"]) == (False, "user:invalid-action", 1)
    assert told["detail"] == "The episode ended with step 0, and step 1 (append) follows it."


@pytest.fixture
def five(sorting: Any) -> Benchmark:
    return datasets()["sorting-v0"].benchmark("five")


@pytest.fixture
def spoiled(sorting: Any, five: Benchmark) -> Replay:
    def run(*names: str, of: Benchmark = five, spec: EnvironmentSpec = sorting.ENVIRONMENT) -> ReplayResult:
        return replay(environment=spec, benchmark=of, actions=[sorting.ACTIONS.index(name) for name in names])

    return run


def test_a_program_runs_in_its_confined_session(spoiled: Replay) -> None:
    result = spoiled("bubble", "bubble")
    assert (result.ok, result.detail) == (True, "")
    assert result.sandbox["confined"]
    assert [(one.name, one.ok) for one in result.workloads] == [("greet", True)]
    assert result.initial is not None
    assert [result.initial.cost, *(step.cost for step in result.steps)] == [2.25, 1.25, 0.75]
    assert result.metrics == {"makespan": 0.75, "inversions": 2}
    assert len({result.initial.digest, *(step.digest for step in result.steps)}) == 3
    assert ReplayResult.from_json(result.to_json()) == result


@pytest.mark.parametrize(
    ("action", "reason", "detail"),
    [
        ("lose", "semantics:output-differs", "at byte 12"),
        ("spoil", "semantics:verifier", "it is spoiled"),
        ("die", "semantics:crash", "SIGABRT"),
        ("refuse", "semantics:crash", "it has lost its first line"),
        ("hang", "semantics:timeout", "did not end within"),
    ],
)
def test_a_spoiled_program_is_a_result(
    action: str, reason: str, detail: str, spoiled: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WORKLOAD_SECONDS", 1)
    result = spoiled("bubble", action)
    assert (result.ok, result.reason, result.failed_step) == (False, reason, None), result.detail
    assert detail in result.detail
    assert len(result.steps) == 2
    assert result.metrics == {}


def test_a_compiler_that_cannot_run_programs_never_passes_a_workload(
    sorting: Any, spoiled: Replay, five: Benchmark
) -> None:
    silent = replace(sorting.ENVIRONMENT, service="sorting:SilentSession")
    result = spoiled("bubble", spec=silent)
    assert (result.ok, result.reason) == (False, "env:service")
    assert "SilentSession cannot run programs" in result.detail
    assert spoiled("bubble", spec=silent, of=replace(five, workloads=())).ok


def test_bytes_travel_unchanged(spoiled: Replay, five: Benchmark) -> None:
    every = bytes(range(256))
    workload = Workload(
        name="bytes", args=("ü", '"'), stdin=every, expected_stdout=('ü "'.encode() + every) * 5, exit_code=5
    )
    assert spoiled(of=replace(five, workloads=(workload,))).ok


def test_a_session_that_runs_programs_itself_has_no_files(spoiled: Replay, five: Benchmark) -> None:
    result = spoiled(of=replace(five, workloads=(replace(five.workloads[0], files={"a.txt": b"one"}),)))
    assert "Programs of this environment open no files" in result.detail


def test_a_reward_needs_no_recorded_cost_of_the_program_as_given(sorting: Any, five: Benchmark) -> None:
    bare, spec = replace(five, baselines={}), sorting.ENVIRONMENT
    state = EnvState(benchmark=bare.uri, commandline=spec.commandline([sorting.ACTIONS.index("bubble")]))
    result = validate_state(state, environment=spec, reward_space="makespan", benchmark=bare)
    assert result.reward == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("args", ["1"]),
        ("args", (1,)),
        ("stdin", "3"),
        ("expected_stdout", None),
        ("exit_code", "0"),
        ("name", 1),
        ("files", ["a.txt"]),
        ("files", {"a.txt": "text"}),
        ("files", {"/etc/passwd": b""}),
        ("files", {"a/../../b": b""}),
        ("files", {".hidden": b""}),
        ("files", {"a": b"", "a/b": b""}),
        ("files", {"a": bytes(4_000_001)}),
    ],
)
def test_a_workload_of_wrong_types_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=f"The workload's {field} is"):
        Workload(**{"name": "one", field: value})

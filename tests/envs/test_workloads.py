"""Programs that run inside their session: what they may do, and how each end of theirs is judged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from optarena import limits
from optarena.datasets import Benchmark, Workload, datasets
from optarena.errors import InvalidInput
from optarena.replay import ReplayResult, replay
from optarena.validation import replayed_reward

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.specs import EnvironmentSpec


@pytest.fixture
def benchmark(sorting: Any) -> Benchmark:
    return datasets()["sorting-v0"].benchmark("five")


@pytest.fixture
def replayed(sorting: Any, benchmark: Benchmark) -> Callable[..., ReplayResult]:
    def run(
        *names: str, of: Benchmark = benchmark, spec: EnvironmentSpec = sorting.ENVIRONMENT
    ) -> ReplayResult:
        return replay(environment=spec, benchmark=of, actions=[sorting.ACTIONS.index(name) for name in names])

    return run


def test_a_program_runs_in_its_confined_session(replayed: Callable[..., ReplayResult]) -> None:
    result = replayed("bubble", "bubble")
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
    action: str,
    reason: str,
    detail: str,
    replayed: Callable[..., ReplayResult],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "WORKLOAD_SECONDS", 1)
    result = replayed("bubble", action)
    assert (result.ok, result.reason, result.failed_step) == (False, reason, None), result.detail
    assert detail in result.detail
    assert len(result.steps) == 2
    assert result.metrics == {}


def test_another_exit_code_or_too_much_output_is_a_result(
    replayed: Callable[..., ReplayResult], benchmark: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = replace(benchmark.workloads[0], exit_code=6)
    assert replayed(of=replace(benchmark, workloads=(wrong,))).reason == "semantics:exit-code"
    monkeypatch.setattr(limits, "WORKLOAD_OUTPUT_BYTES", 10)
    cut = replace(benchmark.workloads[0], expected_stdout=b"hi!hi!hi!h")
    assert replayed(of=replace(benchmark, workloads=(cut,))).reason == "semantics:output-differs"


def test_a_compiler_that_cannot_run_programs_never_passes_a_workload(
    sorting: Any, replayed: Callable[..., ReplayResult], benchmark: Benchmark
) -> None:
    silent = replace(sorting.ENVIRONMENT, service="sorting:SilentSession")
    result = replayed("bubble", spec=silent)
    assert (result.ok, result.reason) == (False, "env:service")
    assert "SilentSession cannot run programs" in result.detail
    assert replayed("bubble", spec=silent, of=replace(benchmark, workloads=())).ok


def test_bytes_travel_unchanged(replayed: Callable[..., ReplayResult], benchmark: Benchmark) -> None:
    every = bytes(range(256))
    workload = Workload(
        name="bytes", args=("ü", '"'), stdin=every, expected_stdout=('ü "'.encode() + every) * 5, exit_code=5
    )
    assert replayed(of=replace(benchmark, workloads=(workload,))).ok


def test_a_reward_needs_no_recorded_cost_of_the_program_as_given(
    sorting: Any, replayed: Callable[..., ReplayResult], benchmark: Benchmark
) -> None:
    bare = replace(benchmark, baselines={})
    result = replayed("bubble", of=bare)
    spec = sorting.ENVIRONMENT
    assert replayed_reward(spec, spec.reward("makespan"), bare, result) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("args", ["1"]),
        ("args", (1,)),
        ("stdin", "3"),
        ("expected_stdout", None),
        ("exit_code", "0"),
        ("name", 1),
    ],
)
def test_a_workload_of_wrong_types_is_refused(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=f"The workload's {field} is"):
        Workload(**{"name": "one", field: value})

"""The steps of a replay: all in one call where a trace has no costs, and the same findings as one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from gymnasium.error import ResetNeeded

from optarena.env import CompilerEnv
from optarena.replay import replay
from tests.kit.numbers_env import FAKE, NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.specs import EnvironmentSpec

from fake_compiler import ACTIONS  # isort: skip # found by the import above

ONE_BY_ONE = replace(FAKE, digest_observation="length")
TOGETHER = replace(ONE_BY_ONE, traces_costs=False)
GOOD = ("append", "append", "nothing", "append")


def found(spec: EnvironmentSpec, names: Sequence[str]) -> dict[str, Any]:
    """What a replay says of some actions, but for the costs."""
    result = replay(environment=spec, benchmark=NUMBERS, actions=[ACTIONS.index(name) for name in names])
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
def test_actions_after_the_end_of_a_session_are_no_result(spec: EnvironmentSpec) -> None:
    with pytest.raises(ResetNeeded):
        found(spec, ("finish", "append"))


def test_progress_is_told_after_each_action() -> None:
    told: list[int] = []
    replay(
        environment=TOGETHER,
        benchmark=NUMBERS,
        actions=[ACTIONS.index(name) for name in GOOD],
        on_progress=lambda progress: told.append(progress.done) if progress.phase == "replaying" else None,
    )
    assert told == [0, 1, 2, 3, 4]

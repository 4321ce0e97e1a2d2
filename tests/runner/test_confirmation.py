"""What follows from an attempt: a failure counts if it repeats, a lack of time on an idle machine."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.limits import CONFIRMATION_TIME_FACTOR
from optarena.specs.results import REASONS
from runner.models import AttemptDecision
from runner.work.confirmation import (
    MACHINE_BUSY,
    SUSPECTED,
    UNREPEATABLE,
    Ruling,
    Trial,
    decide,
    needs_idle_machine,
    open_suspicions,
)

CONFIRM, FAIL, GIVE_BACK = AttemptDecision.CONFIRM, AttemptDecision.FAIL, AttemptDecision.GIVE_BACK
REPLAYED = sorted({"", *(one for one in REASONS if not one.startswith(("claim:", "policy:")))})
MOST_ATTEMPTS = 4


def usual(reason: str = "", step: int | None = None) -> Trial:
    return Trial(reason=reason, failed_step=step)


def alone(reason: str = "", step: int | None = None, *, idle: bool = True) -> Trial:
    return Trial(reason=reason, failed_step=step, time_factor=CONFIRMATION_TIME_FACTOR, idle=idle)


CRASH = usual("env:crash", 3)
SLOW = usual("env:timeout", 3)


@pytest.mark.parametrize(
    ("suspicions", "this", "decision", "reason"),
    [
        ([], usual(), AttemptDecision.RECORD, ""),
        ([CRASH], usual(), AttemptDecision.RECORD, ""),
        ([], usual("user:invalid-action"), FAIL, "user:invalid-action"),
        ([], usual("infra:killed"), GIVE_BACK, "infra:killed"),
        ([CRASH], usual("infra:memory-pressure"), GIVE_BACK, "infra:memory-pressure"),
        ([], CRASH, CONFIRM, ""),
        ([], usual("benchmark:broken"), CONFIRM, ""),
        ([CRASH], CRASH, FAIL, "env:crash"),
        ([CRASH], usual("env:crash", 4), GIVE_BACK, UNREPEATABLE),
        ([CRASH], usual("semantics:crash"), GIVE_BACK, UNREPEATABLE),
        ([usual("semantics:crash")], usual("semantics:crash"), FAIL, "semantics:crash"),
        # A lack of time under the usual limits never counts by itself.
        ([SLOW], SLOW, CONFIRM, ""),
        ([CRASH], SLOW, CONFIRM, ""),
        ([SLOW], alone("env:timeout", 3), FAIL, "env:timeout"),
        ([SLOW], alone("env:timeout", 3, idle=False), GIVE_BACK, MACHINE_BUSY),
        ([SLOW], alone(idle=False), AttemptDecision.RECORD, ""),
        # With longer limits it comes further, which hides nothing any more.
        ([SLOW], alone("env:timeout", 7), FAIL, "env:timeout"),
        ([SLOW], alone("env:timeout", 2), CONFIRM, ""),
        ([SLOW], alone("semantics:output-differs"), CONFIRM, ""),
        ([SLOW], alone("semantics:output-differs", idle=False), CONFIRM, ""),
        (
            [SLOW, alone("semantics:output-differs")],
            alone("semantics:output-differs"),
            FAIL,
            "semantics:output-differs",
        ),
        ([SLOW, alone("semantics:output-differs")], alone("semantics:crash"), GIVE_BACK, UNREPEATABLE),
        ([CRASH, SLOW], alone("env:crash", 3), FAIL, "env:crash"),
    ],
)
def test_a_decision(suspicions: list[Trial], this: Trial, decision: AttemptDecision, reason: str) -> None:
    assert decide(suspicions, this) == Ruling(decision, reason)


def test_which_failures_are_those_of_time() -> None:
    timed = {one for one in REASONS if one.partition(":")[0] in SUSPECTED and Trial(reason=one).timed}
    assert timed == {"env:timeout", "env:replay-timeout", "semantics:timeout"}


def test_the_infrastructure_leaves_a_suspicion_as_it_is_and_what_differs_ends_it() -> None:
    lost, busy = usual("infra:killed"), alone("env:timeout", 3, idle=False)
    assert open_suspicions([CRASH, lost]) == [CRASH]
    assert open_suspicions([SLOW, lost, busy, lost]) == [SLOW]
    assert open_suspicions([CRASH, usual("env:crash", 4)]) == []
    assert open_suspicions([CRASH, usual("env:crash", 4), SLOW]) == [SLOW]


ends = st.tuples(st.sampled_from(REPLAYED), st.none() | st.integers(0, 3), st.booleans())


def lease(ends_of_attempts: Sequence[tuple[str, int | None, bool]], suspicions: list[Trial]) -> list[Ruling]:
    """What the driver does in one lease with attempts that end like this."""
    rulings = []
    for reason, step, idle in ends_of_attempts:
        make = alone(reason, step, idle=idle) if needs_idle_machine(suspicions) else usual(reason, step)
        rulings.append(decide(suspicions, make))
        if rulings[-1].decision != CONFIRM:
            return rulings
        suspicions.append(make)
    return rulings


@given(st.lists(ends, min_size=MOST_ATTEMPTS, max_size=12))
def test_a_lease_ends_after_a_few_attempts(ends_of_attempts: list[tuple[str, int | None, bool]]) -> None:
    rulings = lease(ends_of_attempts, [])
    assert len(rulings) <= MOST_ATTEMPTS
    assert rulings[-1].decision != CONFIRM


@given(st.lists(ends, min_size=1, max_size=12))
def test_nothing_is_blamed_on_the_work_that_happened_once(
    ends_of_attempts: list[tuple[str, int | None, bool]],
) -> None:
    suspicions: list[Trial] = []
    ruling = lease(ends_of_attempts, suspicions)[-1]
    last = ends_of_attempts[len(suspicions)] if len(suspicions) < len(ends_of_attempts) else ("", None, False)
    family = ruling.reason.partition(":")[0]
    if ruling.decision == FAIL and family != "user":
        assert ruling.reason == last[0]
        assert family in SUSPECTED
        assert any(one.reason == ruling.reason for one in suspicions)
        assert last[2] or not Trial(reason=ruling.reason).timed, "it was idle"
    if ruling.decision == GIVE_BACK:
        assert family == "infra"

"""What environments say of their measurements is theirs: whatever it is, pages and verdicts live with it."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string
from hypothesis import example, given
from hypothesis import strategies as st

from leaderboard.boards.queries import board_metric
from leaderboard.models import Board, Submission, SubmissionItem
from leaderboard.submissions.pages import _pair_charts
from leaderboard.submissions.queries import measurement
from leaderboard.submissions.steps import claims
from leaderboard.submissions.verdicts import outcome_of
from runner.models import EnvironmentVersion, Verification
from tests.kit.noisy_boards import measurement as told
from tests.kit.noisy_boards import reading

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "warm", "</td>"])
)
KEYS = st.sampled_from(["gflops", "reference_gflops", "samples", "temperature", "device", "load"])
JSON = st.recursive(LEAVES, lambda parts: st.lists(parts) | st.dictionaries(KEYS, parts), max_leaves=8)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | JSON
SIDES = st.dictionaries(KEYS, NUMBERS) | JSON
BLOCKS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "candidate": SIDES,
            "reference": SIDES,
            "ratio": NUMBERS,
            "machine": JSON,
            "discarded": JSON,
        },
    )
    | JSON,
    max_size=3,
)
MEASUREMENTS = (
    st.fixed_dictionaries(
        {},
        optional={
            "blocks": BLOCKS | JSON,
            "interval": st.dictionaries(KEYS, st.lists(NUMBERS, max_size=3) | JSON) | JSON,
            "machine": JSON,
        },
    )
    | JSON
)


def measured_item(found: object, metric: str = "gflops") -> SubmissionItem:
    """An item of a replay that says this of its measurement; in memory only."""
    version = EnvironmentVersion(env_id="loop_tool-v0")
    board = Board(environment_version=version, metric=metric, reference_metric="reference_gflops")
    return SubmissionItem(
        submission=Submission(board=board),
        claims={"gflops": 8.0},
        verification=Verification(
            environment_version=version,
            metrics={"gflops": 8.0, "reference_gflops": 4.0},
            result={"measurement": found, "steps": []},
        ),
        ratio=2.0,
    )


@given(found=MEASUREMENTS, metric=st.sampled_from(["gflops", "reference_gflops"]))
@example(found=told(0.0, 0.1), metric="gflops")
@example(found={"blocks": [{"candidate": {"gflops": 0}, "reference": {"gflops": 0}}]}, metric="gflops")
@example(found={"interval": {"gflops": [1, 10**400]}}, metric="gflops")
def test_any_measurement_is_shown_and_judged(found: object, metric: str) -> None:
    item = measured_item(found, metric)
    shown = measurement(item)
    claims(item, {})
    columns = {"state": "recorded", "reason": "", "detail": "", "effective": 0}
    outcome = outcome_of({**columns, "metrics": item.measured, "measurement": found})
    assert outcome.metrics["gflops"] == 8.0
    if shown is not None:
        context = {"measured": shown, "compared": board_metric(item.submission.board), "item": item}
        charts = _pair_charts(shown)
        assert render_to_string(
            "leaderboard/parts/measurement.html", {**context, "pair_charts": charts}
        ).count("</figure>") in (0, 2)


def block(value: float, compared: float, **changes: Any) -> dict[str, Any]:
    return {
        "ratio": value / compared,
        "candidate": reading(value),
        "reference": reading(compared),
    } | changes


def test_a_discarded_block_says_why_and_one_without_its_numbers_is_left_out() -> None:
    lacking = [block(8.0, 4.0, reference={}), block(8.0, 4.0, candidate={"gflops": True}), 3]
    blocks = [*lacking, block(8.0, 5.0), block(8.0, 4.0, discarded="off")]
    shown = measurement(measured_item({"blocks": blocks}))
    assert shown is not None
    assert [(one.number, one.discarded) for one in shown.blocks] == [(4, ""), (5, "off")]


def test_facts_that_lie_too_deep_are_not_followed() -> None:
    facts: dict[str, Any] = {"end": 1}
    for _ in range(2000):
        facts = {"part": facts}
    shown = measurement(measured_item({"machine": {"device": "d"} | facts, "blocks": []}))
    assert shown is not None
    assert [text for _, text in shown.machine] == ["d", "…"]


def test_facts_are_written_for_people() -> None:
    for value, text in (
        (True, "yes"),
        (0, "0"),
        (0.146484375, "0.146484"),
        ([], "none"),
        ([1.5, "a"], "1.5, a"),
    ):
        shown = measurement(measured_item({"machine": {"a_fact": value, "unknown": None, "empty": ""}}))
        assert shown is not None
        assert shown.machine == (("a fact", text),)

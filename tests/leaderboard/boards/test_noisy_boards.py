"""Boards whose replays measure their own reference: verdicts, scores, ranks, and what is refused."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from leaderboard.boards.services import rebuild_boards
from leaderboard.boards.standings import standings
from leaderboard.models import Board, SubmissionItem
from leaderboard.submissions.queries import item, measurement
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.steps import baselines
from leaderboard.submissions.verdicts import Outcome, Yardstick, judge, review
from optarena.errors import InvalidDocument
from optarena.specs import Metric
from runner.work.driver import drive
from tests.factories import make_baselines
from tests.kit.boards import EVERY_ENTRY, World, fail, standing, submit, verifications
from tests.kit.noisy_boards import (
    SIZES,
    URIS,
    document,
    entry,
    make_noisy_world,
    measure,
    record,
)
from tests.kit.noisy_boards import measurement as measurement_of

if TYPE_CHECKING:
    from leaderboard.models import Submission

SECONDS = Metric(name="seconds", title="Seconds", unit="s", observation="s", exact=False)
REFERENCE_SECONDS = replace(SECONDS, name="reference_seconds")
GFLOPS = Metric(name="gflops", title="f", unit="GFLOP/s", observation="f", exact=False, lower_is_better=False)


def verdicts(submission: Submission) -> set[tuple[str, str]]:
    return set(submission.items.values_list("verdict", "reason"))


def test_a_complete_entry_has_the_score_of_its_own_references(noisy: World) -> None:
    submission = submit(noisy.user, document())
    for number, verification in enumerate(verifications(submission)):
        measure(verification, 8.0 if number % 2 else 2.0, reference=4.0)
    assert verdicts(submission) == {("verified", "")}
    row = standing(submission)
    assert (row.score, row.rank, row.rank_high, row.best_of_agent) == (1.0, 1, 1, True)
    assert (row.verified, row.total) == (len(SIZES), len(SIZES))
    assert row.mean_improvement == pytest.approx((1.0 - 0.5) / 2)
    item = submission.items.get(position=1)
    assert (item.value, item.ratio, item.log_ratio) == (8.0, pytest.approx(2.0), pytest.approx(math.log(2.0)))


def test_a_benchmark_that_an_entry_lacks_counts_as_the_reference(noisy: World) -> None:
    submission = submit(noisy.user, document())
    first, *rest = verifications(submission)
    for verification in rest:
        measure(verification, 8.0)
    row = standing(submission)
    assert (row.score, row.rank) == (pytest.approx(2.0 ** (7 / 8)), None)
    assert (row.verified, row.pending, row.total) == (len(SIZES) - 1, 1, len(SIZES))
    fail(first, "env:crash")
    assert (standing(submission).score, standing(submission).rank) == (row.score, None)
    short = entry(noisy, 4.0, uris=URIS[:3], actions=(1,))
    assert (standing(short).score, standing(short).verified, standing(short).total) == (1.0, 3, len(SIZES))


def test_rows_stand_in_the_order_of_their_scores_and_those_that_cannot_be_told_apart_share_ranks(
    noisy: World,
) -> None:
    one = entry(noisy, 8.00, reference=8.0, actions=(1,), agent="one")
    two = entry(noisy, 4.01, actions=(2,), agent="two")
    worst = entry(noisy, 2.0, actions=(0,), agent="three")
    part = entry(noisy, 80.0, actions=(3,), agent="part", uris=URIS[:1])
    rows = list(standings(noisy.board, EVERY_ENTRY))
    assert [row.submission for row in rows] == [two, one, worst, part]
    assert [(row.rank, row.rank_high, row.rank_text) for row in rows[:3]] == [
        (1, 2, "1–2"),  # noqa: RUF001 - a range
        (1, 2, "1–2"),  # noqa: RUF001 - as above
        (3, 3, "3"),
    ]
    assert (rows[3].rank, rows[3].rank_high) == (None, None)
    assert [standing(worst).rank, standing(worst).rank_high] == [3, 3]
    low, high = rows[0].score_interval or (0.0, 0.0)
    assert low < 4.01 / 4.0 < high
    Board.objects.update(provisional=True)
    noisy.board.refresh_from_db()
    assert {row.rank for row in standings(noisy.board)} == {None}
    assert standing(worst).rank is None


def test_an_entry_whose_error_is_unknown_has_a_score_and_no_rank(noisy: World) -> None:
    submission = submit(noisy.user, document())
    for verification in verifications(submission):
        record(verification, {"gflops": 8.0, "reference_gflops": 4.0}, measurement={"device": "cpu"})
    row = standing(submission)
    assert (row.score, row.score_interval, row.rank, row.complete) == (2.0, None, None, True)


def test_discarded_blocks_do_not_count(noisy: World) -> None:
    [uri] = URIS[:1]
    submission = submit(noisy.user, document(uris=[uri]))
    told = measurement_of(8.0, 4.0)
    told["blocks"].append(told["blocks"][0] | {"ratio": 50.0, "discarded": "the reference is +40 % off"})
    record(verifications(submission)[0], {"gflops": 8.0, "reference_gflops": 4.0}, measurement=told)
    assert submission.items.get().ratio == pytest.approx(2.0)


def test_the_error_of_a_score_is_that_of_its_benchmarks(noisy: World) -> None:
    row = standing(entry(noisy, 8.0))
    spread = statistics.variance(math.log(one) for one in (1 / 1.1, 1.0, 1.1))
    assert row.log_variance == pytest.approx(spread / 3 / len(SIZES))
    assert row.log_freedom == pytest.approx(2 * len(SIZES))
    assert not rebuild_boards(board_ids=[noisy.board.pk])[noisy.board.pk]


def test_a_replay_without_a_usable_reference_fails_its_item(noisy: World) -> None:
    submission = submit(noisy.user, document(uris=URIS[:3]))
    for verification, reference in zip(verifications(submission), (None, 0.0, -1.0), strict=True):
        metrics = {"gflops": 4.0} | ({} if reference is None else {"reference_gflops": reference})
        record(verification, metrics)
    for item in submission.items.all():
        assert (item.verdict, item.reason, item.value) == ("failed", "infra:internal", None)
        assert "reference_gflops" in item.detail
    assert standing(submission).verified == 0


def test_a_noisy_claim_refutes_nothing_and_what_was_measured_counts(noisy: World) -> None:
    modest = entry(noisy, 4.0, claims={"gflops": 4.4}, uris=URIS[:1], actions=(1,))
    bold = entry(noisy, 4.0, claims={"gflops": 400.0}, uris=URIS[:1], actions=(1,), agent="bold")
    unsaid = entry(noisy, 4.0, claims={}, uris=URIS[:1], actions=(1,), agent="modest")
    assert verdicts(modest) == verdicts(bold) == verdicts(unsaid) == {("verified", "")}
    assert [one.items.get().claim_status for one in (modest, bold, unsaid)] == [
        {"gflops": "consistent"},
        {"gflops": "optimistic"},
        {},
    ]
    assert bold.items.get().value == 4.0


def test_without_an_interval_nothing_is_said_of_a_claim(noisy: World) -> None:
    submission = submit(noisy.user, document(uris=URIS[:1], claims={"gflops": 400.0}))
    record(verifications(submission)[0], {"gflops": 4.0, "reference_gflops": 4.0})
    item = submission.items.get()
    assert (item.verdict, item.claim_status) == ("verified", {})


def test_a_reviewer_leaves_the_status_of_a_claim_and_a_withdrawal_clears_it(noisy: World) -> None:
    submission = entry(noisy, 4000.0, claims={"gflops": 9e9}, uris=URIS[:1])
    assert verdicts(submission) == {("quarantined", "policy:implausible")}
    item = submission.items.get()
    review(item_ids=[item.pk], accept=True, reviewer="root")
    item.refresh_from_db()
    assert (item.verdict, item.claim_status) == ("verified", {"gflops": "optimistic"})
    withdraw(submission_id=submission.pk, actor=noisy.user)
    item.refresh_from_db()
    assert (item.verdict, item.claim_status) == ("withdrawn", {})


def test_what_is_plausible_at_one_size_says_nothing_of_another(noisy: World) -> None:
    small, large = URIS[:2]
    found = entry(noisy, 4000.0, uris=[small], actions=(1,))
    review(item_ids=[found.items.get().pk], accept=True, reviewer="root")
    same = entry(noisy, 4100.0, uris=[small], actions=(2,))
    other = entry(noisy, 4100.0, uris=[large], actions=(2,))
    together = entry(noisy, 4200.0, uris=[small, large], actions=(3,))
    quarantined = ("quarantined", "policy:implausible")
    assert (verdicts(same), verdicts(other)) == ({("verified", "")}, {quarantined})
    kept = together.items.order_by("position").values_list("verdict", "reason")
    assert list(kept) == [("verified", ""), quarantined]


def test_members_of_a_range_have_no_baselines_of_the_range(noisy: World) -> None:
    submission = entry(noisy, 8.0, uris=URIS[:1])
    found = item(submission, 0)
    assert found is not None
    make_baselines(found.benchmark, {"O0": 1.0}, metrics=["gflops"])
    assert baselines(found) == {}


def test_only_the_benchmarks_of_the_board_are_taken(noisy: World) -> None:
    others = ("benchmark://loop_tool-cpu-v0/1000", "benchmark://loop_tool-cuda-v0/1024", "loop_tool-cpu-v0/0")
    with pytest.raises(InvalidDocument) as caught:
        submit(noisy.user, document(uris=(URIS[0], *others)))
    problems = caught.value.problems
    assert [(one.row, one.field) for one in problems] == [(row, "benchmark") for row in (1, 2, 3)]
    for problem in problems:
        assert "does not compare this benchmark" in problem.message
        assert all(uri in problem.remedy for uri in URIS)
    assert not SubmissionItem.objects.exists()


def test_the_members_of_a_range_are_different_work_and_may_be_named_without_their_scheme(
    noisy: World,
) -> None:
    submission = submit(noisy.user, document(uris=[uri.removeprefix("benchmark://") for uri in URIS]))
    asked = verifications(submission)
    assert len({one.benchmark_sha256 for one in asked}) == len(SIZES)
    assert [one.benchmark_uri for one in asked] == list(URIS)
    assert submission.items.get(position=0).benchmark_name == "1021"


def test_replays_are_asked_for_on_the_machines_of_the_board(db: None) -> None:
    world = make_noisy_world("loop_tool-cuda")
    uris = [uri.replace("-cpu-", "-cuda-") for uri in URIS]
    submission = submit(world.user, document(uris=uris, board="loop_tool-cuda"))
    assert {one.hardware_class for one in verifications(submission)} == {"x86_64-cuda"}


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_real_replay_measures_an_item_beside_its_reference() -> None:
    world = make_noisy_world("loop_tool-cpu")
    submission = submit(world.user, document((3,), uris=URIS[:1], claims={"gflops": 1e9}))
    drive(worker="test")
    item = submission.items.get()
    assert (item.verdict, item.reason, item.claim_status) == ("verified", "", {"gflops": "optimistic"})
    assert item.ratio == pytest.approx(item.measured["speedup"])
    low, high = item.ratio_interval or (0.0, 0.0)
    assert low < item.ratio < high
    found = measurement(SubmissionItem.objects.select_related("submission__board").get())
    assert found is not None
    assert [block.discarded for block in found.blocks].count("") >= 5
    assert all(len(block.readings) == len(block.reference_readings) == 2 for block in found.blocks)
    assert found.interval is not None
    assert found.interval[0] <= item.measured["gflops"] <= found.interval[1]
    assert dict(found.machine)["device"]


def outcome(**metrics: float) -> Outcome:
    return Outcome(state="recorded", reason="", detail="", metrics=metrics, effective_actions=1)


def yardstick(metric: Metric, reference: str, **changes: float) -> Yardstick:
    base = Yardstick(
        metric=metric,
        metrics=(metric,),
        baseline=None,
        best_verified=None,
        plausible_ratio=100.0,
        reference_metric=reference,
    )
    return replace(base, **changes)  # type: ignore[arg-type] # figures


def test_the_direction_of_the_metric_decides_which_way_a_reference_divides() -> None:
    of_seconds = yardstick(SECONDS, "reference_seconds")
    fewer = judge(claims={}, outcome=outcome(seconds=2.0, reference_seconds=8.0), yardstick=of_seconds)
    # A recorded baseline is not looked at where the replay measures one.
    measured = yardstick(GFLOPS, "other", baseline=1.0)
    more = judge(claims={}, outcome=outcome(gflops=2.0, other=8.0), yardstick=measured)
    assert (fewer.ratio, more.ratio) == (4.0, 0.25)


def test_what_an_imitated_device_did_never_counts() -> None:
    found = judge(
        claims={},
        outcome=replace(outcome(gflops=2.0, other=8.0), emulated=True),
        yardstick=yardstick(GFLOPS, "other"),
    )
    assert (found.verdict, found.reason, found.value) == ("failed", "infra:emulated-device", None)

"""Storing submissions, deriving verdicts, rebuilding standings, withdrawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import PermissionDenied
from structlog.testing import capture_logs

from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from leaderboard.boards.services import rebuild_boards
from leaderboard.models import Standing, Submission, SubmissionItem
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions.services import Conflict, withdraw
from leaderboard.submissions.verdicts import decide_ended_items, review
from optarena.specs import actions_digest
from runner.models import Verification
from runner.queue import leases, requests, work
from tests.factories import make_user
from tests.kit.boards import (
    EVERY_ENTRY,
    World,
    document,
    fail,
    record,
    record_all,
    standing,
    submit,
    verifications,
)

if TYPE_CHECKING:
    from django.test import Client


def state(submission: Submission) -> str:
    return submission_queries.tally(submission).state


def verdicts(submission: Submission) -> list[tuple[str, str]]:
    return list(submission.items.order_by("position").values_list("verdict", "reason"))


def test_a_submission_waits_for_one_verification_an_item(world: World) -> None:
    submission = submit(world.user)
    assert [one.state for one in verifications(submission)] == ["queued"] * 3
    assert state(submission) == "verifying"
    assert standing(submission).score is None
    assert standing(submission).rank is None


def test_verified_items_score_and_rank_the_submission(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 100, 80, 125)
    assert verdicts(submission) == [("verified", "")] * 3
    assert state(submission) == "verified"
    row = standing(submission)
    assert row.score == pytest.approx(1.0)
    assert row.mean_improvement == pytest.approx((0 + 0.2 - 0.25) / 3)
    assert (row.rank, row.verified, row.total, row.effective_actions) == (1, 3, 3, 3)


def test_a_half_verified_submission_is_listed_and_not_ranked(world: World) -> None:
    submission = submit(world.user)
    record(verifications(submission)[0], 100)
    row = standing(submission)
    assert (row.rank, row.verified, row.pending, row.total) == (None, 1, 2, 3)
    assert row.score == pytest.approx((1 * 0.25 * 0.25) ** (1 / 3))


def test_equal_actions_share_one_verification_whoever_submits_them(world: World) -> None:
    first = submit(world.user)
    second = submit(world.other)
    assert verifications(first) == verifications(second)
    record_all(first, 100, 100, 100)
    assert state(second) == "verified"
    assert [standing(one).rank for one in (first, second)] == [1, 1]
    assert submission_queries.first_with_same_content(second) == first
    assert submission_queries.first_with_same_content(first) is None


def test_a_replay_that_is_known_already_gives_the_verdict_at_once(world: World) -> None:
    record_all(submit(world.user), 100, 100, 100)
    late = submit(world.other)
    assert state(late) == "verified"
    assert standing(late).complete
    assert Verification.objects.count() == 3


def test_items_whose_replays_have_ended_get_their_verdicts_beside_items_that_wait(world: World) -> None:
    record_all(submit(world.user, document([[1], [2]])), 100, 20)
    fail(verifications(submit(world.user, document([[4]])))[0], "env:crash")
    mixed = submit(world.other, document([[1], [2], [9]]))
    assert verdicts(mixed) == [("verified", ""), ("quarantined", "policy:implausible"), ("pending", "")]
    assert (standing(mixed).verified, standing(mixed).pending) == (1, 1)
    crashed = submit(world.other, document([[4]], agent="other"))
    assert verdicts(crashed) == [("failed", "env:crash")]
    assert crashed.items.get().detail == "step 0"


def test_a_known_replay_is_judged_by_the_history_of_the_board(world: World) -> None:
    first = submit(world.user, document([[1]]))
    record_all(first, 50)
    review(item_ids=list(first.items.values_list("pk", flat=True)), accept=True, reviewer="root")
    assert verdicts(submit(world.other, document([[1]]))) == [("verified", "")]
    better, far = (
        submit(world.other, document([[2]], agent="b")),
        submit(world.other, document([[3]], agent="f")),
    )
    record_all(better, 41)
    record_all(far, 30)
    assert (verdicts(better), verdicts(far)) == ([("verified", "")], [("quarantined", "policy:implausible")])
    # 1.25 times what was reviewed: the better one is of the same owner, and raises only the limit of others.
    assert far.items.get().detail == "3.3333 times the baseline; more than 2.5000 needs a review."


def test_actions_are_checked_and_hashed_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[object] = []
    monkeypatch.setattr(
        work,
        "actions_digest",
        lambda actions, space: hashed.append(actions) or actions_digest(actions, space),
    )
    submission = submit(world.user, document([[1], [2], [3]]))
    assert hashed == [(1,), (2,), (3,)]
    assert [one.actions_sha256 for one in verifications(submission)] == [
        one.actions_sha256 for one in submission.items.order_by("position")
    ]


def test_a_claim_that_the_replay_contradicts_refutes_the_item_with_both_numbers(world: World) -> None:
    body = document()
    body["items"][0]["claims"] = {"ir_instructions": 1234567, "text_size_bytes": 200}
    body["items"][1]["claims"] = {"ir_instructions": 100}
    submission = submit(world.user, body)
    record_all(submission, 100, 100, 100)
    assert verdicts(submission) == [("refuted", "claim:mismatch"), ("verified", ""), ("verified", "")]
    assert submission.items.get(position=0).detail == "ir_instructions: claimed 1234567, measured 100."
    assert state(submission) == "partial"
    assert standing(submission).rank is None


def test_one_replay_can_verify_one_claim_and_refute_another(world: World) -> None:
    honest = document()
    honest["items"][0]["claims"] = {"ir_instructions": 100}
    wrong = document()
    wrong["items"][0]["claims"] = {"ir_instructions": 90}
    first, second = submit(world.user, honest), submit(world.other, wrong)
    record_all(first, 100, 100, 100)
    assert (state(first), state(second)) == ("verified", "partial")


@pytest.mark.parametrize(
    ("reason", "verdict"),
    [
        ("semantics:output-differs", "refuted"),
        ("semantics:verifier", "refuted"),
        ("env:crash", "failed"),
        ("env:ir-growth", "failed"),
        ("user:invalid-action", "failed"),
        ("infra:retries-exhausted", "failed"),
    ],
)
def test_a_failed_replay_gives_its_reason_to_the_item(world: World, reason: str, verdict: str) -> None:
    submission = submit(world.user)
    fail(verifications(submission)[0], reason)
    item = submission.items.get(position=0)
    assert (item.verdict, item.reason, item.detail) == (verdict, reason, "step 0")
    assert item.value is None
    assert item.explanation is not None
    assert item.explanation.remedy


def test_a_submission_whose_items_all_fail_has_no_score_and_never_ranks(world: World) -> None:
    failed, refuted = submit(world.user), submit(world.other, document([[4], [5], [6]]))
    for verification in verifications(failed):
        fail(verification, "env:crash")
    for verification in verifications(refuted):
        fail(verification, "semantics:crash")
    assert (state(failed), state(refuted)) == ("failed", "refuted")
    assert [standing(one).score for one in (failed, refuted)] == [None, None]
    assert {row.rank for row in standings.standings(world.board, EVERY_ENTRY)} == {None}


def test_an_implausible_ratio_waits_for_a_reviewer_and_is_not_ranked(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 50, 100, 100)
    item = submission.items.get(position=0)
    assert (item.verdict, item.reason, item.value, item.ratio) == (
        "quarantined",
        "policy:implausible",
        50,
        2.0,
    )
    assert state(submission) == "partial"
    assert standing(submission).rank is None


def test_a_published_item_ranks_and_raises_what_is_plausible(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 50, 100, 100)
    ids = list(submission.items.values_list("pk", flat=True))
    assert review(item_ids=ids, accept=True, reviewer="root") == 1
    assert state(submission) == "verified"
    assert standing(submission).rank == 1
    better = submit(world.other, document([[7], [8], [9]]))
    record_all(better, 45, 100, 100)
    assert state(better) == "verified"
    assert standing(submission).rank == 2


def test_a_refused_item_fails_with_the_policys_reason(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 50, 100, 100)
    item = submission.items.get(position=0)
    assert review(item_ids=[item.pk], accept=False, reviewer="root") == 1
    item.refresh_from_db()
    assert (item.verdict, item.reason) == ("failed", "policy:implausible")
    assert review(item_ids=[item.pk], accept=True, reviewer="root") == 0


def test_settling_again_changes_nothing(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 100, 100, 100)
    before = list(submission.items.values())
    assert decide_ended_items(verifications=verifications(submission)) == set()
    assert list(submission.items.values()) == before


def test_rebuilding_gives_the_same_standings(world: World) -> None:
    record_all(submit(world.user), 90, 90, 90)
    record_all(submit(world.other, document([[4], [5], [6]])), 95, 95, 95)
    rows = standings.standings(world.board, EVERY_ENTRY)
    fields = ("submission_id", "position", "rank", "score", "verified", "total", "effective_actions")
    before = [[getattr(row, name) for name in fields] for row in rows]
    assert [row[2] for row in before] == [1, 2]
    assert rebuild_boards(board_ids=[world.board.pk]) == {world.board.pk: set()}
    assert [[getattr(row, name) for name in fields] for row in rows] == before


def test_only_the_best_entry_of_an_agent_is_ranked(world: World) -> None:
    worse = submit(world.user, document([[1], [2], [3]], agent="Greedy"))
    better = submit(world.user, document([[4], [5], [6]], agent=" greedy "))
    record_all(worse, 99, 99, 99)
    record_all(better, 90, 90, 90)
    assert (standing(better).rank, standing(worse).rank) == (1, None)
    assert [row.submission for row in standings.standings(world.board)] == [better]
    assert [row.submission for row in standings.standings(world.board, EVERY_ENTRY)] == [better, worse]


def test_two_users_agents_of_one_name_are_two_agents(world: World) -> None:
    one, two = submit(world.user), submit(world.other, document([[4], [5], [6]]))
    record_all(one, 99, 99, 99)
    record_all(two, 90, 90, 90)
    assert (standing(one).rank, standing(two).rank) == (2, 1)


def test_the_earlier_entry_stands_first_among_equals_however_short_the_later_is(world: World) -> None:
    longer = submit(world.user)
    shorter = submit(world.other, document([[], [2], [3]]))
    record_all(longer, 100, 100, 100)
    record(verifications(shorter)[0], 100)
    assert [(row.submission, row.rank) for row in standings.standings(world.board)] == [
        (longer, 1),
        (shorter, 1),
    ]


def test_withdrawing_cancels_what_nobody_else_waits_for(world: World) -> None:
    submission = submit(world.user)
    withdraw(submission_id=submission.pk, actor=world.user)
    assert [one.state for one in verifications(submission)] == ["cancelled"] * 3
    assert verdicts(submission) == [("withdrawn", "user:withdrawn")] * 3
    assert state(Submission.objects.get(pk=submission.pk)) == "withdrawn"
    assert not Standing.objects.exists()


def test_a_withdrawal_by_staff_is_told_as_theirs_and_logged(world: World, client: Client) -> None:
    submission, staff = submit(world.user), make_user("root", staff=True)
    with capture_logs() as logged:
        withdraw(submission_id=submission.pk, actor=staff)
    assert verdicts(submission) == [("withdrawn", "policy:withdrawn")] * 3
    assert {"event": "submission_withdrawn", "submission": str(submission.pk), "actor": "root"} in [
        {name: text for name, text in line.items() if name != "log_level"} for line in logged
    ]
    page = client.get(submission.get_absolute_url()).content.decode()
    assert "by its owner" not in page
    assert "The operator of this server withdrew the submission." in page


def test_withdrawing_leaves_what_somebody_else_waits_for(world: World) -> None:
    mine, theirs = submit(world.user), submit(world.other)
    withdraw(submission_id=mine.pk, actor=world.user)
    assert [one.state for one in verifications(theirs)] == ["queued"] * 3
    record_all(theirs, 100, 100, 100)
    assert state(theirs) == "verified"
    assert verdicts(mine) == [("withdrawn", "user:withdrawn")] * 3


def test_the_same_actions_can_be_submitted_again_after_a_withdrawal(world: World) -> None:
    first = submit(world.user)
    withdraw(submission_id=first.pk, actor=world.user)
    second = submit(world.user)
    assert [one.state for one in verifications(second)] == ["queued"] * 3
    record_all(second, 100, 100, 100)
    assert standing(second).rank == 1


def test_withdrawing_a_ranked_submission_moves_the_others_up(world: World) -> None:
    best, second = submit(world.user), submit(world.other, document([[4], [5], [6]]))
    record_all(best, 90, 90, 90)
    record_all(second, 95, 95, 95)
    withdraw(submission_id=best.pk, actor=world.user)
    assert standing(second).rank == 1
    assert SubmissionItem.objects.filter(submission=best, value__isnull=False).count() == 0


def test_only_the_owner_can_withdraw_and_only_once(world: World) -> None:
    submission = submit(world.user)
    with pytest.raises(PermissionDenied):
        withdraw(submission_id=submission.pk, actor=world.other)
    assert state(submission) == "verifying"
    withdraw(submission_id=submission.pk, actor=world.user)
    with pytest.raises(Conflict, match="already withdrawn"):
        withdraw(submission_id=submission.pk, actor=world.user)


def test_a_verification_that_an_operator_cancels_fails_the_item_with_a_reason(world: World) -> None:
    submission = submit(world.user)
    requests.cancel(verification_id=verifications(submission)[0].pk, actor="operator")
    assert verdicts(submission)[0] == ("failed", "infra:internal")


def test_the_timeline_tells_what_happened(world: World) -> None:
    submission = submit(world.user)
    lease = leases.lease(verification_id=verifications(submission)[0].pk, worker="test")
    assert lease is not None
    leases.give_back(lease=lease, reason="infra:internal", detail="lost")
    record_all(submit(world.other, document([[9]])), 100)
    texts = [event.text for event in submission_queries.timeline(submission)]
    assert texts == [
        "Submitted with 3 items",
        "First replay started",
        "A replay was interrupted and queued again (infra:internal)",
    ]


def test_references_stand_among_the_rows_by_score(world: World) -> None:
    best, middle = submit(world.user), submit(world.other, document([[4], [5], [6]]))
    record_all(best, 90, 90, 90)
    record_all(middle, 110, 110, 110)
    partial = submit(world.user, document([[7]], agent="partial"))
    record(verifications(partial)[0], 70)
    rows = board_queries.board_rows(
        list(standings.standings(world.board)), board_queries.references(world.board)
    )
    labels = [
        row.reference.label if row.reference else row.standing.submission.agent
        for row in rows
        if row.reference or row.standing
    ]
    assert labels == ["agent", "LLVM -Oz", "agent", "LLVM -O2", "LLVM -O3", "LLVM -O1", "partial"]
    references = board_queries.references(world.board)
    assert references[0].score == 1.0
    assert references[1].score == pytest.approx(100 / 120)

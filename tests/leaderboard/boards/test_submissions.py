"""Storing submissions, deriving verdicts, rebuilding standings, withdrawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import PermissionDenied
from structlog.testing import capture_logs

from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
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


def test_verified_items_score_and_rank_the_submission(world: World) -> None:
    submission = submit(world.user)
    assert [one.state for one in verifications(submission)] == ["queued"] * 3
    assert (state(submission), standing(submission).score, standing(submission).rank) == (
        "verifying",
        None,
        None,
    )
    record(verifications(submission)[0], 100)
    row = standing(submission)
    assert (row.rank, row.verified, row.pending, row.total) == (None, 1, 2, 3)
    assert row.score == pytest.approx((1 * 0.25 * 0.25) ** (1 / 3))
    record_all(submission, 100, 80, 125)
    assert verdicts(submission) == [("verified", "")] * 3
    assert state(submission) == "verified"
    row = standing(submission)
    assert row.score == pytest.approx(1.0)
    assert row.mean_improvement == pytest.approx((0 + 0.2 - 0.25) / 3)
    assert (row.rank, row.verified, row.total, row.effective_actions) == (1, 3, 3, 3)
    before = list(submission.items.values())
    assert decide_ended_items(verifications=verifications(submission)) == set()
    assert list(submission.items.values()) == before


def test_equal_actions_share_one_verification_whoever_submits_them(world: World) -> None:
    wrong = document()
    wrong["items"][0]["claims"] = {"ir_instructions": 90}
    first, second, claimed = (
        submit(world.user),
        submit(world.other),
        submit(world.other, wrong | {"agent": "c"}),
    )
    assert verifications(first) == verifications(second) == verifications(claimed)
    record_all(first, 100, 100, 100)
    assert [state(one) for one in (first, second, claimed)] == ["verified", "verified", "partial"]
    assert [standing(one).rank for one in (first, second)] == [1, 1]
    assert submission_queries.first_with_same_content(second) == first
    assert submission_queries.first_with_same_content(first) is None
    late = submit(world.other, document(agent="late"))
    assert (state(late), standing(late).complete, Verification.objects.count()) == ("verified", True, 3)


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


def test_a_failed_replay_gives_its_reason_to_the_item(world: World) -> None:
    expected = {
        "semantics:output-differs": "refuted",
        "semantics:verifier": "refuted",
        "env:crash": "failed",
        "env:ir-growth": "failed",
        "user:invalid-action": "failed",
        "infra:retries-exhausted": "failed",
    }
    submissions = submit(world.user), submit(world.other, document([[4], [5], [6]]))
    waiting = [one for submission in submissions for one in verifications(submission)]
    items = [one for submission in submissions for one in submission.items.order_by("position")]
    for verification, item, reason in zip(waiting, items, expected, strict=True):
        fail(verification, reason)
        item.refresh_from_db()
        assert (item.verdict, item.reason, item.detail) == (expected[reason], reason, "step 0")
        assert (item.value, bool(item.explanation.remedy)) == (None, True)


def test_a_submission_whose_items_all_fail_has_no_score_and_never_ranks(world: World) -> None:
    failed, refuted = submit(world.user), submit(world.other, document([[4], [5], [6]]))
    for verification in verifications(failed):
        fail(verification, "env:crash")
    for verification in verifications(refuted):
        fail(verification, "semantics:crash")
    assert (state(failed), state(refuted)) == ("failed", "refuted")
    assert [standing(one).score for one in (failed, refuted)] == [None, None]
    assert {row.rank for row in standings.standings(world.board, EVERY_ENTRY)} == {None}


def test_an_implausible_ratio_waits_for_a_reviewer_and_what_is_published_ranks(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 50, 100, 100)
    item = submission.items.get(position=0)
    assert (item.verdict, item.reason, item.value) == ("quarantined", "policy:implausible", 50)
    assert (item.ratio, state(submission), standing(submission).rank) == (2.0, "partial", None)
    ids = list(submission.items.values_list("pk", flat=True))
    assert review(item_ids=ids, accept=True, reviewer="root") == 1
    assert (state(submission), standing(submission).rank) == ("verified", 1)
    better = submit(world.other, document([[7], [8], [9]]))
    record_all(better, 45, 100, 100)
    assert (state(better), standing(submission).rank) == ("verified", 2)


def test_a_refused_item_fails_with_the_policys_reason(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 50, 100, 100)
    item = submission.items.get(position=0)
    assert review(item_ids=[item.pk], accept=False, reviewer="root") == 1
    item.refresh_from_db()
    assert (item.verdict, item.reason) == ("failed", "policy:implausible")
    assert review(item_ids=[item.pk], accept=True, reviewer="root") == 0


def test_only_the_best_entry_of_an_agent_is_ranked_and_agents_are_an_owners(world: World) -> None:
    worse = submit(world.user, document([[1], [2], [3]], agent="Greedy"))
    better = submit(world.user, document([[4], [5], [6]], agent=" greedy "))
    others = submit(world.other, document([[7], [8], [9]], agent="greedy"))
    for submission, value in ((worse, 99), (better, 90), (others, 95)):
        record_all(submission, value, value, value)
    assert [standing(one).rank for one in (better, worse, others)] == [1, None, 2]
    assert [row.submission for row in standings.standings(world.board)] == [better, others]
    rows = standings.standings(world.board, EVERY_ENTRY)
    assert [row.submission for row in rows] == [better, others, worse]


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
    submission, theirs = submit(world.user), submit(world.other, document([[1]]))
    with pytest.raises(PermissionDenied):
        withdraw(submission_id=submission.pk, actor=world.other)
    withdraw(submission_id=submission.pk, actor=world.user)
    with pytest.raises(Conflict, match="already withdrawn"):
        withdraw(submission_id=submission.pk, actor=world.user)
    assert [one.state for one in verifications(submission)] == ["queued", "cancelled", "cancelled"]
    record_all(theirs, 100)
    assert state(theirs) == "verified"
    assert verdicts(submission) == [("withdrawn", "user:withdrawn")] * 3
    assert state(Submission.objects.get(pk=submission.pk)) == "withdrawn"
    assert not Standing.objects.filter(submission=submission).exists()


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

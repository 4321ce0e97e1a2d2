"""``manage.py reverify``: doubted ends are replayed anew, items wait for them, and standings follow."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from leaderboard.boards.services import rebuild_boards
from leaderboard.models import FormerVerdict, Standing, SubmissionItem
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.verdicts import review
from runner.models import Verification
from runner.queue import leases
from tests.kit.boards import (
    World,
    document,
    fail,
    record,
    record_all,
    standing,
    submit,
    take,
    verifications,
)

if TYPE_CHECKING:
    from leaderboard.models import Submission


def reverify(*arguments: str) -> str:
    output = io.StringIO()
    call_command("reverify", *arguments, stdout=output)
    return output.getvalue()


def verdicts(submission: Submission) -> list[str]:
    return list(submission.items.order_by("position").values_list("verdict", flat=True))


def one(world: World, actions: list[int], value: int, agent: str = "agent") -> SubmissionItem:
    submission = submit(world.user, document([actions], agent=agent))
    record_all(submission, value)
    return submission.items.get()


def waiting(item: SubmissionItem) -> Verification:
    item.refresh_from_db()
    assert item.verdict == "pending"
    assert item.verification is not None
    return item.verification


def consistent(world: World) -> bool:
    return rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}


def test_failures_are_replayed_anew_and_those_of_the_infrastructure_and_results_are_not(world: World) -> None:
    first, other = submit(world.user), submit(world.other, document([[1], [8]]))
    crashed, broken, recorded = verifications(first)
    fail(crashed, "env:timeout")
    fail(broken, "infra:killed")
    record(recorded, 80)
    assert verdicts(first) == ["failed", "failed", "verified"]
    said = reverify()
    assert f"{crashed.pk} env:timeout" in said
    assert "1 verifications; 2 items are pending" in said
    assert (verdicts(first), verdicts(other)) == (["pending", "failed", "verified"], ["pending"] * 2)
    new = waiting(other.items.get(position=0))
    assert new == waiting(first.items.get(position=0)) != crashed
    assert (new.events.get().actor, new.wanted_metrics) == ("reverify", ["ir_instructions"])
    assert consistent(world)
    record(new, 90)
    assert (verdicts(first), verdicts(other)) == (["verified", "failed", "verified"], ["verified", "pending"])
    assert consistent(world)
    kept = FormerVerdict.objects.filter(item__submission=first).get()
    assert (kept.verification_id, kept.reason, kept.reopened_by) == (crashed.pk, "env:timeout", "reverify")


def test_running_it_again_changes_nothing(world: World) -> None:
    submission = submit(world.user)
    for verification in verifications(submission):
        fail(verification, "semantics:crash")
    assert "3 verifications; 3 items are pending" in reverify()
    count = Verification.objects.count()
    assert "0 verifications" in reverify()
    for verification in verifications(submission):
        fail(verification, "semantics:crash")
    assert "0 verifications" in reverify()
    assert (verdicts(submission), Verification.objects.count()) == (["refuted"] * 3, count)


def test_a_failure_that_was_repeated_is_not_doubted(world: World) -> None:
    [verification, *_] = verifications(submit(world.user))
    lease = take(verification)
    leases.record_suspicion(lease=lease, report=leases.AttemptReport(reason="env:crash", detail="once"))
    leases.fail(lease=lease, reason="env:crash", detail="twice")
    assert "0 verifications" in reverify()


def test_a_dry_run_lists_and_writes_nothing_and_a_time_chooses(world: World) -> None:
    submission = submit(world.user)
    fail(verifications(submission)[0], "env:crash")
    said = reverify("--dry-run")
    assert ("env:crash" in said, "1 verifications; nothing was written" in said) == (True, True)
    assert (Verification.objects.count(), verdicts(submission)[0]) == (3, "failed")
    assert not Verification.objects.filter(superseded_at__isnull=False).exists()
    before, after = (timezone.now() + timedelta(hours=hours) for hours in (-1, 1))
    assert "0 verifications" in reverify("--before", before.isoformat())
    assert "0 verifications" in reverify("--before", "2001-01-01")
    assert "1 verifications; 1 items" in reverify("--before", after.isoformat())


def test_a_failure_that_nobody_waits_for_only_stops_to_answer(world: World) -> None:
    submission = submit(world.user)
    verification = verifications(submission)[0]
    fail(verification, "env:crash")
    withdraw(submission_id=submission.pk, actor=world.user)
    assert "1 verifications; 0 items are pending" in reverify()
    assert (Verification.objects.count(), verdicts(submission)) == (3, ["withdrawn"] * 3)
    assert verifications(submit(world.other))[0].pk != verification.pk


def test_the_best_of_each_benchmark_is_replayed_anew_once(world: World) -> None:
    best, second = one(world, [1], 80, "best"), one(world, [2], 90, "second")
    said = reverify("--champions", "--board", "test-ic")
    assert ("1 verifications; 1 items" in said, f"{best.verification_id} recorded" in said) == (True, True)
    # While it waits it is still the champion: the second best is not replayed in its place.
    assert "0 verifications" in reverify("--champions")
    row = Standing.objects.get(submission=best.submission)
    assert (row.pending, row.verified, row.score) == (1, 0, None)
    record(waiting(best), 80)
    best.refresh_from_db()
    second.refresh_from_db()
    assert (best.verdict, best.value, second.verdict) == ("verified", 80, "verified")
    assert "0 verifications" in reverify("--champions")
    later = (timezone.now() + timedelta(hours=1)).isoformat()
    assert "1 verifications; 1 items" in reverify("--champions", "--before", later)
    assert consistent(world)


def test_a_champion_that_fails_again_loses_its_verdict_and_its_standing(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 80, 80, 80)
    other = submit(world.other, document([[1], [4], [5]]))
    record_all(other, 80, 90, 90)
    assert (standing(submission).rank, standing(other).rank) == (1, 2)
    assert "3 verifications; 4 items are pending" in reverify("--champions")
    first, *rest = verifications(submission)
    fail(first, "semantics:output-differs")
    for verification in rest:
        record(verification, 80)
    assert verdicts(submission) == verdicts(other) == ["refuted", "verified", "verified"]
    assert (standing(submission).rank, standing(submission).verified) == (None, 2)
    assert standing(other).verified == 2
    assert consistent(world)
    kept = FormerVerdict.objects.get(item=submission.items.get(position=0))
    assert (kept.verdict, kept.value, kept.ratio) == ("verified", 80, 1.25)


def test_a_reviewers_decision_holds_for_the_new_replay(world: World) -> None:
    published, refused = one(world, [1], 20, "published"), one(world, [2], 10, "refused")
    review(item_ids=[published.pk], accept=True, reviewer="root")
    review(item_ids=[refused.pk], accept=False, reviewer="root")
    reverify("--champions")
    record(waiting(published), 20)
    published.refresh_from_db()
    refused.refresh_from_db()
    assert (published.verdict, refused.verdict) == ("verified", "failed")
    assert refused.reason == "policy:implausible"
    assert FormerVerdict.objects.get().reviewed
    # Only what the reviewer saw is published: a better value waits for another review.
    reverify("--champions", "--before", (timezone.now() + timedelta(hours=1)).isoformat())
    record(waiting(published), 15)
    published.refresh_from_db()
    assert published.verdict == "quarantined"


def test_wrong_arguments_are_named(world: World) -> None:
    for arguments, said in (
        (["--before", "yesterday"], "--before is 'yesterday'"),
        (["--before", "2026-99-99"], "--before is '2026-99-99'"),
        (["--board", "test-ic"], "add --champions"),
        (["--champions", "--board", "nothing"], "There is no board 'nothing'. Boards: test-ic."),
    ):
        with pytest.raises(CommandError, match=re.escape(said)):
            reverify(*arguments)

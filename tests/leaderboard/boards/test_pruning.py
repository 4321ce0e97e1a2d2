"""Old history can be deleted; results, verdicts and standings stay as they are."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from leaderboard.boards.services import rebuild_boards
from leaderboard.management.commands.prune import prune
from leaderboard.models import Standing, SubmissionItem
from leaderboard.submissions import steps as submission_steps
from runner.models import Calibration, VerificationEvent
from runner.queue import requests
from tests.factories import make_calibration
from tests.kit.boards import document, record_all, submit, verifications

if TYPE_CHECKING:
    from django.test import Client

    from tests.kit.boards import World

BETTER, WORSE = (100, 100, 100), (300, 300, 300)


def judged() -> list[tuple[object, ...]]:
    """Every verdict with its figures, and every entry's score."""
    items = SubmissionItem.objects.order_by("pk")
    figures = ("pk", "verdict", "value", "ratio", "effective_actions")
    return [*items.values_list(*figures), *Standing.objects.order_by("pk").values_list("pk", "score")]


def later() -> timedelta:
    """After everything that a test made."""
    return timedelta(hours=1)


@pytest.fixture
def two_entries(world: World) -> World:
    """One agent's better entry and its worse one, both verified."""
    record_all(submit(world.user), *BETTER)
    record_all(submit(world.user, document([[4], [5], [6]])), *WORSE)
    return world


def test_pruning_keeps_results_and_what_a_board_shows(two_entries: World, client: Client) -> None:
    before = judged()
    events = VerificationEvent.objects.count()
    counted = prune(before=timezone.now() + later(), write=False)
    assert VerificationEvent.objects.count() == events
    found = prune(before=timezone.now() + later())
    assert found == counted
    assert (found.traces, found.events) == (3, 6 * 4)
    assert judged() == before
    assert rebuild_boards(board_ids=[two_entries.board.pk], write=False) == {two_entries.board.pk: set()}
    for seqs in VerificationEvent.objects.values_list("verification", "seq").order_by("verification", "seq"):
        assert seqs[1] in {1, 6}
    best = Standing.objects.get(best_of_agent=True).submission
    worse = Standing.objects.get(best_of_agent=False).submission
    for submission, pruned in ((best, False), (worse, True)):
        item = submission.items.select_related("verification", "submission__board__environment_version").get(
            position=0
        )
        trace = submission_steps.trace(item)
        assert (trace.pruned, bool(trace.steps)) == (pruned, not pruned)
        page = client.get(item.get_absolute_url()).content.decode()
        assert ("were deleted to save space" in page) is pruned
    assert prune(before=timezone.now() + later()).traces == 0
    again = submit(two_entries.other, document([[4], [5], [6]]))
    verdicts = again.items.order_by("position").values_list("verdict", "value", "effective_actions")
    assert list(verdicts) == [("verified", 300.0, 1)] * 3, "a pruned replay still decides new items"


def test_recent_history_stays(two_entries: World) -> None:
    out = StringIO()
    call_command("prune", days=1, stdout=out)
    assert out.getvalue() == "Deleted: 0 events, 0 traces, 0 calibrations, 0 keys, 0 tokens, 0 sessions\n"
    for days in (0, 1_000_000):
        with pytest.raises(CommandError, match=f"--days is {days}; give 1 to 36500"):
            call_command("prune", days=days)


@pytest.mark.django_db
def test_old_calibrations_are_deleted() -> None:
    new = make_calibration()
    make_calibration(now=new.at - timedelta(days=400))
    before = new.at - timedelta(days=365)
    assert prune(before=before, write=False).calibrations == 1
    assert prune(before=before).calibrations == 1
    assert list(Calibration.objects.all()) == [new]


def test_a_superseded_replay_keeps_how_it_ended(two_entries: World) -> None:
    item = SubmissionItem.objects.order_by("pk").first()
    assert item is not None
    assert item.verification_id is not None
    requests.supersede(verification_id=item.verification_id, actor="reverify")
    prune(before=timezone.now() + later())
    kept = VerificationEvent.objects.filter(verification=item.verification_id).order_by("seq")
    assert list(kept.values_list("seq", "to_state")) == [(1, "queued"), (6, "recorded"), (7, "recorded")]


@pytest.mark.parametrize("role", ["owner", "somebody"])
def test_the_database_still_refuses_everybody_else(world: World, role: str) -> None:
    """Neither without an announcement, nor by a role that does not own the tables."""
    submission = submit(world.user)
    record_all(submission, *BETTER)
    [first, *_] = verifications(submission)
    events = first.events.count()
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE somebody BYPASSRLS")
        cursor.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO somebody")
        if role == "somebody":
            cursor.execute("SET LOCAL ROLE somebody")
            cursor.execute("SET LOCAL optarena.pruning = 'on'")
        for statement in (
            "DELETE FROM runner_verificationevent WHERE verification_id = %s",
            "UPDATE runner_verification SET metrics = '{}' WHERE id = %s",
        ):
            with pytest.raises(IntegrityError, match="history is only added to"), transaction.atomic():
                cursor.execute(statement, [first.pk])
        cursor.execute("RESET ROLE")
    assert first.events.count() == events

"""The limit above which a result waits for a reviewer: one's own results never raise one's own limit."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.submissions.services import withdraw
from leaderboard.submissions.verdicts import History, review
from tests.factories import make_user
from tests.kit.boards import World, document, record_all, submit

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import SubmissionItem

_actions = itertools.count(10)


def result(owner: User, ratio: float, agent: str = "agent") -> SubmissionItem:
    """A new submission of one item with this ratio; -Oz has 100 instructions."""
    submission = submit(owner, document([[number := next(_actions) % 100, number]], agent=agent))
    record_all(submission, round(100 / ratio))
    item: SubmissionItem = submission.items.get()
    return item


def test_eight_results_of_one_owner_never_move_the_limit(world: World) -> None:
    ratios = [1.25, 1.5, 1.85, 2.3, 2.8, 3.5, 4.3, 5.3]
    verdicts = [result(world.user, ratio, f"agent {ratio}").verdict for ratio in ratios]
    assert verdicts == ["verified"] * 2 + ["quarantined"] * 6


def test_a_doubtful_result_reads_no_more_of_a_long_board(world: World) -> None:
    """Its cost must not grow with the board: only the best result of somebody else matters."""
    for number in range(8):
        result(world.other, 1.1, f"agent {number}")
    connection.cursor().execute("ANALYZE leaderboard_submissionitem, leaderboard_submission")
    item = result(world.user, 3)
    with CaptureQueriesContext(connection) as done:
        history = History.of(world.board, [item])
    assert history.best_for(item) == pytest.approx(100 / 91)
    with connection.cursor() as cursor:
        # A few rows are sorted faster than looked up; a long board is not.
        cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {done[0]['sql']}")
        [[[told]]] = cursor.fetchall()
    assert read_rows(told["Plan"], "item") <= 1


def read_rows(plan: dict[str, Any], alias: str) -> float:
    """How many rows of a table a statement read, from PostgreSQL's account of it."""
    own = plan["Actual Rows"] * plan["Actual Loops"] if plan.get("Alias") == alias else 0
    return float(own + sum(read_rows(part, alias) for part in plan.get("Plans", ())))


def test_withdrawn_entries_move_no_limit(world: World) -> None:
    for owner in (world.user, world.other):
        item = result(owner, 1.5)
        withdraw(submission_id=item.submission_id, actor=owner)
    assert result(world.user, 1.85).verdict == "quarantined"


def test_a_result_of_another_owner_moves_it(world: World) -> None:
    assert result(world.other, 1.5).verdict == "verified"
    assert [result(world.user, ratio).verdict for ratio in (1.9, 1.85)] == ["quarantined", "verified"]


def test_owners_raise_each_other_and_a_quarantined_result_raises_nobody(world: World) -> None:
    assert result(world.user, 3).verdict == "quarantined"
    assert result(world.other, 1.85).verdict == "quarantined"
    assert result(make_user("eve"), 1.5).verdict == "verified"
    assert result(world.user, 1.85).verdict == "verified"
    assert result(world.other, 2.25).verdict == "verified"
    assert result(world.other, 2.5).verdict == "quarantined"


@pytest.mark.parametrize("accept", [True, False])
def test_a_published_result_raises_the_limit_of_its_owner_too(world: World, *, accept: bool) -> None:
    item = result(world.user, 2)
    review(item_ids=[item.pk], accept=accept, reviewer="root")
    item.refresh_from_db()
    assert item.reviewed
    expected = "verified" if accept else "quarantined"
    assert [result(owner, 2.4).verdict for owner in (world.user, world.other)] == [expected] * 2


def test_replays_that_are_known_already_are_judged_by_the_same_rule(world: World) -> None:
    for number, value in enumerate((67, 55, 45)):
        record_all(submit(world.other, document([[70, number]], agent=f"agent {number}")), value)
    # The other owner's 1.49 makes 1.82 plausible here, and 1.82 is no reason for one's own 2.22.
    own = [submit(world.user, document([[70, number]], agent=f"x{number}")) for number in range(3)]
    assert [one.items.get().verdict for one in own] == ["verified", "verified", "quarantined"]

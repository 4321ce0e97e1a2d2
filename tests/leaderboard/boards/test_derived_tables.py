"""Bests, periods and what entries lack: after any story, what a computation from all items gives."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.accounts.services import delete_account
from leaderboard.boards import standings
from leaderboard.boards.services import rebuild_boards
from leaderboard.models import BestResult, Standing, StandingPeriod, SubmissionItem
from leaderboard.records import queries as record_queries
from leaderboard.submissions.replay_again import repeat_item
from leaderboard.submissions.services import withdraw
from runner.models import Verification
from tests.factories import PASSWORD
from tests.kit import noisy_boards
from tests.kit.boards import EVERY_ENTRY, URIS, World, agent, fail
from tests.kit.credit import entry
from tests.kit.examples import examples
from tests.kit.stories import EVENTS, Story

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

FLOOR: Final = math.log(100 / 400)
"""What a benchmark without a verified result counts: the unoptimised program beside -Oz."""
_FIGURES: Final = (
    *("submission_id", "agent_group", "best_of_agent", "score", "mean_improvement", "verified", "copied"),
    *("total", "effective_actions", "submitted_at", "log_variance", "log_freedom", "missing"),
)


class Best(NamedTuple):
    """A best result, without which items tie for second place."""

    item: int
    submission: object
    log_ratio: float
    log_without: float
    log_floor: float
    own: bool | None


def best_of(items: list[SubmissionItem], floor: float) -> Best:
    """The best of a benchmark's verified items, and what would be left without its find."""
    first, *others = sorted(items, key=lambda one: (-(one.ratio or 0), one.submission.created, one.pk))
    left = [
        log_of(one)
        for one in others
        if one.state_sha256 != first.state_sha256
        or not one.state_sha256
        or (one.own and one.submission.owner_id != first.submission.owner_id)
    ]
    best = log_of(first)
    without = min(best, max([floor, *left]))
    return Best(first.pk, first.submission_id, best, without, floor, first.own)


def log_of(item: SubmissionItem) -> float:
    """The logarithm of the ratio of a verified item."""
    assert item.log_ratio is not None
    return item.log_ratio


def expected_bests(world: World, floor: float) -> dict[str, Best]:
    """The best results of a board, from all of its items."""
    verified = SubmissionItem.objects.filter(submission__board=world.board, verdict="verified")
    by_program: dict[str, list[SubmissionItem]] = defaultdict(list)
    for item in verified.select_related("submission"):
        by_program[item.benchmark_uri].append(item)
    return {uri: best_of(items, floor) for uri, items in by_program.items()}


def kept_bests(world: World) -> dict[str, Best]:
    """The same as they are stored."""
    rows = BestResult.objects.filter(board=world.board)
    return {
        row.benchmark_uri: Best(
            *(row.item_id, row.submission_id, row.log_ratio, row.log_without, row.log_floor, row.own)
        )
        for row in rows
    }


def lacking(row: Standing) -> list[str]:
    """The programs that an entry has no verified result of, once all of its replays have ended."""
    if row.pending:
        return []
    verified = row.submission.items.filter(verdict="verified").values_list("benchmark_uri", flat=True)
    there = set(verified)
    return [uri for uri in URIS if uri not in there]


def open_periods(world: World) -> list[tuple[object, ...]]:
    return sorted(
        StandingPeriod.objects.filter(board=world.board, until=None).values_list(*_FIGURES), key=str
    )


def ended(world: World) -> list[tuple[object, ...]]:
    return sorted(Standing.objects.filter(board=world.board, pending=0).values_list(*_FIGURES), key=str)


def check(world: World) -> None:
    """What is kept is what the items give."""
    assert kept_bests(world) == expected_bests(world, FLOOR)
    for row in Standing.objects.filter(board=world.board).select_related("submission"):
        assert row.missing == lacking(row)
    assert open_periods(world) == ended(world)
    for period in StandingPeriod.objects.filter(board=world.board).order_by("since"):
        assert period.until is None or period.since <= period.until
    assert_one_best_at_a_time(world)


def assert_one_best_at_a_time(world: World) -> None:
    """The periods in which entries of one agent are its best do not overlap."""
    bests = StandingPeriod.objects.filter(board=world.board, best_of_agent=True).exclude(since=F("until"))
    last: dict[str, datetime | None] = {}
    for period in bests.order_by("since", "pk"):
        until = last.get(period.agent_group, period.since)
        assert until is not None, "An open period is followed by another one."
        assert until <= period.since
        last[period.agent_group] = period.until


def shown(world: World, as_of: datetime | None) -> list[tuple[object, ...]]:
    choice = standings.BoardChoice(every_entry=True, as_of=as_of) if as_of else EVERY_ENTRY
    return [(row.submission_id, row.position, row.rank) for row in standings.standings(world.board, choice)]


def check_past(world: World, told: dict[datetime, list[tuple[object, ...]]]) -> None:
    """The board of each moment is what it was then."""
    for moment, rows in told.items():
        assert shown(world, moment) == rows


def delete(story: Story, pick: int) -> None:
    """The second user leaves; the results stay."""
    if User.objects.get(pk=story.world.other.pk).is_active:
        delete_account(user=story.world.other, password=PASSWORD)


def rebuild(story: Story, pick: int) -> None:
    rebuild_boards(board_ids=[story.world.board.pk])


@settings(max_examples=examples(3))
@given(
    plan=st.lists(
        st.tuples(st.sampled_from([*EVENTS, delete, rebuild]), st.integers(0, 100)), min_size=5, max_size=30
    )
)
def test_any_story_leaves_the_bests_periods_and_gaps_that_its_items_give(
    world: World, plan: list[tuple[Callable[[Story, int], None], int]]
) -> None:
    with transaction.atomic():
        story, told = Story(world), {}
        for event, pick in plan:
            event(story, pick)
            check(world)
            told[timezone.now()] = shown(world, None)
        check_past(world, told)
        transaction.set_rollback(True)


def test_a_rebuild_ends_and_begins_periods_that_differ(world: World) -> None:
    gone, changed, whole = (
        entry(world.user, ((number,), (number + 1,), (number + 2,)), agent=agent(number))
        for number in (1, 4, 7)
    )
    withdraw(submission_id=gone.pk, actor=world.user)
    StandingPeriod.objects.filter(submission=gone).update(until=None)
    StandingPeriod.objects.filter(submission=changed, until=None).update(score=2.0)
    StandingPeriod.objects.filter(submission=whole).delete()
    before = list(StandingPeriod.objects.values())
    found = rebuild_boards(board_ids=[world.board.pk], write=False)[world.board.pk]
    assert {changed.pk, whole.pk} <= found
    assert list(StandingPeriod.objects.values()) == before, "a check writes nothing"
    rebuild_boards(board_ids=[world.board.pk])
    check(world)


def test_of_one_agents_entries_the_former_best_ends_when_the_next_one_begins(world: World) -> None:
    entry(world.user, value=90)
    entry(world.user, ((4,), (5,), (6,)), value=80)
    assert_one_best_at_a_time(world)
    assert StandingPeriod.objects.filter(best_of_agent=True).count() == 2
    # As where the periods of a restored backup are older than its standings.
    former, left = StandingPeriod.objects.get(until=None, best_of_agent=True), entry(world.user, value=70)
    StandingPeriod.objects.filter(submission=left).delete()
    StandingPeriod.objects.filter(pk=former.pk).update(until=None)
    StandingPeriod.objects.filter(submission=former.submission_id, since__gt=former.since).delete()
    rebuild_boards(board_ids=[world.board.pk])
    check(world)


def test_a_rebuild_tells_since_when_an_entry_that_it_mends_is_ranked(world: World) -> None:
    made = entry(world.user)
    Standing.objects.update(score=None, ranked_at=None)
    rebuild_boards(board_ids=[world.board.pk])
    assert Standing.objects.get().ranked_at == made.items.latest("decided_at").decided_at
    assert [rise.submission for rise in record_queries.best_over_time(world.board)] == [made.pk]


def test_bests_follow_repeated_measurements(noisy: World) -> None:
    """Each repetition moves what its item measured: the first ones change places, and one is contradicted."""
    made = [
        noisy_boards.entry(noisy, gflops, actions=(number,), agent=agent(number))
        for number, gflops in ((1, 6.0), (2, 7.0), (3, 8.0))
    ]
    holders = []
    for number, gflops in ((2, 4.0), (0, 20.0), (1, 30.0), (2, 60.0)):
        repeat_item(submission_id=made[number].pk, position=0, actor=noisy.other)
        [waiting] = Verification.objects.filter(repeats__isnull=False, state="queued")
        noisy_boards.measure(waiting, gflops)
        assert kept_bests(noisy) == expected_bests(noisy, 0.0)
        holders.append(kept_bests(noisy)[noisy_boards.URIS[0]].submission)
    assert len(set(holders)) > 1
    repeat_item(submission_id=made[2].pk, position=0, actor=noisy.other)
    [waiting] = Verification.objects.filter(repeats__isnull=False, state="queued")
    fail(waiting, "env:crash")
    assert kept_bests(noisy) == expected_bests(noisy, 0.0)
    assert rebuild_boards(board_ids=[noisy.board.pk], write=False) == {noisy.board.pk: set()}

"""Standings that are kept entry by entry are those that a whole rebuild gives, in any order of events."""

from __future__ import annotations

import itertools
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from leaderboard.boards.services import rebuild_boards
from leaderboard.models import Board, Standing, Submission
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.verdicts import review
from tests.kit import noisy_boards
from tests.kit.boards import (
    EVERY_ENTRY,
    World,
    document,
    record,
    record_all,
    standing,
    submit,
    verifications,
)
from tests.kit.examples import examples
from tests.kit.placing import entry_of, place
from tests.kit.stories import EVENTS, VALUES, Story
from tests.kit.work import together

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable


Placement = tuple["uuid.UUID", int, int | None, bool]


def listed(board: Board) -> list[Placement]:
    """The board as it is read, with every entry."""
    rows = standings.standings(board, EVERY_ENTRY)
    return [(row.submission_id, row.position, row.rank, row.best_of_agent) for row in rows]


def paged(board: Board, size: int) -> list[tuple[uuid.UUID, int, int | None]]:
    """The best entries of the agents, read page by page."""
    rows = standings.standings(board)
    read = [row for start in range(0, len(rows), size) for row in rows[start : start + size]]
    return [(row.submission_id, row.position, row.rank) for row in read]


def expected(board: Board) -> list[Placement]:
    """The board as ``place`` makes it of the rows' own figures, without those that wait."""
    rows = Standing.objects.filter(board=board).order_by("submitted_at", "submission_id")
    placed = place(map(entry_of, rows), provisional=board.provisional)
    shown = [one for one in placed if rows.filter(submission=one.entry.key, pending=0)]
    return [(one.entry.key, number, one.rank, one.best) for number, one in enumerate(shown, start=1)]


def check(board: Board) -> None:
    """Every way of reading agrees with the whole placement, and a rebuild finds nothing to do."""
    places = expected(board)
    assert listed(board) == places
    best = [(key, rank) for key, _, rank, is_best in places if is_best]
    for size in (1, 2, len(places) + 1):
        assert paged(board, size) == [(key, number, rank) for number, (key, rank) in enumerate(best, start=1)]
    single = list(Standing.objects.filter(board=board))
    standings.set_ranks(single)
    ranks = {key: rank for key, _, rank, _ in places}
    assert {row.submission_id: row.rank for row in single if not row.pending} == ranks
    [read] = [one for one in board_queries.list_boards() if one.board.pk == board.pk]
    assert {row.submission_id for row in read.leaders} == {key for key, _, rank, _ in places if rank == 1}
    assert (read.entries, read.ranked) == (len(single), sum(rank is not None for _, _, rank, _ in places))
    assert rebuild_boards(board_ids=[board.pk], write=False) == {board.pk: set()}


@settings(max_examples=examples(3))
@given(plan=st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 100)), min_size=3, max_size=25))
def test_any_story_ends_with_the_standings_of_a_whole_rebuild(
    world: World, plan: list[tuple[Callable[[Story, int], None], int]]
) -> None:
    with transaction.atomic():
        story = Story(world)
        for event, pick in plan:
            event(story, pick)
            check(world.board)
        transaction.set_rollback(True)


scores = st.sampled_from([None, 0.0, 0.5, 1.0, 1.0, 1.5])
figures = st.tuples(st.sampled_from(["a", "b", "c"]), scores, st.integers(0, 3), st.integers(0, 2))


@settings(max_examples=examples(10))
@given(rows=st.lists(figures, max_size=12), provisional=st.booleans())
def test_the_database_places_rows_as_the_whole_placement_does(
    world: World, rows: list[tuple[str, float | None, int, int]], *, provisional: bool
) -> None:
    with transaction.atomic():
        Board.objects.filter(pk=world.board.pk).update(provisional=provisional)
        board = Board.objects.select_related("environment_version").get(pk=world.board.pk)
        made = [
            Submission.objects.create(board=board, owner=world.user, agent=agent, content_sha256="")
            for agent, *_ in rows
        ]
        unmarked = [
            Standing(
                board=board,
                submission=one,
                agent_group=agent,
                score=score,
                mean_improvement=score,
                verified=verified,
                total=3,
                effective_actions=actions,
                submitted_at=one.created,
                built_at=one.created,
            )
            for one, (agent, score, verified, actions) in zip(made, rows, strict=True)
        ]
        best = {one.entry.key for one in place(map(entry_of, unmarked)) if one.best}
        for row in unmarked:
            row.best_of_agent = row.submission_id in best
        Standing.objects.bulk_create(unmarked)
        assert listed(board) == expected(board)
        transaction.set_rollback(True)


def test_a_measured_board_is_kept_entry_by_entry_too(noisy: World) -> None:
    first = noisy_boards.entry(noisy, 4.0, actions=(1,), agent="low")
    noisy_boards.entry(noisy, 8.0, actions=(2,), agent="high")
    noisy_boards.entry(noisy, 80.0, actions=(3,), agent="part", uris=noisy_boards.URIS[:1])
    check(noisy.board)
    withdraw(submission_id=first.pk, actor=noisy.user)
    check(noisy.board)


measured = st.tuples(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))


@settings(max_examples=examples(2))
@given(
    found=st.lists(measured, min_size=len(noisy_boards.URIS), max_size=len(noisy_boards.URIS)),
    orders=st.lists(st.permutations(range(len(noisy_boards.URIS))), min_size=2, max_size=3),
)
def test_two_orders_of_the_same_ends_store_the_same_score(
    noisy: World, found: list[tuple[float, float]], orders: list[list[int]]
) -> None:
    stored = set()
    for order in orders:
        with transaction.atomic():
            submission = submit(noisy.user, noisy_boards.document())
            waiting = verifications(submission)
            for place in order:
                noisy_boards.measure(waiting[place], *found[place])
            doubtful = submission.items.filter(verdict="quarantined").values_list("pk", flat=True)
            review(item_ids=list(doubtful), accept=True, reviewer="root")
            row = standing(submission)
            assert row.complete
            error = (row.log_variance, row.log_freedom, row.variance_total, row.share_total)
            stored.add((row.score, row.mean_improvement, row.log_total, row.improvement_total, *error))
            check(noisy.board)
            transaction.set_rollback(True)
    assert len(stored) == 1


@pytest.mark.drawn
@pytest.mark.django_db(transaction=True)
def test_ends_at_the_same_time_leave_the_standings_of_a_whole_rebuild(world: World) -> None:
    for round_ in range(examples(1)):
        made = [
            submit(owner, document([[round_, number, place] for place in range(3)], agent=agent))
            for number, (owner, agent) in enumerate(
                itertools.product((world.user, world.other), ("greedy", "GREEDY"))
            )
        ]
        waiting = [one for submission in made for one in verifications(submission)]
        ends = [lambda v=one, n=n: record(v, VALUES[n % len(VALUES)]) for n, one in enumerate(waiting[:9])]
        leaving = made[-1]
        calls: list[Callable[[], Any]] = [
            *ends,
            lambda one=leaving: withdraw(submission_id=one.pk, actor=one.owner),
        ]
        results = together(*calls)
        assert not any(isinstance(one, Exception) for one in results), results
        check(world.board)


@pytest.mark.django_db(transaction=True)
def test_a_reader_sees_all_of_an_end_or_nothing_of_it(world: World) -> None:
    """Of two entries of one agent one is ranked, whenever somebody reads: never both and never none."""
    old = submit(world.user, document([[1], [1], [1]]))
    record_all(old, 100, 100, 100)
    new = submit(world.user, document([[2], [2], [2]]))
    *first, last = verifications(new)
    for one in first:
        record(one, 90)
    done: list[Any] = []

    def read() -> set[tuple[int | None, ...]]:
        seen = set()
        while not done:
            seen.add(tuple(row.rank for row in standings.standings(world.board, EVERY_ENTRY)))
        return seen

    def end() -> None:
        try:
            record(last, 90)
        finally:
            done.append(True)

    seen, ended = together(read, end)
    assert ended is None
    assert seen <= {(1,), (1, None)}, "the new one is not a row while a replay of it is left"
    assert standing(new).rank == 1


def test_ending_an_item_costs_the_same_queries_whatever_the_board_holds(world: World) -> None:
    def cost(number: int) -> int:
        [one] = verifications(submit(world.user, document([[number, 1]], agent=f"agent {number}")))
        with CaptureQueriesContext(connection) as captured:
            record(one, 90)
        return len(captured)

    few = [cost(3), cost(4), cost(1)][-1]  # the first is a record too, the second the best without it
    for number in range(10, 13):
        record_all(submit(world.other, document([[number]] * 3, agent=f"agent {number}")), 90, 90, 90)
    assert cost(2) == few


def test_ending_an_item_reads_no_other_item_of_its_entry(world: World) -> None:
    submission = submit(world.user)
    first, second, _ = verifications(submission)
    record(first, 90)
    with CaptureQueriesContext(connection) as captured:
        record(second, 90)
    read = [one["sql"] for one in captured if 'FROM "leaderboard_submissionitem"' in one["sql"]]
    assert len(read) == 1
    assert "FOR NO KEY UPDATE" in read[0], "the items that wait for this verification, and no others"


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("rebuild_standings", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_says_that_nothing_differs_and_names_boards_that_it_does_not_know(world: World) -> None:
    record_all(submit(world.user), 90, 90, 90)
    assert run() == run("test-ic", "--check") == "Board test-ic: 1 entries, none differed\n"
    with pytest.raises(CommandError, match=r"no board 'none'. Boards: test-ic"):
        run("none")


def test_the_command_finds_and_mends_what_differs(world: World) -> None:
    submission = submit(world.user)
    record_all(submission, 90, 90, 90)
    before: dict[str, Any] = dict(Standing.objects.values().get())
    damages: dict[str, Any] = {
        "score": 9.0,
        "best_of_agent": False,
        "agent_group": "nobody",
        "pending": 2,
        "effective_actions": 7,
        "verified": 2,
        "copied": 1,
        "log_total": "1p0",
    }
    for name, value in damages.items():
        Standing.objects.update(**{name: value})
        damaged = Standing.objects.values().get()
        with pytest.raises(CommandError, match="differ"):
            run("--check")
        assert Standing.objects.values().get() == damaged
        assert run() == f"Board test-ic: 1 entries, 1 differed: submissions {submission.pk}\n"
        mended: dict[str, Any] = dict(Standing.objects.values().get())
        differs = {one for one in before if before[one] != mended[one]}
        assert differs <= {"id", "built_at"}, name


def test_the_command_finds_rows_that_lack_and_rows_that_should_not_be(world: World) -> None:
    lost, gone = submit(world.user), submit(world.other)
    Standing.objects.filter(submission=lost).delete()
    Submission.objects.filter(pk=gone.pk).update(withdrawn_at=gone.created)
    assert "1 entries, 2 differed" in run()
    assert [row.submission_id for row in Standing.objects.all()] == [lost.pk]
    assert "none differed" in run("--check")


def test_a_score_that_rounds_to_nothing_is_listed_without_a_rank(world: World) -> None:
    submission = submit(world.user)
    Standing.objects.update(score=0.0, verified=3, pending=0)
    assert listed(world.board) == expected(world.board)
    assert standing(submission).rank is None

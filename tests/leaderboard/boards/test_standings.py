"""What is kept of a board entry by entry is what a whole rebuild gives, in any order of events."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.models import Baseline, DatasetVersion
from leaderboard.accounts.services import delete_account
from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from leaderboard.boards.services import rebuild_boards
from leaderboard.models import BestResult, Board, Standing, StandingPeriod, Submission, SubmissionItem
from leaderboard.submissions.replay_again import repeat_item
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.verdicts import review
from runner.models import Verification
from tests.factories import BOARD_DATASET, PASSWORD, make_board, make_dataset
from tests.kit import noisy_boards
from tests.kit.boards import (
    EVERY_ENTRY,
    URIS,
    World,
    agent,
    document,
    fail,
    owner_of,
    record,
    record_all,
    standing,
    submit,
    verifications,
)
from tests.kit.credit import entry
from tests.kit.examples import examples
from tests.kit.placing import entry_of, place
from tests.kit.stories import EVENTS, VALUES, Story
from tests.kit.work import together

if TYPE_CHECKING:
    import uuid
    from datetime import datetime

    from pytest_django import DjangoAssertNumQueries

    from leaderboard.boards.ranking import Reference


Placement = tuple["uuid.UUID", int, int | None, bool]


def listed(board: Board) -> list[Placement]:
    rows = standings.standings(board, EVERY_ENTRY)
    return [(row.submission_id, row.position, row.rank, row.best_of_owner) for row in rows]


def paged(board: Board, size: int) -> list[tuple[uuid.UUID, int, int | None]]:
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
                rank_group=agent,
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
            row.best_of_owner = row.submission_id in best
        Standing.objects.bulk_create(unmarked)
        assert listed(board) == expected(board)
        transaction.set_rollback(True)


def test_a_measured_board_is_kept_entry_by_entry_too(noisy: World) -> None:
    first = noisy_boards.entry(noisy, 4.0, actions=(1,), agent="low")
    noisy_boards.entry(noisy, 8.0, actions=(2,), agent="high")
    noisy_boards.entry(noisy, 80.0, actions=(3,), agent="part", uris=noisy_boards.URIS[:1])
    check(noisy.board)
    withdraw(submission_id=first.pk, actor=first.owner)
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
        "best_of_owner": False,
        "agent_group": "nobody",
        "rank_group": "nobody",
        "pending": 2,
        "effective_actions": 7,
        "verified": 2,
        "copied": 1,
        "records": 2,
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


_FIGURES: Final = (
    *("submission_id", "agent_group", "rank_group", "best_of_owner", "score", "mean_improvement"),
    *(
        "verified",
        "copied",
        "records",
        "total",
        "effective_actions",
        "submitted_at",
        "log_variance",
        "log_freedom",
        "missing",
    ),
)


class Best(NamedTuple):
    item: int
    submission: object
    log_ratio: float
    log_without: float
    own: bool | None


def best_of(items: list[SubmissionItem], *, exact: bool) -> Best:
    """The best of a benchmark's verified items, and what would be left without its find."""
    first, *others = sorted(items, key=lambda one: (-(one.ratio or 0), one.submission.created, one.pk))
    left = [
        log_of(one)
        for one in others
        if (one.state_sha256 != first.state_sha256 and not (exact and one.log_ratio == first.log_ratio))
        or not one.state_sha256
        or (one.own and one.submission.owner_id != first.submission.owner_id)
    ]
    best = log_of(first)
    without = min(best, max([0.0, *left]))
    return Best(first.pk, first.submission_id, best, without, first.own)


def log_of(item: SubmissionItem) -> float:
    assert item.log_ratio is not None
    return item.log_ratio


def expected_bests(world: World) -> dict[str, Best]:
    verified = SubmissionItem.objects.filter(submission__board=world.board, verdict="verified")
    by_program: dict[str, list[SubmissionItem]] = defaultdict(list)
    for item in verified.select_related("submission"):
        by_program[item.benchmark_uri].append(item)
    return {uri: best_of(items, exact=world.board.exact) for uri, items in by_program.items()}


def kept_bests(world: World) -> dict[str, Best]:
    rows = BestResult.objects.filter(board=world.board)
    return {
        row.benchmark_uri: Best(*(row.item_id, row.submission_id, row.log_ratio, row.log_without, row.own))
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


def check_derived(world: World) -> None:
    assert kept_bests(world) == expected_bests(world)
    for row in Standing.objects.filter(board=world.board).select_related("submission"):
        assert row.missing == lacking(row)
    assert open_periods(world) == ended(world)
    for period in StandingPeriod.objects.filter(board=world.board).order_by("since"):
        assert period.until is None or period.since <= period.until
    assert_one_best_at_a_time(world)


def assert_one_best_at_a_time(world: World) -> None:
    bests = StandingPeriod.objects.filter(board=world.board, best_of_owner=True).exclude(since=F("until"))
    last: dict[str, datetime | None] = {}
    for period in bests.order_by("since", "pk"):
        until = last.get(period.rank_group, period.since)
        assert until is not None, "An open period is followed by another one."
        assert until <= period.since
        last[period.rank_group] = period.until


def shown(world: World, as_of: datetime | None) -> list[tuple[object, ...]]:
    choice = standings.BoardChoice(every_entry=True, as_of=as_of) if as_of else EVERY_ENTRY
    return [(row.submission_id, row.position, row.rank) for row in standings.standings(world.board, choice)]


def check_past(world: World, told: dict[datetime, list[tuple[object, ...]]]) -> None:
    for moment, rows in told.items():
        assert shown(world, moment) == rows


def delete(story: Story, pick: int) -> None:
    if User.objects.get(pk=story.world.other.pk).is_active:
        delete_account(user=story.world.other, password=PASSWORD)


def rebuild(story: Story, pick: int) -> None:
    rebuild_boards(board_ids=[story.world.board.pk])


@settings(max_examples=examples(3))
@given(
    plan=st.lists(
        st.tuples(st.sampled_from([*EVENTS, delete, rebuild]), st.integers(0, 100)), min_size=5, max_size=20
    )
)
def test_any_story_leaves_the_standings_bests_and_periods_that_its_items_give(
    world: World, plan: list[tuple[Callable[[Story, int], None], int]]
) -> None:
    with transaction.atomic():
        story, told = Story(world), {}
        for event, pick in plan:
            event(story, pick)
            check(world.board)
            check_derived(world)
            told[timezone.now()] = shown(world, None)
        check_past(world, told)
        transaction.set_rollback(True)


def test_a_rebuild_ends_and_begins_periods_that_differ(world: World) -> None:
    gone, changed, whole = (
        entry(owner_of(agent(number)), ((number,), (number + 1,), (number + 2,)), agent=agent(number))
        for number in (1, 4, 7)
    )
    withdraw(submission_id=gone.pk, actor=gone.owner)
    StandingPeriod.objects.filter(submission=gone).update(until=None)
    StandingPeriod.objects.filter(submission=changed, until=None).update(score=2.0)
    StandingPeriod.objects.filter(submission=whole).delete()
    before = list(StandingPeriod.objects.values())
    found = rebuild_boards(board_ids=[world.board.pk], write=False)[world.board.pk]
    assert {changed.pk, whole.pk} <= found
    assert list(StandingPeriod.objects.values()) == before, "a check writes nothing"
    rebuild_boards(board_ids=[world.board.pk])
    check_derived(world)


def test_of_one_agents_entries_the_former_best_ends_when_the_next_one_begins(world: World) -> None:
    entry(world.user, value=90)
    entry(world.user, ((4,), (5,), (6,)), value=80)
    assert_one_best_at_a_time(world)
    assert StandingPeriod.objects.filter(best_of_owner=True).count() == 2
    # As where the periods of a restored backup are older than its standings.
    former, left = StandingPeriod.objects.get(until=None, best_of_owner=True), entry(world.user, value=70)
    StandingPeriod.objects.filter(submission=left).delete()
    StandingPeriod.objects.filter(pk=former.pk).update(until=None)
    StandingPeriod.objects.filter(submission=former.submission_id, since__gt=former.since).delete()
    rebuild_boards(board_ids=[world.board.pk])
    check_derived(world)


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
        assert kept_bests(noisy) == expected_bests(noisy)
        holders.append(kept_bests(noisy)[noisy_boards.URIS[0]].submission)
    assert len(set(holders)) > 1
    repeat_item(submission_id=made[2].pk, position=0, actor=noisy.other)
    [waiting] = Verification.objects.filter(repeats__isnull=False, state="queued")
    fail(waiting, "env:crash")
    assert kept_bests(noisy) == expected_bests(noisy)
    assert rebuild_boards(board_ids=[noisy.board.pk], write=False) == {noisy.board.pk: set()}


def references() -> dict[str, float]:
    board = standings.get_board("test-ic")
    assert board is not None
    return {row.level: row.score for row in board_queries.references(board)}


def recorded(board: Board) -> Mapping[str, Reference]:
    found = board_queries.board_scale(board).references
    assert found is not None
    return found


def board_of_a_dataset(name: str = BOARD_DATASET) -> Board:
    make_dataset(name)
    return make_board(dataset=name)


def test_levels_are_read_once(db: None, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    board_of_a_dataset()
    first = references()
    assert set(first) == {"O1", "O2", "O3", "Oz"}
    board = standings.get_board("test-ic")
    assert board is not None
    with django_assert_num_queries(0):
        assert {row.level: row.score for row in board_queries.references(board)} == first


def test_another_reference_metric_or_choice_of_programs_gives_other_scores(db: None) -> None:
    board = board_of_a_dataset()
    assert references()["Oz"] == 1.0
    first, *_ = board_queries.board_places(board)
    Baseline.objects.filter(benchmark__uri=first, metric="ir_instructions", level="O3").update(value=90)
    Baseline.objects.filter(metric="text_size_bytes", level="O3").update(value=50)
    DatasetVersion.objects.update(manifest_sha256="e" * 64)
    of_all = references()["O3"]
    assert make_board(benchmarks=(first,)).pk == board.pk
    assert references()["O3"] > of_all
    make_board(metric="text_size_bytes")
    assert references()["O3"] == pytest.approx(2.0)
    make_board(baseline_level="O3")
    assert references()["O3"] == 1.0
    assert references()["Oz"] > 1.0


@pytest.mark.parametrize("change", [{"manifest_sha256": "f" * 64}, {"frozen": False}])
def test_another_or_no_frozen_manifest_gives_other_scores(db: None, change: dict[str, Any]) -> None:
    board_of_a_dataset()
    if "frozen" in change:
        DatasetVersion.objects.filter(name=BOARD_DATASET).update(**change)
    before = references()
    rows = Baseline.objects.filter(benchmark__version__name=BOARD_DATASET).exclude(level__in=["O0", "Oz"])
    assert rows.update(value=400)
    DatasetVersion.objects.filter(name=BOARD_DATASET).update(**change)
    assert references()["O3"] < before["O3"]


def test_the_values_that_entries_are_scored_by_are_kept_alike(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    board = board_of_a_dataset()
    first = recorded(board)
    with django_assert_num_queries(0):
        assert recorded(board) == first
    changed = make_board(baseline_level="O3")
    assert {one.baseline for one in recorded(changed).values()} != {one.baseline for one in first.values()}
    Baseline.objects.filter(benchmark__version__name=BOARD_DATASET, level="O3").update(value=77)
    DatasetVersion.objects.filter(name=BOARD_DATASET).update(manifest_sha256="f" * 64)
    changed.dataset_version.refresh_from_db()
    assert {one.baseline for one in recorded(changed).values()} == {77.0}

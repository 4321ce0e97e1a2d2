"""Whoever finds a state of a program first has the credit, and entries without a find have no rank."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from leaderboard.models import Find
from leaderboard.records import queries as record_queries
from leaderboard.submissions.replay_again import doubted_champions, repeat_item, retry, reverify
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.verdicts import review
from runner.models import Verification
from tests.factories import make_board, make_dataset, make_old_environment, make_user
from tests.kit.boards import (
    URIS,
    World,
    document,
    fail,
    record,
    record_all,
    standing,
    submit,
    verifications,
)
from tests.kit.credit import PADDED, entry, finders, is_whole, listed, owns


def test_a_copy_has_every_find_credited_and_no_rank(world: World) -> None:
    first = entry(world.user)
    copy = entry(world.other)
    padded = entry(world.other, PADDED, agent="padded")  # by actions without effect
    assert Verification.objects.count() == 6, "the padded copies were replayed"
    assert (owns(first), owns(copy), owns(padded)) == ([True] * 3, [False] * 3, [False] * 3)
    assert finders(copy) == finders(first) == ["ada"] * 3
    row = standing(copy)
    assert (row.rank, row.own_items, row.is_collection, row.complete) == (None, 0, True, True)
    assert listed(world) == [(first, 1), (copy, None), (padded, None)]
    again = entry(world.user, PADDED, agent="another agent")  # whoever found a state may submit it again
    assert owns(again) == [True] * 3
    assert Find.objects.count() == 3
    assert is_whole(world)


def test_a_shortened_copy_does_not_pass_its_source(world: World) -> None:
    source = entry(world.user, PADDED)
    shortened = entry(world.other)
    assert listed(world) == [(source, 1), (shortened, None)]


def test_one_own_find_is_enough_for_a_rank(world: World) -> None:
    first = entry(world.user)
    better = entry(world.other, ((1,), (2,), (7,)), value=90)
    assert owns(better) == [False, False, True]
    assert (standing(better).own_items, finders(better)) == (1, ["ada", "ada", "bob"])
    assert listed(world) == [(first, 1), (better, 1)], "of a tie the earlier stands first"


def test_two_who_submit_before_either_is_verified_both_found_it(world: World) -> None:
    early = submit(world.user)
    late = submit(world.other, document(PADDED))
    record_all(late, 90, 90, 90)  # its turn comes first
    assert (owns(late), finders(late)) == ([True] * 3, ["bob"] * 3)
    record_all(early, 90, 90, 90)
    assert (owns(early), owns(late)) == ([True] * 3, [True] * 3)
    assert finders(late) == finders(early) == ["ada"] * 3, "the first finder submitted first"
    assert listed(world) == [(early, 1), (late, 1)]
    assert entry(make_user("eve")).standing.is_collection


def test_a_find_is_one_on_every_board_of_the_program_and_on_no_other_program(world: World) -> None:
    make_board(slug="size", metric="text_size_bytes")
    make_dataset("others-v0")
    make_board(slug="others", dataset="others-v0")
    entry(world.user)
    elsewhere = entry(world.other, board="size")
    assert elsewhere.board_id != world.board.pk
    assert owns(elsewhere) == [False] * 3
    items = [{"benchmark": uri.replace("boards-v0", "others-v0"), "actions": [1]} for uri in URIS]
    assert owns(entry(world.other, board="others", items=items)) == [True] * 3, "of the same digests"


def test_another_version_of_the_environment_does_not_make_a_copy_a_find(world: World) -> None:
    entry(world.user)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL optarena.pruning = 'on'")  # or the database keeps it as it is
    former = make_old_environment()
    Verification.objects.update(environment_version=former, environment_digest=former.digest)
    later = entry(world.other)
    assert Verification.objects.count() == 6, "it was replayed in the present version"
    assert owns(later) == [False] * 3


def test_a_withdrawn_entry_keeps_its_finds_and_one_that_was_not_verified_has_none(world: World) -> None:
    first = submit(world.user)
    withdraw(submission_id=first.pk, actor=world.user)
    assert (owns(first), Find.objects.count()) == ([None] * 3, 0)
    first = entry(world.user)
    withdraw(submission_id=first.pk, actor=world.user)
    copy = entry(world.other)
    assert (owns(copy), finders(copy), standing(copy).rank) == ([False] * 3, ["ada"] * 3, None)
    again = entry(world.user)
    assert (owns(again), standing(again).rank) == ([True] * 3, 1)


def test_a_result_that_waits_for_a_reviewer_is_a_find_when_it_is_published(world: World) -> None:
    great = submit(world.user, document(((1,),)))
    same = submit(world.other, document(((1, 9),)))
    refused = submit(world.other, document(((2,),), agent="refused"))
    for made in (great, same, refused):
        record_all(made, 20)
        assert owns(made) == [None]
    for made in (great, same, refused):
        ids = list(made.items.values_list("pk", flat=True))
        review(item_ids=ids, accept=made != refused, reviewer="root")
    assert (owns(great), owns(same), finders(same)) == ([True], [True], ["ada"])
    assert (owns(refused), owns(entry(make_user("eve"), ((1,),), value=20))) == ([None], [False])


def test_boards_are_locked_before_finds_are_written_by_every_writer(world: World) -> None:
    great = submit(world.user, document(((1,),)))
    with CaptureQueriesContext(connection) as ended:
        record_all(great, 20)
    ids = list(great.items.values_list("pk", flat=True))
    with CaptureQueriesContext(connection) as published:
        review(item_ids=ids, accept=True, reviewer="root")
    repeat_item(submission_id=great.pk, position=0, actor=world.other)
    with CaptureQueriesContext(connection) as contradicted:
        fail(Verification.objects.get(repeats__isnull=False), "semantics:output-differs")
    for queries in (published, contradicted):
        places = [_kind(one["sql"]) for one in queries.captured_queries]
        assert places.index("board") < places.index("find"), "or two writers wait for each other"
    assert "find" not in [_kind(one["sql"]) for one in ended.captured_queries]


def _kind(sql: str) -> str:
    """What a statement locks."""
    if sql.startswith(('INSERT INTO "leaderboard_find"', 'UPDATE "leaderboard_find"')):
        return "find"
    return "board" if 'FROM "leaderboard_board"' in sql and "FOR NO KEY UPDATE" in sql else ""


def test_an_item_that_is_replayed_anew_keeps_its_credit_meanwhile(world: World) -> None:
    first = entry(world.user)
    for doubted in doubted_champions(boards=[world.board], before=None):
        reverify(doubted)
    assert set(first.items.values_list("verdict", flat=True)) == {"pending"}
    copy = submit(world.other, document(PADDED))
    record_all(copy, 90, 90, 90)
    assert (owns(copy), finders(copy)) == ([False] * 3, ["ada"] * 3)
    record_all(first, 90, 90, 90)
    assert (owns(first), standing(first).rank, Find.objects.count()) == ([True] * 3, 1, 3)
    assert is_whole(world)


def test_a_find_whose_replay_cannot_be_repeated_ends_and_does_not_pass_to_copies(world: World) -> None:
    first = entry(world.user)
    copy = entry(world.other, PADDED)
    doubt_first_item(world)
    fail(verifications(first)[0], "semantics:output-differs")
    assert owns(first) == [None, True, True]
    assert finders(copy) == ["", "ada", "ada"]
    assert owns(copy) == [False] * 3
    later = entry(make_user("eve"), ((1, 8),), value=90)
    assert owns(later) == [False], "it could be read long before"
    assert is_whole(world)


def doubt_first_item(world: World) -> None:
    [doubted] = [one for one in doubted_champions(boards=[world.board], before=None) if one.uri == URIS[0]]
    reverify(doubted)


def test_another_item_of_the_same_owner_stands_for_a_find_that_lost_its_item(world: World) -> None:
    first = entry(world.user)
    second = entry(world.user, PADDED, agent="other")
    doubt_first_item(world)
    fail(verifications(first)[0], "semantics:output-differs")
    find = record_queries.first_find(second.items.get(position=0))
    assert find is not None
    assert find.item == second.items.get(position=0)


def test_a_replay_anew_that_ends_in_another_state_is_another_find(world: World) -> None:
    first = entry(world.user)
    for doubted in doubted_champions(boards=[world.board], before=None):
        reverify(doubted)
    record_all(first, 95, 95, 95)
    assert owns(first) == [True] * 3
    assert Find.objects.count() == 6
    assert owns(entry(world.other, PADDED, value=95)) == [False] * 3


def test_a_failure_of_the_infrastructure_takes_no_credit_and_a_repetition_changes_none(world: World) -> None:
    first = entry(world.user)
    doubt_first_item(world)
    fail(verifications(first)[0], "infra:killed")
    assert owns(first) == [True] * 3
    retry(submission_id=first.pk, position=0, actor=world.other)
    record(verifications(first)[0], 90)
    assert (owns(first), standing(first).own_items) == ([True] * 3, 3)
    repeat_item(submission_id=first.pk, position=0, actor=world.other)
    before = list(Find.objects.values())
    record(Verification.objects.get(repeats__isnull=False), 90)
    assert (owns(first), list(Find.objects.values())) == ([True] * 3, before)


def test_names_that_differ_in_case_signs_and_numbers_share_one_row(world: World) -> None:
    best = entry(world.user, ((1,), (2,), (3,)), value=90, agent="Greedy")
    for number, name in enumerate(("greedy-2", "GREEDY (v1.1)", "greedy 0003")):
        entry(world.user, ((4, number), (5, number), (6, number)), value=91 + number, agent=name)
    other = entry(world.other, ((7,), (8,), (9,)), value=99, agent="greedy 2")
    assert listed(world) == [(best, 1), (other, 2)]


@pytest.mark.parametrize(("worker", "host"), [(1, 0), (0, -1)], ids=["worker ahead", "web host behind"])
def test_a_copy_stays_a_copy_whatever_the_clocks_of_the_machines_say(
    world: World, monkeypatch: pytest.MonkeyPatch, worker: int, host: int
) -> None:
    right = timezone.now
    first = submit(world.user)
    monkeypatch.setattr(timezone, "now", lambda: right() + timedelta(hours=worker))
    record_all(first, 90, 90, 90)
    monkeypatch.setattr(timezone, "now", lambda: right() + timedelta(hours=host))
    copy = submit(world.other)
    assert (owns(copy), standing(copy).rank) == ([False] * 3, None)

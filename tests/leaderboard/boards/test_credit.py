"""Whoever finds a state of a program first has the credit, and entries without a find have no rank."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import escape

from leaderboard import selectors
from leaderboard.models import Find, Standing, Submission, SubmissionItem
from leaderboard.services import credit
from leaderboard.services.moderation import review
from leaderboard.services.pruning import prune
from leaderboard.services.reopening import retry
from leaderboard.services.repetitions import ask_again
from leaderboard.services.reverification import doubted_champions, reverify
from leaderboard.services.standings import Regrouping, rebuild_boards
from leaderboard.services.submissions import withdraw
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

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest
    from django.contrib.auth.models import User
    from django.test import Client
    from rest_framework.test import APIClient

PADDED = ((1, 9, 9), (2, 9), (3, 9))
"""The actions of ``document``, and some more without effect."""


def entry(
    owner: User, actions: Sequence[Sequence[int]] = ((1,), (2,), (3,)), *, value: int = 90, **about: object
) -> Submission:
    """A verified submission."""
    made = submit(owner, document(actions, **about))
    record_all(made, *[value] * made.items.count())
    return made


def owns(submission: Submission) -> list[bool | None]:
    return list(submission.items.order_by("position").values_list("own", flat=True))


def finders(submission: Submission) -> list[str]:
    finds = [selectors.first_find(item) for item in submission.items.order_by("position")]
    return [find.owner.username if find else "" for find in finds]


def listed(world: World, *, every_entry: bool = False) -> list[tuple[Submission, int | None]]:
    return [(row.submission, row.rank) for row in selectors.standings(world.board, every_entry=every_entry)]


def is_whole(world: World) -> bool:
    """Whether a rebuild finds nothing to do."""
    return rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}


def test_a_copy_has_every_find_credited_and_no_rank(world: World) -> None:
    first = entry(world.user)
    copy = entry(world.other)
    assert (owns(first), owns(copy)) == ([True] * 3, [False] * 3)
    assert finders(copy) == finders(first) == ["ada"] * 3
    row = standing(copy)
    assert (row.rank, row.own_items, row.is_collection, row.complete) == (None, 0, True, True)
    assert listed(world) == [(first, 1), (copy, None)]
    assert is_whole(world)


def test_actions_without_effect_do_not_make_a_find(world: World) -> None:
    entry(world.user)
    padded = entry(world.other, PADDED)
    assert Verification.objects.count() == 6, "the copies were replayed"
    assert (owns(padded), standing(padded).rank) == ([False] * 3, None)


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


def test_one_replay_that_two_wait_for_is_a_find_of_both(world: World) -> None:
    first, second = submit(world.user), submit(world.other)
    record_all(first, 90, 90, 90)
    assert owns(first) == owns(second) == [True] * 3
    assert finders(second) == ["ada"] * 3


def test_whoever_found_a_state_may_submit_it_again(world: World) -> None:
    entry(world.user)
    entry(world.other)
    again = entry(world.user, PADDED, agent="another agent")
    assert owns(again) == [True] * 3
    assert Find.objects.count() == 3


def test_a_find_is_one_on_every_board_of_the_program(world: World) -> None:
    make_board(slug="size", metric="text_size_bytes")
    entry(world.user)
    elsewhere = entry(world.other, board="size")
    assert elsewhere.board_id != world.board.pk
    assert owns(elsewhere) == [False] * 3


def test_equal_digests_of_two_programs_are_two_finds(world: World) -> None:
    make_dataset("others-v0")
    make_board(slug="others", dataset="others-v0")
    entry(world.user)
    items = [{"benchmark": uri.replace("boards-v0", "others-v0"), "actions": [1]} for uri in URIS]
    assert owns(entry(world.other, board="others", items=items)) == [True] * 3


def test_another_version_of_the_environment_does_not_make_a_copy_a_find(world: World) -> None:
    entry(world.user)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL optarena.pruning = 'on'")  # or the database keeps it as it is
    former = make_old_environment()
    Verification.objects.update(environment_version=former, environment_digest=former.digest)
    later = entry(world.other)
    assert Verification.objects.count() == 6, "it was replayed in the present version"
    assert owns(later) == [False] * 3


def test_a_withdrawn_entry_keeps_its_finds(world: World) -> None:
    first = entry(world.user)
    withdraw(submission_id=first.pk, actor=world.user)
    copy = entry(world.other)
    assert (owns(copy), finders(copy), standing(copy).rank) == ([False] * 3, ["ada"] * 3, None)
    again = entry(world.user)
    assert (owns(again), standing(again).rank) == ([True] * 3, 1)


def test_what_was_withdrawn_before_it_was_verified_is_nobodys_find(world: World) -> None:
    first = submit(world.user)
    withdraw(submission_id=first.pk, actor=world.user)
    assert (owns(first), Find.objects.count()) == ([None] * 3, 0)
    assert owns(entry(world.other)) == [True] * 3


def test_a_result_that_waits_for_a_reviewer_is_a_find_when_it_is_published(world: World) -> None:
    great = submit(world.user, document(((1,),)))
    same = submit(world.other, document(((1, 9),)))
    record_all(great, 20)
    record_all(same, 20)
    assert (owns(great), owns(same)) == ([None], [None])
    review(item_ids=list(great.items.values_list("pk", flat=True)), accept=True, reviewer="root")
    review(item_ids=list(same.items.values_list("pk", flat=True)), accept=True, reviewer="root")
    assert (owns(great), owns(same), finders(same)) == ([True], [True], ["ada"])
    assert owns(entry(make_user("eve"), ((1,),), value=20)) == [False]


def test_a_refused_result_is_nobodys_find(world: World) -> None:
    great = submit(world.user, document(((1,),)))
    record_all(great, 20)
    review(item_ids=list(great.items.values_list("pk", flat=True)), accept=False, reviewer="root")
    assert (owns(great), Find.objects.count()) == ([None], 0)


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
    [broken] = [one for one in doubted_champions(boards=[world.board], before=None) if one.uri == URIS[0]]
    reverify(broken)
    fail(verifications(first)[0], "semantics:output-differs")
    assert owns(first) == [None, True, True]
    assert finders(copy) == ["", "ada", "ada"]
    assert owns(copy) == [False] * 3
    later = entry(make_user("eve"), ((1, 8),), value=90)
    assert owns(later) == [False], "it could be read long before"
    assert is_whole(world)


def test_another_item_of_the_same_owner_stands_for_a_find_that_lost_its_item(world: World) -> None:
    first = entry(world.user)
    second = entry(world.user, PADDED, agent="other")
    [broken] = [one for one in doubted_champions(boards=[world.board], before=None) if one.uri == URIS[0]]
    reverify(broken)
    fail(verifications(first)[0], "semantics:output-differs")
    find = selectors.first_find(second.items.get(position=0))
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


def test_a_failure_of_the_infrastructure_takes_no_credit(world: World) -> None:
    first = entry(world.user)
    [doubted] = [one for one in doubted_champions(boards=[world.board], before=None) if one.uri == URIS[0]]
    reverify(doubted)
    fail(verifications(first)[0], "infra:killed")
    assert owns(first) == [True] * 3
    retry(submission_id=first.pk, position=0, actor=world.other)
    record(verifications(first)[0], 90)
    assert (owns(first), standing(first).own_items) == ([True] * 3, 3)


def test_a_repetition_changes_no_credit(world: World) -> None:
    first = entry(world.user)
    ask_again(submission_id=first.pk, position=0, actor=world.other)
    before = list(Find.objects.values())
    record(Verification.objects.get(repeats__isnull=False), 90)
    assert (owns(first), list(Find.objects.values())) == ([True] * 3, before)


def test_names_that_differ_in_case_signs_and_numbers_share_one_row(world: World) -> None:
    best = entry(world.user, ((1,), (2,), (3,)), value=90, agent="Greedy")
    for number, name in enumerate(("greedy-2", "GREEDY (v1.1)", "greedy 0003")):
        entry(world.user, ((4, number), (5, number), (6, number)), value=91 + number, agent=name)
    other = entry(world.other, ((7,), (8,), (9,)), value=99, agent="greedy 2")
    assert listed(world) == [(best, 1), (other, 2)]


# Items of earlier releases


def forget(*submissions: Submission) -> None:
    """Make submissions what an earlier release left."""
    SubmissionItem.objects.filter(submission__in=submissions).update(own=None, state_sha256="")
    Find.objects.all().delete()
    Standing.objects.filter(submission__in=submissions).update(copied=0)


def test_items_of_an_earlier_release_get_their_credit_in_the_order_of_their_verdicts(world: World) -> None:
    first, copy = entry(world.user), entry(world.other)
    forget(first, copy)
    assert [rank for _, rank in listed(world)] == [1, 1], "until then all are ranked as before"
    assert credit.catch_up() == 6
    assert (owns(first), owns(copy), finders(copy)) == ([True] * 3, [False] * 3, ["ada"] * 3)
    assert listed(world) == [(first, 1), (copy, None)]
    assert credit.catch_up() == 0
    assert is_whole(world)


def test_a_copy_waits_for_the_credit_of_earlier_items(world: World) -> None:
    first = entry(world.user)
    forget(first)
    copy = entry(world.other)
    assert (owns(copy), Find.objects.count()) == ([None] * 3, 0)
    assert credit.catch_up() == 6
    assert (owns(first), owns(copy)) == ([True] * 3, [False] * 3)


def test_credit_is_given_in_parts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    first, copy = entry(world.user), entry(world.other)
    forget(first, copy)
    monkeypatch.setattr(credit, "_BATCH", 2)
    monkeypatch.setattr(credit, "_PASS_SECONDS", 0.0)
    assert credit.catch_up() == 0
    monkeypatch.setattr(credit, "_PASS_SECONDS", 60.0)
    assert credit.catch_up() == 6
    assert (owns(first), owns(copy)) == ([True] * 3, [False] * 3)


def test_the_digest_of_a_replay_survives_the_deletion_of_its_steps(world: World) -> None:
    first = entry(world.user)
    entry(world.user, ((4,), (5,), (6,)), value=80)  # so that the first is not shown
    prune(before=timezone.now() + timedelta(days=1))
    stored = Verification.objects.get(submission_items=first.items.get(position=0))
    assert stored.result is not None
    assert stored.result["steps"] == []
    forget(first)
    credit.catch_up()
    assert owns(first) == [True] * 3
    assert owns(entry(world.other, PADDED)) == [False] * 3


def test_without_a_digest_the_actions_identify_a_state(world: World) -> None:
    first = entry(world.user)
    bare: dict[str, object] = {"steps": [], "initial": None, "pruned": {"effective_actions": 1}}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL optarena.pruning = 'on'")
    Verification.objects.update(result=bare)
    forget(first)
    credit.catch_up()
    assert (owns(first), owns(entry(world.other))) == ([True] * 3, [False] * 3)


def test_entries_of_an_earlier_release_are_put_into_their_groups(world: World) -> None:
    worse = entry(world.user, ((4,), (5,), (6,)), value=95, agent="greedy 1")
    best = entry(world.user, agent="greedy 2")
    for made in (worse, best):
        Standing.objects.filter(submission=made).update(agent_group=f"1 {made.agent}", best_of_agent=True)
    regrouping = Regrouping()
    assert (regrouping.once(), regrouping.once()) == (2, 0)
    assert listed(world) == [(best, 1)]
    assert is_whole(world)


# What others see


def test_pages_and_api_say_who_found_it(world: World, pages: Client, anonymous: APIClient) -> None:
    first, copy = entry(world.user), entry(world.other, agent="copycat")
    [row, copied] = anonymous.get("/api/v1/boards/test-ic/standings/").data["results"]
    assert (row["own_items"], row["collection"], row["rank"]) == (3, False, 1)
    assert (copied["own_items"], copied["collection"], copied["rank"]) == (0, True, None)
    one = anonymous.get(f"/api/v1/submissions/{copy.pk}/").data
    assert (one["own_items"], one["collection"], one["rank"]) == (0, True, None)
    for address in ("items/", "items/0/"):
        data = anonymous.get(f"/api/v1/submissions/{copy.pk}/{address}").data
        item = data["results"][0] if "results" in data else data
        assert (item["own"], item["first_by"]["owner"]) == (False, "ada")
        assert item["first_by"]["submission"] == str(first.pk)
    board = pages.get("/boards/test-ic/").content.decode()
    assert ">collection</span>" in board
    assert "no find of its own: listed, not ranked" in board
    assert "Own finds" in board
    assert "This is a collection" in pages.get(copy.get_absolute_url()).content.decode()
    page = pages.get(f"{copy.get_absolute_url()}items/0/").content.decode()
    assert "First found by" in page
    assert "this is a copy" in page
    export = b"".join(anonymous.get("/api/v1/boards/test-ic/standings.csv").streaming_content)  # type: ignore[attr-defined] # a stream
    rows = {row["agent"]: row["own_items"] for row in csv.DictReader(io.StringIO(export.decode()))}
    assert (rows["agent"], rows["copycat"]) == ("3", "0")


def test_only_its_owner_reads_a_sequence_until_it_is_verified(
    world: World, api: APIClient, anonymous: APIClient, pages: Client
) -> None:
    made = submit(world.user, document(((1,), (2,))))
    address = f"/api/v1/submissions/{made.pk}/items/"
    for client, hidden in ((anonymous, True), (api, False)):
        row = client.get(address).data["results"][0]
        single = client.get(f"{address}0/").data
        assert (row["commandline"] is None, single["actions"] is None) == (hidden, hidden)
    page = f"{made.get_absolute_url()}items/0/"
    line = escape(made.items.get(position=0).commandline)
    assert line in pages.get(page).content.decode()
    hidden_page = anonymous.get(page).content.decode()
    assert "Only its owner can read the actions" in hidden_page
    assert "input.bc" not in hidden_page
    record(verifications(made)[0], 90)
    record(verifications(made)[1], 20)  # waits for a reviewer
    [verified, doubtful] = anonymous.get(address).data["results"]
    assert verified["commandline"] is not None
    assert (doubtful["verdict"], doubtful["commandline"]) == ("quarantined", None)
    detail = anonymous.get(f"{address}1/").data
    assert (detail["actions"], detail["result"]) == (None, None)


def test_what_may_still_be_verified_stays_hidden_and_a_final_verdict_does_not(world: World) -> None:
    made = submit(world.user)
    reasons = ("infra:killed", "env:crash", "semantics:output-differs")
    for verification, reason in zip(verifications(made), reasons, strict=True):
        fail(verification, reason)
    read = [selectors.may_read_actions(one, world.other) for one in made.items.order_by("position")]
    assert read == [False, True, True]


def test_the_finders_of_a_page_are_read_at_once(world: World, anonymous: APIClient) -> None:
    def queries(made: Submission) -> int:
        with CaptureQueriesContext(connection) as captured:
            anonymous.get(f"/api/v1/submissions/{made.pk}/items/")
        return len(captured)

    assert queries(entry(world.user, ((1,),))) == queries(entry(world.other))


def test_the_copying_script_ends_unranked_with_every_find_credited(
    world: World, anonymous: APIClient
) -> None:
    """It reads all public items and posts the best of each program, from several accounts and names."""
    entry(world.user, ((1,), (2,), (3,)), value=90, agent="honest")
    submission = submit(make_user("eve"), document(((4,), (5,), (6,)), agent="honest too"))
    for verification, value in zip(verifications(submission), (95, 85, 95), strict=True):
        record(verification, value)
    best: dict[str, dict[str, object]] = {}
    for row in anonymous.get("/api/v1/submissions/").data["results"]:
        for item in anonymous.get(f"/api/v1/submissions/{row['id']}/items/").data["results"]:
            found = anonymous.get(item["url"]).data
            if item["ratio"] > best.get(item["benchmark"], {"ratio": 0.0})["ratio"]:
                best[item["benchmark"]] = {"ratio": item["ratio"], "actions": found["actions"]}
    items = [{"benchmark": uri, "actions": best[uri]["actions"]} for uri in URIS]
    copies = [
        submit(owner, {"board": "test-ic", "agent": name, "items": items})
        for owner, names in ((world.other, ("best", "best 2", "other")), (make_user("mallory"), ("mine",)))
        for name in names
    ]
    padded = [one | {"actions": [*one["actions"], 9]} for one in items]
    copies.append(submit(world.other, {"board": "test-ic", "agent": "padded", "items": padded}))
    record_all(copies[-1], 90, 85, 90)
    for copy in copies:
        assert {item.verdict for item in copy.items.all()} == {"verified"}
        assert finders(copy) == ["ada", "eve", "ada"]
        row = standing(copy)
        assert (row.rank, row.own_items) == (None, 0)
        assert row.score is not None
        assert row.score > 1 / 0.9, "it has the best score of all"
    ranked = [(row.submission.agent, row.rank) for row in selectors.standings(world.board) if row.rank]
    assert ranked == [("honest", 1), ("honest too", 2)]
    assert is_whole(world)

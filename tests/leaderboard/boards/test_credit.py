"""Whoever finds a state first has the credit; what only its owner may read; and what is plausible."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import escape

from leaderboard.management.commands.prune import prune
from leaderboard.models import Find, Submission, SubmissionItem
from leaderboard.records import queries as record_queries
from leaderboard.submissions.replay_again import doubted_champions, repeat_item, retry, reverify
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.verdicts import History, review
from runner.models import Verification
from runner.queue import leases
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
    take,
    verifications,
)
from tests.kit.credit import PADDED, entry, finders, is_whole, listed, owns

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client
    from rest_framework.test import APIClient


def test_a_copy_has_every_find_credited_and_no_rank(world: World) -> None:
    first = entry(world.user)
    copy = entry(world.other)
    padded = entry(world.other, PADDED, agent="padded")  # by actions without effect
    assert Verification.objects.count() == 6, "the padded copies were replayed"
    assert (owns(first), owns(copy), owns(padded)) == ([True] * 3, [False] * 3, [False] * 3)
    assert finders(copy) == finders(first) == ["ada"] * 3
    row = standing(copy)
    assert (row.rank, row.own_items, row.is_collection, row.complete) == (None, 0, True, True)
    assert listed(world, every_entry=True) == [(first, 1), (copy, None), (padded, None)]
    again = entry(world.user, PADDED, agent="another agent")  # whoever found a state may submit it again
    assert owns(again) == [True] * 3
    assert Find.objects.filter(own=True).count() == 3
    assert is_whole(world)


def test_the_best_of_several_finders_ranks_nobody_who_collects_it(world: World) -> None:
    ada = valued(world.user, (80, 95, 80), [[1], [2], [3]])
    eve = valued(make_user("eve"), (90, 80, 90), [[4], [5], [6]])
    collected = submit(world.other, document([[1], [5], [3]]))
    assert finders(collected) == ["ada", "eve", "ada"]
    best, *others = (standing(one) for one in (collected, ada, eve))
    assert (best.rank, best.is_collection) == (None, True)
    assert all(best.score > one.score and one.rank for one in others)


def test_a_shortened_copy_does_not_pass_its_source(world: World) -> None:
    source = entry(world.user, PADDED)
    shortened = entry(world.other)
    assert listed(world) == [(source, 1), (shortened, None)]


def valued(owner: User, values: Sequence[int], actions: Sequence[Sequence[int]], **about: Any) -> Submission:
    made = submit(owner, document(actions, **about))
    record_all(made, *values)
    return made


@pytest.mark.parametrize(
    ("values", "own", "rank"),
    [
        ((90, 90, 90), [False] * 3, None),  # another state of the same value
        ((90, 90, 92), [False, False, True], None),  # own, and not even as good
        ((90, 91, 92), [False, True, True], 2),
        ((90, 90, 89), [False, False, True], 1),  # a record
    ],
)
def test_half_of_the_results_or_a_record_makes_a_rank(
    world: World, values: tuple[int, ...], own: list[bool], rank: int | None
) -> None:
    first = entry(world.user)
    later = valued(world.other, values, ((1, 4), (2, 5), (3, 6)))
    assert (owns(later), standing(later).own_items, standing(later).rank) == (own, sum(own), rank)
    assert first in dict(listed(world))
    assert is_whole(world)


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
    if sql.lstrip().startswith(("INSERT INTO leaderboard_find", 'UPDATE "leaderboard_find"')):
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
    assert (owns(first), standing(first).rank, Find.objects.filter(own=True).count()) == ([True] * 3, 1, 3)
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


def test_the_digest_of_a_replay_survives_the_deletion_of_its_steps(world: World) -> None:
    first = entry(world.user)
    entry(world.user, ((4,), (5,), (6,)), value=80)  # so that the first is not shown
    prune(before=timezone.now() + timedelta(days=1))
    stored = Verification.objects.get(submission_items=first.items.get(position=0))
    assert stored.result is not None
    assert stored.result["steps"] == []
    assert owns(entry(world.other)) == [False] * 3
    assert owns(entry(world.other, PADDED)) == [False] * 3


def test_without_a_digest_the_actions_identify_a_state(world: World) -> None:
    entry(world.user)
    bare: dict[str, object] = {"steps": [], "initial": None, "pruned": {"effective_actions": 1}}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL optarena.pruning = 'on'")
    Verification.objects.update(result=bare)
    made = [entry(world.other), entry(make_user("eve"))]
    states = [{item.state_sha256 for item in one.items.all()} for one in made]
    assert states[0] == states[1]
    assert len(states[0]) == 3


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
    assert "Its owner could read more than half of its results" in board
    assert "Results that the owner could not have read" in board
    assert "This is a collection" in pages.get(copy.get_absolute_url()).content.decode()
    page = pages.get(f"{copy.get_absolute_url()}items/0/").content.decode()
    assert "first found by" in page
    assert "bob could read an equal result when submitting this one" in page
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
        unread = (row["commandline"], single["actions"], single["actions_sha256"], single["result"])
        assert (row["commandline"] is None, unread == (None,) * 4) == (hidden, hidden)
    page = f"{made.get_absolute_url()}items/0/"
    line = escape(made.items.get(position=0).commandline)
    assert line in pages.get(page).content.decode()
    hidden_page = anonymous.get(page).content.decode()
    assert "Only its owner can read its sequence" in hidden_page
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
    read = [record_queries.may_read_actions(one, world.other) for one in made.items.order_by("position")]
    assert read == [False, True, True]


STEP = "In step 0 (adce): it crashed"


@pytest.fixture
def doubted(world: World) -> Submission:
    """Its first replay failed and is repeated, its second one has failed because of the infrastructure."""
    made = submit(world.user)
    first, second, _ = verifications(made)
    report = leases.AttemptReport(reason="env:crash", detail=STEP, failed_step=0)
    leases.record_suspicion(lease=take(first), report=report)
    fail(second, "infra:internal", STEP)
    return made


def all_that_is_said(made: Submission, api: APIClient, pages: Client) -> Iterator[str]:
    for position in (0, 1):
        yield str(api.get(f"/api/v1/submissions/{made.pk}/items/{position}/").json())
        yield pages.get(f"{made.get_absolute_url()}items/{position}/").content.decode()
    yield str(api.get(f"/api/v1/submissions/{made.pk}/items/").json())
    yield pages.get(made.get_absolute_url()).content.decode()
    yield pages.get(f"{made.get_absolute_url()}progress/").content.decode()


def test_details_that_name_actions_are_for_those_who_may_read_them(
    doubted: Submission, api: APIClient, anonymous: APIClient, pages: Client, client: Client
) -> None:
    assert not [text for text in all_that_is_said(doubted, anonymous, client) if "adce" in text]
    assert all("adce" in text for text in all_that_is_said(doubted, api, pages))
    [attempt] = anonymous.get(f"/api/v1/submissions/{doubted.pk}/items/0/").json()["attempts"]
    assert (attempt["reason"], attempt["detail"], attempt["failed_step"]) == ("env:crash", "", None)
    for address in (f"/api/v1/submissions/{doubted.pk}/", "/api/v1/submissions/"):
        seen = [one.get(address).json() for one in (api, anonymous)]
        hashes = [one["results"][0] if "results" in one else one for one in seen]
        assert [one["content_sha256"] for one in hashes] == [doubted.content_sha256, None]
    fail(verifications(doubted)[2], "env:crash", STEP)
    final = anonymous.get(f"/api/v1/submissions/{doubted.pk}/items/2/").json()
    assert (final["reason"]["detail"], bool(final["commandline"])) == (STEP, True)


def test_a_wrong_claim_still_finds_what_was_found(world: World, api: APIClient, anonymous: APIClient) -> None:
    body = document(((1,),))
    body["items"][0]["claims"] = {"ir_instructions": 91}
    wrong = submit(world.user, body)
    record(verifications(wrong)[0], 90)
    address = f"/api/v1/submissions/{wrong.pk}/items/0/"
    assert api.get(address).json()["reason"]["id"] == "claim:mismatch"
    assert api.get(address).json()["commandline"]
    seen = anonymous.get(address).json()
    assert (seen["verdict"], seen["commandline"], seen["actions_sha256"]) == ("refuted", None, None)
    right = submit(world.user, document(((1,),)))
    assert owns(right) == [True]
    assert anonymous.get(address).json()["commandline"] is None


def test_a_check_does_not_say_what_others_have_in_the_queue(world: World, api: APIClient) -> None:
    where = "/api/v1/submissions/validate/"
    theirs = submit(world.other)
    assert api.post(where, document(), format="json").json()["wait"]["new_replays"] == 3
    record(verifications(theirs)[0], 90)
    assert api.post(where, document(), format="json").json()["wait"]["new_replays"] == 2
    entry(world.user)
    assert api.post(where, document(), format="json").json()["wait"]["new_replays"] == 0


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
    own = plan["Actual Rows"] * plan["Actual Loops"] if plan.get("Alias") == alias else 0
    return float(own + sum(read_rows(part, alias) for part in plan.get("Plans", ())))


def test_withdrawn_entries_move_no_limit(world: World) -> None:
    for owner in (world.user, world.other):
        item = result(owner, 1.5)
        withdraw(submission_id=item.submission_id, actor=owner)
    assert result(world.user, 1.85).verdict == "quarantined"


def test_owners_raise_each_other_and_a_quarantined_result_raises_nobody(world: World) -> None:
    assert result(world.user, 3).verdict == "quarantined"
    assert result(world.other, 1.85).verdict == "quarantined"
    assert result(make_user("eve"), 1.5).verdict == "verified"
    assert [result(world.user, ratio).verdict for ratio in (1.9, 1.85)] == ["quarantined", "verified"]
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

"""What identifies a state where its steps are gone, and how pages and the API show credit."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import connection
from django.utils import timezone
from django.utils.html import escape

from leaderboard.boards import standings
from leaderboard.management.commands.prune import prune
from leaderboard.records import queries as record_queries
from runner.models import Verification
from tests.factories import make_user
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
from tests.kit.credit import PADDED, entry, finders, is_whole, owns

if TYPE_CHECKING:
    from django.test import Client
    from rest_framework.test import APIClient


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
    assert owns(entry(world.other)) == [True] * 3, "nobody has shown that state"
    assert owns(entry(make_user("eve"))) == [False] * 3


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
    assert "Others found all of its results first." in board
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
        unread = (row["commandline"], single["actions"], single["actions_sha256"], single["result"])
        assert (row["commandline"] is None, unread == (None,) * 4) == (hidden, hidden)
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
    read = [record_queries.may_read_actions(one, world.other) for one in made.items.order_by("position")]
    assert read == [False, True, True]


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
    ranked = [(row.submission.agent, row.rank) for row in standings.standings(world.board) if row.rank]
    assert ranked == [("honest", 1), ("honest too", 2)]
    assert is_whole(world)

"""Sequences that only their owner may read cannot be found out in another way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runner.queue import leases
from tests.kit.boards import World, document, fail, record, submit, take, verifications
from tests.kit.credit import entry, owns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client
    from rest_framework.test import APIClient

    from leaderboard.models import Submission

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


def told(made: Submission, api: APIClient, pages: Client) -> Iterator[str]:
    """All that is said of two items."""
    for position in (0, 1):
        yield str(api.get(f"/api/v1/submissions/{made.pk}/items/{position}/").json())
        yield pages.get(f"{made.get_absolute_url()}items/{position}/").content.decode()
    yield str(api.get(f"/api/v1/submissions/{made.pk}/items/").json())
    yield pages.get(made.get_absolute_url()).content.decode()
    yield pages.get(f"{made.get_absolute_url()}progress/").content.decode()


def test_details_that_name_actions_are_for_those_who_may_read_them(
    doubted: Submission, api: APIClient, anonymous: APIClient, pages: Client, client: Client
) -> None:
    assert not [text for text in told(doubted, anonymous, client) if "adce" in text]
    assert all("adce" in text for text in told(doubted, api, pages))
    [attempt] = anonymous.get(f"/api/v1/submissions/{doubted.pk}/items/0/").json()["attempts"]
    assert (attempt["reason"], attempt["detail"], attempt["failed_step"]) == ("env:crash", "", None)
    for address in (f"/api/v1/submissions/{doubted.pk}/", "/api/v1/submissions/"):
        seen = [one.get(address).json() for one in (api, anonymous)]
        hashes = [one["results"][0] if "results" in one else one for one in seen]
        assert [one["content_sha256"] for one in hashes] == [doubted.content_sha256, None]
    fail(verifications(doubted)[2], "env:crash", STEP)
    final = anonymous.get(f"/api/v1/submissions/{doubted.pk}/items/2/").json()
    assert (final["reason"]["detail"], bool(final["commandline"])) == (STEP, True)


def test_who_claimed_wrongly_still_finds_what_was_found(
    world: World, api: APIClient, anonymous: APIClient
) -> None:
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

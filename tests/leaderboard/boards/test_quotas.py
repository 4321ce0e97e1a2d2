"""An owner's quota: over it nothing is stored, and what was not used comes back."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.accounts.throttles import UploadThrottle
from leaderboard.models import IdempotencyKey, Submission
from leaderboard.submissions import quotas
from leaderboard.submissions.quotas import QuotaExceeded
from leaderboard.submissions.services import withdraw
from optarena.specs import environment_spec
from runner.clock import database_now
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Demand, Payer, Verification
from runner.queue import demands, requests
from tests.factories import make_board
from tests.kit.boards import document, fail, record, submit, verifications
from tests.kit.work import together

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client
    from pytest_django import Settings
    from rest_framework.response import Response
    from rest_framework.test import APIClient

    from tests.kit.boards import World

ADDRESS = "/api/v1/submissions/"


@pytest.fixture(autouse=True)
def _slow_refill(settings: Settings) -> None:
    """What was used is not forgotten during a test."""
    settings.OPTARENA_BUDGET_HOURS = 1_000_000


def post(api: APIClient, body: object, key: str = "") -> Response:
    headers = {"Idempotency-Key": key} if key else {}
    data: Any = json.dumps(body).encode()
    return api.generic("POST", ADDRESS, data, content_type="application/json", headers=headers)


def used(user: User) -> float:
    return demands.balance_of(payer=quotas.payer_of(user.pk)).used


def other(number: int = 4) -> dict[str, Any]:
    """A document of new work."""
    return document([[number], [number + 1], [number + 2]])


def test_an_accepted_submission_says_what_is_left(api: APIClient, settings: Settings) -> None:
    settings.OPTARENA_BUDGET_SECONDS, settings.OPTARENA_BUDGET_HOURS = 1000, 24
    response = post(api, document())
    assert response.status_code == 202
    assert response["RateLimit-Policy"] == '"replay-seconds";q=1000;w=86400, "queued-items";q=20000'
    seconds, items = response["RateLimit"].split(", ")
    assert seconds.startswith('"replay-seconds";r=99')
    assert 0 < int(seconds.rpartition("t=")[2]) < 3600
    assert items == '"queued-items";r=19997'


def test_over_the_quota_nothing_is_stored_and_the_answer_says_when_to_come_back(
    world: World, api: APIClient, settings: Settings
) -> None:
    settings.OPTARENA_BUDGET_SECONDS, settings.OPTARENA_BUDGET_HOURS = 2, 1
    assert post(api, document()).status_code == 202
    before = used(world.user), Submission.objects.count(), Verification.objects.count()
    response = post(api, other(), key="again")
    assert response.status_code == 429
    problem = response.data
    assert problem["type"] == "/problems/#quota-exceeded"
    assert problem["errors"][0]["field"] == "items"
    assert "quota" in problem["detail"]
    wait = int(response["Retry-After"])
    assert 0 < wait <= 3600
    assert response["RateLimit"].startswith('"replay-seconds";r=')
    assert used(world.user) == pytest.approx(before[0], abs=0.1)
    assert (Submission.objects.count(), Verification.objects.count()) == before[1:]
    assert not IdempotencyKey.objects.exists()
    Payer.objects.update(counted_at=database_now() - timedelta(seconds=wait))
    assert post(api, other(), key="again").status_code == 202


def test_whoever_sends_too_many_documents_is_told_when_to_go_on(
    world: World, api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(UploadThrottle, "THROTTLE_RATES", {"upload": "3/hour"})
    assert post(api, document(), key="first").status_code == 202
    large: Any = json.dumps(document()).encode() + b" " * 50_000
    assert api.generic("POST", ADDRESS, large, content_type="application/json").status_code == 202
    response = post(api, document())  # its replays are known, so that no quota is needed
    assert response.status_code == 429
    assert response.data["type"] == "/problems/#quota-exceeded"
    [error] = response.data["errors"]
    assert (error["field"], "Submit again in" in error["remedy"]) == ("document", True)
    assert 0 < int(response["Retry-After"]) <= 3600
    assert post(api, document(), key="first").status_code == 200
    assert Submission.objects.count() == 2
    world.user.groups.add(Group.objects.create(name=quotas.EXEMPT_GROUP))
    assert post(api, document()).status_code == 202


def test_much_work_over_the_quota_is_refused_before_it_is_stored(
    world: World, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPTARENA_BUDGET_SECONDS = 2
    submit(world.user)
    monkeypatch.setattr(requests, "_CHECKED_FIRST", 3)
    with CaptureQueriesContext(connection) as done, pytest.raises(QuotaExceeded):
        submit(world.user, other())
    assert not [one["sql"] for one in done if one["sql"].startswith('INSERT INTO "runner_verification"')]


def test_a_submission_that_no_quota_suffices_for_is_refused_with_what_to_do(
    api: APIClient, settings: Settings
) -> None:
    settings.OPTARENA_BUDGET_SECONDS = 1
    response = post(api, document([[1] * 2000, [2] * 2000, [3] * 2000]))
    assert response.status_code == 422
    [error] = response.data["errors"]
    assert error["field"] == "items"
    assert error["remedy"] == "Submit fewer items or shorter sequences."
    assert "Retry-After" not in response
    assert not Submission.objects.exists()


def test_the_form_says_it_too_and_keeps_what_was_typed(
    world: World, pages: Client, settings: Settings
) -> None:
    settings.OPTARENA_BUDGET_SECONDS = 2
    submit(world.user)
    spec = environment_spec("llvm-ic-v0")
    rows = [f'{one["benchmark"]},,,"{spec.commandline(one["actions"])}"' for one in other()["items"]]
    given = {"board": "test-ic", "agent": "typed", "states": "\n".join(rows), "key": "k"}
    response = pages.post("/submit/", given)
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    page = response.content.decode()
    assert "of your quota" in page.lower()
    assert "typed" in page
    assert Submission.objects.count() == 1


def test_who_is_exempt_has_no_quota_and_no_fields(world: World, api: APIClient, settings: Settings) -> None:
    settings.OPTARENA_BUDGET_SECONDS = 1
    world.user.is_staff = True
    world.user.save()
    assert post(api, other(1)).status_code == 202
    world.user.is_staff = False
    world.user.save()
    world.user.groups.add(Group.objects.create(name=quotas.EXEMPT_GROUP))
    for number in (4, 7):
        response = post(api, other(number))
        assert (response.status_code, "RateLimit" in response) == (202, False)


def test_every_end_gives_back_what_was_not_used_and_known_work_costs_nothing(
    world: World, settings: Settings
) -> None:
    rows = verifications(submit(world.user))
    assert used(world.user) > 0.5
    record(rows[0], 100)
    fail(rows[1], "env:crash")
    requests.cancel(verification_id=rows[2].pk, actor="operator")
    assert used(world.user) < 0.5
    assert not Demand.objects.exists()
    settings.OPTARENA_BUDGET_SECONDS = 1
    submit(world.other, document([[1], [2]]))
    assert used(world.other) == 0


def test_a_failure_of_the_infrastructure_is_not_charged(world: World) -> None:
    for verification in verifications(submit(world.user)):
        fail(verification, "infra:internal")
    assert used(world.user) == 0


def test_withdrawing_what_another_owner_also_waits_for_ends_only_ones_own_demand(world: World) -> None:
    mine, theirs = submit(world.user), submit(world.other)
    again = submit(world.user, document(agent="again"))
    withdraw(submission_id=mine.pk, actor=world.user)
    assert Demand.objects.count() == 6  # another submission of the same owner still waits for them
    withdraw(submission_id=again.pk, actor=world.user)
    assert set(Demand.objects.values_list("payer__name", flat=True)) == {quotas.payer_of(world.other.pk)}
    assert used(world.user) == 0
    assert {one.state for one in verifications(theirs)} == {"queued"}


def test_a_waiting_submission_tells_its_place_and_others_do_not(
    world: World, api: APIClient, pages: Client
) -> None:
    submit(world.other, document([[7], [8], [9]]))
    submission = submit(world.user)
    wait = api.get(f"{ADDRESS}{submission.pk}/").json()["wait"]
    assert (wait["position"], wait["waiting"], wait["processes"]) == (2, 3, 0)
    assert wait["seconds_to_start"] is None
    assert "No runner of class x86_64-cpu takes work now" in wait["text"]
    machine = Machine(fingerprint={}, versions={})
    presence.announce_runner(name="w", hardware_class="x86_64-cpu", machine=machine, processes=2)
    [found] = api.get("/api/v1/queue/").json()["hardware_classes"]
    assert (found["owners"], found["waiting"], found["processes"]) == (2, 6, 2)
    assert found["expected_seconds"] > 0
    assert "will probably have ended in about" in pages.get("/queue/").content.decode()
    wait = api.get(f"{ADDRESS}{submission.pk}/").json()["wait"]
    assert 0 < wait["seconds_to_start"] < wait["seconds_to_end"]
    assert "Position 2 in the queue" in pages.get(submission.get_absolute_url()).content.decode()
    for verification in verifications(submission):
        record(verification, 100)
    assert api.get(f"{ADDRESS}{submission.pk}/").json()["wait"] is None
    assert "Position" not in pages.get(submission.get_absolute_url()).content.decode()


@pytest.mark.django_db(transaction=True)
def test_submissions_at_the_same_time_do_not_overdraw(world: World, settings: Settings) -> None:
    settings.OPTARENA_BUDGET_SECONDS = 3
    make_board()
    bodies = [other(number) for number in range(10, 40, 5)]
    results = together(*[lambda body=body: submit(world.user, body) for body in bodies])
    stored = [one for one in results if isinstance(one, Submission)]
    assert len(stored) == 2, results
    assert all(isinstance(one, (Submission, QuotaExceeded)) for one in results), results
    assert used(world.user) <= 3

"""Storing submissions, deriving verdicts, quotas, withdrawing, and changing what owners say."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient
from structlog.testing import capture_logs

from leaderboard.accounts.throttles import UploadThrottle
from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from leaderboard.models import IdempotencyKey, Standing, Submission, SubmissionEdit, SubmissionItem
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions import quotas
from leaderboard.submissions.quotas import QuotaExceeded
from leaderboard.submissions.services import Conflict, withdraw
from leaderboard.submissions.verdicts import decide_ended_items, review
from optarena import limits
from optarena.specs import environment_spec
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Demand, Payer, Verification
from runner.queue import demands, leases, requests
from tests.factories import make_board, make_user
from tests.kit.boards import (
    EVERY_ENTRY,
    World,
    document,
    fail,
    owner_of,
    record,
    record_all,
    standing,
    submit,
    verifications,
)
from tests.kit.pages import text
from tests.kit.posting import ADDRESS, post
from tests.kit.work import lease_row, together

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings


def state(submission: Submission) -> str:
    return submission_queries.tally(submission).state


def verdicts(submission: Submission) -> list[tuple[str, str]]:
    return list(submission.items.order_by("position").values_list("verdict", "reason"))


def test_verified_items_score_and_rank_the_submission(world: World) -> None:
    submission = submit(world.user)
    made = verifications(submission)
    assert [one.state for one in made] == ["queued"] * 3
    hashes = submission.items.order_by("position").values_list("actions_sha256", flat=True)
    assert [one.actions_sha256 for one in made] == list(hashes)
    assert (state(submission), standing(submission).score, standing(submission).rank) == (
        "verifying",
        None,
        None,
    )
    record(verifications(submission)[0], 100)
    row = standing(submission)
    assert (row.rank, row.verified, row.pending, row.total) == (None, 1, 2, 3)
    assert row.score == pytest.approx((1 * 0.25 * 0.25) ** (1 / 3))
    record_all(submission, 100, 80, 125)
    assert verdicts(submission) == [("verified", "")] * 3
    assert state(submission) == "verified"
    row = standing(submission)
    assert row.score == pytest.approx(1.0)
    assert row.mean_improvement == pytest.approx((0 + 0.2 - 0.25) / 3)
    assert (row.rank, row.verified, row.total, row.effective_actions) == (1, 3, 3, 3)
    before = list(submission.items.values())
    assert decide_ended_items(verifications=verifications(submission)) == set()
    assert list(submission.items.values()) == before


def test_equal_actions_share_one_verification_whoever_submits_them(world: World) -> None:
    wrong = document()
    wrong["items"][0]["claims"] = {"ir_instructions": 90}
    first, second, claimed = (
        submit(world.user),
        submit(world.other),
        submit(world.other, wrong | {"agent": "c"}),
    )
    assert verifications(first) == verifications(second) == verifications(claimed)
    record_all(first, 100, 100, 100)
    assert [state(one) for one in (first, second, claimed)] == ["verified", "verified", "partial"]
    assert [standing(one).rank for one in (first, second)] == [1, 1]
    assert submission_queries.first_with_same_content(second) == first
    assert submission_queries.first_with_same_content(first) is None
    late = submit(world.other, document(agent="late"))
    assert (state(late), standing(late).complete, Verification.objects.count()) == ("verified", True, 3)


def test_items_whose_replays_have_ended_get_their_verdicts_beside_items_that_wait(world: World) -> None:
    record_all(submit(world.user, document([[1], [2]])), 100, 20)
    fail(verifications(submit(world.user, document([[4]])))[0], "env:crash")
    mixed = submit(world.other, document([[1], [2], [9]]))
    assert verdicts(mixed) == [("verified", ""), ("quarantined", "policy:implausible"), ("pending", "")]
    assert (standing(mixed).verified, standing(mixed).pending) == (1, 1)
    crashed = submit(world.other, document([[4]], agent="other"))
    assert verdicts(crashed) == [("failed", "env:crash")]
    assert crashed.items.get().detail == "step 0"


def test_a_known_replay_is_judged_by_the_history_of_the_board(world: World) -> None:
    first = submit(world.user, document([[1]]))
    record_all(first, 50)
    review(item_ids=list(first.items.values_list("pk", flat=True)), accept=True, reviewer="root")
    assert verdicts(submit(world.other, document([[1]]))) == [("verified", "")]
    better, far = (
        submit(world.other, document([[2]], agent="b")),
        submit(world.other, document([[3]], agent="f")),
    )
    record_all(better, 41)
    record_all(far, 30)
    assert (verdicts(better), verdicts(far)) == ([("verified", "")], [("quarantined", "policy:implausible")])
    # 1.25 times what was reviewed: the better one is of the same owner, and raises only the limit of others.
    assert far.items.get().detail == "3.3333 times the baseline; more than 2.5000 needs a review."


def test_a_claim_that_the_replay_contradicts_refutes_the_item_with_both_numbers(world: World) -> None:
    body = document()
    body["items"][0]["claims"] = {"ir_instructions": 1234567, "text_size_bytes": 200}
    body["items"][1]["claims"] = {"ir_instructions": 100}
    submission = submit(world.user, body)
    record_all(submission, 100, 100, 100)
    assert verdicts(submission) == [("refuted", "claim:mismatch"), ("verified", ""), ("verified", "")]
    assert submission.items.get(position=0).detail == "ir_instructions: claimed 1234567, measured 100."
    assert state(submission) == "partial"
    assert standing(submission).rank is None


def test_a_failed_replay_gives_its_reason_to_the_item_and_no_score(world: World) -> None:
    expected = {
        "semantics:output-differs": "refuted",
        "semantics:verifier": "refuted",
        "semantics:crash": "refuted",
        "env:crash": "failed",
        "env:ir-growth": "failed",
        "user:invalid-action": "failed",
        "infra:retries-exhausted": "failed",
    }
    bodies = document(), document([[4], [5], [6]], agent="second"), document([[7]], agent="third")
    submissions = [submit(world.user, body) for body in bodies]
    waiting = [one for submission in submissions for one in verifications(submission)]
    items = [one for submission in submissions for one in submission.items.order_by("position")]
    for verification, item, reason in zip(waiting, items, expected, strict=True):
        fail(verification, reason)
        item.refresh_from_db()
        assert (item.verdict, item.reason, item.detail) == (expected[reason], reason, "step 0")
        assert (item.value, bool(item.explanation.remedy)) == (None, True)
    assert [state(one) for one in submissions] == ["refuted", "failed", "failed"]
    assert [standing(one).score for one in submissions] == [None] * 3
    assert {row.rank for row in standings.standings(world.board, EVERY_ENTRY)} == {None}


def test_an_implausible_ratio_waits_for_a_reviewer_and_what_is_published_ranks(world: World) -> None:
    refused = submit(world.other, document([[1], [5], [6]]))
    submission = submit(world.user)
    record_all(submission, 50, 100, 100)
    item = refused.items.get(position=0)
    assert review(item_ids=[item.pk], accept=False, reviewer="root") == 1
    item.refresh_from_db()
    assert (item.verdict, item.reason) == ("failed", "policy:implausible")
    assert review(item_ids=[item.pk], accept=True, reviewer="root") == 0
    item = submission.items.get(position=0)
    assert (item.verdict, item.reason, item.value) == ("quarantined", "policy:implausible", 50)
    assert (item.ratio, state(submission), standing(submission).rank) == (2.0, "partial", None)
    ids = list(submission.items.values_list("pk", flat=True))
    assert review(item_ids=ids, accept=True, reviewer="root") == 1
    assert (state(submission), standing(submission).rank) == ("verified", 1)
    better = submit(world.other, document([[7], [8], [9]]))
    record_all(better, 45, 100, 100)
    assert (state(better), standing(submission).rank) == ("verified", 2)


def test_the_earlier_entry_stands_first_among_equals_however_short_the_later_is(world: World) -> None:
    longer = submit(world.user)
    shorter = submit(world.other, document([[], [2], [3]]))
    record_all(longer, 100, 100, 100)
    record(verifications(shorter)[0], 100)
    assert [(row.submission, row.rank) for row in standings.standings(world.board)] == [
        (longer, 1),
        (shorter, 1),
    ]


def test_withdrawing_cancels_what_nobody_else_waits_for_and_moves_others_up(world: World) -> None:
    submission, theirs = submit(world.user), submit(world.other, document([[1]]))
    with pytest.raises(PermissionDenied):
        withdraw(submission_id=submission.pk, actor=world.other)
    withdraw(submission_id=submission.pk, actor=world.user)
    with pytest.raises(Conflict, match="already withdrawn"):
        withdraw(submission_id=submission.pk, actor=world.user)
    assert [one.state for one in verifications(submission)] == ["queued", "cancelled", "cancelled"]
    record_all(theirs, 100)
    assert state(theirs) == "verified"
    assert verdicts(submission) == [("withdrawn", "user:withdrawn")] * 3
    assert state(Submission.objects.get(pk=submission.pk)) == "withdrawn"
    assert not Standing.objects.filter(submission=submission).exists()
    again = submit(world.user)
    assert [one.state for one in verifications(again)] == ["recorded", "queued", "queued"]
    record_all(again, 100, 90, 90)
    second = submit(world.other, document([[4], [5], [6]], agent="second"))
    record_all(second, 95, 95, 95)
    assert (standing(again).rank, standing(second).rank) == (1, 2)
    withdraw(submission_id=again.pk, actor=world.user)
    assert standing(second).rank == 1
    assert SubmissionItem.objects.filter(submission=again, value__isnull=False).count() == 0


def test_a_withdrawal_by_staff_is_told_as_theirs_and_logged(world: World, client: Client) -> None:
    submission, staff = submit(world.user), make_user("root", staff=True)
    with capture_logs() as logged:
        withdraw(submission_id=submission.pk, actor=staff)
    assert verdicts(submission) == [("withdrawn", "policy:withdrawn")] * 3
    assert {"event": "submission_withdrawn", "submission": str(submission.pk), "actor": "root"} in [
        {name: text for name, text in line.items() if name != "log_level"} for line in logged
    ]
    page = client.get(submission.get_absolute_url()).content.decode()
    assert "by its owner" not in page
    assert "The operator of this server withdrew the submission." in page


def test_a_verification_that_an_operator_cancels_fails_the_item_with_a_reason(world: World) -> None:
    submission = submit(world.user)
    requests.cancel_all(verification_ids=[verifications(submission)[0].pk], actor="operator")
    assert verdicts(submission)[0] == ("failed", "infra:internal")


def test_the_timeline_tells_what_happened(world: World) -> None:
    submission = submit(world.user)
    lease = lease_row(verification_id=verifications(submission)[0].pk, worker="test")
    assert lease is not None
    leases.give_back(lease=lease, reason="infra:internal", detail="lost")
    record_all(submit(world.other, document([[9]])), 100)
    texts = [event.text for event in submission_queries.timeline(submission)]
    assert texts == [
        "Submitted with 3 items",
        "First replay started",
        "A replay was interrupted and queued again (infra:internal)",
    ]


def test_references_stand_among_the_rows_by_score(world: World) -> None:
    best, middle = submit(world.user), submit(world.other, document([[4], [5], [6]]))
    record_all(best, 90, 90, 90)
    record_all(middle, 110, 110, 110)
    partial = submit(owner_of("partial"), document([[7]], agent="partial"))
    record(verifications(partial)[0], 70)
    rows = board_queries.board_rows(
        list(standings.standings(world.board)), board_queries.references(world.board)
    )
    labels = [
        row.reference.label if row.reference else row.standing.submission.agent
        for row in rows
        if row.reference or row.standing
    ]
    assert labels == ["agent", "LLVM -Oz", "agent", "LLVM -O2", "LLVM -O3", "LLVM -O1", "partial"]
    references = board_queries.references(world.board)
    assert references[0].score == 1.0
    assert references[1].score == pytest.approx(100 / 120)


FORM = {"description": "new *words*", "url": "https://example.org/new", "compilations": "70"}


@pytest.fixture
def entry(world: World) -> Submission:
    """An entry of ada."""
    about = {"description": "old words", "url": "https://example.org/old"}
    return submit(world.user, document() | about | {"effort": {"compilations": 50, "walltime_seconds": 3}})


def edits_of(entry: Submission) -> str:
    return f"/api/v1/submissions/{entry.pk}/edits/"


def post_edit(api: APIClient, entry: Submission, body: object) -> Any:
    return api.post(f"/api/v1/submissions/{entry.pk}/edit/", body, format="json")


def test_what_is_given_changes_and_the_rest_stays(api: APIClient, entry: Submission) -> None:
    for _ in range(2):  # the same again is not an edit
        answer = post_edit(api, entry, {"description": "new words"})
    assert (answer.status_code, answer.json()["description"]) == (200, "new words")
    assert answer.json()["submitted_url"] == "https://example.org/old"
    assert answer.json()["effort"]["compilations"] == 50
    assert SubmissionEdit.objects.count() == 1
    body = post_edit(api, entry, {"description": "", "url": ""}).json()
    assert (body["description"], body["submitted_url"]) == ("", "")


def test_everybody_reads_the_history_newest_first(api: APIClient, entry: Submission) -> None:
    post_edit(api, entry, {"description": "second"})
    post_edit(api, entry, {"description": "third", "effort": {"trained_on_test_set": True}})
    newest, oldest = APIClient().get(edits_of(entry)).json()["results"]
    assert oldest["changes"] == [{"field": "description", "before": "old words", "after": "second"}]
    assert {one["field"]: (one["before"], one["after"]) for one in newest["changes"]} == {
        "description": ("second", "third"),
        "compilations": (50, None),
        "walltime_seconds": (3, None),
        "trained_on_test_set": (False, True),
    }


def test_a_bad_value_of_an_edit_is_named_and_nothing_changes(api: APIClient, entry: Submission) -> None:
    for body, field, value in (
        ({"description": "x" * (limits.DESCRIPTION_LENGTH + 1)}, "description", "x"),
        ({"description": "a\u202eb"}, "description", "a"),
        ({"url": "javascript:alert(1)"}, "url", "javascript:alert(1)"),
        ({"effort": {"compilations": -1}}, "effort.compilations", "-1"),
        ({"effort": {"walltime_seconds": "long"}}, "effort.walltime_seconds", "long"),
        ({"agent": "another"}, "agent", ""),
        ([], "document", "[]"),
    ):
        answer = post_edit(api, entry, body)
        [problem] = answer.json()["errors"]
        assert (answer.status_code, problem["field"], bool(problem["remedy"])) == (422, field, True)
        assert value in problem["value"]
    assert not SubmissionEdit.objects.exists()


def test_edits_are_limited(api: APIClient, entry: Submission, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_EDITS", 2)
    statuses = [post_edit(api, entry, {"description": f"words {number}"}).status_code for number in range(3)]
    assert statuses == [200, 200, 409]
    entry.refresh_from_db()
    assert entry.description == "words 1"


def test_the_form_shows_what_there_is_to_change(client: Client, pages: Client, entry: Submission) -> None:
    page = text(pages.get(f"/submissions/{entry.pk}/edit/"))
    assert "old words" in page
    assert 'value="50"' in page
    answer = pages.post(f"/submissions/{entry.pk}/edit/", FORM | {"url": "ftp://example.org"})
    assert answer.status_code == 422
    assert "web address" in answer.content.decode()
    assert "new *words*" in answer.content.decode()
    assert pages.post(f"/submissions/{entry.pk}/edit/", FORM).status_code == 302
    page = text(pages.get(entry.get_absolute_url()))
    assert "new <em>words</em>" in page
    assert ">old words</del>" in page
    assert "70" in page
    entry.refresh_from_db()
    assert entry.walltime_seconds is None
    assert f"/submissions/{entry.pk}/edit/" in page
    assert f"/submissions/{entry.pk}/edit/" not in text(client.get(entry.get_absolute_url()))


def test_a_form_sent_back_unchanged_changes_nothing(pages: Client, world: World) -> None:
    made = submit(world.user, document(description="one\ntwo"))
    pages.post(f"/submissions/{made.pk}/edit/", {"description": "one\r\ntwo"})
    assert not SubmissionEdit.objects.exists()


@pytest.fixture(autouse=True)
def _slow_refill(settings: Settings) -> None:
    settings.OPTARENA_BUDGET_HOURS = 1_000_000


def used(user: User) -> float:
    return demands.balance_of(payer=quotas.payer_of(user.pk)).used


def other(number: int = 4) -> dict[str, Any]:
    """A document of new work."""
    return document([[number], [number + 1], [number + 2]])


def test_the_answer_to_a_submission_is_what_its_address_gives(api: APIClient) -> None:
    for sent in (document(), document() | {"agent": "another", "description": "of known work"}):
        response = post(api, sent)
        assert response.status_code == 202
        assert response.json() == api.get(response["Location"]).json()


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
    response = post(api, other(), **{"Idempotency-Key": "again"})
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
    Payer.objects.update(counted_at=F("counted_at") - timedelta(seconds=wait))
    assert post(api, other(), **{"Idempotency-Key": "again"}).status_code == 202


def test_whoever_sends_too_many_documents_is_told_when_to_go_on(
    world: World, api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(UploadThrottle, "THROTTLE_RATES", {"upload": "3/hour"})
    assert post(api, document(), **{"Idempotency-Key": "first"}).status_code == 202
    large = json.dumps(document()).encode() + b" " * 50_000
    assert post(api, large).status_code == 202
    response = post(api, document())  # its replays are known, so that no quota is needed
    assert response.status_code == 429
    assert response.data["type"] == "/problems/#quota-exceeded"
    [error] = response.data["errors"]
    assert (error["field"], "Submit again in" in error["remedy"]) == ("document", True)
    assert 0 < int(response["Retry-After"]) <= 3600
    assert post(api, document(), **{"Idempotency-Key": "first"}).status_code == 200
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


def test_what_no_quota_suffices_for_is_refused_with_what_to_do(api: APIClient, settings: Settings) -> None:
    settings.OPTARENA_BUDGET_SECONDS = 1
    response = post(api, document([[1] * 2000, [2] * 2000, [3] * 2000]))
    assert response.status_code == 422
    [error] = response.data["errors"]
    assert error["field"] == "items"
    assert error["remedy"] == "Submit fewer items or shorter sequences."
    assert "Retry-After" not in response
    assert not Submission.objects.exists()


def test_the_form_says_it_and_keeps_what_was_typed(world: World, pages: Client, settings: Settings) -> None:
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


def test_every_end_gives_back_what_was_left_and_known_work_costs_a_share(
    world: World, settings: Settings
) -> None:
    rows = verifications(submit(world.user))
    assert used(world.user) > 0.5
    record(rows[0], 100)
    fail(rows[1], "env:crash")
    requests.cancel_all(verification_ids=[rows[2].pk], actor="operator")
    assert used(world.user) < 0.5
    assert not Demand.objects.exists()
    settings.OPTARENA_BUDGET_SECONDS = 1
    submit(world.other, document([[1], [2]]))
    share = used(world.other)
    assert 0 < share < 0.15
    settings.OPTARENA_BUDGET_SECONDS = 1000
    for verification in verifications(submit(world.other, other())):
        fail(verification, "infra:internal")
    assert used(world.other) <= share, "a failure of the infrastructure is not charged"


def test_withdrawing_what_another_owner_also_waits_for_ends_only_ones_own_demand(world: World) -> None:
    mine, theirs = submit(world.user), submit(world.other)
    again = submit(world.user, document(agent="again"))
    withdraw(submission_id=mine.pk, actor=world.user)
    assert Demand.objects.count() == 6  # another submission of the same owner still waits for them
    withdraw(submission_id=again.pk, actor=world.user)
    assert set(Demand.objects.values_list("payer__name", flat=True)) == {quotas.payer_of(world.other.pk)}
    assert used(world.user) == 0
    assert {one.state for one in verifications(theirs)} == {"queued"}


def test_a_waiting_submission_tells_its_place(world: World, api: APIClient, pages: Client) -> None:
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


def test_a_busy_runner_makes_the_forecast_a_least_one(world: World, api: APIClient) -> None:
    machine = Machine(fingerprint={}, versions={})
    presence.announce_runner(name="w", hardware_class="x86_64-cpu", machine=machine, processes=1)
    theirs = submit(world.other, document([[7], [8], [9]]))
    submission = submit(world.user)

    def told() -> str:
        text: str = api.get(f"{ADDRESS}{submission.pk}/").json()["wait"]["text"]
        return text

    assert "It starts in about " in told()
    lease_row(verification_id=verifications(theirs)[0].pk, worker="w")
    assert "It starts in at least " in told()
    assert "and ends in at least " in told()
    assert "; 1 runner is at work with replays of others." in told()


def test_whoever_waits_for_the_last_verdict_reads_the_score_with_it(world: World, api: APIClient) -> None:
    """An item may end between two queries of one request."""
    submission = submit(world.user)
    *others, last = verifications(submission)
    for verification in others:
        record(verification, 100)
    has_ended = False

    def end_the_last(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 # Django's signature
        nonlocal has_ended
        found = execute(sql, params, many, context)
        if not has_ended and "leaderboard_submission" in sql:
            has_ended = True
            record(last, 100)
        return found

    def read() -> tuple[str, bool]:
        found = api.get(f"{ADDRESS}{submission.pk}/").json()
        return found["state"], found["score"] is None

    with connection.execute_wrapper(end_the_last):
        assert read() != ("verified", True)
    assert has_ended
    assert read() == ("verified", False)


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

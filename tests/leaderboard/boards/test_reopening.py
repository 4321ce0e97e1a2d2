"""Replaying once more what failed because of the infrastructure: anybody may ask, and no end is lost."""

from __future__ import annotations

import uuid
from functools import partial
from typing import Any

import pytest
from django.test import Client

from leaderboard.boards.services import rebuild_boards
from leaderboard.models import FormerVerdict, Submission, SubmissionItem
from leaderboard.submissions.replay_again import retry
from leaderboard.submissions.services import Conflict, withdraw
from runner.models import Demand, EnvironmentVersion, Verification
from tests.factories import make_token
from tests.kit.boards import World, document, fail, record, standing, submit, verifications
from tests.kit.examples import examples
from tests.kit.work import together

BROKEN = "infra:killed"


def broken(world: World) -> SubmissionItem:
    """The first item of a submission of three, which failed."""
    submission = submit(world.user)
    fail(verifications(submission)[0], BROKEN, "The child was killed.")
    return submission.items.get(position=0)


def address(item: SubmissionItem, end: str = "retry/") -> str:
    return f"/api/v1/submissions/{item.submission_id}/items/{item.position}/{end}"


def ask(user: Any, item: SubmissionItem) -> Any:
    client = Client(headers={"Authorization": f"Bearer {make_token(user)[1]}"})
    return client.post(address(item))


def test_anybody_may_have_the_infrastructures_failure_replayed_again(world: World) -> None:
    item = broken(world)
    answer = ask(world.other, item)
    assert (answer.status_code, answer.json()["verdict"], answer.json()["reason"]) == (202, "pending", None)
    former = item.verification
    item.refresh_from_db()
    assert former is not None
    assert item.verification is not None
    assert (item.verification.pk == former.pk, item.verification.state) == (False, "queued")
    assert (item.decided_at, standing(item.submission).pending) == (None, 3)
    kept = FormerVerdict.objects.get()
    assert (kept.item, kept.verification, kept.verdict, kept.reason) == (item, former, "failed", BROKEN)
    assert (kept.detail, kept.reopened_by) == ("The child was killed.", world.other.username)
    former.refresh_from_db()
    assert (former.state, former.reason, former.superseded_at) == ("failed", BROKEN, None)
    [shown] = Client().get(address(item, "")).json()["former_verdicts"]
    assert (shown["reason"], shown["reopened_by"]) == (BROKEN, kept.reopened_by)
    record(item.verification, 80)
    item.refresh_from_db()
    assert (item.verdict, item.value, standing(item.submission).verified) == ("verified", 80, 1)
    assert rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}


def test_whoever_submits_the_same_gets_a_new_replay_which_answers_the_first_too(world: World) -> None:
    item = broken(world)
    again = submit(world.other)
    new = verifications(again)[0]
    assert (new.pk != item.verification_id, new.state) == (True, "queued")
    record(new, 80)
    item.refresh_from_db()
    assert (item.verdict, item.reason) == ("failed", BROKEN)
    # The replay that somebody else asked for has ended: the item is judged at once.
    retry(submission_id=item.submission_id, position=0, actor=world.user)
    item.refresh_from_db()
    assert (item.verdict, item.value, item.verification_id) == ("verified", 80, new.pk)
    assert standing(item.submission).verified == 1


def test_another_failure_is_an_answer_and_stays(world: World) -> None:
    submission = submit(world.user)
    reasons = ("env:timeout", "semantics:crash", "claim:mismatch")
    for number, reason in enumerate(reasons):
        fail(verifications(submission)[number], reason)
        item = submission.items.get(position=number)
        answer = ask(world.user, item)
        assert answer.status_code == 409
        [problem] = answer.json()["errors"]
        assert (problem["field"], problem["value"]) == ("item", f"{item.submission_id}#{number}")
        assert (reason in answer.json()["detail"], bool(problem["remedy"])) == (True, True)
    assert verifications(submit(world.other)) == verifications(submission)
    assert not FormerVerdict.objects.exists()


def test_what_waits_is_verified_or_withdrawn_is_not_replayed_again(world: World) -> None:
    submission = submit(world.user)
    waiting, verified, failed = submission.items.order_by("position")
    record(verifications(submission)[1], 80)
    fail(verifications(submission)[2], BROKEN)
    assert [ask(world.user, one).status_code for one in (waiting, verified)] == [409, 409]
    withdraw(submission_id=submission.pk, actor=world.user)
    assert ask(world.user, failed).status_code == 409
    assert Verification.objects.count() == 3
    failed.position = 7
    assert ask(world.user, failed).status_code == 404
    failed.submission_id = uuid.uuid4()
    assert ask(world.user, failed).status_code == 404


def test_a_board_whose_environment_is_gone_replays_nothing_again(world: World) -> None:
    item = broken(world)
    EnvironmentVersion.objects.filter(pk=world.board.environment_version_id).update(digest="0" * 64)
    answer = ask(world.user, item)
    assert (answer.status_code, "not installed any more" in answer.json()["detail"]) == (409, True)
    assert Verification.objects.count() == 3


def test_the_page_has_a_button_and_then_tells_what_was_decided_before(world: World, pages: Client) -> None:
    item = broken(world)
    page = f"/submissions/{item.submission_id}/items/0/"
    before = pages.get(page).content.decode()
    assert ("Try again" in before, "Earlier verdicts" in before) == (True, False)
    assert f"{page}retry/" not in Client().get(page).content.decode()
    after = pages.post(f"{page}retry/", follow=True)
    text = after.content.decode()
    assert after.redirect_chain == [(page, 302)]
    assert ("Try again" in text, "Earlier verdicts" in text, BROKEN in text) == (False, True, True)
    assert ("The item will be replayed once more" in text, "on request of ada" in text) == (True, True)
    assert "only one that failed" in pages.post(f"{page}retry/", follow=True).content.decode()
    assert pages.post(f"/submissions/{item.submission_id}/items/9/retry/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_of_many_who_ask_at_once_one_reopens_the_item(world: World) -> None:
    item = broken(world)

    def once() -> SubmissionItem:
        return retry(submission_id=item.submission_id, position=0, actor=world.other)

    answers = together(*[once] * 6)
    assert sum(isinstance(one, SubmissionItem) for one in answers) == 1
    assert sum(isinstance(one, Conflict) for one in answers) == 5
    assert (FormerVerdict.objects.count(), Verification.objects.count()) == (1, 4)


@pytest.mark.drawn
@pytest.mark.django_db(transaction=True)
def test_trying_again_and_withdrawing_at_once_neither_deadlocks_nor_leaves_a_replay(world: World) -> None:
    for number in range(examples(3)):
        submission = submit(world.user, document([[number, 1], [number, 2], [number, 3]]))
        fail(verifications(submission)[0], BROKEN, "The child was killed.")
        answers = together(
            partial(retry, submission_id=submission.pk, position=0, actor=world.user),
            partial(withdraw, submission_id=submission.pk, actor=world.user),
        )
        assert isinstance(answers[0], SubmissionItem | Conflict), answers[0]
        assert isinstance(answers[1], Submission), answers[1]
        assert not Demand.objects.exists()
        assert not Verification.objects.filter(state="queued").exists()


def test_an_item_keeps_each_of_its_ends(world: World) -> None:
    item = broken(world)
    for number in range(3):
        retry(submission_id=item.submission_id, position=0, actor=world.user)
        item.refresh_from_db()
        assert item.verification is not None
        fail(item.verification, "infra:machine-busy", f"attempt {number}")
    item.refresh_from_db()
    former = list(item.former_verdicts.values_list("reason", "detail"))
    assert [detail for _, detail in former] == ["attempt 1", "attempt 0", "The child was killed."]
    assert (item.reason, item.detail) == ("infra:machine-busy", "attempt 2")


def test_a_board_asks_for_the_metrics_that_it_compares_and_for_those_claimed(world: World) -> None:
    claimed = document([[1], [2]])
    claimed["items"][1]["claims"] = {"text_size_bytes": 160}
    submission = submit(world.user, claimed)
    plain, both = verifications(submission)
    assert plain.wanted_metrics == ["ir_instructions"]
    assert both.wanted_metrics == ["ir_instructions", "text_size_bytes"]
    record(plain, 80)
    record(both, 80)
    assert [one.verdict for one in submission.items.order_by("position")] == ["verified"] * 2
    shown = Client().get(f"/submissions/{submission.pk}/items/0/")
    assert shown.status_code == 200
    item = Client().get(f"/api/v1/submissions/{submission.pk}/items/0/").json()
    assert item["metrics"] == {"ir_instructions": 80}
    # A claim that the recorded replay did not measure is not refuted by it: the work is replayed for it.
    later = document([[1]], agent="later")
    later["items"][0]["claims"] = {"text_size_bytes": 160}
    [new] = verifications(submit(world.other, later))
    assert (new.pk != plain.pk, new.wanted_metrics) == (True, ["ir_instructions", "text_size_bytes"])
    assert Submission.objects.count() == 2


def test_a_claim_that_was_not_measured_is_nobodys_fault_and_is_measured_next_time(world: World) -> None:
    body = document([[1]])
    body["items"][0]["claims"] = {"text_size_bytes": 160}
    item = submit(world.user, body).items.get()
    # As when an installation without that metric has replayed it.
    Verification.objects.update(wanted_metrics=["ir_instructions"])
    record(verifications(item.submission)[0], 80)
    item.refresh_from_db()
    assert (item.verdict, item.reason) == ("failed", "infra:internal")
    assert "did not measure text_size_bytes" in item.detail
    retry(submission_id=item.submission_id, position=0, actor=world.user)
    record(verifications(item.submission)[0], 80)
    item.refresh_from_db()
    [verification] = verifications(item.submission)
    wanted = ["ir_instructions", "text_size_bytes"]
    assert (item.verdict, verification.wanted_metrics) == ("verified", wanted)

"""Requests at the same time, in real transactions on real connections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from leaderboard.models import Standing, Submission
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions.services import withdraw
from runner.models import Verification
from tests.kit.boards import document, record, standing, submit, verifications
from tests.kit.examples import examples
from tests.kit.work import together

if TYPE_CHECKING:
    from tests.kit.boards import World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.drawn]


def test_two_equal_requests_with_one_key_make_one_submission(world: World) -> None:
    results = together(*[lambda: submit(world.user, document(), key="k")] * 4)
    assert all(isinstance(one, Submission) for one in results), results
    assert len({one.pk for one in results}) == 1
    assert Submission.objects.count() == 1
    assert Verification.objects.count() == 3


def test_two_bodies_with_one_key_make_one_submission_and_one_refusal(world: World) -> None:
    bodies = [document(agent=name) for name in ("one", "two")]
    results = together(*[lambda body=body: submit(world.user, body, key="k") for body in bodies])
    assert sorted(type(one).__name__ for one in results) == ["KeyReused", "Submission"]
    assert Submission.objects.count() == 1


def test_equal_work_of_many_in_any_order_is_requested_once_and_never_deadlocks(world: World) -> None:
    forward = document()
    backward = document() | {"items": list(reversed(document()["items"]))}
    results = together(*[lambda body=body: submit(world.user, body) for body in (forward, backward) * 2])
    assert all(isinstance(one, Submission) for one in results), results
    assert Verification.objects.count() == 3


def test_a_submission_that_comes_while_its_replay_ends_is_not_forgotten(world: World) -> None:
    for round_ in range(examples(2)):
        body = document([[1, round_]])
        first = submit(world.user, body)
        [verification] = verifications(first)
        results = together(lambda v=verification: record(v, 90), lambda b=body: submit(world.other, b))
        assert not any(isinstance(one, Exception) for one in results), results
        assert not Standing.objects.exclude(verified=1).exists()


def test_a_submission_that_comes_while_another_is_withdrawn_keeps_a_live_replay(world: World) -> None:
    for round_ in range(examples(2)):
        body = document([[2, round_]])
        first = submit(world.user, body)
        results = together(
            lambda pk=first.pk: withdraw(submission_id=pk, actor=world.user),
            lambda b=body: submit(world.other, b),
        )
        assert not any(isinstance(one, Exception) for one in results), results
        [verification] = verifications(results[1])
        assert verification.state == "queued"


def test_replays_that_end_together_lose_no_standing(world: World) -> None:
    submission = submit(world.user)
    results = together(*[lambda v=one: record(v, 90) for one in verifications(submission)])
    assert results == [None] * 3
    assert submission_queries.tally(submission).state == "verified"
    assert standing(submission).rank == 1

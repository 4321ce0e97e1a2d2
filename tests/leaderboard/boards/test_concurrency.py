"""Requests and ends of replays at the same time, in real transactions on real connections."""

from __future__ import annotations

import pytest

from leaderboard.accounts.throttles import StudyThrottle
from leaderboard.models import Find, Standing, Submission
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions.services import ask_minimised, withdraw
from runner.machines.machine import Machine
from runner.machines.presence import announce_runner
from runner.models import Verification
from tests.factories import make_board
from tests.kit.boards import World, agent, document, record, record_all, standing, submit, verifications
from tests.kit.credit import is_whole, owns
from tests.kit.examples import examples
from tests.kit.work import at_once, together

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


def test_two_owners_who_reach_a_state_at_once_both_found_it(world: World) -> None:
    for number in range(examples(2)):
        ada = submit(world.user, document(((number, 1), (number, 2)), agent=f"ada {agent(number)}"))
        bob = submit(world.other, document(((number, 3), (number, 4)), agent=f"bob {agent(number)}"))
        waiting = [*verifications(ada), *verifications(bob)]
        assert together(*(lambda one=one: record(one, 90) for one in waiting)) == [None] * 4
        assert owns(ada) == owns(bob) == [True, True]
        assert is_whole(world)
    assert Find.objects.count() == 4 * examples(2)


def test_one_owner_who_reaches_a_state_on_two_boards_at_once_has_one_find(world: World) -> None:
    make_board(slug="again")
    for number in range(examples(2)):
        made = [
            submit(world.user, document(((number, n),), board=slug))
            for n, slug in enumerate(("test-ic", "again"))
        ]
        waiting = [one for entry in made for one in verifications(entry)]
        assert together(*(lambda one=one: record(one, 90) for one in waiting)) == [None, None]
        assert [owns(entry) for entry in made] == [[True], [True]]
        [find] = Find.objects.filter(state_sha256=made[0].items.get().state_sha256)
        assert find.item in {entry.items.get() for entry in made}


@pytest.mark.usefixtures("broker")
def test_equal_questions_at_one_moment_count_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(fingerprint={}, versions={})
    announce_runner(name="celery@host", hardware_class="x86_64-cpu", machine=machine)
    made = submit(world.user, document([[3, 7, 7, 9]]))
    record_all(made, 90)
    counted: list[int] = []

    def allow(_: StudyThrottle, account: int, amount: int) -> bool:
        counted.append(account)
        return amount == 1

    monkeypatch.setattr(StudyThrottle, "allow", allow)
    at_once(4, lambda: ask_minimised(submission_id=made.pk, position=0, actor=world.user))
    assert counted == [world.user.pk]


def test_a_withdrawal_during_an_end_keeps_find_and_item_alike(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.kit.boards.LEASE_SECONDS", 0.5)  # a row that is withdrawn cannot be leased
    for number in range(examples(2)):
        made = submit(world.user, document(((number,),), agent=agent(number)))
        [waiting] = verifications(made)
        ended, withdrawn = together(
            lambda one=waiting: record(one, 90),
            lambda one=made: withdraw(submission_id=one.pk, actor=world.user),
        )
        assert not isinstance(withdrawn, Exception), withdrawn
        item = made.items.get()
        assert item.verdict == "withdrawn"
        was_verified = ended is None
        assert (item.own is True, Find.objects.filter(item=item).exists()) == (was_verified, was_verified)
        assert is_whole(world)

"""Replays that reach one state, and end at the same time."""

from __future__ import annotations

import pytest

from leaderboard.models import Find
from leaderboard.submissions.services import withdraw
from tests.factories import make_board
from tests.kit.boards import World, agent, document, record, submit, verifications
from tests.kit.credit import is_whole, owns
from tests.kit.examples import examples
from tests.kit.work import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.drawn]


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


def test_a_withdrawal_during_an_end_leaves_a_find_and_its_item_alike(
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

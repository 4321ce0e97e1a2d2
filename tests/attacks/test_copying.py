"""Attacks on the ranks of a board by what others have found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.utils import timezone

from leaderboard.models import Find, Submission, SubmissionItem
from leaderboard.records.queries import may_read_actions
from leaderboard.submissions.quotas import payer_of
from leaderboard.submissions.services import edit, open_sequences, withdraw
from runner.queue import demands
from tests.factories import make_user
from tests.kit.boards import URIS, World, document, fail, record_all, standing, submit, verifications
from tests.kit.credit import is_whole, owns

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client
    from rest_framework.test import APIClient

FOUND = ((1,), (2,), (3,))
COSMETIC = ((1, 9), (2, 9), (3, 9))
"""The same results by other final states: a step that changes the program's digest and not its size."""


def entry(
    owner: User, values: Sequence[int] = (90, 90, 90), actions: Sequence[Sequence[int]] = FOUND, **about: Any
) -> Submission:
    made = submit(owner, document(actions, open=False) | about)
    record_all(made, *values)
    return made


def wait(**span: float) -> None:
    """Let time pass for all that is stored."""
    passed = timedelta(**span)
    times = ("found_at", "submitted_at", "opens_at")
    Find.objects.update(**{name: F(name) - passed for name in times})
    SubmissionItem.objects.update(decided_at=F("decided_at") - passed, opens_at=F("opens_at") - passed)
    Submission.objects.update(created=F("created") - passed)


def reads(viewer: User | None, submission: Submission) -> list[bool]:
    items = submission.items.select_related("submission").order_by("position")
    return [may_read_actions(item, viewer) for item in items]


def lines(client: Client | APIClient, submission: Submission) -> list[object]:
    rows = client.get(f"/api/v1/submissions/{submission.pk}/items/").json()["results"]
    return [row["commandline"] for row in rows]


@pytest.mark.parametrize("changed", [1, 3])
def test_a_copy_with_cosmetic_steps_has_no_rank_and_the_finder_keeps_his(world: World, changed: int) -> None:
    finder = entry(world.user, open=True)
    copy = entry(world.other, actions=(*COSMETIC[:changed], *FOUND[changed:]))
    assert (standing(finder).rank, standing(copy).rank, owns(copy)) == (1, None, [False] * 3)
    assert standing(copy).score == standing(finder).score
    assert is_whole(world)


def test_what_nobody_could_read_is_found_anew(world: World) -> None:
    first, second = entry(world.user), entry(world.other)
    assert (owns(second), standing(first).rank, standing(second).rank) == ([True] * 3, 1, 1)


def test_a_sequence_is_read_by_its_owner_by_equals_and_later_by_all(world: World, client: Client) -> None:
    made = entry(world.user)
    worse, equal = make_user("worse"), make_user("equal")
    entry(worse, (91, 91, 90), ((4,), (5,), (6,)))
    entry(equal, (90, 89, 91), ((4, 8), (5, 8), (7,)))
    assert reads(world.user, made) == [True] * 3
    assert reads(None, made) == reads(world.other, made) == [False] * 3
    assert (reads(worse, made), reads(equal, made)) == ([False, False, True], [True, True, False])
    assert lines(client, made) == [None] * 3
    page = client.get(f"{made.get_absolute_url()}items/0/").content.decode()
    assert f"Its sequence opens on {timezone.now() + timedelta(days=30):%Y-%m-%d}" in page
    wait(days=30)
    assert reads(None, made) == [True] * 3
    assert None not in lines(client, made)


def test_an_owner_opens_sequences_for_good(world: World, api: APIClient, client: Client) -> None:
    made = entry(world.user)
    assert entry(world.other, (91, 91, 91)).items.filter(own=True).count() == 3
    answer = api.post(f"/api/v1/submissions/{made.pk}/edit/", {"open": True}, format="json")
    assert answer.status_code == 200
    assert None not in lines(client, made)
    edit(submission_id=made.pk, actor=world.user, values={"open": False})
    assert reads(None, made) == [True] * 3, "somebody may have read them"
    assert owns(entry(make_user("eve"), actions=COSMETIC)) == [False] * 3
    assert is_whole(world)


def test_whoever_could_read_by_a_result_of_his_own_has_read(world: World) -> None:
    entry(world.user)
    reader = entry(world.other, actions=((4,), (5,), (6,)))
    withdraw(submission_id=reader.pk, actor=world.other)  # that he could read stays true
    copied = entry(world.other, actions=COSMETIC)
    assert owns(copied) == [True] * 3, "he had found results of this value before he could read others"
    better = entry(make_user("eve"), (80, 80, 80), ((4, 8), (5, 8), (6, 8)))
    entry(world.other, (80, 80, 79), ((7,), (8,), (7, 8)))
    late = entry(world.other, (80, 80, 80), ((1, 8), (2, 8), (3, 8)))
    assert owns(late) == [True, True, False], "only the third was better than what he could read"
    assert standing(better).rank is not None


@pytest.mark.parametrize("agents", [("mine", "mine 2"), ("mine", "another")])
def test_one_owner_has_one_rank_whatever_the_names_of_the_agents(
    world: World, agents: tuple[str, str]
) -> None:
    first = entry(world.user, agent=agents[0])
    second = entry(world.user, actions=((4,), (5,), (6,)), agent=agents[1])
    honest = entry(world.other, (91, 91, 91), ((4, 8), (5, 8), (6, 8)))
    assert (standing(first).rank, standing(second).rank, standing(honest).rank) == (1, None, 2)
    few = entry(world.user, actions=((7,), (8,), (7, 8)), agent="few", effort={"compilations": 10})
    assert (standing(first).rank, standing(few).rank, standing(honest).rank) == (1, None, 2)
    assert is_whole(world)


def test_questions_do_not_tell_what_is_closed(world: World, client: Client, api: APIClient) -> None:
    made = entry(world.other)
    address = f"/api/v1/submissions/{made.pk}/items/0"
    for client_ in (client, api):
        item = client_.get(f"{address}/").json()
        hidden = ("commandline", "actions", "actions_sha256", "result", "minimised")
        assert {name: item[name] for name in hidden} == dict.fromkeys(hidden)
        for question in ("minimised", "steps/1/difference"):
            answer = client_.get(f"{address}/{question}/")
            assert answer.status_code == 409, answer.content
        [record, *_] = client_.get("/api/v1/records/").json()["results"]
        assert record["commandline"] is None
        name, path = URIS[0].removeprefix("benchmark://").split("/", 1)
        [found] = client_.get(f"/api/v1/datasets/{name}/benchmarks/{path}/results/").json()["boards"]
        assert found["best"]["commandline"] is None
    for page in ("/records/feed/", "/boards/test-ic/", f"/datasets/{name}/{path}/", made.get_absolute_url()):
        assert "input.bc" not in client.get(page).content.decode(), page


def test_a_stranger_cannot_open_what_is_not_his(world: World, api: APIClient) -> None:
    made = entry(world.other)
    answer = api.post(f"/api/v1/submissions/{made.pk}/edit/", {"open": True}, format="json")
    assert answer.status_code == 403
    with pytest.raises(PermissionDenied, match="Only its owner"):
        open_sequences(submission_id=made.pk, actor=world.user)
    assert reads(None, made) == [False] * 3


def test_an_opened_entry_beside_a_closed_one_of_the_same_owner_is_open(world: World) -> None:
    """Both wait for the same replays, which end together."""
    made = [submit(world.user, document(open=is_open, agent=f"{is_open}")) for is_open in (False, True)]
    record_all(made[0], 90, 90, 90)
    assert [reads(None, one) for one in made] == [[False] * 3, [True] * 3]
    assert owns(entry(world.other, actions=COSMETIC)) == [False] * 3


def test_known_results_use_up_the_quota(world: World) -> None:
    entry(world.user)
    used = []
    for number in range(3):
        entry(world.user, agent=f"agent {number}")
        used.append(demands.balance_of(payer=payer_of(world.user.pk)).used)
    assert 0 < used[0] < used[1] < used[2]


def test_withdrawn_and_worse_is_not_a_record_while_copies_stand(world: World) -> None:
    finder = entry(world.user, open=True)
    copy = entry(make_user("eve"), actions=COSMETIC)
    withdraw(submission_id=finder.pk, actor=world.user)
    worse = entry(world.other, (90, 90, 91), ((1, 9, 9), (2, 9, 9), (8,)))
    assert (standing(worse).records, standing(worse).rank) == (0, None)
    independent = entry(make_user("dan"), (95, 95, 95), ((4,), (5,), (6,)))
    assert (standing(copy).rank, standing(independent).rank) == (None, 1)


def test_staff_can_read_everything_and_so_has(world: World) -> None:
    entry(world.user)
    staff = make_user("root", staff=True)
    assert owns(entry(staff, actions=COSMETIC)) == [False] * 3
    assert owns(entry(staff, (89, 91, 92), ((4,), (5,), (6,)))) == [True] * 3


def test_what_failed_elsewhere_opens_like_others(world: World) -> None:
    made = submit(world.user, document(open=False))
    for verification in verifications(made):
        fail(verification, "semantics:output-differs")
    assert reads(None, made) == [False] * 3
    wait(days=30)
    assert reads(None, made) == [True] * 3

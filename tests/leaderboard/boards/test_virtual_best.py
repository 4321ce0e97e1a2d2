"""The best of everybody: what it is made of, who contributes what, and that it is kept item by item."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import pytest
from django.utils import timezone

from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from leaderboard.boards.services import rebuild_boards
from leaderboard.models import BestResult, Submission, SubmissionItem
from leaderboard.records import queries as record_queries
from leaderboard.submissions.services import withdraw
from tests.kit.boards import URIS, World, document, record, submit, verifications
from tests.kit.credit import PADDED, entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.test import Client
    from rest_framework.test import APIClient

API: Final = "/api/v1/boards/test-ic/"
OTHERS: Final = ((4,), (5,), (6,))


def made(owner: object, values: Sequence[int], actions: Sequence[Sequence[int]], agent: str) -> Submission:
    """A verified submission with a value for each program."""
    submission = submit(owner, document(actions, agent=agent))  # type: ignore[arg-type] # a user
    for verification, value in zip(verifications(submission), values, strict=True):
        if not verification.is_terminal:
            record(verification, value)
    return submission


def whole(world: World) -> bool:
    """Whether a rebuild from all items finds what is kept."""
    return rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}


def holders(world: World) -> list[Submission | None]:
    rows = {row.benchmark_uri: row.submission for row in BestResult.objects.filter(board=world.board)}
    return [rows.get(uri) for uri in URIS]


def test_the_virtual_best_has_the_best_of_each_program(world: World, anonymous: APIClient) -> None:
    first = made(world.user, (80, 100, 90), ((1,), (2,), (3,)), "first")
    second = made(world.other, (90, 80, 90), OTHERS, "second")
    assert holders(world) == [first, second, first]
    page = anonymous.get(f"{API}standings/").json()
    best = (100 / 80 * 100 / 80 * 100 / 90) ** (1 / 3)
    assert page["virtual_best"] == {"score": pytest.approx(best), "verified": 3, "total": 3}
    rows = {row["agent"]: row for row in page["results"]}
    for name, score in (("first", 100**3 / (80 * 100 * 90)), ("second", 100**3 / (90 * 80 * 90))):
        assert rows[name]["gap"] == pytest.approx(score ** (1 / 3) / best - 1)
    assert rows["first"]["contribution"] == pytest.approx(1 - (80 / 90) ** (1 / 3))
    assert rows["second"]["contribution"] == pytest.approx(1 - (80 / 100) ** (1 / 3))
    assert whole(world)


def test_copies_take_no_contribution_and_give_none(world: World, anonymous: APIClient) -> None:
    finder = entry(world.user, value=80, agent="finder")
    entry(world.other, OTHERS, value=90, agent="other")
    before = {
        row["agent"]: row["contribution"] for row in anonymous.get(f"{API}standings/").json()["results"]
    }
    entry(world.other, PADDED, value=80, agent="copy")
    after = {row["agent"]: row["contribution"] for row in anonymous.get(f"{API}standings/").json()["results"]}
    assert after == before | {"copy": 0}
    assert after["finder"] == pytest.approx(1 - 80 / 90)
    assert holders(world) == [finder] * 3
    assert whole(world)


def test_two_who_found_the_same_at_once_contribute_nothing_alone(world: World, anonymous: APIClient) -> None:
    one = submit(world.user, document(agent="one"))
    submit(world.other, document(agent="two"))
    for verification in verifications(one):
        record(verification, 80)
    rows = anonymous.get(f"{API}standings/").json()["results"]
    assert [row["contribution"] for row in rows] == [0, 0]
    assert holders(world) == [one] * 3
    assert whole(world)


def test_withdrawn_results_leave_the_virtual_best(world: World, anonymous: APIClient) -> None:
    best = entry(world.user, value=80, agent="best")
    [row] = anonymous.get(f"{API}standings/").json()["results"]
    assert (row["gap"], row["contribution"]) == (0, pytest.approx(1 - (100 / 400) / (100 / 80)))
    second = entry(world.other, OTHERS, value=90, agent="second")
    withdraw(submission_id=best.pk, actor=world.user)
    assert holders(world) == [second] * 3
    assert whole(world)
    withdraw(submission_id=second.pk, actor=world.other)
    assert holders(world) == [None] * 3
    assert board_queries.virtual_best(world.board) is None
    assert whole(world)


def test_a_rebuild_mends_what_was_lost(world: World) -> None:
    first = entry(world.user, value=80)
    second = entry(world.other, OTHERS, value=90)
    rows = {row.pk: row.log_ratio for row in BestResult.objects.all()}
    BestResult.objects.filter(benchmark_uri=URIS[0]).delete()
    BestResult.objects.filter(benchmark_uri=URIS[1]).update(item=second.items.get(position=1))
    assert rebuild_boards(board_ids=[world.board.pk]) == {world.board.pk: {first.pk}}
    assert [row.log_ratio for row in BestResult.objects.all()] == list(rows.values())
    assert whole(world)


def test_programs_show_the_best_and_what_entries_have(
    world: World, anonymous: APIClient, client: Client
) -> None:
    first = made(world.user, (80, 100, 90), ((1,), (2,), (3,)), "first")
    partial = made(world.other, (90,), OTHERS[:1], "partial")
    answer = anonymous.get(f"{API}programs/").json()
    assert [one["agent"] for one in answer["entries"]] == ["first", "partial"]
    alpha, beta, _ = answer["results"]
    assert (alpha["benchmark"], alpha["best"]["value"], alpha["best"]["owner"]) == (URIS[0], 80, "ada")
    assert alpha["best"]["contribution"] == pytest.approx(1 - 80 / 90)
    assert [(cell["ratio"], cell["best"]) for cell in alpha["results"]] == [
        (1.25, True),
        (pytest.approx(100 / 90), False),
    ]
    assert [(cell["submission"], cell["ratio"]) for cell in beta["results"]] == [
        (str(first.pk), 1.0),
        (str(partial.pk), None),
    ]
    page = client.get("/boards/test-ic/programs/").content.decode()
    for item in SubmissionItem.objects.all():
        assert f'href="{item.get_absolute_url()}"' in page
    assert 'class="num heat-up-4 best"' in page
    assert page.count("heat-even") == 2  # the virtual best and the entry of the same


def test_programs_are_read_in_pages_and_by_choice(world: World, anonymous: APIClient, client: Client) -> None:
    entry(world.user, agent="first")
    entry(world.other, OTHERS, agent="second")
    page = anonymous.get(f"{API}programs/?page_size=2&owner=bob").json()
    assert [one["agent"] for one in page["entries"]] == ["second"]
    assert [row["benchmark"] for row in page["results"]] == list(URIS[:2])
    further = anonymous.get(page["next"]).json()
    assert [row["benchmark"] for row in further["results"]] == [URIS[2]]
    assert anonymous.get(f"{API}programs/?entries=2").json()["entries"] == []
    assert client.get("/boards/test-ic/programs/?entries=2").status_code == 200
    for query, field in (("entries=0", "entries"), ("sort=none", "sort"), ("as_of=2026-01-01", "as_of")):
        [problem] = anonymous.get(f"{API}programs/?{query}").json()["errors"]
        assert problem["field"] == field
    assert client.get("/boards/test-ic/programs/?entries=x").status_code == 422


def test_the_best_score_rises_by_entries_that_still_stand(world: World, client: Client) -> None:
    entry(world.user, value=90, agent="first")
    entry(world.other, OTHERS, value=95, agent="worse")
    gone = entry(world.other, ((7,), (8,), (9,)), value=80, agent="gone")
    entry(world.user, ((10,), (11,), (12,)), value=85, agent="last")
    withdraw(submission_id=gone.pk, actor=world.other)
    rises = record_queries.best_over_time(world.board)
    assert [(rise.agent, rise.score) for rise in rises] == [
        ("first", pytest.approx(100 / 90)),
        ("last", pytest.approx(100 / 85)),
    ]
    assert [rise.agent for rise in record_queries.best_over_time(world.board, until=rises[0].at)] == ["first"]
    page = client.get("/boards/test-ic/").content.decode()
    assert "Best score over time" in page
    assert "The entries that raised it" in page


def test_the_rises_until_a_moment_stay_whatever_happens_later(world: World, client: Client) -> None:
    first = entry(world.user, value=90, agent="first")
    entry(world.user, ((10,), (11,), (12,)), value=85, agent="first")  # it ends a period of the former one
    second = entry(world.other, OTHERS, value=80, agent="second")
    moment = timezone.now()
    told = record_queries.best_over_time(world.board, until=moment)
    now = record_queries.best_over_time(world.board)
    assert [rise.agent for rise in told] == ["first", "first", "second"]
    assert [(rise.submission, rise.score) for rise in told] == [(rise.submission, rise.score) for rise in now]
    entry(world.other, ((13,), (14,), (15,)), value=70, agent="later")
    withdraw(submission_id=second.pk, actor=world.other)
    withdraw(submission_id=first.pk, actor=world.user)
    assert record_queries.best_over_time(world.board, until=moment) == told
    assert [rise.agent for rise in record_queries.best_over_time(world.board)] == ["first", "later"]
    page = client.get("/boards/test-ic/", {"as_of": moment.isoformat()}).content.decode()
    chart = page.partition("Best score over time")[2]
    assert ">second</a>" in chart
    assert ">later</a>" not in chart


def test_what_is_of_the_whole_board_is_on_its_first_page_alone(
    world: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.boards.pages.ROWS_A_PAGE", 1)
    entry(world.user, value=90, agent="first", effort={"compilations": 3})
    entry(world.other, OTHERS, value=95, agent="second", effort={"compilations": 5})
    first, second = (client.get(f"/boards/test-ic/?page={one}").content.decode() for one in (1, 2))
    for heading in ("Best score over time", "Score and effort"):
        assert heading in first
        assert heading not in second
    assert "second" in second
    assert "2 of 2" in second
    assert "Best score over time" not in client.get("/boards/test-ic/?sort=agent").content.decode()


def test_scores_are_shown_by_the_effort_that_is_reported(world: World, client: Client) -> None:
    for number, agent in enumerate(("first", "second")):
        actions = [[10 * number + place] for place in (1, 2, 3)]
        entry(world.user, actions, value=90 + number, agent=agent, effort={"compilations": 100 * number})
    page = client.get("/boards/test-ic/").content.decode()
    assert "Score and effort" in page
    assert f"second: {100 / 91:.4f} after 100" in page
    assert math.isclose(record_queries.efforts(world.board, standings.BoardChoice())[0].score or 0, 100 / 90)

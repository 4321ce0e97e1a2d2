"""Lists are read a page at a time: pages agree with the whole, and what is left out is said."""

from __future__ import annotations

import base64
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from leaderboard.submissions import queries as submission_queries
from optarena.limits import MAX_LEADERS
from runner.queue import leases
from tests.factories import make_board, make_dataset, make_user
from tests.kit.boards import World, agent, document, fail, record, record_all, submit, take, verifications
from tests.kit.pages import text

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from leaderboard.models import Submission

ENTRIES = 12


def submit_many(items: int) -> Submission:
    """A submission of many items to a board of as many programs."""
    names = [f"p{number:03}" for number in range(items)]
    make_dataset("many-v0", names)
    make_board(slug="many", title="Many", dataset="many-v0")
    rows = [{"benchmark": f"benchmark://many-v0/{name}", "actions": [1]} for name in names]
    return submit(make_user("ada"), {"board": "many", "agent": "agent", "items": rows})


def tie(world: World, entries: int = ENTRIES) -> None:
    """Entries of as many agents with one score."""
    made = [submit(world.user, document(agent=agent(number))) for number in range(entries)]
    record_all(made[0], 90, 90, 90)


def test_the_items_of_a_submission_are_on_pages_which_ask_for_the_progress_of_the_same(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.submissions.pages.ITEMS_A_PAGE", 4)
    submission = submit_many(10)
    address = submission.get_absolute_url()
    seen = []
    for number in (1, 2, 3):
        page = text(client.get(f"{address}?page={number}"))
        shown = [name for name in range(10) if f">p{name:03}</a>" in page]
        assert f"items {shown[0] + 1} to {shown[-1] + 1} of 10" in page
        asked = f"{address}progress/?page={number}"
        assert f'hx-get="{asked}"' in page
        assert f">p{shown[0]:03}</a>" in text(client.get(asked))
        seen += shown
    assert seen == list(range(10))
    assert 'rel="next"' not in page
    assert text(client.get(f"{address}?page=99")) == page.replace("?page=99", "?page=3")


def test_a_page_without_a_number_is_refused(client: Client, world: World) -> None:
    one = submit(world.user, document())
    person = f"/users/{world.user.username}/"
    lists = ("/boards/test-ic/", "/boards/test-ic/programs/", "/records/", "/submissions/", person)
    parts = (one.get_absolute_url(), f"{one.get_absolute_url()}progress/")
    entries = f"/compare/?entry={one.pk}&entry=level:Oz&"
    agents = f"{person}agent/?name={one.agent}&"
    for address in (*(f"{one}?" for one in (*lists, *parts)), entries, agents):
        for number in ("two", "1000000"):
            answer = client.get(f"{address}page={number}")
            assert answer.status_code == 422, address
            assert "page: There is no such page. Give a number from 1 to 999999." in answer.content.decode()
        assert client.get(f"{address}page=").status_code == 200, address
    for number in ("0", "-1", "1.5", "1" * 400):
        assert client.get(f"/records/?page={number}").status_code == 422


def test_a_tally_counts_what_the_items_say(world: World) -> None:
    submission = submit(world.user)
    first, second, _ = verifications(submission)
    record(first, 90)
    fail(second, "semantics:output-differs")
    other = submit(world.other, document([[5], [6], [7]]))
    for verification, value in zip(verifications(other), (20, 90, 90), strict=True):
        record(verification, value)
    for one in submission_queries.add_figures(list(submission_queries.list_submissions())):
        counts = Counter(one.items.values_list("verdict", flat=True))
        assert submission_queries.tally(one).by_verdict() == counts
        assert submission_queries.tally(one).total == counts.total()


def test_progress_counts_the_steps_of_replays_that_run(world: World) -> None:
    submission = submit(world.user)
    first, second, _ = verifications(submission)
    record(first, 90)
    leases.report_progress(lease=(lease := take(second)), done=0, total=2)
    leases.advance(lease=lease, to="replaying")  # type: ignore[arg-type] # its text
    leases.report_progress(lease=lease, done=1, total=2)
    assert submission_queries.progress(submission) == pytest.approx((1 + 0.45) / 3)


def test_the_timeline_of_a_large_submission_leaves_out_its_replays(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission_queries, "LOGGED_ITEMS", 2)
    submission = submit(world.user)
    take(verifications(submission)[0])
    texts = [event.text for event in submission_queries.timeline(submission)]
    assert texts == ["Submitted with 3 items"]


def test_a_board_names_the_first_of_many_leaders_and_sends_its_file_in_parts(
    world: World, anonymous: APIClient
) -> None:
    tie(world)
    leaders = anonymous.get("/api/v1/boards/test-ic/").json()["leaders"]
    assert [one["agent"] for one in leaders] == [agent(number) for number in range(MAX_LEADERS)]
    rows = anonymous.get("/api/v1/boards/test-ic/standings/").json()["results"]
    assert [row["rank"] for row in rows] == [1] * ENTRIES
    response = anonymous.get("/api/v1/boards/test-ic/standings.csv")
    assert response.streaming
    lines = [part.decode() for part in response]
    assert len(lines) == 1 + 1 + ENTRIES + 4, "the head, the virtual best, the entries, the levels"
    assert all(line.count("\n") == 1 for line in lines)


def test_a_page_that_begins_within_a_tie_continues_its_rank(world: World, anonymous: APIClient) -> None:
    record_all(submit(world.other, document([[7], [8], [9]])), 80, 80, 80)
    tie(world)
    address, seen = "/api/v1/boards/test-ic/standings/?page_size=5", []
    pages = []
    while address:
        page = anonymous.get(address).json()
        pages.append(address)
        seen += [(row["position"], row["rank"]) for row in page["results"]]
        address = page["next"]
    assert seen == [(1, 1), *((position, 2) for position in range(2, ENTRIES + 2))]
    back = anonymous.get(page["previous"]).json()
    assert back["results"] == anonymous.get(pages[-2]).json()["results"]


def test_a_cursor_that_no_page_of_a_board_gave_is_refused(world: World, anonymous: APIClient) -> None:
    for cursor in ("x", "o=1&r=1", "p=50", "o=99999999999999999999", "o=-1"):
        given = cursor if cursor == "x" else base64.b64encode(cursor.encode()).decode()
        response = anonymous.get("/api/v1/boards/test-ic/standings/", {"cursor": given})
        assert response.status_code == 404
        assert response.json()["type"].endswith("invalid-cursor")


def test_submissions_can_be_limited_to_ones_own(pages: Client, world: World) -> None:
    submit(world.user, document(agent="mine alone"))
    submit(world.other, document(agent="theirs"))
    assert "theirs" in text(pages.get("/submissions/"))
    mine = text(pages.get("/submissions/?mine=1"))
    assert "mine alone" in mine
    assert "theirs" not in mine
    login = Client().get("/submissions/?mine=1")["Location"]
    assert login == "/accounts/login/?next=/submissions/%3Fmine%3D1"


def test_submissions_of_what_does_not_exist_are_not_an_empty_list(pages: Client, world: World) -> None:
    assert pages.get("/submissions/?board=test-ic&owner=ada").status_code == 200
    for query, told in (("board=tset-ic", "tset-ic"), ("owner=nobody", "no user of this name")):
        answer = pages.get(f"/submissions/?{query}")
        assert answer.status_code == 422
        assert told in answer.content.decode()

"""The pages of people and of their agents, and the same by API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.test import APIClient

from leaderboard.people import queries as people_queries
from leaderboard.submissions.services import withdraw
from tests.factories import make_board, make_user
from tests.kit.boards import document, record, submit, verifications
from tests.kit.credit import PADDED, entry
from tests.kit.pages import text

if TYPE_CHECKING:
    from django.test import Client

    from tests.kit.boards import World


def get(place: str, **query: str) -> Any:
    answer = APIClient().get(place, query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_a_person_has_the_best_entry_of_each_board_with_its_rank(world: World) -> None:
    make_board(slug="second", title="Second board")
    entry(world.other, ((4,), (5,), (6,)), value=80, agent="ahead")
    entry(world.user, value=95, agent="worse")
    best = entry(world.user, ((7,), (7,), (7,)), value=85, agent="better")
    only = entry(world.user, ((8,), (8,), (8,)), value=70, board="second")
    rows = {one["board"]: one for one in get("/api/v1/users/ada/")["best"]}
    assert {slug: (one["submission"], one["rank"]) for slug, one in rows.items()} == {
        "test-ic": (str(best.pk), 2),
        "second": (str(only.pk), 1),
    }


def test_figures_count_submissions_finds_and_records(world: World) -> None:
    entry(world.user, value=90)
    entry(world.user, PADDED, value=90, agent="again")
    entry(world.other, PADDED, value=90, agent="copy")
    assert get("/api/v1/users/ada/")["figures"] == {"entries": 2, "finds": 3, "records": 3}
    assert get("/api/v1/users/bob/")["figures"] == {"entries": 1, "finds": 0, "records": 0}


def test_agents_are_families_and_the_newest_stands_first(world: World) -> None:
    for number, name in enumerate(("Greedy", "greedy-2", "other", "greedy (v1.1)")):
        entry(world.user, ((number,), (number,), (number,)), agent=name)
    rows = get("/api/v1/users/ada/agents/")["results"]
    assert [(one["name"], one["family"], one["entries"]) for one in rows] == [
        ("greedy (v1.1)", "greedy", 3),
        ("other", "other", 1),
    ]
    assert len(get("/api/v1/users/ada/agents/", page_size="1")["results"]) == 1


def test_the_entries_of_an_agent_come_newest_first_whatever_its_name(world: World) -> None:
    made = [entry(world.user, ((n,), (n,), (n,)), agent=f"Greedy {n}", value=90 - n) for n in (1, 2, 3)]
    rows = get("/api/v1/users/ada/entries/", agent="greedy")["results"]
    assert [one["submission"] for one in rows] == [str(one.pk) for one in reversed(made)]
    assert [one["rank"] for one in rows] == [1, None, None]
    assert rows[1]["unranked"] == "Its family of agents has a better entry."


def test_withdrawn_entries_are_not_among_them(world: World) -> None:
    made = entry(world.user)
    withdraw(submission_id=made.pk, actor=world.user)
    assert get("/api/v1/users/ada/agents/")["results"] == []
    assert get("/api/v1/users/ada/entries/", agent="agent")["results"] == []


def test_a_bad_query_is_named(world: World) -> None:
    for query, field in (
        ({}, "agent"),
        ({"agent": " "}, "agent"),
        ({"agent": "x" * 81}, "agent"),
        ({"agent": "agent", "board": "nowhere"}, "board"),
        ({"agent": "agent", "colour": "red"}, "colour"),
        ({"agent": "agent", "page_size": "0"}, "page_size"),
    ):
        answer = APIClient().get("/api/v1/users/ada/entries/", query)
        [problem] = answer.json()["errors"]
        assert (answer.status_code, problem["field"], bool(problem["remedy"])) == (422, field, True)


def test_an_unknown_person_is_not_found(client: Client, world: World) -> None:
    for place in ("/users/eve/", "/users/eve/agent/", "/api/v1/users/eve/", "/records/?owner=eve"):
        answer = client.get(place)
        assert (answer.status_code, "eve" in answer.content.decode()) == (404, True)
    make_user("eve")
    assert "No entries on a board yet." in text(client.get("/users/eve/"))


def test_the_best_score_over_time_only_rises(world: World) -> None:
    for number, value in enumerate((90, 95, 80)):
        entry(world.user, ((number,), (number,), (number,)), value=value)
    course = people_queries.development(world.user, "agent", world.board)
    assert [round(score, 3) for _, score in course["best"]] == [round(100 / 90, 3), 1.25]
    assert len(course["entries"]) == 3
    assert not course["is_cut"]


def test_an_agents_page_has_the_chart_and_the_table(client: Client, world: World) -> None:
    entry(world.user, value=90, agent="Greedy")
    waiting = submit(world.user, document(((5,), (5,), (5,)), agent="greedy 2"))
    page = text(client.get("/users/ada/agent/?name=greedy"))
    assert page.count("<polyline") == 2  # for wide and for narrow screens
    assert "1.1111" in page
    assert waiting.get_absolute_url() in page
    assert client.get("/users/ada/agent/?name=greedy&board=nowhere").status_code == 404
    assert client.get("/users/ada/agent/?name=unknown").status_code == 404


def test_pages_of_results_lead_to_people(client: Client, world: World) -> None:
    made = entry(world.user)
    for place in (
        "/boards/test-ic/",
        "/submissions/",
        "/records/",
        made.get_absolute_url(),
        f"/submissions/{made.pk}/items/0/",
    ):
        assert 'href="/users/ada/"' in text(client.get(place)), place
    assert "/users/ada/agent/?name=agent" in text(client.get(made.get_absolute_url()))


def test_what_people_say_about_themselves_is_drawn_safely(pages: Client, world: World) -> None:
    form = {
        "affiliation": "Here & there",
        "url": "https://example.org/",
        "about": "**me** <script>x</script>",
    }
    assert pages.post("/accounts/settings/", form).status_code == 302
    page = text(pages.get("/users/ada/"))
    assert "Here &amp; there" in page
    assert '<a href="https://example.org/" rel="nofollow noopener ugc">' in page
    assert "<strong>me</strong> &lt;script&gt;" in page
    assert get("/api/v1/users/ada/")["profile"] == form


def test_a_bad_profile_is_refused_and_what_a_program_leaves_out_stays(api: APIClient) -> None:
    for given, field in (
        ({"url": "javascript:alert(1)"}, "url"),
        ({"affiliation": "x" * 121}, "affiliation"),
        ({"about": "a\u0000b"}, "about"),
        ({"username": "root"}, "username"),
        ([1], "document"),
    ):
        answer = api.post("/api/v1/auth/me/", given, format="json")
        assert answer.status_code == 422
        assert [one["field"] for one in answer.json()["errors"]] == [field]
    api.post("/api/v1/auth/me/", {"affiliation": "Here"}, format="json")
    body = api.post("/api/v1/auth/me/", {"about": "me"}, format="json").json()
    assert body["profile"] == {"affiliation": "Here", "url": "", "about": "me"}


def test_records_of_one_person(world: World) -> None:
    entry(world.user, value=90)
    entry(world.other, ((4,), (5,), (6,)), value=80)
    assert {one["owner"] for one in get("/api/v1/records/", owner="bob")["results"]} == {"bob"}
    answer = APIClient().get("/api/v1/records/", {"owner": "eve"})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "owner")


def test_an_entry_that_is_being_verified_has_no_score_here_either(world: World) -> None:
    made = submit(world.user, document(agent="half done"))
    for verification in verifications(made)[:-1]:
        record(verification, 90)
    [best] = get("/api/v1/users/ada/")["best"]
    [listed] = get("/api/v1/users/ada/entries/", agent="half done")["results"]
    for row in (best, listed):
        assert (row["pending"], row["score"], row["score_interval"]) == (1, None, None)

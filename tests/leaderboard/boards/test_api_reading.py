"""What page, API and CSV show of boards and submissions, filtered, sorted, and of a moment."""

from __future__ import annotations

import csv
import io
import math
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from datasets.site.formats import NOTHING
from leaderboard.boards import standings
from leaderboard.boards.services import rebuild_boards
from leaderboard.models import BestResult, Standing, StandingPeriod, Submission
from leaderboard.submissions.services import withdraw
from optarena.specs import environment_spec
from optarena.specs.results import ReplayResult
from runner.machines.machine import Machine
from runner.machines.presence import announce_runner
from runner.models import Verification
from tests.kit.boards import (
    URIS,
    World,
    agent,
    document,
    fail,
    owner_of,
    record,
    record_all,
    submit,
    take,
    verifications,
)
from tests.kit.credit import entry
from tests.kit.pages import text

if TYPE_CHECKING:
    from pytest_django import Settings
    from rest_framework.test import APIClient


def ranked(world: World, number: int) -> list[Submission]:
    made = [submit(owner_of(agent(n)), document([[n], [n], [n]], agent=agent(n))) for n in range(number)]
    for n, submission in enumerate(made):
        record_all(submission, 80 + n, 90, 90)
    return made


def test_a_board_shows_what_it_compares_its_leader_and_its_rows(world: World, anonymous: APIClient) -> None:
    ranked(world, 3)
    body = anonymous.get("/api/v1/boards/test-ic/").json()
    compared = (body["dataset"], body["environment"], body["metric"])
    assert compared == ("boards-v0", "llvm-ic-v0", "ir_instructions")
    assert body["environment_digest"] == environment_spec("llvm-ic-v0").digest
    assert [leader["agent"] for leader in body["leaders"]] == [agent(0)]
    assert anonymous.get("/api/v1/boards/").json()["results"][0]["slug"] == "test-ic"
    assert anonymous.get("/api/v1/boards/none/").status_code == 404
    body = anonymous.get("/api/v1/boards/test-ic/standings/").json()
    found = [(row["rank"], row["agent"]) for row in body["results"]]
    assert found == [(1, agent(0)), (2, agent(1)), (3, agent(2))]
    assert [row["level"] for row in body["references"]] == ["Oz", "O2", "O3", "O1"]
    assert body["results"][0]["coverage"] == 1.0


def test_the_csv_has_the_rows_and_references_of_the_page(world: World, anonymous: APIClient) -> None:
    submission = submit(world.user, document(agent="=HYPERLINK()"))
    record_all(submission, 90, 90, 90)
    response = anonymous.get("/api/v1/boards/test-ic/standings.csv")
    assert response["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode())))
    assert [(row["rank"], row["agent"]) for row in rows] == [
        ("reference", "virtual best"),
        ("1", "'=HYPERLINK()"),
        ("reference", "LLVM -Oz"),
        ("reference", "LLVM -O2"),
        ("reference", "LLVM -O3"),
        ("reference", "LLVM -O1"),
    ]
    standings = anonymous.get("/api/v1/boards/test-ic/standings/").json()
    assert rows[1]["created"] == standings["results"][0]["created"], "a moment is written as in JSON"


_BY_RATIO = '"ratio" IS NOT NULL'


def test_a_submission_says_what_its_score_owes_to_one_program(world: World, anonymous: APIClient) -> None:
    submission = submit(world.user)
    address = f"/api/v1/submissions/{submission.pk}/"
    first, second, third = verifications(submission)
    record(first, 80)
    with CaptureQueriesContext(connection) as captured:
        assert anonymous.get(address).json()["largest_ratio"] is None, "the others wait"
    assert not any(_BY_RATIO in query["sql"] for query in captured), "clients ask again and again"
    record(second, 90)
    record(third, 100)
    [reference] = {item.value * item.ratio for item in submission.items.all() if item.value and item.ratio}
    found = anonymous.get(address).json()["largest_ratio"]
    assert found["benchmark"] == submission.items.get(position=0).benchmark_uri
    assert found["ratio"] == reference / 80
    assert found["score_without"] == pytest.approx(math.sqrt(reference / 90 * reference / 100))
    page = text(Client().get(submission.get_absolute_url()))
    assert f"without it the score is {found['score_without']:.4f}" in page
    for more, needs in (("", True), ("items/", False), ("items/0/", False), ("edits/", False)):
        with CaptureQueriesContext(connection) as captured:
            assert anonymous.get(f"{address}{more}").status_code == 200
        looked_for = any(_BY_RATIO in query["sql"] for query in captured)
        assert looked_for == needs, "only where it is shown"


def test_submissions_can_be_filtered(world: World, anonymous: APIClient) -> None:
    greedy = str(submit(world.user, document(agent="greedy search")).pk)
    submit(world.other, document(agent="random search"))

    def agents(query: str) -> list[str]:
        return [row["agent"] for row in anonymous.get(f"/api/v1/submissions/?{query}").json()["results"]]

    assert agents("") == ["random search", "greedy search"]
    assert agents("owner=ada") == ["greedy search"]
    assert agents("agent=RANDOM") == ["random search"]
    for beginning in (greedy[:8], greedy[:12].upper(), greedy, greedy.replace("-", "")):
        assert agents(f"id={beginning}") == ["greedy search"]
    assert agents(f"id={greedy[:8]}&owner=bob") == []


def test_a_nul_in_a_parameter_is_named(db: None, anonymous: APIClient) -> None:
    answer = anonymous.get("/api/v1/submissions/?page_size=5&agent=a%00b")
    assert (answer.status_code, answer.json()["type"]) == (400, "/problems/#bad-request")
    [error] = answer.json()["errors"]
    assert error["field"] == "agent"
    assert error["value"]
    assert "%00" in error["remedy"]


def test_an_item_has_all_that_a_repetition_needs(world: World, anonymous: APIClient) -> None:
    body = document()
    body["items"][0] |= {"claims": {"ir_instructions": 90}, "reward": 1.5}
    submission = submit(world.user, body)
    Verification.objects.update(progress_phase="measuring", progress_total=1)
    record_all(submission, 90, 90, 90)
    item = anonymous.get(f"/api/v1/submissions/{submission.pk}/items/0/").json()
    spec = environment_spec("llvm-ic-v0")
    assert (item["environment"], item["environment_digest"]) == (spec.slug, spec.digest)
    assert (item["benchmark"], item["actions"], item["commandline"]) == (URIS[0], [1], spec.commandline([1]))
    assert (item["claims"], item["reward"]) == ({"ir_instructions": 90.0}, 1.5)
    result = ReplayResult.from_json(item["result"])
    assert (result.actions, result.benchmark_sha256) == ((1,), item["benchmark_sha256"])
    assert result.steps[0].cost == 90
    assert result.workloads[0].name == "small"
    assert item["bitcode_url"].endswith("/api/v1/datasets/boards-v0/benchmarks/alpha/bitcode/")
    assert item["metrics"] == {"ir_instructions": 90.0}
    assert [item["verification"][name] for name in ("phase", "done", "total")] == ["", 0, 0]
    assert anonymous.get(f"/api/v1/submissions/{submission.pk}/items/7/").status_code == 404


def test_an_unverified_item_says_why_and_lists_its_attempts(world: World, anonymous: APIClient) -> None:
    submission = submit(world.user)
    fail(verifications(submission)[0], "env:crash", "step 0 (sroa): signal SIGSEGV")
    items = f"/api/v1/submissions/{submission.pk}/items/"
    item = anonymous.get(items).json()["results"][0]
    assert item["reason"]["id"] == "env:crash"
    assert item["reason"]["remedy"]
    assert "SIGSEGV" in item["reason"]["detail"]
    [told] = anonymous.get(f"{items}0/").json()["attempts"]
    assert (told["number"], told["decision"], told["reason"]) == (1, "fail", "env:crash")
    assert ("SIGSEGV" in told["detail"], told["evidence"]) == (True, {})
    assert "worker" not in told, "its name contains that of its host"
    waiting = anonymous.get(f"{items}1/").json()
    assert (waiting["verdict"], waiting["result"], waiting["reason"]) == ("pending", None, None)
    assert waiting["attempts"] == []


def test_an_environment_shows_its_actions(anonymous: APIClient, db: None) -> None:
    listed = anonymous.get("/api/v1/environments/").json()["results"]
    assert "llvm-ic-v0" in [one["slug"] for one in listed]
    body = anonymous.get("/api/v1/environments/llvm-ic-v0/").json()
    assert (
        len(body["actions"]) == body["action_count"] == len(environment_spec("llvm-ic-v0").action_table.names)
    )
    assert all(action["pipeline"] and action["description"] for action in body["actions"])
    assert anonymous.get("/api/v1/environments/none/").status_code == 404


@pytest.mark.parametrize(
    ("query", "field", "remedy"),
    [
        ("boards/test-ic/standings/?al=1", "al", "all"),
        ("boards/test-ic/standings/?all=1&all=0", "all", "Give it once."),
        ("boards/test-ic/standings/?all=null", "all", "Give `true` or `false`, or leave it out."),
        ("boards/test-ic/standings/?all=", "all", "Give `true` or `false`, or leave it out."),
        ("boards/test-ic/standings/?page_size=101", "page_size", "from 1 to 100"),
        ("limits/?page=2", "page", "Leave it out: this request takes none."),
        ("submissions/?board=tset-ic", "board", "Did you mean 'test-ic'?"),
        ("submissions/?owner=nobody", "owner", ""),
        *((f"submissions/?id={wrong}", "id", "hexadecimal") for wrong in ("", "5g", "-", "a" * 33)),
    ],
)
def test_a_parameter_without_effect_is_refused(
    world: World, anonymous: APIClient, query: str, field: str, remedy: str
) -> None:
    answer = anonymous.get(f"/api/v1/{query}")
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    [problem] = answer.json()["errors"]
    assert problem["field"] == field
    assert remedy in problem["remedy"]


def test_the_index_leads_everywhere(world: World, anonymous: APIClient) -> None:
    found = anonymous.get("/api/v1/").json()
    answers = {
        "me": 401,
        "signup": 405,
        "token": 405,
        "validate": 405,
        "portable_entries": 405,
        "compare": 422,
    }
    for name, address in found.items():
        status = anonymous.get(address).status_code
        assert status == answers.get(name, 200), name


def test_nothing_can_be_changed_through_other_methods(world: World, api: APIClient) -> None:
    submission = f"/api/v1/submissions/{submit(world.user).pk}/"
    for address in ("/api/v1/boards/test-ic/", submission, f"{submission}items/0/"):
        assert (api.put(address).status_code, api.patch(address).status_code) == (405, 405), address


def test_an_answer_is_sent_once(world: World, anonymous: APIClient) -> None:
    address = "/api/v1/boards/test-ic/"
    first = anonymous.get(address)
    again = anonymous.get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    submit(world.user, document())
    changed = anonymous.get(address, headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_pages_of_other_sites_read_as_nobody(world: World, anonymous: APIClient, settings: Settings) -> None:
    asked = {"Origin": "https://other.example", "Access-Control-Request-Method": "GET"}
    for address in ("/api/v1/boards/", "/api/v1/boards/none/"):
        assert anonymous.get(address)["Access-Control-Allow-Origin"] == "*"
    before = anonymous.options("/api/v1/boards/", headers=asked)
    assert before.status_code == 204
    assert "Authorization" not in before["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in before
    writing = asked | {"Access-Control-Request-Method": "POST"}
    for closed in (
        anonymous.options("/api/v1/submissions/", headers=writing),
        anonymous.post("/api/v1/submissions/"),
        anonymous.get("/healthz"),
    ):
        assert "Access-Control-Allow-Origin" not in closed
    for answered, status in (
        (anonymous.post("/api/v1/submissions/", headers=asked), 401),
        (anonymous.get("/api/v1/boards/", headers=asked), 200),
    ):
        assert answered.status_code == status
    settings.OPTARENA_CROSS_ORIGIN = False
    assert "Access-Control-Allow-Origin" not in anonymous.get("/api/v1/boards/")


BOARD = "/boards/test-ic/"
API = "/api/v1/boards/test-ic/standings/"


@pytest.fixture
def entries(world: World) -> dict[str, Submission]:
    few, many = {"compilations": 40, "trained_on_test_set": True}, {"compilations": 5_000}
    return {
        "bravo": entry(world.user, value=80, agent="bravo", effort=few, description="A greedy search."),
        "alpha": entry(world.other, ((4,), (5,), (6,)), value=90, agent="alpha", effort=many),
        "charlie": entry(owner_of("carol"), ((7,), (8,), (9,)), value=95, agent="charlie"),
    }


def agents(client: APIClient, query: str, *, everywhere: bool) -> list[tuple[str, int | None]]:
    answer = client.get(f"{API}?{query}")
    assert answer.status_code == 200, answer.content
    found = [(row["agent"], row["rank"]) for row in answer.json()["results"]]
    assert [row["position"] for row in answer.json()["results"]] == list(range(1, len(found) + 1))
    if not everywhere:
        return found
    export = client.get(f"/api/v1/boards/test-ic/standings.csv?{query}").getvalue().decode()
    rows = [row for row in csv.DictReader(io.StringIO(export)) if row["rank"] != "reference"]
    assert [(row["agent"], row["rank"]) for row in rows] == [(name, str(rank or "")) for name, rank in found]
    page = client.get(f"{BOARD}?{query}").content.decode()
    table = page.partition('aria-label="Standings"')[2].partition("</table>")[0]
    places = [table.index(f">{name}</a>") for name, _ in found]
    assert places == sorted(places)
    return found


CHOSEN = {
    "": ["bravo", "alpha", "charlie"],
    "effort=few": ["bravo"],
    "effort=unlimited": ["alpha"],
    "effort=zero-shot": [],
    "effort=unreported": ["charlie"],
    "trained=true": ["bravo"],
    "trained=no": ["alpha", "charlie"],
    "owner=bob": ["alpha"],
    "text=ALPH": ["alpha"],
    "text=greedy": ["bravo"],
    "text=%25": [],
    "owner=bob&sort=-agent": ["alpha"],
    "sort=agent": ["alpha", "bravo", "charlie"],
    "sort=owner": ["bravo", "alpha", "charlie"],
    "sort=score": ["charlie", "alpha", "bravo"],
    "sort=-score": ["bravo", "alpha", "charlie"],
    "sort=effort": ["bravo", "alpha", "charlie"],
    "sort=-effort": ["alpha", "bravo", "charlie"],
    "sort=created": ["bravo", "alpha", "charlie"],
    "sort=-created": ["charlie", "alpha", "bravo"],
    "sort=-contribution": ["bravo", "alpha", "charlie"],
    "sort=rank": ["bravo", "alpha", "charlie"],
}
"""Which agents are shown, and in which order."""


def test_page_api_and_file_show_the_same_rows_with_their_ranks_on_the_whole_board(
    entries: dict[str, Submission], anonymous: APIClient
) -> None:
    ranks = {"bravo": 1, "alpha": 2, "charlie": 3}
    for number, (query, expected) in enumerate(CHOSEN.items()):
        found = agents(anonymous, query, everywhere=number % 5 == 0)
        assert found == [(name, ranks[name]) for name in expected], query
    columns = {f"sort={sign}{column}" for column in standings.SORTABLE[1:] for sign in ("", "-")}
    for query in columns - CHOSEN.keys():
        assert len(anonymous.get(f"{API}?{query}").json()["results"]) == len(entries), query


REFUSED = {
    "sort=scores": ("sort", "Did you mean 'score'?"),
    "sort=-rank": ("sort", "A minus before it"),
    "effort=fewer": ("effort", "few"),
    "trained=perhaps": ("trained", "Give `true` or `false`"),
    "owner=nobody": ("owner", "Give the user name"),
    f"text={'x' * 201}": ("text", "at most 200 characters"),
    "as_of=yesterday": ("as_of", "Give a day such as"),
    "as_of=2026-13-01": ("as_of", "Give a day such as"),
    "as_of=2999-01-01": ("as_of", "Give one that has passed."),
    "as_of=0001-01-01T00:00:00%2B14:00": ("as_of", "Give a day such as"),
    "as_of=2026-11-01&sort=contribution": ("sort", "Leave out either"),
}


def test_what_cannot_be_chosen_is_a_problem_everywhere(pages: Client, anonymous: APIClient) -> None:
    for query, (field, remedy) in REFUSED.items():
        answer = anonymous.get(f"{API}?{query}")
        assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
        [problem] = answer.json()["errors"]
        assert (problem["field"], remedy in problem["remedy"]) == (field, True), query
        assert anonymous.get(f"/api/v1/boards/test-ic/standings.csv?{query}").status_code == 422
        page = pages.get(f"{BOARD}?{query}")
        assert page.status_code == 422
        shown = page.content.decode()
        assert shown.count(f"{field}: ") == 1
        for word in ("raceback", "<code>errors</code>", "`errors`"):
            assert word not in shown


def at(client: APIClient, moment: datetime) -> dict[str, Any]:
    found: dict[str, Any] = client.get(API, {"as_of": moment.isoformat()}).json()
    return found


def test_the_standings_of_a_moment_stay_as_they_were(
    world: World, anonymous: APIClient, client: Client
) -> None:
    first = entry(world.user, value=90, agent="first")
    early = timezone.now()
    second = entry(world.other, ((4,), (5,), (6,)), value=80, agent="second")
    waiting = submit(world.other, document([[7], [8], [9]], agent="waiting"))
    both = timezone.now()
    withdraw(submission_id=second.pk, actor=world.other)
    record_all(waiting, 70, 70, 70)
    shown = {moment: at(anonymous, moment) for moment in (early - timedelta(hours=1), early, both)}
    ranked = [[(row["agent"], row["rank"]) for row in one["results"]] for one in shown.values()]
    assert ranked == [[], [("first", 1)], [("second", 1), ("first", 2)]]
    assert [row["agent"] for row in anonymous.get(API).json()["results"]] == ["waiting", "first"]
    told = shown[both]
    assert (told["references"], told["virtual_best"], told["pending"]) == ([], None, [])
    assert told["environment_digest"] == world.board.environment_version.digest
    assert told["dataset_sha256"] in told["bibtex"]
    assert told["environment_digest"] in told["bibtex"]
    page = client.get(BOARD, {"as_of": both.isoformat()}).content.decode()
    assert "The standings as they were on" in page
    assert page.index(">second</a>") < page.index(">first</a>")
    assert ">waiting</a>" not in page
    assert first.standing.ranked_at is not None


def test_a_day_means_its_beginning_in_utc(world: World, anonymous: APIClient) -> None:
    entry(world.user)
    today = timezone.now().astimezone(UTC).date()
    before = anonymous.get(API, {"as_of": today.isoformat()}).json()
    assert before["as_of"] == f"{today.isoformat()}T00:00:00Z"
    StandingPeriod.objects.update(since=timezone.now() - timedelta(days=2))
    assert len(anonymous.get(API, {"as_of": today.isoformat()}).json()["results"]) == 1


def test_a_moment_may_be_in_any_zone(world: World, anonymous: APIClient, client: Client) -> None:
    entry(world.user, agent="first")
    StandingPeriod.objects.update(since=datetime(1, 1, 1, tzinfo=UTC))
    for zone in ("+23:59", "-16:00", "+00:00:30.5"):
        asked = {"as_of": f"0500-01-02T00:00:00{zone}"}
        moment = datetime.fromisoformat(asked["as_of"]).astimezone(UTC)
        answer = anonymous.get(API, asked).json()
        assert [row["agent"] for row in answer["results"]] == ["first"]
        assert answer["as_of"] == moment.isoformat().replace("+00:00", "Z")
        export = anonymous.get("/api/v1/boards/test-ic/standings.csv", asked).getvalue().decode()
        assert [row["agent"] for row in csv.DictReader(io.StringIO(export))] == ["first"]
        page = client.get(BOARD, asked).content.decode()
        address = page.partition('The <a href="http://testserver')[2].partition('"')[0]
        assert ">first</a>" in client.get(address.replace("&amp;", "&")).content.decode()


@pytest.mark.parametrize("hours", [-1, pytest.param(1, marks=pytest.mark.soak)])
def test_the_page_links_to_itself_as_it_is_now(
    world: World, client: Client, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """Whatever the clock of the machine says: moments are the database's."""
    told = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: told() + timedelta(hours=hours))
    entry(world.user, agent="first")
    found = standings.get_board("test-ic")
    assert found is not None
    page = client.get(BOARD).content.decode()
    address = page.partition('The <a href="http://testserver')[2].partition('"')[0]
    assert address.startswith(f"{BOARD}?as_of=")
    assert "@misc{optarena-test-ic-" in page
    assert ">first</a>" in client.get(address).content.decode()
    exact = f"{BOARD}?as_of={told():%Y-%m-%dT%H:%M:%S.%fZ}"
    page = client.get(exact).content.decode()
    assert f'<a href="http://testserver{exact.replace(":", "%3A")}">' in page


def test_entries_that_are_being_verified_stand_apart_and_have_no_score(
    world: World, anonymous: APIClient, client: Client
) -> None:
    made = submit(world.user, document(agent="half done"))
    record_all_but_last(made)
    answer = anonymous.get(API).json()
    [pending] = answer["pending"]
    assert (answer["results"], answer["pending_count"]) == ([], 1)
    assert (pending["agent"], pending["verified"], pending["pending"]) == ("half done", 2, 1)
    assert pending["unranked"] == "1 of its items waits for a verdict."
    one = anonymous.get(f"/api/v1/submissions/{made.pk}/").json()
    assert (one["score"], one["rank"], one["unranked"]) == (None, None, pending["unranked"])
    page = client.get(BOARD).content.decode()
    assert ">half done</a>" not in page.partition("Being verified")[0]
    section = page.partition('aria-label="Being verified"')[2].partition("</table>")[0]
    assert f'<td class="num score">{NOTHING}</td>' in section
    assert f"Score</dt><dd>{NOTHING}</dd>" in client.get(made.get_absolute_url()).content.decode()
    export = anonymous.get("/api/v1/boards/test-ic/standings.csv").getvalue().decode()
    [row] = [row for row in csv.DictReader(io.StringIO(export)) if row["agent"] == "half done"]
    assert (row["rank"], row["score"], row["verified"]) == ("", "", "2")
    shown = {}
    for query in ("owner=bob", "text=half", f"as_of={timezone.now():%Y-%m-%d}"):
        answer = anonymous.get(f"{API}?{query}").json()
        shown[query] = (answer["pending_count"], len(answer["pending"]))
        export = anonymous.get(f"/api/v1/boards/test-ic/standings.csv?{query}").getvalue().decode()
        page = client.get(f"{BOARD}?{query}").content.decode()
        assert ("half done" in export, ">half done</a>" in page) == (bool(answer["pending"]),) * 2, query
    assert [*shown.values()] == [(0, 0), (1, 1), (0, 0)]
    record_all(made, 90, 90, 90)
    assert anonymous.get(API).json()["pending"] == []


def record_all_but_last(made: Submission) -> None:
    for verification in verifications(made)[:-1]:
        record(verification, 90)


def test_an_entry_with_replays_left_takes_no_place_of_one_that_has_ended(
    world: World, anonymous: APIClient, client: Client
) -> None:
    def listed() -> list[str]:
        return [row["submission"] for row in anonymous.get(API).json()["results"]]

    ended = entry(world.user, ((1,),))
    made = submit(world.user, document([[4], [5], [6]]))
    record_all_but_last(made)
    assert listed() == [str(ended.pk)]
    assert made.standing.score > ended.standing.score, "though it has the better score already"
    for submission in (ended, made):
        Standing.objects.filter(submission=submission).update(best_of_owner=submission == made)
    assert rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: {ended.pk, made.pk}}
    rebuild_boards(board_ids=[world.board.pk])
    assert listed() == [str(ended.pk)]
    assert rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}
    assert f'href="{ended.get_absolute_url()}"' in client.get("/users/ada/").content.decode()
    record_all(made, 90, 90, 90)
    assert listed() == [str(made.pk)]


def test_a_rebuild_writes_down_what_was_lost(world: World, anonymous: APIClient) -> None:
    first = entry(world.user, value=90, agent="first")
    partial = entry(world.other, ((4,),), agent="partial")
    before = anonymous.get(API).json()
    ended = first.items.latest("decided_at").decided_at
    StandingPeriod.objects.all().delete()
    BestResult.objects.all().delete()
    Standing.objects.update(missing=[], ranked_at=None)
    rebuild_boards(board_ids=[world.board.pk])
    assert anonymous.get(API).json() == before
    assert StandingPeriod.objects.get(submission=first).since == ended
    assert Standing.objects.get(submission=first).ranked_at == ended
    assert Standing.objects.get(submission=partial).missing == list(URIS[1:])
    rebuild_boards(board_ids=[world.board.pk])
    assert StandingPeriod.objects.count() == 2


def test_the_queue_shows_what_runs_and_what_comes_next_with_its_entries(world: World, client: Client) -> None:
    first = submit(world.user, document(agent="first asked"))
    submit(world.other, document([[7], [8], [9]], agent="second asked"))
    take(verifications(first)[0])
    page = client.get("/queue/").content.decode()
    running = page.partition('aria-label="Running replays"')[2].partition("</table>")[0]
    assert f'href="{first.items.get(position=0).get_absolute_url()}"' in running
    following = page.partition('aria-label="Next replays"')[2].partition("</table>")[0]
    places = [following.index(f"submissions/{one.pk}/items/{n}/") for n in (0, 1) for one in second_of(first)]
    assert places == sorted(places)
    assert following.count("<tr>") == 6, "the head and five replays that wait"


def second_of(first: Submission) -> list[Submission]:
    """The other submission, whose owner has nothing running and comes first."""
    return list(Submission.objects.exclude(pk=first.pk))


def test_a_dry_run_tells_what_is_new_and_for_how_long(world: World, api: APIClient, pages: Client) -> None:
    machine = Machine(fingerprint={}, versions={})
    announce_runner(name="w", hardware_class="x86_64-cpu", machine=machine, processes=1)
    where = "/api/v1/submissions/validate/"
    told = api.post(where, document(), format="json").json()["wait"]
    assert (told["new_replays"], told["position"], told["processes"]) == (3, 1, 1)
    assert told["text"].startswith("3 new replays, with none waiting before the first; expected to end in")
    made = submit(world.other)
    assert "About 3 replays wait for runners of class" in pages.get("/submit/").content.decode()
    page = pages.get(f"{made.get_absolute_url()}items/2/").content.decode()
    assert "Position 3 in the queue, which goes round by owner." in page
    record_all(made, 90, 90, 90)
    told = api.post(where, document(), format="json").json()["wait"]
    assert (told["new_replays"], told["position"]) == (0, None)
    assert "adds nothing to the queue" in told["text"]

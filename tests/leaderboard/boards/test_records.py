"""Records, the best of everybody, and what stays of results whose history or actions are gone."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from django.utils.html import escape

from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from leaderboard.boards.services import rebuild_boards
from leaderboard.management.commands.prune import prune
from leaderboard.models import (
    BestResult,
    Board,
    BoardRecord,
    PortableBoard,
    Standing,
    Submission,
    SubmissionItem,
)
from leaderboard.records import queries as record_queries
from leaderboard.submissions import steps as submission_steps
from leaderboard.submissions.replay_again import doubted_champions, repeat_item, reverify
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.steps import stored_names
from leaderboard.submissions.verdicts import review
from optarena.specs import environment_spec
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Calibration, EnvironmentVersion, Verification, VerificationEvent
from runner.queue import leases, requests
from runner.queue import studies as study_queue
from tests.factories import make_board, make_calibration, make_user
from tests.kit.boards import URIS, World, document, record, record_all, submit, verifications
from tests.kit.credit import PADDED, entry
from tests.kit.noisy_boards import entry as noisy_entry
from tests.kit.noisy_boards import measure
from tests.kit.pages import text
from tests.kit.portable import make_portable_board, make_portable_entry

if TYPE_CHECKING:
    from django.test import Client
    from rest_framework.test import APIClient

pytestmark = pytest.mark.django_db


ATOM = "{http://www.w3.org/2005/Atom}"


def told(uri: str = URIS[0]) -> list[tuple[str, float | None, float | None]]:
    """The records of a benchmark, oldest first: owner, baseline / value, and the same of the best before."""
    return [
        (
            one.item.submission.owner.username,
            one.item.value,
            one.former_ratio and round(100 / one.former_ratio),
        )
        for one in record_queries.list_records(uri=uri).reverse()
    ]


def test_a_record_is_better_than_all_before_it(world: World) -> None:
    entry(world.user, value=90)
    entry(world.other, ((4,), (5,), (6,)), value=95)
    entry(world.other, PADDED, value=90, agent="copy")
    entry(world.other, ((7,), (8,), (9,)), value=90)
    best = entry(world.other, ((10,), (11,), (12,)), value=85)
    assert told() == [("ada", 90, None), ("bob", 85, 90)]
    assert BoardRecord.objects.count() == 6
    withdraw(submission_id=best.pk, actor=world.other)
    assert told() == [("ada", 90, None)]
    entry(make_user("eve"), ((13,), (14,), (15,)), value=87)
    assert told() == [("ada", 90, None), ("eve", 87, 90)], "what is withdrawn is not compared with either"


def test_each_board_has_its_own_records(world: World) -> None:
    make_board(slug="size", metric="text_size_bytes")
    entry(world.user, value=40)  # 80 bytes
    entry(world.user, ((4,), (5,), (6,)), value=45, board="size")
    assert {one.board.slug for one in record_queries.list_records()} == {"size"}, (
        "the other waits for a reviewer"
    )
    [board] = {one.board for one in record_queries.list_records()}
    assert record_queries.list_records(board=board).count() == 3
    assert record_queries.list_records(board=world.board).count() == 0


def test_a_published_result_is_a_record_from_then_on(world: World) -> None:
    great = submit(world.user, document(((1,),)))
    record_all(great, 20)
    assert told() == []
    review(item_ids=list(great.items.values_list("pk", flat=True)), accept=True, reviewer="root")
    assert told() == [("ada", 20, None)]


def test_a_measured_record_is_surely_better_and_follows_the_measurements_of_its_item(noisy: World) -> None:
    uri = noisy.board.benchmarks[0]
    lucky = noisy_entry(noisy, 16.0, actions=(1,), agent="lucky", uris=[uri])
    noisy_entry(noisy, 16.1, actions=(2,), agent="as quick", uris=[uri])
    item = lucky.items.get()
    repeat_item(submission_id=lucky.pk, position=0, actor=noisy.other)
    measure(Verification.objects.get(repeats=item.verification), 4.0)
    item.refresh_from_db()
    [record] = record_queries.list_records(uri=uri)
    assert record.ratio == item.ratio == pytest.approx(2.0), "of 4 and 1"
    noisy_entry(noisy, 32.0, actions=(3,), agent="surely quick", uris=[uri])
    newest = record_queries.list_records(uri=uri)[0]
    assert newest.item.submission.agent == "surely quick"


def test_an_item_that_is_verified_anew_keeps_its_record(world: World) -> None:
    entry(world.user, ((1,),), value=90)
    entry(world.other, ((4,),), value=80)
    [best] = doubted_champions(boards=[world.board], before=None)
    former = list(BoardRecord.objects.values_list("pk", "item", "at"))
    reverify(best)
    assert told() == [("ada", 90, None)]
    record_all(Submission.objects.get(owner=world.other), 80)
    assert told() == [("ada", 90, None), ("bob", 80, 90)]
    assert list(BoardRecord.objects.values_list("pk", "item", "at")) == former


def test_a_benchmark_has_its_results_by_board(world: World, anonymous: APIClient, pages: Client) -> None:
    assert anonymous.get("/api/v1/datasets/boards-v0/benchmarks/alpha/results/").json()["boards"] == []
    assert "<h2>Results</h2>" not in pages.get("/datasets/boards-v0/alpha/").content.decode()
    for address in ("boards-v0/benchmarks/none", "none-v0/benchmarks/alpha"):
        assert anonymous.get(f"/api/v1/datasets/{address}/results/").status_code == 404
    entry(world.user, value=90)
    page = pages.get("/datasets/boards-v0/alpha/").content.decode()
    assert "1 verified result of this benchmark" in page
    assert "The record over time." not in page, "one value makes neither a course nor a table"
    entry(world.other, PADDED, value=90)
    best = entry(world.other, ((4,), (5,), (6,)), value=80, agent="better")
    body = anonymous.get("/api/v1/datasets/boards-v0/benchmarks/alpha/results/").json()
    assert body["benchmark"] == URIS[0]
    [found] = body["boards"]
    assert (found["board"], found["verified"], found["distinct"]) == ("test-ic", 3, 2)
    assert (found["best"]["ratio"], found["best"]["owner"]) == (1.25, "bob")
    assert found["best"]["commandline"] == best.items.get(position=0).commandline
    assert [one["ratio"] for one in found["records"]] == [100 / 90, 1.25]
    assert sum(one["count"] for one in found["distribution"]) == 3
    assert [one["count"] for one in found["distribution"]][:: len(found["distribution"]) - 1] == [2, 1]
    page = pages.get("/datasets/boards-v0/alpha/").content.decode()
    assert "The record over time." in page
    assert "3 verified results of this benchmark, with 2 distinct final states" in page
    assert best.items.get(position=0).get_absolute_url() in page
    item = pages.get(best.items.get(position=0).get_absolute_url()).content.decode()
    assert 'href="/datasets/boards-v0/alpha/"' in item
    assert 'href="/datasets/boards-v0/"' in item


def test_a_luckier_measurement_of_a_copy_names_its_finder(noisy: World, anonymous: APIClient) -> None:
    found = noisy_entry(noisy, 8.0, actions=(1,), uris=noisy.board.benchmarks[:1], open=True)
    changes = {"agent": "copycat", "uris": noisy.board.benchmarks[:1]}
    copy = noisy_entry(World(noisy.board, noisy.other, noisy.user), 8.8, actions=(1, 1), **changes)
    item, source = copy.items.get(position=0), found.items.get(position=0)
    figures = [(one.ratio, one.value, one.ratio_interval) for one in (item, source)]
    assert figures[0] == figures[1], "it does not stand above its source"
    assert (item.own, source.own) == (False, True)
    dataset, path = item.benchmark_uri.removeprefix("benchmark://").split("/", 1)
    body = anonymous.get(f"/api/v1/datasets/{dataset}/benchmarks/{path}/results/").json()
    [board] = body["boards"]
    assert (board["best"]["owner"], board["first_by"]["owner"]) == ("ada", "ada")
    page = " ".join(anonymous.get(f"/datasets/{dataset}/{path}/").content.decode().split())
    address = found.items.get(position=0).get_absolute_url()
    assert f'<dt>First found by</dt><dd><a href="{address}">ada</a></dd>' in page


def test_records_are_listed_for_people_programs_and_feed_readers(world: World, anonymous: APIClient) -> None:
    entry(world.user, value=90)
    newest = entry(world.other, ((4,), (5,), (6,)), value=80)
    body = anonymous.get("/api/v1/records/?board=test-ic&page_size=4").json()
    assert [row["ratio"] for row in body["results"]] == [1.25, 1.25, 1.25, 100 / 90]
    assert body["next"] is not None
    assert len(anonymous.get(f"/api/v1/records/?benchmark={URIS[0]}").json()["results"]) == 2
    of_bob = anonymous.get("/api/v1/records/?owner=bob").json()["results"]
    assert [row["owner"] for row in of_bob] == ["bob"] * 3
    for field in ("board", "owner"):
        refused = anonymous.get(f"/api/v1/records/?{field}=none")
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, field)
    page = anonymous.get("/records/?board=test-ic").content.decode()
    assert page.count(newest.get_absolute_url()) == 3
    assert anonymous.get("/records/?board=none").status_code == 404
    feed = anonymous.get("/records/feed/?board=test-ic")
    assert feed["Content-Type"].startswith("application/atom+xml")
    entries = ET.fromstring(feed.content).findall(f"{ATOM}entry")  # noqa: S314 - our own
    titles = [one.findtext(f"{ATOM}title") for one in entries]
    assert (len(titles), titles[0]) == (6, "gamma on test-ic: 1.2500")
    assert "Newest records" in anonymous.get("/").content.decode()
    assert 'href="/records/?board=test-ic"' in anonymous.get("/boards/test-ic/").content.decode()
    page = anonymous.get("/records/?owner=ada").content.decode()
    assert page.count('href="/records/feed/?owner=ada"') == 2
    for query, count in (("?owner=ada", 3), ("?owner=bob&board=test-ic", 3), ("", 6)):
        of_one = ET.fromstring(anonymous.get(f"/records/feed/{query}").content)  # noqa: S314 - our own
        assert len(of_one.findall(f"{ATOM}entry")) == count
    assert anonymous.get("/records/feed/?owner=nobody").status_code == 404


API: Final = "/api/v1/boards/test-ic/"
OTHERS: Final = ((4,), (5,), (6,))


def made(owner: object, values: Sequence[int], actions: Sequence[Sequence[int]], agent: str) -> Submission:
    submission = submit(owner, document(actions, agent=agent))  # type: ignore[arg-type] # a user
    for verification, value in zip(verifications(submission), values, strict=True):
        if not verification.is_terminal:
            record(verification, value)
    return submission


def whole(world: World) -> bool:
    return rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}


def holders(world: World) -> list[Submission | None]:
    rows = {row.benchmark_uri: row.submission for row in BestResult.objects.filter(board=world.board)}
    return [rows.get(uri) for uri in URIS]


def test_of_one_state_the_earlier_submission_holds_it_however_late_its_replay_ends(world: World) -> None:
    earlier = submit(world.user)
    later = submit(world.user, document([[1, 4], [2, 4], [3, 4]], agent="longer"))
    record_all(later, 90, 90, 90)
    assert holders(world) == [later] * 3
    record_all(earlier, 90, 90, 90)
    assert holders(world) == [earlier] * 3
    assert whole(world)


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
    without = (80 / 90) * (90 / 100)  # the second's 90 is a copy
    assert rows["first"]["contribution"] == pytest.approx(1 - without ** (1 / 3))
    assert rows["second"]["contribution"] == pytest.approx(1 - (80 / 100) ** (1 / 3))
    assert whole(world)


def test_a_lone_entry_below_the_reference_has_a_gap_to_it(world: World, anonymous: APIClient) -> None:
    made(world.user, (200, 100, 80), ((1,), (2,), (3,)), "alone")
    page = anonymous.get(f"{API}standings/").json()
    score, best = (1.25 / 2) ** (1 / 3), 1.25 ** (1 / 3)
    assert page["virtual_best"] == {"score": pytest.approx(best), "verified": 3, "total": 3}
    [row] = page["results"]
    assert (row["score"], row["gap"]) == (pytest.approx(score), pytest.approx(score / best - 1))
    assert row["contribution"] == pytest.approx(1 - 1 / best), "of what is better than -Oz alone"
    compared = anonymous.get(f"/api/v1/compare/?entry={row['submission']}&entry=virtual-best").json()
    assert [one["score"] for one in compared["columns"]] == [pytest.approx(score), pytest.approx(best)]
    cells = [[cell["ratio"] for cell in one["cells"]] for one in compared["results"]]
    assert cells == [[0.5, 1.0], [1.0, 1.0], [1.25, 1.25]]
    assert compared["pairs"][0]["losses"] == 1
    assert whole(world)


def test_copies_take_no_contribution_and_give_none(world: World, anonymous: APIClient) -> None:
    finder = entry(world.user, value=80, agent="finder")
    entry(world.other, OTHERS, value=90, agent="other")
    before = {
        row["agent"]: row["contribution"] for row in anonymous.get(f"{API}standings/").json()["results"]
    }
    entry(make_user("eve"), PADDED, value=80, agent="copy")
    after = {row["agent"]: row["contribution"] for row in anonymous.get(f"{API}standings/").json()["results"]}
    assert after == before | {"copy": 0}
    assert after["finder"] == pytest.approx(1 - 80 / 90)
    assert holders(world) == [finder] * 3
    withdraw(submission_id=finder.pk, actor=world.user)
    best = anonymous.get(f"{API}programs/").json()["results"][0]["best"]
    assert (best["agent"], best["contribution"]) == ("copy", 0)
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
    assert (row["gap"], row["contribution"]) == (0, pytest.approx(1 - 80 / 100)), "-Oz would be the best"
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


def test_programs_show_the_best_in_pages(world: World, anonymous: APIClient, client: Client) -> None:
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
    page = anonymous.get(f"{API}programs/?page_size=2&owner=bob").json()
    assert [one["agent"] for one in page["entries"]] == ["partial"]
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
    entry(world.user, value=90, agent="first", effort={"compilations": 0})
    entry(world.other, OTHERS, value=95, agent="second", effort={"compilations": 100})
    first, second = (client.get(f"/boards/test-ic/?page={one}").content.decode() for one in (1, 2))
    for heading in ("Best score over time", "Score and effort"):
        assert heading in first
        assert heading not in second
    assert "second" in second
    assert "2 of 2" in second
    assert "Best score over time" not in client.get("/boards/test-ic/?sort=agent").content.decode()
    assert f"second: {100 / 95:.4f} after 100" in first
    assert math.isclose(record_queries.efforts(world.board, standings.BoardChoice())[0].score or 0, 100 / 90)


BETTER, WORSE = (100, 100, 100), (300, 300, 300)
LATER: Final = timedelta(hours=1)


def judged() -> list[tuple[object, ...]]:
    items = SubmissionItem.objects.order_by("pk")
    figures = ("pk", "verdict", "value", "ratio", "effective_actions")
    return [*items.values_list(*figures), *Standing.objects.order_by("pk").values_list("pk", "score")]


@pytest.fixture
def two_entries(world: World) -> World:
    record_all(submit(world.user), *BETTER)
    record_all(submit(world.user, document([[4], [5], [6]])), *WORSE)
    return world


def test_pruning_keeps_results_and_what_a_board_shows(two_entries: World, client: Client) -> None:
    before = judged()
    events = VerificationEvent.objects.count()
    counted = prune(before=timezone.now() + LATER, write=False)
    assert VerificationEvent.objects.count() == events
    found = prune(before=timezone.now() + LATER)
    assert found == counted
    assert (found.traces, found.events) == (3, 6 * 4)
    assert judged() == before
    assert rebuild_boards(board_ids=[two_entries.board.pk], write=False) == {two_entries.board.pk: set()}
    for seqs in VerificationEvent.objects.values_list("verification", "seq").order_by("verification", "seq"):
        assert seqs[1] in {1, 6}
    best = Standing.objects.get(best_of_owner=True).submission
    worse = Standing.objects.get(best_of_owner=False).submission
    for submission, pruned in ((best, False), (worse, True)):
        item = submission.items.select_related("verification", "submission__board__environment_version").get(
            position=0
        )
        trace = submission_steps.trace(item)
        assert (trace.pruned, bool(trace.steps)) == (pruned, not pruned)
        page = client.get(item.get_absolute_url()).content.decode()
        assert ("were deleted to save space" in page) is pruned
    assert prune(before=timezone.now() + LATER).traces == 0
    again = submit(two_entries.other, document([[4], [5], [6]]))
    verdicts = again.items.order_by("position").values_list("verdict", "value", "effective_actions")
    assert list(verdicts) == [("verified", 300.0, 1)] * 3, "a pruned replay still decides new items"


def test_recent_history_stays(two_entries: World) -> None:
    out = StringIO()
    call_command("prune", days=1, stdout=out)
    assert out.getvalue() == "Deleted: 0 events, 0 traces, 0 calibrations, 0 keys, 0 tokens, 0 sessions\n"
    for days in (0, 1_000_000):
        with pytest.raises(CommandError, match=f"--days is {days}; give 1 to 36500"):
            call_command("prune", days=days)


@pytest.mark.django_db
def test_old_calibrations_are_deleted() -> None:
    new = make_calibration()
    make_calibration(now=new.at - timedelta(days=400))
    before = new.at - timedelta(days=365)
    assert prune(before=before, write=False).calibrations == 1
    assert prune(before=before).calibrations == 1
    assert list(Calibration.objects.all()) == [new]


def test_a_superseded_replay_keeps_how_it_ended(two_entries: World) -> None:
    item = SubmissionItem.objects.order_by("pk").first()
    assert item is not None
    assert item.verification_id is not None
    requests.supersede(verification_id=item.verification_id, actor="reverify")
    prune(before=timezone.now() + LATER)
    kept = VerificationEvent.objects.filter(verification=item.verification_id).order_by("seq")
    assert list(kept.values_list("seq", "to_state")) == [(1, "queued"), (6, "recorded"), (7, "recorded")]


@pytest.mark.parametrize("role", ["owner", "somebody"])
def test_the_database_still_refuses_everybody_else(world: World, role: str) -> None:
    """Neither without an announcement, nor by a role that does not own the tables."""
    submission = submit(world.user)
    record_all(submission, *BETTER)
    [first, *_] = verifications(submission)
    events = first.events.count()
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE somebody BYPASSRLS")
        cursor.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO somebody")
        if role == "somebody":
            cursor.execute("SET LOCAL ROLE somebody")
            cursor.execute("SET LOCAL optarena.pruning = 'on'")
        for statement in (
            "DELETE FROM runner_verificationevent WHERE verification_id = %s",
            "UPDATE runner_verification SET metrics = '{}' WHERE id = %s",
        ):
            with pytest.raises(IntegrityError, match="history is only added to"), transaction.atomic():
                cursor.execute(statement, [first.pk])
        cursor.execute("RESET ROLE")
    assert first.events.count() == events


SPEC = environment_spec("llvm-ic-v0")
NAMES = SPEC.action_table.names
BEYOND = len(NAMES)
FORMER: dict[str, Any] = {"actions": [["gone", "gone"], *([name, name] for name in NAMES)]}
"""What a version says that had one action more, before all of today's."""


def change_to(described: dict[str, Any], number: int = 0) -> None:
    version = EnvironmentVersion.objects.create(env_id=SPEC.slug, digest=str(number) * 64, spec=described)
    Board.objects.update(environment_version=version)
    PortableBoard.objects.update(environment_version=version)


def test_a_portable_entry_has_the_names_of_its_version(world: World, api: APIClient, pages: Client) -> None:
    made = make_portable_entry(make_portable_board(), world.user, "mine", 0)
    address = f"/api/v1/portable/entries/{made.pk}/"
    made.sequences = [[0, BEYOND]]
    made.save()
    numbers = ["action 0", f"action {BEYOND}"]
    versions: list[tuple[dict[str, Any], list[str]]]
    versions = [(FORMER, ["gone", NAMES[BEYOND - 1]]), ({"actions": 7}, numbers), ({}, numbers)]
    for number, (described, names) in enumerate(versions):
        change_to(described, number)
        [sequence] = api.get(address).json()["sequences"]
        assert sequence == {"actions": [0, BEYOND], "commandline": None, "names": names}
        page = text(pages.get(made.get_absolute_url()))
        assert "The environment has other actions today." in page
        assert escape(", ".join(names)) in page
    made.sequences = [[7]]
    made.save()
    change_to(SPEC.version_spec() | {"engine_version": "former"}, 3)  # something else alone has changed
    [sequence] = api.get(address).json()["sequences"]
    assert sequence == {"actions": [7], "commandline": SPEC.commandline([7]), "names": []}


def test_actions_are_known_in_every_description() -> None:
    for slug in ("gcc-v0", "llvm-finer-v0", "llvm-loops-v0", "loop_tool-v0"):
        spec = environment_spec(slug)
        described = spec.version_spec() | {"engine_version": "former"}
        version = EnvironmentVersion(env_id=slug, digest="0" * 64, spec=json.loads(json.dumps(described)))
        further = spec.further_tables if spec.ranks_further_tables else ()
        for space in ("", *(one.name for one in further)):
            assert stored_names(version, space) == spec.ranked_table(space).names


@pytest.mark.usefixtures("broker")
def test_a_minimised_sequence_names_its_steps(world: World, api: APIClient, pages: Client) -> None:
    presence.announce_runner(
        name="celery@host", hardware_class="x86_64-cpu", machine=Machine(fingerprint={}, versions={})
    )
    item = entry(world.user, ((3, 7, 9), (2,), (3,))).items.get(position=0)
    where = f"/api/v1/submissions/{item.submission_id}/items/0/"
    assert api.post(f"{where}minimised/").status_code == 202
    lease = leases.lease_next(worker="test")
    assert lease is not None
    study_queue.end_study(lease=lease, result={"kept": [0, 2], "minimal": True, "trials": 9})
    change_to(FORMER)
    found = api.get(where).json()["minimised"]
    assert (found["steps"], found["actions"], found["commandline"]) == ([1, 3], [3, 9], None)
    page = pages.get(item.get_absolute_url()).content.decode()
    assert "The environment has other actions today, so there is no command line for the rest." in page
    assert re.findall(r"<del>(?:<a[^>]*>)?([^<]+)", page) == [NAMES[7]]


def test_sequences_without_states_are_compared_by_former_names(world: World, anonymous: APIClient) -> None:
    made = [
        entry(world.user, ((1, 2, 3), (2,), (3,)), agent="one"),
        entry(world.other, ((1, 3), (5,), (6,)), value=80, agent="other"),
    ]
    for user, agent in ((world.user, "one"), (world.other, "other")):
        entry(user, ((7,), (8,), (9,)), value=85, agent=agent)  # the steps of the best entry stay
    prune(before=timezone.now() + timedelta(hours=1))
    change_to(FORMER)
    query = {"entry": [str(one.pk) for one in made], "program": "alpha"}
    found = anonymous.get("/api/v1/compare/", query).json()["alignment"]
    assert found["by"] == "actions"
    assert [one["parts_at"] for one in found["sequences"]] == [2, 2]
    assert [row["shared"] for row in found["rows"]] == [True, False, True]
    assert found["rows"][0]["steps"][0]["name"] == NAMES[0]

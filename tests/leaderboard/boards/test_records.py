"""Records: results that were better than all before them, and what is known about a benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from leaderboard.models import BoardRecord, Submission
from leaderboard.records import queries as record_queries
from leaderboard.submissions.replay_again import doubted_champions, repeat_item, reverify
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.verdicts import review
from runner.models import Verification
from tests.factories import make_board, make_user
from tests.kit.boards import URIS, World, document, record_all, submit
from tests.kit.credit import PADDED, entry
from tests.kit.noisy_boards import entry as noisy_entry
from tests.kit.noisy_boards import measure

if TYPE_CHECKING:
    from django.test import Client
    from rest_framework.test import APIClient

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
    entry(world.other, ((10,), (11,), (12,)), value=85)
    assert told() == [("ada", 90, None), ("bob", 85, 90)]
    assert BoardRecord.objects.count() == 6


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


def test_records_of_withdrawn_results_are_left_out_and_later_ones_compare_with_those_that_stand(
    world: World,
) -> None:
    entry(world.user, value=90)
    best = entry(world.other, ((4,), (5,), (6,)), value=80)
    withdraw(submission_id=best.pk, actor=world.other)
    assert told() == [("ada", 90, None)]
    entry(make_user("eve"), ((7,), (8,), (9,)), value=85)
    assert told() == [("ada", 90, None), ("eve", 85, 90)]


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
    entry(world.user, value=90)
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
    found = noisy_entry(noisy, 8.0, actions=(1,), uris=noisy.board.benchmarks[:1])
    changes = {"agent": "copycat", "uris": noisy.board.benchmarks[:1]}
    copy = noisy_entry(World(noisy.board, noisy.other, noisy.user), 8.8, actions=(1, 1), **changes)
    item = copy.items.get(position=0)
    assert (item.own, found.items.get(position=0).own) == (False, True)
    dataset, path = item.benchmark_uri.removeprefix("benchmark://").split("/", 1)
    body = anonymous.get(f"/api/v1/datasets/{dataset}/benchmarks/{path}/results/").json()
    [board] = body["boards"]
    assert (board["best"]["owner"], board["first_by"]["owner"]) == ("bob", "ada")
    page = " ".join(anonymous.get(f"/datasets/{dataset}/{path}/").content.decode().split())
    address = found.items.get(position=0).get_absolute_url()
    assert f'<dt>First found by</dt><dd><a href="{address}">ada</a></dd>' in page


def test_a_benchmark_without_results_says_nothing_about_them(
    world: World, anonymous: APIClient, pages: Client
) -> None:
    assert anonymous.get("/api/v1/datasets/boards-v0/benchmarks/alpha/results/").json()["boards"] == []
    assert "<h2>Results</h2>" not in pages.get("/datasets/boards-v0/alpha/").content.decode()
    for address in ("boards-v0/benchmarks/none", "none-v0/benchmarks/alpha"):
        assert anonymous.get(f"/api/v1/datasets/{address}/results/").status_code == 404


def test_records_are_listed_for_people_programs_and_feed_readers(world: World, anonymous: APIClient) -> None:
    entry(world.user, value=90)
    newest = entry(world.other, ((4,), (5,), (6,)), value=80)
    body = anonymous.get("/api/v1/records/?board=test-ic&page_size=4").json()
    assert [row["ratio"] for row in body["results"]] == [1.25, 1.25, 1.25, 100 / 90]
    assert body["next"] is not None
    assert len(anonymous.get(f"/api/v1/records/?benchmark={URIS[0]}").json()["results"]) == 2
    refused = anonymous.get("/api/v1/records/?board=none")
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "board")
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


def test_the_feed_beside_records_of_a_person_has_these_alone(world: World, client: Client) -> None:
    entry(world.user, value=90)
    entry(world.other, ((4,), (5,), (6,)), value=80)
    page = client.get("/records/?owner=ada").content.decode()
    assert page.count('href="/records/feed/?owner=ada"') == 2
    for query, count in (("?owner=ada", 3), ("?owner=bob&board=test-ic", 3), ("", 6)):
        feed = ET.fromstring(client.get(f"/records/feed/{query}").content)  # noqa: S314 - our own
        assert len(feed.findall(f"{ATOM}entry")) == count
    assert client.get("/records/feed/?owner=nobody").status_code == 404

"""What pages and API show of boards whose replays measure their own reference."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Board
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions.replay_again import repeat_item
from optarena.specs.results import ReplayResult
from runner.machines.machine import describe
from runner.machines.presence import announce_runner
from runner.models import Verification
from tests.kit.boards import World, submit, verifications
from tests.kit.noisy_boards import (
    URIS,
    document,
    entry,
    make_noisy_world,
    measure,
    measurement,
    record,
)
from tests.kit.pages import text

if TYPE_CHECKING:
    from django.test import Client
    from rest_framework.test import APIClient

    from leaderboard.models import Submission

NOTICE = "provisional: it has no ranks until its way of measuring has proved itself on such machines"


@pytest.fixture
def provisional(noisy: World) -> World:
    """The same board before its way of measuring has proved itself."""
    Board.objects.update(provisional=True)
    noisy.board.refresh_from_db()
    return noisy


def item_page(client: Client, submission: Submission) -> str:
    return text(client.get(f"{submission.get_absolute_url()}items/0/"))


def test_the_board_page_shows_ranks_as_intervals(client: Client, noisy: World) -> None:
    entry(noisy, 8.0, actions=(1,), agent="quick")
    page = text(client.get("/boards/loop_tool-cpu/"))
    assert '<strong class="nowrap">1</strong>' in page
    assert "share all ranks" not in page
    entry(noisy, 8.1, actions=(2,), agent="as quick")
    page = text(client.get("/boards/loop_tool-cpu/"))
    assert page.count('<strong class="nowrap">1–2</strong>') == 2  # noqa: RUF001 - a range
    assert "No difference between these entries has been measured so far" in page
    assert "1.9" in page.partition('<small class="nowrap">')[2][:20]
    assert "How it is measured" in page
    listed = text(client.get("/submissions/"))
    assert listed.count('<td class="num">1–2</td>') == 2  # noqa: RUF001 - a range


def test_the_page_of_a_provisional_board_says_so_and_shows_no_rank(
    client: Client, anonymous: APIClient, provisional: World
) -> None:
    entry(provisional, 8.0, actions=(1,), agent="quick")
    entry(provisional, 2.0, actions=(2,), agent="slow")
    entry(provisional, 90.0, actions=(3,), agent="partial", uris=URIS[:1])
    page = text(client.get("/boards/loop_tool-cpu/"))
    assert NOTICE in page
    assert ">Rank<" not in page
    assert page.index("quick") < page.index("slow") < page.index("partial")
    for expected in ("2.0000", "0.5000", "1/8", "x86_64-cpu", *URIS):
        assert expected in page, expected
    for address in ("/", "/boards/"):
        card = text(client.get(address))
        assert "Provisional: there are no ranks." in card, address
        assert ("3 entries" in card, "ranked of" in card) == (True, False), address
    board = anonymous.get("/api/v1/boards/loop_tool-cpu/").json()
    assert (board["provisional"], board["exact"], board["leaders"]) == (True, False, [])
    assert (board["reference_metric"], board["baseline_level"]) == ("reference_gflops", "")
    assert (board["device"], board["hardware_class"]) == ("cpu", "x86_64-cpu")
    assert tuple(board["benchmarks"]) == URIS
    body = anonymous.get("/api/v1/boards/loop_tool-cpu/standings/").json()
    assert NOTICE in board["provisional_notice"] == body["provisional_notice"]
    assert [(row["agent"], row["rank"], row["score"], row["verified"]) for row in body["results"]] == [
        ("quick", None, 2.0, 8),
        ("slow", None, 0.5, 8),
        ("partial", None, pytest.approx(22.5 ** (1 / 8)), 1),
    ]
    assert (body["provisional"], body["references"]) == (True, [])
    lines = anonymous.get("/api/v1/boards/loop_tool-cpu/standings.csv").getvalue().decode().splitlines()
    ranks = [line.split(",")[:2] for line in lines[1:]]
    assert ranks == [["reference", "virtual best"], ["", "quick"], ["", "slow"], ["", "partial"]]


def test_the_item_page_shows_how_it_was_measured(client: Client, noisy: World) -> None:
    submission = entry(noisy, 8.0, uris=URIS[:1], actions=(3, 3), claims={"gflops": 80.0})
    page = item_page(client, submission)
    for expected in (
        "<h1>1021</h1>",
        "Ratio to the reference",
        "2.0000",
        "GFLOP/s",
        "optimistic",
        "7.2 … 8.8",
        "warm",
        "A processor of tests",
        "caches L1d",
        "avx2, fma",
    ):
        assert expected in page, expected
    assert page.count("<summary>all<span") == 3
    assert ">discarded<" not in page
    assert page.count('<figure class="chart') == 2  # the blocks, wide and narrow; no cost to draw
    assert page.count('class="no-op"') == 1
    assert "<polyline" not in page
    assert ">Change<" not in page
    assert "unoptimised" not in page


def test_the_item_page_opens_whatever_a_plug_in_says_of_its_measurement(client: Client, noisy: World) -> None:
    submission = submit(noisy.user, document(uris=URIS[:2], claims={"gflops": 4.0}))
    blocks = [{"candidate": {"joules": 3}}, {"candidate": {"gflops": 4.0}, "reference": {"gflops": 4.0}}, 7]
    first, second = verifications(submission)
    told: dict[str, Any] = {
        "blocks": blocks,
        "interval": {"gflops": [1, "two"], "joules": 3},
        "machine": ["fast"],
    }
    record(first, {"gflops": 4.0, "reference_gflops": 4.0}, measurement=told)
    page = item_page(client, submission)
    assert '<td class="num">2</td><td class="num">4</td><td class="num">4</td>' in page
    assert (">block 2</text>" in page, ">block 1</text>" in page) == (True, False)
    differing = measurement(8.0, 4.0)
    machine = {"load_average": [0.25, 1.5], "clocks": {"sm_mhz": 1410}, "throttled": 0}
    differing["blocks"][0]["machine"] = machine
    differing["blocks"][2]["machine"] = "not an object"
    record(second, {"gflops": 8.0, "reference_gflops": 4.0}, measurement=differing)
    page = text(client.get(f"{submission.get_absolute_url()}items/1/"))
    assert page.count("<summary>state<span") == 1
    for label, value in (("load average", "0.25, 1.5"), ("clocks sm mhz", "1410"), ("throttled", "0")):
        assert f"<dt>{label}</dt><dd>{value}</dd>" in page
    Board.objects.filter(pk=noisy.board.pk).update(metric="reference_gflops")
    assert "Measurement</h2>" in item_page(client, submission)


def test_the_item_page_opens_whatever_is_missing_of_a_measurement(client: Client, noisy: World) -> None:
    waiting = submit(noisy.user, document(uris=URIS[:2]))
    assert "Measurement</h2>" not in item_page(client, waiting)
    record(verifications(waiting)[0], {"gflops": 4.0}, measurement={"device": "cpu"})
    assert "infra:internal" in item_page(client, waiting)
    record(verifications(waiting)[1], {"gflops": 4.0, "reference_gflops": 4.0})
    assert "1.0000" in text(client.get(f"{waiting.get_absolute_url()}items/1/"))


def test_the_submission_page_shows_references_claims_and_rank(client: Client, noisy: World) -> None:
    submission = entry(noisy, 8.0, claims={"gflops": 8.0})
    page = text(client.get(submission.get_absolute_url()))
    assert "<dt>Rank</dt><dd>1</dd>" in page
    assert NOTICE not in page
    Board.objects.update(provisional=True)
    provisional = text(client.get(submission.get_absolute_url()))
    assert NOTICE in provisional
    assert "<dt>Rank</dt>" not in provisional
    assert "8 of 8" in page
    assert page.count("consistent") == len(URIS)
    assert ">Reference <small>" in page
    assert "8388593" in page
    assert "{n}" not in page
    assert "Waiting for" not in page + item_page(client, submission)


def test_the_submission_page_shows_the_reference_of_all_measurements_together(
    client: Client, noisy: World
) -> None:
    submission = entry(noisy, 8.0, reference=4.0)
    repeat_item(submission_id=submission.pk, position=0, actor=noisy.other)
    [waiting] = Verification.objects.filter(repeats__isnull=False)
    measure(waiting, 15.2, 8.0)  # whose middle block becomes that of both
    first, second = submission_queries.items(submission)[:2]
    page = client.get(submission.get_absolute_url()).content.decode()
    shown = re.findall(r'data-label="(Measured|Reference)">([0-9.]+)<', page)
    values = [
        (float(value), float(compared))
        for (_, value), (_, compared) in zip(shown[::2], shown[1::2], strict=True)
    ]
    assert len(values) == len(URIS)
    for (value, compared), item in zip(values, (first, second), strict=False):
        assert value == pytest.approx(item.value)
        assert value / compared == pytest.approx(item.ratio, rel=0.03)
    assert [compared for _, compared in values[:2]] == [8.0, 4.0]


def test_items_that_nobody_can_replay_now_say_so_until_a_runner_is_there(client: Client, db: None) -> None:
    world = make_noisy_world("loop_tool-cuda")
    uris = [uri.replace("-cpu-", "-cuda-") for uri in URIS[:1]]
    submission = submit(world.user, document(uris=uris, board="loop_tool-cuda"))
    waiting = "Waiting for a GPU runner: no runner of hardware class x86_64-cuda is live."
    addresses = (
        world.board.get_absolute_url(),
        submission.get_absolute_url(),
        f"{submission.get_absolute_url()}progress/",
        f"{submission.get_absolute_url()}items/0/",
    )
    announce_runner(name="a CPU", hardware_class="x86_64-cpu", machine=describe())
    for address in addresses:
        assert waiting in text(client.get(address)), address
    announce_runner(name="a GPU", hardware_class="x86_64-cuda", machine=describe())
    for address in addresses:
        assert "Waiting for a GPU runner" not in text(client.get(address)), address


@pytest.mark.parametrize("slug", ["loop_tool-cpu", "test-ic"])
def test_a_board_without_a_runner_warns_only_where_replays_wait(
    client: Client, world: World, noisy_board: Board, slug: str
) -> None:
    address = f"/boards/{slug}/"
    idle, warning = "No CPU runner is live (hardware class x86_64-cpu)", "Waiting for a CPU runner"
    page = text(client.get(address))
    assert idle in page
    assert warning not in page
    assert 'data-tone="warn" role="status"' not in page
    submit(world.user)
    page = text(client.get(address))
    assert warning in page
    assert idle not in page
    Board.objects.update(state="frozen")
    page = text(client.get(address))
    assert warning not in page
    assert idle not in page


@pytest.mark.parametrize(("slug", "of_runners"), [("test-ic", 1), ("loop_tool-cpu", 2)])
def test_a_board_page_asks_for_its_own_runners_only_and_never_for_the_whole_queue(
    client: Client, world: World, noisy_board: Board, slug: str, of_runners: int
) -> None:
    announce_runner(name="a CPU", hardware_class="x86_64-cpu", machine=describe())
    with CaptureQueriesContext(connection) as asked:
        page = text(client.get(f"/boards/{slug}/"))
    assert ("Runners now" in page) == noisy_board.slug.startswith(slug)
    tables = [query["sql"].partition(" FROM ")[2].split(maxsplit=1)[:1] for query in asked]
    assert tables.count(['"runner_runner"']) == of_runners
    assert tables.count(['"runner_verification"']) == 0


def test_the_queue_names_the_members_of_a_range(client: Client, noisy: World) -> None:
    submit(noisy.user, document())
    page = text(client.get("/queue/"))
    assert re.search(r'<th scope="row"><a href="[^"]*">1021</a></th>', page)
    assert "{n}" not in page


def test_measured_standings_have_intervals(anonymous: APIClient, noisy: World) -> None:
    entry(noisy, 8.0, actions=(1,), agent="quick")
    entry(noisy, 8.1, actions=(2,), agent="as quick")
    entry(noisy, 2.0, actions=(3,), agent="slow")
    rows = anonymous.get("/api/v1/boards/loop_tool-cpu/standings/").json()["results"]
    assert [(row["agent"], row["rank"], row["rank_high"]) for row in rows] == [
        ("as quick", 1, 2),
        ("quick", 1, 2),
        ("slow", 3, 3),
    ]
    low, high = rows[2]["score_interval"]
    assert low < 0.5 < high
    lines = anonymous.get("/api/v1/boards/loop_tool-cpu/standings.csv").getvalue().decode().splitlines()
    assert lines[0].endswith("rank_high,score_low,score_high,own_items,gap,contribution,baseline_command")
    assert lines[4].split(",")[-7:-3] == ["3", str(low), str(high), "8"]
    listed = anonymous.get("/api/v1/boards/loop_tool-cpu/programs/").json()["entries"]
    assert [(one["rank"], one["rank_high"]) for one in listed] == [(1, 2), (1, 2), (3, 3)]
    leaders = anonymous.get("/api/v1/boards/loop_tool-cpu/").json()["leaders"]
    assert [one["agent"] for one in leaders] == ["as quick"]


def test_an_entry_behind_those_that_are_compared_is_told_so(
    anonymous: APIClient, noisy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["leaderboard.boards.standings"], "MOST_COMPARED", 1)
    entry(noisy, 8.0, actions=(1,), agent="quick")
    behind = entry(noisy, 2.0, actions=(2,), agent="slow")
    told = "It stands behind the first 1 entries, and only those are compared."
    rows = anonymous.get("/api/v1/boards/loop_tool-cpu/standings/").json()["results"]
    assert [(row["rank"], row["unranked"]) for row in rows] == [(1, ""), (None, told)]
    assert anonymous.get(f"/api/v1/submissions/{behind.pk}/").json()["unranked"] == told


def test_the_api_shows_an_items_reference_claim_and_blocks(anonymous: APIClient, noisy: World) -> None:
    submission = entry(noisy, 8.0, uris=URIS[:1], claims={"gflops": 80.0})
    item = anonymous.get(f"/api/v1/submissions/{submission.pk}/items/0/").json()
    assert (item["benchmark"], item["bitcode_url"]) == (URIS[0], None)
    assert (item["value"], item["ratio"], item["verdict"]) == (8.0, pytest.approx(2.0), "verified")
    assert item["metrics"] == {"gflops": 8.0, "reference_gflops": 4.0}
    assert (item["claims"], item["claim_status"]) == ({"gflops": 80.0}, {"gflops": "optimistic"})
    result = ReplayResult.from_json(item["result"])
    assert len(result.measurement["blocks"]) == 3
    assert {step.cost for step in result.steps} == {None}
    body = anonymous.get(f"/api/v1/submissions/{submission.pk}/").json()
    assert (body["score"], body["rank"], body["coverage"]) == (pytest.approx(2 ** (1 / 8)), None, 0.125)

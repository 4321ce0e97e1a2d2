"""Boards whose replays measure their own reference: verdicts, scores, ranks, pages, and any measurement."""

from __future__ import annotations

import math
import re
import statistics
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.template.loader import render_to_string
from hypothesis import example, given
from hypothesis import strategies as st

from leaderboard.boards.queries import board_metric
from leaderboard.boards.standings import standings
from leaderboard.models import Board, Submission, SubmissionItem
from leaderboard.records import queries as record_queries
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions.pages import _pair_charts
from leaderboard.submissions.queries import item, measurement
from leaderboard.submissions.replay_again import repeat_item
from leaderboard.submissions.services import withdraw
from leaderboard.submissions.steps import baselines, claims
from leaderboard.submissions.verdicts import Outcome, Yardstick, judge, outcome_of, review
from optarena.errors import InvalidDocument
from optarena.specs import Metric
from optarena.specs.results import ReplayResult
from runner.machines.machine import describe
from runner.machines.presence import announce_runner
from runner.models import EnvironmentVersion, Verification
from runner.work.driver import drive
from tests.factories import make_baselines
from tests.kit.boards import EVERY_ENTRY, World, fail, standing, submit, verifications
from tests.kit.credit import is_whole
from tests.kit.noisy_boards import SIZES, URIS, document, entry, make_noisy_world, measure, reading, record
from tests.kit.noisy_boards import measurement as measurement_of
from tests.kit.pages import text

if TYPE_CHECKING:
    from django.test import Client
    from rest_framework.test import APIClient


SECONDS = Metric(name="seconds", title="Seconds", unit="s", observation="s", exact=False)
REFERENCE_SECONDS = replace(SECONDS, name="reference_seconds")
GFLOPS = Metric(name="gflops", title="f", unit="GFLOP/s", observation="f", exact=False, lower_is_better=False)


def verdicts(submission: Submission) -> set[tuple[str, str]]:
    return set(submission.items.values_list("verdict", "reason"))


def test_a_complete_entry_has_the_score_of_its_own_references(noisy: World) -> None:
    submission = submit(noisy.user, document())
    for number, verification in enumerate(verifications(submission)):
        measure(verification, 8.0 if number % 2 else 2.0, reference=4.0)
    assert verdicts(submission) == {("verified", "")}
    row = standing(submission)
    assert (row.score, row.rank, row.rank_high, row.best_of_owner) == (1.0, 1, 1, True)
    assert (row.verified, row.total) == (len(SIZES), len(SIZES))
    assert row.mean_improvement == pytest.approx((1.0 - 0.5) / 2)
    item = submission.items.get(position=1)
    assert (item.value, item.ratio, item.log_ratio) == (8.0, pytest.approx(2.0), pytest.approx(math.log(2.0)))
    spread = statistics.variance(math.log(one) for one in (1 / 1.1, 1.0, 1.1))
    assert row.log_variance == pytest.approx(spread / 3 / len(SIZES)), "its error is that of its benchmarks"
    assert row.log_freedom == pytest.approx(2 * len(SIZES))
    assert is_whole(noisy)


def test_a_benchmark_that_an_entry_lacks_counts_as_the_reference(noisy: World) -> None:
    submission = submit(noisy.user, document())
    first, *rest = verifications(submission)
    for verification in rest:
        measure(verification, 8.0)
    row = standing(submission)
    assert (row.score, row.rank) == (pytest.approx(2.0 ** (3 / 4)), None)
    assert (row.verified, row.pending, row.total) == (len(SIZES) - 1, 1, len(SIZES))
    fail(first, "env:crash")
    assert (standing(submission).score, standing(submission).rank) == (row.score, None)
    short = entry(noisy, 4.0, uris=URIS[:3], actions=(1,))
    assert (standing(short).score, standing(short).verified, standing(short).total) == (1.0, 3, len(SIZES))


def test_rows_are_ordered_by_score_and_share_ranks_if_chance_explains_the_rest(noisy: World) -> None:
    one = entry(noisy, 8.00, reference=8.0, actions=(1,), agent="one")
    two = entry(noisy, 4.01, actions=(2,), agent="two")
    worst = entry(noisy, 2.0, actions=(0,), agent="three")
    part = entry(noisy, 80.0, actions=(3,), agent="part", uris=URIS[:1])
    rows = list(standings(noisy.board, EVERY_ENTRY))
    assert [row.submission for row in rows] == [two, one, worst, part]
    assert [(row.rank, row.rank_high, row.rank_text) for row in rows[:3]] == [
        (1, 2, "1–2"),  # noqa: RUF001 - a range
        (1, 2, "1–2"),  # noqa: RUF001 - as above
        (3, 3, "3"),
    ]
    assert (rows[3].rank, rows[3].rank_high) == (None, None)
    assert [standing(worst).rank, standing(worst).rank_high] == [3, 3]
    low, high = rows[0].score_interval or (0.0, 0.0)
    assert low < 4.01 / 4.0 < high
    Board.objects.update(provisional=True)
    noisy.board.refresh_from_db()
    assert {row.rank for row in standings(noisy.board)} == {None}
    assert standing(worst).rank is None


def test_an_entry_whose_error_is_unknown_has_a_score_and_no_rank(noisy: World) -> None:
    submission = submit(noisy.user, document())
    for verification in verifications(submission):
        record(verification, {"gflops": 8.0, "reference_gflops": 4.0}, measurement={"device": "cpu"})
    row = standing(submission)
    assert (row.score, row.score_interval, row.rank, row.complete) == (2.0, None, None, True)


def test_discarded_blocks_do_not_count(noisy: World) -> None:
    [uri] = URIS[:1]
    submission = submit(noisy.user, document(uris=[uri]))
    told = measurement_of(8.0, 4.0)
    told["blocks"].append(told["blocks"][0] | {"ratio": 50.0, "discarded": "the reference is +40 % off"})
    record(verifications(submission)[0], {"gflops": 8.0, "reference_gflops": 4.0}, measurement=told)
    assert submission.items.get().ratio == pytest.approx(2.0)


def test_a_replay_without_a_usable_reference_fails_its_item(noisy: World) -> None:
    submission = submit(noisy.user, document(uris=URIS[:3]))
    for verification, reference in zip(verifications(submission), (None, 0.0, -1.0), strict=True):
        metrics = {"gflops": 4.0} | ({} if reference is None else {"reference_gflops": reference})
        record(verification, metrics)
    for one in submission.items.all():
        assert (one.verdict, one.reason, one.value) == ("failed", "infra:internal", None)
        assert "reference_gflops" in one.detail
    assert standing(submission).verified == 0


def test_a_noisy_claim_refutes_nothing_and_what_was_measured_counts(noisy: World) -> None:
    modest = entry(noisy, 4.0, claims={"gflops": 4.4}, uris=URIS[:1], actions=(1,))
    bold = entry(noisy, 4.0, claims={"gflops": 400.0}, uris=URIS[:1], actions=(1,), agent="bold")
    unsaid = entry(noisy, 4.0, claims={}, uris=URIS[:1], actions=(1,), agent="modest")
    assert verdicts(modest) == verdicts(bold) == verdicts(unsaid) == {("verified", "")}
    assert [one.items.get().claim_status for one in (modest, bold, unsaid)] == [
        {"gflops": "consistent"},
        {"gflops": "optimistic"},
        {},
    ]
    assert bold.items.get().value == 4.0
    without = submit(noisy.user, document(uris=URIS[:1], claims={"gflops": 400.0}))
    record(verifications(without)[0], {"gflops": 4.0, "reference_gflops": 4.0})
    item = without.items.get()
    assert (item.verdict, item.claim_status) == ("verified", {}), "without an interval nothing is said"


def test_a_reviewer_leaves_the_status_of_a_claim_and_a_withdrawal_clears_it(noisy: World) -> None:
    submission = entry(noisy, 4000.0, claims={"gflops": 9e9}, uris=URIS[:1])
    assert verdicts(submission) == {("quarantined", "policy:implausible")}
    item = submission.items.get()
    review(item_ids=[item.pk], accept=True, reviewer="root")
    item.refresh_from_db()
    assert (item.verdict, item.claim_status) == ("verified", {"gflops": "optimistic"})
    withdraw(submission_id=submission.pk, actor=noisy.user)
    item.refresh_from_db()
    assert (item.verdict, item.claim_status) == ("withdrawn", {})


def test_what_is_plausible_at_one_size_says_nothing_of_another(noisy: World) -> None:
    small, large = URIS[:2]
    found = entry(noisy, 4000.0, uris=[small], actions=(1,))
    review(item_ids=[found.items.get().pk], accept=True, reviewer="root")
    same = entry(noisy, 4100.0, uris=[small], actions=(2,))
    other = entry(noisy, 4100.0, uris=[large], actions=(2,))
    together = entry(noisy, 4200.0, uris=[small, large], actions=(3,))
    quarantined = ("quarantined", "policy:implausible")
    assert (verdicts(same), verdicts(other)) == ({("verified", "")}, {quarantined})
    kept = together.items.order_by("position").values_list("verdict", "reason")
    assert list(kept) == [("verified", ""), quarantined]


def test_members_of_a_range_have_no_baselines_of_the_range(noisy: World) -> None:
    submission = entry(noisy, 8.0, uris=URIS[:1])
    found = item(submission, 0)
    assert found is not None
    make_baselines(found.benchmark, {"O0": 1.0}, metrics=["gflops"])
    assert baselines(found) == {}


def test_only_the_benchmarks_of_the_board_are_taken(noisy: World) -> None:
    others = ("benchmark://loop_tool-cpu-v0/1000", "benchmark://loop_tool-cuda-v0/1024", "loop_tool-cpu-v0/0")
    with pytest.raises(InvalidDocument) as caught:
        submit(noisy.user, document(uris=(URIS[0], *others)))
    problems = caught.value.problems
    assert [(one.row, one.field) for one in problems] == [(row, "benchmark") for row in (1, 2, 3)]
    for problem in problems:
        assert "does not compare this benchmark" in problem.message
        assert all(uri in problem.remedy for uri in URIS)
    assert not SubmissionItem.objects.exists()


def test_members_of_a_range_are_different_work_with_or_without_their_scheme(noisy: World) -> None:
    submission = submit(noisy.user, document(uris=[uri.removeprefix("benchmark://") for uri in URIS]))
    asked = verifications(submission)
    assert len({one.benchmark_sha256 for one in asked}) == len(SIZES)
    assert [one.benchmark_uri for one in asked] == list(URIS)
    assert submission.items.get(position=0).benchmark_name == "1021"


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_real_replay_measures_an_item_beside_its_reference() -> None:
    world = make_noisy_world("loop_tool-cpu")
    submission = submit(world.user, document((3,), uris=URIS[:1], claims={"gflops": 1e9}))
    drive(worker="test")
    item = submission.items.get()
    assert (item.verdict, item.reason, item.claim_status) == ("verified", "", {"gflops": "optimistic"})
    assert item.ratio == pytest.approx(item.measured["speedup"])
    low, high = item.ratio_interval or (0.0, 0.0)
    assert low < item.ratio < high
    found = measurement(SubmissionItem.objects.select_related("submission__board").get())
    assert found is not None
    assert [block.discarded for block in found.blocks].count("") >= 5
    assert all(len(block.readings) == len(block.reference_readings) == 2 for block in found.blocks)
    assert found.interval is not None
    assert found.interval[0] <= item.measured["gflops"] <= found.interval[1]
    assert dict(found.machine)["device"]


def outcome(**metrics: float) -> Outcome:
    return Outcome(state="recorded", reason="", detail="", metrics=metrics, effective_actions=1)


def yardstick(metric: Metric, reference: str, **changes: float) -> Yardstick:
    base = Yardstick(
        metric=metric,
        metrics=(metric,),
        baseline=None,
        best_verified=None,
        plausible_ratio=100.0,
        reference_metric=reference,
    )
    return replace(base, **changes)  # type: ignore[arg-type] # figures


def test_the_direction_of_the_metric_decides_which_way_a_reference_divides() -> None:
    of_seconds = yardstick(SECONDS, "reference_seconds")
    fewer = judge(claims={}, outcome=outcome(seconds=2.0, reference_seconds=8.0), yardstick=of_seconds)
    # A recorded baseline is not looked at where the replay measures one.
    measured = yardstick(GFLOPS, "other", baseline=1.0)
    more = judge(claims={}, outcome=outcome(gflops=2.0, other=8.0), yardstick=measured)
    assert (fewer.ratio, more.ratio) == (4.0, 0.25)


def test_what_an_imitated_device_did_never_counts() -> None:
    found = judge(
        claims={},
        outcome=replace(outcome(gflops=2.0, other=8.0), emulated=True),
        yardstick=yardstick(GFLOPS, "other"),
    )
    assert (found.verdict, found.reason, found.value) == ("failed", "infra:emulated-device", None)


NOTICE = "provisional: it has no ranks until its way of measuring has proved itself on such machines"


@pytest.fixture
def provisional(noisy: World) -> World:
    Board.objects.update(provisional=True)
    noisy.board.refresh_from_db()
    return noisy


def item_page(client: Client, submission: Submission) -> str:
    return text(client.get(f"{submission.get_absolute_url()}items/0/"))


def test_page_api_and_file_show_ranks_as_intervals(
    client: Client, anonymous: APIClient, noisy: World
) -> None:
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
    assert listed.count('<td class="num" data-label="Rank">1–2</td>') == 2  # noqa: RUF001 - a range
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
    assert [line.split(",")[1] for line in lines[1:]] == [
        *("virtual best", "as quick", "quick", "Reference", "slow")
    ]
    assert lines[5].split(",")[-7:-3] == ["3", str(low), str(high), "4"]
    programs = anonymous.get("/api/v1/boards/loop_tool-cpu/programs/").json()["entries"]
    assert [(one["rank"], one["rank_high"]) for one in programs] == [(1, 2), (1, 2), (3, 3)]
    leaders = anonymous.get("/api/v1/boards/loop_tool-cpu/").json()["leaders"]
    assert [one["agent"] for one in leaders] == ["as quick"]


def test_entries_are_compared_with_the_reference_that_was_measured_beside_them(
    client: Client, anonymous: APIClient, noisy: World
) -> None:
    def card() -> str:
        return text(client.get("/boards/")).partition("loop_tool on CPUs")[2].partition("</a>")[0]

    assert "No entry yet." in card()
    page = text(client.get("/boards/loop_tool-cpu/"))
    assert "measured in the same blocks as each entry, so its ratios are 1" in page
    assert "Yours could be the first." in page
    slow = entry(noisy, 1.0, actions=(0,), agent="slow")
    assert '<span class="worse">4.00 times as slow</span>' in card()
    assert "Nobody has beaten the reference yet." in card()
    page = text(client.get("/boards/loop_tool-cpu/"))
    for expected in ('<span class="worse">4.00 times as slow</span>', "−75.00 %"):  # noqa: RUF001 - a minus sign
        assert expected in page, expected
    entry(noisy, 4.02, actions=(1,), agent="as quick")
    assert '<span class="even">not told apart</span>' in card(), "its interval contains 1"
    quick = entry(noisy, 8.0, actions=(2,), agent="quick")
    assert "<strong>2.0000</strong> <bdi>quick</bdi>" in card()
    assert '<span class="better">2.00 times as fast as the reference</span>' in card()
    address = "/api/v1/boards/loop_tool-cpu/"
    body = anonymous.get(f"{address}standings/").json()
    assert [(row["agent"], row["against_reference"], row["saving"]) for row in body["results"]] == [
        ("quick", "2.00 times as fast as the reference", 0.5),
        ("as quick", "not told apart from the reference", pytest.approx(1 - 4 / 4.02)),
        ("slow", "4.00 times as slow as the reference", -3.0),
    ]
    [reference] = body["references"]
    assert (reference["label"], reference["level"], reference["score"]) == ("Reference", "reference", 1.0)
    [leader] = anonymous.get(address).json()["leaders"]
    assert leader["against_reference"] == "2.00 times as fast as the reference"
    for submission, words in ((quick, "2.00 times as fast"), (slow, "4.00 times as slow")):
        assert words in text(client.get(submission.get_absolute_url()))
    assert "4.00 times as slow as the reference" in text(
        client.get(f"/compare/?entry={slow.pk}&entry={quick.pk}")
    )
    assert "2.00 times as fast as the reference" in text(client.get("/users/quick/"))
    query = f"entry={quick.pk}&entry={slow.pk}&entry=level:reference&entry=virtual-best"
    compared = anonymous.get(f"/api/v1/compare/?{query}").json()
    labels = [(one["label"], one["score"]) for one in compared["columns"]]
    assert labels[2:] == [("Reference", 1.0), ("Virtual best", 2.0)]
    assert [(one["wins"], one["losses"]) for one in compared["pairs"][1:5:2]] == [
        (len(SIZES), 0),
        (0, len(SIZES)),
    ]
    assert [cell["value"] for cell in compared["results"][0]["cells"]] == [8.0, 1.0, 4.0, 8.0]
    assert client.get(f"/compare/?{query}").status_code == 200


def test_a_measured_score_rises_only_where_intervals_do_not_overlap(noisy: World, client: Client) -> None:
    for agent, gflops, actions in (("one", 8.0, 1), ("as good", 8.1, 2), ("two", 40.0, 0), ("worse", 9.0, 3)):
        entry(noisy, gflops, actions=(actions,), agent=agent)
    rises = record_queries.best_over_time(noisy.board)
    assert [rise.agent for rise in rises] == ["one", "two"]
    then = record_queries.best_over_time(noisy.board, until=rises[0].at)
    assert [rise.agent for rise in then] == ["one"]
    records = [one.item.submission.agent for one in record_queries.list_records(uri=URIS[0])]
    assert records == ["two", "one"]
    newest = record_queries.better_records(2, among=10)
    assert {one.item.submission.agent for one in newest} == {"two"}


def test_a_provisional_board_says_so_and_has_no_rank(
    client: Client, anonymous: APIClient, provisional: World
) -> None:
    entry(provisional, 8.0, actions=(1,), agent="quick")
    entry(provisional, 2.0, actions=(2,), agent="slow")
    entry(provisional, 90.0, actions=(3,), agent="partial", uris=URIS[:1])
    page = text(client.get("/boards/loop_tool-cpu/"))
    assert NOTICE in page
    assert ">Rank<" not in page
    assert page.index("quick") < page.index("slow") < page.index("partial")
    for expected in ("2.0000", "0.5000", f"1/{len(SIZES)}", "x86_64-cpu", *URIS):
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
        ("quick", None, 2.0, len(SIZES)),
        ("slow", None, 0.5, len(SIZES)),
        ("partial", None, None, 1),
    ]
    assert (body["provisional"], len(body["references"])) == (True, 1)
    lines = anonymous.get("/api/v1/boards/loop_tool-cpu/standings.csv").getvalue().decode().splitlines()
    ranks = [line.split(",")[:2] for line in lines[1:]]
    assert ranks == [
        *(["reference", "virtual best"], ["", "quick"], ["reference", "Reference"]),
        *(["", "slow"], ["", "partial"]),
    ]


def test_page_and_api_show_how_an_item_was_measured(
    client: Client, anonymous: APIClient, noisy: World
) -> None:
    submission = entry(noisy, 8.0, uris=URIS[:1], actions=(3, 3), claims={"gflops": 80.0}, open=True)
    page = item_page(client, submission)
    for expected in (
        "<h1>1021</h1>",
        "Ratio to the reference",
        "2.0000",
        "GFLOP/s",
        "optimistic",
        "7.2 … 8.8",
        "another block is expected with 95 % probability, by 3 blocks.",
        "Reference in that block",
        "Ratio, mean of 3 blocks",
        "with 95 % confidence",
        "warm",
        "A processor of tests",
        "caches L1d",
        "avx2, fma",
    ):
        assert expected in page, expected
    assert page.count("<summary>all<span") == 3
    assert ">discarded<" not in page
    assert page.count('<figure class="chart') == 2  # the blocks, wide and narrow; no cost to draw
    assert page.count('<tr class="no-op">') == 1
    assert "<polyline" not in page
    assert ">Change<" not in page
    assert "unoptimised" not in page
    item = anonymous.get(f"/api/v1/submissions/{submission.pk}/items/0/").json()
    assert (item["benchmark"], item["bitcode_url"]) == (URIS[0], None)
    assert (item["value"], item["ratio"], item["verdict"]) == (8.0, pytest.approx(2.0), "verified")
    assert item["metrics"] == {"gflops": 8.0, "reference_gflops": 4.0}
    assert (item["claims"], item["claim_status"]) == ({"gflops": 80.0}, {"gflops": "optimistic"})
    result = ReplayResult.from_json(item["result"])
    assert len(result.measurement["blocks"]) == 3
    assert {step.cost for step in result.steps} == {None}
    body = anonymous.get(f"/api/v1/submissions/{submission.pk}/").json()
    assert (body["score"], body["rank"], body["coverage"]) == (None, None, 0.25)


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
    differing = measurement_of(8.0, 4.0)
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


def test_the_submission_page_shows_rank_claims_and_the_reference_of_all_measurements(
    client: Client, noisy: World
) -> None:
    submission = entry(noisy, 8.0, claims={"gflops": 8.0})
    page = text(client.get(submission.get_absolute_url()))
    assert "<dt>Rank</dt><dd>1</dd>" in page
    assert NOTICE not in page
    assert "4 of 4" in page
    assert page.count("consistent") == len(URIS)
    assert ">Reference <small>" in page
    assert "8388593" in page
    assert "{n}" not in page
    assert "Waiting for" not in page + item_page(client, submission)
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
    for (value, compared), one in zip(values, (first, second), strict=False):
        assert value == pytest.approx(one.value)
        assert value / compared == pytest.approx(one.ratio, rel=0.03)
    assert [compared for _, compared in values[:2]] == [8.0, 4.0]
    Board.objects.update(provisional=True)
    provisional = text(client.get(submission.get_absolute_url()))
    assert NOTICE in provisional
    assert "<dt>Rank</dt>" not in provisional


def test_items_that_nobody_can_replay_now_say_so_until_a_runner_is_there(client: Client, db: None) -> None:
    world = make_noisy_world("loop_tool-cuda")
    uris = [uri.replace("-cpu-", "-cuda-") for uri in URIS[:1]]
    submission = submit(world.user, document(uris=uris, board="loop_tool-cuda"))
    assert {one.hardware_class for one in verifications(submission)} == {"x86_64-cuda"}
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


def test_a_board_without_a_runner_warns_only_where_replays_wait(client: Client, world: World) -> None:
    address = "/boards/test-ic/"
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


def test_the_queue_names_the_members_of_a_range(client: Client, noisy: World) -> None:
    submit(noisy.user, document())
    page = text(client.get("/queue/"))
    assert re.search(r'<th scope="row"><a href="[^"]*">1021</a></th>', page)
    assert "{n}" not in page


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


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "warm", "</td>"])
)
KEYS = st.sampled_from(["gflops", "reference_gflops", "samples", "temperature", "device", "load"])
JSON = st.recursive(LEAVES, lambda parts: st.lists(parts) | st.dictionaries(KEYS, parts), max_leaves=8)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | JSON
SIDES = st.dictionaries(KEYS, NUMBERS) | JSON
BLOCKS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "candidate": SIDES,
            "reference": SIDES,
            "ratio": NUMBERS,
            "machine": JSON,
            "discarded": JSON,
        },
    )
    | JSON,
    max_size=3,
)
MEASUREMENTS = (
    st.fixed_dictionaries(
        {},
        optional={
            "blocks": BLOCKS | JSON,
            "interval": st.dictionaries(KEYS, st.lists(NUMBERS, max_size=3) | JSON) | JSON,
            "machine": JSON,
        },
    )
    | JSON
)


def measured_item(found: object, metric: str = "gflops") -> SubmissionItem:
    version = EnvironmentVersion(env_id="loop_tool-v0")
    board = Board(environment_version=version, metric=metric, reference_metric="reference_gflops")
    return SubmissionItem(
        submission=Submission(board=board),
        claims={"gflops": 8.0},
        verification=Verification(
            environment_version=version,
            metrics={"gflops": 8.0, "reference_gflops": 4.0},
            result={"measurement": found, "steps": []},
        ),
        ratio=2.0,
    )


@given(found=MEASUREMENTS, metric=st.sampled_from(["gflops", "reference_gflops"]))
@example(found=measurement_of(0.0, 0.1), metric="gflops")
@example(found={"blocks": [{"candidate": {"gflops": 0}, "reference": {"gflops": 0}}]}, metric="gflops")
@example(found={"interval": {"gflops": [1, 10**400]}}, metric="gflops")
def test_any_measurement_is_shown_and_judged(found: object, metric: str) -> None:
    item = measured_item(found, metric)
    shown = measurement(item)
    claims(item, {})
    columns = {"state": "recorded", "reason": "", "detail": "", "effective": 0}
    outcome = outcome_of({**columns, "metrics": item.measured, "measurement": found})
    assert outcome.metrics["gflops"] == 8.0
    if shown is not None:
        context = {"measured": shown, "compared": board_metric(item.submission.board), "item": item}
        charts = _pair_charts(shown)
        assert render_to_string(
            "leaderboard/parts/measurement.html", {**context, "pair_charts": charts}
        ).count("</figure>") in (0, 2)


def block(value: float, compared: float, **changes: Any) -> dict[str, Any]:
    return {"ratio": value / compared, "candidate": reading(value), "reference": reading(compared)} | changes


def test_a_discarded_block_says_why_and_one_without_its_numbers_is_left_out() -> None:
    lacking = [block(8.0, 4.0, reference={}), block(8.0, 4.0, candidate={"gflops": True}), 3]
    blocks = [*lacking, block(8.0, 5.0), block(8.0, 4.0, discarded="off")]
    shown = measurement(measured_item({"blocks": blocks}))
    assert shown is not None
    assert [(one.number, one.discarded) for one in shown.blocks] == [(4, ""), (5, "off")]


def test_facts_that_lie_too_deep_are_not_followed() -> None:
    facts: dict[str, Any] = {"end": 1}
    for _ in range(2000):
        facts = {"part": facts}
    shown = measurement(measured_item({"machine": {"device": "d"} | facts, "blocks": []}))
    assert shown is not None
    assert [said for _, said in shown.machine] == ["d", "…"]


def test_facts_are_written_for_people() -> None:
    facts: tuple[tuple[Any, str], ...] = (
        (True, "yes"),
        (0, "0"),
        (0.146484375, "0.146484"),
        ([], "none"),
        ([1.5, "a"], "1.5, a"),
    )
    for value, said in facts:
        shown = measurement(measured_item({"machine": {"a_fact": value, "unknown": None, "empty": ""}}))
        assert shown is not None
        assert shown.machine == (("a fact", said),)

"""What the API shows of boards and submissions, to whom, and at which cost."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from optarena.specs import environment_spec
from optarena.specs.results import ReplayResult
from runner.models import Verification
from tests.kit.boards import URIS, World, agent, document, fail, record, record_all, submit, verifications
from tests.kit.pages import text

if TYPE_CHECKING:
    from rest_framework.test import APIClient

    from leaderboard.models import Submission


def ranked(world: World, number: int) -> list[Submission]:
    made = [submit(world.user, document([[n], [n], [n]], agent=agent(n))) for n in range(number)]
    for n, submission in enumerate(made):
        record_all(submission, 80 + n, 90, 90)
    return made


def test_a_board_shows_what_it_compares_and_who_leads(world: World, anonymous: APIClient) -> None:
    ranked(world, 2)
    body = anonymous.get("/api/v1/boards/test-ic/").json()
    compared = (body["dataset"], body["environment"], body["metric"])
    assert compared == ("boards-v0", "llvm-ic-v0", "ir_instructions")
    assert body["environment_digest"] == environment_spec("llvm-ic-v0").digest
    assert [leader["agent"] for leader in body["leaders"]] == [agent(0)]
    assert anonymous.get("/api/v1/boards/").json()["results"][0]["slug"] == "test-ic"
    assert anonymous.get("/api/v1/boards/none/").status_code == 404


def test_standings_have_ranks_and_references(world: World, anonymous: APIClient) -> None:
    ranked(world, 3)
    body = anonymous.get("/api/v1/boards/test-ic/standings/").json()
    found = [(row["rank"], row["agent"]) for row in body["results"]]
    assert found == [(1, agent(0)), (2, agent(1)), (3, agent(2))]
    assert [row["level"] for row in body["references"]] == ["Oz", "O2", "O3", "O1"]
    assert body["results"][0]["coverage"] == 1.0


def test_the_csv_of_a_board_has_the_rows_and_references_of_its_page(
    world: World, anonymous: APIClient
) -> None:
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


def test_the_largest_ratio_is_looked_for_where_it_is_shown(world: World, anonymous: APIClient) -> None:
    """All items of a submission are read for it."""
    submission = submit(world.user)
    for page, needs in (("", True), ("items/", False), ("items/0/", False), ("edits/", False)):
        with CaptureQueriesContext(connection) as captured:
            assert anonymous.get(f"/api/v1/submissions/{submission.pk}/{page}").status_code == 200
        assert any("largest_of_its_ratios" in query["sql"] for query in captured) == needs, page


def test_a_submission_says_what_its_score_owes_to_one_program(world: World, anonymous: APIClient) -> None:
    submission = submit(world.user)
    address = f"/api/v1/submissions/{submission.pk}/"
    first, second, third = verifications(submission)
    record(first, 80)
    assert anonymous.get(address).json()["largest_ratio"] is None, "the others wait"
    record(second, 90)
    record(third, 100)
    [reference] = {item.value * item.ratio for item in submission.items.all() if item.value and item.ratio}
    found = anonymous.get(address).json()["largest_ratio"]
    assert found["benchmark"] == submission.items.get(position=0).benchmark_uri
    assert found["ratio"] == reference / 80
    assert found["score_without"] == pytest.approx(math.sqrt(reference / 90 * reference / 100))
    page = text(Client().get(submission.get_absolute_url()))
    assert f"without it the score is {found['score_without']:.4f}" in page


def test_submissions_can_be_filtered(world: World, anonymous: APIClient) -> None:
    submit(world.user, document(agent="greedy search"))
    submit(world.other, document(agent="random search"))

    def agents(query: str) -> list[str]:
        return [row["agent"] for row in anonymous.get(f"/api/v1/submissions/?{query}").json()["results"]]

    assert agents("") == ["random search", "greedy search"]
    assert agents("owner=ada") == ["greedy search"]
    assert agents("agent=RANDOM") == ["random search"]


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


def test_an_item_that_is_not_verified_says_why_and_lists_its_attempts(
    world: World, anonymous: APIClient
) -> None:
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

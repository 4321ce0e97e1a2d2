"""How many queries each request takes: as many as is committed, and no more where there are more rows.

``OPTARENA_RECORD_QUERY_COUNTS=1 pytest tests/leaderboard/test_query_counts.py`` writes ``query_counts.json``
anew; its difference is reviewed like any other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from leaderboard.models import Submission
from runner.models import Verification
from tests.kit.site import ENDED, Site, cases, routes
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from django.http import HttpResponse
    from pytest_django import Settings

    from tests.kit.cases import Case

BASELINE: Final = Path(__file__).with_name("query_counts.json")
RECORD: Final = os.environ.get("OPTARENA_RECORD_QUERY_COUNTS") == "1"
FEW: Final = 2
MANY: Final = 8
LARGE: Final = 500
MOST: Final = 40
"""Queries of a request with many items."""


@pytest.fixture(autouse=True)
def server(settings: Settings, tmp_path: Path) -> None:
    """Programs are kept in the test's own folder, and a runner stays live for as long as the test takes."""
    settings.OPTARENA_LEASE_SECONDS = 24 * 3600
    (tmp_path / "blobs").mkdir()
    settings.OPTARENA_BLOB_ROOT = str(keep_blobs_in(settings, tmp_path / "blobs"))


def count(site: Site, case: Case) -> int:
    cache.clear()  # of attempts to log in
    with transaction.atomic():
        send = case.prepare(site)
        with CaptureQueriesContext(connection) as captured:
            response = send()
            b"".join(response.streaming_content) if response.streaming else response.content
        transaction.set_rollback(True)
    assert response.status_code == case.status, f"{case.name}: {response.status_code}"
    return len(captured)


def measure(rows: int, folder: Path) -> dict[str, int]:
    """The queries of each request to a server with so many rows of everything, which is gone afterwards.

    What a process asks for once only does not count: what differs from the committed number is sent again.
    """
    folder.mkdir()
    expected = {} if RECORD else committed()
    with transaction.atomic():
        site = Site(rows, folder)
        counts = {case.name: count(site, case) for case in cases()}
        differing = [case for case in cases() if counts[case.name] != expected.get(case.name)]
        counts |= {case.name: count(site, case) for case in differing}
        transaction.set_rollback(True)
    return counts


def committed() -> dict[str, int]:
    found: dict[str, int] = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    return found


def compare(counts: dict[str, int], *, is_written: bool = RECORD) -> None:
    baseline = committed()
    if is_written:
        BASELINE.write_text(json.dumps(dict(sorted({**baseline, **counts}.items())), indent=2) + "\n")
    else:
        assert counts == {name: baseline.get(name) for name in counts}


@pytest.mark.usefixtures("broker")
@pytest.mark.parametrize("rows", [FEW, pytest.param(MANY, marks=pytest.mark.soak)])
def test_every_request_takes_the_committed_queries(db: None, tmp_path: Path, rows: int) -> None:
    """A query for each row is seen with few rows, too: the committed number is the same for both."""
    compare(measure(rows, tmp_path / "site"), is_written=RECORD and rows == FEW)


def test_every_route_has_its_count() -> None:
    counted = {case.name.split()[1] for case in cases()}
    assert set(routes()) <= counted


@pytest.mark.soak  # with few items any query for each of them is seen above
def test_a_large_submission_takes_no_more_queries_than_a_small_one(db: None, tmp_path: Path) -> None:
    counts = {
        f"{name} of {size} items": queries
        for number, size in enumerate((1, 1, LARGE))  # the first does what a process does once only
        for name, queries in counts_of_size(size, tmp_path / str(number)).items()
    }
    for name, queries in counts.items():
        assert queries <= MOST, name
        assert queries == counts[name.replace(str(LARGE), "1")], name
    compare(counts)


def counts_of_size(size: int, folder: Path) -> dict[str, int]:
    """The queries of requests with an item for each program of a board, which thus have a score at the end.

    The board is new to this process, which reads its references first.
    """
    folder.mkdir()
    with transaction.atomic():
        site = Site(1, folder, large=size)
        document = site.document(size, ENDED, board="large", dataset="large-v0")
        client = site.api

        def post(route: str, *arguments: object) -> Callable[[], HttpResponse]:
            address = reverse(f"leaderboard-api:{route}", args=arguments)
            return lambda: client.post(address, document, content_type="application/json")  # type: ignore[return-value] # the client's own class

        counts = {"POST validate": queries_of(post("validate"), 200)}
        counts["POST submissions: new work"] = queries_of(post("submissions"), 202)
        made = Submission.objects.latest("created")
        counts["POST submissions: work that waits"] = queries_of(post("submissions"), 202)
        _end(made)
        counts["POST submissions: work that has ended"] = queries_of(post("submissions"), 202)
        document["items"] = [one | {"actions": [ENDED, ENDED]} for one in document["items"]]
        post("submissions")()
        made = Submission.objects.latest("created")
        counts["POST withdraw"] = queries_of(post("withdraw", made.pk), 200)
        transaction.set_rollback(True)
    return counts


def _end(submission: Submission) -> None:
    """Have all replays of a submission ended, without the time that so many runners would take."""
    Verification.objects.filter(submission_items__submission=submission).update(
        state="recorded",
        finished_at=submission.created,
        metrics={"ir_instructions": 90},
        result={"ok": True, "steps": [{"had_no_effect": False}]},
        sandbox={},
    )


def queries_of(send: Callable[[], Any], status: int) -> int:
    with CaptureQueriesContext(connection) as captured:
        response = send()
    assert response.status_code == status, response.content
    return len(captured)

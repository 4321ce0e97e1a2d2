"""The board of GPU kernels: what pages say while work waits for either part, and what a GPU's result becomes.

A hand plays the runner that has a GPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from datasets.loading import load_dataset
from leaderboard.boards.services import load_boards
from optarena.gpu_kernels import build_dataset
from optarena.gpu_kernels.actions import PASSES
from runner.machines import presence
from runner.machines.machine import describe
from runner.models import Verification
from runner.queue import leases, transitions
from runner.work.driver import drive
from tests.factories import make_user
from tests.kit.boards import BOARDS, standing, submit
from tests.kit.noisy_boards import measurement
from tests.kit.pages import text
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.test import Client
    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)
CPU, CUDA = "x86_64-cpu", "x86_64-cuda"
NAMES = {"value": "runtime_seconds", "reference": "reference_seconds", "ratio": "speedup"}
FIRST = f"1 of them is replayed, checked and compiled by a runner of class {CPU} first"


@pytest.fixture
def ada(settings: Settings, tmp_path: Path) -> User:
    """Somebody on a server that has the board."""
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=build_dataset.FOLDER)
    load_boards(definitions=[one for one in BOARDS if one.slug == "gpu-kernels"])
    return make_user("ada")


def document() -> dict[str, Any]:
    actions = [PASSES.names.index(name) for name in ("sroa", "instcombine")]
    items = [{"benchmark": "benchmark://gpu-kernels-v0/vector-add", "actions": actions}]
    return {"board": "gpu-kernels", "agent": "two passes", "items": items}


def test_the_queue_says_what_waits_for_which_runner(ada: User, client: Client) -> None:
    submission = submit(ada, document())
    page = text(client.get("/queue/"))
    assert f"1 replay waits for a runner of class {CUDA}; no such runner is live" in page
    assert f"{FIRST}; no such runner takes work now." in page
    presence.announce_runner(name="a GPU", hardware_class=CUDA, machine=describe())
    page = text(client.get("/queue/"))
    assert "no such runner is live" not in page
    assert f"{FIRST}; no such runner takes work now." in page
    presence.announce_runner(name="a CPU", hardware_class=CPU, machine=describe())
    assert f"{FIRST}." in text(client.get("/queue/"))
    assert drive(worker="a CPU") == 1
    page = text(client.get("/queue/"))
    assert "of them is replayed" not in page
    shown = text(client.get(submission.get_absolute_url()))
    assert "First replay started" in shown
    assert "interrupted" not in shown


def test_what_a_gpu_measures_is_scored_without_a_rank(ada: User, settings: Settings) -> None:
    submission = submit(ada, document())
    drive(worker="a CPU")
    assert submission.items.get().verdict == "pending"
    settings.OPTARENA_HARDWARE_CLASS = CUDA
    lease = leases.lease_next(worker="a GPU")
    assert lease is not None
    row = Verification.objects.get(pk=lease.verification_id)
    assert row.prepared is not None
    metrics = {"runtime_seconds": 2.0, "reference_seconds": 4.0, "speedup": 2.0}
    blocks = measurement(2.0, 4.0)["blocks"]
    for block, ratio in zip(blocks, (1.9, 2.0, 2.1), strict=True):
        block |= {"ratio": ratio, "pairs": [ratio]}
    measured = measurement(2.0, 4.0, metrics=sorted(metrics), names=NAMES, blocks=blocks, interval={})
    result = {**row.prepared["result"], "version": 4, "metrics": metrics, "measurement": measured}
    outcome = transitions.ReplayOutcome(result=result, metrics=metrics, sandbox={})
    leases.record(lease=lease, outcome=outcome)
    item = submission.items.get()
    assert (item.verdict, item.reason) == ("verified", "")
    assert item.ratio == pytest.approx(2.0, rel=0.01)
    shown = standing(submission)
    assert shown.score == pytest.approx(item.ratio ** (1 / 13))
    assert (shown.verified, shown.total, shown.rank) == (1, 13, None)

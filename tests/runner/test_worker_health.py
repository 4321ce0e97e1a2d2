"""Real workers that are sick, or of another version: no item ends for it, and all work gets done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runner.models import TERMINAL, EnvironmentVersion, Runner, Verification
from runner.selectors import able_runners
from tests.factories import make_busy, make_work
from tests.kit.folders import PLUGINS
from tests.kit.stage import ended_once, eventually, says, state_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.stage import Stage

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

CPU = "x86_64-cpu"
ITEMS = 15


def make_open(folder: Path) -> None:
    """Let anybody write to it, which replays refuse."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o777)


def test_a_worker_with_a_wrong_folder_takes_nothing_until_it_is_mended(stage: Stage, tmp_path: Path) -> None:
    folder = tmp_path / "transient"
    make_open(folder)
    rows = [make_work([number], make_busy()) for number in range(ITEMS)]
    worker, sweeper = stage.worker(OPTARENA_TRANSIENT_CACHE=str(folder)), stage.sweeper()
    eventually(says(worker, b"self-test failed"), "it finds out", worker, sweeper)
    eventually(lambda: Runner.objects.filter(paused_at__isnull=False).exists(), "it says so", worker, sweeper)
    assert Runner.objects.get().pause_reason == "The worker's self-test failed: folders."
    assert {state_of(row) for row in rows} == {"queued"}
    folder.chmod(0o700)
    eventually(lambda: all(state_of(row) in TERMINAL for row in rows), "all end", worker, sweeper)
    assert all(ended_once(row) and row.attempt == 0 for row in rows)
    assert {row.runner for row in rows} == {Runner.objects.get()}


def test_a_folder_that_goes_wrong_meanwhile_ends_no_item(stage: Stage, tmp_path: Path) -> None:
    folder = tmp_path / "transient"
    worker, sweeper = stage.worker(OPTARENA_TRANSIENT_CACHE=str(folder)), stage.sweeper()
    eventually(lambda: able_runners(CPU).exists(), "it is healthy", worker, sweeper)
    make_open(folder)
    rows = [make_work([number], make_busy()) for number in range(ITEMS)]
    eventually(lambda: not able_runners(CPU).exists(), "it pauses", worker, sweeper)
    eventually(says(worker, b"self-test failed"), "it finds out why", worker, sweeper)
    assert {state_of(row) for row in rows} == {"queued"}
    folder.chmod(0o700)
    eventually(lambda: all(state_of(row) in TERMINAL for row in rows), "all end", worker, sweeper)
    assert all(ended_once(row) and row.attempt == 0 for row in rows)


def test_workers_of_two_versions_share_a_queue(stage: Stage) -> None:
    later = EnvironmentVersion.objects.create(env_id="llvm-ic-v0", digest="e" * 64, spec={})
    rows = [make_work([number], make_busy()) for number in range(6)]
    for row in rows[::2]:
        Verification.objects.filter(pk=row.pk).update(
            environment_version=later, environment_digest=later.digest
        )
    old, sweeper = stage.worker(), stage.sweeper()
    eventually(lambda: all(state_of(row) in TERMINAL for row in rows[1::2]), "the old end", old, sweeper)
    assert {state_of(row) for row in rows[::2]} == {"queued"}
    new = stage.worker(OPTARENA_PLUGINS="later_version", PYTHONPATH=str(PLUGINS))
    eventually(lambda: all(state_of(row) in TERMINAL for row in rows), "all end", old, new, sweeper)
    assert all(ended_once(row) and row.attempt == 0 for row in rows)
    assert {row.runner for row in rows[::2]}.isdisjoint({row.runner for row in rows[1::2]})

"""A worker's test of itself reads the settings of its worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runner.machines.presence import examine_worker

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_named_place_for_memory_groups_that_cannot_be_used_fails_the_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blob_root: Path
) -> None:
    monkeypatch.setenv("OPTARENA_MEMORY_GROUPS", str(tmp_path))
    tested = examine_worker("x86_64-cpu")
    assert tested.problem == "The worker's self-test failed: memory group."
    assert str(tmp_path) in tested.checks[-1]["detail"]

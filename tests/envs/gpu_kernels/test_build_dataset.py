"""The dataset of kernels is what a build gives."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from optarena.gpu_kernels import build_dataset
from tests.kit.gpu_kernels import NAMES, benchmark

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.soak
def test_a_build_gives_the_shipped_dataset() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "optarena.gpu_kernels.build_dataset", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_difference_is_found(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, text in ((one, "same"), (other, "same")):
        folder.mkdir()
        (folder / "a.ll").write_text(text)
    assert build_dataset.differences(one, other) == []
    (other / "a.ll").write_text("not the same")
    (one / "b.ll").write_text("more")
    assert build_dataset.differences(one, other) == ["a.ll", "b.ll"]


def test_the_metadata_say_how_strongly_kernels_react() -> None:
    found = {name: benchmark(name).source["reaction"] for name in NAMES}
    assert all(one["sequences"] == build_dataset.SEQUENCES for one in found.values())
    assert found["matrix-product"]["codes"] > found["transpose"]["codes"]
    for name in NAMES:
        strongly = found[name]["codes"] > build_dataset.SEQUENCES // 2
        assert benchmark(name).tags == ("reacts-strongly" if strongly else "reacts-weakly",)

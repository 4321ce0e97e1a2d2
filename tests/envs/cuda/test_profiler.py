"""What NVIDIA's profiler ncu says: the counters of a launch on an H200, and why there are none elsewhere."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Final

import pytest

from optarena.cuda import profiler
from optarena.errors import CountersUnavailable

RECORDED: Final = (Path(__file__).parent / "data/ncu.csv").read_text()
"""Of the kernel ``stencil`` as given, at its timed size, by ncu 2025.3."""


def test_the_counters_of_a_launch_are_read() -> None:
    found = profiler.read(f"==PROF== Connected to process 1\n{RECORDED}")
    assert set(found) == set(profiler.COUNTERS)
    assert found["seconds"] == pytest.approx(595.136e-6)
    assert found["dram_read_bytes"] == 134_239_232
    assert found["achieved_occupancy"] == pytest.approx(0.8708)
    assert found["float_multiply_adds"] == 301_989_888


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission", "no-privilege"),
        ("==ERROR== Failed to initialize the profiler: LibraryNotLoaded", "virtualised"),
        ("==ERROR== Profiling is not supported on this device", "not-supported"),
        ("==ERROR== something else", "refused"),
        ("", "refused"),
        (RECORDED.replace("lts__t_bytes.sum", "another"), "not-supported"),
        (RECORDED.replace('"134,239,232"', '"n/a"'), "not-supported"),
        (RECORDED.replace('"134,239,232"', '"nan"'), "not-supported"),
        ("\n".join(RECORDED.splitlines()[:2]), "refused"),
    ],
)
def test_why_there_are_none_is_a_reason(said: str, reason: str) -> None:
    with pytest.raises(CountersUnavailable) as caught:
        profiler.read(said)
    assert caught.value.reason == reason


def test_without_the_profiler_its_name_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(profiler, "INSTALLED", tmp_path / "ncu")
    with pytest.raises(CountersUnavailable, match="Nsight Compute") as caught:
        profiler.command("scan", tmp_path / "log")
    assert caught.value.reason == "no-profiler"


def test_one_launch_of_one_kernel_is_read_and_clocks_are_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "ncu"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    command = profiler.command("scan", tmp_path / "log")
    assert command[0] == str(program)
    told = dict(itertools.pairwise(command))
    assert told["--kernel-name"] == "regex:^scan$"
    assert (told["--launch-count"], told["--clock-control"]) == ("1", "none")

"""Tests of the generators that need programs of Debian: ``csmith-v0`` and ``llvm-stress-v0``."""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING, Final

import gymnasium
import pytest

from optarena.datasets import datasets
from optarena.errors import ToolMissing
from optarena.generators import csmith, stress
from optarena.llvm import toolchain
from optarena.llvm.execution import run_program
from optarena.llvm.module import Module, optimised
from tests.kit.tools import CSMITH, in_ci

if TYPE_CHECKING:
    from pathlib import Path

CSMITH_MEMBERS: Final = {
    0: ("66cd256fd64e4ec7fb56ce6fcc5a822fafa3f41ba45e9cf372eb42f32edfb24e", b"checksum = 61D3E8EA\n"),
    7: ("79d55a1158161a3a2f256064166c38cbd52dbc52eea505bd7e4b73ac04d517b3", b"checksum = 19CD4DB4\n"),
}
STRESS_MEMBERS: Final = {
    0: "1f4e0e992e67214b7db5fa8caf70f110fb630bbbd24bdf6e8c627ea382be5615",
    7: "6a79e599be64bd6dba90bc53b9fd93ab3ec3ae298651367a67df2497316634be",
}
NAMES: Final = ("csmith", "llvm-stress")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def with_csmith() -> None:
    if CSMITH.find() is None:
        reason = f"csmith is not installed: apt-get install {' '.join(CSMITH.packages)}"
        pytest.fail(reason) if in_ci() else pytest.skip(reason)


@pytest.fixture
def with_stress() -> None:
    if shutil.which("llvm-stress-22") is None:
        reason = "llvm-stress is not installed: apt-get install llvm-22"
        pytest.fail(reason) if in_ci() else pytest.skip(reason)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(toolchain, "_SYSTEM_PATH", str(folder))
    monkeypatch.setattr(stress, "_NAMES", ("llvm-stress-22",))
    return folder


def _put(folder: Path, name: str, said: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{said}'\n")
    file.chmod(0o755)


@pytest.mark.usefixtures("with_csmith")
@pytest.mark.parametrize("seed", CSMITH_MEMBERS)
def test_csmith_programs_are_the_same_everywhere_and_print_what_was_recorded(seed: int) -> None:
    one = datasets().benchmark(f"generator://csmith-v0/{seed}")
    (workload,) = one.workloads
    assert (one.sha256, workload.expected_stdout) == CSMITH_MEMBERS[seed]
    with optimised(one.program(), "Oz") as module:
        execution = run_program(module.bitcode())
    assert (execution.stdout, execution.exit_code) == (workload.expected_stdout, workload.exit_code)


@pytest.mark.usefixtures("with_csmith")
def test_a_csmith_program_that_does_not_end_has_no_workload(monkeypatch: pytest.MonkeyPatch) -> None:
    written = csmith._written

    def endless(command: str, seed: int, folder: Path) -> Path:
        source = written(command, seed, folder)
        source.write_text("int main(void) { for (;;); }\n")
        return source

    monkeypatch.setattr(csmith, "_written", endless)
    monkeypatch.setattr(csmith, "RUN_SECONDS", 0.2)
    one = datasets().benchmark("generator://csmith-v0/0")
    assert one.sha256 == hashlib.sha256(one.program()).hexdigest()
    assert one.workloads == ()
    assert one.tags == ("not-runnable",)
    assert "The program has no workload: when it was run, it did not end within" in one.description


@pytest.mark.usefixtures("with_stress")
@pytest.mark.parametrize("seed", STRESS_MEMBERS)
def test_modules_of_llvm_stress_are_valid_and_the_same_everywhere(seed: int) -> None:
    one = datasets().benchmark(f"generator://llvm-stress-v0/{seed}")
    assert one.sha256 == STRESS_MEMBERS[seed]
    assert one.workloads == ()
    assert one.tags == ("not-runnable",)
    with Module.parse(one.program()) as module:
        assert module.verify() is None
        assert module.instruction_count() > 100


@pytest.mark.usefixtures("with_stress")
def test_a_session_takes_a_module_of_llvm_stress() -> None:
    with gymnasium.make("optarena/llvm-v0", benchmark="generator://llvm-stress-v0/7") as env:
        env.reset()
        assert not env.step(0)[2]


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("name", NAMES)
def test_a_missing_tool_is_named_with_what_to_install(name: str) -> None:
    dataset = datasets()[f"{name}-v0"]
    with pytest.raises(ToolMissing, match=r"apt-get install") as caught:
        dataset.benchmark("7")
    assert caught.value.field == name
    assert dataset.benchmark_at(7).uri == f"generator://{name}-v0/7"


@pytest.mark.parametrize(
    ("name", "said", "wanted"),
    [
        ("csmith", "csmith 2.4.0", "2.3.0"),
        ("csmith", "", "2.3.0"),
        ("llvm-stress-22", "Debian LLVM version 22.2.0", "22.1.8"),
        ("llvm-stress-22", "nothing", "22.1.8"),
    ],
)
def test_another_version_is_refused_and_both_are_named(path: Path, name: str, said: str, wanted: str) -> None:
    _put(path, name, said)
    with pytest.raises(ToolMissing, match=wanted) as caught:
        datasets()[f"{name.removesuffix('-22')}-v0"].benchmark("7")
    assert (said.rpartition(" ")[2] if "." in said else name) in str(caught.value)


def test_csmith_without_its_headers_is_refused(path: Path) -> None:
    _put(path, "csmith", "csmith 2.3.0")
    with pytest.raises(ToolMissing, match="headers"):
        datasets()["csmith-v0"].benchmark("7")

"""Programs that need not be parsed before the first action: only those that this very GCC compiled before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import optarena
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.gcc import pinned, session
from optarena.gcc.compiling import Compiler
from optarena.gcc.other_session import OtherGccSession
from optarena.gcc.session import GccSession
from optarena.service.proto import compiler_gym_service_pb2 as pb
from tests.kit.gcc import needs_gcc, pinned_gcc

if TYPE_CHECKING:
    from pathlib import Path

KERNELS = "gcc-kernels-v0"
URI = f"benchmark://{KERNELS}/sudoku"


def test_they_are_the_programs_of_the_datasets_that_this_build_made(monkeypatch: pytest.MonkeyPatch) -> None:
    known = session.known_programs()
    assert {one.sha256 for one in datasets()[KERNELS]} <= known
    assert not {one.sha256 for one in datasets()["programs-smoke-v0"]} & known
    monkeypatch.setattr(pinned, "PROGRAMS", {**pinned.PROGRAMS, "cc1": "0" * 64})
    assert not session.known_programs()


@needs_gcc
def test_each_kernel_would_pass_the_check(tmp_path: Path) -> None:
    for benchmark in datasets()[KERNELS]:
        Compiler(pinned_gcc(), tmp_path / benchmark.sha256, benchmark.program()).check()


@needs_gcc
def test_only_programs_that_are_not_known_are_parsed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[bytes] = []
    monkeypatch.setattr(Compiler, "check", lambda self: parsed.append(self._units[0].data))
    GccSession.preload()
    source = datasets().benchmark(URI).program()
    for session_type, program in ((GccSession, source), (GccSession, source + b"\n")):
        benchmark = pb.Benchmark(uri=URI, program=pb.File(contents=program))
        session_type(tmp_path, session_type.action_spaces[0], benchmark).close()
    assert parsed == [source + b"\n"]
    assert not OtherGccSession.known, "another GCC may refuse what the pinned one compiles"


@needs_gcc
def test_a_program_is_not_believed_for_its_name() -> None:
    named: Any = replace(datasets().benchmark(URI), load=lambda: b"not C", sha256="")
    with optarena.make("gcc-v0") as env, pytest.raises(InvalidInput, match=r"GCC cannot compile|sha256"):
        env.reset(options={"benchmark": named})

"""A worker takes work of an environment only if its toolchain is on the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.errors import ToolMissing
from optarena.self_test import run_checks
from optarena.specs import environment_spec
from runner.queue.wakeups import own_digests
from runner.work.confirmation import fault_reason
from tests.kit.gcc import needs_gcc

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

GCC = environment_spec("gcc-v0")
LLVM = environment_spec("llvm-ic-v0")


@needs_gcc
def test_a_machine_with_the_toolchain_offers_its_environment_and_plays_its_probe() -> None:
    assert {GCC.digest, LLVM.digest} <= set(own_digests())
    checks = {check["name"]: check for check in run_checks()}
    assert checks["environment gcc-v0"]["ok"], checks["environment gcc-v0"]["detail"]


def test_a_machine_without_it_does_everything_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPTARENA_GCC", str(tmp_path))
    assert GCC.digest not in own_digests()
    assert LLVM.digest in own_digests()
    assert "it has no cc1" in GCC.why_unavailable()
    assert fault_reason(ToolMissing("it has no cc1")) == "infra:toolchain-missing"

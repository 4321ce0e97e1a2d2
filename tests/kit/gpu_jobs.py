"""Jobs for a GPU, and stand-ins that do them on the CPU."""

from __future__ import annotations

from typing import Any

import pytest

from optarena.cuda.variables import STAND_IN
from optarena.gpu_kernels import device_jobs
from tests.kit.folders import ROOT
from tests.kit.gpu_kernels import optimised, program


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'tests/plugins'}:{ROOT / 'envs'}")

    def select(name: str = "device") -> None:
        monkeypatch.setenv(STAND_IN, f"kernels_on_cpu:{name}")

    return select


def code(name: str, *pipelines: str) -> bytes:
    return optimised(name, *pipelines).text().encode()


def job(name: str, **more: Any) -> dict[str, Any]:
    return device_jobs.job(
        program(name).kernel, program(name).case("odd"), more.pop("cubin", code(name, "default<O2>")), **more
    )

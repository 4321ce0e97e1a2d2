"""The rooflines of the kernels: their declared work, with what devices were measured to do."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from optarena.datasets import datasets
from optarena.gpu_kernels import programs
from optarena.specs.benchmark import BenchmarkUri
from optarena.specs.roofline import Roofline, Speeds


@cache
def roofline(uri: str) -> Roofline:
    case = programs.parse(datasets().benchmark(uri).program()).main
    measured = tomllib.loads(
        resources.files("optarena.gpu_kernels").joinpath("measured.toml").read_text("utf-8")
    )
    times, name = measured["times"], BenchmarkUri.parse(uri).path
    found = dict(zip(times["codes"], times["microseconds"].get(name, ()), strict=False))
    return Roofline(
        moved_bytes=case.moved_bytes,
        flops=case.flops,
        speeds={device: Speeds(**known) for device, known in measured["speeds"].items()},
        device=times["device"] if found else "",
        seconds={code: one / 1e6 for code, one in found.items()},
        note=times["note"],
    )

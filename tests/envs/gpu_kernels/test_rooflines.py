"""The committed times and speeds of devices are those of the results that they name."""

from __future__ import annotations

import re

import pytest

from optarena.gpu_kernels.description import roofline
from tests.kit.folders import ROOT
from tests.kit.gpu_kernels import NAMES, program

ROW = re.compile(r"^  (\S.*?) +([\d.]+) us \u00b1.*?%.? +([\d.]+) +([\d.-]+) ", re.MULTILINE)
"""A form with its cold time, and the shares of copying and of computing."""


def rows(result: str, name: str) -> dict[str, tuple[float, ...]]:
    text = (ROOT / f"benchmarks/results/{result}.txt").read_text()
    of_kernel = re.split(r"^\S+: form, then.*$", text, flags=re.MULTILINE)
    names = [one.replace("_", "-") for one in re.findall(r"^(\S+): form, then", text, re.MULTILINE)]
    if name not in names:
        return {}
    found = ROW.findall(of_kernel[1 + names.index(name)])
    return {form: tuple(float(one.strip("-") or 0) for one in figures) for form, *figures in found}


@pytest.mark.parametrize("name", NAMES)
def test_each_time_is_in_the_results(name: str) -> None:
    given = rows("gpu_check", name)
    found = roofline(f"benchmark://gpu-kernels-v1/{name}")
    if not given:
        assert (found.device, dict(found.seconds)) == ("", {})
        return
    best = min(time for form, (time, *_) in given.items() if form.startswith("random"))
    wanted = [given["as given"][0], given["-O3"][0], best]
    assert [1e6 * one for one in found.seconds.values()] == pytest.approx(wanted)


def test_each_speed_follows_from_the_results() -> None:
    for result, device in (("gpu_check", "NVIDIA H200"), ("gpu_check_h100", "NVIDIA H100 80GB HBM3")):
        found = roofline("benchmark://gpu-kernels-v1/scan").speeds[device]
        moved, flops = program("vector-add").main.moved_bytes, program("matrix-product").main.flops
        time, share, _ = rows(result, "vector-add")["-O3"]
        assert found.bytes_per_second == pytest.approx(1e6 * moved / time / share, rel=2e-3)
        time, _, share = rows(result, "matrix-product")["-O3"]
        assert found.flops_per_second == pytest.approx(1e6 * flops / time / share, rel=3e-3)

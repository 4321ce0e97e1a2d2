"""NVIDIA's own compiler on generated kernels, which needs no device: PTX and machine code.

That the code is accepted and has the accesses asked for says nothing of its speed.
"""

from __future__ import annotations

import re
import struct
from dataclasses import replace

import pytest

from optarena.cuda.device import Target, compile_kernel, supported_capabilities, target_for
from optarena.cuda.kernels import CHAINS, computing_kernel, reading_kernel
from optarena.cuda.missing import DeviceFailed
from optarena.errors import DeviceUnavailable
from optarena.loop_tool.cuda.backend import lower
from optarena.loop_tool.nest import Loop, Nest, Plan
from tests.kit.loop_tool import cuda_nests as nests


@pytest.fixture(scope="module", autouse=True)
def nvrtc() -> None:
    pytest.importorskip("cupy", reason="cupy is not installed (extra cuda12 or cuda13)")
    try:
        supported_capabilities()
    except DeviceUnavailable as error:
        pytest.skip(str(error))


def ptx_of(nest: Nest, architecture: str = "compute_90") -> str:
    return compile_kernel(lower(Plan.of(nest)), Target(architecture)).decode().rstrip("\0")


@pytest.mark.parametrize("capability", [80, 90])
def test_random_nests_compile(capability: int) -> None:
    generator = nests.seeded(capability)
    for _ in range(8):
        ptx = ptx_of(nests.reachable(generator), f"compute_{capability}")
        assert f".target sm_{capability}" in ptx
        assert ".visible .entry add(" in ptx


def test_accesses_are_as_wide_as_the_lowering_says() -> None:
    for leaf, kind in ((1, "f32"), (2, "v2.f32"), (4, "v4.f32"), (16, "v4.f32")):
        ptx = ptx_of(Nest((Loop(1000, threaded=True), Loop(leaf))))
        width = {"f32": 1, "v2.f32": 2, "v4.f32": 4}[kind]
        loads = re.findall(r"ld\.global\.nc\.(\S+)", ptx)
        assert loads == [kind] * (2 * leaf // width)
        assert re.findall(r"st\.global\.(\S+)", ptx) == [kind] * (leaf // width)


def test_nothing_is_unrolled_behind_the_schedules_back() -> None:
    ptx = ptx_of(Nest((Loop(256, threaded=True), Loop(8), Loop(80))))
    assert len(re.findall(r"ld\.global", ptx)) == 2


def test_a_kernel_with_a_64_bit_index_compiles() -> None:
    ptx = ptx_of(Nest((Loop(2**22, 5, threaded=True), Loop(2**9, 3), Loop(4))))
    assert "mul.wide" in ptx or "mul.lo.s64" in ptx


def test_what_reads_to_clean_caches_is_not_optimised_away() -> None:
    ptx = compile_kernel(reading_kernel(1000), Target("compute_90")).decode()
    assert re.findall(r"ld\.global\S*\.(v4\.f32)", ptx) == ["v4.f32"]


def test_as_many_operations_are_fused_ones_in_registers() -> None:
    kernel, done = computing_kernel(10**12)
    assert 10**12 <= done < 1.0001 * 10**12
    ptx = compile_kernel(kernel, Target("compute_90")).decode()
    body = ptx.partition("fma.rn.f32")[2]
    assert ptx.count("fma.rn.f32") % CHAINS == 0
    assert ptx.count("fma.rn.f32") >= 16 * CHAINS  # the loop takes few instructions beside
    assert "ld.global" not in body
    assert not re.search(r"\b(?:mul|add)\.\w*\.?f32", body.rpartition("fma.rn.f32")[0])


def test_machine_code_is_a_whole_elf_file() -> None:
    code = compile_kernel(lower(Plan.of(Nest.initial(1000))), Target("sm_90"))
    assert code.startswith(b"\x7fELF")
    programs, sections = struct.unpack_from("<QQ", code, 32)
    entry, count, section, number = struct.unpack_from("<HHHH", code, 54)
    assert len(code) >= max(programs + entry * count, sections + section * number)


def test_what_is_refused_has_the_compilers_words() -> None:
    kernel = lower(Plan.of(Nest.initial(10)))
    with pytest.raises(DeviceFailed, match="nonsense"):
        compile_kernel(replace(kernel, source=f"nonsense {kernel.source}"), Target("sm_90"))


def test_the_device_decides_what_is_compiled() -> None:
    supported = supported_capabilities()
    assert {80, 90} <= set(supported)
    assert target_for(90, supported) == Target("sm_90")
    assert target_for(90, supported).kind == "cubin"
    newest = max(supported)
    assert target_for(newest + 50, supported) == Target(f"compute_{newest}")
    assert target_for(newest + 50, supported).kind == "ptx"
    with pytest.raises(DeviceUnavailable, match=r"capability 3\.5"):
        target_for(35, supported)

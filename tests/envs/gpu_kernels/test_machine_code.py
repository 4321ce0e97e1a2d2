"""PTX to machine code without a GPU: registers, local memory, classes of instructions, occupancy."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from optarena.errors import ToolMissing
from optarena.gpu_kernels import disassembly, features, ptxas
from optarena.gpu_kernels.features import NAMES as FEATURES
from optarena.gpu_kernels.features import Features, occupancy, thread_bytes
from tests.kit.gpu_kernels import NAMES, optimised, program, random_pipelines

INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?\s*([A-Z][A-Z0-9_]*)")
CLASSES = {
    "local_load": {"LDL"},
    "local_store": {"STL"},
    "shared_load": {"LDS"},
    "shared_store": {"STS"},
    "global_load": {"LDG", "LD"},
    "global_store": {"STG", "ST"},
    "constant_load": {"LDC", "ULDC"},
    "atomic": {"ATOMS", "ATOMG"},
    "barrier": {"BAR"},
    "branch": {"BRA", "EXIT", "CALL", "RET", "BSSY", "BSYNC", "WARPSYNC", "BPT"},
}


def assembled(name: str, *pipelines: str, level: int = 3) -> ptxas.Assembled:
    return ptxas.assemble(optimised(name, *pipelines).ptx(), program(name).kernel, level)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("number", "level"), [(0, 0), (1, 3)])
def test_classes_are_what_nvdisasm_prints(name: str, number: int, level: int) -> None:
    code = assembled(name, *random_pipelines(name, number), level=level).cubin
    printed = Counter(INSTRUCTION.findall(disassembly.disassemble(code)))
    found = features.classes(code)
    for kind, mnemonics in CLASSES.items():
        assert found[kind] == sum(printed[one] for one in mnemonics), kind
    assert found[features.OTHER] <= printed["NOP"]  # padding between instructions; nothing is unknown
    assert sum(found.values()) >= sum(printed.values()) - printed["NOP"]


def test_promoting_local_arrays_takes_them_out_of_local_memory() -> None:
    before = features.classes(assembled("matrix-product").cubin)
    after = features.classes(assembled("matrix-product", "default<O2>").cubin)
    assert before["local_load"] > 0
    assert after["local_load"] == 0


def test_o3_is_not_best() -> None:
    """The reason for the static board: -O3 needs more for these kernels than other passes leave."""
    better = {"histogram": (), "sparse-rows": ("default<O1>",)}
    for name, pipelines in better.items():
        assert thread_bytes(assembled(name, *pipelines)) < thread_bytes(assembled(name, "default<O3>")), name


def test_spills_are_counted() -> None:
    """At most 64 registers are left to a thread of this kernel, which computes with 72 numbers at once."""
    spilled = assembled("small-inverses", "default<O3>")
    assert spilled.registers <= 64
    assert spilled.stack_bytes > 0
    assert spilled.spill_bytes > spilled.stack_bytes
    assert assembled("small-inverses").spill_bytes == 0


def test_levels_of_ptxas_make_a_difference() -> None:
    codes = {assembled("matrix-product", "default<O2>", level=level).cubin for level in (0, 1, 3)}
    assert len(codes) == 3


def test_features_have_all_names_and_repeat() -> None:
    ptx = optimised("scan").ptx()
    one, other = (
        Features.of(
            ir_instructions=1, ptx=ptx, assembled=ptxas.assemble(ptx, "scan", 3), thread_bytes=72, threads=256
        )
        for _ in range(2)
    )
    assert one == other
    assert tuple(one.values) == FEATURES
    assert one.values["shared_bytes"] == 2048
    assert one.values["thread_bytes"] == 72
    assert one.values["ptx_instructions"] == sum(
        line.startswith("\t") and line.endswith(";") and not line.startswith("\t.")
        for line in ptx.splitlines()
    )


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "share"),
    [
        (256, 32, 0, 1.0),  # the examples of NVIDIA's occupancy calculator for compute capability 9.0
        (256, 64, 0, 0.5),
        (256, 168, 0, 0.125),
        (1024, 64, 0, 0.5),
        (1024, 65, 0, 0.0),
        (32, 16, 0, 0.5),
        (256, 32, 100 * 1024, 0.25),
        (128, 255, 0, 0.125),
        (64, 200, 0, 0.125),  # each of the four parts has registers for two warps, not for two and a half
        (96, 168, 0, 0.1875),
        (160, 40, 0, 0.703125),
    ],
)
def test_occupancy(threads: int, registers: int, shared: int, share: float) -> None:
    assert occupancy(threads, registers, shared) == share


def test_ptx_that_ptxas_refuses_is_an_error_with_its_message() -> None:
    with pytest.raises(ptxas.AssemblerFailed, match="Parsing error near 'nonsense'"):
        ptxas.assemble(".version 8.0\n.target sm_90\n.address_size 64\nnonsense", "k", 3)
    assert assembled("vector-add").registers > 0


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ptxas, "DISTRIBUTION", "optarena-nowhere")
    monkeypatch.setattr(disassembly, "DISTRIBUTION", "optarena-nowhere")
    for cached in (ptxas._library, disassembly._program):
        cached.cache_clear()
    try:
        assert not ptxas.load()
        with pytest.raises(ToolMissing, match=r"optarena-nowhere is not installed.*optarena\[gpu-compile\]"):
            ptxas.assemble("", "k", 3)
        with pytest.raises(ToolMissing, match=r"optarena-nowhere, which is missing.*optarena\[gpu-compile\]"):
            disassembly.disassemble(b"")
    finally:
        for cached in (ptxas._library, disassembly._program):
            cached.cache_clear()


def test_another_version_of_the_assembler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ptxas, "_VERSION", "12.0.0")
    ptxas._library.cache_clear()
    try:
        with pytest.raises(ToolMissing, match=r"13\.0\.88 is installed, and results need 12\.0\.0"):
            ptxas.assemble("", "k", 3)
    finally:
        ptxas._library.cache_clear()

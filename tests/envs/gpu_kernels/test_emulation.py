"""Kernels on the CPU and as machine code: the same output after any passes; planted bugs are caught."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from optarena.errors import InvalidInput, PlatformNotSupported, ToolMissing, UnknownName
from optarena.gpu_kernels import (
    build_dataset,
    emulation,
    engine,
    features,
    pinned,
    programs,
    ptxas,
    references,
)
from optarena.gpu_kernels.actions import PASSES, PIPELINES
from optarena.gpu_kernels.build_dataset import KERNELS
from optarena.gpu_kernels.features import NAMES as FEATURES
from optarena.gpu_kernels.features import Features, occupancy
from optarena.gpu_kernels.session import KernelSession
from tests.kit.examples import slow
from tests.kit.gpu_kernels import NAMES, benchmark, optimised, program, random_pipelines

MISPLACING = ("infer-address-spaces", "instcombine")
LEVELS = ("default<O1>", "default<O2>", "default<O3>")


def told(name: str, module: engine.KernelModule, case: str) -> str:
    emulated = emulation.Emulated(module.text(), program(name).kernel)
    try:
        return emulation.output_text(emulated.outputs(program(name).case(case)))
    finally:
        emulated.close()


def expected(name: str) -> dict[str, str]:
    return {one.name: one.expected_stdout.decode() for one in benchmark(name).workloads}


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_computes_what_its_reference_does(name: str) -> None:
    given = program(name)
    emulated = emulation.Emulated(given.ir, given.kernel)
    for which in ("odd", "even"):
        case = given.case(which)
        outputs = emulated.outputs(case)
        kinds = [np.int32 if one.is_integer else np.float32 for one in case.arguments if one.kind == "output"]
        values = [np.frombuffer(one, kind) for one, kind in zip(outputs, kinds, strict=True)]
        wanted = references.expected(given.kernel, case)
        assert references.difference(given.kernel, values, wanted) == ""
        worse = [one + 1 for one in values]
        assert "are wrong; the first is element 0" in references.difference(given.kernel, worse, wanted)


@pytest.mark.parametrize(
    ("name", "level"),
    [*itertools.product(NAMES[::2], LEVELS[-1:]), *slow(itertools.product(NAMES, LEVELS))],
)
def test_levels_change_no_bit(name: str, level: str) -> None:
    module = optimised(name, level)
    for case, wanted in expected(name).items():
        assert told(name, module, case) == wanted


@pytest.mark.parametrize(
    ("name", "number"),
    [*((name, 0) for name in NAMES[::4]), *slow([(name, number) for name in NAMES for number in (1, 2)])],
)
def test_random_passes_change_no_bit(name: str, number: int) -> None:
    module = optimised(name, *random_pipelines(name, number))
    assert module.problem() == ""
    for case, wanted in expected(name).items():
        assert told(name, module, case) == wanted


def planted(name: str, old: str, new: str, folder: Path, clang: Path) -> programs.KernelProgram:
    source = build_dataset.HERE / f"kernels/{name}.cu"
    text = source.read_text()
    assert old in text
    (folder / "cuda.h").write_text((source.parent / "cuda.h").read_text())
    (folder / f"{name}.cu").write_text(text.replace(old, new, 1))
    ir = build_dataset.front_end(folder / f"{name}.cu", clang)
    return programs.parse(build_dataset.program_text(name, ir).encode())


BUGS = {
    "a missing barrier": (
        "reduction",
        "  part[threadIdx.x] = sum;\n  __syncthreads();",
        "  part[threadIdx.x] = sum;",
        "depends on the order of threads",
    ),
    "a barrier missing in a loop": (
        "scan",
        "tree[place] += tree[place - step];\n    __syncthreads();",
        "tree[place] += tree[place - step];",
        "depends on the order of threads",
    ),
    "off by one": ("vector-add", "i < n;", "i <= n;", "a thread wrote behind the array"),
    "one before": ("stencil", "result[y * width + x]", "result[y * width + x - 1]", "a thread wrote before"),
    "behind a shared array": (
        "scan",
        "i < ELEMENTS; i += THREADS) tree",
        "i <= ELEMENTS; i += THREADS) tree",
        "a thread wrote outside the shared variable @_ZZ4scanE4tree",
    ),
    "behind shared bins": (
        "histogram",
        "i < BINS;",
        "i <= BINS;",
        "outside the shared variable @_ZZ9histogram",
    ),
    "a row behind a shared tile": (
        "transpose",
        "i < TILE; i += ROWS)\n    if (column < columns && blockIdx.y * TILE + i < rows)",
        "i <= TILE; i += ROWS)\n    if (column < columns)",
        "outside the shared variable @_ZZ9transpose",
    ),
    "a barrier for each half of a warp": (
        "reduction",
        "  part[threadIdx.x] = sum;\n  __syncthreads();",
        "  part[threadIdx.x] = sum;\n  if (threadIdx.x & 1) __syncthreads(); else __syncthreads();",
        "threads of one warp wait at different barriers",
    ),
    "an input is written": (
        "sparse-rows",
        "product[row] = sum;",
        "product[row] = sum; const_cast<float *>(values)[row] = sum;",
        "a thread changed an input",
    ),
}


@pytest.mark.parametrize("bug", BUGS)
@pytest.mark.parametrize("passes", [(), *slow([(("default<O2>",),)])], ids=["as given", "O2"])
def test_planted_bugs_are_caught(bug: str, passes: Sequence[str], tmp_path: Path, clang: Path) -> None:
    name, old, new, says = BUGS[bug]
    wrong = planted(name, old, new, tmp_path, clang)
    module = engine.KernelModule(wrong.ir)
    for one in passes:
        module.run(one)
    with pytest.raises(emulation.WrongAccess, match=says):
        emulation.Emulated(module.text(), wrong.kernel).outputs(wrong.case("odd"))


def test_a_constant_that_passes_read_as_local_memory_is_found() -> None:
    """A GPU ended this kernel with an illegal access, and a CPU computed the right thing."""
    module = optimised("softmax", *(PIPELINES[PASSES.names.index(name)] for name in MISPLACING))
    emulated = emulation.Emulated(module.text(), "softmax")
    wrong = r"@__const\S* is in global memory, and is used as if it were in local memory"
    with pytest.raises(emulation.WrongAccess, match=wrong):
        emulated.outputs(program("softmax").case("odd"))
    emulated.close()


@pytest.mark.parametrize(
    ("cast", "problem"),
    [
        ("ptr addrspace(3) @a to ptr addrspace(3)", ""),
        ("ptr @a to ptr addrspace(1)", ""),
        ("ptr @a to ptr addrspace(4)", "@a is in global memory, and is used as if it were in constant"),
        ("ptr @a.b to ptr addrspace(101)", "@a.b is in global memory, and is used as if it were in 101"),
        ("ptr getelementptr inbounds (i8, ptr @a, i64 4) to ptr addrspace(5)", "@a is in global memory"),
        ("ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @a, i64 4) to ptr addrspace(3)", ""),
        ("ptr addrspace(3) @a to ptr), float addrspacecast (ptr addrspace(3) @b to ptr addrspace(3)", ""),
        ("ptr addrspace(3) @a to ptr", ""),
        (
            "ptr addrspace(3) @a to ptr addrspace(1)",
            "@a is in shared memory, and is used as if it were in global",
        ),
        ('ptr @"a b" to ptr addrspace(3)', '@"a b" is in global memory, and is used as if it were in shared'),
    ],
)
def test_casts_that_no_gpu_can_follow(cast: str, problem: str) -> None:
    found = emulation.misplaced(f"  %1 = load float, ptr addrspace(0) addrspacecast ({cast}), align 4")
    assert found.startswith(problem)
    assert bool(found) == bool(problem)


def test_a_kernel_that_is_not_built_right_is_refused_by_the_builder(tmp_path: Path, clang: Path) -> None:
    wrong = planted("filter", "kept[i] * window", "kept[i] + window", tmp_path, clang)
    with pytest.raises(RuntimeError, match=r"filter, case odd: .* elements of output 0 are wrong"):
        list(build_dataset.workloads(wrong))


def test_shared_memory_of_another_block_is_not_found(tmp_path: Path, clang: Path) -> None:
    """Bins that are not cleared would be right in the first block by chance."""
    wrong = planted(
        "histogram", "bins[i] = 0;\n  __syncthreads();", "(void)i;\n  __syncthreads();", tmp_path, clang
    )
    outputs = emulation.Emulated(wrong.ir, wrong.kernel).outputs(wrong.case("even"))
    assert emulation.output_text(outputs) != expected("histogram")["even"]


@pytest.mark.parametrize(
    ("name", "given", "left"),
    [("stencil", "float sum = 0.0f;", "float sum;"), ("scan", "int step = ELEMENTS / 4;", "int step;")],
)
def test_a_local_variable_that_is_not_set_is_nothing_that_fits(
    name: str, given: str, left: str, tmp_path: Path, clang: Path
) -> None:
    wrong = planted(name, given, left, tmp_path, clang)
    outputs = emulation.Emulated(wrong.ir, wrong.kernel).outputs(wrong.case("odd"))
    assert emulation.output_text(outputs) != expected(name)["odd"]


@pytest.mark.parametrize("name", KERNELS)
def test_inputs_are_the_same_with_and_without_numpy(name: str) -> None:
    for case in ("odd", "even"):
        for argument in program(name).case(case).arguments:
            if argument.kind in {"f32", "i32", "offsets"}:
                assert programs.drawn(argument).tobytes() == references.draw_numpy(argument).tobytes()


def test_a_case_for_a_gpu_is_too_large_for_a_cpu() -> None:
    given = program("softmax")
    with pytest.raises(ValueError, match="2097152 threads; at most 1048576"):
        emulation.Emulated(given.ir, given.kernel).outputs(given.case(programs.TIMED))


def test_arrays_that_a_cpu_would_draw_for_minutes_are_refused() -> None:
    given = program("vector-add")
    small, large = given.case("odd"), given.case(programs.TIMED)
    with pytest.raises(ValueError, match="100663296 elements; at most 1048576"):
        emulation.Emulated(given.ir, given.kernel).outputs(replace(small, arguments=large.arguments))


def test_an_unknown_pass_is_named_and_the_module_is_unchanged() -> None:
    module = optimised("vector-add")
    before = module.text()
    with pytest.raises(InvalidInput, match="unknown module pass 'nonsense'"):
        module.run("function(sroa),nonsense")
    assert module.text() == before


def test_passes_ask_for_the_costs_of_nvptx() -> None:
    """Generic costs let LLVM vectorise loops for CPUs; NVPTX has no vector registers."""
    text = optimised("filter", "default<O3>").text()
    assert "<4 x float>" not in text
    assert "<8 x float>" not in text


@pytest.mark.parametrize("name", NAMES)
def test_the_same_passes_give_the_same_ptx(name: str) -> None:
    first, second = (optimised(name, "default<O2>") for _ in range(2))
    assert first.text() == second.text()
    assert first.ptx() == second.ptx()
    assert f".entry {program(name).kernel}(" in first.ptx()


def test_making_ptx_changes_nothing() -> None:
    module = optimised("softmax", "default<O1>")
    before = module.text()
    module.ptx()
    assert module.text() == before


@pytest.mark.parametrize("text", ["", "define nothing", "define void @f() { ret i32 1 }"])
def test_text_that_is_not_ir_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="not valid LLVM IR"):
        engine.KernelModule(text or "%")


def test_an_llvmlite_without_symbols_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stripped = next(Path(sys.prefix).rglob("_multiarray_umath*.so"))
    shutil.copy(stripped, tmp_path / "libllvmlite.so")
    monkeypatch.setattr(engine, "ffi", SimpleNamespace(__file__=str(tmp_path / "ffi.py")))
    with pytest.raises(PlatformNotSupported, match="Install the wheel of llvmlite"):
        engine.Kernels()


@pytest.mark.parametrize(
    ("place", "name", "value", "says"),
    [
        ("llvmlite.binding", "llvm_version_info", (22, 1, 1), "with LLVM 22.1.1, and not LLVM 22.1.0"),
        ("llvmlite", "__version__", "0.51.0", "llvmlite is 0.51.0 with"),
    ],
)
def test_another_version_is_named(
    place: str, name: str, value: object, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{place}.{name}", value)
    with pytest.raises(PlatformNotSupported, match=says):
        engine.Kernels()


GOOD = benchmark("vector-add").program().decode()


def changed(**fields: Any) -> bytes:
    header, _, ir = GOOD.partition("\n")
    described = json.loads(header.removeprefix(programs.PREFIX))
    described["cases"]["odd"].update(fields)
    return f"{programs.PREFIX}{json.dumps(described)}\n{ir}".encode()


def with_arguments(**others: dict[str, Any]) -> bytes:
    header = GOOD.partition("\n")[0]
    given = json.loads(header.removeprefix(programs.PREFIX))["cases"]["odd"]["arguments"]
    named = dict(zip(("a", "b", "sum", "n"), given, strict=True))
    return changed(arguments=list({**named, **others}.values()))


def with_ir(old: str, new: str) -> bytes:
    assert old in GOOD
    return GOOD.replace(old, new, 1).encode()


@pytest.mark.parametrize("name", NAMES)
def test_every_kernel_of_the_dataset_has_three_cases(name: str) -> None:
    cases = program(name).cases
    assert list(cases) == ["odd", "even", programs.TIMED]
    for case in cases.values():
        assert case.moved_bytes > 0
        assert sum(one.kind == "output" for one in case.arguments) == 1
    assert cases[programs.TIMED].moved_bytes > 50 * cases["odd"].moved_bytes


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff", "not text"),
        (b"define void @f()", "does not begin with '; optarena-kernel:'"),
        (b"; optarena-kernel: {\n", "not JSON"),
        (b"; optarena-kernel: []\n", "'kernel'"),
        (GOOD.replace("nvptx64-nvidia-cuda", "x86_64-unknown-linux-gnu").encode(), "not made for nvptx64"),
        (GOOD.replace("@vector_add(", "@other(").encode(), "does not define the kernel vector_add"),
        (changed(grid=[1]), "grid"),
        (changed(grid=[0, 1]), "grid"),
        (changed(grid=[2**31, 1]), "at most 2147483647 and 65535"),
        (changed(grid=[1, 2**16]), "at most 2147483647 and 65535"),
        (changed(block=[64, 32]), "2048 threads in a block; at most 1024"),
        (changed(arguments=[{"kind": "f64"}]), "f64"),
        (changed(arguments=[{"kind": "f32", "count": 0}]), "empty array"),
        (changed(arguments=[{"kind": "f32", "count": 2**29}]), "more than 268435456 elements"),
        (changed(arguments=[{"kind": "i32", "count": 4}]), "without a bound"),
        (changed(arguments=[{"kind": "int", "value": 2**31}]), "not an int"),
        (changed(flops="many"), "'flops'"),
        (changed(bytes=-1), "'bytes' is -1, not between 0"),
        (changed(bytes=2**70), "'bytes'"),
        (changed(bytes=64 * 3 * 4 * 1021 + 1), "'bytes' is 784129, not between 0 and 784128"),
        (changed(flops=10**14 + 1), "'flops' is 100000000000001, not between 0 and 100000000000000"),
        (f'{programs.PREFIX}{{"kernel": "vector_add", "cases": {{}}}}\n'.encode(), "has no case"),
        (changed(arguments=[]), "the kernel takes ptr, ptr, ptr, i32"),
        (with_arguments(more={"kind": "int", "value": 1}), "gives ptr, ptr, ptr, i32, i32, and the kernel"),
        (with_arguments(a={"kind": "int", "value": 1}), "gives i32, ptr, ptr, i32, and the kernel"),
        (with_arguments(a={"kind": "f32", "count": 4, "seed": 2**31}), "a seed that is not below"),
        (with_arguments(a={"kind": "offsets", "count": 2**20, "below": 2**12}), "offsets that may not be an"),
        (with_ir("ptx_kernel ", ""), "does not define the kernel vector_add"),
        (with_ir("i32 noundef", "i64 noundef"), "not only ptr and i32"),
        (with_ir("(ptr noalias", "(ptr byval([4 x i32])"), "not only ptr and i32"),
    ],
    ids=str,
)
def test_a_bad_description_is_refused_and_says_where(data: bytes, says: str) -> None:
    with pytest.raises(InvalidInput, match=says) as caught:
        programs.parse(data)
    assert caught.value.remedy


def test_an_intrinsic_that_cannot_be_checked_is_named() -> None:
    more = "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n"
    with pytest.raises(
        InvalidInput, match=r"llvm\.nvvm\.shfl\.sync\.bfly\.i32, which cannot be checked"
    ) as caught:
        programs.parse((GOOD + more).encode())
    assert "__syncthreads" in caught.value.remedy


@pytest.mark.parametrize("name", ["sin", "exp", "pow"])
def test_a_function_that_no_code_generator_for_gpus_has_is_named(name: str) -> None:
    more = f"declare float @llvm.{name}.f32(float)\n"
    with pytest.raises(InvalidInput, match=rf"llvm\.{name}\.f32, which cannot be checked"):
        programs.parse((GOOD + more).encode())


def test_plain_intrinsics_are_taken() -> None:
    more = (
        "declare i32 @llvm.ctpop.i32(i32)\n"
        "declare {i32, i1} @llvm.sadd.with.overflow.i32(i32, i32)\n"
        "declare i32 @llvm.ucmp.i32.i64(i64, i64)\n"
        "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n"
        "declare <2 x float> @llvm.fma.v2f32(<2 x float>, <2 x float>, <2 x float>)\n"
    )
    assert programs.parse((GOOD + more).encode()).kernel == "vector_add"


@pytest.mark.parametrize(
    ("more", "value"),
    [
        ("declare void @exit(i32)", "exit"),
        ('define void @f() {\n  call void asm sideeffect "bar.sync 0;", ""()\n  ret void\n}', "asm"),
        ("@sized = external addrspace(3) global [0 x float], align 4", "@sized"),
        ("@full = internal addrspace(3) global [1 x float] [float 1.0], align 4", "@full"),
    ],
)
def test_what_a_cpu_would_not_execute_as_a_gpu_does_is_named(more: str, value: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be checked on a CPU") as caught:
        programs.parse(f"{GOOD}{more}\n".encode())
    assert caught.value.value == value


def test_attributes_of_parameters_are_not_parameters() -> None:
    ir = "define ptx_kernel void @k(ptr initializes((0, 4), (8, 12)) %0, i32 range(i32 0, 5) %1) #0 {\n"
    assert programs.parameters(ir, "k") == ["ptr", "i32"]


def test_deeply_nested_attributes_are_read_in_linear_time() -> None:
    depth = 200_000
    ir = f"define ptx_kernel void @k(ptr a{'(' * depth}{')' * depth} %0, i32 %1) #0 {{\n"
    began = time.process_time()
    assert programs.parameters(ir, "k") == ["ptr", "i32"]
    assert time.process_time() - began < 5
    with pytest.raises(InvalidInput, match="not only ptr and i32"):
        programs.parameters(f"define ptx_kernel void @k({'(' * depth} %0) {{\n", "k")


def test_an_unknown_case_is_named() -> None:
    with pytest.raises(UnknownName, match="no case 'larger'"):
        program("vector-add").case("larger")


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


@pytest.mark.parametrize(
    ("name", "number", "level"),
    [  # at the lowest level, the machine code of softmax calls a function to divide
        *((NAMES[0], 1, 3), (NAMES[-1], 1, 3), ("softmax", 0, 0)),
        *slow([(name, one, 3 * one) for name in NAMES for one in (0, 1)]),
    ],
)
def test_classes_are_what_nvdisasm_prints(name: str, number: int, level: int) -> None:
    code = assembled(name, *random_pipelines(name, number), level=level).cubin
    printed = Counter(INSTRUCTION.findall(ptxas.disassemble(code)))
    found = features.classes(code)
    for kind, mnemonics in CLASSES.items():
        assert found[kind] == sum(printed[one] for one in mnemonics), kind
    assert found[features.OTHER] <= printed["NOP"]  # padding between instructions; nothing is unknown
    assert sum(found.values()) >= sum(printed.values()) - printed["NOP"]


def test_spills_are_counted() -> None:
    """At most 64 registers are left to a thread of this kernel, which computes with 72 numbers at once."""
    spilled = assembled("small-inverses", "default<O3>")
    assert spilled.registers <= 64
    assert spilled.stack_bytes > 0
    assert spilled.spill_bytes > spilled.stack_bytes
    assert assembled("small-inverses").spill_bytes == 0


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
    monkeypatch.setattr(pinned, "DISTRIBUTION", "optarena-nowhere")
    monkeypatch.setattr(ptxas, "DISASSEMBLER", "optarena-nowhere")
    for cached in (ptxas._found, ptxas._disassembler):
        cached.cache_clear()
    try:
        assert KernelSession.tools() is None
        with pytest.raises(ToolMissing, match=r"optarena-nowhere is not installed.*optarena\[gpu-compile\]"):
            ptxas.assemble("", "k", 3)
        with pytest.raises(ToolMissing, match=r"optarena-nowhere, which is missing.*optarena\[gpu-compile\]"):
            ptxas.disassemble(b"")
    finally:
        for cached in (ptxas._found, ptxas._disassembler):
            cached.cache_clear()


def test_another_version_of_the_assembler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinned, "CUDA", "12.0.0")
    ptxas._found.cache_clear()
    try:
        with pytest.raises(ToolMissing, match=r"13\.0\.88 is installed, and results need 12\.0\.0"):
            ptxas.assemble("", "k", 3)
    finally:
        ptxas._found.cache_clear()


def test_nvcc_beside_a_compiler_of_another_version_is_refused() -> None:
    with pytest.raises(ToolMissing, match=r"pytest [\d.]+ is installed, and results need 13\.0\.88"):
        ptxas.pinned_program("nvcc", "pytest")

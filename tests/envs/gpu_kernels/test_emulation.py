"""Kernels on the CPU: they compute what their references do after any passes, and planted bugs are caught."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from optarena.gpu_kernels import build_dataset, emulation, engine, programs, references
from optarena.gpu_kernels.actions import PASSES, PIPELINES
from optarena.gpu_kernels.build_dataset import KERNELS
from tests.kit.gpu_kernels import NAMES, benchmark, optimised, program, random_pipelines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

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


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_levels_change_no_bit(name: str, level: str) -> None:
    module = optimised(name, level)
    for case, wanted in expected(name).items():
        assert told(name, module, case) == wanted


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(3))
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
@pytest.mark.parametrize("passes", [(), ("default<O2>",)], ids=["as given", "O2"])
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

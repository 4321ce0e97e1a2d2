"""Programs of kernels: the description of their launches, and what is refused."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from optarena.errors import InvalidInput, UnknownName
from optarena.gpu_kernels import programs
from tests.kit.gpu_kernels import NAMES, benchmark, program

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

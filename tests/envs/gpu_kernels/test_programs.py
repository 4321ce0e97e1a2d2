"""Programs of kernels: the description of their launches, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from optarena.errors import InvalidInput, UnknownName
from optarena.gpu_kernels import programs
from tests.kit.gpu_kernels import NAMES, benchmark, program

GOOD = benchmark("vector-add").program().decode()


def changed(**fields: Any) -> bytes:
    """The program with other fields in the description of its first case."""
    header, _, ir = GOOD.partition("\n")
    described = json.loads(header.removeprefix(programs.PREFIX))
    described["cases"]["odd"].update(fields)
    return f"{programs.PREFIX}{json.dumps(described)}\n{ir}".encode()


@pytest.mark.parametrize("name", NAMES)
def test_every_kernel_of_the_dataset_has_three_cases(name: str) -> None:
    cases = program(name).cases
    assert list(cases) == ["odd", "even", programs.TIMED]
    for case in cases.values():
        assert case.moved_bytes > 0
        assert sum(one.kind == "output" for one in case.arguments) == 1
    assert cases[programs.TIMED].moved_bytes > 50 * cases["odd"].moved_bytes


def test_there_are_at_least_ten_kernels() -> None:
    assert len(NAMES) >= 10


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
        (changed(block=[64, 32]), "2048 threads in a block; at most 1024"),
        (changed(arguments=[{"kind": "f64"}]), "f64"),
        (changed(arguments=[{"kind": "f32", "count": 0}]), "empty array"),
        (changed(arguments=[{"kind": "f32", "count": 2**29}]), "more than 268435456 elements"),
        (changed(arguments=[{"kind": "i32", "count": 4}]), "without a bound"),
        (changed(arguments=[{"kind": "int", "value": 2**31}]), "not an int"),
        (changed(flops="many"), "'flops'"),
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


def test_an_unknown_case_is_named() -> None:
    with pytest.raises(UnknownName, match="no case 'larger'"):
        program("vector-add").case("larger")

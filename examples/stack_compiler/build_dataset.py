"""Builds the dataset stack-v0: arithmetic expressions, compiled as naively as possible.

Run as ``python -m stack_compiler.build_dataset [FOLDER]``; the same expressions give the same bytes.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from optarena.datasets import DatasetProgram, Workload, write_manifest
from stack_compiler.session import StackSession, execute, parse, rewrite

FOLDER = Path(__file__).parent / "datasets/stack-v0"
O1 = ("fold-constants", "remove-identities", "cancel", "remove-dead", "strength-reduce")
VALUES = {
    "small": (3, -2, 5, 7),
    "negative": (-9, -1, -120, -33),
    "wrapping": (2**62 + 1, -(2**63), 2**61 - 1, 12345),
}
"""The workloads: the values of a program's names, in alphabetical order."""
PROGRAMS = {
    "horner": ("A polynomial by Horner's rule", "polynomials", "((0*x + 2)*x + 0)*x - -1"),
    "powers": ("A polynomial, power by power", "polynomials", "2*x*x*x*1 + -1*x*x + 0*x + 7*3 - 1"),
    "shifts": ("Sums with negative terms", "sums", "x + -3 + 5 + -2 + 4; y + -1 + 9"),
    "offsets": ("Differences of negative terms", "sums", "x - -3 + 5 - -2 + 4; y - -1 + 9"),
    "dot": ("A product of vectors, one of them known", "vectors", "1*w + 0*x + -1*y + 2*z"),
    "address": (
        "The address of an element of an array",
        "addressing",
        "base + i*2*4*1 + 3*8 + 16; 4 + j + 12",
    ),
    "scales": ("Products with many known factors", "products", "x*2*3*1*5; 4*x*2*-1*1"),
    "unused": ("Results that nobody needs", "dead-code", "_ = x*y + 2*z; _ = -(x - -y); x*0 + y*1"),
    "lerp": ("Linear interpolation", "geometry", "(1 - 0)*a + (b - a)*2*4 - -(c*0)"),
    "checksum": ("A checksum of four numbers", "sums", "((a*31 + b)*31*1 + c)*(32 - 1) + d + 17 + -(9 + 8)"),
}
"""Name: title, domain, and source: every expression is printed, and values assigned to ``_`` are dropped."""


def compiled(source: str) -> str:
    """The program of some expressions, compiled naively."""
    return "".join(f"{instruction}\n" for node in ast.parse(source).body for instruction in _statement(node))


def _statement(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Expr(value=value):
            yield from (*_expression(value), "print")
        case ast.Assign(value=value):
            yield from (*_expression(value), "drop")
        case _:
            raise ValueError(f"{ast.unparse(node)} has no form in the stack language")


def _expression(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=int(value)):
            yield f"push {value}"
        case ast.Name(id=name):
            yield f"load {name}"
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield from _expression(operand)
            yield "neg"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as op, right=right):
            yield from _expression(left)
            yield from _expression(right)
            yield {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}[type(op)]
        case _:
            raise ValueError(f"{ast.unparse(node)} has no form in the stack language")


def optimised(code: str) -> str:
    """The program after the fixed pipeline that the board compares with."""
    for name in O1:
        code = rewrite(code, name)
    return code


def described(name: str, code: str) -> DatasetProgram:
    title, domain, source = PROGRAMS[name]
    return DatasetProgram(
        file=f"{name}.stack",
        title=title,
        description=f"{title}: {source}",
        domain=domain,
        language="arithmetic",
        baselines={"instructions": {"O0": code.count("\n"), "O1": optimised(code).count("\n")}},
        workloads=tuple(_workload(name, code, values) for name, values in VALUES.items()),
    )


def _workload(name: str, code: str, values: tuple[int, ...]) -> Workload:
    names = sorted(set(re.findall("^load (.+)$", code, re.MULTILINE)))
    arguments = dict(zip(names, values, strict=False))
    _, printed = execute(code, arguments)
    return Workload(
        name=name,
        args=tuple(f"{name}={value}" for name, value in arguments.items()),
        expected_stdout="".join(f"{value}\n" for value in printed).encode(),
    )


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    programs = []
    for name, (_, _, source) in PROGRAMS.items():
        code = parse(compiled(source))
        (folder / f"{name}.stack").write_text(f"# {source}\n{code}", encoding="utf-8")
        programs.append(described(name, code))
    write_manifest(
        folder,
        title="Stack programs",
        description="Small programs for a stack machine, as a compiler without a single thought makes them.",
        licence="MIT",
        programs=programs,
        toolchain={"compiler": StackSession.compiler_version},
    )


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)

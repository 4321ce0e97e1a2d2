"""The stack language and its rewrites, as functions: what they keep, and what they make of a program."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stack_compiler.session import INSTRUCTIONS, MAX_INSTRUCTIONS, REWRITES, execute, parse, rewrite

FOLDER = Path(__file__).parents[2] / "examples/stack_compiler"
NUMBERS = st.one_of(st.sampled_from([0, 1, -1, 2, 3]), st.integers(min_value=-(2**63), max_value=2**63 - 1))
ARGUMENTS = st.fixed_dictionaries({"x": NUMBERS, "y": NUMBERS})


def lines(text: str) -> str:
    return "".join(f"{line.strip()}\n" for line in text.split(";") if line.strip())


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Well-formed programs in which the rewrites' patterns are not rare."""
    code, depth = [], 0
    for _ in range(draw(st.integers(0, 30))):
        allowed = [name for name, (taken, _, _) in INSTRUCTIONS.items() if taken <= depth]
        name = draw(st.sampled_from([*allowed, *(["push", "push", "load"] if depth < 2 else [])]))
        taken, given_, _ = INSTRUCTIONS[name]
        depth += given_ - taken
        if name == "push":
            name += f" {draw(NUMBERS)}"
        elif name == "load":
            name += f" {draw(st.sampled_from('xy'))}"
        code.append(f"{name}\n")
    return "".join(code)


@given(programs(), st.lists(st.sampled_from(list(REWRITES)), max_size=12), ARGUMENTS)
def test_rewrites_keep_what_a_program_prints_and_leaves(
    code: str, names: list[str], arguments: dict[str, int]
) -> None:
    expected = execute(code, arguments)
    for name in names:
        before, code = code, rewrite(code, name)
        assert code.count("\n") <= before.count("\n"), name
        assert parse(code) == code, name
        assert execute(code, arguments) == expected, name


@given(programs(), st.data())
def test_the_canonical_text_is_read_back_from_any_layout(code: str, data: st.DataObject) -> None:
    assert parse(code) == code
    layouts = ["{}\n", "  {}  \n", "{} # a comment; push 1\n", "\n# nothing\n{}\r\n", "\t{}\n\n"]
    written = "".join(data.draw(st.sampled_from(layouts)).format(line) for line in code.splitlines())
    assert parse(written.replace(" ", "  ")) == code


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("fold-constants", "push 3; push 4; sub", "push -1"),
        ("fold-constants", "push 5; neg", "push -5"),
        ("fold-constants", "push 9223372036854775807; push 1; add", "push -9223372036854775808"),
        ("fold-constants", "push -9223372036854775808; neg", "push -9223372036854775808"),
        ("fold-constants", "push 1; push 2; push 3; add; add", "push 1; push 5; add"),
        ("fold-constants", "push 1; push 2; add; push 3; add", "push 3; push 3; add"),
        ("remove-identities", "load x; push 0; add; push 0; sub; push 1; mul", "load x"),
        ("remove-identities", "load x; push 1; add; push 10; add", "load x; push 1; add; push 10; add"),
        ("strength-reduce", "load x; push 2; mul; push -1; mul", "load x; dup; add; neg"),
        ("annihilate", "load x; push 0; mul", "load x; drop; push 0"),
        ("cancel", "load x; neg; neg; neg", "load x; neg"),
        ("cancel", "load x; load y; neg; add; load x; neg; sub", "load x; load y; sub; load x; add"),
        ("cancel", "load x; load y; swap; swap", "load x; load y"),
        ("remove-dead", "load x; dup; add; drop", "load x; dup; drop; drop"),
        ("remove-dead", "load x; dup; drop; drop", "load x; drop"),
        ("remove-dead", "load x; neg; drop; push 3; drop", "load x; drop"),
        ("commute", "push 2; load x; mul", "load x; push 2; mul"),
        ("commute", "push 2; load x; sub", "push 2; load x; sub"),
        ("commute", "load x; load y; swap; add", "load x; load y; add"),
        ("reassociate", "load x; push 1; add; push 2; add", "load x; push 1; push 2; add; add"),
        ("reassociate", "load x; push 3; mul; push 2; add", "load x; push 3; mul; push 2; add"),
        ("reuse-loads", "load x; load x; mul; push 7; push 7", "load x; dup; mul; push 7; dup"),
        ("reuse-loads", "load x; load xy; mul", "load x; load xy; mul"),
        ("reuse-loads", "push 7; push 77", "push 7; push 77"),
    ],
)
def test_one_sweep(name: str, before: str, after: str) -> None:
    assert rewrite(lines(before), name) == lines(after)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("push 1\nadd", "line 2: add takes 2 values, but the stack holds 1"),
        ("# a comment\n\nprint", "line 3: print takes 1 values, but the stack holds 0"),
        ("push 1\nhalt", "line 2: 'halt' is not one of push, load"),
        ("push", "line 1: 'push' is not one of"),
        ("push 1 2", "line 1: 'push 1 2' is not one of"),
        ("push 1_0", "line 1: 'push 1_0' is not one of"),
        ("load X", "line 1: 'load X' is not one of"),
        ("push 9223372036854775808", "line 1: 9223372036854775808 does not fit 64 bits"),
        ("push 1\n" * (MAX_INSTRUCTIONS + 1), f"line {MAX_INSTRUCTIONS + 1}: a program has at most"),
    ],
)
def test_a_malformed_program_is_refused_with_its_line(source: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(source)


def test_the_largest_program_is_rewritten() -> None:
    code = parse("push 1\n" + "push 1\nadd\n" * ((MAX_INSTRUCTIONS - 1) // 2))
    assert rewrite(code, "fold-constants").count("\n") == code.count("\n") - 2


def test_the_whole_compiler_has_less_than_200_lines() -> None:
    files = ("session.py", "environment.py", "__init__.py")
    assert sum(len(code_lines((FOLDER / name).read_text())) for name in files) < 200


def code_lines(source: str) -> set[int]:
    """The lines of a module that are neither blank nor comment nor docstring."""
    texts = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    written = enumerate(source.splitlines(), start=1)
    return {number for number, line in written if line.strip() and not line.lstrip().startswith("#")} - texts

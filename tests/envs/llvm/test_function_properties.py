"""Tests of the table of functions' properties."""

from __future__ import annotations

import re
import subprocess

import numpy as np

from optarena.llvm import features
from optarena.llvm.feature_names import PROPERTY_NAMES
from optarena.llvm.module import Module
from optarena.service.converters import event_to_member, space_to_gymnasium
from tests.kit.llvm import programs
from tests.kit.llvm.observing import member, space_of, view
from tests.kit.llvm.properties_reference import reference

LOOPS = b"""target triple = "x86_64-unknown-linux-gnu"
define void @loops(i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %inner, label %latch
latch:
  br i1 %c, label %inner, label %next
next:
  br i1 %c, label %outer, label %other
other:
  br i1 %c, label %other, label %left
left:
  br i1 %c, label %right, label %exit
right:
  br i1 %c, label %left, label %exit
exit:
  ret void
dead:
  br label %dead
}
define internal void @jumps_into_a_cycle(i1 %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br label %a
}
"""


def test_the_table_equals_the_reference_before_and_after_passes() -> None:
    for name, module in programs.states():
        assert features.function_properties(module) == reference(module), name


def test_the_table_equals_what_llvm_itself_finds(opt: str) -> None:
    kernels = sorted(programs.KERNELS.glob("*.bc"))[:3]
    for program in (programs.OPCODES, programs.random_program(), *(path.read_bytes() for path in kernels)):
        command = [
            *(opt, "-passes=print<func-properties>", "-enable-detailed-function-properties"),
            "-disable-output",
        ]
        done = subprocess.run(command, input=program, check=True, capture_output=True)
        rows = re.split(r"Printing analysis results of CFA for function '(.*)':", done.stderr.decode())[1:]
        found = [dict(re.findall(r"(\w+): (-?\d+)", text)) for text in rows[1::2]]
        with Module.parse(program) as module:
            names, columns = features.function_properties(module)
        assert names == rows[::2]
        for name in PROPERTY_NAMES:
            assert columns[name] == [int(row[name]) for row in found], name


def test_loops_by_hand() -> None:
    with Module.parse(LOOPS) as module:
        assert module.verify() is None
        names, columns = features.function_properties(module)
    assert names == ["loops", "jumps_into_a_cycle"]
    assert columns["TopLevelLoopCount"] == [3, 0]  # a cycle with two entries is no natural loop
    assert columns["MaxLoopDepth"] == [2, 0]  # the two back edges to one header are one loop
    assert columns["BasicBlockCount"] == [9, 3]  # not the one that is never reached
    assert columns["Uses"] == [1, 0]


def test_the_observation_is_a_dict_of_columns() -> None:
    table = view("FunctionProperties", LOOPS)
    assert set(table) == {"function", *PROPERTY_NAMES}
    assert table["function"] == ["loops", "jumps_into_a_cycle"]
    matrix = np.stack([table[name] for name in PROPERTY_NAMES], axis=1)
    assert matrix.shape == (2, 25)
    assert matrix.dtype == np.int64


def test_the_observation_is_a_member_of_its_space() -> None:
    message = space_of("FunctionProperties")
    space = space_to_gymnasium(message.space)
    assert message.deterministic
    assert event_to_member(message.default_observation, message.space) in space
    for program in (LOOPS, programs.EMPTY):
        assert member("FunctionProperties", program) in space
    assert "loops" not in space


def test_names_that_are_not_ascii_are_escaped() -> None:
    program = programs.EMPTY + b'define void @"f\\C3\\BCr"() { ret void }'
    value = member("FunctionProperties", program)
    assert value["function"] == ("f\\xc3\\xbcr",)
    assert value in space_to_gymnasium(space_of("FunctionProperties").space)

"""Names, attributes and messages are bytes in LLVM: those that are no UTF-8 do no harm, and are shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest

from optarena.datasets import Benchmark
from optarena.errors import InvalidInput
from optarena.llvm.action_sets import defined_function
from optarena.llvm.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.env import CompilerEnv

HEADER = 'target triple = "x86_64-unknown-linux-gnu"\n'
PROGRAM = f"""{HEADER}
define i32 @"\\FFx"(i32 %"\\FEy") noinline "k\\80"="v\\81" {{
start:
  br label %"\\FDloop"
"\\FDloop":
  %n = phi i32 [ 0, %start ], [ %next, %"\\FDloop" ]
  %next = add i32 %n, 1
  %more = icmp slt i32 %next, %"\\FEy"
  br i1 %more, label %"\\FDloop", label %end
end:
  ret i32 %next
}}
define i32 @main() {{
  %result = call i32 @"\\FFx"(i32 3)
  %status = sub i32 %result, 3
  ret i32 %status
}}
""".encode()
BENCHMARK = Benchmark.from_bytes("benchmark://tests-v0/bytes", PROGRAM)
NAME = "\\xffx"


@pytest.fixture(scope="module", params=["optarena/llvm-ic-v0", "optarena/llvm-loops-v0"])
def env(request: pytest.FixtureRequest) -> Iterator[CompilerEnv]:
    with cast("CompilerEnv", gymnasium.make(request.param, benchmark=BENCHMARK).unwrapped) as made:
        made.reset()
        yield made


def texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for part in value.values() for text in texts(part)]
    parts = value.tolist() if isinstance(value, np.ndarray) else value
    return [text for part in parts for text in texts(part)] if isinstance(parts, (list, tuple)) else []


def test_every_text_that_is_observed_can_be_written_down(env: CompilerEnv) -> None:
    seen = {
        name: texts(env.observation[name]) for name in env.observation if env.observations[name].deterministic
    }
    for name, found in seen.items():
        for text in found:
            assert text.encode().decode() == text, name
    named = {name for name, found in seen.items() if any(NAME in text for text in found)}
    assert {"LoopNames", "CallSiteNames", "FunctionProperties", "ProgramGraph"} <= named
    assert '@"\\FFx"' in env.observation["Ir"]
    assert json.loads(env.observation["Functions"]) == [NAME, "main"]


def test_an_episode_on_names_of_bytes_is_valid(env: CompilerEnv) -> None:
    env.reset()
    env.action_space.seed(0)
    env.step(env.action_space.sample())
    assert env.validate().ok


def test_the_text_stands_for_the_same_program() -> None:
    with Module.parse(PROGRAM) as module, Module.parse(module.text().encode()) as again:
        assert '"k\\80"="v\\81"' in module.text()
        assert again.digest() == module.digest()
        with Module.parse(module.canonical_text().encode()) as canonical:
            assert canonical.digest() == module.digest()


def test_bytes_that_are_no_utf8_tell_programs_apart() -> None:
    digests = set()
    for byte in (b"80", b"81"):
        with Module.parse(PROGRAM.replace(b"k\\80", b"k\\" + byte)) as module:
            digests.add(module.digest())
    assert len(digests) == 2


def test_the_digest_of_a_program_in_utf8_is_what_it_always_was() -> None:
    with Module.parse(f'{HEADER}define void @"é"() "ü"="k" {{\n  ret void\n}}\n'.encode()) as module:
        assert module.digest() == "a2957d1691d46f254bb9fcc7057a9fa3329db342"


def test_what_llvm_says_of_garbage_is_printable_and_short() -> None:
    with pytest.raises(InvalidInput, match="expected top-level entity") as caught:
        Module.parse(b"\x01\x1b[31m\x7f\x80 garbage\r" * 500)
    message = str(caught.value)
    assert all(character.isprintable() or character == "\n" for character in message)
    assert "\\x1b[31m" in message
    assert len(message) < 700


@pytest.mark.parametrize("layout", ["E-p:32:32", "e-p:16:16"])
def test_a_data_layout_that_is_not_the_machines_is_refused(layout: str) -> None:
    with pytest.raises(InvalidInput, match="data layout") as caught:
        Module.parse(f'target datalayout = "{layout}"\n'.encode() + PROGRAM)
    assert layout in caught.value.message
    assert "Leave the line" in caught.value.remedy


def test_the_machines_own_data_layout_may_be_given() -> None:
    with Module.parse(PROGRAM) as module:
        text = module.text()
        assert "target datalayout" in text
        with Module.parse(text.encode()) as again:
            assert again.text() == text


def test_a_name_with_a_nul_is_not_taken_for_the_one_before_it() -> None:
    text = "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n"
    with Module.parse((HEADER + text.replace("@f", "@fXg") + text).encode()) as module:
        data = module.bitcode().replace(b"fXg", b"f\0g")
    with Module.parse(data) as module:
        assert module.function_names() == ["f\0g", "f"]
        assert defined_function(module, "f\0g") != defined_function(module, "f")

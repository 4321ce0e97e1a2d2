"""The engine, also on names that are no UTF-8."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest

from optarena.datasets import Benchmark
from optarena.errors import InvalidInput
from optarena.llvm import pinned
from optarena.llvm.action_sets import defined_function
from optarena.llvm.module import LEVELS, Module, baseline, optimised, prepare
from optarena.machine_code.elf import executable_bytes

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

HEADER = b'target triple = "x86_64-unknown-linux-gnu"\n'
ADD = HEADER + b"define i32 @f(i32 %first) {\nstart:\n  %sum = add i32 %first, 1\n  ret i32 %sum\n}\n"
BREAK = "trigger-verifier-error"


def test_bitcode_and_text_are_both_read(mixed: bytes) -> None:
    with Module.parse(mixed) as from_bitcode, Module.parse(from_bitcode.text().encode()) as from_text:
        assert from_bitcode.instruction_count() == from_text.instruction_count() > 100
        assert from_bitcode.digest() == from_text.digest()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"BC\xc0\xde",
        b"BC\xc0\xde" + bytes(64),
        b"define",
        b"int main() {}",
        HEADER + b"\xff\xfe",
    ],
)
def test_what_is_not_a_program_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput):
        Module.parse(data)


def test_extension_modules_that_are_imported_later_keep_their_own_unwinder() -> None:
    # That of libLLVM cannot end what another one began: exceptions of C++ would end the process.
    code = (
        "import ctypes\n"
        "from optarena.llvm.module import compile_helpers\n"
        "compile_helpers()\n"
        "find = ctypes.CDLL(None).dlsym\n"
        "find.restype, find.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]\n"
        "print([name for name in (b'LLVMContextCreate', b'unw_step') if find(None, name)])\n"
        "from matplotlib import ft2font\n"
        "print(hasattr(ft2font, 'absent'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["[]", "False"], done.stderr


def test_every_cut_of_a_program_is_refused_or_read_without_harm(mixed: bytes) -> None:
    for length in range(0, len(mixed), 997):
        with pytest.raises(InvalidInput):
            Module.parse(mixed[:length])


def test_the_error_of_a_text_names_the_line() -> None:
    with pytest.raises(InvalidInput, match=r"program:3:.*expected"):
        Module.parse(HEADER + b"define i32 @f() {\n  what\n}\n")


@pytest.mark.parametrize(
    "triple",
    [
        "aarch64-unknown-linux-gnu",
        "x86_64-apple-darwin",
        "",
        "i386-pc-linux-gnu",
        "x86_64-unknown-linux-gnux32",
        "x86_64-unknown-linux-macho",
        "x86_64-unknown-linux-coff",
    ],
)
def test_programs_for_other_machines_are_refused(triple: str) -> None:
    with pytest.raises(InvalidInput, match="made for" if triple else "names no target"):
        Module.parse(f'target triple = "{triple}"\n'.encode())


def test_a_missing_data_layout_is_filled_in_as_opt_does() -> None:
    load = b"define i128 @f(ptr %p) {\n  %x = load i128, ptr %p\n  ret i128 %x\n}\n"
    with Module.parse(b'target triple = "%s"\n' % pinned.TRIPLE.encode() + load) as module:
        assert 'target datalayout = "e-m:e-' in module.text()
        assert "load i128, ptr %p, align 16" in module.text()  # 4 without a layout


def test_an_unknown_pass_is_named_and_changes_nothing(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        before = module.bitcode()
        with pytest.raises(InvalidInput, match="nosuchpass"):
            module.run("function(mem2reg,nosuchpass)")
        assert module.bitcode() == before


def test_the_verifier_finds_a_broken_module() -> None:
    with Module.parse(ADD) as module:
        module.run(BREAK)
        assert "__bad_alias" in (module.verify() or "")


def test_an_object_file_leaves_the_module_as_it_is(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        before = module.bitcode(), module.text()
        assert module.text_size() > 0
        assert (module.bitcode(), module.text()) == before


@pytest.mark.opt
def test_the_text_size_is_that_of_llc_without_options(mixed: bytes, llc: str, tmp_path: Path) -> None:
    for level in LEVELS:
        with optimised(mixed, level) as module:
            source, target = tmp_path / "in.bc", tmp_path / "out.o"
            source.write_bytes(module.bitcode())
            subprocess.run([llc, "-filetype=obj", source, "-o", target], check=True)
            assert module.text_size() == executable_bytes(target.read_bytes()), level


def test_names_of_values_files_and_comments_do_not_matter() -> None:
    renamed = b'; a comment\nsource_filename = "other.c"\n' + ADD
    renamed = renamed.replace(b"%first", b"%x").replace(b"%sum", b"%y").replace(b"start:", b"block:")
    with Module.parse(ADD) as one, Module.parse(renamed) as other:
        assert one.digest() == other.digest()
        assert re.fullmatch("[0-9a-f]{40}", one.digest())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"add", b"sub"),
        (b"add i32", b"add nsw i32"),
        (b", 1", b", 2"),
        (b"@f", b"@g"),
        (b"(i32 %first) {", b"(i32 %first) nounwind {"),
        (b"define", b"define internal"),
    ],
)
def test_what_a_program_does_matters(old: bytes, new: bytes) -> None:
    with Module.parse(ADD) as one, Module.parse(ADD.replace(old, new)) as other:
        assert one.digest() != other.digest()


def test_a_semicolon_in_a_string_is_no_comment() -> None:
    data = HEADER + b'@s = constant [%d x i8] c"%s"\n'
    with Module.parse(data % (6, b"a ; bc")) as one, Module.parse(data % (6, b"a ; xy")) as other:
        assert "a ; bc" in one.canonical_text()
        assert one.digest() != other.digest()


def test_canonical_text_has_no_comments_and_is_itself_a_program(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        module.run("default<O2>")
        text = module.canonical_text()
        assert not re.search(r"^;|; preds", text, re.MULTILINE)
        with Module.parse(text.encode()) as again:
            assert again.canonical_text() == text


def test_the_digest_is_the_same_after_saving_and_reading(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        for name in ("function(mem2reg)", "cgscc(inline)", "function(gvn)", "function(loop(loop-rotate))"):
            module.run(name)
            with module.clone() as copy:
                assert copy.digest() == module.digest()


def test_a_clone_is_independent(mixed: bytes) -> None:
    with Module.parse(mixed) as module, module.clone() as copy:
        before = module.digest()
        copy.run("function(mem2reg)")
        assert module.digest() == before != copy.digest()


def test_baselines_of_all_levels(mixed: bytes) -> None:
    found = {level: baseline(mixed, level) for level in LEVELS}
    with Module.parse(mixed) as module:
        assert found["O0"].ir_instructions == module.instruction_count()
        assert found["O0"].text_size_bytes == module.text_size()
    assert found["Oz"].ir_instructions < found["O0"].ir_instructions
    assert baseline(mixed, "Oz") == found["Oz"]


def test_an_unknown_level_is_named(mixed: bytes) -> None:
    with pytest.raises(InvalidInput, match="'O7'"):
        baseline(mixed, "O7")


@pytest.mark.opt
@pytest.mark.parametrize("level", LEVELS[1:])
def test_baselines_are_those_of_opt(mixed: bytes, opt: str, tmp_path: Path, level: str) -> None:
    source, target = tmp_path / "in.bc", tmp_path / "out.bc"
    source.write_bytes(mixed)
    subprocess.run([opt, f"-passes=default<{level}>", source, "-o", target], check=True)
    with Module.parse(target.read_bytes()) as module, optimised(mixed, level) as ours:
        assert module.digest() == ours.digest()


def test_preparation_leaves_one_entry_and_no_forced_inlining(mixed: bytes) -> None:
    forced = mixed_text(mixed).replace(
        "define internal i32 @twice(i32 noundef %0) #0", "define i32 @twice(i32 %0)"
    )
    with Module.parse(prepare(forced.encode())) as module:
        visible = re.findall(r"^define (?!internal).*@(\w+)\(", module.text(), re.MULTILINE)
        assert visible == ["main"]
        assert module.verify() is None


def test_preparation_inlines_what_must_be_inlined() -> None:
    text = (
        ADD.replace(b"{", b"alwaysinline {", 1)
        + b"define i32 @main() {\n  %r = call i32 @f(i32 1)\n  ret i32 %r\n}\n"
    )
    with Module.parse(prepare(text)) as module:
        assert "@f" not in module.text()


def test_preparation_does_not_depend_on_file_names(mixed: bytes) -> None:
    text = mixed_text(mixed)
    other = re.sub(r'source_filename = ".*"', 'source_filename = "/elsewhere/x.c"', text)
    assert other != text
    assert prepare(text.encode()) == prepare(other.encode())
    assert prepare(mixed) == prepare(mixed)


def test_a_program_without_main_is_not_prepared() -> None:
    with pytest.raises(InvalidInput, match=r"no main\(\)"):
        prepare(ADD)
    with pytest.raises(InvalidInput, match=r"no main\(\)"):
        prepare(HEADER + b"declare i32 @main()\n")


def test_a_closed_module_says_so_and_can_be_closed_again(mixed: bytes) -> None:
    module = Module.parse(mixed)
    module.close()
    module.close()
    with pytest.raises(ValueError, match="closed"):
        module.instruction_count()


def test_modules_free_what_they_own(mixed: bytes) -> None:
    def cycle() -> None:
        with Module.parse(mixed) as module:
            module.run("function(sroa<modify-cfg>),cgscc(inline),function(gvn)")
            module.digest()
        with pytest.raises(InvalidInput):
            Module.parse(mixed[:3000])

    def growth() -> int:
        for _ in range(10):
            cycle()
        gc.collect()
        before = _resident_bytes()
        for _ in range(40):
            cycle()
        gc.collect()
        return _resident_bytes() - before

    assert any(growth() < 600_000 for _ in range(3))  # other threads of the process may grow, too


def mixed_text(data: bytes) -> str:
    with Module.parse(data) as module:
        return module.text()


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


LAYOUT_OF_LLVM_17 = b"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"


def test_text_with_the_data_layout_of_an_older_version_is_brought_up_to_date() -> None:
    text = (
        b'target datalayout = "%s"\ntarget triple = "x86_64-unknown-linux-gnu"\n'
        b"define i128 @f(i128 %%x) {\n  ret i128 %%x\n}\n" % LAYOUT_OF_LLVM_17
    )
    with Module.parse(text) as module, Module.parse(text.replace(LAYOUT_OF_LLVM_17, b"")) as plain:
        assert module.text() == plain.text()
        assert module.digest() == plain.digest()
    with pytest.raises(InvalidInput, match="has the data layout 'e-p:16:16'"):
        Module.parse(text.replace(LAYOUT_OF_LLVM_17, b"e-p:16:16"))


@pytest.mark.parametrize(
    ("assembly", "constraint", "why"),
    [("bogus %eax", "", "invalid instruction mnemonic"), ("nop", "={nosuch}", "couldn't allocate output")],
)
def test_a_program_without_machine_code_can_be_used_further(assembly: str, constraint: str, why: str) -> None:
    kind = "i32" if constraint else "void"
    text = (
        'target triple = "x86_64-unknown-linux-gnu"\n'
        f'define void @f() {{\n  call {kind} asm sideeffect "{assembly}", "{constraint}"()\n  ret void\n}}\n'
    )
    with Module.parse(text.encode()) as module:
        for _ in range(2):
            with pytest.raises(InvalidInput, match=why):
                module.text_size()
        module.run("function(instcombine<no-verify-fixpoint>)")
        assert module.instruction_count() == 2


TRIPLE = 'target triple = "x86_64-unknown-linux-gnu"\n'
PROGRAM = f"""{TRIPLE}
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
    with Module.parse(f'{TRIPLE}define void @"é"() "ü"="k" {{\n  ret void\n}}\n'.encode()) as module:
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
    with Module.parse((TRIPLE + text.replace("@f", "@fXg") + text).encode()) as module:
        data = module.bitcode().replace(b"fXg", b"f\0g")
    with Module.parse(data) as module:
        assert module.function_names() == ["f\0g", "f"]
        assert defined_function(module, "f\0g") != defined_function(module, "f")

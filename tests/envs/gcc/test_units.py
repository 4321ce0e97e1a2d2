"""Programs of several translation units: their container, and what GCC and the linker make of them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import optarena
from optarena.datasets import Benchmark
from optarena.datasets.base import media_type, suffix_of
from optarena.errors import InvalidInput
from optarena.gcc.compiling import Compiler
from optarena.gcc.options import CHOICES
from optarena.gcc.units import (
    MAGIC,
    MAX_NAME,
    MAX_UNITS,
    MEDIA_TYPE,
    SUFFIX,
    Unit,
    is_container,
    pack,
    unpack,
)
from optarena.isolation.tools import ToolFailed
from optarena.machine_code import elf
from optarena.replay import replay
from optarena.specs.benchmark import Workload
from tests.kit.gcc import needs_gcc, pinned_gcc

if TYPE_CHECKING:
    from pathlib import Path

MAIN = b"""int puts(const char *);
extern int lent(int) __attribute__((visibility("internal")));
int main(void) { puts("two units"); return lent(3); }
"""
OTHER = b"""int missing_function(void);
__attribute__((visibility("internal"))) int lent(int x) { return x * 2 + 1; }
int dead(int x) { return missing_function() + x; }
"""
UNITS = (Unit("one/main.c", MAIN), Unit("two/other.c", OTHER))
OZ = "gcc -Oz -c program.c -o program.o"


def of_units(*units: Unit) -> Benchmark:
    workload = Workload(name="all", args=(), stdin=b"", expected_stdout=b"two units\n", exit_code=7)
    return replace(Benchmark.from_bytes("benchmark://mine-v0/two", pack(units)), workloads=(workload,))


def chosen(text: str = OZ) -> list[Any]:
    return list(CHOICES.parse(text))


def test_a_container_has_one_form_which_is_known_by_its_beginning() -> None:
    packed = pack(UNITS)
    assert unpack(packed) == UNITS
    assert packed == MAGIC + b"// unit %d one/main.c\n" % len(MAIN) + MAIN + (
        b"// unit %d two/other.c\n" % len(OTHER) + OTHER
    )
    assert is_container(packed)
    assert not is_container(MAIN)
    assert (media_type(packed), suffix_of(MEDIA_TYPE)) == (MEDIA_TYPE, SUFFIX)
    hidden = Unit("one.c", b'char *s = "\\\n// unit 3 two.c\n";\n')
    assert unpack(pack([hidden])) == (hidden,), "the length counts, not what a unit contains"


@pytest.mark.parametrize(
    ("container", "problem"),
    [
        (b"int main(void) {}", "it does not begin with '// optarena: translation units, format 1'"),
        (MAGIC, f"it has 0 units, and may have 1 to {MAX_UNITS}"),
        (MAGIC + b"int x;\n", "byte 41 does not begin a line of the form '// unit BYTES NAME'"),
        (MAGIC + b"// unit 07 a.c\nint x;\n", "byte 41 does not begin a line"),
        (MAGIC + b"// unit 7 ../a.c \nint x;\n", "byte 41 does not begin a line"),
        (MAGIC + b"// unit 8 a.c\nint x;\n", "the unit a.c does not end with a line after its 8 bytes"),
        (MAGIC + b"// unit 6 a.c\nint x;\n", "the unit a.c does not end with a line after its 6 bytes"),
        (MAGIC + 2 * b"// unit 7 a.c\nint x;\n", "it has two units a.c"),
        (MAGIC + b"// unit 7 %s\nint x;\n" % (b"u" * 201), "has 201 bytes, and may have 200"),
        (
            MAGIC + b"".join(b"// unit 1 u%d\n\n" % number for number in range(MAX_UNITS + 1)),
            f"it has {MAX_UNITS + 1} units",
        ),
    ],
)
def test_what_is_no_container_is_refused_with_the_place(container: bytes, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        unpack(container)


@needs_gcc
def test_units_are_linked_without_what_main_does_not_reach(tmp_path: Path) -> None:
    compiler = Compiler(pinned_gcc(), tmp_path, pack(UNITS))
    compiler.check()
    assembly = compiler.assembly(["-Oz"])
    assert [unit.name for unit in unpack(assembly)] == ["one/main.c.s", "two/other.c.s"]
    code = compiler.object_file(assembly)
    assert elf.section_bytes(code, ".text.lent") > 0
    assert elf.section_bytes(code, ".text.dead") == 0
    assert code == elf.with_internal_hidden(code)
    again = Compiler(pinned_gcc(), tmp_path / "elsewhere", pack(UNITS))
    assert again.object_file(again.assembly(["-Oz"])) == code
    assert [unit.name for unit in unpack(again.rtl(["-Oz"]))] == ["one/main.c.rtl", "two/other.c.rtl"]


@needs_gcc
def test_a_unit_without_functions_has_an_empty_place_in_the_rtl(tmp_path: Path) -> None:
    data = Unit("data.c", b"const int table[] = {1, 2};\n")
    main, other = unpack(Compiler(pinned_gcc(), tmp_path, pack((UNITS[0], data))).rtl(["-O2"]))
    assert b"main" in main.data
    assert other == Unit("data.c.rtl", b"\n")


@needs_gcc
def test_errors_name_the_units_and_not_their_files(tmp_path: Path) -> None:
    wrong = Unit("two/wrong.c", b'void never(void) { __asm__("no_such_instruction"); }\n')
    twice = Unit("two/twice.c", b"int main(void) { return 0; }\n")
    compiler = Compiler(pinned_gcc(), tmp_path / "wrong", pack((UNITS[0], wrong)))
    with pytest.raises(ToolFailed, match=r"two/wrong\.c:1: Error: no such instruction") as raised:
        compiler.object_file(compiler.assembly(["-O2"]))
    assert "unit-" not in str(raised.value)
    compiler = Compiler(pinned_gcc(), tmp_path / "twice", pack((twice, *UNITS)))
    with pytest.raises(InvalidInput, match=r"two/twice\.c\.o:.* first defined here") as refused:
        compiler.object_file(compiler.assembly(["-O2"]))
    assert "unit-" not in str(refused.value)


@needs_gcc
def test_a_folder_that_was_removed_is_made_again(tmp_path: Path) -> None:
    compiler = Compiler(pinned_gcc(), tmp_path / "folder", pack(UNITS))
    assembly = compiler.assembly(["-Oz"])
    code = compiler.object_file(assembly)
    shutil.rmtree(tmp_path / "folder")
    assert compiler.object_file(assembly) == code


@needs_gcc
def test_a_compiler_that_cannot_run_is_not_the_fault_of_the_program(tmp_path: Path) -> None:
    gone = replace(pinned_gcc(), programs={"cc1": tmp_path / "gone"}, loader=())
    with pytest.raises(ToolFailed, match="gone cannot be started"):
        Compiler(gone, tmp_path / "folder", MAIN).check()


@needs_gcc
def test_a_program_of_units_is_verified_in_the_sandbox() -> None:
    benchmark = of_units(*UNITS)
    result = replay(environment="gcc-v0", benchmark=benchmark, actions=chosen())
    assert result.ok, result.detail
    with optarena.make("gcc-v0", sandbox=False, benchmark=benchmark) as env:
        env.reset(options={"reward_space": None})
        env.multistep(chosen())
        assert result.metrics["load_size_bytes"] == env.observation["load_size_bytes"]
        assert env.observation["source"] == benchmark.program().decode()
        assert env.observation["asm"].startswith(MAGIC.decode())


@needs_gcc
@pytest.mark.parametrize(
    ("units", "problem"),
    [
        (
            (UNITS[0], Unit("b.c", b"int x = y;\n")),
            "GCC cannot compile the program: b.c:1:9: error: 'y' undeclared",
        ),
        ((UNITS[1],), "The units of the program cannot be linked: .*a defined symbol root"),
        ((*UNITS, Unit("three.c", MAIN)), r"cannot be linked: .*three\.c\.o:.* multiple definition of"),
        ((Unit("a.c", b'#include "b.c"\nint main(void) {}\n'), Unit("b.c", b"\n")), "stray '#'"),
    ],
)
def test_a_unit_that_does_not_compile_is_refused_at_once(units: tuple[Unit, ...], problem: str) -> None:
    with optarena.make("gcc-v0") as env, pytest.raises(InvalidInput, match=problem):
        env.reset(options={"benchmark": Benchmark.from_bytes("benchmark://mine-v0/bad", pack(units))})


@needs_gcc
def test_units_are_linked_only_when_an_object_file_is_needed() -> None:
    without_main = Benchmark.from_bytes("benchmark://mine-v0/bad", pack((UNITS[1],)))
    with optarena.make("gcc-v0") as env:
        env.reset(options={"benchmark": without_main, "reward_space": None, "observation_space": "asm"})
        env.multistep(chosen())
        with pytest.raises(InvalidInput, match=r"cannot be linked: .*Define main in one unit") as refused:
            env.observe("obj_size")
        assert refused.value.value == "obj_size"
        assert "lent" in env.observe("asm")


@needs_gcc
def test_a_measured_replay_times_the_program_beside_its_o3() -> None:
    result = replay(environment="gcc-runtime-v0", benchmark=of_units(*UNITS), actions=chosen())
    assert result.ok, result.detail
    assert result.metrics["runtime_seconds"] > 0
    assert result.metrics["reference_seconds"] > 0
    assert result.metrics["speedup"] > 0
    with optarena.make("gcc-runtime-v0", benchmark=of_units(*UNITS)) as env:
        env.reset()
        assert env.observation["RuntimePointEstimate"] > 0


def test_what_is_made_of_units_with_the_longest_names_can_be_read() -> None:
    units = (Unit("u" * MAX_NAME, b"int main(void) { return 0; }\n"), Unit("b.c", b"int x;\n"))
    with optarena.make("gcc-v0") as env:
        env.reset(options={"benchmark": Benchmark.from_bytes("benchmark://mine-v0/long", pack(units))})
        assert f"{'u' * MAX_NAME}.s" in env.observe("asm")
        assert env.observe("obj_size") > 0

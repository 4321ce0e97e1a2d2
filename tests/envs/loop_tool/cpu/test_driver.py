"""The native driver: the same structures in C and in Python, and code for every architecture."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from optarena.loop_tool.cpu import compiling

SOURCE = Path(compiling.__file__).parent / "native/driver.c"
STRUCTURES = (compiling.Shared, compiling.Task, compiling.Team)


def test_the_structures_in_c_are_those_in_python(clang: Path) -> None:
    lines = [f'#include "{SOURCE}"']
    for kind in STRUCTURES:
        names = [name for name, *_ in kind._fields_ if not name.startswith("_")]
        numbers = {
            f"__builtin_offsetof({kind.__name__}, {name})": getattr(kind, name).offset for name in names
        }
        numbers[f"sizeof({kind.__name__})"] = ctypes.sizeof(kind)
        lines += [f'_Static_assert({text} == {number}, "");' for text, number in numbers.items()]
    command = [str(clang), "--target=x86_64-unknown-linux-gnu", "-fsyntax-only", "-x", "c", "-"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("architecture", "hint"), [("x86_64", "pause"), ("aarch64", "yield"), ("other", "")])
def test_the_wait_at_the_barrier_has_the_instruction_of_the_architecture(
    architecture: str, hint: str
) -> None:
    found = re.findall(r'asm sideeffect "(.*?)"', compiling.driver(architecture))
    assert set(found) == {hint}


@pytest.mark.parametrize("architecture", ["x86_64", "aarch64", "powerpc64le", "riscv64", "s390x"])
def test_code_can_be_generated_for_every_architecture(
    architecture: str, capfd: pytest.CaptureFixture[str]
) -> None:
    # Without the instruction, which the assembler of each architecture would have to read.
    text = compiling.driver("other")
    assert "target-" not in text  # LLVM ends the process where features are not those of the architecture
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(f"{architecture}-unknown-linux-gnu").create_target_machine(jit=True)
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    module.verify()
    assert machine.emit_object(module)
    assert capfd.readouterr().err == ""  # LLVM complains there of a processor that it does not know

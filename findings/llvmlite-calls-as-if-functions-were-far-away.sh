#!/usr/bin/env bash
# llvmlite's target machine writes larger code than opt and llc do, unless it is told what its object is for.
#
# Version: llvmlite 0.50.0 (LLVM 22.1).
# Guess:   create_target_machine(opt=2) makes the code of `llc -O2`, so the size of what emit_object returns is the size of
#          the program.
# Seen:    its codemodel is "jitdefault", which on x86-64 is the large one: each function and variable has an address of eight
#          bytes that goes through a register. A function of two calls has 51 bytes instead of 33, one register more is saved,
#          and the section is .ltext, in which tools that look for .text find nothing. codemodel="default" is what llc does.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet llvmlite==0.50.0 pyelftools==0.33

"$here/venv/bin/python" - <<'PYTHON'
import io

import llvmlite.binding as llvm
from elftools.elf.elffile import ELFFile

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
PROGRAM = """
target triple = "x86_64-unknown-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@sum = external global i32
declare void @show(i32)
define i32 @f(i32 %x) {
  call void @show(i32 %x)
  call void @show(i32 7)
  %old = load i32, ptr @sum
  %new = add i32 %old, %x
  store i32 %new, ptr @sum
  ret i32 %new
}
"""
target = llvm.Target.from_triple("x86_64-unknown-linux-gnu")
seen = []
for name, options in (
    ("no option", {}), ("jitdefault", {"codemodel": "jitdefault"}), ("large", {"codemodel": "large"}),
    ("default", {"codemodel": "default"}), ("small", {"codemodel": "small"}),
):
    machine = target.create_target_machine(opt=2, **options)
    sections = ELFFile(io.BytesIO(machine.emit_object(llvm.parse_assembly(PROGRAM)))).iter_sections()
    code = {section.name: section["sh_size"] for section in sections if section["sh_flags"] & 4 and section["sh_size"]}
    print(f"{name}: {code}")
    seen.append(code)
far, near = seen[0], seen[3]
raise SystemExit(seen != [far] * 3 + [near] * 2 or list(far) != [".ltext"] or list(near) != [".text"]
                 or (far[".ltext"], near[".text"]) != (51, 33))
PYTHON

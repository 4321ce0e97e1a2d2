#!/usr/bin/env bash
# default<O3> through LLVM's C interface vectorises nothing unless it is given a machine.
#
# Version: LLVM's C interface 22.1.8 (karellen-llvm-core).
# Guess:   LLVMRunPasses(module, "default<O3>", NULL, options) does what opt does, which has no machine given either: the
#          triple and the layout are in the module. Or NULL is refused.
# Seen:    no error and no vector: without a machine LLVM knows of no register of any size. With a machine for the same
#          triple the loop is vectorised, as opt does it.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-core==22.1.8

"$here/venv/bin/python" - <<'PYTHON'
import ctypes, glob, sys

folder = f"{sys.prefix}/lib"
for name in ("libunwind", "libc++abi", "libc++"):
    ctypes.CDLL(f"{folder}/x86_64-unknown-linux-gnu/{name}.so.1.0")
llvm = ctypes.CDLL(glob.glob(f"{folder}/libLLVM.so.22.1")[0])
text = b"""
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define void @scale(ptr noalias %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %at
  %y = fmul float %x, 3.0
  store float %y, ptr %at
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
"""


def call(name, *arguments):
    function = getattr(llvm, name)
    function.restype = ctypes.c_void_p
    return function(*(ctypes.c_void_p(one) if isinstance(one, int) and one > 9 else one for one in arguments))


for name in ("TargetInfo", "Target", "TargetMC"):
    call(f"LLVMInitializeX86{name}")
target, why, found = ctypes.c_void_p(), ctypes.c_char_p(), []
triple = b"x86_64-unknown-linux-gnu"
assert not llvm.LLVMGetTargetFromTriple(triple, ctypes.byref(target), ctypes.byref(why))
for machine in (None, call("LLVMCreateTargetMachine", target, triple, b"x86-64", b"", 3, 0, 0)):
    buffer = call("LLVMCreateMemoryBufferWithMemoryRangeCopy", text, len(text), b"scale")
    module = ctypes.c_void_p()
    context = call("LLVMContextCreate")
    assert not llvm.LLVMParseIRInContext2(*map(ctypes.c_void_p, (context, buffer)), ctypes.byref(module), ctypes.byref(why))
    assert call("LLVMRunPasses", module, b"default<O3>", machine, call("LLVMCreatePassBuilderOptions")) is None
    found.append(ctypes.string_at(call("LLVMPrintModuleToString", module)).count(b"x float>"))
print(f"vectors after default<O3>: {found[0]} without a machine, {found[1]} with one")
raise SystemExit(not (found[0] == 0 < found[1]))
PYTHON

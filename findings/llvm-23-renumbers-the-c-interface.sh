#!/usr/bin/env bash
# LLVM 23 gives old kinds of values and old instructions other numbers in its C interface.
#
# Version: LLVM 22.1.8 and 23.1.4 (karellen-llvm-core).
# Guess:   the enums of llvm-c only grow at their ends, so a program compiled for LLVM 22 reads LLVM 23 rightly.
# Seen:    an instruction is of kind 24, then 25; a branch has opcode 2, then 70 or 71, and no value is an error.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

for version in 22.1.8 23.1.4.post8; do
    python3 -m venv "$here/$version"
    "$here/$version/bin/pip" install --quiet "karellen-llvm-core==$version"
    "$here/$version/bin/python" - <<'PYTHON'
import ctypes, glob, sys

folder = f"{sys.prefix}/lib"
for name in ("libunwind", "libc++abi", "libc++"):
    ctypes.CDLL(f"{folder}/x86_64-unknown-linux-gnu/{name}.so.1.0")
llvm = ctypes.CDLL(glob.glob(f"{folder}/libLLVM.so.2?.1")[0])


def call(name, *arguments):
    function = getattr(llvm, name)
    function.restype = ctypes.c_void_p
    return function(*(ctypes.c_void_p(one) if isinstance(one, int) else one for one in arguments))


text = b"define i32 @f(i1 %c) {\n br i1 %c, label %a, label %b\na:\n br label %b\nb:\n ret i32 0\n}\n"
context, module, why = call("LLVMContextCreate"), ctypes.c_void_p(), ctypes.c_void_p()
buffer = call("LLVMCreateMemoryBufferWithMemoryRangeCopy", text, len(text), b"f")
llvm.LLVMParseIRInContext2(*map(ctypes.c_void_p, (context, buffer)), ctypes.byref(module), ctypes.byref(why))
block, found = call("LLVMGetFirstBasicBlock", call("LLVMGetNamedFunction", module, b"f")), []
while block:
    last = ctypes.c_void_p(call("LLVMGetBasicBlockTerminator", block))
    found.append((llvm.LLVMGetValueKind(last), llvm.LLVMGetInstructionOpcode(last)))
    block = call("LLVMGetNextBasicBlock", block)
release = glob.glob(f"{folder}/libLLVM.so.2?.1")[0][-4:]
print(f"LLVM {release}: (kind, opcode) of the two branches and of the return:", *found)
wanted = {"22.1": [(24, 2), (24, 2), (24, 1)], "23.1": [(25, 71), (25, 70), (25, 1)]}
raise SystemExit(found != wanted[release])
PYTHON
done

#!/usr/bin/env bash
# IR2Vec of LLVM takes an entry that its vocabulary lacks for zeros.
#
# Version: LLVM 22.1.8 (karellen-llvm-core).
# Guess:   a vocabulary without an entry that the program needs, or with a name that LLVM does not know, is an error,
#          as one with vectors of two sizes is.
# Seen:    with "add" for "Add", additions count for nothing in the sum of a function. LLVM says nothing.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here"
"$here/bin/pip" install --quiet karellen-llvm-core==22.1.8
cat > "$here/vector.py" <<'PYTHON'
import ctypes, glob, json, sys

entries = {"Opcodes": {sys.argv[1]: [1], "Ret": [10]}, "Types": {"IntegerTy": [0]}, "Arguments": {"Variable": [0]}}
path = f"{sys.prefix}/vocabulary.json"
with open(path, "w") as file:
    json.dump(entries, file)
folder = f"{sys.prefix}/lib"
for name in ("libunwind", "libc++abi", "libc++"):
    ctypes.CDLL(f"{folder}/x86_64-unknown-linux-gnu/{name}.so.1.0")
llvm = ctypes.CDLL(glob.glob(f"{folder}/libLLVM.so.22.1")[0])
options = (ctypes.c_char_p * 2)(b"opt", f"-ir2vec-vocab-path={path}".encode())
llvm.LLVMParseCommandLineOptions(2, options, None)
for name in ("LLVMContextCreate", "LLVMCreateMemoryBufferWithMemoryRangeCopy", "LLVMCreatePassBuilderOptions"):
    getattr(llvm, name).restype = ctypes.c_void_p
text = b"define i32 @f(i32 %x) {\n %a = add i32 %x, %x\n %b = add i32 %a, %x\n ret i32 %b\n}\n"
context, module, why = ctypes.c_void_p(llvm.LLVMContextCreate()), ctypes.c_void_p(), ctypes.c_char_p()
buffer = ctypes.c_void_p(llvm.LLVMCreateMemoryBufferWithMemoryRangeCopy(text, len(text), b"f"))
llvm.LLVMParseIRInContext2(context, buffer, ctypes.byref(module), ctypes.byref(why))
error = llvm.LLVMRunPasses(module, b"print<ir2vec>", None, ctypes.c_void_p(llvm.LLVMCreatePassBuilderOptions()))
sys.exit(error != 0)
PYTHON
found=
for name in Add add; do
  said=$("$here/bin/python" "$here/vector.py" "$name" 2>&1)
  echo "$said" | head -4
  found+="$name: $(echo "$said" | sed -n '/^Function vector/{s/.*\[ *//;s/ *\].*//;p}') "
done
echo "$found"
[ "$found" = "Add: 12.00 add: 10.00 " ]

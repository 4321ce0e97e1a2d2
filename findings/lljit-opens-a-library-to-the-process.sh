#!/usr/bin/env bash
# LLJIT's search generator for one library opens that library, and what it needs, to the whole process.
#
# Version: LLVM 22.1.8 (karellen-llvm-core).
# Guess:   a library loaded with RTLD_LOCAL stays local when its symbols are offered to compiled code.
# Seen:    afterwards dlsym(RTLD_DEFAULT) finds LLVMContextCreate and libunwind's unw_step: whatever is loaded
#          later may be bound to them.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-core==22.1.8
"$here/venv/bin/python" - <<'PYTHON'
import ctypes, os, sys

folder = f"{sys.prefix}/lib"
for name in ("libunwind", "libc++abi", "libc++"):
    ctypes.CDLL(f"{folder}/x86_64-unknown-linux-gnu/{name}.so.1.0", mode=os.RTLD_LOCAL)
path = f"{folder}/libLLVM.so.22.1"
llvm = ctypes.CDLL(path, mode=os.RTLD_LOCAL)
find = ctypes.CDLL(None).dlsym
find.restype, find.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]


def found():
    return [name.decode() for name in (b"LLVMContextCreate", b"unw_step") if find(None, name)]


before, generator = found(), ctypes.c_void_p()
search = llvm.LLVMOrcCreateDynamicLibrarySearchGeneratorForPath
search.restype = ctypes.c_void_p
error = search(
    ctypes.byref(generator), path.encode(), ctypes.c_char(b"\0"), None, None
)
print("found in the whole process before:", before, "after:", found())
raise SystemExit(bool(error) or before != [] or found() != ["LLVMContextCreate", "unw_step"])
PYTHON

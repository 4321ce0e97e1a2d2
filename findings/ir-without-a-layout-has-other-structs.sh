#!/usr/bin/env bash
# The same IR stores to another place when it goes through LLVM's C interface instead of opt.
#
# Version: llvmlite 0.50.0 (LLVM 22.1), opt 22.1.8 (Debian 12), LLVM's C interface 22.1.8 (karellen-llvm-core).
# Guess:   the line `target triple` says what the target is, so a text without `target datalayout` has that of the target,
#          or is refused.
# Seen:    opt writes the layout of the triple into the program: the second { i8, i128 } begins at byte 32. The C
#          interface and llvmlite take LLVM's own defaults, whatever the triple, and say nothing: it begins at byte 20,
#          and object code of other functions finds other values there.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet llvmlite==0.50.0 karellen-llvm-core==22.1.8
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done

cat > second.ll <<'IR'
target triple = "x86_64-unknown-linux-gnu"
define void @second(ptr %p) {
  %at = getelementptr { i8, i128 }, ptr %p, i32 1
  store i8 1, ptr %at
  ret void
}
IR
by_opt=$(LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu usr/lib/llvm-22/bin/opt -S -passes=instcombine second.ll)

cat > c_interface.py <<'PYTHON'
import ctypes, glob, sys

folder = f"{sys.prefix}/lib"
for name in ("libunwind", "libc++abi", "libc++"):
    ctypes.CDLL(f"{folder}/x86_64-unknown-linux-gnu/{name}.so.1.0")
llvm = ctypes.CDLL(glob.glob(f"{folder}/libLLVM.so.22.1")[0])
for name in ("LLVMContextCreate", "LLVMCreateMemoryBufferWithMemoryRangeCopy", "LLVMCreatePassBuilderOptions"):
    getattr(llvm, name).restype = ctypes.c_void_p
llvm.LLVMPrintModuleToString.restype = ctypes.c_char_p
text, module, why = open("second.ll", "rb").read(), ctypes.c_void_p(), ctypes.c_char_p()
context = ctypes.c_void_p(llvm.LLVMContextCreate())
buffer = ctypes.c_void_p(llvm.LLVMCreateMemoryBufferWithMemoryRangeCopy(text, len(text), b"second"))
llvm.LLVMParseIRInContext2(context, buffer, ctypes.byref(module), ctypes.byref(why))
options = ctypes.c_void_p(llvm.LLVMCreatePassBuilderOptions())
error = llvm.LLVMRunPasses(module, b"instcombine", None, options)
print(llvm.LLVMPrintModuleToString(module).decode())
sys.exit(error != 0)
PYTHON
by_interface=$(venv/bin/python c_interface.py)
by_llvmlite=$(venv/bin/python - <<'PYTHON'
from llvmlite import binding

binding.initialize_native_target()
machine = binding.Target.from_triple("x86_64-unknown-linux-gnu").create_target_machine()
builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options())
module = binding.parse_assembly(open("second.ll").read())
manager = binding.create_new_module_pass_manager()
manager.add_instruction_combine_pass()
manager.run(module, builder)
print(module)
PYTHON
)
bytes=
for text in "$by_opt" "$by_interface" "$by_llvmlite"; do
  bytes="$bytes $(grep -oP 'getelementptr.* i8, ptr %p, i64 \K[0-9]+' <<<"$text")"
done
echo "the second struct begins at byte, by opt, by the C interface and by llvmlite:$bytes"
[ "$bytes" = ' 32 20 20' ]

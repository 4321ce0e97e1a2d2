#!/usr/bin/env bash
# LLVM's reader of text cuts integers that do not fit into their type, and says nothing.
#
# Version: llvmlite 0.50.0 (LLVM 22.1).
# Guess:   `ret i8 300` is an error, as `float 0.1` is one.
# Seen:    it becomes `ret i8 44`, the module verifies, and a constant of llvmlite's builder goes the same way.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet llvmlite==0.50.0

"$here/venv/bin/python" - <<'PYTHON'
from llvmlite import binding, ir

module = ir.Module()
function = ir.Function(module, ir.FunctionType(ir.IntType(8), []), "f")
ir.IRBuilder(function.append_basic_block()).ret(ir.Constant(ir.IntType(8), 300))
read = binding.parse_assembly(str(module))
read.verify()
written, kept = ([line.strip() for line in str(text).splitlines() if "ret" in line] for text in (module, read))
print("written:", *written, "| read:", *kept)
try:
    binding.parse_assembly("define float @f() {\n ret float 0.1\n}\n")
    told = ""
except RuntimeError as error:
    told = str(error)
print("float 0.1:", told.splitlines()[1] if told else "read")
raise SystemExit((written, kept, bool(told)) != (["ret i8 300"], ["ret i8 44"], True))
PYTHON

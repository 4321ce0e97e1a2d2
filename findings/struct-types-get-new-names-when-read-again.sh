#!/usr/bin/env bash
# The same program, read twice, has two texts.
#
# Version: llvmlite 0.50.0 (LLVM 22.1).
# Guess:   the text of a module depends on its bytes, so that its hash tells whether two programs are the same.
# Seen:    modules share the names of their types by the context, which llvmlite has one of: %node becomes %node.0 at the
#          second reading, and %node.1 at the third, even if the first module is gone. With a context for each module
#          (parse_assembly(text, context=...)) all texts are the same.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet llvmlite==0.50.0

"$here/venv/bin/python" - <<'PYTHON'
from llvmlite import binding

text = """
%node = type { i32, ptr }
define ptr @next(ptr %p) {
  %at = getelementptr %node, ptr %p, i32 0, i32 1
  %q = load ptr, ptr %at
  ret ptr %q
}
"""


def names(read):
    return [str(read()).split(" = type")[0].rsplit("\n", 1)[-1] for _ in range(3)]


shared = names(lambda: binding.parse_assembly(text))
bitcode = binding.parse_assembly(text, context=binding.create_context()).as_bitcode()
shared_bitcode = names(lambda: binding.parse_bitcode(bitcode))
separate = names(lambda: binding.parse_assembly(text, context=binding.create_context()))
print("one context:", *shared, *shared_bitcode, "| a context each:", *separate)
raise SystemExit(len({*shared, *shared_bitcode}) != 6 or separate != ["%node"] * 3)
PYTHON

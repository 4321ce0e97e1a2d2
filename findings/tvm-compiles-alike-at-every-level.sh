#!/usr/bin/env bash
# TVM makes the same code at each opt_level from 0 to 4, so the level that its pass context takes decides nothing.
#
# Version: apache-tvm 0.27.0.post1, for CPUs.
# Guess:   PassContext(opt_level=0) leaves passes out, and a search over levels has points that differ.
# Seen:    a model of two layers gets the same machine code and the same instructions of the virtual machine at all five
#          levels, and a product of matrices the same machine code. The target's own opt-level, which goes to LLVM, is
#          another number, and changes the code.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet apache-tvm==0.27.0.post1
cd "$here"

venv/bin/python - <<'PYTHON'
import hashlib

import tvm
from tvm import te
from tvm.relax.frontend import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(64, 64), nn.Linear(64, 32)

    def forward(self, given):
        return nn.op.softmax(self.second(nn.op.relu(self.first(given)) * 2.0 + 1.0), axis=-1)


def product():
    a, b = (te.placeholder((128, 128), name=name) for name in "ab")
    k = te.reduce_axis((0, 128), "k")
    result = te.compute((128, 128), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="result")
    return te.create_prim_func([a, b, result])


def compiled(what, level, **target):
    with tvm.transform.PassContext(opt_level=level):
        built = tvm.compile(what, target=tvm.target.Target({"kind": "llvm", **target}))
    steps = built.as_text() if hasattr(built, "as_text") else ""
    library = built.mod.imports[0] if steps else built.mod
    code = library.inspect_source("asm")
    return f"{len(code.splitlines())} lines of machine code, {hashlib.md5((steps + code).encode()).hexdigest()[:8]}"


model, _ = Model().export_tvm({"forward": {"given": nn.spec.Tensor((8, 64), "float32")}})
for name, what in (("model", model), ("product", product())):
    seen = [compiled(what, level) for level in range(5)]
    other = compiled(what, 3, **{"opt-level": 0})
    print(f"{name}: " + "; ".join(f"level {level}: {one}" for level, one in enumerate(seen)))
    print(f"{name}: target's opt-level 0: {other}")
    assert len(set(seen)) == 1 and other not in seen
PYTHON

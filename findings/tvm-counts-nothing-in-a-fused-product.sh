#!/usr/bin/env bash
# TVM counts no operation in a fused product and sum, an exponential, a square root or a power.
#
# Versions: apache-tvm 0.27.0.post1, numpy 2.4.6.
# Guess:    estimate_tir_flops finds two operations in a * b + c however that is written, and at least one in each call of a
#           function of mathematics.
# Seen:     calls count nothing, whatever is called: fma(a, b, c) has 0 and a * b + c has 2; exp, sqrt and a power have 0, though
#           a minus and a maximum have 1. So two texts of one kernel have other GFLOPS, and activations weigh nothing
#           beside sums.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet apache-tvm==0.27.0.post1 numpy==2.4.6

"$here/venv/bin/python" - <<'PYTHON'
import tvm
from tvm import te
from tvm.s_tir.analysis import estimate_tir_flops

SHAPE = (64, 64)
a, b, c = (te.placeholder(SHAPE, "float32", name) for name in "abc")
computed = {
    "a * b + c": (2, lambda *at: a[at] * b[at] + c[at]),
    "fma(a, b, c)": (0, lambda *at: tvm.tirx.call_intrin("float32", "tirx.fma", a[at], b[at], c[at])),
    "-a": (1, lambda *at: -a[at]),
    "max(a, b)": (1, lambda *at: te.max(a[at], b[at])),
    "exp(a)": (0, lambda *at: te.exp(a[at])),
    "sqrt(a)": (0, lambda *at: te.sqrt(a[at])),
    "a ** b": (0, lambda *at: te.power(a[at], b[at])),
}
for text, (expected, compute) in computed.items():
    function = te.create_prim_func([a, b, c, te.compute(SHAPE, compute)])
    found = estimate_tir_flops(tvm.IRModule({"main": function})) / 64**2
    print(f"{text}: {found:g}")
    assert found == expected
PYTHON

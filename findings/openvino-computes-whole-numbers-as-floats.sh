#!/usr/bin/env bash
# OpenVINO divides and sums up whole numbers in float32, and computes numbers of 64 bits in 32, whatever type it returns.
#
# Versions: openvino 2026.4.1 on its device CPU (x86-64), numpy 2.4.6.
# Guess:    the element type of a model is the one that is computed in, as ONNX says, or the device refuses the type; at the
#           least with the hint ACCURACY, which forbids lower precision.
# Seen:     the type of the result is right, and its value is not. 123,456,789 mod 1,000 is 792, 2,000,000,001 / 3 is 666,666,688,
#           and 16,777,216 + 1 as a ReduceSum is 16,777,216. Results of int64 end at 32 bits, so 3 * 2^31 is another number.
#           1 + 1e-9 in float64 is 1. The hint changes nothing, and nothing warns. So hashes, seeds and large indices come out wrong.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet openvino==2026.4.1 numpy==2.4.6

"$here/venv/bin/python" - 2> "$here/said" <<'PYTHON' || { cat "$here/said" >&2; exit 1; }
import numpy as np
import openvino as ov
import openvino.opset13 as op

core = ov.Core()


def run(name, build, numbers, expected):
    found = []
    for hint in "PERFORMANCE", "ACCURACY":
        given = op.parameter(list(numbers.shape), numbers.dtype)
        model = ov.Model([build(given)], [given], name)
        compiled = core.compile_model(model, "CPU", {"EXECUTION_MODE_HINT": hint})
        result = compiled(numbers)[0]
        assert result.dtype == numbers.dtype, result.dtype
        found.append(result.ravel().tolist())
    print(f"{name} of {numbers.tolist()} in {numbers.dtype}: {found[0]} instead of {expected}")
    assert found[0] == found[1]
    return found[0]


def constant(number, kind):
    return op.constant(np.array([number], kind))


i32, i64, f64 = np.int32, np.int64, np.float64
assert run("mod 1000", lambda x: op.mod(x, constant(1000, i32)), np.array([123456789], i32), [789]) == [792]
assert run("/ 3", lambda x: op.divide(x, constant(3, i32)), np.array([2000000001], i32), [666666667]) == [666666688]
assert run("sum", lambda x: op.reduce_sum(x, constant(0, i64)), np.array([2**24, 1], i32), [2**24 + 1]) == [2**24]
assert run("3 *", lambda x: op.multiply(x, constant(3, i64)), np.array([2**31], i64), [3 * 2**31])[0] in range(-(2**31), 2**31)
assert run("1e-9 +", lambda x: op.add(x, constant(1e-9, f64)), np.array([1.0], f64), [1 + 1e-9]) == [1.0]
PYTHON
[ ! -s "$here/said" ]

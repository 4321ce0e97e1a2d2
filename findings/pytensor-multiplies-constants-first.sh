#!/usr/bin/env bash
# PyTensor's rewrites turn finite results into zero, infinity and 18446744073709551613.
#
# Versions: pytensor 3.0.7, numpy 2.4.6, numba 0.65.1.
# Guess:    the rewrites of PyTensor's usual optimizer change the last bits at most, or make results finite that were not, as
#           log(sum(exp(x))) of 1,000. So results with and without rewrites may be compared within a tolerance.
# Seen:     constants are multiplied with each other first: in float32, x * 6.6e-34 * 1.4e-23 of 1e35 is 0 instead of 9.2e-22,
#           without a warning, and x * 1e30 * 1e30 of 1e-30 is infinite instead of 1e30. The sum of -x in uint8 gets its sign
#           last, in uint64: of 1 and 2 it is 2^64 - 3 instead of 509. x * y / y in int32 no longer wraps. x != x, which asks
#           for NaN, is false. So the faster graph may compute something else.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet pytensor==3.0.7 numpy==2.4.6 numba==0.65.1
cd "$here"

PYTENSORRC=/dev/null PYTENSOR_FLAGS="base_compiledir=$here/compiled" venv/bin/python - <<'PYTHON'
import warnings

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.mode import Mode

DEFAULT = pytensor.config.optimizer


def both(name, build, kind, *numbers):
    given = [pt.vector(dtype=kind) for _ in numbers]
    values = [np.array(number, kind) for number in numbers]
    result = build(*given)
    found = []
    for rewrites in None, DEFAULT:
        found.append(pytensor.function(given, result, mode=Mode("py", rewrites))(*values))
    assert found[0].dtype == found[1].dtype
    print(f"{name} of {numbers} in {kind}: {found[0]}, and {found[1]} after the rewrites, both {found[0].dtype}")
    return found[0].ravel().tolist()[0], found[1].ravel().tolist()[0]


with warnings.catch_warnings(action="error"):
    plain, rewritten = both("x * 6.6e-34 * 1.4e-23", lambda x: x * np.float32(6.6e-34) * np.float32(1.4e-23), "float32", [1e35])
assert abs(plain / 9.24e-22 - 1) < 1e-3 and rewritten == 0
plain, rewritten = both("x * 1e30 * 1e30", lambda x: x * np.float32(1e30) * np.float32(1e30), "float32", [1e-30])
assert abs(plain / 1e30 - 1) < 1e-3 and rewritten == np.inf
assert both("sum(-x)", lambda x: pt.sum(-x), "uint8", [1, 2]) == (509, 2**64 - 3)
plain, rewritten = both("x * y / y", lambda x, y: x * y / y, "int32", [2_000_000_000], [5])
assert (round(plain), rewritten) == (282_013_082, 2_000_000_000)
assert both("x != x", lambda x: pt.neq(x, x), "float64", [np.nan]) == (True, False)
assert both("log(sum(exp(x)))", lambda x: pt.log(pt.sum(pt.exp(x))), "float64", [1000.0]) == (np.inf, 1000.0)
PYTHON

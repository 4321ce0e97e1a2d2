#!/usr/bin/env bash
# Pythran says that 7 // -2 is -5 and that -7 % -2 is -3, and adds up small numbers in their own small types.
#
# Versions: pythran 0.19.0, numpy 2.4.6; g++ of the system.
# Guess:    compiled Python computes what Python computes, but for whole numbers beyond 64 bits, so the results of both can be
#           compared before their times.
# Seen:     only divisors above zero are right: 7 // -2 is -4 in Python. A running sum of int8 stays int8, and
#           100 + 100 is -56. The sum of three million times 0.1 in float32, which NumPy adds up in pairs, is 290,775
#           instead of 300,000. The largest of numbers with a NaN is a number. Nothing warns. So a kernel may be faster
#           than NumPy by computing something else.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet pythran==0.19.0 numpy==2.4.6 setuptools==59.8.0
cd "$here"

cat > kernels.py <<'PYTHON'
import numpy


# pythran export floors(int, int)
def floors(a, b):
    return a // b


# pythran export rests(int, int)
def rests(a, b):
    return a % b


# pythran export floors_of_arrays(int64[], int64[])
def floors_of_arrays(a, b):
    return a // b


# pythran export rests_of_arrays(int64[], int64[])
def rests_of_arrays(a, b):
    return a % b


# pythran export running_sums(int8[])
def running_sums(a):
    return numpy.cumsum(a)


# pythran export sums(float32[])
def sums(a):
    return numpy.sum(a)


# pythran export largest(float64[])
def largest(a):
    return numpy.max(a)
PYTHON
mkdir compiled
venv/bin/pythran kernels.py -o compiled/kernels.so
cat > compare.py <<'PYTHON'
import importlib.util
import math

import kernels
import numpy

spec = importlib.util.spec_from_file_location("kernels", "compiled/kernels.so")
compiled = importlib.util.module_from_spec(spec)
spec.loader.exec_module(compiled)
a, b = numpy.array([7, -7, 7, -7]), numpy.array([2, 2, -2, -2])
tenths = numpy.full(3_000_000, 0.1, numpy.float32)
with_nan = numpy.array([1.5, numpy.nan, 0.5])
for name, values in (
    ("floors", (7, -2)),
    ("rests", (-7, -2)),
    ("floors_of_arrays", (a, b)),
    ("rests_of_arrays", (a, b)),
    ("running_sums", (numpy.array([100, 100], numpy.int8),)),
    ("sums", (tenths,)),
    ("largest", (with_nan,)),
):
    print(f"{name}: Python {getattr(kernels, name)(*values)}, Pythran {getattr(compiled, name)(*values)}")
assert (kernels.floors(7, -2), compiled.floors(7, -2)) == (-4, -5)
assert (kernels.rests(-7, -2), compiled.rests(-7, -2)) == (-1, -3)
assert kernels.floors_of_arrays(a, b).tolist() == [3, -4, -4, 3]
assert compiled.floors_of_arrays(a, b).tolist() == [3, -4, -5, 3]
assert kernels.rests_of_arrays(a, b).tolist() == [1, 1, -1, -1]
assert compiled.rests_of_arrays(a, b).tolist() == [1, 1, 1, -3]
assert kernels.running_sums(numpy.array([100, 100], numpy.int8)).tolist() == [100, 200]
assert compiled.running_sums(numpy.array([100, 100], numpy.int8)).tolist() == [100, -56]
assert abs(kernels.sums(tenths) - 300_000) < 1
assert 290_000 < compiled.sums(tenths) < 291_000
assert math.isnan(kernels.largest(with_nan))
assert compiled.largest(with_nan) == 1.5
PYTHON
venv/bin/python compare.py

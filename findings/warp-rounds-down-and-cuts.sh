#!/usr/bin/env bash
# Warp rounds a quotient of whole numbers down, as Python does, and cuts the remainder, as C does.
#
# Versions: warp-lang 1.19.0 on its device "cpu", numpy 2.4.6.
# Guess:    whichever way a kernel divides below zero, a // b * b + a % b is a, as in Python and in C.
# Seen:     -7 // 2 is -4 and -7 % 2 is -1, so the sum is -9. 7 // -2 and 7 % -2 give 9. // is that of Python in all cases, and % in
#           none of those where one of both is below zero. So code that splits an index into a row and a column by // and %
#           finds another cell, and a test of // alone passes.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet warp-lang==1.19.0 numpy==2.4.6
cd "$here"

cat > divide.py <<'PYTHON'
import numpy as np
import warp as wp


@wp.kernel
def divide(
    a: wp.array(dtype=int), b: wp.array(dtype=int),
    quotient: wp.array(dtype=int), rest: wp.array(dtype=int), again: wp.array(dtype=int),
):
    i = wp.tid()
    quotient[i] = a[i] // b[i]
    rest[i] = a[i] % b[i]
    again[i] = a[i] // b[i] * b[i] + a[i] % b[i]


a, b = np.array([7, -7, 7, -7], np.int32), np.array([2, 2, -2, -2], np.int32)
given = [wp.array(numbers, device="cpu") for numbers in (a, b)]
found = [wp.zeros(4, dtype=int, device="cpu") for _ in range(3)]
wp.launch(divide, 4, inputs=given + found, device="cpu")
quotient, rest, again = (numbers.numpy() for numbers in found)
print(f"{a} by {b}: // {quotient}, % {rest}, together {again}; Python has {a // b} and {a % b}")
assert (quotient == a // b).all()
assert rest.tolist() == [1, -1, 1, -1] and (a % b).tolist() == [1, 1, -1, -1]
assert again.tolist() == [7, -9, 9, -7]
PYTHON
WARP_CACHE_PATH=$here/cache venv/bin/python divide.py

#!/usr/bin/env bash
# DaCe reads other cells than Python for an index with (i - 3) % n or (i - 3) // 2.
#
# Versions: dace 1.0.2, numpy 1.26.4, networkx 3.2.1, sympy 1.14.0; cmake and g++ of the system.
# Guess:    a program of DaCe, which is a function of Python, reads the cell that Python reads: (i - 3) % n is between 0 and n - 1,
#           as a stencil on a ring has it.
# Seen:     the index is written into C++ as it stands, where the rest of a negative number is negative and its quotient is cut: of
#           eight cells of the ring the first three are others. So are quotients of array elements. No warning says so. The
#           time of such a stencil is that of another one.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet dace==1.0.2 numpy==1.26.4 networkx==3.2.1 sympy==1.14.0
cd "$here"
export HOME=$here # for its configuration

cat > rings.py <<'PYTHON'
import dace
import numpy

n, m = dace.symbol("n"), dace.symbol("m")


@dace.program
def ring(given: dace.int64[m], out: dace.int64[n]):
    for i in dace.map[0:n]:
        out[i] = given[(i - 3) % n + n]


@dace.program
def halves(given: dace.int64[m], out: dace.int64[n]):
    for i in dace.map[0:n]:
        out[i] = given[(i - 3) // 2 + 4]


@dace.program
def quotients(given: dace.int64[m], out: dace.int64[n]):
    for i in dace.map[0:n]:
        out[i] = (given[i] - 3) // 2


given = numpy.arange(16)
for program, formula, seen in (
    (ring, lambda i: given[(i - 3) % 8 + 8], [5, 6, 7, 8, 9, 10, 11, 12]),
    (halves, lambda i: given[(i - 3) // 2 + 4], [3, 3, 4, 4, 4, 5, 5, 6]),
    (quotients, lambda i: (given[i] - 3) // 2, [-1, -1, 0, 0, 0, 1, 1, 2]),
):
    out = numpy.zeros(8, numpy.int64)
    program(given, out)
    by_python = [int(formula(i)) for i in range(8)]
    print(f"{program.name}: Python {by_python}, DaCe {out.tolist()}")
    assert out.tolist() == seen
    assert out.tolist() != by_python
    assert out[3] == by_python[3] and out[5:].tolist() == by_python[5:]
PYTHON
venv/bin/python rings.py 2> log || { cat log; exit 1; }
if grep -iE 'negative|modulo|floor' log; then exit 1; fi

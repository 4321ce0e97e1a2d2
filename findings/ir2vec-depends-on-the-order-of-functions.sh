#!/usr/bin/env bash
# IR2Vec's flow-aware vector of a program depends on the order in which the file lists the functions.
#
# Versions: IR2Vec 2.1.1, numpy 2.4.6.
# Guess:    a vector stands for what is in the program, so the same functions in another order have the same one, as they do in
#           the symbolic encoding.
# Seen:     a call adds the vector of what it calls, as far as that is known by then. Four functions that call one another in a
#           chain have four flow-aware vectors in their 24 orders. 32 in a chain, listed from the last to the first, are 3.1
#           away from the program itself, and with a division for their product only 1.8. So a program that was
#           split, linked or sorted is another one to a model, and a program that computes something else may be nearer.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet ir2vec==2.1.1 numpy==2.4.6
cd "$here"

cat > orders.py <<'PYTHON'
import itertools
import pathlib

import ir2vec
import numpy as np

MIX = "define i32 @f0(i32 %a) {\n  %m = mul i32 %a, %a\n  %s = add i32 %m, 3\n  ret i32 %s\n}\n"
CALL = "define i32 @f{}(i32 %a) {{\n  %r = call i32 @f{}(i32 %a)\n  ret i32 %r\n}}\n"
CHAIN = [MIX] + [CALL.format(number, number - 1) for number in range(1, 32)]


def vector(functions, encoding):
    pathlib.Path("program.ll").write_text("".join(functions))
    return np.array(ir2vec.initEmbedding("program.ll", encoding, "p").getProgramVector())


def distance(one, other, encoding):
    return np.linalg.norm(vector(one, encoding) - vector(other, encoding))


for encoding, expected, backwards, divided in (("sym", 1, 0.0, 1.2), ("fa", 4, 3.1, 1.8)):
    found = []
    for functions in itertools.permutations(CHAIN[:4]):
        one = vector(functions, encoding)
        assert (one == vector(functions, encoding)).all()
        if not any(np.allclose(one, other) for other in found):
            found.append(one)
    by_order = distance(CHAIN, CHAIN[::-1], encoding)
    by_division = distance(CHAIN, [MIX.replace("mul", "sdiv"), *CHAIN[1:]], encoding)
    print(f"{encoding}: {len(found)} vectors of 24 orders of four functions; 32 backwards are {by_order:.2f} away, "
          f"and with a division for a product {by_division:.2f}")
    assert (len(found), round(by_order, 1), round(by_division, 1)) == (expected, backwards, divided)
PYTHON
venv/bin/python orders.py

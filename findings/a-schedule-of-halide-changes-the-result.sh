#!/usr/bin/env bash
# A schedule of Halide changes what a pipeline computes.
#
# Version: halide 21.0.0, numpy 2.4.6.
# Guess:   a schedule says where and when values are computed, never what they are, so two schedules of one algorithm give the
#          same bits, and an autotuner may compare outputs by equality.
# Seen:    whether a product and a sum are fused, and rounded once, depends on whether the product is stored in between: with
#          compute_root() 8 of 64 numbers are others, on a processor with FMA. vectorize() changes none. strict_float in the
#          target makes all the same.
set -euo pipefail
grep --quiet --word-regexp fma /proc/cpuinfo || { echo "a processor with FMA is needed" >&2; exit 2; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet halide==21.0.0 numpy==2.4.6
cd "$here"

cat > schedules.py <<'PYTHON'
import halide as hl
import numpy as np

numbers = np.random.default_rng(1).random((3, 64), dtype=np.float32)
a, b, c = (hl.Buffer(row.copy()) for row in numbers)
x = hl.Var("x")


def others(target: str) -> list[int]:
    results = []
    for schedule in (
        lambda product, total: None,
        lambda product, total: total.vectorize(x, 8),
        lambda product, total: product.compute_root(),
        lambda product, total: product.compute_root().vectorize(x, 8),
    ):
        product, total = hl.Func("product"), hl.Func("total")
        product[x] = a[x] * b[x]
        total[x] = product[x] + c[x]
        schedule(product, total)
        results.append(np.array(total.realize([64], hl.Target(target))))
    found = [int((result != results[0]).sum()) for result in results]
    print(f"{target}: numbers that differ from those of the first schedule: {found}")
    return found


machine = "x86-64-linux-sse41-avx-avx2-fma"
plain = others(machine)
assert plain[1] == 0 < plain[2] == plain[3]
assert others(machine + "-strict_float") == [0] * 4
PYTHON
venv/bin/python schedules.py

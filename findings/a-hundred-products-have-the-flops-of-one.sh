#!/usr/bin/env bash
# JAX counts the operations of a loop as if it ran once, and next to none of LAPACK.
#
# Version: jax 0.10.2 (XLA for CPUs).
# Guess:   compiled.cost_analysis()["flops"] of 100 products of matrices in a scan is that of 100 products: XLA knows the
#          number of rounds, and writes it into the compiled program.
# Seen:    it is that of one, whether 10 or 100 rounds; unroll= gives ten times as many for the same result, and lax.map
#          a quarter of what vmap of four does. A Cholesky factor or an SVD counts for next to nothing. So
#          a share of the peak that is computed from it is too small by as many times as the loop runs.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet jax==0.10.2 jaxlib==0.10.2

JAX_PLATFORMS=cpu "$here/venv/bin/python" - <<'PYTHON'
import jax
import jax.numpy as jnp
from jax import lax

n = 64
a, four = jnp.eye(n), jnp.ones((4, n, n))


def scan(rounds, unroll=1):
    return lambda a: lax.scan(lambda product, _: (product @ a, None), a, None, length=rounds, unroll=unroll)[0]


def square(a):
    return a @ a


seen, loops = {}, set()
for name, function, argument in (
    ("a product", square, a),
    ("scan of 10", scan(10), a),
    ("scan of 100", scan(100), a),
    ("fori_loop of 100", lambda a: lax.fori_loop(0, 100, lambda _, product: product @ a, a), a),
    ("scan of 10, unroll=10", scan(10, unroll=10), a),
    ("vmap of 4", jax.vmap(square), four),
    ("map of 4", lambda four: lax.map(square, four), four),
    ("cholesky", jnp.linalg.cholesky, a),
    ("svd", jnp.linalg.svd, a),
):
    compiled = jax.jit(function).lower(argument).compile()
    seen[name] = compiled.cost_analysis()["flops"] / (2 * n**3)
    if known := "known_trip_count" in compiled.as_text():
        loops.add(name)
    print(f"{name}: {seen[name]:.3f} products" + (", number of rounds known to XLA" if known else ""))
products = {name: round(count) for name, count in seen.items()}
raise SystemExit(
    not {"scan of 10", "scan of 100", "fori_loop of 100"} <= loops
    or products
    != {
        "a product": 1, "scan of 10": 1, "scan of 100": 1, "fori_loop of 100": 1, "scan of 10, unroll=10": 10,
        "vmap of 4": 4, "map of 4": 1, "cholesky": 0, "svd": 0,
    }
)
PYTHON

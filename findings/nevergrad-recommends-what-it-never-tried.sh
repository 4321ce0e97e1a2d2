#!/usr/bin/env bash
# nevergrad's minimize returns a choice that it never evaluated, and that is far worse than the best it saw.
#
# Version: nevergrad 1.0.12.
# Guess:   of a function without noise, minimize() returns the best point evaluated.
# Seen:    for choices, CMA draws each of them at random, and recommends those that are most likely in the end. After 60
#          evaluations of six choices among eight values it returns points never tried, on average twice as bad as the
#          best of the 60. DE and NGOpt return the best. Keep the best point yourself.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet nevergrad==1.0.12
export OPENBLAS_NUM_THREADS=1

"$here/venv/bin/python" - 2>/dev/null <<'PYTHON'
import nevergrad


def minimised(name, seed):
    space = nevergrad.p.Tuple(*[nevergrad.p.Choice(range(8)) for _ in range(6)])
    space.random_state.seed(seed)
    seen = {}

    def cost(values):
        seen[values] = float(sum((7 * value + 3 * place) % 11 for place, value in enumerate(values)))
        return seen[values]

    found = nevergrad.optimizers.registry[name](parametrization=space, budget=60).minimize(cost).value
    return min(seen.values()), found in seen, cost(found)


results = {name: [minimised(name, seed) for seed in range(5)] for name in ("DE", "NGOpt", "CMA")}
for name, rows in results.items():
    print(f"{name}, (best seen, result was tried, cost of result):", *rows)
raise SystemExit(
    not all(tried and best == result for name in ("DE", "NGOpt") for best, tried, result in results[name])
    or any(tried for _, tried, _ in results["CMA"])
    or sum(result for *_, result in results["CMA"]) < 1.5 * sum(best for best, *_ in results["CMA"])
)
PYTHON

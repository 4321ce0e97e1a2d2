#!/usr/bin/env bash
# pyATF's pattern search spends 200 evaluations on a handful of configurations.
#
# Version: pyatf 0.0.13.
# Guess:   a search technique of an auto-tuner walks on until the budget is spent, and a bowl of two parameters without noise is
#          the easiest case for pattern search.
# Seen:    of 64 x 64 configurations it tries fewer than twenty, each of them over and over, and each time counts as an
#          evaluation; random search tries nearly 200. So a comparison of techniques at the same number of evaluations is one
#          of how often each repeats itself.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet pyatf==0.0.13
cd "$here"

venv/bin/python - 2>/dev/null <<'PYTHON'
from pyatf import TP, Interval, Tuner
from pyatf.abort_conditions import Evaluations
from pyatf.search_techniques import PatternSearch, Random, Torczon


def tried(technique):
    evaluated = []

    def cost(configuration):
        evaluated.append((configuration["a"], configuration["b"]))
        return float((configuration["a"] - 37) ** 2 + (configuration["b"] - 11) ** 2)

    tuner = Tuner().tuning_parameters(TP("a", Interval(1, 64)), TP("b", Interval(1, 64)))
    _, lowest, _ = tuner.search_technique(technique()).verbosity(0).tune(cost, Evaluations(200))
    assert len(evaluated) == 200
    return len(set(evaluated)), lowest


rows = {technique.__name__: [tried(technique) for _ in range(10)] for technique in (Random, Torczon, PatternSearch)}
for name, row in rows.items():
    print(f"{name}, (configurations of 200 evaluations, lowest cost):", *row)
raise SystemExit(
    min(count for count, _ in rows["Random"]) < 150 or max(count for count, _ in rows["PatternSearch"]) >= 20
)
PYTHON

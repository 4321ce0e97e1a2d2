#!/usr/bin/env bash
# pyperf finds a difference between equal programs in a fifth of all comparisons, and in all if one file has fewer values.
#
# Version: pyperf 2.11.0.
# Guess:   compare_to tests at 95 %, so of a hundred benchmarks that were measured twice about five differ; a file with fewer
#          values is compared as well, or refused.
# Seen:    pyperf starts 20 processes because processes differ, and then tests their 60 values as if each were drawn for itself.
#          Where processes differ by 1 % and values of one by 0.5 %, 86 of 400 equal programs are faster or slower. With
#          60 values and 57 the test itself fails, which counts as significant: 400 of 400 are. Test the means of processes.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet pyperf==2.11.0
cd "$here"

cat > measured.py <<'PYTHON'
import random

import pyperf

chance = random.Random(1)


def benchmark(name: str, processes: int, difference: float) -> pyperf.Benchmark:
    """Return a benchmark of 1 s, whose processes differ by `difference`, and the three values of each by 0.5 %."""
    runs = []
    for _ in range(processes):
        own = chance.gauss(1, difference)
        values = [own + chance.gauss(0, 0.005) for _ in range(3)]
        runs.append(pyperf.Run(values, metadata={"name": name}, collect_metadata=False))
    return pyperf.Benchmark(runs)


for file, processes, difference in (
    ("alike-1", 20, 0), ("alike-2", 20, 0), ("differ-1", 20, 0.01), ("differ-2", 20, 0.01), ("fewer", 19, 0)
):
    suite = pyperf.BenchmarkSuite([benchmark(f"program{i}", processes, difference) for i in range(400)])
    suite.dump(f"{file}.json")
PYTHON
venv/bin/python measured.py

significant() { # of 400 benchmarks of two files
  venv/bin/python -m pyperf compare_to --group-by-speed "$1.json" "$2.json" > said
  found=$(grep -cE '^- program[0-9]+: .* (faster|slower)$' said)
  echo "$1 and $2: of 400 programs $found differ"
}
significant alike-1 alike-2
[ "$found" -lt 40 ]
significant differ-1 differ-2
[ "$found" = 86 ]
significant alike-1 fewer
[ "$found" = 400 ]

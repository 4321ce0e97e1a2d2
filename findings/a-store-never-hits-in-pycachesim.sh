#!/usr/bin/env bash
# pycachesim finds no hit of a store, and counts a load once or twice.
#
# Version: pycachesim 0.3.1.
# Guess:   of a thousand numbers of eight bytes in a row an eighth misses, whether they are read or written, since the cache loads the
#          line before it writes; and hits and misses add up to the accesses.
# Seen:    reads have 875 hits and 125 misses, writes 0 and 125, so a loop that fills an array misses always. Reads half a
#          number away from the lines have 999 hits and 126 misses, 1,125 of 1,000. So a rate of misses falls when a store
#          becomes a load and a store, and tells nothing between kernels; the misses themselves are right.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet pycachesim==0.3.1

"$here/venv/bin/python" - <<'PYTHON'
from cachesim import Cache, CacheSimulator, MainMemory


def counts(kind, start):
    memory = MainMemory()
    cache = Cache("L1", 64, 8, 64, "LRU")
    memory.load_to(cache)
    memory.store_from(cache)
    simulator = CacheSimulator(cache, memory)
    for place in range(start, start + 8 * 1000, 8):
        if "load" in kind:
            simulator.load(place, length=8)
        if "store" in kind:
            simulator.store(place, length=8)
    found = next(iter(simulator.stats()))
    print(f"{kind} from {start}: {found['HIT_count']} hits, {found['MISS_count']} misses")
    return found["HIT_count"], found["MISS_count"]


assert counts("load", 0) == (875, 125)
assert counts("store", 0) == (0, 125)
assert counts("load and store", 0) == (875, 125)
assert counts("load", 4) == (999, 126)
PYTHON
